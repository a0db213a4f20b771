use QSOsync::Test fronts => 'nginx', slow => 1, suite => 'all';
use QSOsync::Browser;

# A new version of the app takes over in a real browser, and nothing that is being typed is lost.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 1);
$service->expect_log(qr{/app/missing\.js});
QSOsync::Browser::run($service, 'app-takeover.js', QSOSYNC_DB => $service->db,
    QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'));

done_testing;
