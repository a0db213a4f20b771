use QSOsync::Test fronts => 'none';
use QSOsync::Worker;

# Without a front server, the worker reads a request from variables and standard input. The test sees exactly the
# headers that the worker itself sends. keys_variables.t tests keys in variables.
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
is result_of({ REQUEST_URI => $_ }), '200 ', "$_ reaches the endpoint"
    for '/api/v1/me', '/club/api/v1/me', '/a/b/c/api/v1/me?x=1', 'http://example.org/api/v1/me', '/api/v1/%6d%65';
is result_of({ REQUEST_URI => $_ }), $missing, "@{[substr $_, 0, 40]} reaches no endpoint"
    for '/', '/me', '/api/me', '/v1/me', '/api/v1', '/api/v1/', '/api/v1//me', '/api/v1/me/', '/api%2Fv1/me',
    '/api/v1/logs%2Fids', '/api/v1/me%00', '/api/v1/m%', '/api/v1/' . 'x/' x 1000;
is result_of({ REQUEST_METHOD => 'DELETE', REQUEST_URI => '/api/v1/logs/a%2Fb',
    HTTP_AUTHORIZATION => "Bearer $write" }),
    '400 VALIDATION.FAILED', 'an encoded slash in a path is not a separator';
is result_of({ SCRIPT_NAME => '/club/api/v1', PATH_INFO => '/me' }), '200 ',
    'PATH_INFO is used if REQUEST_URI is missing';

my %me = (REQUEST_URI => '/api/v1/me');
my %allow = ('/me' => 'GET, HEAD, OPTIONS', '/logs/batch' => 'POST, OPTIONS', '/logs/' . uuid() => 'DELETE, OPTIONS');
for my $path (sort keys %allow) {
    my $response = answer({ REQUEST_METHOD => 'OPTIONS', REQUEST_URI => "/api/v1$path", HTTP_AUTHORIZATION => '' });
    is $response->status, 204, "the worker answers OPTIONS $path without a key";
    is $response->header('Allow'), $allow{$path}, "the answer to OPTIONS $path names the allowed methods";
    is $response->body, '', "the answer to OPTIONS $path has no body";
}
is result_of({ REQUEST_METHOD => $_, REQUEST_URI => '/api/v1/nothing' }), $missing,
    "$_ of an unknown path is answered with 404, not 405"
    for qw(OPTIONS PUT POST DELETE PROPFIND);
is result_of({ %me, REQUEST_METHOD => $_ }), '405 GENERIC.METHOD_NOT_ALLOWED', "$_ /me is not allowed"
    for qw(POST PATCH TRACE CONNECT get PROPFIND);

# The worker sends these headers itself. Front servers would add them if the worker did not.
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

# The API description has the address that the front server reports.
for my $case (['/club/api/v1'], ['/club/api/v1', HTTP_HOST => 'log.example.org'],
    ['/club/api/v1', HTTP_HOST => '"><x>', REQUEST_SCHEME => 'https'],
    ['https://log.example.org:8443/club/api/v1', HTTP_HOST => 'log.example.org:8443', REQUEST_SCHEME => 'https'],
    ['https://log.example.org/club/api/v1', HTTP_HOST => 'log.example.org', REQUEST_SCHEME => 'http', HTTPS => 'on'],
    ['http://127.0.0.1/club/api/v1', SERVER_NAME => '127.0.0.1', REQUEST_SCHEME => 'http']) {
    my ($address, %variables) = @$case;
    is answer({ REQUEST_URI => '/club/api/v1/openapi.json', %variables })->json->{servers}[0]{url}, $address,
        'the API description has the address ' . join ' ', $address, 'with', sort keys %variables;
}

my $response = answer({ %me, HTTP_ORIGIN => 'https://example.org' });
is_deeply [grep { /access-control|retry-after/ } keys %{$response->headers}], [],
    'the worker sends neither CORS headers nor Retry-After, which the front server adds';
is $response->{errors}, '', 'a success writes no line to the error log';

my $body = JSON::PP::encode_json({ entries => [qso()] });
my %post = (REQUEST_METHOD => 'POST', REQUEST_URI => '/api/v1/logs/batch', HTTP_AUTHORIZATION => "Bearer $write",
    CONTENT_TYPE => 'application/json');
is result_of({ %post }, body => $body), '200 ', 'a body is read from standard input';
isnt result_of({ %post, CONTENT_LENGTH => length($body) + 10 }, body => $body), '200 ',
    'a body that ends before its announced length is refused';
is result_of({ %post, CONTENT_LENGTH => '', HTTP_TRANSFER_ENCODING => 'chunked' }, body => $body), '200 ',
    'a chunked body of unknown length is read to its end';

# Bodies have a wrong or missing length.
my $large = $body . ' ' x (300_000 - length $body);
my $too_large = $body . ' ' x (8 * 1024 * 1024 + 1 - length $body);
my %chunked = (%post, CONTENT_LENGTH => '', HTTP_TRANSFER_ENCODING => 'chunked');
is result_of({ %chunked }, body => $large), '200 ', 'a chunked body of 300,000 bytes is read to its end';
is result_of({ %chunked }, body => substr $too_large, 0, -1), '200 ', 'a chunked body of exactly 8 MiB is accepted';
is result_of({ %chunked }, body => $too_large), '413 VALIDATION.FAILED',
    'a chunked body of 8 MiB and a byte is too large';
is result_of({ %post }, body => $too_large), '413 VALIDATION.FAILED',
    'a body with an announced length of 8 MiB and a byte is too large';
is result_of({ %post, CONTENT_LENGTH => $_ }, body => $body), '413 VALIDATION.FAILED',
    "an announced length of $_ is answered with 413"
    for -1, 'x', '1e3', '8388609', '99999999999999999999';
is result_of({ %post, CONTENT_LENGTH => $_ }, body => $body), '400 VALIDATION.FAILED',
    "an announced length of '$_' means an empty body"
    for '', '0';
is result_of({ %post, CONTENT_LENGTH => length($body) - 1 }, body => $body), '400 VALIDATION.FAILED',
    'bytes after the announced length are not read';

# A client reads nothing or only a part of the answer.
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
    cmp_ok $status >> 8, '<', 2, "the worker ends by itself if nobody reads $path after $bytes bytes";
    my $said = QSOsync::Front::read_file($errors);
    $said =~ s/\Aqsosync\.fcgi: \[[0-9a-f]{16}\] the response could not be finished\n\z//;
    is $said, '',
        "the worker logs at most that the response to $path, unread after $bytes bytes, could not be finished";
}
$service->stop;

# A CGI program prepares only the statements that its one request needs: it answers this request if it can, and reports
# a statement that cannot be prepared. A worker and the check prepare all statements, and refuse a logbook if a
# statement cannot be prepared.
SKIP: {
    skip 'the sqlite3 shell is missing', 1 if system('sqlite3 --version >/dev/null 2>&1') != 0;
    my $service = QSOsync::Service->start;
    my $write = $service->write_key;
    my $entry = qso(mode => 'FM', callsignWorked => '26AT101');
    my $body = JSON::PP::encode_json({ entries => [$entry] });
    sub answer_what_it_can {
        my ($variables, %option) = @_;
        return QSOsync::Cgi::answer($service->directory, { QSOSYNC_DB => $service->db, QSOSYNC_RATE_LIMIT => 0,
            HTTP_AUTHORIZATION => "Bearer $write", %$variables }, %option);
    }
    my %post = (REQUEST_METHOD => 'POST', REQUEST_URI => '/api/v1/logs/batch', CONTENT_TYPE => 'application/json');

    my $saved = answer_what_it_can(\%post, body => $body);
    is $saved->status, 200, 'a CGI program saves a QSO';
    is $saved->{errors}, '', 'a CGI program that saved a QSO logs nothing';
    is $service->get('/logs')->json->{items}[0]{clientId}, $entry->{clientId},
        'a worker reads a QSO that a CGI program saved';

    $service->end_worker($_) for $service->worker_pids;
    $service->sqlite('DROP INDEX qsos_by_contact');
    $service->expect_log(qr/no such index: qsos_by_contact|answered with GENERIC\.INTERNAL/);
    is answer_what_it_can({ REQUEST_URI => $_ })->status, 200,
        "a CGI program answers $_ without an unneeded index"
        for '/api/v1/me', '/api/v1/logs', '/api/v1/logs/ids';
    # The callsign worked in this QSO belongs to no member, so no member's log is searched with the index.
    is answer_what_it_can(\%post, body => $body)->status, 200,
        'a CGI program saves a QSO that needs no search with the index';
    $service->sqlite("INSERT INTO members (callsign, locator, login, created_at) VALUES ('26AT101', 'JO59', 'x', 0)");
    my $failed = answer_what_it_can(\%post, body => $body);
    is $failed->status, 500, 'a request that needs the index is answered with 500';
    like $failed->{errors}, qr/has_contact: no such index/, 'the log names the statement that cannot be prepared';
    is $service->sqlite('SELECT count(*) FROM qsos'), 1, 'nothing is saved from a request that is answered with 500';

    my ($status, undef, $errors) = $service->admin_try('check');
    isnt $status, 0, 'the check refuses the logbook';
    like $errors, qr/no such index: qsos_by_contact/, 'the check names the missing index';
    $service->start_worker;
    is $service->get('/me')->status, 500, 'a worker refuses the whole logbook';
    $service->stop;
}

# A CGI program that is a logbook's only user moves the write-ahead log into the database at its end, like the last
# worker. The program leaves the log's empty file in place: creating and removing the file would be a large part of a
# request's cost.
SKIP: {
    skip 'the sqlite3 shell is missing', 1 if system('sqlite3 --version >/dev/null 2>&1') != 0;
    my $service = QSOsync::Service->start;
    my $write = $service->write_key;
    $service->end_worker($_) for $service->worker_pids;
    my ($db, $log) = ($service->db, $service->db . '-wal');
    ok !-e $log, 'the last worker removes the write-ahead log at its end';

    sub answer_alone {
        my ($variables, %option) = @_;
        return QSOsync::Cgi::answer($service->directory, { QSOSYNC_DB => $db, QSOSYNC_RATE_LIMIT => 0,
            HTTP_AUTHORIZATION => "Bearer $write", %$variables }, %option);
    }
    sub save {
        return answer_alone({ REQUEST_METHOD => 'POST', REQUEST_URI => '/api/v1/logs/batch',
            CONTENT_TYPE => 'application/json' },
            body => JSON::PP::encode_json({ entries => [map { qso() } 1 .. $_[0]] }))->status;
    }
    # Returns the number of QSOs in the database file itself.
    sub in_file { `sqlite3 'file:$db?immutable=1' 'SELECT count(*) FROM qsos'` =~ s/\n//r }

    is answer_alone({ REQUEST_URI => '/api/v1/me' })->status, 200,
        'a CGI program reads a database without a write-ahead log';
    ok -e $log && -z _, 'after a CGI program, the write-ahead log is empty';
    is +(stat $log)[2] & 0777, (stat $db)[2] & 0777, 'the write-ahead log has the file mode of the database';
    my $inode = (stat $log)[1];
    my $saved = 0;
    for my $count (1, 200, 3) {
        is save($count), 200, "a CGI program saves $count QSOs";
        is in_file(), $saved += $count, 'the database contains saved QSOs once the CGI program has ended';
        ok -e $log && -z _, 'the log is empty once the CGI program has ended';
        is answer_alone({ REQUEST_URI => '/api/v1/logs/ids' })->status, 200, 'another CGI program reads the log';
        is +(stat $log)[1], $inode, 'the write-ahead log is still the same file';
    }

    # While a worker runs, a CGI program does not move the write-ahead log into the database.
    $service->start_worker;
    is $service->get('/me')->status, 200, 'a worker opens a logbook from CGI programs';
    is save(2), 200, 'a CGI program saves QSOs while a worker runs';
    ok -s $log, 'the write-ahead log still contains writes after the CGI program has ended';
    is scalar @{$service->get('/logs?limit=500')->json->{items}}, $saved + 2,
        'the worker finds QSOs that CGI programs have saved';
    $service->end_worker($_) for $service->worker_pids;
    is in_file(), $saved + 2, 'the last worker moves the write-ahead log into the database';
    ok !-e $log, 'the last worker removes the write-ahead log after writes by CGI programs';
    $service->stop;
}

done_testing;
