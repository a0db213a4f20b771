use QSOsync::Test fronts => 'none';
use QSOsync::Cgi;

# What the worker makes of the variables of a request, in the ways in which front servers give them.
my $service = QSOsync::Service->start;
my ($read, $write) = ($service->read_key, $service->write_key);

sub answer {
    my ($variables, %option) = @_;
    return QSOsync::Cgi::answer($service->directory, { QSOSYNC_DB => $service->db, QSOSYNC_RATE_LIMIT => 0,
        HTTP_AUTHORIZATION => "Bearer $read", %$variables }, %option);
}
sub result_of {
    my $response = answer(@_);
    return $response->status . ' ' . ($response->code || '');
}

my $missing = '404 GENERIC.NOT_FOUND';
is result_of({ REQUEST_URI => $_ }), '200 ', "$_ ends with the endpoint"
    for '/api/v1/me', '/club/api/v1/me', '/a/b/c/api/v1/me?x=1', 'http://example.org/api/v1/me', '/api/v1/%6d%65';
is result_of({ REQUEST_URI => $_ }), $missing, "$_ does not"
    for '/', '/me', '/api/me', '/v1/me', '/api/v1', '/api/v1/', '/api/v1//me', '/api/v1/me/', '/api%2Fv1/me',
    '/api/v1/logs%2Fids', '/api/v1/me%00', '/api/v1/m%', '/api/v1/' . 'x/' x 1000;
is result_of({ REQUEST_METHOD => 'DELETE', REQUEST_URI => '/api/v1/logs/a%2Fb', HTTP_AUTHORIZATION => "Bearer $write" }),
    '400 VALIDATION.FAILED', 'the path is split first and decoded after: an encoded slash is no separator';
is result_of({ SCRIPT_NAME => '/club/api/v1', PATH_INFO => '/me' }), '200 ', 'without REQUEST_URI the decoded path counts';

my %me = (REQUEST_URI => '/api/v1/me');
sub scope_of { my $response = answer({ %me, @_ }); return $response->status == 200 ? $response->json->{scope} : $response->status }
is scope_of(HTTP_AUTHORIZATION => '', REDIRECT_HTTP_AUTHORIZATION => "Bearer $write"), 'WRITE',
    'REDIRECT_HTTP_AUTHORIZATION counts as the header';
is scope_of(REDIRECT_HTTP_AUTHORIZATION => "Bearer $write"), 'READ', 'but the header itself comes first';
is scope_of(HTTP_AUTHORIZATION => '', HTTP_X_API_KEY => $write), 'WRITE', 'an empty Authorization is none';
is scope_of(HTTP_AUTHORIZATION => "Negotiate abc", HTTP_X_API_KEY => $write), 'WRITE', 'another scheme is ignored';
is scope_of(HTTP_AUTHORIZATION => "Bearer$read"), 401, 'a scheme that only begins like Bearer is another';
is scope_of(HTTP_AUTHORIZATION => "bearer   $read  "), 'READ', 'white space around the key does not count';
is scope_of(HTTP_AUTHORIZATION => "Bearer $read $read"), 401, 'two keys are none';
is scope_of(HTTP_AUTHORIZATION => '', HTTP_X_API_KEY => "$read, $read"), 401, 'nor are two joined by a front server';
is scope_of(HTTP_AUTHORIZATION => '', HTTP_COOKIE => "key=$read", REMOTE_USER => '21sd333'), 401,
    'neither a cookie nor a login opens the API';

my %allow = ('/me' => 'GET, HEAD, OPTIONS', '/logs/batch' => 'POST, OPTIONS', '/logs/' . uuid() => 'DELETE, OPTIONS');
for my $path (sort keys %allow) {
    my $response = answer({ REQUEST_METHOD => 'OPTIONS', REQUEST_URI => "/api/v1$path", HTTP_AUTHORIZATION => '' });
    is $response->status, 204, "OPTIONS $path that reaches the worker is answered without a key";
    is $response->header('Allow'), $allow{$path}, 'and says what is allowed';
    is $response->body, '', 'without a body';
}
is result_of({ REQUEST_METHOD => $_, REQUEST_URI => '/api/v1/nothing' }), $missing, "a path comes before a method: $_"
    for qw(OPTIONS PUT POST DELETE PROPFIND);
is result_of({ %me, REQUEST_METHOD => $_ }), '405 GENERIC.METHOD_NOT_ALLOWED', "$_ is not allowed"
    for qw(POST PATCH TRACE CONNECT get PROPFIND);

# What the front servers would add where the worker did not.
for my $case ([200, { %me }], [204, { %me, REQUEST_METHOD => 'OPTIONS' }], [400, { REQUEST_URI => '/api/v1/logs', QUERY_STRING => 'limit=0' }],
    [401, { %me, HTTP_AUTHORIZATION => '' }], [404, { REQUEST_URI => '/api/v1/nothing' }], [405, { %me, REQUEST_METHOD => 'PUT' }],
    [200, { REQUEST_URI => '/api/v1/logs/ids' }]) {
    my $response = answer($case->[1]);
    is $response->status, $case->[0], "an answer with status $case->[0]";
    is $response->header('Cache-Control'), 'no-store', 'is not to be stored, says the worker itself';
    is $response->header('X-Content-Type-Options'), 'nosniff', 'nor to be guessed at';
    like $response->header('X-Request-Id'), qr/\A[0-9a-f]{16}\z/, 'and carries a request id';
}
is answer({ REQUEST_URI => '/api/v1/openapi.json' })->header('X-Content-Type-Options'), 'nosniff', 'nor is the description';

my $response = answer({ %me, HTTP_ORIGIN => 'https://example.org' });
is_deeply [grep { /access-control|retry-after/ } keys %{$response->headers}], [], 'CORS and Retry-After are the front server\'s';
is $response->{errors}, '', 'nothing is logged of a success';

my $body = JSON::PP::encode_json({ entries => [qso()] });
my %post = (REQUEST_METHOD => 'POST', REQUEST_URI => '/api/v1/logs/batch', HTTP_AUTHORIZATION => "Bearer $write",
    CONTENT_TYPE => 'application/json');
is result_of({ %post }, body => $body), '200 ', 'a body is read from standard input';
isnt result_of({ %post, CONTENT_LENGTH => length($body) + 10 }, body => $body), '200 ', 'a body that ends too early is refused';
is result_of({ %post, CONTENT_LENGTH => '', HTTP_TRANSFER_ENCODING => 'chunked' }, body => $body), '200 ',
    'a chunked body of a length that the front does not tell is read to its end';

# Bodies whose length is told wrong, or not at all.
my $large = $body . ' ' x (300_000 - length $body);
my $too_large = $body . ' ' x (8 * 1024 * 1024 + 1 - length $body);
my %chunked = (%post, CONTENT_LENGTH => '', HTTP_TRANSFER_ENCODING => 'chunked');
is result_of({ %chunked }, body => $large), '200 ', 'also one larger than a piece of it';
is result_of({ %chunked }, body => substr $too_large, 0, -1), '200 ', 'and the largest that there may be';
is result_of({ %chunked }, body => $too_large), '413 VALIDATION.FAILED', 'one byte more is too large';
is result_of({ %post }, body => $too_large), '413 VALIDATION.FAILED', 'and is so where its length is told';
is result_of({ %post, CONTENT_LENGTH => $_ }, body => $body), '413 VALIDATION.FAILED', "a length of $_ is no length that may be"
    for -1, 'x', '1e3', '8388609', '99999999999999999999';
is result_of({ %post, CONTENT_LENGTH => $_ }, body => $body), '400 VALIDATION.FAILED', "with a length of '$_' there is no body"
    for '', '0';
is result_of({ %post, CONTENT_LENGTH => length($body) - 1 }, body => $body), '400 VALIDATION.FAILED',
    'what lies behind the announced length is not the body';

# Nobody reads the answer, or nobody all of it.
my $sandbox = join '=', QSOsync::Front::sandbox_setting();
$service->post_batch([map { qso() } 1 .. 200]) for 1 .. 10;
for my $case (['/me', 0], ['/logs/ids', 1], ['/logs/ids', 0]) {
    my ($path, $bytes) = @$case;
    my $errors = $service->directory . '/cgi.broken';
    my $status = system 'bash', '-c', qq{env -i REQUEST_METHOD=GET REQUEST_URI=/api/v1$path QSOSYNC_RATE_LIMIT=0 REMOTE_ADDR=192.0.2.1 $sandbox }
        . q{HTTP_AUTHORIZATION="Bearer } . $read . q{" QSOSYNC_DB="} . $service->db . q{" "} . QSOsync::Front::worker_program()
        . qq{" 2>"$errors" | head -c $bytes >/dev/null; exit \${PIPESTATUS[0]}};
    cmp_ok $status >> 8, '<', 2, "nobody reads $path after $bytes bytes: the worker ends, by no signal";
    my $said = QSOsync::Front::read_file($errors);
    $said =~ s/\Aqsosync\.fcgi: \[[0-9a-f]{16}\] the response could not be finished\n\z//;
    is $said, '', 'and says no more than that';
}

done_testing;
