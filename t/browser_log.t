use QSOsync::Test fronts => 'nginx', slow => 60;
use QSOsync::Browser;
use QSOsync::Profile;

# The log, ADIF and the member's data on the profile page, in a real browser.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 1);
my $other = $service->add_member('1AT100');
# The other side of one of the QSOs, an hour late.
$service->post_batch([qso(callsignWorked => '21SD333', operatorCallsign => undef, qsoAt => '2026-01-01T19:00:00Z')],
    key => $other->{write_key});
my $me = QSOsync::Profile->log_in($service, '21SD333');
QSOsync::Browser::run($service, 'profile-log.js', QSOSYNC_CALLSIGN => $me->{callsign},
    QSOSYNC_PASSWORD => $me->{password},
    QSOSYNC_FOLDER => $service->directory);

done_testing;
