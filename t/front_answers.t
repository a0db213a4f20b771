use QSOsync::Test fronts => 'all';

# The front server's own errors look like the service's errors.

{
    my $service = QSOsync::Service->start;
    sub details { qq{"VALIDATION.FAILED","details":[{"field":"$_[0]","message":"$_[1]"}]} }
    sub is_error {
        my ($response, $status, $error, $name) = @_;
        is $response->status, $status, "$name gets $status";
        is $response->body, "{\"error\":{\"code\":$error}}", "the body for $name is JSON of the API";
        is $response->header('Cache-Control'), 'no-store', "the answer to $name forbids caching";
        is_deeply $response->headers->{'access-control-allow-origin'}, ['*'], "pages may read the answer to $name";
        like $response->header('Content-Type'), qr{\Aapplication/json}, "the answer to $name is JSON";
    }
    is_error($service->request('POST', '/logs/batch', key => $service->write_key, body => ' ' x 8_388_609,
        headers => { 'Content-Type' => 'application/json' }), 413, details('body', 'must be at most 8388608 bytes'),
        'a body that is too large');

    SKIP: {
        skip 'early errors do not reach a .htaccess file', 1 if $service->front eq 'htaccess';
        $service->expect_log(qr/AH\d+|client sent|Invalid URI|Bad Request/i);
        my $invalid = details('request', 'is not a valid HTTP request');
        is_error($service->request('GET', '', raw_path => '/api/v1/%'), 400, $invalid, 'a malformed path')
            if $service->front eq 'nginx';
        is_error($service->request('GE T', '/me'), 400, $invalid, 'a malformed request line');
        is_error($service->request('GET', '/me?' . 'x' x 20_000), 414, details('request', 'is too long'),
            'a request line that is too long');
    }
    SKIP: {
        skip 'this front server starts its own workers', 1 unless $service->has_socket;
        $service->expect_log(qr/worker\.sock|AH0\d+|upstream/);
        $service->end_worker($_) for $service->worker_pids;
        close delete $service->{socket};
        is_error($service->get('/me'), 500, '"GENERIC.INTERNAL_ERROR"', 'a request without any worker')
            if $service->front eq 'nginx';
        is_error($service->get('/me'), 503, '"GENERIC.INTERNAL_ERROR"', 'a request without any worker')
            if $service->front ne 'nginx';
    }
    $service->stop;
}

done_testing;
