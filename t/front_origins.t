use QSOsync::Test fronts => 'all';

# Browser pages from any origin may call the API through the front server.
my $service = QSOsync::Service->start;
my %origin = (Origin => 'https://example.org');

my $preflight = $service->request('OPTIONS', '/logs/batch', headers => { %origin,
    'Access-Control-Request-Method' => 'POST',
    'Access-Control-Request-Headers' => 'authorization,content-type' });
is $preflight->status, 204, 'a preflight gets 204';
is $preflight->body, '', 'a preflight answer has no body';
is $preflight->header('Access-Control-Allow-Origin'), '*', 'a preflight answer allows any origin';
like $preflight->header('Access-Control-Allow-Methods'), qr/\b$_\b/, "a preflight answer allows $_"
    for qw(GET POST DELETE);
like lc $preflight->header('Access-Control-Allow-Headers'), qr/(?:\A|, )$_(?:,|\z)/,
    "a preflight answer allows the header $_"
    for qw(authorization x-api-key content-type if-none-match);
ok $preflight->header('Access-Control-Max-Age'), 'a preflight answer has a lifetime';

my @answers = (
    [200 => $service->get('/me', headers => \%origin)],
    [204 => $service->request('DELETE', '/logs/' . do {
        my $qso = qso(); $service->post_batch([$qso]); $qso->{clientId} }, key => $service->write_key)],
    [304 => $service->get('/logs/ids', headers => { 'If-None-Match' => '*' })],
    [400 => $service->get('/logs?limit=x')],
    [401 => $service->get('/me', key => undef)],
    [403 => $service->post_batch([qso()], key => $service->read_key)],
    [404 => $service->get('/nothing')],
    [405 => $service->request('PUT', '/me', body => '')],
    [413 => $service->request('POST', '/logs/batch', key => $service->write_key,
        headers => { 'Content-Type' => 'application/json' }, body => ' ' x (8 * 1024 * 1024 + 1))],
);
for (@answers) {
    my ($status, $response) = @$_;
    is $response->status, $status, "the request for a $status has the status $status";
    is_deeply $response->headers->{'access-control-allow-origin'}, ['*'],
        "an answer with $status allows any origin, in only one header";
    like $response->header('Access-Control-Expose-Headers'), qr/RateLimit-Reset.*Retry-After.*X-Request-Id/,
        "pages may read the headers of an answer with $status";
    is $response->header('Access-Control-Allow-Credentials'), undef, "an answer with $status allows no credentials";
}

is $service->request('OPTIONS', $_)->status, 204, "a preflight of $_ needs neither key nor origin"
    for qw(/me /logs /logs/ids /openapi.json), '/logs/' . uuid();

done_testing;
