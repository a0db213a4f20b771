use QSOsync::Test fronts => 'all';

# The path and the method of a request determine the status of the answer.
my $service = QSOsync::Service->start;
my $key = $service->write_key;

sub answer {
    my ($method, $path, %option) = @_;
    my $response = $service->request($method, $path, key => $key, %option);
    return $response->status . ' ' . ($response->code || '');
}

my $missing = '404 GENERIC.NOT_FOUND';
is answer('GET', $_), $missing, "the path '$_' is unknown"
    for '', '/', '/nothing', '/me/', '/me/x', '/logs/', '/logs/ids/x', '/ME', '/openapi',
    $service->front eq 'htaccess' ? () : '/logs%2Fids'; # Apache refuses this path itself
# A person opens the API's address in a browser.
for my $path ('', '/') {
    my $answer = $service->request('GET', $path, headers => { Accept => 'text/html' });
    is $answer->status . ' ' . $answer->code, $missing, "the base path '$path' is an unknown path";
    is_deeply $answer->json->{error}{details},
        [{ field => 'path', message => 'is the address for programs; /openapi.json below it describes the API, '
                . 'and /docs/ of the service explains it' }],
        "the answer for the base path '$path' explains the address";
}
is answer('GET', '/nothing', key => undef), $missing, 'an unknown path gives 404 without a key';
is answer('GET', '/%6De'), '200 ', 'path segments are percent-decoded';

my $wrong = '405 GENERIC.METHOD_NOT_ALLOWED';
my %allow = ('/me' => 'GET, HEAD, OPTIONS', '/logs' => 'GET, HEAD, OPTIONS',
    '/logs/ids' => 'GET, HEAD, OPTIONS', '/logs/batch' => 'POST, OPTIONS',
    '/openapi.json' => 'GET, HEAD, OPTIONS', '/logs/' . uuid() => 'DELETE, OPTIONS');
for my $path (sort keys %allow) {
    my $response = $service->request('PUT', $path, body => '');
    is $response->status . ' ' . $response->code, $wrong, "PUT $path is not allowed, even without a key";
    is $response->header('Allow'), $allow{$path}, "the 405 for $path lists the allowed methods";
}
is answer('DELETE', '/logs/ids'), $wrong, 'DELETE /logs/ids is not a deletion of the QSO "ids"';
is answer('DELETE', '/logs/batch'), $wrong, 'DELETE /logs/batch is not a deletion of the QSO "batch"';

for my $path (qw(/me /logs /logs/ids /openapi.json)) {
    my ($get, $head) = map { $service->request($_, $path, key => $key) } qw(GET HEAD);
    is $head->status, $get->status, "HEAD $path has the status of GET";
    is $head->body, '', "HEAD $path has no body";
}
SKIP: {
    skip 'with only .htaccess, Apache itself refuses encoded slashes', 1
        if $service->front eq 'htaccess';
    is answer('DELETE', '/logs/a%2Fb'), '400 VALIDATION.FAILED', 'an encoded slash does not split a segment';
}
SKIP: {
    skip 'this front server maps only one place', 2 if $service->front ne 'nginx';
    is answer('GET', '', raw_path => '/api/v1/me?x=/api/v1/nothing'), '200 ', 'a path in the query is ignored';
}

is answer(@$_), $wrong, "$_->[0] $_->[1] is not allowed"
    for ['POST', '/me', body => ''], ['POST', '/logs', body => ''], ['PATCH', '/logs', body => ''],
    ['GET', '/logs/batch'], ['GET', '/logs/' . uuid()];
is $service->request('HEAD', '/logs/batch', key => $key)->status, 405, 'HEAD is allowed only where GET is allowed';

done_testing;
