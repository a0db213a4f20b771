use QSOsync::Test fronts => 'nginx', slow => 60, suite => 'all';
use QSOsync::Browser;
use QSOsync::Profile;

# The app on a device that stores little or nothing, and that others use, too, in a real browser.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();

# Where a browser's storage is full, cleared or missing, and where its page is no secure context: what works is said,
# and what was said to be saved is not lost. Its key is in no log.
{
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run($service, 'app-storage.js', QSOSYNC_DB => $service->db,
        QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'));
    my $log = QSOsync::Front::read_file($service->directory . '/access.log');
    like $log, qr{GET /api/v1/logs}, 'the front server has noted the requests';
    unlike $log, qr/qsosync_\w{8}/, 'a key stands in no access log';
}

# Signing out of a browser with a log.
{
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'app-sign-out.js');
}

done_testing;
