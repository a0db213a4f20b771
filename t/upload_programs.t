use QSOsync::Test fronts => 'all';
use IO::Socket::INET;
use IO::Uncompress::Gunzip qw(gunzip);

# Requests of real programs to Cloudlog, Wavelog or LOG11DX (t/data/uploads). Each request is sent byte for byte, and
# the program accepts its answer as success. Some requests are recorded from the programs' own code: WaveLogGate 278a27f
# (Go's net/http), FreeDATA d900e18 (Python's requests), Ham2K PoLo (fetch) and WSJT-CB (Qt). Others follow the
# programs' sources: QLog 9370d36 (Qt), FT8CN (Android's HttpURLConnection) and, to LOG11DX, sdroxide 1e216bc (Rust's
# ureq) and the bridge 0.2 (Python's requests).
my $service = QSOsync::Service->start(site => 1);
$service->admin('uploads', 'on');
my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'programs');
my $folder = "$QSOsync::Front::SOURCE/t/data/uploads";

# Sends requests over one connection for as long as the front keeps it, as the programs do; returns [status, body] of
# each.
sub send_all {
    my (@requests) = @_;
    my ($socket, @answers);
    for my $request (@requests) {
        my ($head, $body) = split /\n\n/, $request, 2;
        s/TOKEN/$token/ for $head, $body;
        my ($length, $host) = (length $body, '127.0.0.1:' . $service->port);
        s/\bLENGTH\b/$length/, s/\bHOST\b/$host/, s/\n/\r\n/g for $head;
        $socket ||= IO::Socket::INET->new(PeerAddr => $host, Timeout => 30) or die "connect: $!";
        print {$socket} "$head\r\n\r\n$body";
        $socket->flush;
        my $answer = read_answer($socket);
        push @answers, $answer;
        undef $socket if $answer->{closes};
    }
    return @answers;
}
sub read_answer {
    my ($socket) = @_;
    my $status = <$socket> // '';
    my (%header, $body);
    while (defined(my $line = <$socket>)) {
        last if $line eq "\r\n";
        $header{lc $1} = $2 if $line =~ /\A([^:]+): *(.*?)\r\n\z/;
    }
    if (lc($header{'transfer-encoding'} || '') eq 'chunked') {
        $body = '';
        while (my $size = hex(<$socket> =~ s/\s+\z//r)) {
            read $socket, my $chunk, $size + 2;
            $body .= substr $chunk, 0, $size;
        }
        <$socket>;
    } else {
        read $socket, $body, $header{'content-length'} // 1 << 20;
    }
    if (lc($header{'content-encoding'} || '') eq 'gzip') { # these programs request it
        gunzip(\(my $packed = $body), \$body) or die 'gunzip';
    }
    my $closes = lc($header{connection} || '') eq 'close' || !defined $header{'content-length'}
        && !$header{'transfer-encoding'};
    return { status => $status =~ /\AHTTP\/1\.1 (\d+)/ ? $1 : $status, body => $body, header => \%header,
        closes => $closes };
}

my $created = '201 {"status":"created","type":"adif","string":"","adif_count":1,"adif_errors":0,"messages":[""]}';
my $two = $created =~ s/"adif_count":1/"adif_count":2/r;
my $valid = '200 <auth><status>Valid</status><rights>rw</rights></auth>';
my $stations =
    '200 [{"station_id":"1","station_profile_name":"21SD333",'
    . '"station_gridsquare":"JO59jw","station_callsign":"21SD333","station_active":"1"}]';
my $taken = '200 {"ok":true,"status":"uploaded","message":"The QSO is in the log."}';
my $known = '200 {"ok":true,"status":"valid","message":"The upload token is valid.","callsign":"21SD333"}';
my %program = (
    'log11dx-bridge' => { answers => [$taken, $known],
        qsos => [['26AT302', '2026-11-21T19:01:00.000Z', '27.265', 'DIGITAL', "Name: J\x{fc}rg\nMode: FT8"]] },
    sdroxide => { answers => [$known, $taken],
        qsos => [['26AT301', '2026-11-21T18:01:00.000Z', '27.265', 'DIGITAL',
        "Name: Jos\x{e9}\nMode: FT8\nFT8 \"73\""]] },
    freedata => { answers => [$created],
    qsos => [['26AT501', '2026-11-21T12:01:00.000Z', '27.555', 'DIGITAL', "Mode: FREEDATA\nP2P session"]] },
    ft8cn => { answers => [$valid, $created],
        qsos => [['26AT401', '2026-11-21T17:01:00.000Z', '27.247', 'DIGITAL',
        "Mode: FT8\nDistance: 1271 km, QSO by P/T"]] },
    polo => { answers => [$two], qsos => [['26AT701', '2026-11-21T14:01:00.000Z', '27.555', 'USB', undef],
        ['26AT702', '2026-11-21T14:02:00.000Z', '27.555', 'USB', "Name: Jos\x{e9}"]] },
    qlog => { answers => [$stations, $created],
    qsos => [['26AT901', '2026-11-21T16:01:00.000Z', '27.555', 'USB', "Name: J\x{fc}rg"]] },
    waveloggate => { answers => [$stations, $created =~ s/\[""\]/["Dryrun works"]/r, ($created) x 2,
        '200 {"status":"success"}'],
        qsos => [['26AT601', '2026-11-21T13:01:00.000Z', '27.247', 'DIGITAL', 'Mode: FT8']] },
    'wsjt-cb' => { answers => [$valid, ($created) x 2],
        qsos => [['26AT801', '2026-11-21T15:01:00.000Z', '27.267', 'DIGITAL',
        "Mode: FT8\nFT8  \"Sent\": -08 \\ C:\\new"]] },
);
is_deeply [map { m{([^/]+)\.txt\z} } sort glob "$folder/*.txt"], [sort keys %program], 'each recording is tested';
for my $name (sort keys %program) {
    my @requests = split /\n%%\n/, QSOsync::Front::read_file("$folder/$name.txt") =~ s/\n\z//r;
    for my $time ('first', 'second') {
        my @answers = send_all(@requests);
        # Fields that were left out or changed are reported after the first message.
        is_deeply [map { "$_->{status} $_->{body}" =~ s/(?:,"(?:left out|changed): line \d+: [^"]+")+\]/]/r } @answers],
            [map { $time eq 'first' ? $_ : s/"uploaded"(.*)log\./"duplicate"$1log already./r }
            @{$program{$name}{answers}}],
            "$name gets the answers that it expects, the $time time";
    }
    my @log = sort { $a->{qsoAt} cmp $b->{qsoAt} } $service->download;
    is_deeply [map { [@{$_}{qw(callsignWorked qsoAt frequencyMhz mode notes)}] } @log], $program{$name}{qsos},
        "$name: each QSO arrives once";
    is_deeply [map { $_->{band} } @log], [map { 'ELEVEN_METERS' } @log], "$name: each QSO is on the right band";
    $service->delete_qso($_->{clientId}) for @log;
}

# No log of the shipped configurations contains a token or a key. This includes the front server's error log, and
# requests to a wrong address.
{
    my $service = QSOsync::Service->start(site => 1);
    $service->admin('uploads', 'on');
    my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'programs');
    my $encoded = $token =~ s/up_/%75p%5f/r;
    my @secrets = ($token, $encoded, $service->write_key);
    sub ask {
        my ($path, %option) = @_;
        return $service->request($option{method} || 'GET', '', raw_path => $path, %option);
    }

    sub shown {
        my $logs = join '', map { QSOsync::Front::read_file($_) } grep { -f } glob $service->directory . '/*.log';
        return map { substr s/(?:_|%5f)\w{4}\K\w+/.../gir, 0, 200 } grep { /qsosync(?:up|%75p)?(?:_|%5f)\w{20}/i }
            split /\n/, $logs;
    }

    # Requests that the front server itself refuses, within the interface and outside of it.
    $service->expect_log(qr/client sent|too large|AH\d+|upstream|request failed|failed \(2: No such file|is not found/);
    my @paths = map { ("/cloudlog/api/auth/$_", "/cloudlog/index.php/api/station_info/$_", "/api/auth/$_",
        "/index.php/api/auth/$_", "/$_", "/$_/",
        "/cluster/$_", "/docs/$_", "/profile/$_", "/pages/$_", "/pages/$_/", "/cluster/?key=$_", "/no/such/page?key=$_",
        "/api/v1/me?key=$_", "/api/v1/auth/$_", "/cloudlogs/api/auth/$_", "//cloudlog/../api/auth/$_") } @secrets;
    for my $path (grep { !/\?.*%/ } @paths) {
        ask($path);
        ask($path, method => 'POST', body => ' ' x 9_000_000) if $path =~ m{\A/(?:api/)?auth|\A/cloudlog/api};
        ask($path, headers => { X => 'x' x 40_000 });
        ask($path, headers => { Host => 'no host' });
        ask("$path%00");
        ask($path . ($path =~ /\?/ ? '&' : '?') . 'x' x 40_000);
        ask($path, method => $_) for 'GE T', 'BREW';
        # A site's own log level hides these; an .htaccess cannot set it.
        next if $service->front eq 'htaccess';
        ask($_) for "/%zz$path", "$path/../../../..", "$path/" . 'x' x 300;
    }
    is join("\n", shown()), '', 'no log contains a token or a key from a request to a wrong address';
    is ask("/api/v1/me?key=$secrets[2]")->status, 401, 'a key in the query gives no access';
    is ask("/api/auth/$token")->status, 404, 'a wrong address is not found';
    like ask("/cloudlog/api/auth/$token")->body, qr/Valid/, 'the right address is served';

    # Without workers.
    if ($service->has_socket) {
        kill 'TERM', @{$service->{site_pids}}, $service->worker_pids;
        waitpid $_, 0 for @{$service->{site_pids}}, $service->worker_pids;
        $service->{site_pids} = $service->{worker_pids} = [];
        close delete $service->{$_} for qw(site_socket socket);
        for my $secret (@secrets) {
            cmp_ok ask($_)->status, '>=', 404, "$_ is an error without workers" =~ s/_\w+//gr
                for "/cloudlog/api/auth/$secret", "/api/v1/$secret", $secret =~ /%/ ? ()
                : ("/cluster/list?key=$secret", "/api/v1/me?key=$secret");
        }
        is join("\n", shown()), '', 'no log contains a token or a key if no program answers';
    }

    # The part of nginx's site that redirects http:// to https:// has a log of its own.
    if ($service->front eq 'nginx') {
        my ($place, $port) = ($service->directory . '/redirect', QSOsync::Service::free_port());
        mkdir $place;
        my ($server) = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/nginx/qsosync-site.conf")
            =~ /^(server \{\n    listen 80;.*?\n\})/ms;
        $server =~ s/^    listen .*\n//mg;
        $server =~ s/^server \{\n\K/    listen 127.0.0.1:$port;\n/;
        my $paths = join '', map { "${_}_temp_path $place/$_;" } qw(client_body fastcgi proxy uwsgi scgi);
        QSOsync::Front::write_file("$place/nginx.conf",
            "daemon off; master_process off; pid $place/pid; error_log $place/error.log info; events {}\n"
            . "http { access_log $place/access.log; $paths\n$server\n}\n");
        my $nginx = QSOsync::Front::spawn("$place/nginx.log", {}, undef, '/usr/sbin/nginx', '-p', $place, '-c',
            "$place/nginx.conf", '-e', "$place/error.log");
        my $answer;
        until_true(sub { $answer = QSOsync::Client::request($port, 'GET', '/plain') });
        is $answer->header('Location'), 'https://127.0.0.1/plain', 'http:// redirects to https://';
        is QSOsync::Client::request($port, 'GET', $_)->status, 308, 'an address with a secret redirects to https://'
            for grep { !/\.\./ } @paths;
        kill 'TERM', $nginx;
        waitpid $nginx, 0;
        my $logs = join '', map { QSOsync::Front::read_file("$place/$_.log") } qw(access error);
        like $logs, qr{GET /plain }, 'other requests are logged';
        unlike $logs, qr/qsosync/i, 'no log contains a token or a key that was sent to http://';
    }
}

# Uploads: permissions, and the requests of a program before it uploads.
{
    my $service = QSOsync::Service->start(site => 1);
    my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'QLog');
    sub ask_station { return $service->request($_[0], '', raw_path => "/cloudlog$_[1]", @_[2 .. $#_]) }

    is ask_station('GET', "/api/station_info/$token")->code, 'GENERIC.NOT_FOUND',
        'while uploads are off every path is answered with 404 in JSON';
    $service->admin('uploads', 'on');
    for my $method (qw(GET POST)) {
        my $answer = ask_station($method, '', body => $method eq 'POST' ? '{}' : undef);
        is $answer->status . ' ' . $answer->body, '404 {"error":{"code":"GENERIC.NOT_FOUND"}}',
            "$method of only the address is answered in JSON";
        is $answer->header('Location'), undef, "$method of only the address does not redirect";
    }

    my $valid = '<auth><status>Valid</status><rights>rw</rights></auth>';
    my $invalid = '<auth><message>Key Invalid - either not found or disabled</message></auth>';
    my @forms = map { ("/api/$_", "/api/$_/", "/index.php/api/$_", "/index.php/api/$_/",
        "/index.php/index.php/api/$_") }
        "auth/$token";
    for my $path (@forms) {
        my $answer = ask_station('GET', $path);
        is $answer->status . ' ' . $answer->body, "200 $valid", 'a token is valid at ' . $path =~ s/\Q$token\E/TOKEN/r;
        is $answer->header('Content-Type'), 'text/xml', 'the answer is XML';
    }
    my $wrong = substr($token, 0, -1) . (substr($token, -1) eq 'a' ? 'b' : 'a');
    is ask_station('GET', "/api/auth/$_")->body, $invalid, 'other texts than a token are invalid' for $wrong, 'x',
        $service->write_key,
        "$token/x" =~ s{/x}{}r . 'x';
    is ask_station('GET', "/api/auth/$wrong")->status, 200, 'an invalid token is reported with status 200';

    my $list = ask_station('GET', "/index.php/api/station_info/$token");
    is $list->body,
        '[{"station_id":"1","station_profile_name":"21SD333",'
        . '"station_gridsquare":"JO59jw","station_callsign":"21SD333","station_active":"1"}]',
        'every value of the station list is a string';
    is $list->header('Content-Type'), 'application/json', 'the station list is JSON';
    for my $bad ($wrong, $service->write_key, $service->read_key) {
        my $answer = ask_station('GET', "/api/station_info/$bad");
        is $answer->status . ' ' . $answer->body, '401 {"status":"failed","reason":"missing or wrong api key"}',
            'without a token the station list is refused';
    }
    is ask_station('POST', '/index.php/api/radio', json => { key => $token, radio => 'x' })->body,
        '{"status":"success"}',
        'the frequency of a transceiver is accepted but not stored';
    is ask_station('GET', '/api/nothing')->code, 'GENERIC.NOT_FOUND', 'an unknown path is answered with 404 in JSON';
    is ask_station('PUT', '/api/radio')->code, 'GENERIC.METHOD_NOT_ALLOWED', 'a wrong method is answered in JSON';
    is $service->get('/me', key => $token)->code, 'API_KEYS.INVALID', 'a token is not an API key';
    is $service->get('/me', key => undef, headers => { 'X-API-Key' => $token })->code, 'API_KEYS.INVALID',
        'a token in the header X-API-Key is not an API key';
    like $service->admin('upload-token', 'list', '21SD333', '--json'), qr/"lastUsedOn": ?"\d/,
        'the day of the last use is recorded';

    # Web loggers from other origins may upload.
    my $preflight = ask_station('OPTIONS', '/api/qso', headers => { Origin => 'https://example.org',
        'Access-Control-Request-Method' => 'POST', 'Access-Control-Request-Headers' => 'content-type' });
    is $preflight->status, 204, 'a preflight of an upload is answered';
    is_deeply $preflight->headers->{'access-control-allow-origin'}, ['*'],
        'a preflight of an upload allows any origin, once';
    like $preflight->header('Access-Control-Allow-Methods'), qr/\bPOST\b/, 'a preflight of an upload allows POST';
    like lc $preflight->header('Access-Control-Allow-Headers'), qr/\bcontent-type\b/,
        'a preflight of an upload allows the header Content-Type';
    for ([200, ask_station('GET', "/index.php/api/auth/$token")], [401, ask_station('GET', "/api/station_info/$wrong")],
        [404, ask_station('GET', '/api/lookup')]) {
        my ($status, $answer) = @$_;
        is $answer->status, $status, "a request from another origin is answered with $status";
        is_deeply $answer->headers->{'access-control-allow-origin'}, ['*'],
            "a $status of uploads allows any origin, once";
        is $answer->header('Access-Control-Allow-Credentials'), undef, "a $status of uploads allows no credentials";
    }

    $service->admin('member', 'disable', '21SD333');
    is ask_station('GET', "/api/auth/$token")->body, $invalid, 'a token of a disabled member is invalid';
    $service->admin('member', 'enable', '21SD333');
    $service->admin('upload-token', 'revoke', '21SD333', 1);
    is ask_station('GET', "/api/auth/$token")->body, $invalid, 'a revoked token is invalid';
}

done_testing;
