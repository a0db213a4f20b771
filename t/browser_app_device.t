use QSOsync::Test fronts => 'nginx', slow => 60, suite => 'all';
use QSOsync::Browser;
use QSOsync::Profile;

# The app in a real browser, on a device that stores little or nothing, or that several people use.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();

# A browser whose storage is full, cleared or missing, or whose page is not a secure context: the app states what works,
# and loses nothing that it called saved. No log contains its key.
{
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run($service, 'app-storage.js', QSOSYNC_DB => $service->db,
        QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'));
    my $log = QSOsync::Front::read_file($service->directory . '/access.log');
    like $log, qr{GET /api/v1/logs}, 'the front server logs the requests of the app';
    unlike $log, qr/qsosync_\w{8}/, 'no access log contains a key';
}

# Signing out of a browser that holds a log.
{
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'app-sign-out.js');
}

done_testing;
