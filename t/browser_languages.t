use QSOsync::Test slow => 1, suite => 'all';
use QSOsync::Browser;

# The languages of the pages in a real browser: one is loaded, early, and a page can be read without it.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
plan skip_all => 'it looks at pages, which are the same with sanitizers' if QSOsync::Front::is_sanitized();
my $service = QSOsync::Service->start(site => 1);
$service->expect_log(qr/favicon\.ico|clusterx/);
QSOsync::Browser::run($service, 'languages.js');

done_testing;
