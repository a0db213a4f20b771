use QSOsync::Test fronts => 'nginx', slow => 150, suite => 'all';
use QSOsync::Browser;
use QSOsync::Profile;

# The app keeps what was logged, in a real browser. QSOSYNC_TEST_ROUNDS: how many random evenings, and QSOs between
# kills; QSOSYNC_TEST_SEED: others; QSOSYNC_TEST_QSOS=100000: the log of an operator's life.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my @admin = (QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'));

# Evenings of random faults.
{
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run($service, 'evening.js', QSOSYNC_FOLDER => $service->directory,
        QSOSYNC_DB => $service->db, @admin);
}

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

# A long log.
{
    my $count = $ENV{QSOSYNC_TEST_QSOS} || 4000;
    my $service = QSOsync::Service->start(site => 1);
    fill_log($service, $count);
    QSOsync::Browser::run($service, 'app-large.js', QSOSYNC_QSOS => $count,
        QSOSYNC_CYCLES => $ENV{QSOSYNC_TEST_CYCLES} || 15);
}

# Three operators of a station log, change and delete in the app, offline and online, among kills and other faults.
# QSOSYNC_TEST_ROUNDS: how many random evenings; QSOSYNC_TEST_SEED: others.
{
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run($service, 'station-evenings.js', QSOSYNC_FOLDER => $service->directory,
        QSOSYNC_DB => $service->db, QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'));
}

done_testing;
