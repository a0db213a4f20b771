use QSOsync::Test fronts => 'nginx', slow => 120, suite => 'all';
use QSOsync::Browser;

# Three operators of a station log, change and delete in the app, offline and online, among kills and other faults.
# QSOSYNC_TEST_ROUNDS: how many random evenings; QSOSYNC_TEST_SEED: others.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 1);
QSOsync::Browser::run($service, 'station-evenings.js', QSOSYNC_FOLDER => $service->directory,
    QSOSYNC_DB => $service->db, QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'));

done_testing;
