use QSOsync::Test fronts => 'all';
use IO::Socket::INET;

# No log of the shipped configurations contains a token or a key. This includes the front server's error log, and
# requests to a wrong address.
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

# The front server itself refuses many of these requests, which name addresses for uploads and other addresses.
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
    # A site's own log level hides these lines, but an .htaccess file cannot set the log level.
    next if $service->front eq 'htaccess';
    ask($_) for "/%zz$path", "$path/../../../..", "$path/" . 'x' x 300;
}
is join("\n", shown()), '', 'no log contains a token or a key from a request to a wrong address';
is ask("/api/v1/me?key=$secrets[2]")->status, 401, 'a key in the query gives no access';
is ask("/api/auth/$token")->status, 404, 'a wrong address is not found';
like ask("/cloudlog/api/auth/$token")->body, qr/Valid/, 'the right address is served';

# The workers are stopped.
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

# The part of nginx's site that redirects http:// to https:// has its own log.
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

done_testing;
