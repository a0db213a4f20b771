use QSOsync::Test fronts => 'all';

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
is_deeply \%count, { 200 => 300, 429 => 10 }, '300 pass and 10 are refused';
is $first->header('RateLimit-Limit'), 300, 'the limit is told';
is $first->header('RateLimit-Remaining'), 299, 'and what is left of it';
is $last->code, 'GENERIC.RATE_LIMITED', 'a refusal has its code';
is $last->header('RateLimit-Remaining'), 0, 'nothing is left';
like $last->header('Retry-After'), qr/\A[1-9]\d?\z/, 'Retry-After is whole seconds, once';
cmp_ok $last->header('Retry-After'), '<=', 60, 'a minute at most';
is_deeply $last->headers->{'access-control-allow-origin'}, ['*'], 'pages may read it';
is $last->header('Content-Type'), 'application/json', 'it is JSON';
is $service->request('OPTIONS', '/me')->status, 204, 'a preflight passes';
is $service->request('GET', '/openapi.json')->status, 429, 'every endpoint counts';

done_testing;
