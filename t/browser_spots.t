use QSOsync::Test slow => 70;
use QSOsync::Browser;
use QSOsync::Profile;

# The front page and the spots page in a real browser.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 1,
    environment => { QSOSYNC_CLUB => 'Club 333', QSOSYNC_CLUB_TEXT => 'Wednesdays at eight on 27.555' });
# The list for programs is no page, and the browser asks for its icon.
$service->expect_log(qr/favicon\.ico/);
QSOsync::Browser::run($service, 'cluster.js');
my $me = QSOsync::Profile->log_in($service, '21SD333');
QSOsync::Browser::run($service, 'cluster-alive.js', QSOSYNC_CALLSIGN => $me->{callsign},
    QSOSYNC_PASSWORD => $me->{password});

done_testing;
