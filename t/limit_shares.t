use QSOsync::Test fronts => 'essential';
use Fcntl qw(F_UNLCK F_WRLCK);
use IO::Socket::INET;
use JSON::PP ();
use QSOsync::Profile;
use QSOsync::Waiting;

# Each address and each member may use at most half of a program's workers at a time. A further request waits at most
# one second for its turn and is then refused. Other clients are answered meanwhile. In this test, writes that wait for
# the test's lock occupy the workers.
my $service = QSOsync::Service->start(workers => 4, site => 4);
my $share = 2; # half of four workers; also the share if the front server starts workers on demand
my $other = $service->add_member('26AT101');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my %key = (read => $service->read_key, write => $service->write_key);
open my $lock, '+<', $service->db . '-gate' or die $!;

# Sends a request and does not wait for the answer.
sub begin {
    my ($from, $method, $path, %option) = @_;
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $service->port, LocalAddr => $from)
        or die "connect: $!";
    my $body = $option{json} ? JSON::PP::encode_json($option{json}) : $option{body};
    my %headers = (Host => '127.0.0.1:' . $service->port, Connection => 'close',
        $option{key} ? (Authorization => "Bearer $option{key}") : (),
        $option{json} ? ('Content-Type' => 'application/json') : (),
        defined $body ? ('Content-Length' => length $body) : (), %{$option{headers} || {}});
    print {$socket} "$method $path HTTP/1.1\r\n", (map { "$_: $headers{$_}\r\n" } sort keys %headers), "\r\n",
        $body // '';
    $socket->flush;
    return $socket;
}
sub finish {
    my ($socket) = @_;
    my $text = do { local $/; <$socket> };
    return QSOsync::Client::parse($text // '', 'GET');
}
sub ask { return finish(begin(@_)) }
sub told { my ($answer) = @_; return $answer ? join ' ', $answer->status, $answer->code // () : 'no answer' }
sub hold_gate { QSOsync::Waiting::set_lock($lock, F_WRLCK) }
sub free_gate { QSOsync::Waiting::set_lock($lock, F_UNLCK) }

# Begins a write from each of these addresses, and waits until the writes use up the share.
sub begin_writes {
    my (@from) = @_;
    my @writes = map { begin($_, 'POST', '/api/v1/logs/batch', key => $key{write}, json => { entries => [qso()] }) }
        @from;
    ok QSOsync::Waiting::until_waiting($lock, $share), 'writes occupy workers';
    return @writes;
}
sub is_refused {
    my ($answer, $rule) = @_;
    is told($answer), '503 GENERIC.TOO_MANY_AT_ONCE', $rule;
    is $answer->header('Retry-After'), 1, "$rule: Retry-After is one second";
    is $answer->header('Cache-Control'), 'no-store', "$rule: the answer must not be cached";
}
sub are_saved {
    my ($status, @writes) = @_;
    is join(' ', map { finish($_)->status } @writes), join(' ', ($status) x @writes), 'the waiting writes are saved';
}

# An address has a share of each program's workers.
hold_gate();
my @writes = begin_writes(('127.0.0.1') x $share);
is_refused(ask('127.0.0.1', 'GET', '/api/v1/openapi.json'), 'an address above its share is refused');
is ask('127.0.0.2', 'GET', '/api/v1/openapi.json')->status, 200, 'another address is answered meanwhile';
is ask('127.0.0.2', 'GET', '/api/v1/me', key => $other->{read_key})->status, 200,
    'another member at another address is answered meanwhile';
is ask('127.0.0.1', 'GET', '/sign-in')->status, 200,
    "an address that uses its share of the API's workers can still load pages";
free_gate();
are_saved(200, @writes);
is ask('127.0.0.1', 'GET', '/api/v1/openapi.json')->status, 200, 'an address is answered again after its writes';

# One address sends forty requests. On a host with only .htaccess there are four workers, so the requests would take too
# long there.
if ($service->front ne 'htaccess') {
    hold_gate();
    @writes = begin_writes(('127.0.0.1') x $share);
    my @more = map { begin('127.0.0.1', 'GET', '/api/v1/openapi.json') } 1 .. 40;
    is ask('127.0.0.2', 'GET', '/api/v1/openapi.json')->status, 200,
        "another address is answered while forty requests from one address wait ($_)"
        for 1 .. 5;
    my %count;
    $count{told(finish($_))}++ for @more;
    is_deeply \%count, { '503 GENERIC.TOO_MANY_AT_ONCE' => 40 }, "requests above the address's share are refused";
    free_gate();
    are_saved(200, @writes);
}

hold_gate();
@writes = begin_writes(('127.0.0.1') x $share);
my $late = begin('127.0.0.1', 'GET', '/api/v1/openapi.json');
free_gate();
is finish($late)->status, 200, 'a waiting request is answered as soon as a worker is free';
are_saved(200, @writes);
is join(' ', map { finish($_)->status } map { begin('127.0.0.1', 'GET', '/api/v1/openapi.json') } 1 .. 12),
    join(' ', (200) x 12), 'twelve short requests at once are answered';

# One member with many addresses has one share.
hold_gate();
@writes = begin_writes(map { "127.0.1.$_" } 1 .. $share);
is_refused(ask('127.0.1.100', 'GET', '/api/v1/me', key => $key{read}),
    'a member above their share is refused, whatever the key and address');
is ask('127.0.1.100', 'GET', '/api/v1/me', key => $other->{read_key})->status, 200,
    'another member at the same address is answered meanwhile';
is told(ask('127.0.1.100', 'GET', '/api/v1/me', key => 'qsosync_' . 'x' x 49)), '401 API_KEYS.INVALID',
    "an unknown key does not count towards any member's share";
free_gate();
are_saved(200, @writes);

# The shares also apply to the workers of the pages.
$service->admin('uploads', 'on');
chomp(my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'Logger'));
my $adif = '<call:7>26AT101<band:3>11m<mode:3>SSB<freq:6>27.555<qso_date:8>20260517<time_on:4>1942<eor>';
sub begin_upload {
    return begin($_[0], 'POST', '/cloudlog/api/qso',
        json => { key => $token, station_profile_id => '1', type => 'adif', string => $adif });
}
hold_gate();
@writes = map { begin_upload("127.0.2.$_") } 1 .. $share;
ok QSOsync::Waiting::until_waiting($lock, $share), 'uploads occupy workers';
is_refused(ask('127.0.2.100', 'GET', '/profile/data/me', headers => { Cookie => $me->cookie }),
    'a signed-in browser of a member above their share is refused');
my $page = ask('127.0.2.100', 'GET', '/profile/data/qsos', headers => { Cookie => $me->cookie, Accept => 'text/html' });
is $page->status, 503, 'a page for a member above their share is refused';
like $page->body, qr/<h1[^>]*>Too many requests at once/, 'the answer for a refused page gives the reason in words';
is ask('127.0.2.100', 'GET', '/sign-in')->status, 200, 'visitors are answered while a member uses up a share';
is ask('127.0.2.101', 'GET', '/healthz')->status, 200, 'the health check succeeds while a member uses up a share';
$late = begin_upload('127.0.2.100');
select undef, undef, undef, 0.2; # the request waits by now, unless the machine is slow
free_gate();
are_saved(201, @writes);
is told(finish($late)), '201', 'an upload that waits until a worker is free is saved';

if ($service->has_socket) {
    hold_gate();
    @writes = begin_writes(('127.0.0.1') x $share);
    $service->expect_log(qr/prematurely closed|Failed to read FastCGI header|Error dispatching/);
    $service->end_worker($_, 'KILL') for $service->worker_pids;
    $service->start_worker for 1 .. 2;
    is ask('127.0.0.1', 'GET', '/api/v1/openapi.json')->status, 200, 'killed workers do not keep their share';
    free_gate();
}

done_testing;
