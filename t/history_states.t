use QSOsync::Test fronts => 'nginx';
use QSOsync::Adif;

# Earlier states of QSOs are stored, and removed when they are old. Acts name the writers.
my $service = QSOsync::Service->start;
sub rows { return $service->sqlite($_[0]) }
sub states { rows('SELECT count(*) FROM former') }

my @qso = map { full_qso(callsignWorked => "26AT$_") } 1 .. 4;
$service->post_batch(\@qso);
is states(), 0, 'creating QSOs stores no earlier state';
is rows('SELECT count(*), min(created), min(writer), min(writer_number) FROM acts'), '1|4|1|2',
    'an act names the writer of new QSOs';
$service->post_batch(\@qso);
is states(), 0, 'sending equal content again stores no earlier state';
is rows('SELECT count(*) FROM acts WHERE changed'), 0, 'sending equal content again counts no change';
$service->post_batch([{ %{$qso[0]}, sendSpot => JSON::PP::true() }]);
is states(), 0, 'publishing a spot stores no earlier state';
$service->post_batch([map { +{ %$_, notes => 'changed' } } @qso[0, 1]]);
is states(), 2, 'each change stores the earlier state';
$service->post_batch([map { +{ %$_, notes => 'changed again' } } @qso[0, 0]]);
is states(), 3, 'a QSO that is sent twice in a batch with equal content is changed once';
$service->delete_qso($qso[0]{clientId});
is states(), 4, 'a deletion stores the earlier state';
is rows('SELECT count(*) FROM gone'), 1, 'a deletion is recorded';
is rows('SELECT count(*), sum(created), sum(changed), sum(deleted) FROM acts'), '1|4|3|1',
    'consecutive writes of one writer are one act';
$service->admin('import', '21SD333', adif_file($service, adif_record(QSO_DATE => '20260517', TIME_ON => '1200',
    CALL => '26AT9', BAND => '11m')));
is rows('SELECT count(*) FROM acts WHERE writer = 0 AND work = 1 AND subject IS NOT NULL AND created = 1'), 1,
    'an import is a separate act with the name of its file';
is $service->admin('check'), '', 'the logbook passes the check with a history';

cmp_ok rows('SELECT max(length(state)) FROM former'), '<', 300,
    'an earlier state of a QSO with all fields takes less than 300 bytes';

# Later writes remove old history and keep QSOs.
rows('UPDATE acts SET began_at = began_at - 181 * 86400000');
my $before = states();
$service->post_batch([qso()]);
is states(), 0, 'a write removes states older than 180 days';
is rows('SELECT count(*) FROM gone'), 0, 'a write removes records of deletions older than 180 days';
is rows('SELECT count(*) FROM qsos'), 5, 'removing old history keeps the QSOs';
is $service->admin('check'), '', 'the logbook passes the check after old history is removed';

# States beyond the configured number are removed.
$service->stop;
$service = QSOsync::Service->start(environment => { QSOSYNC_HISTORY_STATES => 30 });
@qso = map { qso() } 1 .. 20;
$service->post_batch(\@qso);
for my $round (1 .. 4) {
    $service->post_batch([map { +{ %$_, notes => "round $round" } } @qso],
        key => $service->admin('key', 'add', '21SD333', '--name', "round $round", '--scope', 'WRITE'));
}
cmp_ok states(), '<=', 30, 'a member has at most as many earlier states as the setting allows';
is $service->admin('check'), '', 'the logbook passes the check with a limited history';
$service->stop;

$service = QSOsync::Service->start(environment => { QSOSYNC_HISTORY_DAYS => 0 });
my $qso = qso();
$service->post_batch([{ %$qso, notes => $_ }]) for 'one', 'two';
$service->delete_qso($qso->{clientId});
is rows('SELECT (SELECT count(*) FROM acts) + (SELECT count(*) FROM former) + (SELECT count(*) FROM gone)'), 0,
    'a setting of 0 days keeps no history';
is $service->admin('check'), '', 'a logbook without history passes the check';

# Deleting a member deletes their history.
$service->stop;
$service = QSOsync::Service->start;
$service->post_batch([map { qso() } 1 .. 3]);
$service->delete_qso(($service->download)[0]{clientId});
$service->admin('member', 'delete', '21SD333', '--yes');
is rows('SELECT (SELECT count(*) FROM acts) + (SELECT count(*) FROM former) + (SELECT count(*) FROM gone)'), 0,
    'deleting a member deletes the history of their log';

done_testing;
