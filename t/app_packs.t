use QSOsync::Test fronts => 'nginx', slow => 1, suite => 'all';
use QSOsync::Browser;

# What a first download brings into the app is there at once, and stays so while each QSO gets a record of its own.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 1);
QSOsync::Browser::run($service, 'app-packs.js');

done_testing;
