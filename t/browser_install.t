use QSOsync::Test fronts => 'nginx', slow => 1, suite => 'all';
use QSOsync::Browser;
use QSOsync::Profile;

# Installing the app, in a real browser: what it needs for that is there, and pages offer it.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 1);
my $me = QSOsync::Profile->log_in($service, '21SD333');
QSOsync::Browser::run($service, 'install.js', QSOSYNC_CALLSIGN => $me->{callsign},
    QSOSYNC_PASSWORD => $me->{password});

done_testing;
