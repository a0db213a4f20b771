use QSOsync::Test fronts => 'essential';

# People get a page for an error, and programs get the JSON of the API, whether the service or the front server answers.
my $service = QSOsync::Service->start(site => 1,
    environment => { QSOSYNC_CLUB => 'Club 11', QSOSYNC_RATE_LIMIT => 40 });
$service->expect_log(qr/No such file or directory|AH00128|AH01071/);
my $browser = { Accept => 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
my $service_foot = qr{<footer><p><span data-say>Runs on QSOsync</span>};
my $front_foot = qr{<footer><p><a href="/#whose"};

sub ask {
    my ($method, $path, $headers, %option) = @_;
    return $service->request($method, '', raw_path => $path, headers => $headers, %option);
}
sub is_page {
    my ($answer, $status, $title, $foot, $name) = @_;
    subtest "$name gets an error page" => sub {
        is $answer->status, $status, 'the error page keeps the status';
        like $answer->header('Content-Type') // '', qr{\Atext/html; ?charset=utf-8\z}i,
            'the error page is HTML in UTF-8';
        like $answer->body, qr{<title data-title="$title">$title - },
            'the title of the error page names the error, and is marked for translation';
        like $answer->body, qr{<h1 data-say>$title</h1>}, 'the heading of the error page names the error';
        like $answer->body, qr{<a class="button[^"]*" href="[^"]*" data-say>}, 'the error page has a button';
        unlike $answer->body, qr{\{\{|"error"}, 'the error page has no placeholders and no JSON';
        like $answer->body, $foot, 'the footer of the error page names the service';
        like $answer->header('Content-Security-Policy') // '', qr/default-src 'none'/, 
            'the error page has the content policy';
        is $answer->header('Cache-Control'), 'no-store', 'the error page is not cached';
    };
    return $answer;
}
sub is_json {
    my ($answer, $status, $code, $name) = @_;
    is_deeply [$answer->status, $answer->code], [$status, $code], $name;
    like $answer->header('Content-Type') // '', qr{\Aapplication/json}, "$name, as JSON";
}
# Checks that the files that a page loads are served at their relative paths.
sub has_its_files {
    my ($answer, $path, $name) = @_;
    my @files = $answer->body =~ /(?:href|src)="([^"]+\.(?:css|js|svg))"/g;
    my @absolute = map { my $at = $_; $at =~ m{\A/} ? $at : do {
        my $from = $path =~ s{[^/]*\z}{}r;
        $from =~ s{[^/]+/\z}{} while $at =~ s{\A\.\./}{};
        $from . ($at =~ s{\A\./}{}r) } } @files;
    is_deeply [grep { ask('GET', $_)->status != 200 } @absolute], [], "all files that $name loads are served";
    cmp_ok scalar @files, '>', 2, "$name loads the usual files";
}

my $missing = is_page(ask('GET', '/clusterx', $browser), 404, 'Page not found', $front_foot, 'an unknown path');
has_its_files($missing, '/clusterx', 'the page of an unknown path');
is_page(ask('GET', '/a/b/c', $browser), 404, 'Page not found', $front_foot, 'an unknown path with folders');
is_page(ask('GET', '/pages/nothing.js', $browser), 404, 'Page not found', $front_foot, 'a file that is missing');
# Apache forwards only known paths.
my $deep_foot = $service->front eq 'nginx' ? $service_foot : $front_foot;
my $deep = is_page(ask('GET', '/cluster/nothing/here', $browser), 404, 'Page not found', $deep_foot,
    'an unknown path below the cluster');
has_its_files($deep, '/cluster/nothing/here', 'the page of an unknown path below the cluster');
is_json(ask('GET', '/clusterx', {}), 404, 'GENERIC.NOT_FOUND', 'a program gets 404 for a missing page');
is_json(ask('GET', '/cluster/nothing', { Accept => 'application/json' }), 404, 'GENERIC.NOT_FOUND',
    'a program gets 404 below the cluster');
is_json(ask('GET', '/api/v1/nothing', $browser), 404, 'GENERIC.NOT_FOUND',
    'the API gives browsers and programs the same 404');
is_json(ask('GET', '/api/v1/me', $browser), 401, 'API_KEYS.INVALID', 'a browser without a key gets 401 from the API');
is ask('GET', '/api/v2', $browser)->status, 404, 'a path next to the API is unknown';
unlike ask('GET', $_, $browser)->body, qr/<html/, "a program at $_ gets no HTML page"
    for '/cloudlog/index.php/api/nothing', '/lofi/nobody/v1/sync', '/api/v1/nothing';

is_page(ask('POST', '/', $browser), 405, "That isn't possible here", $service_foot,
    'a method that the front page lacks');
is_page(ask('DELETE', '/pages/ui.css', $browser), 405, "That isn't possible here", $front_foot,
    'a method that a file lacks');
is_page(ask('GET', '/cluster/spots?band=x', $browser), 400, 'The request was not understood', $service_foot,
    'an invalid spot filter');
SKIP: {
    skip 'Apache answers these requests before it reads the header Accept', 1 if $service->front ne 'nginx';
    is_page(ask('GET', '/cluster/', { %$browser, Cookie => 'a=' . 'x' x 20_000 }), 400, 'The request is too long',
        $front_foot, 'a cookie that is too long');
    is_page(ask('GET', '/cluster/%', $browser), 400, 'The request was not understood', $front_foot,
        'a malformed address');
    is_json(ask('GET', '/api/v1/%', $browser), 400, 'VALIDATION.FAILED', 'a malformed API address gets 400');
}
is_json(ask('POST', '/', {}), 405, 'GENERIC.METHOD_NOT_ALLOWED', 'a program gets 405 for a method that the page lacks');
for my $path ('/app/', '/app/index.html', '/pages/ui.css') {
    is_page(ask($_, $path, $browser), 405, "That isn't possible here", $front_foot, "$_ of $path") for 'POST', 'PUT';
    is_json(ask('POST', $path, {}), 405, 'GENERIC.METHOD_NOT_ALLOWED', "a program gets 405 for POST to $path");
}
SKIP: {
    skip 'Apache answers these requests before it reads .htaccess', 1 if $service->front eq 'htaccess';
    my $long = 'x' x 3000;
    $service->expect_log(qr/AH00036/) if $service->front =~ /cgi/; # paths without a file go to the API's program
    is_page(ask('GET', "/$long", $browser), 404, 'Page not found', $front_foot,
        'an address of 3,000 characters');
    is_json(ask('GET', "/$long", {}), 404, 'GENERIC.NOT_FOUND', 'a program gets 404 for a long address');
    unlike ask('GET', "/api/v1/$long", $browser)->body, qr/<html/, 'a long API address gets no HTML page';
    unlike ask('GET', '/api/v1/%00', $browser)->body, qr/<html/, 'a NUL in an API address gets no HTML page';
    my @nul = $service->front eq 'nginx' ? (400, 'The request was not understood') : (404, 'Page not found');
    is_page(ask('GET', '/%00', $browser), @nul, $front_foot, 'a NUL in an address');
}

my $closed = is_page(ask('GET', '/profile/data/export.adi', $browser), 401, 'Please sign in', $service_foot,
    'a part of the profile without a session');
like $closed->body, qr{<a class="button main" href="\.\./\.\./sign-in\?next=profile/" data-say>Sign in</a>},
    'the 401 page has a sign-in button';
like $closed->body, qr{href="\.\./\.\./welcome/"}, 'the 401 page has a link to use an invitation';
is $closed->header('WWW-Authenticate'), 'Cookie', 'the 401 page opens no password dialog in the browser';
like ask('GET', '/operator/data/health', $browser)->body, qr{sign-in\?next=operator/},
    "the 401 page for the operator's page links to a sign-in that returns to that page";
is_json(ask('GET', '/profile/data/export.adi', { Accept => '*/*' }), 401, 'SIGN_IN.REQUIRED',
    "a page's script gets 401 without a session");

is_json(ask('POST', '/profile/data/keys', { %$browser, 'Content-Type' => 'application/x-www-form-urlencoded',
    'Sec-Fetch-Site' => 'cross-site' }, body => 'a=b'), 403, 'PROFILE.CROSS_SITE',
    'a cross-site form gets 403 as JSON');

SKIP: {
    skip 'this front server starts its own workers', 1 unless $service->has_socket;
    $service->expect_log(qr/No such file|site\.sock|AH0\d+|upstream/);
    my ($pid) = $service->site_pids;
    $service->end_worker($pid);
    close delete $service->{site_socket};
    my $status = $service->front eq 'nginx' ? 500 : 503;
    my $failed = is_page(ask('GET', '/', $browser), $status, "The service isn't responding", $front_foot,
        'a page without any worker');
    has_its_files($failed, '/', 'the page without any worker');
    is ask('GET', '/', {})->code, 'GENERIC.INTERNAL_ERROR', 'a program gets GENERIC.INTERNAL_ERROR without any worker';
}
SKIP: {
    skip 'the test needs a worker that counts', 1 if $service->has_socket;
    my $refused;
    for (1 .. 60) {
        $refused = ask('GET', '/', $browser);
        last if $refused->status == 429;
    }
    is_page($refused, 429, 'Too many requests', $service_foot, 'a request above the limit');
    cmp_ok $refused->header('Retry-After'), '>', 0, 'the page above the limit has Retry-After';
    is_json(ask('GET', '/', {}), 429, 'GENERIC.RATE_LIMITED', 'a program gets 429 above the limit');
}
$service->stop;

# The same requests give the same status, body and CORS headers through this front server as through nginx.
SKIP: {
    skip 'the others are compared with nginx', 1 if QSOsync::Service::default_front() eq 'nginx';
    my $front = QSOsync::Service::default_front();
    srand 42;
    my @sent = map { $_ % 2 ? full_qso() : full_pmr_qso() } 1 .. 5;
    my $large = ' ' x 300_000;

    sub answers {
        my ($name) = @_;
        my $service = QSOsync::Service->start(front => $name);
        my $write = $service->write_key;
        my %type = (headers => { 'Content-Type' => 'application/json' });
        my @requests = (
            ['/me', 'GET', '/me', key => $write], ['no key', 'GET', '/me'], ['HEAD', 'HEAD', '/me', key => $write],
            ['a batch', 'POST', '/logs/batch', key => $write, json => { entries => [@sent, {}, 5,
                qso(clientId => 'x')] }],
            ['a large body', 'POST', '/logs/batch', key => $write, %type, body => "{\"entries\":[{}]$large}"],
            ['a chunked body', 'POST', '/logs/batch', key => $write, %type, body => "{\"entries\":[{}]$large}",
            chunked => 1],
            ['a malformed body', 'POST', '/logs/batch', key => $write, %type, body => '{'],
            ['too large a body', 'POST', '/logs/batch', key => $write, %type, body => ' ' x 8_388_609],
            ['a READ key', 'POST', '/logs/batch', key => $service->read_key, json => { entries => [] }],
            ['a page', 'GET', '/logs?limit=3', key => $write], ['ids', 'GET', '/logs/ids', key => $write],
            ['a bad limit', 'GET', '/logs?limit=0', key => $write],
            ['a plus sign', 'GET', '/logs?updatedSince=2020-01-01T00:00:00+02:00&limit=1', key => $write],
            ['an unknown path', 'GET', '/nothing', key => $write],
            ['a method that is not allowed', 'PUT', '/me', body => ''],
            # A .htaccess file cannot refuse this request.
            $front eq 'htaccess' ? () : ['TRACE', 'TRACE', '/me', key => $write],
            ['an invented method', 'BREW', '/me', key => $write],
            ['percent-encoding', 'GET', '/%6de', key => $write],
            ['a deletion without a valid UUID', 'DELETE', '/logs/x', key => $write],
            ['a deletion', 'DELETE', "/logs/$sent[0]{clientId}", key => $write],
            ['a second deletion', 'DELETE', "/logs/$sent[0]{clientId}", key => $write],
            ['a preflight', 'OPTIONS', '/logs', headers => { Origin => 'https://example.org',
                'Access-Control-Request-Method' => 'GET' }],
            ['the description', 'GET', '/openapi.json'],
            # A client that requests a range gets the whole answer, because half an answer is useless.
            (
            map { ["a part by $_->[0] of $_->[2]", $_->[1], $_->[2], key => $write,
                headers => { $_->[0] => 'bytes=0-5' }] }
                ['Range', 'GET', '/me'], ['Request-Range', 'GET', '/me'], ['Range', 'GET', '/logs/ids'],
                ['Range', 'GET', '/openapi.json']),
            ['a part beyond the end', 'GET', '/me', key => $write, headers => { Range => 'bytes=100000-' }],
            ['parts', 'GET', '/me', key => $write, headers => { Range => 'bytes=0-5,7-9' }],
            ['a batch and a part of its results', 'POST', '/logs/batch', key => $write, json => { entries => [{}] },
                headers => { Range => 'bytes=0-5' }],
        );
        my @answers;
        for my $request (@requests) {
            my ($title, $method, $path, %option) = @$request;
            my $response = $service->request($method, $path, %option);
            my $body = $response->body;
            # Times, and values derived from times, differ between requests.
            $body =~ s/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/TIME/g;
            $body =~ s/("nextCursor":")[0-9a-f]+/$1CURSOR/;
            $body =~ s/127\.0\.0\.1:\d+/ADDRESS/g; # each front server has its own port
            my %cors = map { $_ => join '|', @{$response->headers->{$_}} }
                grep { /\Aaccess-control-/ } keys %{$response->headers};
            push @answers, { title => $title, status => $response->status, body => $body, cors => \%cors,
                map { $_ => scalar $response->header($_) } qw(Content-Type Cache-Control X-Content-Type-Options Allow
                    WWW-Authenticate) };
        }
        $service->stop;
        return @answers;
    }

    my ($expected, $got) = map { [answers($_)] } 'nginx', $front;
    for my $index (0 .. $#$expected) {
        my ($nginx, $ours) = ($expected->[$index], $got->[$index]);
        # A server that itself refuses TRACE sends its own Allow header.
        my @untold = $nginx->{title} eq 'TRACE' ? qw(Allow) : ();
        for my $part (grep { my $part = $_; !grep { $_ eq $part } 'title', @untold } sort keys %$nginx) {
            is_deeply $ours->{$part}, $nginx->{$part},
                "$part of the answer to '$nginx->{title}' is the same through $front as through nginx";
        }
    }
}

done_testing;
