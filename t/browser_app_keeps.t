use QSOsync::Test fronts => 'nginx', slow => 190, suite => 'all';
use QSOsync::Browser;

# The app keeps logged QSOs, in a real browser. QSOSYNC_TEST_ROUNDS is the number of QSOs between kills,
# QSOSYNC_TEST_SEED selects other moments.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my @admin = (QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'));

# QSOs logged by keyboard while offline survive random kills of the browser, restarts and restores of the service, and
# lost answers. One kill for every ten QSOs.
{
    my $service = QSOsync::Service->start(site => 1);
    my %variables = (QSOSYNC_FOLDER => $service->directory, QSOSYNC_DB => $service->db,
        QSOSYNC_KEY => $service->write_key, QSOSYNC_LINE_PORT => QSOsync::Service::free_port());
    my $backup = $service->directory . '/before.db';
    $service->post_batch([qso(callsignWorked => '13SD001')]);
    my ($early) = $service->download;
    $service->delete_qso($early->{clientId});
    $service->admin('backup', $backup);
    QSOsync::Browser::run($service, 'app-kills.js', %variables, QSOSYNC_PART => 'log');
    is scalar($service->download), 5, 'the service has the QSOs sent before the network failed';
    $service->restart_workers(sub { $service->admin('restore', $backup) });
    is scalar($service->download), 0, 'the restored service has no QSO';
    QSOsync::Browser::run($service, 'app-kills.js', %variables, QSOSYNC_PART => 'send');
}

# A new version takes over without losing what is being typed.
{
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr{/app/missing\.js});
    QSOsync::Browser::run($service, 'app-takeover.js', QSOSYNC_DB => $service->db, @admin);
}

# QSOs of a first download are shown at once and stay shown while they are stored as individual records.
{
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run($service, 'app-packs.js');
}

done_testing;
