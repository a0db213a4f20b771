use QSOsync::Test fronts => 'nginx', slow => 60, suite => 'all';
use QSOsync::Browser;
use QSOsync::Operator;
use QSOsync::Profile;

# A station in a real browser.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 1);
$service->expect_log(qr/favicon\.ico/);
$service->add_member($_) for qw(26AT101 1AT100);
my @people = (QSOsync::Operator->with_role($service, '1AT100'), map { QSOsync::Profile->log_in($service, $_) }
    qw(21SD333 26AT101));
QSOsync::Browser::run($service, 'stations.js', QSOSYNC_COOKIE => $people[0]->cookie,
    QSOSYNC_PEOPLE => JSON::PP::encode_json([
    map { { callsign => $_->{callsign}, password => $_->{password} } } @people]));

done_testing;
