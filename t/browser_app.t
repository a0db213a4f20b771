use QSOsync::Test fronts => 'nginx', slow => 60;
use QSOsync::Browser;
use QSOsync::Profile;

# The app in a real browser: logs, changes and deletes without a network, in tabs that are killed, and comes in step
# with the service, which loses answers and is restored from a backup.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 1);
my $me = QSOsync::Profile->log_in($service, '21SD333');
QSOsync::Browser::run($service, 'app.js', QSOSYNC_COOKIE => $me->cookie,
    QSOSYNC_FOLDER => $service->directory, QSOSYNC_DB => $service->db,
    QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'));

done_testing;
