use QSOsync::Test fronts => 'all';
use IO::Socket::INET;
use Socket qw(SOL_SOCKET SO_RCVBUF);

# Clients that do not read their answers neither block other clients nor keep a snapshot of the database.
my $service = QSOsync::Service->start(workers => 2,
    environment => { QSOSYNC_SEND_WAIT_MS => 4000, QSOSYNC_RATE_LIMIT => 0 });
my $notes = "\x{1F4E1}" x 2000;
for my $batch (1 .. 3) {
    is $service->post_batch([map { qso(notes => $notes) } 1 .. 150])->status, 200,
        "part $batch of 450 QSOs with long notes is saved";
}

sub start_reading {
    my ($path) = @_;
    my $socket = IO::Socket::INET->new(Proto => 'tcp') or die $!;
    setsockopt $socket, SOL_SOCKET, SO_RCVBUF, 4096; # set before the connection, because later the window is large
    $socket->connect(Socket::pack_sockaddr_in($service->port, Socket::inet_aton('127.0.0.1'))) or die $!;
    print {$socket} "GET /api/v1$path HTTP/1.1\r\nHost: x\r\nConnection: close\r\n",
        'Authorization: Bearer ', $service->read_key, "\r\n\r\n";
    $socket->flush;
    return $socket;
}

my @stalled = map { start_reading('/logs?limit=500') } 1 .. 12;
my @answers = map { $service->get('/me', timeout => 60) } 1 .. 4;
is scalar(grep { $_ && $_->status == 200 } @answers), 4,
    'two workers serve other clients while twelve clients each leave 3.6 MB unread';
is $service->sqlite('PRAGMA wal_checkpoint(TRUNCATE)'), '0|0|0', 'an unread page keeps no snapshot of the database';
is $service->post_batch([qso()])->status, 200, 'QSOs are saved while pages are unread';
close $_ for @stalled;

my $socket = start_reading('/logs?limit=100');
my $received = '';
while (sysread $socket, my $piece, 65536) {
    $received .= $piece;
    select undef, undef, undef, 0.01;
}
like $received, qr/"serverTime":"[^"]+"\}\s*(?:0\s*)?\z/, 'a page that is read in small pieces is complete';

$service->expect_log(
    qr/timed out|Timeout|timeout|prematurely|Connection reset|Broken pipe|mod_fcgid|could not be finished|AH0\d+/i);
$service->stop;

done_testing;
