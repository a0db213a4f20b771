use QSOsync::Test fronts => 'all';
use QSOsync::Doctor;
use QSOsync::Profile;

# Answers that the front server makes or passes: errors, ranges, other origins.

# The front server's own errors look like those of the service.
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

# Answers of the pages' program are whole, whatever range a client requests, even on a host with only plain CGI.
{
    my @alone = QSOsync::Service::default_front() eq 'htaccess' ? (without_module => 'fcgid') : ();
    my $service = QSOsync::Service->start(site => 1, @alone);
    $service->admin('uploads', 'on');
    my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'parts');
    my $member = QSOsync::Profile->log_in($service, '21SD333');
    $service->post_batch([map { full_qso() } 1 .. 3]);

    sub ask {
        my ($path, %part) = @_;
        return $service->request('GET', '', raw_path => $path,
            headers => { Cookie => $member->cookie, %part });
    }

    for my $path ('/', '/healthz', '/cluster/stats', '/cluster/list', '/cluster/spots', "/cloudlog/api/auth/$token",
        '/profile/data/me',
        '/profile/data/export.adi') {
        my $whole = ask($path);
        for my $name ('Range', 'Request-Range') {
            my $part = ask($path, $name => 'bytes=0-9');
            is $part->status . ' ' . length $part->body, $whole->status . ' ' . length $whole->body,
                "$path is answered whole to a $name header";
        }
    }
    $service->stop;
}

# Browser pages of any origin may call the API: the front server's part.
{
    my $service = QSOsync::Service->start;
    my %origin = (Origin => 'https://example.org');

    my $preflight = $service->request('OPTIONS', '/logs/batch', headers => { %origin,
        'Access-Control-Request-Method' => 'POST',
        'Access-Control-Request-Headers' => 'authorization,content-type' });
    is $preflight->status, 204, 'a preflight gets 204';
    is $preflight->body, '', 'a preflight answer has no body';
    is $preflight->header('Access-Control-Allow-Origin'), '*', 'a preflight accepts any origin';
    like $preflight->header('Access-Control-Allow-Methods'), qr/\b$_\b/, "a preflight allows $_"
        for qw(GET POST DELETE);
    like lc $preflight->header('Access-Control-Allow-Headers'), qr/(?:\A|, )$_(?:,|\z)/,
        "a preflight allows the header $_"
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
        is $response->status, $status, "the request for a $status gets $status";
        is_deeply $response->headers->{'access-control-allow-origin'}, ['*'], "a $status allows any origin, once";
        like $response->header('Access-Control-Expose-Headers'), qr/RateLimit-Reset.*Retry-After.*X-Request-Id/,
            "a $status lets pages read its headers";
        is $response->header('Access-Control-Allow-Credentials'), undef, "a $status allows no credentials";
    }

    is $service->request('OPTIONS', $_)->status, 204, "a preflight of $_ needs neither key nor origin"
        for qw(/me /logs /logs/ids /openapi.json), '/logs/' . uuid();
}

# Pages load their files from the release's folder, and browsers cache them for a year. A page opened before an upgrade
# continues to work.
{
    my $service = QSOsync::Service->start(site => 1, environment => { QSOSYNC_CLUB => 'Club 11' });
    $service->expect_log(qr/No such file or directory|AH00128/);
    sub page { return $service->request('GET', '', raw_path => $_[0]) }

    my %files;
    for my $path ('/', '/cluster/', '/cluster/list', '/operator/', '/docs/', '/sign-in', '/welcome/') {
        my $answer = page($path);
        is $answer->status, 200, "$path is served";
        my @named = $answer->body =~ /(?:href|src)="((?:\.\.?\/)+pages\/[^"]+)"/g;
        cmp_ok scalar @named, '>=', 3, "$path names its files";
        is_deeply [grep { !m{pages/files-[0-9a-f]{12}/pages/[^/]+\z} } @named], [],
            "$path loads its files from the release's folder";
        $files{s{\A[./]+}{/}r} = 1 for @named;
        like $answer->body, qr{<footer><p><bdi>Club 11</bdi>}, "the footer of $path names the club";
        like $answer->header('Cache-Control'), qr/\Ano-(?:cache|store)\z/, "browsers revalidate $path";
    }
    for my $path (sort keys %files) {
        my $answer = page($path);
        is $answer->status . ' ' . $answer->header('Cache-Control'), '200 public, max-age=31536000, immutable',
            "$path is cached for a year";
        my @imports = grep { !/answers\.js/ } $answer->body =~ /(?:\bfrom|\bimport\(?) ?"(\.\.?\/[^"]+\.js)"/g;
        for my $import (@imports) {
            my $at = $path =~ s{[^/]*\z}{}r . $import =~ s{\A\./}{}r;
            1 while $at =~ s{[^/.][^/]*/\.\./}{};
            $files{$at} //= page($at)->status;
            ok $files{$at} == 1 || $files{$at} == 200, "$path finds $import";
        }
    }
    my ($style) = grep { /site\.css/ } keys %files;
    my $old = page($style =~ s/files-[0-9a-f]+/files-0123456789ab/r);
    is $old->status . ' ' . $old->header('Cache-Control'), '200 no-cache',
        'a page of another release gets the current file, uncached';
    is page('/pages/site.css')->header('Cache-Control'), 'no-cache', 'browsers revalidate other files';
    my $missing = page($style =~ s/site\.css/nothing.css/r);
    is $missing->status . ' ' . $missing->header('Cache-Control'), '404 no-store',
        'a missing file is not cached';
}

# qsosync-admin doctor finds no fault behind each front server with its shipped configuration.
{
    my $service = QSOsync::Service->start(site => 1, environment => { QSOSYNC_RATE_LIMIT => 60 });
    local $ENV{QSOSYNC_KEY} = $service->write_key;
    my ($status, $report) = QSOsync::Doctor::run([], '--db', $service->db, 'doctor',
        'http://127.0.0.1:' . $service->port);
    is "$status $report->{status}", '0 ok',
        'the doctor finds no fault in the shipped configuration' or diag $report->{text};
    is_deeply [map { $_->{check} } @{$report->{checks}}],
        [qw(address tls cors clock authorization body sign-in limit)],
        'the doctor makes every check of the service';
    ok !(grep { defined $_->{fix} } @{$report->{checks}}), 'the doctor names no fix without a fault';
}

done_testing;
