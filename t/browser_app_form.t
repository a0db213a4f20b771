use QSOsync::Test fronts => 'nginx', slow => 1;
use QSOsync::Browser;
use QSOsync::Profile;

# The form in the app, with an outing, spots and awards, and in the profile, in a real browser.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 1);
QSOsync::Browser::run($service, 'app-form.js');
$service = QSOsync::Service->start(site => 1);
my $me = QSOsync::Profile->log_in($service, '21SD333');
QSOsync::Browser::run($service, 'profile-edit.js', QSOSYNC_CALLSIGN => $me->{callsign},
    QSOSYNC_PASSWORD => $me->{password});
$service = QSOsync::Service->start(site => 1);
my $other = $service->add_member('26AT101');
# The other side of one of the QSOs.
$service->post_batch([qso(callsignWorked => '21SD333', operatorCallsign => undef, mode => 'USB',
    qsoAt => '2025-05-17T19:42:00Z')], key => $other->{write_key});
QSOsync::Browser::run($service, 'app-awards.js');

done_testing;
