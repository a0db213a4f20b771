use QSOsync::Test fronts => 'nginx', slow => 25;
use QSOsync::Browser;
use QSOsync::Profile;

# Keys and upload tokens on the profile page, in a real browser.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 1);
$service->admin('uploads', 'on');
# The browser asks for its icon.
$service->expect_log(qr/favicon\.ico/);
$service->post_batch([qso()], key => $service->read_key);
$service->post_batch([map { qso(frequencyMhz => 'x') } 1 .. 3]);
my $me = QSOsync::Profile->log_in($service, '21SD333');
QSOsync::Browser::run($service, 'profile-access.js', QSOSYNC_CALLSIGN => $me->{callsign},
    QSOSYNC_PASSWORD => $me->{password});

done_testing;
