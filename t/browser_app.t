use QSOsync::Test fronts => 'nginx', slow => 120;
use QSOsync::Browser;
use QSOsync::Profile;

# The app in a real browser.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();

# The app logs, changes and deletes offline, in tabs that are killed. It synchronises with a service that loses answers
# and is restored from a backup.
{
    my $service = QSOsync::Service->start(site => 1);
    my $me = QSOsync::Profile->log_in($service, '21SD333');
    QSOsync::Browser::run($service, 'app.js', QSOSYNC_COOKIE => $me->cookie, QSOSYNC_FOLDER => $service->directory,
        QSOSYNC_DB => $service->db, QSOSYNC_ADMIN => QSOsync::Front::program('qsosync-admin'));
}

# A link with a key, and the first download of a log.
{
    my $service = QSOsync::Service->start(site => 1);
    $service->add_member('26AT101');
    my $other = QSOsync::Profile->log_in($service, '26AT101');
    QSOsync::Browser::run($service, 'app-download.js', QSOSYNC_OTHER => $other->{callsign},
        QSOSYNC_PASSWORD => $other->{password});
}

# The form, with an activation and spots.
{
    my $service = QSOsync::Service->start(site => 1);
    QSOsync::Browser::run($service, 'app-form.js');
}

# Awards.
{
    my $service = QSOsync::Service->start(site => 1);
    my $other = $service->add_member('26AT101');
    # The partner's QSO.
    $service->post_batch([qso(callsignWorked => '21SD333', operatorCallsign => undef, mode => 'USB',
        qsoAt => '2025-05-17T19:42:00Z')], key => $other->{write_key});
    QSOsync::Browser::run($service, 'app-awards.js');
}

done_testing;
