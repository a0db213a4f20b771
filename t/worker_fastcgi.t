use QSOsync::Test fronts => 'none';
use QSOsync::Worker;

# Requests arrive over a worker's socket: records of any size, connections that stay open, and connections that break
# off. (libfcgi gives a client two seconds to close its end, so the test closes answered connections.)
use IO::Select;
use POSIX qw(WNOHANG);
use Socket qw(AF_UNIX SOCK_STREAM PF_UNSPEC);
use Time::HiRes qw(sleep);
$SIG{PIPE} = 'IGNORE';
local $SIG{ALRM} = sub { die 'no more data arrive' };
alarm 300;
my $service = QSOsync::Service->start(workers => 1);
my ($worker) = $service->worker_pids;
my %read = (HTTP_AUTHORIZATION => 'Bearer ' . $service->read_key);
my %batch = (REQUEST_METHOD => 'POST', REQUEST_URI => '/api/v1/logs/batch', CONTENT_TYPE => 'application/json',
    HTTP_AUTHORIZATION => 'Bearer ' . $service->write_key);

sub body { return JSON::PP::encode_json({ entries => \@_ }) }
sub send_bytes {
    my ($bytes) = @_;
    my $socket = QSOsync::FastCgi::connect($service);
    print {$socket} $bytes;
    $socket->flush;
    return $socket;
}
# Sends the beginning of a request, which keeps the worker busy until the rest is sent. Returns the socket and the rest.
sub begin_batch {
    my (%option) = @_;
    my $bytes = QSOsync::FastCgi::request(\%batch, body => body(qso()), %option);
    my $socket = send_bytes(substr $bytes, 0, -20);
    my $unread;
    until_true(sub { ioctl $socket, 0x5411, $unread = pack 'i', 0; unpack('i', $unread) == 0 }); # TIOCOUTQ
    return ($socket, substr $bytes, -20);
}
sub read_to_end { my ($socket) = @_; 1 while sysread $socket, my $piece, 65536; close $socket }
sub is_served {
    my ($name) = @_;
    my $response =
        QSOsync::FastCgi::answer(send_bytes(QSOsync::FastCgi::request({ %read, REQUEST_URI => '/api/v1/me' })));
    is $response && $response->status, 200, "$name: the next request is served";
    is kill(0, $worker), 1, "$name: the same worker continues";
}
# Stops the worker while the function runs, so that the worker receives all events of the function at once.
sub at_once {
    my ($work) = @_;
    kill 'STOP', $worker;
    my @result = $work->();
    kill 'CONT', $worker;
    return @result;
}
# Returns the ids of the processes that send this worker's answers.
sub senders {
    grep { (eval { QSOsync::Front::read_file("/proc/$_/stat") } // '') =~ /\A\d+ \(qsosync answer\) [^Z] $worker / }
        map { m{(\d+)\z} } glob '/proc/[0-9]*';
}
# Returns whether the worker ends by itself, with exit status 0.
sub ends_soon {
    my ($pid) = @_;
    return $? == 0 if until_true(sub { waitpid($pid, WNOHANG) == $pid });
    kill 'KILL', $pid;
    waitpid $pid, 0;
    return 0;
}

for my $size (1, 7, 8, 100, 65535) {
    my $response = QSOsync::FastCgi::answer(send_bytes(QSOsync::FastCgi::request(\%batch, record_bytes => $size,
        padding => $size % 8, body => body(map { full_qso() } 1 .. 3))));
    is scalar(grep { $_->{id} } @{$response->json->{results}}), 3, "a request in records of $size bytes is answered";
}
$service->post_batch([map { full_qso(notes => 'x' x 600) } 1 .. 200]) for 1 .. 10;

# Several requests use one connection.
my $kept = QSOsync::FastCgi::connect($service);
for my $path ('/me', '/logs?limit=100', '/nothing', '/logs/ids') {
    my ($before, $query) = split /\?/, $path;
    print {$kept} QSOsync::FastCgi::request({ %read, REQUEST_URI => "/api/v1$path", QUERY_STRING => $query || '' },
        keep => 1);
    $kept->flush;
    my $response = QSOsync::FastCgi::answer($kept);
    ok $response && $response->complete && $response->json, "a request for $path on a kept connection is answered";
}
close $kept;
is_served('a kept connection closes');
$kept = send_bytes(QSOsync::FastCgi::request({ %read, REQUEST_URI => '/api/v1/logs', QUERY_STRING => 'limit=500' },
    keep => 1));
is @{QSOsync::FastCgi::answer($kept)->json->{items}}, 500,
    'a long answer is complete if its connection may be kept';
is sysread($kept, my $nothing, 1), 0, 'the connection closes after a long answer, which another process sends';
close $kept;

# Requests break off in the head, in the variables, in the body, before the answer, or in the answer.
my $count = @{$service->get('/logs/ids')->json->{items}};
my $whole = QSOsync::FastCgi::request(\%batch, body => body(map { qso() } 1 .. 20));
for my $part (4, 30, 200, length($whole) - 300, length($whole) - 9) {
    close send_bytes(substr $whole, 0, $part);
    is_served("a request breaks off after $part of " . length($whole) . ' bytes');
}
is @{$service->get('/logs/ids')->json->{items}}, $count, 'nothing from a broken request is saved';
for my $path ('/logs', '/logs/ids') {
    at_once(sub {
        close send_bytes(
            QSOsync::FastCgi::request({ %read, REQUEST_URI => "/api/v1$path", QUERY_STRING => 'limit=500' }));
    });
    is_served("a client reads nothing of the answer to $path");
    my $socket =
        send_bytes(QSOsync::FastCgi::request({ %read, REQUEST_URI => "/api/v1$path", QUERY_STRING => 'limit=500' }));
    sysread $socket, my $some, 1000;
    close $socket;
    is_served("a client leaves in the middle of the answer to $path");
}

# A slow reader waits while the worker is stopped and continued during the answer.
my ($slow) = at_once(sub {
    send_bytes(QSOsync::FastCgi::request({ %read, REQUEST_URI => '/api/v1/logs', QUERY_STRING => 'limit=500' }))
});
for (1 .. 5) {
    sleep 0.05;
    at_once(sub { sleep 0.01 });
}
my $response = QSOsync::FastCgi::answer($slow);
ok $response && $response->complete,
    'a slow reader gets all announced bytes from a worker that was stopped and continued';
is @{$response->json->{items}}, 500, 'a slow reader gets the whole page from a worker that was stopped and continued';
close $slow;

# A process sends a long page while nobody reads the page.
my $other = $service->add_member('26AT103');
$service->sqlite("INSERT INTO qsos (member_id, client_id, synced_at, created_at, band, qso_at, frequency, mode,
        callsign_worked, notes)
    SELECT id, randomblob(16), value, 0, 0, 1700000000000 + value, 27555, 2, '26AT' || value,
        replace(printf('%.1900c', 'n'), 'n', char(128225))
    FROM generate_series(1, 500), members WHERE callsign = '26AT103'");
my $unread =
    send_bytes(
    QSOsync::FastCgi::request({ HTTP_AUTHORIZATION => "Bearer $other->{read_key}", REQUEST_URI => '/api/v1/logs',
    QUERY_STRING => 'limit=500' }));
my @kib;
my $most_kib = QSOsync::Front::is_sanitized() ? 200_000 : 2000; # sanitizers keep additional memory
until_true(sub { @kib = map { $service->memory_kib($_, 'RssAnon') } senders(); @kib == 1 && $kib[0] <= $most_kib });
is scalar(@kib), 1, 'a process sends a page of 3.8 MB';
cmp_ok $kib[0] // 'none', '<=', $most_kib, 'a process that sends a page of 3.8 MB does not hold the page in memory';
is length(QSOsync::FastCgi::answer($unread)->body) > 3_800_000, 1, 'a page of 3.8 MB arrives complete';
close $unread;

# A worker whose only client keeps its connection ends on request.
$kept = QSOsync::FastCgi::connect($service);
print {$kept} QSOsync::FastCgi::request({ %read, REQUEST_URI => '/api/v1/me' }, keep => 1);
$kept->flush;
is QSOsync::FastCgi::answer($kept)->status, 200, 'a request on a kept connection is answered';
kill 'TERM', $worker;
is sysread($kept, my $rest, 1), 0, 'a worker that must end closes a kept connection';
close $kept;
ok ends_soon($worker), 'a worker with a kept connection ends on request without an error';

# A connection that the front server keeps occupies the worker until it is closed, as nginx does after reading the
# answer.
my %me = (%read, REQUEST_URI => '/api/v1/me');
my $me = QSOsync::FastCgi::request(\%me, keep => 1);
sub ask {
    my ($socket) = @_;
    print {$socket} $me;
    $socket->flush;
}
sub is_answered {
    my ($socket, $name) = @_;
    my $response = QSOsync::FastCgi::answer($socket);
    is $response && $response->status, 200, $name;
    return $response && hex substr $response->header('X-Request-Id'), 8;
}
sub is_silent { my ($socket, $name) = @_; is scalar(IO::Select->new($socket)->can_read(0.2)), undef, $name }
sub new_worker { $worker = $service->start_worker; is_served('a new worker starts') }

new_worker();
my $alone = send_bytes($me);
is_answered($alone, 'a request with FCGI_KEEP_CONN is answered');
is_silent(my $new = send_bytes($me), 'a worker with a kept connection accepts no second connection');
ask($alone);
is_answered($alone, 'a worker with a kept connection serves its next request');
close $alone;
is_answered($new, 'a waiting connection is served as soon as a kept connection closes');
shutdown $new, 1;
is sysread($new, my $end, 1), 0, 'the worker closes a kept connection once the client closes its half';
close $new;

# A client sends its next request as soon as the answer to the current request begins.
my ($late, $rest_of_it) = begin_batch(keep => 1);
syswrite $late, $rest_of_it;
IO::Select->new($late)->can_read;
ask($late);
is_answered($late, 'a batch on a kept connection is answered');
is_answered($late, 'a pipelined request is answered after the current request');

# A signal arrives together with a request.
at_once(sub { ask($late); kill 'TERM', $worker });
is_answered($late, 'a request that arrived on a kept connection with the signal is answered');
ok ends_soon($worker), 'a worker ends without an error after a request that arrived with the signal';

# A worker that always has a next request also ends. Other workers serve the waiting requests, and no request is lost.
$worker = $service->start_worker;
is_served('a new worker starts');
(my $busy, $rest_of_it) = begin_batch();
my @waiting = map { send_bytes(QSOsync::FastCgi::request(\%me)) } 1 .. 20;
kill 'TERM', $worker;
syswrite $busy, $rest_of_it;
read_to_end($busy);
ok ends_soon($worker), 'a busy worker ends on request without an error';
is scalar(grep { IO::Select->new($_)->can_read(0) } @waiting), 0,
    'a busy worker that must end accepts no further request';
$worker = $service->start_worker;
is scalar(grep { my $answer = QSOsync::FastCgi::answer($_); close $_;
$answer && $answer->status == 200 } @waiting), 20,
    'the next worker serves requests that remain in the queue';

$kept = send_bytes($me);
is QSOsync::FastCgi::answer($kept)->status, 200, 'a request on a kept connection is answered';
at_once(sub { print {$kept} $me; $kept->flush; kill 'TERM', $worker });
$response = QSOsync::FastCgi::answer($kept);
is $response && $response->status, 200, 'a request that arrived with the signal is answered';
close $kept;
ok ends_soon($worker), 'a worker ends without an error after a request that arrived with the signal';

# The socket of a worker does not listen.
socket my $deaf, AF_UNIX, SOCK_STREAM, PF_UNSPEC or die $!;
my $log = $service->directory . '/deaf.log';
$worker = QSOsync::Front::spawn($log, {}, $deaf, QSOsync::Front::worker_program());
until_true(sub { -s $log });
like QSOsync::Front::read_file($log), qr/cannot accept a connection: Invalid argument/,
    'the log reports that a socket does not listen';
kill 'TERM', $worker;
ok ends_soon($worker), 'a worker on a socket that does not listen ends on request without an error';

done_testing;
