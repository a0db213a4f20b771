use QSOsync::Test fronts => 'nginx', slow => 1, suite => 'all';
use QSOsync::Browser;

# The app with a long log, in a real browser. QSOSYNC_TEST_QSOS=100000 is the log of an operator's life (make bench).
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $count = $ENV{QSOSYNC_TEST_QSOS} || 4000;
my $service = QSOsync::Service->start(site => 1);
fill_log($service, $count);
QSOsync::Browser::run($service, 'app-large.js', QSOSYNC_QSOS => $count,
    QSOSYNC_CYCLES => $ENV{QSOSYNC_TEST_CYCLES} || 15);

done_testing;
