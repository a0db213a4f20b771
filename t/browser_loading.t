use QSOsync::Test fronts => 'nginx', slow => 70, suite => 'all';
use QSOsync::Browser;
use QSOsync::Profile;

# Every page while it loads over a slow line, in a real browser: what is seen stays where it is.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
plan skip_all => 'it looks at pages, which are the same with sanitizers' if QSOsync::Front::is_sanitized();
my $service = QSOsync::Service->start(site => 2);
$service->admin('member', 'set', '21SD333', '--operator', 'on');
my $me = QSOsync::Profile->log_in($service, '21SD333');
QSOsync::Browser::run($service, 'loading.js', QSOSYNC_CALLSIGN => $me->{callsign}, QSOSYNC_PASSWORD => $me->{password});

done_testing;
