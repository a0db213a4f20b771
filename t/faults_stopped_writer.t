use QSOsync::Test fronts => 'nginx', suite => 'all';
use QSOsync::Faults;
use Time::HiRes qw(sleep time);
use QSOsync::Worker;

# A writer is stopped in its commit while it holds the lock of all writers. Readers continue, even in new processes.
# Other writers wait for their configured time.
plan skip_all => $_ for grep { $_ } QSOsync::Faults::missing();
my $faults = QSOsync::Faults->new;
my $service = QSOsync::Service->start(workers => 1,
    environment => { %{$faults->environment}, QSOSYNC_WRITE_WAIT_MS => 300 });
$service->expect_log(qr/another writer did not finish|GENERIC\.INTERNAL_ERROR/);
$service->post_batch([qso()]);
$service->get('/me') for 1, 2; # a worker records the use of a key after its answer, and before its next answer

sub is_stopped { QSOsync::Front::read_file("/proc/$_[0]/stat") =~ /\) T / }

# Sends a batch whose writer is stopped; the client waits.
my ($stopped) = $service->worker_pids;
$faults->strike('sync', at => 1, stop => 1);
my $client = fork // die "fork: $!";
if (!$client) {
    srand; # otherwise the writers that give up would send the same clientId
    my $response = $service->post_batch([qso(notes => 'stopped')], timeout => 300);
    POSIX::_exit($response && $response->status == 200 ? 0 : 1);
}
my $end = time + 30;
sleep 0.01 until is_stopped($stopped) || time > $end;
ok is_stopped($stopped), 'a writer is stopped in its commit';

sub cgi {
    my ($method, $uri, %option) = @_;
    my %more = defined $option{body} ? (CONTENT_TYPE => 'application/json') : ();
    return QSOsync::Cgi::answer($service->directory, { QSOSYNC_DB => $service->db, QSOSYNC_RATE_LIMIT => 0,
        QSOSYNC_WRITE_WAIT_MS => 300, REQUEST_METHOD => $method, REQUEST_URI => $uri,
        HTTP_AUTHORIZATION => 'Bearer ' . $service->write_key, %more },
        through => [qw(timeout -s KILL 30), @{$option{through} || []}], body => $option{body});
}
for my $path ('/me', '/logs', '/logs/ids') {
    is cgi('GET', "/api/v1$path")->status, 200, "a plain CGI program answers GET $path during a stopped commit";
}
$service->start_worker for 1 .. 3; # one address can use half of the workers at a time
my $response = $service->get('/me', timeout => 30);
is $response && $response->status, 200, 'a worker started during a stopped commit answers';
is scalar($service->download), 1, 'readers do not see a stopped commit';
my ($status) = $service->admin_try('member', 'list');
is $status, 0, 'a read-only command does not wait for a stopped writer';

# Writers wait for a limited time, even if SIGALRM was blocked at their start.
my $batch = JSON::PP::encode_json({ entries => [qso()] });
my @blocking = ('perl', '-MPOSIX', '-e', 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGALRM)); exec @ARGV or die');
for my $case (['a writer', []], ['a writer that was started with SIGALRM blocked', \@blocking]) {
    my ($who, $through) = @$case;
    $response = cgi('POST', '/api/v1/logs/batch', body => $batch, through => $through);
    is $response && $response->status, 500, "$who gives up after its waiting time";
}

kill 'CONT', $stopped;
waitpid $client, 0;
is $?, 0, 'the batch is saved when its writer continues';
is scalar($service->download), 2, 'the writers that gave up have saved no QSO';
$service->stop;

done_testing;
