use QSOsync::Test fronts => 'nginx', slow => 15, suite => 'all';

# Clients leave in the middle of a body or an answer, or the front server is replaced. The worker saves no partial data,
# leaks nothing, and continues.
use IO::Socket::UNIX;
use List::Util qw(min);
use POSIX ();
use Time::HiRes qw(sleep);
my $sanitized = QSOsync::Front::is_sanitized(); # sanitizers keep freed memory for a while
my $rounds = $sanitized ? 10 : 60; # enough repetitions to show a leak
my $service = QSOsync::Service->start(workers => 1);
$service->expect_log(qr/prematurely closed|reset by peer|Broken pipe|upstream/);
my ($pid) = $service->worker_pids;
my $key = $service->write_key;
$service->post_batch([my $kept = qso()]);
$service->sqlite(q{INSERT INTO qsos (member_id, client_id, synced_at, created_at, band, qso_at)
    SELECT 1, randomblob(16), value, value, 0, value FROM generate_series(1, 100000)});
my $count = 100_001;

# The minimum of several measurements counts, because nginx closes its connection a moment after the answer.
sub open_files { min(map { sleep 0.01; scalar(() = glob "/proc/$pid/fd/*") } 1 .. 10) }
sub memory { $service->memory_kib($pid, 'RssAnon') || die 'no RssAnon' }

# The body is a valid batch up to the cut.
my $body = JSON::PP->new->utf8->encode({ entries => [map { full_qso() } 1 .. 50] });
my $announced = 2 * length $body;

# The test speaks FastCGI itself (version 1.0, section 3.3), so that the worker receives bytes that nginx would hold
# back.
sub record { my ($type, $bytes) = @_; pack('CCnnCC', 1, $type, 1, length $bytes, 0, 0) . $bytes }
sub parameters {
    my %value = @_;
    join '', map { pack('NN', map { length() | 0x8000_0000 } $_, $value{$_}) . $_ . $value{$_} } sort keys %value;
}
sub ask_worker {
    my ($method, $path, %extra) = @_;
    my $socket = IO::Socket::UNIX->new(Peer => $service->directory . '/worker.sock') or die "worker.sock: $!";
    print {$socket} record(1, pack 'nCx5', 1, 0),
        record(4, parameters(REQUEST_METHOD => $method, REQUEST_URI => "/api/v1$path",
        REMOTE_ADDR => '192.0.2.1', HTTP_AUTHORIZATION => "Bearer $key", CONTENT_TYPE => 'application/json', %extra)),
        record(4, '');
    return $socket;
}
sub ask_front {
    my ($head) = @_;
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $service->port) or die "the front: $!";
    print {$socket} "$head\r\nHost: localhost\r\nAuthorization: Bearer $key\r\nContent-Type: application/json\r\n";
    return $socket;
}

my %gone = (
    'half a body' => sub {
        print { ask_front('POST /api/v1/logs/batch HTTP/1.1') } "Content-Length: $announced\r\n\r\n$body";
    },
    'half a chunked body' => sub {
        print { ask_front('POST /api/v1/logs/batch HTTP/1.1') } "Transfer-Encoding: chunked\r\n\r\n",
            sprintf("%x\r\n", length $body), $body;
    },
    'half a body, sent directly to the worker' => sub {
        print { ask_worker('POST', '/logs/batch', CONTENT_LENGTH => $announced) } record(5, $body);
    },
    'a body without its end, sent directly to the worker' => sub {
        print { ask_worker('POST', '/logs/batch', HTTP_TRANSFER_ENCODING => 'chunked') } record(5, $body);
    },
    'half a record' => sub {
        print { ask_worker('POST', '/logs/batch', CONTENT_LENGTH => length $body) } substr record(5, $body), 0, 1000;
    },
    'half an answer' => sub {
        my $socket = ask_front('GET /api/v1/logs/ids HTTP/1.1');
        print {$socket} "\r\n";
        sysread $socket, my $piece, 1000;
    },
    'half an answer, read directly from the worker' => sub {
        my $socket = ask_worker('GET', '/logs/ids');
        print {$socket} record(5, '');
        sysread $socket, my $piece, 1000;
    },
    'no answer' => sub { print { ask_worker('GET', '/logs/ids') } record(5, '') },
    'half a head' => sub { ask_front('POST /api/v1/logs/batch HTTP/1.1') },
);
local $SIG{PIPE} = 'IGNORE';
{
    my $socket = ask_worker('POST', '/logs/batch', CONTENT_LENGTH => length $body);
    print {$socket} record(5, $body), record(5, '');
    like do { local $/; scalar <$socket> }, qr/Status: 200 .*"results":/s,
        'a whole body sent directly to the worker is accepted';
    $count += 50;
}
for my $name (sort keys %gone) {
    $gone{$name}->() for 1 .. 5;
    is $service->get('/me')->status, 200, "the worker continues after this: $name";
    my ($files, $memory) = (open_files(), memory());
    $gone{$name}->() for 1 .. $rounds;
    is $service->get('/me')->status, 200, "the worker continues after this, $rounds times: $name";
    ok until_true(sub { open_files() <= $files }), "the worker leaks no descriptor after this, $rounds times: $name";
    cmp_ok memory() - $memory, '<', 1024, "the worker leaks no memory after this, $rounds times: $name"
        unless $sanitized;
}
is $service->sqlite('SELECT count(*) FROM qsos'), $count, 'no partial body saves a QSO';
is +($service->worker_pids)[0], $pid, 'no departing client ends the worker';
is waitpid($pid, POSIX::WNOHANG()), 0, 'the worker is alive after all departing clients';
is scalar(@{$service->get('/logs/ids')->json->{items}}), $count, 'the next client gets the whole list';

# nginx is replaced while clients continue. Clients can lose their connection, but they get no wrong answer, and no
# acknowledged QSO is lost.
my $before = $service->get('/logs?limit=1')->json->{serverTime};
my @clients = map {
    my $number = $_;
    my $client = fork;
    if (!$client) {
        srand $$;
        my ($stop, $wrong, @saved) = (0, 0);
        $SIG{TERM} = sub { $stop = 1 };
        until ($stop && ($number % 2 || @saved >= 5)) {
            my $entry = qso(notes => 'during');
            my $response = $number % 2 ? $service->get('/me') : $service->post_batch([$entry]);
            sleep 0.01;
            next if !$response || !$response->complete;
            $wrong++ if $response->status != 200 || !$response->json;
            push @saved, $entry->{clientId} if !($number % 2);
        }
        QSOsync::Front::write_file($service->directory . "/client-$number", join "\n", $wrong, @saved);
        POSIX::_exit(0);
    }
    $client;
} 1 .. 4;
for (1 .. 5) {
    sleep 0.2;
    kill 'QUIT', $service->{front_pid};
    waitpid $service->{front_pid}, 0;
    $service->{front_pid} = QSOsync::Front::spawn($service->directory . '/front.log', $service->{environment}, undef,
        QSOsync::Front::nginx_command($service));
    $service->wait_until_ready or die 'nginx did not start again';
}
sleep 0.2;
kill 'TERM', @clients;
waitpid $_, 0 for @clients;
my ($wrong, %saved) = 0;
for my $file (glob $service->directory . '/client-*') {
    my ($these, @ids) = split /\n/, QSOsync::Front::read_file($file);
    $wrong += $these;
    @saved{@ids} = ();
}
is $wrong, 0, 'no answer is wrong while the front server is replaced';
cmp_ok scalar(keys %saved), '>', 5, 'batches are saved while the front server is replaced';
delete @saved{map { $_->{clientId} } $service->download(since => $before)};
is scalar(keys %saved), 0, 'acknowledged QSOs survive replacing the front server';
is waitpid($pid, POSIX::WNOHANG()), 0, 'the worker survives replacing the front server';
is $service->admin('check'), '', 'the logbook passes the check after replacing the front server';

done_testing;
