use QSOsync::Test fronts => 'essential';

# Every answer of the service has the required headers.
my $service = QSOsync::Service->start;
my %answers = (
    'a success' => $service->get('/me'),
    'a page' => $service->get('/logs'),
    'a list of ids' => $service->get('/logs/ids'),
    'a batch' => $service->post_batch([qso()]),
    'a 400' => $service->get('/logs?limit=0'),
    'a 401' => $service->get('/me', key => undef),
    'a 403' => $service->post_batch([qso()], key => $service->read_key),
    'a 404' => $service->get('/nothing'),
    'a 405' => $service->request('PUT', '/me', body => ''),
);
for my $name (sort keys %answers) {
    my $response = $answers{$name};
    is $response->header('Content-Type'), 'application/json', "$name has the type application/json";
    is $response->header('Cache-Control'), 'no-store', "$name forbids caching";
    is $response->header('X-Content-Type-Options'), 'nosniff', "$name forbids type sniffing";
    like $response->header('X-Request-Id'), qr/\A[0-9a-f]{16}\z/, "$name has a request id";
    ok $response->json, "$name has a body of valid JSON";
    ok defined $response->header('Content-Length')
        || ($response->header('Transfer-Encoding') || '') eq 'chunked', "$name has a length or is streamed";
    ok $response->complete, "$name arrives complete";
}
my %ids = map { $_->header('X-Request-Id') => 1 } values %answers;
is scalar(keys %ids), scalar(keys %answers), 'every answer has its own request id';
like $answers{'a page'}->header('X-Log-Epoch'), qr/\A\d+\z/, 'a page has the log epoch';
is $answers{'a list of ids'}->header('X-Log-Epoch'), $answers{'a page'}->header('X-Log-Epoch'),
    'the list of ids has the log epoch of the pages';
sub count_of { $service->get("/logs?$_[0]")->header('X-Log-Count') }
is count_of('includeDeleted=true&limit=1'), scalar @{$service->get('/logs')->json->{items}},
    'with deletions, the first page of a whole log has the number of QSOs';
is count_of($_), undef, "no other page has the number of QSOs: $_" for 'limit=1',
    'includeDeleted=true&updatedSince=2026-01-01T00:00:00Z';


# The header Link names the next page before the body arrives. The link is only a query, so the link is correct at any
# path of the service.
$service->post_batch([qso(), qso()]);
my $followed = $service->get('/logs?limit=1&includeDeleted=true&updatedSince=2026-01-01T01:00:00%2B01:00');
my $next = $followed->json->{nextCursor};
is $followed->header('Link'),
    "<?limit=1&cursor=$next&updatedSince=2026-01-01T00:00:00.000Z&includeDeleted=true>; rel=\"next\"",
    'a Link header has the query of the next page';
my ($query) = ($followed->header('Link') || '') =~ /<(.*)>/;
is_deeply $service->get("/logs$query")->json->{items},
    $service->get("/logs?limit=1&includeDeleted=true&updatedSince=2026-01-01T00:00:00Z&cursor=$next")->json->{items},
    'the Link header names the page of nextCursor';
is $service->get('/logs?limit=500')->header('Link'), undef, 'the last page has no Link header';

is_deeply $answers{'a 400'}->json,
    { error => { code => 'VALIDATION.FAILED',
        details => [{ field => 'limit', message => 'must be an integer from 1 to 500' }] } },
    'an answer with 400 names the field and the rule';

is $answers{$_}->header('WWW-Authenticate'), $_ eq 'a 401' ? 'Bearer' : undef,
    "only an answer with 401 has a WWW-Authenticate header: $_"
    for sort keys %answers;

my $qso = qso();
$service->post_batch([$qso]);
my %empty = (
    'a 204' => $service->delete_qso($qso->{clientId}),
    'a 304' => $service->get('/logs/ids', headers => { 'If-None-Match' => $service->get('/logs/ids')->header('ETag') }),
    'a HEAD' => $service->request('HEAD', '/me', key => $service->read_key),
);
for my $name (sort keys %empty) {
    my $response = $empty{$name};
    is $response->body, '', "$name has no body";
    is $response->header('Cache-Control'), 'no-store', "$name forbids caching";
    is $response->header('X-Content-Type-Options'), 'nosniff', "$name forbids type sniffing";
    like $response->header('X-Request-Id'), qr/\A[0-9a-f]{16}\z/, "$name has a request id";
}
is $empty{'a 204'}->header($_), undef, "an answer with 204 has no $_" for qw(Content-Type Content-Length);

# GET /me returns the owner of the key.
{
    my $service = QSOsync::Service->start;
    is_deeply $service->get('/me')->json, { callsign => '21SD333', locator => 'JO59jw', scope => 'READ' },
        '/me returns the member and the scope of a READ key';
    is $service->get('/me', key => $service->write_key)->json->{scope}, 'WRITE', '/me returns the scope of a WRITE key';
    my $other = $service->add_member(' 26at101 ', locator => 'io91WM');
    is_deeply $service->get('/me', key => $other->{read_key})->json,
        { callsign => '26AT101', locator => 'IO91wm', scope => 'READ' },
        '/me returns a callsign in upper case, and a locator with the usual case of its letters';
    is $service->get('/me?anything=else')->status, 200, '/me ignores unknown parameters';
}

done_testing;
