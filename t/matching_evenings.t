use QSOsync::Test fronts => 'nginx';
use QSOsync::Adif;
use QSOsync::Waiting;

# Each contact is one QSO, whichever route its records take and however often they arrive. Each evening ends with one
# QSO in the log per contact.
my $service = QSOsync::Service->start(site => 1);
$service->admin('uploads', 'on');
my $count = 0;
my ($callsign, $key, $token);

# Creates a member for a new evening, with a key for datagrams and the app, and a token for uploads.
sub begin_evening {
    $callsign = 'BOB' . ++$count;
    my $member = $service->add_member($callsign);
    $key = $member->{write_key};
    $token = $service->admin('upload-token', 'add', $callsign, '--name', 'programs');
    return;
}
sub import_records {
    my (@records) = @_;
    my $head = ref $records[0] ? ${shift @records} : '';
    return import_adif($service, $callsign, adif_file($service, $head, @records));
}
sub counts {
    my ($report) = @_;
    my $counts = $report->{counts};
    return join ', ', map { "$counts->{$_} $_" } grep { $counts->{$_} } sort keys %$counts;
}
sub upload {
    my (@records) = @_;
    return $service->request('POST', '', raw_path => '/cloudlog/api/qso',
        headers => { 'Content-Type' => 'application/json' },
        body => JSON::PP->new->utf8->encode({ key => $token, station_profile_id => 1, type => 'adif',
            string => join '', @records }))->json;
}
# Sends the entry that the UDP bridge creates from a datagram, and returns the entry's result.
sub datagram {
    my (%entry) = @_;
    return $service->post_batch([qso(qsoAt => '2026-05-17T19:42:00Z', callsignWorked => '26AT101',
        frequencyMhz => '27.555', mode => 'SSB', match => JSON::PP::true(), %entry)], key => $key)->json->{results}[0];
}
sub app { return $service->post_batch([{ %{$_[0]} }], key => $key) }
sub log_now { return sort { $a->{id} <=> $b->{id} } $service->download(key => $key) }
sub count_now { my @log = log_now(); return scalar @log }
sub told { return join '; ', map { join ' ', map { $_ // '-' } @{$_}{@_} } log_now() }

# The app corrects frequency and mode, and the program sends its file again.
begin_evening();
my @file = (adif_qso(), adif_qso(CALL => '161SD001', TIME_ON => '1950'));
import_records(@file);
my ($qso) = log_now();
app({ %$qso, frequencyMhz => '27.265', mode => 'DIGITAL' });
is counts(import_records(@file)), '2 unchanged', 'an unchanged file changes nothing';
is told(qw(callsignWorked frequencyMhz mode)), '26AT101 27.265 DIGITAL; 161SD001 27.555 SSB',
    'an unchanged file keeps corrections from the app';
$file[0] = adif_qso(RST_SENT => '57');
is counts(import_records(@file)), '1 unchanged, 1 updated', 'a signal report that the program adds updates the QSO';
is told(qw(frequencyMhz mode rstSent)), '27.265 DIGITAL 57; 27.555 SSB -',
    'the QSO has the corrections from both the app and the program';
$file[0] = adif_qso(RST_SENT => '59');
my $report = import_records(@file);
is_deeply $report->{details}, ['corrected: line 1, record 1: rstSent was 57, is 59 now'],
    'the report lists a correction with both values';
app({ %{(log_now())[0]}, rstSent => '55' });
is counts(import_records(@file)), '2 unchanged', 'an unchanged file keeps a later correction from the app';

# A program's ids decide which QSO a record matches.
begin_evening();
my @ids = map { sprintf '%032x', 0xabc0 + $_ } 1 .. 3;
import_records(adif_qso(APP_N1MM_ID => $ids[0]), adif_qso(APP_N1MM_ID => $ids[1], FREQ => '27.600'));
is told('frequencyMhz'), '27.555; 27.600', 'records with two ids from one program are two contacts';
is counts(import_records(adif_qso(APP_N1MM_ID => $ids[2], TIME_ON => '194230'))), '1 imported',
    'a record with another id from the program is another contact';
my $result = datagram(qsoAt => '2026-05-17T19:42:20Z', program => 'N1MM', programId => $ids[0]);
is $result->{matchedClientId}, (log_now())[0]{clientId}, "a datagram with the id of a record matches the record's QSO";
is count_now(), 3, 'a datagram with the id of a record creates no QSO';
import_records(adif_qso(APP_N1MM_ID => $ids[1], CALL => '26AT102', TIME_ON => '2010', FREQ => '27.600'));
is told('callsignWorked'), '26AT101; 26AT102; 26AT101',
    'a record updates the QSO with the same id even if the callsign and the time differ';

# A program corrects fields that identify a contact, and then undoes the correction.
begin_evening();
my %live = (program => 'N1MM', programId => $ids[0]);
datagram(%live, %$_) for {}, { callsignWorked => '26AT102', frequencyMhz => '27.600' }, {};
is told(qw(callsignWorked frequencyMhz)), '26AT101 27.555', 'a program with ids can undo its correction';
app({ %{(log_now())[0]}, frequencyMhz => '27.265' });
datagram(%live);
is told('frequencyMhz'), '27.265', "a datagram that repeats a program's values keeps corrections from the app";

begin_evening();
my $export = adif_qso(APP_N1MM_ID => $ids[0]);
datagram(%live);
import_records($export);
datagram(%live, frequencyMhz => '27.600');
app({ %{(log_now())[0]}, frequencyMhz => '27.602' });
is counts(import_records($export)), '1 unchanged', "a file from before a program's correction changes nothing";
datagram(%live);
is told('frequencyMhz'), '27.555', 'a program can undo its correction even if the app has changed the value since';

# An id that two contacts share is ignored, but other ids of their records count.
begin_evening();
my %shared = (APP_CLUB_ID => 7);
import_records(adif_qso(%shared), adif_qso(%shared, TIME_ON => '2010'));
import_records(adif_qso(%shared, APP_N1MM_ID => $ids[0]), adif_qso(%shared, TIME_ON => '2010'));
$result = datagram(%live, callsignWorked => '26AT102', frequencyMhz => '27.600');
is $result->{matchedClientId}, (log_now())[0]{clientId}, 'an id is remembered even if its record also has a shared id';

# A contact arrives in a datagram, and then with the same id in the program's file.
begin_evening();
$result = datagram(program => 'n1mm', programId => uc "{$ids[0]}", rstSent => '59');
is $result->{matchedClientId}, undef, 'a datagram about a new contact creates a QSO';
is counts(import_records(adif_qso(APP_N1MM_ID => $ids[0], STX => '1'))), '1 updated',
    'a record with the id of a datagram updates the QSO from the datagram';
is told(qw(callsignWorked rstSent)), '26AT101 59', 'a contact that arrives in a datagram and in a file is one QSO';

# A file can be sorted with the newest record first.
begin_evening();
upload(adif_qso());
is counts(import_records(adif_qso(FREQ => '27.600'), adif_qso())), '1 imported, 1 unchanged',
    'the stored contact matches an equal record rather than a similar record';
is told('frequencyMhz'), '27.555; 27.600', 'the similar record is another QSO';

# Two contacts with one station in one minute arrive in two files or in two uploads.
for my $way (\&import_records, \&upload) {
    begin_evening();
    $way->(adif_qso());
    $way->(adif_qso(FREQ => '27.265', MODE => 'FT8'));
    is told(qw(frequencyMhz mode)), '27.555 SSB; 27.265 DIGITAL', 'a record with two differences is another contact';
}

# PMR446 contacts have no callsigns.
begin_evening();
my %anna = (CALL => undef, NAME => 'Anna', FREQ => '446.00625', MODE => 'FM');
import_records(adif_qso(%anna));
is counts(import_records(\"<PROGRAMID:5>Other<EOH>\n", adif_qso(%anna, TIME_ON => '1943'))), '1 updated',
    'records with the same name in the files of two programs are one contact';
is count_now(), 1, 'two records with the same name are one QSO';
import_records(adif_qso(%anna, NAME => 'Bert', FREQ => '446.09375', TIME_ON => '1943'));
is told(qw(channel notes)), '1 Name: Anna; 8 Name: Bert',
    'a record with another name and channel in the same minute is another contact';

# The clocks of programs differ.
begin_evening();
upload(adif_qso(TIME_ON => '194259'));
import_records(adif_qso(TIME_ON => '194301'));
is told('qsoAt'), '2026-05-17T19:43:01.000Z',
    'two records two seconds apart are one contact, even if their minutes differ';
begin_evening();
upload(adif_qso(FREQ => undef, MODE => undef, BAND => '11m'));
import_records(adif_qso(FREQ => '27.265', MODE => 'FT8', TIME_ON => '194400'));
is count_now(), 2, 'a record two minutes after a record without a frequency is another contact';
begin_evening();
import_records(adif_qso(TIME_OFF => '201000'));
import_records(adif_qso(TIME_ON => '200500'));
is count_now(), 1, 'a record within the time of a QSO is the same contact';
import_records(adif_qso(TIME_ON => '201100'));
is count_now(), 2, 'a record after the end of a QSO is another contact';

# The member uses another callsign.
begin_evening();
my @own = (adif_qso(STATION_CALLSIGN => $callsign), adif_qso(CALL => '161SD001'),
    adif_qso(CALL => '30RC010', STATION_CALLSIGN => "$callsign/P"));
import_records(@own);
upload(adif_qso(CALL => '14FR001'));
my $before = told(qw(callsignWorked operatorCallsign syncedAt));
$service->admin('member', 'rename', $callsign, "NEW$count");
my $former = $callsign;
$callsign = "NEW$count";
is counts(import_records(@own)), '3 unchanged', 'the same file changes nothing after a rename';
upload(adif_qso(CALL => '14FR001'));
is counts(import_records(\"<PROGRAMID:5>Other<EOH>\n", @own)), '3 unchanged',
    "another program's file changes nothing after a rename";
is told(qw(callsignWorked operatorCallsign syncedAt)), $before,
    'records that are sent again after a rename write nothing';
is counts(import_records(adif_qso(CALL => '161SD001', STATION_CALLSIGN => "$former/P", TIME_ON => '194230'))),
    '1 updated', "a record under the member's previous callsign with /P updates its QSO";

# The app logs a contact, and then a program sends a record of the contact.
begin_evening();
app(qso(qsoAt => '2026-05-17T19:42:10.123Z', callsignWorked => '26AT101', frequencyMhz => '27.555', mode => 'USB',
    dxLocator => 'JO59jw', notes => 'mine'));
upload(adif_qso(RST_SENT => '59', GRIDSQUARE => 'JO59', NOTES => 'theirs'));
is told(qw(qsoAt mode dxLocator rstSent notes)), '2026-05-17T19:42:10.123Z USB JO59jw 59 mine',
    'an upload fills empty fields in a QSO from the app';
import_records(adif_qso(RST_RCVD => '57'));
is told(qw(qsoAt mode dxLocator rstSent rstReceived)), '2026-05-17T19:42:10.123Z USB JO59jw 59 57',
    'an import keeps more exact values from the app';

# The more exact of two values is stored.
begin_evening();
app(qso(qsoAt => '2026-05-17T19:42:00Z', callsignWorked => '26AT101', frequencyMhz => '27.555', mode => 'SSB',
    dxLocator => 'JO59', rstSent => '59'));
my $answer = upload(adif_qso(TIME_ON => '194237', SUBMODE => 'USB', GRIDSQUARE => 'JO59jw', RST_SENT => '57'));
is told(qw(qsoAt mode dxLocator rstSent)), '2026-05-17T19:42:37.000Z USB JO59jw 59',
    'an upload replaces only less exact values';
is_deeply $answer->{messages}, ['', 'line 1: rstSent stays 59, not 57'],
    'an upload reports the values that it did not replace';

# A token uploads a corrected record.
begin_evening();
upload(adif_qso(RST_SENT => '59'));
$answer = upload(adif_qso(RST_SENT => '57', FREQ => '27.556'));
is "$answer->{status} @{$answer->{messages}}", 'created ',
    'a correction by the same token is accepted without a message';
is told(qw(frequencyMhz rstSent)), '27.556 57', 'a correction by the same token is stored';
app({ %{(log_now())[0]}, notes => 'mine' });
$answer = upload(adif_qso(RST_SENT => '55', GRIDSQUARE => 'JO59', FREQ => '27.556'));
is_deeply $answer->{messages}, ['', 'line 1: rstSent stays 57, not 55'],
    "a token's correction of a QSO that the app edited is reported as not stored";
is told(qw(rstSent dxLocator notes)), '57 JO59 mine', 'an upload to a QSO that the app edited fills only empty fields';
$answer = upload(adif_qso(RST_SENT => '55', GRIDSQUARE => 'JO59', FREQ => '27.556'));
is_deeply $answer->{messages}, [''], 'sending the same record again gives no message';

# Values that are rejected from a token can be accepted from another source.
begin_evening();
app(qso(qsoAt => '2026-05-17T19:42:00Z', callsignWorked => '26AT101', frequencyMhz => '27.555', mode => 'SSB',
    rstSent => '59', dxLocator => 'JP10kk', notes => 'mine'));
my @told = (RST_SENT => '57', GRIDSQUARE => 'JO59jw', NAME => 'Anna');
upload(adif_qso(@told));
is told(qw(rstSent dxLocator notes)), '59 JP10kk mine', 'a token cannot correct a QSO from the app';
app({ %{(log_now())[0]}, dxLocator => 'JO59' });
upload(adif_qso(@told));
is told(qw(rstSent dxLocator notes)), '59 JO59 mine', 'a token that repeats its rejected values changes nothing';
datagram(dxLocator => 'JO59jw');
is told(qw(rstSent dxLocator)), '59 JO59jw',
    'a more exact value that was rejected from a token is accepted from another source';
import_records(adif_qso(@told));
is told(qw(rstSent notes)), "57 Name: Anna\nmine", 'values that were rejected from a token are accepted from a file';

# A program sends its values in datagrams and in files, which count as two sources.
begin_evening();
import_records(adif_qso(RST_SENT => '59'));
datagram(rstSent => '57');
app({ %{(log_now())[0]}, rstSent => '55' });
is counts(import_records(adif_qso(RST_SENT => '57'))), '1 unchanged',
    'a value that another source has sent before changes nothing';
is told('rstSent'), '55', 'the import keeps the correction from the app';
begin_evening();
import_records(adif_qso(RST_SENT => '59'));
datagram(rstSent => '57');
datagram(rstSent => '59');
is told('rstSent'), '59', 'a source can replace its own value with the value from another source';

# Datagrams and an upload about one contact arrive at the same moment, and several processes write them.
begin_evening();
QSOsync::Waiting::at_once($service, sub { datagram(rstSent => '59'); '' }, sub { upload(adif_qso(NOTES => 'hi')); '' },
    sub { datagram(qsoAt => '2026-05-17T19:42:10Z', rstReceived => '57'); '' });
is told(qw(callsignWorked rstSent rstReceived notes)), '26AT101 59 57 hi',
    'simultaneous requests about one contact create one QSO';

# A record matches an existing QSO. The record of a deleted QSO creates a new QSO.
begin_evening();
my $id = QSOsync::Case::uuid();
app(qso(clientId => $id, qsoAt => '2026-05-17T19:42:33Z', callsignWorked => '26AT101', frequencyMhz => '27.555'));
import_records(adif_qso());
is told('clientId'), $id, 'a matching import keeps the clientId of a stored QSO';
$service->delete_qso($id, key => $key);
is counts(import_records(adif_qso())), '1 imported', "a deleted QSO's record is imported again";
isnt told('clientId'), $id, "a deleted QSO's record gets a new clientId";
begin_evening();
upload(adif_qso(RST_SENT => '59'));
$service->delete_qso((log_now())[0]{clientId}, key => $key);
import_records(adif_qso());
upload(adif_qso(RST_SENT => '59'));
is told('rstSent'), '59', 'values for a deleted QSO do not count as sent for the next QSO';

is $service->admin('check'), '', 'the logbook passes the check';
done_testing;
