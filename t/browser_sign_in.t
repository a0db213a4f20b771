use QSOsync::Test fronts => 'nginx', slow => 60;
use QSOsync::Browser;
use QSOsync::Profile;

# Signing in and out in a real browser, from an invitation to the first QSO, with two browsers, and by the keyboard.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 2);
$service->expect_log(qr/favicon\.ico/);
$service->admin('club', 'set', '--address', 'http://127.0.0.1:' . $service->port);
$service->post_batch([full_qso()]);
$service->admin('member', 'add', '26AT101', '--locator', 'IO91wm');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my ($replaced) = $service->admin('member', 'invite', '26AT101') =~ /#(\S+)/;
my ($invitation) = $service->admin('member', 'invite', '26AT101') =~ /(\S+)/;
QSOsync::Browser::run($service, 'sign-in.js', QSOSYNC_PASSWORD => $me->{password},
    QSOSYNC_INVITATION => $invitation, QSOSYNC_REPLACED => $replaced);

done_testing;
