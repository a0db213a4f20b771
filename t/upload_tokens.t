use QSOsync::Test fronts => 'nginx';

# A token is stored in many programs. Whoever has the token may add QSOs and fill empty fields of a stored QSO. No
# stored value disappears, and only values that this token alone has written can change, however the record identifies
# the QSO.
my $service = QSOsync::Service->start(site => 1);
$service->admin('uploads', 'on');
my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'programs');
sub field { my ($name, $value) = @_; return sprintf '<%s:%d>%s', $name, length $value, $value }
sub record { my (%field) = @_; return join('', map { field($_, $field{$_}) } sort keys %field) . '<eor>' }
sub upload {
    my ($path, @records) = @_;
    my $body = JSON::PP::encode_json({ key => $token, station_profile_id => 1, type => 'adif', string => join '',
        @records });
    return $service->request('POST', '', raw_path => "/cloudlog/api/qso$path", body => $body,
        headers => { 'Content-Type' => 'application/json' });
}
sub stored { my ($id) = @_; my ($qso) = grep { $_->{clientId} eq $id } $service->download; return $qso }
sub content { my %qso = %{$_[0]}; delete @qso{qw(syncedAt)}; return \%qso }

my $full = full_qso(qsoAt => '2026-05-17T19:42:30Z', callsignWorked => '26AT101', notes => 'Kept',
    qslSent => JSON::PP::true, operatorCallsign => undef);
my $sparse = qso(band => 'ELEVEN_METERS', qsoAt => '2026-05-17T20:10:00Z', callsignWorked => '26AT102',
    mode => 'USB');
my $pmr = full_pmr_qso(qsoAt => '2026-05-17T21:00:00Z', callsignWorked => '26AT103');
$service->post_batch([$full, $sparse, $pmr]);
my %before = map { $_->{clientId} => $_ } $service->download;

# A record has the id of a full QSO, but other values in all fields.
my %other = (QSO_DATE => '20200101', TIME_ON => '010203', FREQ => '27.005', BAND => '11m', MODE => 'AM',
    CALL => 'OTHER', NOTES => 'Other notes',
    NAME => 'Other', RST_SENT => '11', RST_RCVD => '22', GRIDSQUARE => 'AA00', MY_GRIDSQUARE => 'BB11',
        TX_PWR => '7',
    QSL_SENT => 'N', QSL_RCVD => 'Y', MY_RIG => 'Other rig', MY_ANTENNA => 'Other antenna',
    STATION_CALLSIGN => 'OTHER2');
is upload('', record(%other, APP_QSOSYNC_CLIENT_ID => $full->{clientId}))->status, 201,
    'a record with the id of a full QSO is accepted';
my $after = stored($full->{clientId});
for my $name (sort keys %{content($before{$full->{clientId}})}) {
    my $old = $before{$full->{clientId}}{$name};
    is_deeply $after->{$name}, $old, "a full QSO's $name stays unchanged" if ref $old ? $old : defined $old;
}
is scalar($service->download), 3, 'a record with the id of a QSO creates no other QSO';

# A record has the id of a QSO, and otherwise only a time and a band.
is upload('', record(QSO_DATE => '20260517', TIME_ON => '2010', BAND => '11m',
    APP_QSOSYNC_CLIENT_ID => $sparse->{clientId}))->status, 201,
    'a record with only a time and a band is accepted';
is_deeply stored($sparse->{clientId}), $before{$sparse->{clientId}},
    'a record without values empties no field, and no client receives a change';

# Empty fields are filled, in a QSO with the id and in a QSO of the same contact.
upload('', record(%other, RST_SENT => '59', QSL_SENT => 'Y', NAME => 'Ann', NOTES => 'First', MODE => 'FT8',
    APP_QSOSYNC_CLIENT_ID => $sparse->{clientId}));
my $filled = stored($sparse->{clientId});
is_deeply [@$filled{qw(rstSent dxLocator notes mode callsignWorked qsoAt)}],
    ['59', 'AA00', "Name: Ann\nFirst", 'USB', '26AT102', '2026-05-17T20:10:00.000Z'],
    'empty values are filled, other values stay, and the notes name no mode that the QSO does not have';
ok $filled->{qslSent}, 'a card is recorded as sent';
my %same = (QSO_DATE => '20260518', TIME_ON => '0910', BAND => '11m', CALL => '26AT104');
upload('', record(%same, NOTES => 'One', RST_SENT => '59'));
upload('', record(%same, NOTES => 'Two', NAME => 'Bob', RST_SENT => '31', RST_RCVD => '57', TIME_ON => '091030'));
my ($contact) = grep { ($_->{callsignWorked} // '') eq '26AT104' } $service->download;
is_deeply [@$contact{qw(notes rstSent rstReceived qsoAt)}],
    ["Name: Bob\nTwo", '31', '57', '2026-05-18T09:10:30.000Z'],
    'a repeated contact corrects values that only this token has written';

# A record on another band changes only fields that the QSO's own band has.
upload('', record(%other, APP_QSOSYNC_CLIENT_ID => $pmr->{clientId}));
my $kept = stored($pmr->{clientId});
is_deeply [@$kept{qw(band frequencyMhz channel)}], ['PMR446', undef, $pmr->{channel}],
    'a record on another band gives no frequency to a PMR446 QSO';

# A dry run gives the same answer as an upload. If the operator imports a record with the id of a QSO, the record
# replaces the QSO.
my $id = uuid();
my $dry = upload('/true', map { record(%same, CALL => '26AT105', APP_QSOSYNC_CLIENT_ID => $id, NOTES => $_) } 'One',
    'Two')->json;
is "$dry->{status} $dry->{adif_count}", 'created 2', 'a dry run answers like an upload';
is stored($id), undef, 'a dry run saves nothing';
open my $file, '>', $service->directory . '/own.adi' or die $!;
print {$file} record(%same, CALL => '26AT106', APP_QSOSYNC_CLIENT_ID => $sparse->{clientId});
close $file;
$service->admin('import', '21SD333', $service->directory . '/own.adi');
is stored($sparse->{clientId})->{callsignWorked}, '26AT106',
    'an import by the operator replaces the QSO with the record\'s id';

for my $dry_run ('true', '1', 'TRUE', 'yes', 'x') {
    my $count = scalar $service->download;
    is upload("/$dry_run", record(%same, CALL => '26AT200'))->json->{status}, 'created',
        "/$dry_run answers like an upload";
    is scalar($service->download), $count, "/$dry_run is a dry run";
}
for my $real ('0', 'false', 'False', '') {
    my $count = scalar $service->download;
    upload("/$real",
        record(%same, CALL => '26AT30' . length $real, TIME_ON => '0' . length($real)
        . ($real eq 'False' ? '09' : '00')));
    is scalar($service->download), $count + 1, "'$real' is not a dry run";
}

done_testing;
