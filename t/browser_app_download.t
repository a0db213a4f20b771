use QSOsync::Test fronts => 'nginx', slow => 20;
use QSOsync::Browser;
use QSOsync::Profile;

# A link with a key, and the first download of a log into the app, in a real browser.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 1);
$service->add_member('26AT101');
my $other = QSOsync::Profile->log_in($service, '26AT101');
QSOsync::Browser::run($service, 'app-download.js', QSOSYNC_OTHER => $other->{callsign},
    QSOSYNC_PASSWORD => $other->{password});

done_testing;
