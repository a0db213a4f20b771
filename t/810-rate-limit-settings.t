use QSOsync::Test fronts => 'main';

# The limit is a setting; what counts and what does not.
my $service = QSOsync::Service->start(environment => { QSOSYNC_RATE_LIMIT => 5 });
$service->request('OPTIONS', '/me') for 1 .. 10;
my @statuses = map { $service->request('GET', $_)->status } '/nothing', '/openapi.json', '/me', '/nothing', '/me', '/me';
is "@statuses", '404 200 401 404 401 429', 'any request counts but preflights';
is $service->get('/me')->header('RateLimit-Limit'), 5, 'the setting is what answers tell';
$service->stop;

$service = QSOsync::Service->start(environment => { QSOSYNC_RATE_LIMIT => 0 });
my %count;
$count{$service->get('/me')->status}++ for 1 .. 320;
is_deeply \%count, { 200 => 320 }, '0 means no limit';
is $service->get('/me')->header('RateLimit-Limit'), undef, 'and none is told';

done_testing;
