use QSOsync::Test fronts => 'none';
use QSOsync::Profile;
use QSOsync::Worker;

# The connection determines which cookie is valid. Over TLS, only a cookie that other hosts cannot set is valid. Without
# TLS, a cookie is valid only for addresses of the same machine.
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
is result_of(%local), $good, 'at an address of the same machine, a cookie without TLS is valid';
is result_of(%local, HTTP_HOST => $_), $good, "at $_, the cookie is valid without TLS"
    for 'localhost', 'localhost:8080', '127.1.2.3', '[::1]:8080';
is result_of(%local, HTTP_HOST => $_), $nobody, "at $_, the cookie is invalid without TLS"
    for 'log.example.org', '127.example.org', '127.0.0.1.example.org', 'localhost.example.org', '[::2]',
    '192.168.1.1', '', 'localhost:80@evil.example', 'localhost:', 'localhost:x', 'localhost:-1', 'localhost:65536',
    'localhost:8080:80', 'localhost,evil.example', 'localhost evil.example', "localhost\t", 'localhost/', 'localhost.',
    'evil.example@localhost', '127.0.0.1@evil.example', '127.0.0.256', '0127.0.0.1', '127.0.0.1.', '[::1',
    '[::1]x', '[::1]:', '[::1]@evil.example', '[::1%lo]', '::1', '[127.0.0.1]', 'localhost%00', "localhost\x{c0}";
is result_of(%tls), $good, 'over TLS, a cookie with the prefix __Host-, which other hosts cannot set, is valid';
is result_of(%tls, REQUEST_SCHEME => '', HTTPS => 'on'), $good, 'the variable HTTPS also reports TLS';
is result_of(%tls, HTTP_COOKIE => "qsosync=$value"), $nobody, 'over TLS, a cookie without the prefix is ignored';
is result_of(%local, HTTP_COOKIE => "__Host-qsosync=$value"), $nobody,
    'without TLS, a cookie with the prefix is ignored';
is result_of(%tls, REQUEST_SCHEME => 'http'), $nobody, 'at another machine, a cookie without TLS is invalid';
is result_of(%tls, REQUEST_SCHEME => 'http', QSOSYNC_ADDRESS => 'https://log.example.org'), $good,
    "behind a proxy that terminates TLS, the service's address determines which cookie is valid";
is result_of(%tls, REQUEST_SCHEME => 'http', HTTP_HOST => '127.0.0.1:8080',
    QSOSYNC_ADDRESS => 'https://log.example.org'), $good,
        "the service's address determines the valid cookie even if the proxy sends the name of this machine";
is result_of(%local, HTTP_X_FORWARDED_PROTO => 'https', HTTP_COOKIE => "__Host-qsosync=$value"), $nobody,
    'a header that any client can send is ignored';
is result_of(%local, REQUEST_URI => '/club/profile/data/me'), $good, 'the pages work below a longer path';

# A member cannot sign in over a connection on which no cookie would be valid.
my %form = (REQUEST_URI => '/sign-in', REQUEST_METHOD => 'POST', HTTP_SEC_FETCH_SITE => 'same-origin',
    CONTENT_TYPE => 'application/json',
    body => JSON::PP::encode_json({ callsign => '21SD333', password => $me->{password} }));
my $plain = ask(%form, HTTP_HOST => 'log.example.org');
is $plain->status . ' ' . $plain->code, '403 SIGN_IN.NOT_ENCRYPTED',
    'nobody can sign in over an unencrypted connection to another machine';
my $answer = ask(%form, HTTP_HOST => 'log.example.org', REQUEST_SCHEME => 'https');
is $answer->status, 204, 'a member can sign in over TLS';
like $answer->header('Set-Cookie'),
    qr/\A__Host-qsosync=\w{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict; Secure\z/,
    'a browser sends the cookie only over TLS';

# Without Sec-Fetch-Site, the origin must match the Host header, in any spelling.
my %by_origin = (%form, HTTP_SEC_FETCH_SITE => '', HTTP_COOKIE => '');
is ask(%by_origin, HTTP_HOST => $_->[0], HTTP_ORIGIN => $_->[1])->status, 204, "$_->[1] is the origin of $_->[0]"
    for ['127.0.0.1:8080', 'http://127.0.0.1:8080'], ['LOCALHOST', 'http://localhost'],
    ['localhost:80', 'http://localhost'], ['[::1]:443', 'https://[::1]'];
is ask(%by_origin, HTTP_HOST => $_->[0], HTTP_ORIGIN => $_->[1], REQUEST_SCHEME => 'https')->code, 'PROFILE.CROSS_SITE',
    "$_->[1] is not the origin of $_->[0]"
    for ['localhost', 'http://localhost:8080'], ['localhost:80@evil.example', 'http://localhost:80@evil.example'],
    ['evil.example@localhost', 'http://evil.example@localhost'], ['a b', 'http://a b'], ['[::1', 'http://[::1'],
    ['', 'http://'], ['localhost', 'localhost'], ['localhost:443', 'http://localhost'];

# Invalid cookies are ignored.
for my $case (['no cookie', ''], ['another cookie', "other=$value"], ['a cookie in capitals', "QSOSYNC=$value"],
    ['a cookie with quotes', qq{qsosync="$value"}], ['a truncated cookie', 'qsosync=' . substr $value, 1],
    ['a longer cookie', "qsosync=${value}0"], ['two different cookies', "qsosync=$value; qsosync=" . 'x' x 43],
    ['a forged cookie', 'qsosync=' . 'x' x 43], ["a cookie with SQL", "qsosync=' OR 1=1 --"],
    ['a flood of cookies', join '; ', map { "c$_=" . 'x' x 100 } 1 .. 600]) {
    is result_of(%local, HTTP_COOKIE => $case->[1]), $nobody, "a request with $case->[0] signs nobody in";
}
is result_of(%local, HTTP_COOKIE => join '; ', (map { "c$_=" . 'x' x 100 } 1 .. 600), "qsosync=$value"), $good,
    'other cookies are ignored, however many';
is result_of(%local, HTTP_COOKIE => '', QUERY_STRING => "qsosync=$value"), $nobody,
    'a cookie in the query string is ignored';
is result_of(%local, HTTP_COOKIE => '', REMOTE_USER => '21sd333', QSOSYNC_LOGIN => 1, HTTP_AUTHORIZATION => 'Basic x'),
    $nobody, "variables from a front server's own login sign nobody in";

# Other pages ignore the cookie.
for my $path ('/healthz', '/cluster/spots', '/cluster/stats', '/cloudlog/api/station_info/x', '/profile/data',
    '/nothing') {
    my ($with, $without) = map { my $answer = ask(%$_, REQUEST_URI => $path); $answer->status . "\n" . $answer->body }
        { %local }, { HTTP_HOST => '127.0.0.1:8080' };
    is $with, $without, "a cookie changes nothing at $path";
}

done_testing;
