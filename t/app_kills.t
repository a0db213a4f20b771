use QSOsync::Test fronts => 'nginx', slow => 1, suite => 'all';
use QSOsync::Browser;

# QSOs that are logged by keyboard without a network outlive a browser that is killed at random moments, a service that
# is restarted and restored from a backup, and answers that are lost. QSOSYNC_TEST_ROUNDS=200: so many QSOs, a kill for
# each ten.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 1);
my %variables = (QSOSYNC_FOLDER => $service->directory, QSOSYNC_DB => $service->db, QSOSYNC_KEY => $service->write_key,
    QSOSYNC_LINE_PORT => QSOsync::Service::free_port());
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

done_testing;
