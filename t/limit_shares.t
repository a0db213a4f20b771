use QSOsync::Test fronts => 'essential';
use Fcntl qw(F_UNLCK F_WRLCK);
use IO::Socket::INET;
use JSON::PP ();
use QSOsync::Profile;
use QSOsync::Waiting;

# Each address and each member uses at most half of a program's workers at a time. A further request waits for its turn,
# for a second, and is refused then; everybody else is answered meanwhile. Workers are held here by writes that wait for
# a writer: this test.
my $service = QSOsync::Service->start(workers => 4, site => 4);
my $share = 2; # half of four; and two of workers that are started as they are needed
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

# Writes from these addresses that use up the share.
sub begin_writes {
    my (@from) = @_;
    my @writes = map { begin($_, 'POST', '/api/v1/logs/batch', key => $key{write}, json => { entries => [qso()] }) }
        @from;
    ok QSOsync::Waiting::until_waiting($lock, $share), 'writes hold workers';
    return @writes;
}
sub is_refused {
    my ($answer, $rule) = @_;
    is told($answer), '503 GENERIC.TOO_MANY_AT_ONCE', $rule;
    is $answer->header('Retry-After'), 1, "$rule: Retry-After says when to come again";
    is $answer->header('Cache-Control'), 'no-store', "$rule: no cache stores the answer";
}
sub are_saved {
    my ($status, @writes) = @_;
    is join(' ', map { finish($_)->status } @writes), join(' ', ($status) x @writes), 'the writes are saved';
}

# An address.
hold_gate();
my @writes = begin_writes(('127.0.0.1') x $share);
is_refused(ask('127.0.0.1', 'GET', '/api/v1/openapi.json'), 'one request more of the address is refused');
is ask('127.0.0.2', 'GET', '/api/v1/openapi.json')->status, 200, 'another address is answered meanwhile';
is ask('127.0.0.2', 'GET', '/api/v1/me', key => $other->{read_key})->status, 200, 'so is another member there';
is ask('127.0.0.1', 'GET', '/sign-in')->status, 200, 'the other program has workers of its own';
free_gate();
are_saved(200, @writes);
is ask('127.0.0.1', 'GET', '/api/v1/openapi.json')->status, 200, 'after them the address is answered';

# Forty requests of one address. (The host with .htaccess alone has four workers: there they would take too long.)
if ($service->front ne 'htaccess') {
    hold_gate();
    @writes = begin_writes(('127.0.0.1') x $share);
    my @more = map { begin('127.0.0.1', 'GET', '/api/v1/openapi.json') } 1 .. 40;
    is ask('127.0.0.2', 'GET', '/api/v1/openapi.json')->status, 200,
        "another address is answered before forty of one ($_)"
        for 1 .. 5;
    my %count;
    $count{told(finish($_))}++ for @more;
    is_deeply \%count, { '503 GENERIC.TOO_MANY_AT_ONCE' => 40 }, 'forty requests above the share are refused';
    free_gate();
    are_saved(200, @writes);
}

# A turn comes.
hold_gate();
@writes = begin_writes(('127.0.0.1') x $share);
my $late = begin('127.0.0.1', 'GET', '/api/v1/openapi.json');
free_gate();
is finish($late)->status, 200, 'a request that waits is answered when it is its turn';
are_saved(200, @writes);
is join(' ', map { finish($_)->status } map { begin('127.0.0.1', 'GET', '/api/v1/openapi.json') } 1 .. 12),
    join(' ', (200) x 12), 'twelve short requests at once have their turns';

# A member, from many addresses.
hold_gate();
@writes = begin_writes(map { "127.0.1.$_" } 1 .. $share);
is_refused(ask('127.0.1.100', 'GET', '/api/v1/me', key => $key{read}),
    'one request more of the member is refused, whatever key and address it has');
is ask('127.0.1.100', 'GET', '/api/v1/me', key => $other->{read_key})->status, 200,
    'another member is answered meanwhile, at the same address';
is told(ask('127.0.1.100', 'GET', '/api/v1/me', key => 'qsosync_' . 'x' x 49)), '401 API_KEYS.INVALID',
    'a key that nobody has counts for nobody';
free_gate();
are_saved(200, @writes);

# The pages.
$service->admin('uploads', 'on');
chomp(my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'Logger'));
my $adif = '<call:7>26AT101<band:3>11m<mode:3>SSB<freq:6>27.555<qso_date:8>20260517<time_on:4>1942<eor>';
sub begin_upload {
    return begin($_[0], 'POST', '/cloudlog/api/qso',
        json => { key => $token, station_profile_id => '1', type => 'adif', string => $adif });
}
hold_gate();
@writes = map { begin_upload("127.0.2.$_") } 1 .. $share;
ok QSOsync::Waiting::until_waiting($lock, $share), 'uploads hold workers';
is_refused(ask('127.0.2.100', 'GET', '/profile/data/me', headers => { Cookie => $me->cookie }),
    'one request more of the browser of the member is refused');
my $page = ask('127.0.2.100', 'GET', '/profile/data/qsos', headers => { Cookie => $me->cookie, Accept => 'text/html' });
is $page->status, 503, 'a person is refused as well';
like $page->body, qr/<h1[^>]*>Too many requests at once/, 'a person is told by a page';
is ask('127.0.2.100', 'GET', '/sign-in')->status, 200, 'strangers are answered meanwhile';
is ask('127.0.2.101', 'GET', '/healthz')->status, 200, 'the service is healthy meanwhile';
$late = begin_upload('127.0.2.100');
select undef, undef, undef, 0.2; # it waits by then, unless the machine is slow
free_gate();
are_saved(201, @writes);
is told(finish($late)), '201', 'an upload that waits after its key was read is saved';

# Killed workers keep no share.
if ($service->has_socket) {
    hold_gate();
    @writes = begin_writes(('127.0.0.1') x $share);
    $service->expect_log(qr/prematurely closed|Failed to read FastCGI header|Error dispatching/);
    $service->end_worker($_, 'KILL') for $service->worker_pids;
    $service->start_worker for 1 .. 2;
    is ask('127.0.0.1', 'GET', '/api/v1/openapi.json')->status, 200, 'killed workers keep no share';
    free_gate();
}

done_testing;
