use QSOsync::Test fronts => 'all';
use IO::Socket::INET;
use Socket qw(SOL_SOCKET SO_RCVBUF);
use QSOsync::Client;

# Each hostile request gets an answer in the API's format, and the service continues.
SKIP: {
    my $service = QSOsync::Service->start;
    skip 'Apache answers before it reads a .htaccess file', 1 if $service->front eq 'htaccess';
    $service->expect_log(qr/AH\d+|client sent/);
    my @workers = $service->worker_pids;
    my $key = ['Authorization', 'Bearer ' . $service->read_key];

    sub goes_on {
        my ($name) = @_;
        is $service->get('/me')->status, 200, "after $name, the next request is served";
    }

    # Sends a request with these headers. Checks the status and the code of the answer.
    sub refused {
        my ($name, $path, $headers, $statuses) = @_;
        my $response = $service->request('GET', $path, headers => $headers);
        like $response ? $response->status : 'none', qr/\A(?:$statuses)\z/, "$name gets $statuses";
        is $response && $response->code, 'VALIDATION.FAILED', "a refusal of $name has the code VALIDATION.FAILED"
            if $response && $response->status != 200;
        goes_on($name);
    }
    # nginx forwards a thousand short headers, which fit in its 32 KiB, and Apache accepts a hundred.
    refused('a thousand headers', '/me', [$key, map { ["X-N$_", $_] } 1 .. 1000], '200|400');
    refused('ten thousand headers', '/me', [$key, map { ["X-Number-$_", $_] } 1 .. 10_000], '400');
    refused('a header of 1 MiB', '/me', [$key, ['X-Long', 'x' x (1 << 20)]], '400');
    refused('a key of 1 MiB', '/me', [['Authorization', 'Bearer ' . 'x' x (1 << 20)]], '400');
    refused('a name of 1 MiB', '/me', [$key, ['X' x (1 << 20), 'x']], '400');
    refused('a query of 1 MiB', '/logs?updatedSince=' . 'x' x (1 << 20), [$key], '414');
    refused('a path of 1 MiB', '/' . 'x' x (1 << 20), [$key], '414');
    refused('a query of 3,500 parameters', '/logs?' . join('&', ('a') x 3500), [$key], '200');
    refused('a parameter 900 times', '/logs?' . join('&', ('limit=5') x 900), [$key], '400');

    my %path = ('a path of many segments' => '/a' x 3000, 'a path of escapes' => '/%61' x 1500,
        'a path of dots' => '/..' x 1000,
        'a path of slashes' => '/' x 5000);
    for my $name (sort keys %path) {
        my $response = $service->request('GET', $path{$name}, headers => [$key]);
        like $response ? $response->status : 'none', qr/\A(?:400|403|404)\z/, "$name gets 400, 403 or 404";
        like $response && $response->code, qr/\A(?:VALIDATION\.FAILED|GENERIC\.NOT_FOUND)\z/,
            "the answer to $name has the code of an invalid or unknown request";
        goes_on($name);
    }
    is_deeply [$service->worker_pids], \@workers, 'no worker ends during all hostile requests';
    is waitpid($_, POSIX::WNOHANG()), 0, "worker $_ is alive after all hostile requests" for @workers;

    # CGI passes a query without "=" to the program as arguments.
    is $service->get("/me?$_")->status, 200, "the query $_ is not an option of the worker" for '--version', '--help',
        '-v+--version';
    $service->stop;
}

# Clients that send their bodies byte by byte do not block other clients.
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
    is $served, 20, 'two workers serve other clients while eight clients send slowly';

    my $done = 0;
    for my $sending (@slow) {
        print { $sending->{socket} } $sending->{rest};
        $sending->{socket}->flush;
        my $answer = do { local $/; readline $sending->{socket} };
        my $response = QSOsync::Client::parse($answer, 'POST');
        $done++ if $response && $response->status == 200;
    }
    is $done, 8, 'each slowly sending client is answered';
    is scalar($service->download), 8, 'each QSO in a slowly sent body is saved';
    $service->stop;
}

done_testing;
