use QSOsync::Test fronts => 'main', slow => 1;
use QSOsync::Browser;

# From an invitation on the terminal to the first synchronised QSO, in a real browser: nothing is typed but a password.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 2, wants_member => 0);
$service->expect_log(qr/favicon\.ico/);
$service->admin('club', 'set', '--address', 'http://127.0.0.1:' . $service->port);
$service->admin('member', 'add', '26AT101', '--locator', 'JN58');
QSOsync::Browser::run($service, 'invitation.js', QSOSYNC_INVITATION => $service->admin('member', 'invite', '26AT101'));
is $service->sqlite('SELECT count(*) FROM qsos'), 1, 'the QSO is in the logbook';

done_testing;
