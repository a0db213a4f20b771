use QSOsync::Test fronts => 'none';
use QSOsync::Profile;
use QSOsync::Worker;

# Which cookie counts, by how the request came: over TLS one that no other host can set; without it one for addresses
# of the same machine alone; else none.
my $service = QSOsync::Service->start(site => 1);
my $me = QSOsync::Profile->log_in($service, '21SD333');
my ($value) = $me->cookie =~ /=(.*)/;
sub ask {
    my (%variables) = @_;
    my $body = delete $variables{body};
    return QSOsync::Cgi::answer($service->directory,
        { QSOSYNC_DB => $service->db, QSOSYNC_RATE_LIMIT => 0, REQUEST_URI => '/profile/data/me', %variables },
        program => QSOsync::Front::site_program(), body => $body);
}
sub result_of { my $answer = ask(@_); return $answer->status . ' ' . ($answer->code || '') }

my ($good, $nobody) = ('200 ', '401 SIGN_IN.REQUIRED');
my %local = (HTTP_HOST => '127.0.0.1:8080', HTTP_COOKIE => "qsosync=$value");
my %tls = (HTTP_HOST => 'log.example.org', REQUEST_SCHEME => 'https', HTTP_COOKIE => "__Host-qsosync=$value");
is result_of(%local), $good, 'without TLS an address of the same machine has its cookie';
is result_of(%local, HTTP_HOST => $_), $good, "so has $_" for 'localhost', 'localhost:8080', '127.1.2.3', '[::1]:8080';
is result_of(%local, HTTP_HOST => $_), $nobody, "$_ is none"
    for 'log.example.org', '127.example.org', '127.0.0.1.example.org', 'localhost.example.org', '[::2]',
    '192.168.1.1', '', 'localhost:80@evil.example', 'localhost:', 'localhost:x', 'localhost:-1', 'localhost:65536',
    'localhost:8080:80', 'localhost,evil.example', 'localhost evil.example', "localhost\t", 'localhost/', 'localhost.',
    'evil.example@localhost', '127.0.0.1@evil.example', '127.0.0.256', '0127.0.0.1', '127.0.0.1.', '[::1',
    '[::1]x', '[::1]:', '[::1]@evil.example', '[::1%lo]', '::1', '[127.0.0.1]', 'localhost%00', "localhost\x{c0}";
is result_of(%tls), $good, 'over TLS the cookie has the prefix that keeps other hosts from setting it';
is result_of(%tls, REQUEST_SCHEME => '', HTTPS => 'on'), $good, 'some front servers tell TLS in another way';
is result_of(%tls, HTTP_COOKIE => "qsosync=$value"), $nobody, 'over TLS no cookie without the prefix counts';
is result_of(%local, HTTP_COOKIE => "__Host-qsosync=$value"), $nobody, 'without TLS none with it does';
is result_of(%tls, REQUEST_SCHEME => 'http'), $nobody, 'another machine has none without TLS';
is result_of(%tls, REQUEST_SCHEME => 'http', QSOSYNC_ADDRESS => 'https://log.example.org'), $good,
    'behind a proxy that ends TLS the address of the service tells';
is result_of(%tls, REQUEST_SCHEME => 'http', HTTP_HOST => '127.0.0.1:8080',
    QSOSYNC_ADDRESS => 'https://log.example.org'), $good, 'the address counts where the proxy names this machine';
is result_of(%local, HTTP_X_FORWARDED_PROTO => 'https', HTTP_COOKIE => "__Host-qsosync=$value"), $nobody,
    'a header that any client can send tells nothing';
is result_of(%local, REQUEST_URI => '/club/profile/data/me'), $good, 'the pages may lie below a longer prefix';

# Signing in where no cookie can be given.
my %form = (REQUEST_URI => '/sign-in', REQUEST_METHOD => 'POST', HTTP_SEC_FETCH_SITE => 'same-origin',
    CONTENT_TYPE => 'application/json',
    body => JSON::PP::encode_json({ callsign => '21SD333', password => $me->{password} }));
my $plain = ask(%form, HTTP_HOST => 'log.example.org');
is $plain->status . ' ' . $plain->code, '403 SIGN_IN.NOT_ENCRYPTED', 'nobody signs in over an open line';
my $answer = ask(%form, HTTP_HOST => 'log.example.org', REQUEST_SCHEME => 'https');
is $answer->status, 204, 'over TLS members sign in';
like $answer->header('Set-Cookie'),
    qr/\A__Host-qsosync=\w{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict; Secure\z/,
    'its cookie goes over TLS alone';

# Without Sec-Fetch-Site the origin has to be that of the header Host, in every spelling of it.
my %by_origin = (%form, HTTP_SEC_FETCH_SITE => '', HTTP_COOKIE => '');
is ask(%by_origin, HTTP_HOST => $_->[0], HTTP_ORIGIN => $_->[1])->status, 204, "$_->[1] is the origin of $_->[0]"
    for ['127.0.0.1:8080', 'http://127.0.0.1:8080'], ['LOCALHOST', 'http://localhost'],
    ['localhost:80', 'http://localhost'], ['[::1]:443', 'https://[::1]'];
is ask(%by_origin, HTTP_HOST => $_->[0], HTTP_ORIGIN => $_->[1], REQUEST_SCHEME => 'https')->code, 'PROFILE.CROSS_SITE',
    "$_->[1] is not the origin of $_->[0]"
    for ['localhost', 'http://localhost:8080'], ['localhost:80@evil.example', 'http://localhost:80@evil.example'],
    ['evil.example@localhost', 'http://evil.example@localhost'], ['a b', 'http://a b'], ['[::1', 'http://[::1'],
    ['', 'http://'], ['localhost', 'localhost'], ['localhost:443', 'http://localhost'];

# Cookies that are none.
for my $case (['none', ''], ['another one', "other=$value"], ['one in capitals', "QSOSYNC=$value"],
    ['one with quotes', qq{qsosync="$value"}], ['one that is cut', 'qsosync=' . substr $value, 1],
    ['one with more', "qsosync=${value}0"], ['two that differ', "qsosync=$value; qsosync=" . 'x' x 43],
    ['one that was made up', 'qsosync=' . 'x' x 43], ["one of SQL", "qsosync=' OR 1=1 --"],
    ['a bomb', join '; ', map { "c$_=" . 'x' x 100 } 1 .. 600]) {
    is result_of(%local, HTTP_COOKIE => $case->[1]), $nobody, "$case->[0] signs nobody in";
}
is result_of(%local, HTTP_COOKIE => join '; ', (map { "c$_=" . 'x' x 100 } 1 .. 600), "qsosync=$value"), $good,
    'other cookies are no trouble, however many';
is result_of(%local, HTTP_COOKIE => '', QUERY_STRING => "qsosync=$value"), $nobody, 'an address holds no cookie';
is result_of(%local, HTTP_COOKIE => '', REMOTE_USER => '21sd333', QSOSYNC_LOGIN => 1, HTTP_AUTHORIZATION => 'Basic x'),
    $nobody, 'what front servers once told signs nobody in';

# Other pages answer as ever.
for my $path ('/healthz', '/cluster/spots', '/cluster/stats', '/cloudlog/api/station_info/x', '/profile/data',
    '/nothing') {
    my ($with, $without) = map { my $answer = ask(%$_, REQUEST_URI => $path); $answer->status . "\n" . $answer->body }
        { %local }, { HTTP_HOST => '127.0.0.1:8080' };
    is $with, $without, "a cookie changes nothing at $path";
}

done_testing;
