use QSOsync::Test fronts => 'all';
use IO::Socket::INET;
use QSOsync::Client;

# Clients that send their bodies byte by byte keep nobody from being served.
my $service = QSOsync::Service->start(workers => 2);
my $front = $service->front;
plan skip_all => 'each request has a process of its own' if $front eq 'cgi' || $front eq 'htaccess';

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
is $served, 20, 'while eight clients send their bodies slowly, others are served by two workers';

my $done = 0;
for my $sending (@slow) {
    print { $sending->{socket} } $sending->{rest};
    $sending->{socket}->flush;
    my $answer = do { local $/; readline $sending->{socket} };
    my $response = QSOsync::Client::parse($answer, 'POST');
    $done++ if $response && $response->status == 200;
}
is $done, 8, 'each client that sent its body slowly is answered';
is scalar($service->download), 8, 'each QSO of a body that was sent slowly is saved';

done_testing;
