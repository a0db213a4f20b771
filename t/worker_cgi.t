use QSOsync::Test fronts => 'none';
use QSOsync::Cgi;

# What the worker, without a front server, makes of the variables of a request: path, method, body, and the headers
# that it answers with. Keys in variables are the subject of 140.
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
is result_of({ REQUEST_URI => $_ }), '200 ', "$_ leads to the endpoint"
    for '/api/v1/me', '/club/api/v1/me', '/a/b/c/api/v1/me?x=1', 'http://example.org/api/v1/me', '/api/v1/%6d%65';
is result_of({ REQUEST_URI => $_ }), $missing, "@{[substr $_, 0, 40]} leads to no endpoint"
    for '/', '/me', '/api/me', '/v1/me', '/api/v1', '/api/v1/', '/api/v1//me', '/api/v1/me/', '/api%2Fv1/me',
    '/api/v1/logs%2Fids', '/api/v1/me%00', '/api/v1/m%', '/api/v1/' . 'x/' x 1000;
is result_of({ REQUEST_METHOD => 'DELETE', REQUEST_URI => '/api/v1/logs/a%2Fb',
    HTTP_AUTHORIZATION => "Bearer $write" }),
    '400 VALIDATION.FAILED', 'the path is split first and decoded after: an encoded slash is no separator';
is result_of({ SCRIPT_NAME => '/club/api/v1', PATH_INFO => '/me' }), '200 ',
    'where there is no REQUEST_URI PATH_INFO counts';

my %me = (REQUEST_URI => '/api/v1/me');
my %allow = ('/me' => 'GET, HEAD, OPTIONS', '/logs/batch' => 'POST, OPTIONS', '/logs/' . uuid() => 'DELETE, OPTIONS');
for my $path (sort keys %allow) {
    my $response = answer({ REQUEST_METHOD => 'OPTIONS', REQUEST_URI => "/api/v1$path", HTTP_AUTHORIZATION => '' });
    is $response->status, 204, "OPTIONS $path that reaches the worker is answered without a key";
    is $response->header('Allow'), $allow{$path}, "the answer to OPTIONS $path names the methods that are allowed";
    is $response->body, '', "the answer to OPTIONS $path has no body";
}
is result_of({ REQUEST_METHOD => $_, REQUEST_URI => '/api/v1/nothing' }), $missing,
    "$_ of an unknown path is answered with 404, not 405"
    for qw(OPTIONS PUT POST DELETE PROPFIND);
is result_of({ %me, REQUEST_METHOD => $_ }), '405 GENERIC.METHOD_NOT_ALLOWED', "$_ /me is not allowed"
    for qw(POST PATCH TRACE CONNECT get PROPFIND);

# Headers that front servers would add where the worker did not.
for my $case ([200, { %me }], [204, { %me, REQUEST_METHOD => 'OPTIONS' }],
    [400, { REQUEST_URI => '/api/v1/logs', QUERY_STRING => 'limit=0' }],
    [401, { %me, HTTP_AUTHORIZATION => '' }], [404, { REQUEST_URI => '/api/v1/nothing' }],
    [405, { %me, REQUEST_METHOD => 'PUT' }],
    [200, { REQUEST_URI => '/api/v1/logs/ids' }]) {
    my $response = answer($case->[1]);
    is $response->status, $case->[0], "the request for a $case->[0] is answered with $case->[0]";
    is $response->header('Cache-Control'), 'no-store', "the worker itself forbids caches to store a $case->[0]";
    is $response->header('X-Content-Type-Options'), 'nosniff',
        "the worker itself forbids browsers to guess the type of a $case->[0]";
    like $response->header('X-Request-Id'), qr/\A[0-9a-f]{16}\z/, "the worker itself gives a $case->[0] its request id";
}
is answer({ REQUEST_URI => '/api/v1/openapi.json' })->header('X-Content-Type-Options'), 'nosniff',
    'the worker itself forbids browsers to guess the type of the description';

my $response = answer({ %me, HTTP_ORIGIN => 'https://example.org' });
is_deeply [grep { /access-control|retry-after/ } keys %{$response->headers}], [],
    'the worker leaves CORS and Retry-After to the front server';
is $response->{errors}, '', 'a success leaves nothing in the log';

my $body = JSON::PP::encode_json({ entries => [qso()] });
my %post = (REQUEST_METHOD => 'POST', REQUEST_URI => '/api/v1/logs/batch', HTTP_AUTHORIZATION => "Bearer $write",
    CONTENT_TYPE => 'application/json');
is result_of({ %post }, body => $body), '200 ', 'a body is read from standard input';
isnt result_of({ %post, CONTENT_LENGTH => length($body) + 10 }, body => $body), '200 ',
    'a body that ends before its announced length is refused';
is result_of({ %post, CONTENT_LENGTH => '', HTTP_TRANSFER_ENCODING => 'chunked' }, body => $body), '200 ',
    'a chunked body of a length that the front does not tell is read to its end';

# Bodies whose length is told wrong, or not at all.
my $large = $body . ' ' x (300_000 - length $body);
my $too_large = $body . ' ' x (8 * 1024 * 1024 + 1 - length $body);
my %chunked = (%post, CONTENT_LENGTH => '', HTTP_TRANSFER_ENCODING => 'chunked');
is result_of({ %chunked }, body => $large), '200 ', 'a chunked body of 300,000 bytes is read to its end';
is result_of({ %chunked }, body => substr $too_large, 0, -1), '200 ', 'a chunked body of exactly 8 MiB is accepted';
is result_of({ %chunked }, body => $too_large), '413 VALIDATION.FAILED',
    'a chunked body of 8 MiB and a byte is too large';
is result_of({ %post }, body => $too_large), '413 VALIDATION.FAILED',
    'a body of 8 MiB and a byte is too large where its length is announced';
is result_of({ %post, CONTENT_LENGTH => $_ }, body => $body), '413 VALIDATION.FAILED',
    "an announced length of $_ is answered with 413"
    for -1, 'x', '1e3', '8388609', '99999999999999999999';
is result_of({ %post, CONTENT_LENGTH => $_ }, body => $body), '400 VALIDATION.FAILED',
    "with an announced length of '$_' there is no body"
    for '', '0';
is result_of({ %post, CONTENT_LENGTH => length($body) - 1 }, body => $body), '400 VALIDATION.FAILED',
    'what follows the announced length is not read';

# Nobody reads the answer, or nobody all of it.
my $sandbox = join '=', QSOsync::Front::sandbox_setting();
$service->post_batch([map { qso() } 1 .. 200]) for 1 .. 10;
for my $case (['/me', 0], ['/logs/ids', 1], ['/logs/ids', 0]) {
    my ($path, $bytes) = @$case;
    my $errors = $service->directory . '/cgi.broken';
    my $status = system 'bash', '-c',
        qq{env -i REQUEST_METHOD=GET REQUEST_URI=/api/v1$path QSOSYNC_RATE_LIMIT=0 REMOTE_ADDR=192.0.2.1 $sandbox }
        . q{HTTP_AUTHORIZATION="Bearer } . $read . q{" QSOSYNC_DB="} . $service->db . q{" "}
        . QSOsync::Front::worker_program()
        . qq{" 2>"$errors" | head -c $bytes >/dev/null; exit \${PIPESTATUS[0]}};
    cmp_ok $status >> 8, '<', 2, "the worker ends by itself when nobody reads $path after $bytes bytes";
    my $said = QSOsync::Front::read_file($errors);
    $said =~ s/\Aqsosync\.fcgi: \[[0-9a-f]{16}\] the response could not be finished\n\z//;
    is $said, '',
        "the worker logs at most that the response to $path, unread after $bytes bytes, could not be finished";
}

done_testing;
