use QSOsync::Test fronts => 'all', slow => 20, suite => 'all';
use QSOsync::Browser;
use QSOsync::Profile;

# The profile through each front server, and the limits for pages of other origins, in a real browser.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 4);
$service->expect_log(qr/favicon\.ico|nothing-here|no user\/password|AH01614|AH01617|AH01618|user .* not found/);
$service->post_batch([qso()]);
$service->add_member('26AT101');
my $me = QSOsync::Profile->log_in($service, '21SD333');
QSOsync::Profile->log_in($service, '26AT101');
QSOsync::Browser::run($service, 'profile-front.js', QSOSYNC_CALLSIGN => $me->{callsign},
    QSOSYNC_PASSWORD => $me->{password});

my $limited = QSOsync::Service->start(environment => { QSOSYNC_RATE_LIMIT => 20 });
$limited->post_batch([qso()]);
QSOsync::Browser::run($limited, 'other-origin.js', QSOSYNC_LIMIT => 20);

done_testing;
