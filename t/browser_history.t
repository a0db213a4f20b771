use QSOsync::Test fronts => 'nginx', slow => 1;
use QSOsync::Browser;
use QSOsync::Profile;

# The history of a log on the profile page, and taking back, in a real browser.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 2);
my $me = QSOsync::Profile->log_in($service, '21SD333');
my %key = map { $_ => $service->admin('key', 'add', '21SD333', '--name', $_, '--scope', 'WRITE') } qw(tablet phone);
QSOsync::Browser::run($service, 'history.js', QSOSYNC_CALLSIGN => $me->{callsign}, QSOSYNC_PASSWORD => $me->{password},
    QSOSYNC_TABLET => $key{tablet}, QSOSYNC_PHONE => $key{phone});

done_testing;
