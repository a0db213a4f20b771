use QSOsync::Test;
use QSOsync::Profile;

# Requests for pages are counted so that one person cannot use up the requests of other people at the same address.
my $service = QSOsync::Service->start(site => 1, environment => { QSOSYNC_RATE_LIMIT => 40 });
$service->add_member('26AT101', locator => 'IO91wm');
sub page { return $service->request('GET', '', raw_path => $_[0], @_[1 .. $#_]) }
sub count_statuses {
    my ($times, $ask) = @_;
    my %count;
    $count{$ask->()->status}++ for 1 .. $times;
    return \%count;
}
my ($callsign) = $service->admin('member', 'list') =~ /^(\S*\d\S*)/m;
my $first = QSOsync::Profile->log_in($service, $callsign);
my $second = QSOsync::Profile->log_in($service, '26AT101');

is_deeply count_statuses(390, sub { page('/cluster/spots') }), { 200 => 390 },
    'an address may send almost ten times as many requests for spots as the limit for pages allows';
is_deeply count_statuses(20, sub { page('/cluster/spots') }), { 200 => 10, 429 => 10 },
    'requests for spots are refused above ten times the limit for pages';
is page('/')->status, 200, 'requests for spots do not count towards the limit for pages';
is $first->get('me')->header('RateLimit-Limit'), 40, 'a member has the configured limit';

my $asked = 0;
my %answers;
$answers{$first->get('me')->status}++ while ++$asked <= 60;
is $answers{200} > 20 && $answers{200} < 40 && $answers{200} + $answers{429}, 60,
    'a member above the limit is refused';
is $second->get('me')->status, 200, 'another member at the same address is answered';
is page('/')->status, 200, 'a visitor at the same address is answered';

my $name = $second->cookie =~ s/=.*//r;
sub invented { return join '', map { chr 97 + rand 26 } 1 .. 43 }
my $refused = count_statuses(60, sub { page('/', headers => { Cookie => "$name=" . invented() }) });
is $refused->{429} > 15 && $refused->{200} + $refused->{429}, 60,
    'an invented cookie does not bypass the limit';
is $second->get('me')->status, 200, 'a member is answered when their address has no requests left';
is $service->get('/me')->header('RateLimit-Remaining'), 39, "requests for pages do not count towards the API's limit";
$service->stop;

done_testing;
