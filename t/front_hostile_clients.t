use QSOsync::Test fronts => 'all';
use IO::Socket::INET;
use Socket qw(SOL_SOCKET SO_RCVBUF);
use QSOsync::Client;

# Hostile requests: each gets an answer in the API's form, and the service continues.
SKIP: {
    my $service = QSOsync::Service->start;
    skip 'Apache answers before it reads a .htaccess file', 1 if $service->front eq 'htaccess';
    $service->expect_log(qr/AH\d+|client sent/);
    my @workers = $service->worker_pids;
    my $key = ['Authorization', 'Bearer ' . $service->read_key];

    sub goes_on {
        my ($name) = @_;
        is $service->get('/me')->status, 200, "after $name the next request is served";
    }

    # headers, expected status
    sub refused {
        my ($name, $path, $headers, $statuses) = @_;
        my $response = $service->request('GET', $path, headers => $headers);
        like $response ? $response->status : 'none', qr/\A(?:$statuses)\z/, "$name gets $statuses";
        is $response && $response->code, 'VALIDATION.FAILED', "$name has the code VALIDATION.FAILED if it is refused"
            if $response && $response->status != 200;
        goes_on($name);
    }
    # nginx forwards a thousand short headers (they fit its 32 KiB); Apache accepts a hundred.
    refused('a thousand headers', '/me', [$key, map { ["X-N$_", $_] } 1 .. 1000], '200|400');
    refused('ten thousand headers', '/me', [$key, map { ["X-Number-$_", $_] } 1 .. 10_000], '400');
    refused('a header of 1 MiB', '/me', [$key, ['X-Long', 'x' x (1 << 20)]], '400');
    refused('a key of 1 MiB', '/me', [['Authorization', 'Bearer ' . 'x' x (1 << 20)]], '400');
    refused('a name of 1 MiB', '/me', [$key, ['X' x (1 << 20), 'x']], '400');
    refused('a query of 1 MiB', '/logs?updatedSince=' . 'x' x (1 << 20), [$key], '414');
    refused('a path of 1 MiB', '/' . 'x' x (1 << 20), [$key], '414');
    refused('a query of 3,500 parameters', '/logs?' . join('&', ('a') x 3500), [$key], '200');
    refused('a parameter 1,000 times', '/logs?' . join('&', ('limit=5') x 900), [$key], '400');

    my %path = ('a path of many segments' => '/a' x 3000, 'escapes all over' => '/%61' x 1500, 'dots' => '/..' x 1000,
        'slashes' => '/' x 5000);
    for my $name (sort keys %path) {
        my $response = $service->request('GET', $path{$name}, headers => [$key]);
        like $response ? $response->status : 'none', qr/\A(?:400|403|404)\z/, "$name gets 400, 403 or 404";
        like $response && $response->code, qr/\A(?:VALIDATION\.FAILED|GENERIC\.NOT_FOUND)\z/,
            "$name has the code of an invalid or unknown request";
        goes_on($name);
    }
    is_deeply [$service->worker_pids], \@workers, 'the workers are the same after all hostile requests';
    is waitpid($_, POSIX::WNOHANG()), 0, "worker $_ is alive after all hostile requests" for @workers;

    # CGI passes a query without "=" to the program as arguments.
    is $service->get("/me?$_")->status, 200, "the query $_ is not an option of the worker" for '--version', '--help',
        '-v+--version';
    $service->stop;
}

# Clients that do not read their answers neither block others nor keep a snapshot of the database.
{
    my $service = QSOsync::Service->start(workers => 2,
        environment => { QSOSYNC_SEND_WAIT_MS => 4000, QSOSYNC_RATE_LIMIT => 0 });
    my $notes = "\x{1F4E1}" x 2000;
    for my $batch (1 .. 3) {
        is $service->post_batch([map { qso(notes => $notes) } 1 .. 150])->status, 200,
            "450 QSOs with long notes, part $batch";
    }

    sub start_reading {
        my ($path) = @_;
        my $socket = IO::Socket::INET->new(Proto => 'tcp') or die $!;
        setsockopt $socket, SOL_SOCKET, SO_RCVBUF, 4096; # before it connects, or the window is already large
        $socket->connect(Socket::pack_sockaddr_in($service->port, Socket::inet_aton('127.0.0.1'))) or die $!;
        print {$socket} "GET /api/v1$path HTTP/1.1\r\nHost: x\r\nConnection: close\r\n",
            'Authorization: Bearer ', $service->read_key, "\r\n\r\n";
        $socket->flush;
        return $socket;
    }

    my @stalled = map { start_reading('/logs?limit=500') } 1 .. 12;
    my @answers = map { $service->get('/me', timeout => 60) } 1 .. 4;
    is scalar(grep { $_ && $_->status == 200 } @answers), 4,
        'two workers serve others while twelve clients leave 3.6 MB unread';
    is $service->sqlite('PRAGMA wal_checkpoint(TRUNCATE)'), '0|0|0', 'an unread page keeps no snapshot of the database';
    is $service->post_batch([qso()])->status, 200, 'QSOs are saved while pages are unread';
    close $_ for @stalled;

    # A slowly read answer arrives completely.
    my $socket = start_reading('/logs?limit=100');
    my $received = '';
    while (sysread $socket, my $piece, 65536) {
        $received .= $piece;
        select undef, undef, undef, 0.01;
    }
    like $received, qr/"serverTime":"[^"]+"\}\s*(?:0\s*)?\z/, 'a page read in small pieces is complete';

    $service->expect_log(
        qr/timed out|Timeout|timeout|prematurely|Connection reset|Broken pipe|mod_fcgid|could not be finished|AH0\d+/i);
    $service->stop;
}

# Clients that send their bodies byte by byte do not block others.
SKIP: {
    my $service = QSOsync::Service->start(workers => 2);
    my $front = $service->front;
    skip 'each request has its own process', 1 if $front eq 'cgi' || $front eq 'htaccess';

    sub start_sending {
        my ($body) = @_;
        my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $service->port) or die $!;
        print {$socket} "POST /api/v1/logs/batch HTTP/1.1\r\nHost: x\r\nConnection: close\r\n",
            'Authorization: Bearer ', $service->write_key, "\r\nContent-Type: application/json\r\n",
            'Content-Length: ', length $body, "\r\n\r\n", substr $body, 0, 1;
        $socket->flush;
        return { socket => $socket, rest => substr $body, 1 };
    }
    sub send_byte {
        my ($sending) = @_;
        print { $sending->{socket} } substr $sending->{rest}, 0, 1, '';
        $sending->{socket}->flush;
    }

    my @slow = map { start_sending(JSON::PP::encode_json({ entries => [qso()] })) } 1 .. 8;
    my $served = 0;
    for (1 .. 5) {
        send_byte($_) for @slow;
        $served += grep { my $response = $service->get('/me', timeout => 20);
        $response && $response->status == 200 } 1 .. 4;
        select undef, undef, undef, 0.2;
    }
    is $served, 20, 'two workers serve others while eight clients send slowly';

    my $done = 0;
    for my $sending (@slow) {
        print { $sending->{socket} } $sending->{rest};
        $sending->{socket}->flush;
        my $answer = do { local $/; readline $sending->{socket} };
        my $response = QSOsync::Client::parse($answer, 'POST');
        $done++ if $response && $response->status == 200;
    }
    is $done, 8, 'each slowly sending client is answered';
    is scalar($service->download), 8, 'each QSO of a slowly sent body is saved';
    $service->stop;
}

done_testing;
