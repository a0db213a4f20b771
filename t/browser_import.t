use QSOsync::Test fronts => 'nginx', slow => 1;
use QSOsync::Browser;
use QSOsync::Profile;

# Bringing a file in, in a real browser: stopped, gone on with, and left in its middle.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 1);
my $me = QSOsync::Profile->log_in($service, '21SD333');
QSOsync::Browser::run($service, 'import.js', QSOSYNC_CALLSIGN => $me->{callsign},
    QSOSYNC_PASSWORD => $me->{password});

done_testing;
