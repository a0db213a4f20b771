use QSOsync::Test slow => 1;
use QSOsync::Browser;
use QSOsync::Profile;

# Keys and upload tokens on the profile page, in a real browser.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 1);
$service->admin('uploads', 'on');
# What a form of another origin gets is no page, and the browser asks for its icon.
$service->expect_log(qr/favicon\.ico/);
$service->sqlite('INSERT INTO key_refusals (key_id, refused_at, code, field, entries) VALUES '
    . join ', ', map { sprintf "(%d, %d, %s)", $_->[0], time * 1000, $_->[1] } [1, q('API_KEYS.READ_ONLY', NULL, 1)], [2, q('MODE_INVALID', 'mode', 3)]);
my $me = QSOsync::Profile->log_in($service, '21SD333');
QSOsync::Browser::run($service, 'profile-access.js', QSOSYNC_LOGIN_NAME => $me->{login}, QSOSYNC_PASSWORD => $me->{password});

done_testing;
