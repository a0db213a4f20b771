use QSOsync::Test fronts => 'main';

# The limit is a setting; what counts and what does not.
my $service = QSOsync::Service->start(environment => { QSOSYNC_RATE_LIMIT => 5 });
$service->request('OPTIONS', '/me') for 1 .. 10;
my @statuses = map { $service->request('GET', $_)->status } '/nothing', '/openapi.json', '/me', '/nothing', '/me',
    '/me';
is "@statuses", '404 200 401 404 401 429', 'every request but preflights counts, whatever its answer is';
is $service->get('/me')->header('RateLimit-Limit'), 5, 'answers tell the limit that is set';
$service->stop;

$service = QSOsync::Service->start(environment => { QSOSYNC_RATE_LIMIT => 0 });
my %count;
$count{$service->get('/me')->status}++ for 1 .. 320;
is_deeply \%count, { 200 => 320 }, 'with the setting 0 no request is refused';
is $service->get('/me')->header('RateLimit-Limit'), undef, 'with the setting 0 answers tell no limit';

done_testing;
