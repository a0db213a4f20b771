use QSOsync::Test fronts => 'essential';

# 300 requests of one address in a minute; the next one is refused.
my $service = QSOsync::Service->start(environment => { QSOSYNC_RATE_LIMIT => 300 });
my %count;
my ($first, $last);
for (1 .. 310) {
    my $response = $service->get('/me');
    $first ||= $response;
    $count{$response->status}++;
    $last = $response;
}
is_deeply \%count, { 200 => 300, 429 => 10 }, 'of 310 requests in a minute 300 are answered and 10 refused';
is $first->header('RateLimit-Limit'), 300, 'an answer tells the limit';
is $first->header('RateLimit-Remaining'), 299, 'an answer tells how many requests are left';
is $last->code, 'GENERIC.RATE_LIMITED', 'a refused request has the code GENERIC.RATE_LIMITED';
is $last->header('RateLimit-Remaining'), 0, 'a refused request tells that no request is left';
like $last->header('Retry-After'), qr/\A[1-9]\d?\z/, 'Retry-After of a refused request is whole seconds, once';
cmp_ok $last->header('Retry-After'), '<=', 60, 'Retry-After of a refused request is at most a minute';
is_deeply $last->headers->{'access-control-allow-origin'}, ['*'], 'pages may read the answer to a refused request';
is $last->header('Content-Type'), 'application/json', 'the answer to a refused request is JSON';
is $service->request('OPTIONS', '/me')->status, 204, 'a preflight is answered when no request is left';
is $service->request('GET', '/openapi.json')->status, 429, 'the description is refused when no request is left';

done_testing;
