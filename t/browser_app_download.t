use QSOsync::Test fronts => 'nginx', slow => 1;
use QSOsync::Browser;

# The first download of the app in a real browser: how far it is, stopped, and gone on with after a reload.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 1);
QSOsync::Browser::run($service, 'app-download.js');

done_testing;
