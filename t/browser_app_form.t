use QSOsync::Test fronts => 'nginx', slow => 1;
use QSOsync::Browser;

# An outing, spots and lines from paper in the app, in a real browser.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 1);
QSOsync::Browser::run($service, 'app-form.js');

done_testing;
