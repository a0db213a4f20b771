use QSOsync::Test fronts => 'nginx';
use QSOsync::Adif;

# What is kept of a log's former states, by whom it was written, and how it goes.
my $service = QSOsync::Service->start;
sub rows { return $service->sqlite($_[0]) }
sub states { rows('SELECT count(*) FROM former') }

my @qso = map { full_qso(callsignWorked => "26AT$_") } 1 .. 4;
$service->post_batch(\@qso);
is states(), 0, 'new QSOs leave no former state';
is rows('SELECT count(*), min(created), min(writer), min(writer_number) FROM acts'), '1|4|1|2',
    'new QSOs are known by who made them';
$service->post_batch(\@qso);
is states(), 0, 'equal content, sent again, leaves none';
is rows('SELECT count(*) FROM acts WHERE changed'), 0, 'sent again, it is no change of the act';
$service->post_batch([{ %{$qso[0]}, sendSpot => JSON::PP::true() }]);
is states(), 0, 'a spot is no change of the content';
$service->post_batch([map { +{ %$_, notes => 'changed' } } @qso[0, 1]]);
is states(), 2, 'each change keeps the former state';
$service->post_batch([map { +{ %$_, notes => 'changed again' } } @qso[0, 0]]);
is states(), 3, 'a second change keeps another one; what is sent twice in one batch is changed once';
$service->delete_qso($qso[0]{clientId});
is states(), 4, 'so does a deletion';
is rows('SELECT count(*) FROM gone'), 1, 'it is known what is gone';
is rows('SELECT count(*), sum(created), sum(changed), sum(deleted) FROM acts'), '1|4|3|1',
    'all that one writer wrote in a row is one act';
$service->admin('import', '21SD333', adif_file($service, adif_record(QSO_DATE => '20260517', TIME_ON => '1200',
    CALL => '26AT9', BAND => '11m')));
is rows('SELECT count(*) FROM acts WHERE writer = 0 AND work = 1 AND subject IS NOT NULL AND created = 1'), 1,
    'an import is an act of its own, which knows its file';
is $service->admin('check'), '', 'all of it is consistent';

# The state before the change is small.
cmp_ok rows('SELECT max(length(state)) FROM former'), '<', 300,
    'a former state of a QSO with all fields takes less than 300 bytes';

# With age: nothing is removed in one go, and QSOs stay.
rows('UPDATE acts SET began_at = began_at - 181 * 86400000');
my $before = states();
$service->post_batch([qso()]);
is states(), 0, 'what is older than 180 days is removed with later writes';
is rows('SELECT count(*) FROM gone'), 0, 'with what is known of deleted QSOs';
is rows('SELECT count(*) FROM qsos'), 5, 'the QSOs themselves stay';
is $service->admin('check'), '', 'after the removal all is consistent';

# More states than are kept.
$service->stop;
$service = QSOsync::Service->start(environment => { QSOSYNC_HISTORY_STATES => 30 });
@qso = map { qso() } 1 .. 20;
$service->post_batch(\@qso);
for my $round (1 .. 4) {
    $service->post_batch([map { +{ %$_, notes => "round $round" } } @qso],
        key => $service->admin('key', 'add', '21SD333', '--name', "round $round", '--scope', 'WRITE'));
}
cmp_ok states(), '<=', 30, 'at most as many states are kept for a member as the setting says';
is $service->admin('check'), '', 'what is left below the bound is consistent';
$service->stop;

$service = QSOsync::Service->start(environment => { QSOSYNC_HISTORY_DAYS => 0 });
my $qso = qso();
$service->post_batch([{ %$qso, notes => $_ }]) for 'one', 'two';
$service->delete_qso($qso->{clientId});
is rows('SELECT (SELECT count(*) FROM acts) + (SELECT count(*) FROM former) + (SELECT count(*) FROM gone)'), 0,
    'with 0 days nothing is kept';
is $service->admin('check'), '', 'a logbook without history is consistent';

# Who leaves takes the history along.
$service->stop;
$service = QSOsync::Service->start;
$service->post_batch([map { qso() } 1 .. 3]);
$service->delete_qso(($service->download)[0]{clientId});
$service->admin('member', 'delete', '21SD333', '--yes');
is rows('SELECT (SELECT count(*) FROM acts) + (SELECT count(*) FROM former) + (SELECT count(*) FROM gone)'), 0,
    'with a member goes the history of the log';

done_testing;
