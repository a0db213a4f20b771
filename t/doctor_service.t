use QSOsync::Test fronts => 'none', slow => 25;
use QSOsync::Doctor;
use QSOsync::Proxy;
use POSIX ();

# qsosync-admin doctor URL examines services that are broken on purpose, mostly by a proxy that changes requests or
# answers. Each finding names the cause and the fix, and no finding contains the key.
my $service = QSOsync::Service->start(site => 1, environment => { QSOSYNC_RATE_LIMIT => 90 });
$service->post_batch([qso()]);
my ($key, $read_key) = ($service->write_key, $service->read_key);
my $everything = '';

# Runs the doctor with a key. Collects the text of every report.
sub doctor {
    my ($url, %option) = @_;
    local $ENV{QSOSYNC_KEY} = $option{key} // $key;
    local @ENV{keys %{$option{environment} || {}}} = values %{$option{environment} || {}};
    my @found = QSOsync::Doctor::run([], '--db', $option{db} || $service->directory . '/none.db', 'doctor', $url);
    $everything .= $found[1]{text};
    return @found;
}
sub broken {
    my ($cause, $level, $check, $pattern, $fix, %change) = @_;
    my $proxy = QSOsync::ChangingProxy->start($service, %change);
    QSOsync::Doctor::finds($cause, $level, $check, $pattern, $fix, doctor('http://127.0.0.1:' . $proxy->port, %change));
    $proxy->stop;
    forget_requests();
}
# Forgets earlier requests, so that they do not count towards the limit in the next run.
sub forget_requests {
    unlink $service->db . '-limits';
    $service->restart_workers;
    for my $pid (splice @{$service->{site_pids}}) {
        kill 'TERM', $pid;
        waitpid $pid, 0;
    }
    QSOsync::Front::start_site_worker($service);
}
sub failure {
    "HTTP/1.1 500 Internal Server Error\r\nX-Request-Id: 1\r\nContent-Type: application/json\r\nContent-Length: "
        . "2\r\nConnection: close\r\n\r\n{}";
}
sub whole {
    my ($status, $type, $body) = @_;
    "HTTP/1.1 $status\r\nContent-Type: $type\r\nContent-Length: " . length($body)
        . "\r\nConnection: close\r\n\r\n$body";
}

my $url = 'http://127.0.0.1:' . $service->port;
my ($status, $report) = doctor($url);
is "$status $report->{status}", '0 ok', 'the doctor finds no fault in a correct service' or diag $report->{text};
is_deeply [map { $_->{check} } @{$report->{checks}}],
    [qw(address tls cors clock authorization body sign-in limit)], 'the doctor makes every check of a service';
is +(doctor("$url$_"))[0], 0, "the address can end in '$_'" for '/', '/api/v1', '/api/v1/';
is +(doctor($url, key => $read_key))[0], 0, 'a READ key suffices';
is scalar($service->download), 1, 'the doctor saves no QSO';

# The doctor can use the service's address in the logbook.
sub of_logbook {
    local $ENV{QSOSYNC_KEY} = $key;
    return $service->admin_try('doctor', '--service', '--gentle'); # an old option without effect
}
{
    delete local $ENV{QSOSYNC_ADDRESS};
    like +(of_logbook())[2], qr/\Aqsosync-admin: the service's address is not set; set it once with: [^\n]*\n\z/,
        'without an address in the logbook, one line names the setting';
}
$service->admin('club', 'set', '--address', $url);
my @of_logbook = of_logbook();
is "$of_logbook[0] $of_logbook[2]", '0 ', 'the doctor uses the address in the logbook' or diag $of_logbook[1];
like $of_logbook[1], qr/^ok +address +/m, 'the doctor checks the address in the logbook';

# The fix in $put restores a site as shipped. The test t/doctor_fixes_sites.t pastes this fix.
my $machine = qr/\Aqsosync-admin --db \S+ doctor\z/; # the fix depends on the machine
my $put = qr{\bput-site (?:nginx|apache) 127\.0\.0\.1};

# The port has no listener, or another service.
my $free = QSOsync::Service::free_port();
QSOsync::Doctor::finds('no listener', 'trouble', 'address', qr/nothing is listening/,
    qr/\Arun qsosync-admin doctor on the server to check/, doctor("http://127.0.0.1:$free"));
QSOsync::Doctor::finds('a name without an address', 'trouble', 'address', qr/the name cannot be resolved/, qr/DNS/,
    doctor('http://log.invalid'));
broken('another site', 'trouble', 'address', qr/something other .*404/, $put, request => sub {
    whole('404 Not Found', 'text/html', '<h1>Not Found</h1>');
});
broken('the welcome page', 'trouble', 'address', qr/something other .*200/, $put, request => sub {
    whole('200 OK', 'text/html', '<h1>Welcome</h1>');
});
broken('an address that redirects elsewhere', 'trouble', 'address', qr{redirects to https://log\.example\.org/},
    qr{\Aqsosync-admin doctor https://log\.example\.org/\z},
    request => sub {
        "HTTP/1.1 308 Permanent Redirect\r\nLocation: https://log.example.org/\r\nContent-Length: 0\r\nConnection: "
            . "close\r\n\r\n";
    });
broken('a module that is not loaded', 'trouble', 'address', qr/serves the worker's program as a file/, $put,
    request => sub { whole('200 OK', 'application/octet-stream', "\177ELF" . 'x' x 100) });
broken('a folder without ExecCGI', 'trouble', 'address', qr/refuses the address/, $put, request => sub {
    whole('403 Forbidden', 'text/html', 'Forbidden');
});
broken("the site's own login", 'trouble', 'address', qr/asks for a login/, $put, request => sub {
    whole('401 Unauthorized', 'text/html', 'Login');
});
broken('no HTTP at all', 'trouble', 'address', qr/no valid HTTP answer/, $machine, request => sub { 'HTTP what' });

broken('a web server without a worker', 'trouble', 'address', qr/no worker answers/, $machine,
    request => sub { whole('502 Bad Gateway', 'text/html', 'Bad Gateway') });

broken('a web server that answers 500 without a worker', 'trouble', 'address', qr/no worker answers/, $machine,
    request => sub {
        whole('500 Internal Server Error', 'application/json', '{"error":{"code":"GENERIC.INTERNAL_ERROR"}}');
    });

# A front server loses parts of requests.
my $apache = sub { $_[0] =~ s/^Server:.*\r\n/Server: Apache\r\n/mi; return };
my $drop = sub { my ($name) = @_; sub { $_[0] =~ s/^\Q$name\E:.*\r\n//mgi; return } };
broken('Authorization that is stripped', 'trouble', 'authorization', qr/strips the Authorization header/, $put,
    request => $drop->('Authorization'), answer => $apache);
broken('both headers stripped', 'trouble', 'authorization',
    qr/: the service uses another logbook, or the web server strips both/, qr/\Aset QSOSYNC_DB in both units/,
    request => sub { $_[0] =~ s/^(?:Authorization|X-API-Key):.*\r\n//mgi; return }, db => $service->db);
broken('a body limit of 1 MB', 'trouble', 'body', qr/a body of 2 MiB does not arrive.*413/, $put,
    request => sub {
        length $_[1] > 1 << 20 ? whole('413 Request Entity Too Large', 'text/html', '<h1>413</h1>') : undef;
    });
broken("mod_fcgid's own body limit", 'trouble', 'body', qr/status 500/, $put,
    request => sub {
        length $_[1] > 131072 ? whole('500 Internal Server Error', 'text/html', 'error') : undef;
    }, answer => $apache);
broken('a body that is emptied', 'trouble', 'body', qr/does not arrive/, $put,
    request => sub {
        $_[0] =~ /^POST/ ? whole('400 Bad Request', 'application/json',
            '{"error":{"code":"VALIDATION.FAILED","details":[{"field":"body"}]}}') : undef;
    }, answer => $apache);

# A front server loses parts of answers.
my $strip = sub { my ($name) = @_; sub { $_[0] =~ s/^$name:.*\r\n//mgi; return } };
broken('CORS headers that are stripped', 'trouble', 'cors', qr/lack Access-Control-Allow-Origin/, $put,
    answer => $strip->('Access-Control-Allow-Origin'));
broken('CORS headers that are sent twice', 'trouble', 'cors', qr/twice/, $put,
    answer => sub { $_[0] =~ s/^(Access-Control-Allow-Origin:.*\r\n)/$1$1/mi; return });
broken('preflights that are refused', 'trouble', 'cors', qr/OPTIONS.*405/, $put,
    request => sub {
        $_[0] =~ /^OPTIONS/ ? whole('405 Method Not Allowed', 'text/html', 'no') : undef;
    }, answer => $apache);
broken('preflights that do not allow a key', 'trouble', 'cors', qr/OPTIONS/, $put, answer => sub {
    $_[0] =~ s/Authorization, //;
    return;
});
broken('no request limit', 'warning', 'limit', qr/there is no request limit, or the headers are stripped/,
    qr/check whether QSOSYNC_RATE_LIMIT is 0/, answer => $strip->('RateLimit-[A-Za-z]+'));
broken('a clock that is slow', 'trouble', 'clock', qr/differ by 1[12]\d s/, qr/timedatectl/,
    answer => sub {
        my $date = POSIX::strftime('%a, %d %b %Y %H:%M:%S GMT', gmtime(time - 120));
        $_[0] =~ s/^Date:.*\r\n/Date: $date\r\n/mi;
        return;
    });
broken('a clock that is a little fast', 'warning', 'clock', qr/differ by (?:\d|10) s/, qr/timedatectl/,
    answer => sub {
        my $date = POSIX::strftime('%a, %d %b %Y %H:%M:%S GMT', gmtime(time + 10));
        $_[0] =~ s/^Date:.*\r\n/Date: $date\r\n/mi;
        return;
    });

# The check of the sign-in finds these faults.
sub sign_in { my ($cause, $pattern, $fix, %change) = @_; broken($cause, 'trouble', 'sign-in', $pattern, $fix, %change) }
my $is_pages = qr{^\S+ /(?:healthz|sign-in|sign-out|profile/)};
sign_in('a login of the web server before the pages', qr/asks for its own login.*401/, $put,
    request => sub {
        $_[0] =~ m{^GET /profile/}
            ? whole('401 Unauthorized', 'text/html', 'Login')
            =~ s/\r\n/\r\nWWW-Authenticate: Basic realm="x"\r\n/r
            : undef;
    });
# On a shared host, an account has QSOsync in its own folder and configures sites only through .htaccess files. The
# doctor finds the same faults there.
SKIP: {
    my @nobody = getpwnam 'nobody';
    my ($shared) = QSOsync::Front::read_file($QSOsync::Doctor::PROGRAM) =~ m{(/usr/local/share/qsosync)/apache/};
    skip 'needs root, the right to unshare mounts and the usual prefix', 4
        if $> != 0 || !@nobody || !$shared || system('unshare', '-m', 'true') != 0;
    my $copy = $service->directory . '/qsosync-admin';
    system('install', '-m', '755', $QSOsync::Doctor::PROGRAM, $copy) == 0 && chmod 0755, $service->directory or die;
    local $QSOsync::Doctor::PROGRAM = $copy;
    local $ENV{QSOSYNC_KEY} = '';
    my $proxy = QSOsync::ChangingProxy->start($service, request => sub {
        $_[0] =~ m{^GET /profile/}
            ? whole('401 Unauthorized', 'text/html', 'Login')
            =~ s/\r\n/\r\nWWW-Authenticate: Basic realm="x"\r\n/r
            : undef;
    });
    my $as_nobody = "setpriv --reuid $nobody[2] --regid $nobody[3] --clear-groups env HOME=/usr/local";
    my @account = ('unshare', '-m', 'sh', '-c', "mount -t tmpfs tmpfs /usr/local && exec $as_nobody \"\$@\"", 'sh');
    QSOsync::Doctor::finds('a login of the web server on a shared host', 'trouble', 'sign-in',
        qr/asks for its own login/, qr/\Ainstall the \.htaccess files as the README describes/,
        QSOsync::Doctor::run(\@account, 'doctor', 'http://127.0.0.1:' . $proxy->port));
    $proxy->stop;
    forget_requests();
}
sign_in('a profile page that is a file, as in old versions', qr/does not redirect to the sign-in page.*200/, $put,
    request => sub { $_[0] =~ m{^GET /profile/ } ? whole('200 OK', 'text/html', 'profile') : undef });
sign_in('workers of the pages that are stopped', qr/no page worker answers.*502/,
    qr/\Asystemctl restart qsosync-site\.socket qsosync-site\.service\z/,
    request => sub { $_[0] =~ $is_pages ? whole('502 Bad Gateway', 'text/html', 'Bad Gateway') : undef });
sign_in('pages that cannot read the logbook', qr/the pages cannot read the logbook/, qr/ doctor\z/,
    request => sub {
        $_[0] =~ m{^GET /healthz} ? whole('503 Service Unavailable', 'application/json', '{"status":"failing"}')
            : undef;
    });
sign_in('forms that are refused', qr/the sign-in form does not get through.*405/, $put,
    request => sub { $_[0] =~ m{^POST /sign-in} ? whole('405 Not Allowed', 'text/html', 'no') : undef });
sign_in('origins that are removed', qr/mistakes its own sign-in form for another site.*403/,
    $put, request => $drop->('Sec-Fetch-Site'));
sign_in('cookies that are removed', qr/strips the Cookie or Set-Cookie header/, $put, request => $drop->('Cookie'));
sign_in('cookies that are not set', qr/strips the Cookie or Set-Cookie header/, $put,
    answer => $strip->('Set-Cookie'));
sign_in('no-store that is removed', qr/lack Cache-Control: no-store, so caches can keep them/, $put,
    answer => $strip->('Cache-Control'));
{
    my $proxy = QSOsync::ChangingProxy->start($service, request => sub {
        $_[0] =~ m{^\S+ /api/} ? undef : whole('404 Not Found', 'text/html', 'no');
    });
    my (undef, $alone) = doctor('http://127.0.0.1:' . $proxy->port);
    my ($found) = grep { $_->{check} eq 'sign-in' } @{$alone->{checks}};
    is "$alone->{status} $found->{message}", 'ok only the API is served at this address, no pages',
        'an API without pages is not a fault';
    $proxy->stop;
    forget_requests();
}

# After a failure of the service, the doctor draws no conclusion about limits or the site.
sub fails { my ($what, $check, $request) = @_;
    my $proxy = QSOsync::ChangingProxy->start($service, request => sub { $request->(@_) ? failure() : undef });
    my @found = doctor('http://127.0.0.1:' . $proxy->port, key => $key);
    QSOsync::Doctor::finds($what, 'trouble', $check, qr/status 500/,
        qr/\Arunuser -u \S+ -- qsosync-admin --db \S+ doctor\z/, @found);
    is join(' ', map { $_->{check} } grep { $_->{level} ne 'ok' } @{$found[1]{checks}}), $check,
        "$what: the doctor reports no other finding";
    $proxy->stop;
    forget_requests();
}
fails('a service that answers every request with 500', 'address', sub { 1 });
fails('a service that cannot look up keys', 'authorization', sub {
    $_[0] =~ m{^\S+ \S+/(?:me|logs)} && $_[0] !~ /^OPTIONS/;
});
fails('preflights that are answered with 500', 'cors', sub { $_[0] =~ /^OPTIONS/ });
fails('batches that are answered with 500', 'body', sub { $_[0] =~ /^POST/ });
# A client's address has reached the request limit.
sub limited {
    my ($headers) = @_;
    return "HTTP/1.1 429 Too Many Requests\r\n${headers}Content-Length: 0\r\nConnection: close\r\n\r\n";
}
broken('an address whose every request is refused', 'trouble', 'address', qr/too many requests \(status 429\)/,
    qr/\Asleep 60; qsosync-admin doctor /, request => sub { limited('') });
broken('a refusal after the first requests', 'trouble', 'authorization', qr/too many requests/,
    qr/\Asleep 60; qsosync-admin doctor /,
    request => sub { $_[0] =~ m{^GET \S+/me } ? limited("Retry-After: 1\r\n") : undef });

# Keys reach the address safely, or the doctor warns.
my %other = %{$service->add_member('26AT101')};
$service->admin('key', 'revoke', '26AT101', 3);
QSOsync::Doctor::finds('a key that was revoked', 'trouble', 'authorization',
    qr/rejects this key: it was revoked/, qr/qsosync-admin key list/, doctor($url, key => $other{read_key}));
QSOsync::Doctor::finds('a key revoked in this logbook', 'trouble', 'authorization',
    qr/this key of 26AT101 was revoked on 20\d\d-\d\d-\d\d;/, qr/\Aqsosync-admin key list 26AT101\z/,
    doctor($url, key => $other{read_key}, db => $service->db));
{
    $service->admin('member', 'disable', '26AT101');
    my @found = doctor($url, key => $other{write_key}, db => $service->db);
    my $found = QSOsync::Doctor::finds('a member who is disabled', 'trouble', 'authorization',
        qr/the member 26AT101 is disabled; the key is valid/,
        qr/\Aif that was not intended: qsosync-admin member enable 26AT101\z/, @found);
    unlike $found->{fix} . $found->{message}, qr/key add|new key/,
        'the doctor advises no new key for a disabled member';
    $service->admin('station', 'add', '14AT0', '--locator', 'JN03');
    $service->admin('station', 'grant', '14AT0', '26AT101');
    chomp(my $made = $service->admin('key', 'add', '14AT0', '--name', 'made', '--scope', 'READ'));
    $service->sqlite("UPDATE api_keys SET made_by = (SELECT id FROM members WHERE callsign = '26AT101')
        WHERE name = 'made'");
    QSOsync::Doctor::finds("a station's key whose creator is disabled", 'trouble', 'authorization',
        qr/the member 26AT101 is disabled/, qr/member enable 26AT101\z/,
        doctor($url, key => $made, db => $service->db));
    $service->admin('member', 'enable', '26AT101');
    is +(doctor($url, key => $other{write_key}, db => $service->db))[1]{status}, 'ok',
        'the printed command makes the key work';
}
QSOsync::Doctor::finds('a key that was mistyped', 'trouble', 'authorization', qr/mistyped/, qr/copy the key again/,
    doctor($url, key => $key =~ s/(.)\z/$1 eq 'a' ? 'b' : 'a'/er));
QSOsync::Doctor::finds('no key', 'warning', 'authorization', qr/no key was given/,
    qr/\Aread -rs QSOSYNC_KEY && export QSOSYNC_KEY && qsosync-admin doctor http/, doctor($url, key => ''));
QSOsync::Doctor::finds('a key sent unencrypted', 'trouble', 'tls', qr/http: keys can be read/, qr/certbot/,
    doctor('http://0.0.0.0:' . $service->port));
my (undef, $clear) = doctor('http://0.0.0.0:' . $service->port);
ok !(grep { $_->{check} eq 'authorization' } @{$clear->{checks}}), 'the doctor sends no key unencrypted';
for (["qsosync_secret", qr/do not pass a key as an argument/], ['log.example.org', qr/not an address/],
    ['ftp://x', qr/not an address/], ['https://', qr/not an address/]) {
    my ($argument, $pattern) = @$_;
    my ($wrong, $said) = (QSOsync::Doctor::run([], 'doctor', $argument));
    is $wrong, 2, "doctor $argument is wrong usage";
    like $said->{text}, $pattern, "doctor $argument: one line gives the reason";
}

# The service has no worker, or no logbook.
$service->expect_log(qr/./);
$service->end_worker($_) for $service->worker_pids;
rename $service->db, $service->db . '.gone' or die;
unlink glob $service->db . '-*';
$service->start_worker;
QSOsync::Doctor::finds('a service without its logbook', 'trouble', 'authorization',
    qr/cannot look up a key \(status 500\)/, qr/\Arunuser -u \S+ -- qsosync-admin --db \S+ doctor\z/, doctor($url));
$service->end_worker($_) for $service->worker_pids;
QSOsync::Doctor::finds('no worker at the socket', 'trouble', 'address', qr/no answer in time/, $machine, doctor($url));
rename $service->db . '.gone', $service->db or die;
$service->start_worker;

unlike $everything, qr/\Q@{[substr $key, 8, 10]}\E|\Q@{[substr $other{read_key}, 8, 10]}\E/,
    'no finding contains a key';
my @libraries = grep { /curl/ } `ldd $QSOsync::Doctor::PROGRAM`;
is "@libraries", '', 'the command is not linked with libcurl';

done_testing;
