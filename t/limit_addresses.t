use QSOsync::Test fronts => 'essential';
use QSOsync::Worker;

# Requests in the last minute are counted per IPv4 address and per IPv6 /64.
my $service = QSOsync::Service->start(environment => { QSOSYNC_RATE_LIMIT => 5 });
sub statuses { join ' ', map { $_->status } @_ }

# The front server gives the worker the client's real address, whatever the client's own headers contain.
my @responses =
    map { $service->get('/me', headers => { 'X-Forwarded-For' => "198.51.100.$_", 'X-Real-IP' => "198.51.100.$_",
    Forwarded => "for=198.51.100.$_", 'Remote-Addr' => "198.51.100.$_", 'X-QSOSYNC-RATE-LIMIT' => 0 },
    key => [$service->read_key, $service->write_key]->[$_ % 2]) } 1 .. 7;
is statuses(@responses), '200 200 200 200 200 429 429',
    'requests from one address count together, whatever their keys and headers contain';
is join(' ', map { $_->header('RateLimit-Remaining') } @responses), '4 3 2 1 0 0 0',
    "each answer contains the address's number of remaining requests";
is $responses[5]->body, '{"error":{"code":"GENERIC.RATE_LIMITED"}}',
    'a refusal contains only its code';
is scalar(@{$responses[5]->headers->{'retry-after'} || []}), 1, 'a refusal has one Retry-After';
like $responses[5]->header('Retry-After'), qr/\A(?:[1-9]|[1-5]\d|60)\z/,
    'Retry-After is in whole seconds, at most one minute';
is $responses[5]->header('Retry-After'), $responses[5]->header('RateLimit-Reset'),
    "Retry-After equals the worker's RateLimit-Reset";
is $responses[0]->header('Retry-After'), undef, 'an answer below the limit has no Retry-After';
is_deeply $responses[5]->headers->{'access-control-allow-origin'}, ['*'],
    'pages on other sites may read a refusal';
is $responses[5]->header('Cache-Control'), 'no-store', 'a refusal must not be cached';
is $service->request('OPTIONS', '/logs')->status, 204, 'a preflight is answered when no requests are left';
is statuses($service->request('GET', '/nothing'), $service->request('PUT', '/me', body => ''),
    $service->get('/me', key => 'x')),
    '429 429 429', 'every request except a preflight is refused when no requests are left';

# From here on, the worker runs without a front server, and gets addresses in each format that front servers use.
my %base = (QSOSYNC_DB => $service->db, QSOSYNC_RATE_LIMIT => 3, REQUEST_URI => '/api/v1/me',
    HTTP_AUTHORIZATION => 'Bearer ' . $service->read_key);
sub ask {
    my ($address, @through) = @_;
    return QSOsync::Cgi::answer($service->directory, { %base, REMOTE_ADDR => $address }, through => \@through);
}
sub ask_all { statuses(map { ask($_) } @_) }

is ask_all(('192.0.2.7') x 4), '200 200 200 429', 'the fourth request from an address is refused';
is ask_all('192.0.2.8', '192.0.2.6'), '200 200', 'requests from adjacent addresses are answered';
is ask_all('::ffff:192.0.2.7', '::ffff:192.0.2.8'), '429 200',
    'an IPv4-mapped IPv6 address counts as the IPv4 address';
is ask_all('2001:db8:1:1::1', '2001:db8:1:1::2', '2001:db8:1:1:ffff:ffff:ffff:ffff', '2001:DB8:1:1:0:0:0:9'),
    '200 200 200 429',
    'IPv6 addresses in one /64 are counted together';
is ask_all('2001:db8:1:2::1', '2001:db8:1:0:ffff::1', '2001:db8:2:1::1'), '200 200 200',
    'IPv6 addresses in another /64 are counted separately';
is ask_all('', 'unix:', '192.0.2.77:4711', 'fe80::1%eth0'), '200 200 200 429',
    'requests without a valid address share one count';
is statuses(
    map { QSOsync::Cgi::answer($service->directory, { %base, REMOTE_ADDR => '192.0.2.9', REQUEST_METHOD => $_ }) }
    qw(OPTIONS OPTIONS OPTIONS OPTIONS GET HEAD GET GET)), '204 204 204 204 200 200 200 429',
    'preflights do not count';
is statuses(
    map { QSOsync::Cgi::answer($service->directory, { %base, REMOTE_ADDR => '192.0.2.10',
        QSOSYNC_RATE_LIMIT => $_ }) }
    1, 1, 0, 2), '200 429 200 200', 'each request uses the current limit; 0 means unlimited';
is ask('192.0.2.7')->header('Retry-After'), undef,
    'the worker sends no Retry-After, because the front server adds the header';

# A worker whose clock is a minute ahead answers again.
SKIP: {
    my @later = qw(unshare --time --monotonic 60);
    skip 'the system does not let this test change a clock', 4
        if system('unshare --time --monotonic 60 true 2>/dev/null') != 0;
    my $reset = ask('192.0.2.7')->header('RateLimit-Reset');
    cmp_ok $reset, '<=', 60, 'the wait that a refusal states is at most 60 seconds';
    is statuses(ask('192.0.2.7', qw(unshare --time --monotonic), $reset)), 200,
        'a request is answered after the wait that the refusal stated';
    is statuses(map { ask('2001:db8:1:1::1', @later) } 1 .. 4), '200 200 200 429',
        'an address has all its requests again after a minute';
    is ask('192.0.2.11', @later)->header('RateLimit-Remaining'), 2,
        'an address without earlier requests also has all its requests';
}

done_testing;
