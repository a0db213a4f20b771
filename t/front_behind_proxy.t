use QSOsync::Test fronts => 'all';
use QSOsync::Profile;
use QSOsync::Proxy;

# Behind a proxy that ends TLS, as Caddy, Traefik, Nginx Proxy Manager or another nginx do, each front server with the
# site that is shipped for that: client, scheme and host are what the proxy says of them, and from nobody else that
# counts.
plan skip_all => 'a hoster has the proxy, and names its addresses to Apache'
    if QSOsync::Service::default_front() eq 'htaccess';
my $service = QSOsync::Service->start(site => 1, has_proxy => 1,
    environment => { QSOSYNC_RATE_LIMIT => 60 });
my $proxy = QSOsync::OuterProxy->start($service);
my $host = 'log.example.org:8443';
my $json = JSON::PP->new;

# Through the proxy, or past it. Addresses of this machine stand for those of clients; 127.0.0.1 is the proxy's.
sub ask {
    my ($method, $path, %option) = @_;
    my $port = delete $option{past} ? $service->port : ($option{proxy} || $proxy)->port;
    my %headers = (Host => $host, %{$option{headers} || {}});
    $headers{'Content-Type'} = 'application/json' if $option{json};
    return QSOsync::Client::request($port, $method, $path, from => $option{from} // '127.0.0.9',
        headers => \%headers, body => $option{json} ? $json->encode($option{json}) : undef);
}
sub left { $_[0]->header('RateLimit-Remaining') }
# What the service tells a member to type into programs.
sub told {
    my ($cookie, %option) = @_;
    my $answer = ask('GET', '/profile/data/me', %option, headers => { Cookie => $cookie, %{$option{headers} || {}} });
    return $answer->status == 200 ? $answer->json->{address} : $answer->status;
}

# The scheme: a member signs in with the cookie of TLS, and is told the address that the browser asked.
my ($secret) = $service->admin('member', 'invite', '21SD333', '--address', 'https://log.example.org') =~ /#(\w+)/;
my %ours = ('Sec-Fetch-Site' => 'same-origin');
my $welcome = ask('POST', '/welcome/', json => { token => $secret }, headers => \%ours);
is $welcome->status, 204, 'an invitation is used through the proxy' or diag $welcome->body;
like $welcome->header('Set-Cookie'), qr/\A__Host-qsosync=\w{43};.*; Secure\z/, 'the session goes over TLS alone';
my ($cookie) = $welcome->header('Set-Cookie') =~ /\A([^;]*)/;
is told($cookie), "https://$host/api/v1", 'programs are told the address that the browser asked';
is told($cookie, from => '127.0.0.1'), "https://$host/api/v1", 'so they are on the machine of the proxy itself';
is ask('POST', '/profile/data/password', json => { password => 'three big antennas' },
    headers => { Cookie => $cookie, Origin => "https://$host" })->status, 204,
    'a port of its own makes no other site of a page';
is ask('POST', '/profile/data/password', json => { password => 'four big antennas' },
    headers => { Cookie => $cookie, Origin => 'https://other.example.org:8443' })->status, 403,
    'a page of another site changes nothing';
my $moved = ask('GET', '/cluster');
is $moved->status, 301, 'a path without its slash leads on';
like $moved->header('Location'), qr{\A/?cluster/\z}, 'that names neither scheme nor port of the server behind';

# The client: each has requests of its own, whatever it says of itself.
is left(ask('GET', '/api/v1/openapi.json', from => '127.0.0.2')), 59, 'a client has its requests';
is left(ask('GET', '/api/v1/openapi.json', from => '127.0.0.3')), 59, 'another one behind the same proxy has its own';
is left(ask('GET', '/api/v1/openapi.json', from => '127.0.0.3', headers => { 'X-Forwarded-For' => '192.0.2.1' })), 58,
    'a client that names another address to the proxy counts by its own';

# Somebody who is not the proxy.
my %spoofed = ('X-Forwarded-For' => '192.0.2.77', 'X-Real-IP' => '192.0.2.77',
    Forwarded => 'for=192.0.2.77;proto=https', 'X-Forwarded-Proto' => 'https', 'X-Forwarded-Host' => 'evil.example',
    'X-Forwarded-Ssl' => 'on');
is left(ask('GET', '/api/v1/openapi.json', past => 1, from => '127.0.0.4')), 59,
    'past the proxy a client has its requests';
is left(ask('GET', '/api/v1/openapi.json', past => 1, from => '127.0.0.4', headers => \%spoofed)), 58,
    'the address that it claims is not believed';
is ask('GET', '/profile/data/me', past => 1, headers => { %spoofed, Cookie => $cookie })->status, 401,
    'TLS that it claims is not believed either: the cookie is no cookie';
is ask('POST', '/sign-in', past => 1, json => { callsign => '21SD333', password => 'three big antennas' },
    headers => { %ours, %spoofed })->json->{error}{code}, 'SIGN_IN.NOT_ENCRYPTED', 'nobody signs in by claiming TLS';
my $local = { %spoofed, %ours, Host => '127.0.0.1' };
my $in = ask('POST', '/sign-in', past => 1, json => { callsign => '21SD333', password => 'three big antennas' },
    headers => $local);
is $in->status, 204, 'on the machine itself a member signs in past the proxy';
my ($plain) = $in->header('Set-Cookie') =~ /\A(qsosync=[^;]*)/;
is told($plain // '', past => 1, headers => $local), 'http://127.0.0.1/api/v1',
    'neither host nor scheme is what it claims';

# Proxies that tell the host in a header of its own, or not at all.
$proxy->stop;
$proxy = QSOsync::OuterProxy->start($service, lines => { 'proxy_set_header Host' => undef,
    'proxy_set_header X-Forwarded-Host' => '$http_host' });
is told($cookie), "https://$host/api/v1", 'the host may be in X-Forwarded-Host';
$proxy->stop;
$proxy = QSOsync::OuterProxy->start($service, lines => { 'proxy_set_header Host' => '$host' });
$service->admin('club', 'set', '--address', "https://$host");
is told($cookie), "https://$host/api/v1", "what the operator has said counts, whatever the proxy leaves of the address";
is ask('POST', '/profile/data/password', json => { password => 'five big antennas', current => 'three big antennas' },
    headers => { Cookie => $cookie, Origin => "https://$host" })->status, 204, 'so it does for whose page it is';
$service->admin('club', 'set', '--address', 'https://log.example.org:443');
is ask('POST', '/profile/data/password', json => { password => 'six big antennas', current => 'five big antennas' },
    headers => { Cookie => $cookie, Origin => 'https://log.example.org' })->status, 204,
    'the port of the scheme may be said, and browsers leave it out';
$proxy->stop;

SKIP: {
    skip 'Caddy is not there', 3 if !QSOsync::OuterProxy::has_caddy();
    $proxy = QSOsync::OuterProxy->start($service, kind => 'caddy');
    $service->admin('club', 'set', '--address', '');
    is told($cookie), "https://$host/api/v1", 'behind Caddy programs are told the address that the browser asked';
    is left(ask('GET', '/api/v1/openapi.json', from => $_)), 59, "behind Caddy $_ has its own requests"
        for '127.0.0.12', '127.0.0.13';
    $proxy->stop;
}

done_testing;
