use QSOsync::Test;
use QSOsync::Adif;

# With "match", a client of the API lets the service find the stored QSO for a record.
my $service = QSOsync::Service->start;
my $other = $service->add_member('13AT7');
my ($true, $false) = (JSON::PP::true(), JSON::PP::false());
sub entry { return qso(callsignWorked => '26AT101', frequencyMhz => '27.555', mode => 'USB', match => $true, @_) }
sub send_entries { return @{$service->post_batch([@_])->json->{results}} }
sub log_now { return sort { $a->{id} <=> $b->{id} } $service->download }
sub count_now { my @log = log_now(); return scalar @log }

# Without match, entries are stored as the API's contract requires.
my $plain = qso(callsignWorked => '26AT101', frequencyMhz => '27.555', mode => 'USB', notes => 'mine',
    radio => 'Lincoln');
send_entries($plain);
for my $match (undef, $false) {
    my $second = { %$plain, clientId => uuid(), match => $match };
    is_deeply [sort keys %{(send_entries($second))[0]}], [qw(clientId id spottedAt)],
        'the result of an entry without match has only the usual fields';
    is count_now(), 2, 'an entry without match and with a new clientId creates a QSO';
    $service->delete_qso($second->{clientId});
}

# A record of a stored contact matches the contact's QSO.
my $before = (log_now())[0];
my $record = entry(qsoAt => '2026-05-17T19:42:30Z', rstSent => '59', notes => undef);
my ($result) = send_entries($record);
is_deeply $result, { clientId => $record->{clientId}, id => $before->{id}, spottedAt => undef,
    matchedClientId => $plain->{clientId}, unchanged => $false },
    "a result has the matched QSO's clientId in addition to the sent clientId";
is count_now(), 1, 'an entry that matches a stored QSO creates no QSO';
my $after = (log_now())[0];
is_deeply [@$after{qw(clientId qsoAt rstSent notes radio)}],
    [$plain->{clientId}, '2026-05-17T19:42:30.000Z', '59', 'mine', 'Lincoln'],
    'a matching entry writes its values; null and omitted fields change nothing';
$service->post_batch([{ %$after, rstSent => '55' }]);
is +(send_entries($record))[0]{id}, $before->{id}, 'sending the same record again matches the same QSO';
is +(log_now())[0]{rstSent}, '55', 'sending the same record again keeps later corrections';
is +(send_entries($record))[0]{unchanged}, $true, 'a result has the field unchanged if nothing was written';
send_entries({ %$record, rstSent => '57' });
is +(log_now())[0]{rstSent}, '57', 'a corrected value of a record is written';
is +(send_entries({ %$record, clientId => uc $plain->{clientId}, rstSent => '58' }))[0]{matchedClientId},
    $plain->{clientId}, 'an entry with the clientId of a stored QSO matches that QSO';
is_deeply [@{(log_now())[0]}{qw(rstSent notes)}], ['58', 'mine'],
    'a QSO found by its clientId keeps the values that are null in the entry';

# A new contact becomes a new QSO.
my $new = entry(callsignWorked => '161SD001', sendSpot => $true);
($result) = send_entries($new);
ok !exists $result->{matchedClientId}, 'an entry without a match creates a QSO';
is +(log_now())[1]{clientId}, $new->{clientId}, 'a new QSO has the clientId that was sent';
ok $result->{spottedAt}, 'an entry that creates a QSO can publish a spot';
is +(send_entries({ %$new, clientId => uuid() }))[0]{spottedAt}, $result->{spottedAt},
    'a matching entry creates no second spot';
($result) = send_entries(entry(qsoAt => '2026-05-17T19:42:31Z', sendSpot => $true));
ok $result->{spottedAt}, 'a matching entry can publish a spot of a stored QSO';
$service->post_batch([my $theirs = qso()], key => $other->{write_key});
is +(send_entries(entry(callsignWorked => '30RC010', clientId => $theirs->{clientId})))[0]{error}, 'CLIENT_ID_CONFLICT',
    "a new QSO cannot get another member's clientId";
is +(send_entries(entry(clientId => $theirs->{clientId})))[0]{matchedClientId}, $plain->{clientId},
    "a matching entry can have another member's clientId";

# A program's own id identifies a record.
my %id = (program => 'N1MM', programId => '{C13E93A7-90DD-41F6-B1FC-C85CC6D2C641}');
my ($one, $two) = (entry(callsignWorked => '14FR001', %id), entry(callsignWorked => '14FR001', program => 'n1mm',
    programId => 'c13e93a790dd41f6b1fcc85cc6d2c642', frequencyMhz => '27.600'));
is_deeply [map { exists $_->{matchedClientId} ? 1 : 0 } send_entries($one, $two)], [0, 0],
    'entries with different ids from one program are separate QSOs';
my $moved = entry(callsignWorked => '14FR002', qsoAt => '2026-05-17T20:30:00Z', program => 'N1MM',
    programId => 'c13e93a790dd41f6b1fcc85cc6d2c641');
is +(send_entries($moved))[0]{matchedClientId}, $one->{clientId},
    "an entry with the program's id of a stored QSO matches that QSO, whatever else has changed";
import_adif($service, '21SD333', adif_file($service, adif_record(QSO_DATE => '20260517', TIME_ON => '203000',
    CALL => '14FR002', FREQ => '27.555', MODE => 'USB', APP_N1MM_ID => 'C13E93A790DD41F6B1FCC85CC6D2C641',
    RST_SENT => '51')));
is_deeply [map { $_->{rstSent} } grep { $_->{clientId} eq $one->{clientId} } log_now()], ['51'],
    "a record in a file updates the QSO of an entry with the same program's id";
my $count = count_now();
send_entries(entry(callsignWorked => '19AT1', program => 'A', rstSent => '59'));
send_entries(entry(callsignWorked => '19AT1', program => 'B', rstSent => '57'));
send_entries(entry(callsignWorked => '19AT1', program => 'A', rstSent => '59'));
is_deeply [map { $_->{rstSent} } grep { $_->{callsignWorked} eq '19AT1' } log_now()], ['57'],
    'a value that the program has sent before changes nothing';

# The entries of one request are matched in their order.
my @alike = map { entry(callsignWorked => '25AT1', qsoAt => "2026-05-17T19:42:0${_}Z") } 1, 2;
is_deeply [map { exists $_->{matchedClientId} ? 1 : 0 } send_entries(@alike)], [0, 0],
    'similar records in one request are separate QSOs';
my @same = map { entry(callsignWorked => '26AT7', rstSent => $_) } '55', '59';
my @results = send_entries(@same);
is_deeply [$results[0]{id}, $results[0]{matchedClientId}], [$results[1]{id}, $same[1]{clientId}],
    'records with equal identifying fields are one QSO';
is_deeply [map { $_->{rstSent} } grep { $_->{callsignWorked} eq '26AT7' } log_now()], ['59'],
    'the last of several records for one QSO is stored';

# match "find" only searches.
$count = count_now();
my $stamp = $service->get('/logs/ids')->header('ETag');
@results = send_entries(entry(match => 'find', callsignWorked => '25AT1', qsoAt => '2026-05-17T19:42:02Z'),
    entry(match => 'find', callsignWorked => '25AT2'));
is $results[0]{matchedClientId}, $alike[1]{clientId}, 'match "find" returns the matching QSO';
is_deeply [@{$results[1]}{qw(id error permanent)}], [undef, 'NO_MATCH', $false],
    'an entry with match "find" is rejected as NO_MATCH if no QSO matches';
is $service->get('/logs/ids')->header('ETag'), $stamp, 'match "find" writes nothing';
my ($known, $near) = map { entry(callsignWorked => '26AT8', frequencyMhz => $_) } '27.555', '27.265';
send_entries($known);
@results = send_entries($near, entry(match => 'find', callsignWorked => '26AT8'));
is_deeply [map { $_->{matchedClientId} } @results], [undef, $known->{clientId}],
    'a QSO that matches one entry better is not matched by another entry';
my @twins = map { entry(callsignWorked => '26AT9', match => $_) } $true, 'find';
@results = send_entries(@twins);
is_deeply [map { $_->{id} } @results], [((log_now())[-1]{id}) x 2], 'match "find" can find a QSO from the same request';
$count = count_now();

# Entries with invalid fields for matching are rejected.
for (['match must be true, false or "find"', match => 'yes'], ['match must be true, false or "find"', match => 1],
    ['baseSyncedAt cannot be combined with match', baseSyncedAt => $before->{syncedAt}],
    ['program must be 1 to 32 characters of ASCII', program => 'x' x 33],
    ['program must be 1 to 32 characters of ASCII', program => ' '],
    ['programId must be 1 to 64 characters of ASCII, with program', programId => '7'],
    ['programId must be 1 to 64 characters of ASCII, with program', program => 'A', programId => 'x' x 65],
    ['programId must be 1 to 64 characters of ASCII, with program', program => 'A', programId => 7]) {
    my ($error, %wrong) = @$_;
    is_deeply [@{(send_entries(entry(%wrong)))[0]}{qw(error permanent)}], [$error, $true], "@{[%wrong]} is rejected";
}
is count_now(), $count, 'a rejected entry saves nothing';
is $service->admin('check'), '', 'the logbook passes the check';
done_testing;
