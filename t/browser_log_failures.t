use QSOsync::Test fronts => 'nginx', slow => 20;
use QSOsync::Browser;
use QSOsync::Profile;

# My log in a real browser while the service refuses an answer.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 1);
my $me = QSOsync::Profile->log_in($service, '21SD333');
QSOsync::Browser::run($service, 'log-failures.js', QSOSYNC_CALLSIGN => $me->{callsign},
    QSOSYNC_PASSWORD => $me->{password});

done_testing;
