use QSOsync::Test fronts => 'nginx';
use QSOsync::Adif;
use QSOsync::Polo;
use QSOsync::Profile;

# A QSO from PoLo matches a stored QSO of the same contact. The QSO keeps its clientId, and phones get the QSO under
# PoLo's UUID.
my $service = QSOsync::Service->start(site => 1);
$service->admin('uploads', 'on');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $address = $me->post('tokens', { name => 'PoLo', isPolo => JSON::PP::true() })->json->{address};
my ($first, $second) = map { QSOsync::Polo->new($service, $address, name => $_) } qw(first second);
my $AT = 1779046920000; # 2026-05-17T19:42:00Z
sub log_now { return sort { $a->{id} <=> $b->{id} } $service->download }
sub told { my (@names) = @_; return join '; ', map { join ' ', map { $_ // '-' } @{$_}{@names} } log_now() }
sub app { return $service->post_batch([{ %{$_[0]} }]) }
sub stored { return qso(qsoAt => '2026-05-17T19:42:10.123Z', callsignWorked => '26AT101', frequencyMhz => '27.555',
    mode => 'USB', notes => 'mine', @_) }
sub logged { my ($phone, %fields) = @_;
    return $phone->add_qso(startAtMillis => $AT, their => { call => '26AT101', sent => '57' }, %fields) }
sub of_phone { my ($phone, $uuid) = @_;
    my $record = $phone->{qsos}{$uuid} ? $phone->record(qsos => $uuid) : return 'unknown';
    return $record->{deleted} ? 'deleted' : "$record->{freq} $record->{their}{call} " . ($record->{notes} // '') }
sub rest { return join ' ', map { $_->rest ? 'rests' : 'works' } @_ }

# PoLo sends a QSO that the app has logged.
my $qso = stored();
app($qso);
my $uuid = logged($first, startAtMillis => $AT + 30_000, freq => 27556, refs => [{ ref => 'x' }]);
is rest($first, $second, $first), 'rests rests rests',
    'phones are in sync after PoLo sends a QSO that the log already has';
is told(qw(clientId frequencyMhz notes rstReceived)), "$qso->{clientId} 27.556 mine 57",
    'the QSO gets new values from the phone and keeps its clientId';
is_deeply [map { of_phone($first, $_) } $uuid, $qso->{clientId}], ['27556 26AT101 mine', 'deleted'],
    "the phone gets the log's values under PoLo's UUID";
is $first->record(qsos => $uuid)->{refs}[0]{ref}, 'x', "fields that only PoLo has are kept";
is of_phone($second, $uuid), '27556 26AT101 mine', 'another phone gets the QSO under the same UUID';
my $other = logged($first, startAtMillis => $AT + 40_000);
rest($first);
is scalar(my @two = log_now()), 2, 'a second QSO from PoLo does not match a QSO that already has a UUID from PoLo';
$first->remove(qsos => $other);
rest($first, $second);

# After the match, the two records are one QSO.
$first->edit(qsos => $uuid, notes => 'corrected');
rest($first, $second);
is told(qw(clientId notes)), "$qso->{clientId} corrected", 'a correction on the phone reaches the log';
is of_phone($second, $uuid), '27556 26AT101 corrected', 'a correction on the phone reaches the other phone';
app({ %{(log_now())[0]}, callsignWorked => '26AT102' });
rest($first, $second);
is of_phone($first, $uuid), '27556 26AT102 corrected', 'a correction in the app reaches the phone';
$first->remove(qsos => $uuid);
rest($first, $second);
is told('clientId') . of_phone($second, $uuid), 'deleted', 'a deletion on the phone reaches the log and other phones';
my ($act) = @{$me->get('history')->json->{items}};
is $me->post('undo', { act => $act->{number} })->json->{restored}, 1, 'a deletion on the phone can be undone';
rest($first, $second);
is told('clientId') . ' ' . of_phone($first, $uuid), "$qso->{clientId} 27556 26AT102 corrected",
    'undoing the deletion restores the QSO in the log and on the phone';
$service->delete_qso($qso->{clientId});
rest($first, $second);
is_deeply [map { of_phone($_, $uuid) } $first, $second], [('deleted') x 2], 'a deletion in the app reaches phones';

# A phone has the QSO under the clientId, and corrects the QSO before the phone receives the other UUID.
$qso = stored(callsignWorked => '26AT103');
app($qso);
rest($second);
is of_phone($second, $qso->{clientId}), '27555 26AT103 mine', 'a phone gets a QSO from the app';
$uuid = logged($first, their => { call => '26AT103' });
rest($first);
$second->edit(qsos => $qso->{clientId}, notes => 'of the second');
rest($second, $first, $second);
is told(qw(clientId notes)), "$qso->{clientId} of the second", 'a correction under the previous id reaches the QSO';
is_deeply [map { of_phone($second, $_) } $qso->{clientId}, $uuid], ['deleted', '27555 26AT103 of the second'],
    'the phone gets the QSO under the UUID instead of the clientId';
is of_phone($first, $uuid), '27555 26AT103 of the second', 'the first phone gets the correction';
$service->delete_qso($qso->{clientId});
rest($first, $second);

# Two QSOs from PoLo arrive in either order within a request, and a stored QSO matches one of them.
for my $freqs ([27555, 27600], [27600, 27555]) {
    app($qso = stored(callsignWorked => '26AT104'));
    my %uuid = map { $_ => logged($first, freq => $_, startAtMillis => $AT + ($_ == $freqs->[0] ? 1000 : 0),
        their => { call => '26AT104' }) } @$freqs;
    rest($first);
    is told('frequencyMhz'), '27.555; 27.600', 'two similar QSOs in one request become two QSOs';
    my ($stored) = grep { $_->{clientId} eq $qso->{clientId} } log_now();
    is $stored->{frequencyMhz}, '27.555', 'the QSO without a difference matches the stored QSO';
    $service->delete_qso($_->{clientId}) for log_now();
    rest($first, $second);
}

# PoLo sends a QSO on a band that the log cannot store, and then corrects the band.
app($qso = stored(callsignWorked => '26AT105'));
$uuid = logged($first, freq => 7150, band => '40m', their => { call => '26AT105' });
rest($first);
$first->edit(qsos => $uuid, freq => 27555, band => '11m');
rest($first);
is told(qw(clientId frequencyMhz)), "$qso->{clientId} 27.555",
    'a QSO that the log could not store is matched after its correction';
is of_phone($first, $uuid), '27555 26AT105 mine', 'the phone gets the notes from the log';

# The service remembers the QSOs that PoLo has sent, so that a file from PoLo can be imported without changes.
$uuid = logged($first, their => { call => '26AT106' }, startAtMillis => $AT + 123);
rest($first);
my ($new) = grep { $_->{callsignWorked} eq '26AT106' } log_now();
is $new->{clientId}, $uuid, 'a QSO without a match has the UUID as its clientId';
app({ %$new, callsignWorked => '26AT107' });
my $report = import_adif($service, '21SD333', adif_file($service,
    adif_qso(CALL => '26AT106', MODE => 'SSB', SUBMODE => 'USB', RST_SENT => '59')));
is "$report->{counts}{imported} $report->{counts}{unchanged}", '0 1',
    "importing PoLo's file restores no previous values";
is $service->admin('check'), '', 'the logbook passes the check';
done_testing;
