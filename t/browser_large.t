use QSOsync::Test fronts => 'nginx', slow => 40, suite => 'all';
use QSOsync::Browser;
use QSOsync::Profile;

# A large file dropped on the page, and the large log that it makes, in a real browser.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 2);
my $me = QSOsync::Profile->log_in($service, '21SD333');
QSOsync::Browser::run($service, 'profile-large.js', QSOSYNC_CALLSIGN => $me->{callsign},
    QSOSYNC_PASSWORD => $me->{password},
    QSOSYNC_FOLDER => $service->directory);
is $service->admin('check'), '', 'the logbook is whole';

done_testing;
