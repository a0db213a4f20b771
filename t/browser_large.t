use QSOsync::Test fronts => 'nginx', slow => 150, suite => 'all';
use QSOsync::Browser;
use QSOsync::Profile;

# Long logs in a real browser. QSOSYNC_TEST_QSOS=100000 tests the app with the log of a whole life.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();

# In the app.
{
    my $count = $ENV{QSOSYNC_TEST_QSOS} || 4000;
    my $service = QSOsync::Service->start(site => 1);
    fill_log($service, $count);
    QSOsync::Browser::run($service, 'app-large.js', QSOSYNC_QSOS => $count,
        QSOSYNC_CYCLES => $ENV{QSOSYNC_TEST_CYCLES} || 15);
}

# A large file dropped on the page, and the resulting log.
{
    my $service = QSOsync::Service->start(site => 4);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'profile-large.js',
        QSOSYNC_FOLDER => $service->directory);
    is $service->admin('check'), '', 'the logbook passes the check with a large log';
}

done_testing;
