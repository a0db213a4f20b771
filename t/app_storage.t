use QSOsync::Test fronts => 'nginx', slow => 1;
use QSOsync::Browser;

# The app where a browser's storage is full, cleared or missing, and where its page is no secure context: what works is
# said, and what was said to be saved is not lost. Its key is in no log.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 1);
QSOsync::Browser::run($service, 'app-storage.js', QSOSYNC_DB => $service->db,
    QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'));
my $log = QSOsync::Front::read_file($service->directory . '/access.log');
like $log, qr{GET /api/v1/logs}, 'the front server has noted the requests';
unlike $log, qr/qsosync_\w{8}/, 'a key stands in no access log';

done_testing;
