use QSOsync::Test fronts => 'nginx', slow => 45;
use QSOsync::Browser;
use QSOsync::Operator;

# The operator's page in a real browser.
plan skip_all => QSOsync::Browser::is_missing() if QSOsync::Browser::is_missing();
my $service = QSOsync::Service->start(site => 2);
# The browser asks for its icon.
$service->expect_log(qr/favicon\.ico/);
my $theirs = $service->add_member('26AT101');
$service->admin('member', 'add', '<img src=x>', '--locator', 'JO59');
$service->post_batch([map { qso() } 1 .. 3], key => $theirs->{write_key});
$service->post_batch([qso(frequencyMhz => 'x')]);
my $me = QSOsync::Operator->with_role($service, '21SD333');
QSOsync::Operator->log_in($service, '26AT101');
QSOsync::Browser::run($service, 'operator.js', QSOSYNC_CALLSIGN => $me->{callsign},
    QSOSYNC_PASSWORD => $me->{password});
is $service->sqlite("SELECT count(*) FROM members WHERE callsign = '26AT101'"), 0,
    'a member who is deleted on the page is gone';
is $service->sqlite("SELECT count(*) FROM members WHERE callsign = '13TH102' AND active = 0"), 1,
    'a member who is renamed and disabled on the page is';

done_testing;
