use QSOsync::Test;

# The request limit is a setting. Preflights do not count.
{
    my $service = QSOsync::Service->start(environment => { QSOSYNC_RATE_LIMIT => 5 });
    $service->request('OPTIONS', '/me') for 1 .. 10;
    my @statuses = map { $service->request('GET', $_)->status } '/nothing', '/openapi.json', '/me', '/nothing', '/me',
        '/me';
    is "@statuses", '404 200 401 404 401 429', 'every request except preflights counts, whatever its answer';
    is $service->get('/me')->header('RateLimit-Limit'), 5, 'an answer contains the configured limit';
    $service->stop;

    $service = QSOsync::Service->start(environment => { QSOSYNC_RATE_LIMIT => 0 });
    my %count;
    $count{$service->get('/me')->status}++ for 1 .. 320;
    is_deeply \%count, { 200 => 320 }, 'a limit of 0 refuses no request';
    is $service->get('/me')->header('RateLimit-Limit'), undef, 'answers have no RateLimit-Limit if the limit is 0';
}

done_testing;
