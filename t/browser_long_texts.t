use QSOsync::Test fronts => 'nginx', slow => 1, suite => 'all';
use QSOsync::Browser;
use QSOsync::Operator;

# A language whose texts are 40 % longer than the English ones, which is made here of them, on a narrow phone.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
plan skip_all => 'it looks at pages, which are the same with sanitizers' if QSOsync::Front::is_sanitized();
my $service = QSOsync::Service->start(site => 1);
$service->expect_log(qr/favicon\.ico|clusterx/);
my $other = $service->add_member('26AT101');
# QSOs of every kind: confirmed, nearly, and spots.
my @at = map { iso_time(time - 3600 * $_) } 1 .. 4;
my %qso = (operatorCallsign => undef, mode => 'USB');
$service->post_batch([map { qso(%qso, callsignWorked => '21SD333', qsoAt => $_) } @at[0, 1]],
    key => $other->{write_key});
$service->post_batch([map { qso(%qso, callsignWorked => '26AT101', qsoAt => $_, sendSpot => JSON::PP::true()) }
    @at[0, 2, 3]]);
$service->admin('uploads', 'on');
my $me = QSOsync::Operator->with_role($service, '21SD333');
QSOsync::Browser::run($service, 'long-texts.js', QSOSYNC_CALLSIGN => $me->{callsign},
    QSOSYNC_PASSWORD => $me->{password}, QSOSYNC_LANGUAGES => "$QSOsync::Front::SOURCE/src/languages");

done_testing;
