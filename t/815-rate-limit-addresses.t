use QSOsync::Test fronts => 'all';
use QSOsync::Cgi;

# Whose requests are counted together, and that the minute goes by.
my $service = QSOsync::Service->start(environment => { QSOSYNC_RATE_LIMIT => 5 });
sub statuses { join ' ', map { $_->status } @_ }

# Through the front server: what a client says of its own address does not count.
my @responses = map { $service->get('/me', headers => { 'X-Forwarded-For' => "198.51.100.$_", 'X-Real-IP' => "198.51.100.$_",
    Forwarded => "for=198.51.100.$_", 'Remote-Addr' => "198.51.100.$_", 'X-QSOSYNC-RATE-LIMIT' => 0 },
    key => [$service->read_key, $service->write_key]->[$_ % 2]) } 1 .. 7;
is statuses(@responses), '200 200 200 200 200 429 429', 'an address is the connection\'s, and every key of it counts together';
is join(' ', map { $_->header('RateLimit-Remaining') } @responses), '4 3 2 1 0 0 0', 'what is left is told each time';
is $responses[5]->body, '{"error":{"code":"GENERIC.RATE_LIMITED"}}', 'a refusal has its code';
is scalar(@{$responses[5]->headers->{'retry-after'} || []}), 1, 'and one Retry-After';
like $responses[5]->header('Retry-After'), qr/\A(?:[1-9]|[1-5]\d|60)\z/, 'of whole seconds, a minute at most';
is $responses[5]->header('Retry-After'), $responses[5]->header('RateLimit-Reset'), 'which is the worker\'s own number';
is $responses[0]->header('Retry-After'), undef, 'an answer that is no refusal has none';
is_deeply $responses[5]->headers->{'access-control-allow-origin'}, ['*'], 'pages may read a refusal';
is $responses[5]->header('Cache-Control'), 'no-store', 'and nobody stores it';
is $service->request('OPTIONS', '/logs')->status, 204, 'a preflight passes';
is statuses($service->request('GET', '/nothing'), $service->request('PUT', '/me', body => ''), $service->get('/me', key => 'x')),
    '429 429 429', 'no other request does, whatever it asks for';

# The worker alone, with addresses as a front server gives them.
my %base = (QSOSYNC_DB => $service->db, QSOSYNC_RATE_LIMIT => 3, REQUEST_URI => '/api/v1/me',
    HTTP_AUTHORIZATION => 'Bearer ' . $service->read_key);
sub ask {
    my ($address, @through) = @_;
    return QSOsync::Cgi::answer($service->directory, { %base, REMOTE_ADDR => $address }, through => \@through);
}
sub ask_all { statuses(map { ask($_) } @_) }

is ask_all(('192.0.2.7') x 4), '200 200 200 429', 'the fourth request of an address is refused';
is ask_all('192.0.2.8', '192.0.2.6'), '200 200', 'its neighbours are not';
is ask_all('::ffff:192.0.2.7', '::ffff:192.0.2.8'), '429 200', 'an IPv4 address is the same when it is written as an IPv6 one';
is ask_all('2001:db8:1:1::1', '2001:db8:1:1::2', '2001:db8:1:1:ffff:ffff:ffff:ffff', '2001:DB8:1:1:0:0:0:9'), '200 200 200 429',
    'IPv6 addresses of one /64 are counted together';
is ask_all('2001:db8:1:2::1', '2001:db8:1:0:ffff::1', '2001:db8:2:1::1'), '200 200 200', 'those of another are not';
is statuses(map { QSOsync::Cgi::answer($service->directory, { %base, REMOTE_ADDR => '192.0.2.9', REQUEST_METHOD => $_ }) }
    qw(OPTIONS OPTIONS OPTIONS OPTIONS GET HEAD GET GET)), '204 204 204 204 200 200 200 429', 'preflights do not count';
is statuses(map { QSOsync::Cgi::answer($service->directory, { %base, REMOTE_ADDR => '192.0.2.10', QSOSYNC_RATE_LIMIT => $_ }) }
    1, 1, 0, 2), '200 429 200 200', 'the limit is the setting of the moment; 0 is none';
is ask('192.0.2.7')->header('Retry-After'), undef, 'Retry-After is not the worker\'s';

# Recovery: for a program whose clock is a minute ahead, the minute is over.
SKIP: {
    my @later = qw(unshare --time --monotonic 60);
    skip 'the system does not let this test move a clock', 4 if system('unshare --time --monotonic 60 true 2>/dev/null') != 0;
    my $reset = ask('192.0.2.7')->header('RateLimit-Reset');
    cmp_ok $reset, '<=', 60, 'a refusal says when a request is possible again';
    is statuses(ask('192.0.2.7', qw(unshare --time --monotonic), $reset)), 200, 'and then one is';
    is statuses(map { ask('2001:db8:1:1::1', @later) } 1 .. 4), '200 200 200 429', 'a minute later there are as many as before';
    is ask('192.0.2.11', @later)->header('RateLimit-Remaining'), 2, 'for others as well';
}

done_testing;
