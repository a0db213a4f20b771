use QSOsync::Test fronts => 'nginx', slow => 90;
use QSOsync::Browser;
use QSOsync::Profile;

# The profile in a real browser: access, and the log.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();

# Keys and upload tokens.
{
    my $service = QSOsync::Service->start(site => 1);
    $service->admin('uploads', 'on');
    # The browser asks for its icon.
    $service->expect_log(qr/favicon\.ico/);
    $service->post_batch([qso()], key => $service->read_key);
    $service->post_batch([map { qso(frequencyMhz => 'x') } 1 .. 3]);
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'profile-access.js');
}

# Devices.
QSOsync::Browser::run_as(QSOsync::Profile->log_in(QSOsync::Service->start(site => 1), '21SD333'), 'devices.js');

# The log, ADIF, the member's data, edited QSOs, and refused requests.
{
    my $service = QSOsync::Service->start(site => 1);
    my $other = $service->add_member('1AT100');
    # The partner's QSO, an hour later.
    $service->post_batch([qso(callsignWorked => '21SD333', operatorCallsign => undef, qsoAt => '2026-01-01T19:00:00Z')],
        key => $other->{write_key});
    QSOsync::Browser::run_as(QSOsync::Profile->log_in($service, '21SD333'), 'profile-log.js',
        QSOSYNC_FOLDER => $service->directory);
}

done_testing;
