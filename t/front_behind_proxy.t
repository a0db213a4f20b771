use QSOsync::Test fronts => 'all';
use QSOsync::Profile;
use QSOsync::Proxy;

# Behind a proxy that terminates TLS (such as Caddy, Traefik, Nginx Proxy Manager or another nginx), each front server
# uses the shipped site for proxies. The proxy's headers determine the client's address, the scheme and the host. The
# same headers from other clients are ignored.
plan skip_all => 'a hosting provider runs the proxy and names its addresses to Apache'
    if QSOsync::Service::default_front() eq 'htaccess';
my $service = QSOsync::Service->start(site => 1, has_proxy => 1,
    environment => { QSOSYNC_RATE_LIMIT => 60 });
my $proxy = QSOsync::OuterProxy->start($service);
my $host = 'log.example.org:8443';
my $json = JSON::PP->new;

# Sends a request through the proxy, or directly to the service. Addresses of this machine represent clients; 127.0.0.1
# is the proxy.
sub ask {
    my ($method, $path, %option) = @_;
    my $port = delete $option{past} ? $service->port : ($option{proxy} || $proxy)->port;
    my %headers = (Host => $host, %{$option{headers} || {}});
    $headers{'Content-Type'} = 'application/json' if $option{json};
    return QSOsync::Client::request($port, $method, $path, from => $option{from} // '127.0.0.9',
        headers => \%headers, body => $option{json} ? $json->encode($option{json}) : undef);
}
sub left { $_[0]->header('RateLimit-Remaining') }
# Returns the address that the profile shows for programs, or the status if the request fails.
sub told {
    my ($cookie, %option) = @_;
    my $answer = ask('GET', '/profile/data/me', %option, headers => { Cookie => $cookie, %{$option{headers} || {}} });
    return $answer->status == 200 ? $answer->json->{address} : $answer->status;
}

# The proxy determines the scheme: a member signs in with the TLS cookie, and sees the address that the browser
# requested.
my ($secret) = $service->admin('member', 'invite', '21SD333', '--address', 'https://log.example.org') =~ /#(\w+)/;
my %ours = ('Sec-Fetch-Site' => 'same-origin');
my $welcome = ask('POST', '/welcome/', json => { token => $secret }, headers => \%ours);
is $welcome->status, 204, 'an invitation works through the proxy' or diag $welcome->body;
like $welcome->header('Set-Cookie'), qr/\A__Host-qsosync=\w{43};.*; Secure\z/, 'the session cookie requires TLS';
my ($cookie) = $welcome->header('Set-Cookie') =~ /\A([^;]*)/;
is told($cookie), "https://$host/api/v1", 'the profile shows the address that the browser requested';
is told($cookie, from => '127.0.0.1'), "https://$host/api/v1", "the profile shows that address on the proxy's machine";
is ask('POST', '/profile/data/password', json => { password => 'three big antennas' },
    headers => { Cookie => $cookie, Origin => "https://$host" })->status, 204,
    'a request from the same host and port is accepted';
is ask('POST', '/profile/data/password', json => { password => 'four big antennas' },
    headers => { Cookie => $cookie, Origin => 'https://other.example.org:8443' })->status, 403,
    'a request from another site is refused';
sub server { ask('GET', '/api/v1/openapi.json', @_)->json->{servers}[0]{url} }
is server(from => '127.0.0.14'), "https://$host/api/v1", 'the API description has the address in the request';
my $moved = ask('GET', '/cluster');
is $moved->status, 301, 'a path without its final slash is redirected';
like $moved->header('Location'), qr{\A/?cluster/\z}, 'a redirect contains neither scheme nor port of the inner server';

# Each client has its own request limit, whatever the client's headers claim.
is left(ask('GET', '/api/v1/openapi.json', from => '127.0.0.2')), 59, 'a client has its own request limit';
is left(ask('GET', '/api/v1/openapi.json', from => '127.0.0.3')), 59,
    'another client behind the proxy has its own request limit';
is left(ask('GET', '/api/v1/openapi.json', from => '127.0.0.3', headers => { 'X-Forwarded-For' => '192.0.2.1' })), 58,
    'a forged X-Forwarded-For does not change the counted address';

# The service ignores these headers from a client that is not the proxy.
my %spoofed = ('X-Forwarded-For' => '192.0.2.77', 'X-Real-IP' => '192.0.2.77',
    Forwarded => 'for=192.0.2.77;proto=https', 'X-Forwarded-Proto' => 'https', 'X-Forwarded-Host' => 'evil.example',
    'X-Forwarded-Ssl' => 'on');
is left(ask('GET', '/api/v1/openapi.json', past => 1, from => '127.0.0.4')), 59,
    'a client that bypasses the proxy has its own request limit';
is left(ask('GET', '/api/v1/openapi.json', past => 1, from => '127.0.0.4', headers => \%spoofed)), 58,
    'a forged address in a request that bypasses the proxy is ignored';
is ask('GET', '/profile/data/me', past => 1, headers => { %spoofed, Cookie => $cookie })->status, 401,
    'forged TLS in a request that bypasses the proxy does not make the cookie valid';
is ask('POST', '/sign-in', past => 1, json => { callsign => '21SD333', password => 'three big antennas' },
    headers => { %ours, %spoofed })->json->{error}{code}, 'SIGN_IN.NOT_ENCRYPTED',
    'forged TLS in a request that bypasses the proxy does not allow signing in';
my $local = { %spoofed, %ours, Host => '127.0.0.1' };
my $in = ask('POST', '/sign-in', past => 1, json => { callsign => '21SD333', password => 'three big antennas' },
    headers => $local);
is $in->status, 204, 'a member on the machine itself can sign in without the proxy';
my ($plain) = $in->header('Set-Cookie') =~ /\A(qsosync=[^;]*)/;
is told($plain // '', past => 1, headers => $local), 'http://127.0.0.1/api/v1',
    'forged host and scheme in a request that bypasses the proxy are ignored';

is server(past => 1, from => '127.0.0.15', headers => \%spoofed), "http://$host/api/v1",
    'the API description ignores a forged scheme and host';

# Some proxies send the host in a separate header, or not at all.
$proxy->stop;
$proxy = QSOsync::OuterProxy->start($service, lines => { 'proxy_set_header Host' => undef,
    'proxy_set_header X-Forwarded-Host' => '$http_host' });
is told($cookie), "https://$host/api/v1", 'the host is taken from X-Forwarded-Host';
is server(from => '127.0.0.16'), "https://$host/api/v1", 'the API description takes the host from X-Forwarded-Host';
$proxy->stop;
$proxy = QSOsync::OuterProxy->start($service, lines => { 'proxy_set_header Host' => '$host' });
$service->admin('club', 'set', '--address', "https://$host");
is told($cookie), "https://$host/api/v1", "the operator's address takes precedence over the proxy's host";
is ask('POST', '/profile/data/password', json => { password => 'five big antennas', current => 'three big antennas' },
    headers => { Cookie => $cookie, Origin => "https://$host" })->status, 204,
    "the operator's address determines whether a request is from the same site";
$service->admin('club', 'set', '--address', 'https://log.example.org:443');
is ask('POST', '/profile/data/password', json => { password => 'six big antennas', current => 'five big antennas' },
    headers => { Cookie => $cookie, Origin => 'https://log.example.org' })->status, 204,
    "the operator's address can have the default port";
$proxy->stop;

SKIP: {
    skip 'Caddy is not installed', 3 if !QSOsync::OuterProxy::has_caddy();
    $proxy = QSOsync::OuterProxy->start($service, kind => 'caddy');
    $service->admin('club', 'set', '--address', '');
    is told($cookie), "https://$host/api/v1", 'behind Caddy, the profile shows the address that the browser requested';
    is left(ask('GET', '/api/v1/openapi.json', from => $_)), 59, "behind Caddy, $_ has its own request limit"
        for '127.0.0.12', '127.0.0.13';
    $proxy->stop;
}

done_testing;
