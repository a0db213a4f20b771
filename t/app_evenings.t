use QSOsync::Test fronts => 'nginx', slow => 1, suite => 'all';
use QSOsync::Browser;

# The app through evenings of random faults, in a real browser. QSOSYNC_TEST_ROUNDS: how many; QSOSYNC_TEST_SEED:
# others.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 1);
QSOsync::Browser::run($service, 'app-evenings.js', QSOSYNC_FOLDER => $service->directory, QSOSYNC_DB => $service->db,
    QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'));

done_testing;
