use QSOsync::Test fronts => 'nginx';

# A token lies in many programs. Who has it may add QSOs and fill what is empty in one that is there; nothing that is
# stored goes, or becomes another value, whatever way the record names the QSO.
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
my $sparse = qso(band => 'ELEVEN_METERS', qsoAt => '2026-05-17T20:10:00Z', callsignWorked => '26AT102', mode => 'USB');
my $pmr = full_pmr_qso(qsoAt => '2026-05-17T21:00:00Z', callsignWorked => '26AT103');
$service->post_batch([$full, $sparse, $pmr]);
my %before = map { $_->{clientId} => $_ } $service->download;

# By its id, with everything different.
my %other = (QSO_DATE => '20200101', TIME_ON => '010203', FREQ => '27.005', BAND => '11m', MODE => 'AM',
    CALL => 'OTHER', NOTES => 'Other notes',
    NAME => 'Other', RST_SENT => '11', RST_RCVD => '22', GRIDSQUARE => 'AA00', MY_GRIDSQUARE => 'BB11', TX_PWR => '7',
    QSL_SENT => 'N', QSL_RCVD => 'Y', MY_RIG => 'Other rig', MY_ANTENNA => 'Other antenna',
    STATION_CALLSIGN => 'OTHER2');
is upload('', record(%other, APP_QSOSYNC_CLIENT_ID => $full->{clientId}))->status, 201,
    'a record that names a full QSO is accepted';
my $after = stored($full->{clientId});
for my $name (sort keys %{content($before{$full->{clientId}})}) {
    my $old = $before{$full->{clientId}}{$name};
    is_deeply $after->{$name}, $old, "$name of a full QSO stays" if ref $old ? $old : defined $old;
}
is scalar($service->download), 3, 'it makes no other QSO';

# By its id, with nothing in it.
is upload('', record(QSO_DATE => '20260517', TIME_ON => '2010', BAND => '11m',
    APP_QSOSYNC_CLIENT_ID => $sparse->{clientId}))->status, 201,
    'a record with a time and a band alone is accepted';
is_deeply stored($sparse->{clientId}), $before{$sparse->{clientId}}, 'it empties nothing, and no client hears of it';

# What is empty is filled: by the id, then by the same contact.
upload('', record(%other, RST_SENT => '59', QSL_SENT => 'Y', NAME => 'Ann', NOTES => 'First', MODE => 'FT8',
    APP_QSOSYNC_CLIENT_ID => $sparse->{clientId}));
my $filled = stored($sparse->{clientId});
is_deeply [@$filled{qw(rstSent dxLocator notes mode callsignWorked qsoAt)}],
    ['59', 'AA00', "Name: Ann\nFirst", 'USB', '26AT102', '2026-05-17T20:10:00.000Z'],
    'empty values are filled, the others stay; notes name no mode that the QSO does not have';
ok $filled->{qslSent}, 'a card is noted as sent';
my %same = (QSO_DATE => '20260518', TIME_ON => '0910', BAND => '11m', CALL => '26AT104');
upload('', record(%same, NOTES => 'One', RST_SENT => '59'));
upload('', record(%same, NOTES => 'Two', NAME => 'Bob', RST_SENT => '31', RST_RCVD => '57', TIME_ON => '091030'));
my ($contact) = grep { ($_->{callsignWorked} // '') eq '26AT104' } $service->download;
is_deeply [@$contact{qw(notes rstSent rstReceived qsoAt)}], ['One', '59', '57', '2026-05-18T09:10:00.000Z'],
    'the same contact again fills what is empty, and notes stay';

# Of another band only what belongs to the QSO's own.
upload('', record(%other, APP_QSOSYNC_CLIENT_ID => $pmr->{clientId}));
my $kept = stored($pmr->{clientId});
is_deeply [@$kept{qw(band frequencyMhz channel)}], ['PMR446', undef, $pmr->{channel}],
    'a record of another band gives no frequency to a PMR446 QSO';

# The same in a dry run, and through the members' own ways it replaces.
my $id = uuid();
my $dry = upload('/true', map { record(%same, CALL => '26AT105', APP_QSOSYNC_CLIENT_ID => $id, NOTES => $_) } 'One',
    'Two')->json;
is "$dry->{status} $dry->{adif_count}", 'created 2', 'a dry run says the same';
is stored($id), undef, 'a dry run saves nothing';
open my $file, '>', $service->directory . '/own.adi' or die $!;
print {$file} record(%same, CALL => '26AT106', APP_QSOSYNC_CLIENT_ID => $sparse->{clientId});
close $file;
$service->admin('import', '21SD333', $service->directory . '/own.adi');
is stored($sparse->{clientId})->{callsignWorked}, '26AT106', 'an import by the operator replaces a QSO that it names';

for my $dry_run ('true', '1', 'TRUE', 'yes', 'x') {
    my $count = scalar $service->download;
    is upload("/$dry_run", record(%same, CALL => '26AT200'))->json->{status}, 'created',
        "/$dry_run answers as if it were none";
    is scalar($service->download), $count, "/$dry_run is a dry run";
}
for my $real ('0', 'false', 'False', '') {
    my $count = scalar $service->download;
    upload("/$real",
        record(%same, CALL => '26AT30' . length $real, TIME_ON => '0' . length($real)
        . ($real eq 'False' ? '01' : '00')));
    is scalar($service->download), $count + 1, "'$real' is none";
}

done_testing;
