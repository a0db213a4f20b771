use QSOsync::Test fronts => 'all', suite => 'all';
use QSOsync::Browser;
use QSOsync::Profile;

# A browser uses the service through each front server.

# The profile works through each front server. The service rejects forged headers and requests from other origins.
script 'profile-front.js', slow => 15, sub {
    my $service = QSOsync::Service->start(site => 4);
    $service->expect_log(qr/favicon\.ico|nothing-here|no user\/password|AH01614|AH01617|AH01618|user .* not found/);
    $service->post_batch([qso()]);
    $service->add_member('26AT101');
    my $me = QSOsync::Profile->log_in($service, '21SD333');
    QSOsync::Profile->log_in($service, '26AT101');
    QSOsync::Browser::run_as($me, 'profile-front.js');
};

# A page from another origin reads a log with a key, until the request limit is reached.
script 'other-origin.js', slow => 10, sub {
    my $service = QSOsync::Service->start(environment => { QSOSYNC_RATE_LIMIT => 20 });
    $service->post_batch([qso()]);
    QSOsync::Browser::run($service, 'other-origin.js', QSOSYNC_LIMIT => 20);
};

done_testing;
