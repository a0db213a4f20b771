use QSOsync::Test fronts => 'essential';

# An address may send 300 requests per minute. The next request is refused.
my $service = QSOsync::Service->start(environment => { QSOSYNC_RATE_LIMIT => 300 });
my %count;
my ($first, $last);
for (1 .. 310) {
    my $response = $service->get('/me');
    $first ||= $response;
    $count{$response->status}++;
    $last = $response;
}
is_deeply \%count, { 200 => 300, 429 => 10 }, '300 of 310 requests in a minute are answered, and 10 are refused';
is $first->header('RateLimit-Limit'), 300, 'an answer contains the limit';
is $first->header('RateLimit-Remaining'), 299, 'an answer contains the number of remaining requests';
is $last->code, 'GENERIC.RATE_LIMITED', 'a refusal has the code GENERIC.RATE_LIMITED';
is $last->header('RateLimit-Remaining'), 0, 'a refusal reports 0 remaining requests';
like $last->header('Retry-After'), qr/\A[1-9]\d?\z/, 'a refusal has one Retry-After in whole seconds';
cmp_ok $last->header('Retry-After'), '<=', 60, 'a refusal has a Retry-After of at most one minute';
is_deeply $last->headers->{'access-control-allow-origin'}, ['*'], 'pages on other sites may read a refusal';
is $last->header('Content-Type'), 'application/json', 'a refusal is JSON';
is $service->request('OPTIONS', '/me')->status, 204, 'a preflight is answered when no requests are left';
is $service->request('GET', '/openapi.json')->status, 429, 'the API description is refused when no requests are left';

done_testing;
