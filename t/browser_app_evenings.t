use QSOsync::Test fronts => 'nginx', slow => 110, suite => 'all';
use QSOsync::Browser;

# Evenings of random faults with the app, in a real browser. QSOSYNC_TEST_ROUNDS is their number, QSOSYNC_TEST_SEED
# selects others.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my @admin = (QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'));

# A member with one or two devices.
{
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run($service, 'evening.js', QSOSYNC_FOLDER => $service->directory,
        QSOSYNC_DB => $service->db, @admin);
}

# Three operators of a station log, change and delete in the app, offline and online, during kills and other faults.
{
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run($service, 'station-evenings.js', QSOSYNC_FOLDER => $service->directory,
        QSOSYNC_DB => $service->db, @admin);
}

done_testing;
