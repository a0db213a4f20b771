use QSOsync::Test fronts => 'nginx', slow => 190, suite => 'all';
use QSOsync::Browser;

# The app keeps what was logged, in a real browser. QSOSYNC_TEST_ROUNDS: how many QSOs between kills; QSOSYNC_TEST_SEED:
# other moments.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my @admin = (QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'));

# QSOs that are logged by keyboard without a network outlive a browser that is killed at random moments, a service that
# is restarted and restored from a backup, and answers that are lost: a kill for each ten QSOs.
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
    is scalar($service->download), 5, 'the service has what was sent before the network went';
    $service->restart_workers(sub { $service->admin('restore', $backup) });
    is scalar($service->download), 0, 'the restored service has nothing of it';
    QSOsync::Browser::run($service, 'app-kills.js', %variables, QSOSYNC_PART => 'send');
}

# A new version takes over, and nothing that is being typed is lost.
{
    my $service = QSOsync::Service->start(site => 1);
    $service->expect_log(qr{/app/missing\.js});
    QSOsync::Browser::run($service, 'app-takeover.js', QSOSYNC_DB => $service->db, @admin);
}

# What a first download brings is there at once, and stays so while each QSO gets a record of its own.
{
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run($service, 'app-packs.js');
}

done_testing;
