use QSOsync::Test fronts => 'nginx', suite => 'all';
use QSOsync::Faults;
use Errno qw(EIO ENOSPC);
use Time::HiRes qw(sleep time);
use QSOsync::Worker;

# A commit cut short by a kill or a full disk may be complete in the write-ahead log where no reader sees it. It
# reappears when all programs have ended. It reappears for every client, or not at all.
plan skip_all => $_ for grep { $_ } QSOsync::Faults::missing();
my $faults = QSOsync::Faults->new;

# Workers with an open database, and with the use of their keys recorded.
sub start {
    my ($workers) = @_;
    my $service = QSOsync::Service->start(workers => 1, environment => $faults->environment);
    $service->expect_log(qr/answered with GENERIC\.INTERNAL_ERROR|: cannot |prematurely closed|recv\(\) failed/);
    $service->post_batch([qso(notes => 'before')]);
    $service->get('/me') for 1, 2; # a worker records the use of a key after its answer, and before its next answer
    for (2 .. $workers) {
        my @others = $service->worker_pids;
        $service->start_worker;
        kill 'STOP', @others; # or they might get the next request
        $service->get('/me');
        kill 'CONT', @others;
    }
    is join(' ', grep { !has_opened($_) } $service->worker_pids), '', 'each worker has the database open';
    return $service;
}

sub has_opened { QSOsync::Front::read_file("/proc/$_[0]/maps") =~ /-shm$/m }

# The state of a client that keeps a page and its serverTime.
sub read_log {
    my ($service) = @_;
    my $time = $service->get('/logs?limit=1')->json->{serverTime};
    return { time => $time, items => { map { $_->{clientId} => 1 } $service->download } };
}

sub end_all {
    my ($service) = @_;
    $faults->lift;
    $service->end_worker($_, 'KILL') for $service->worker_pids;
    $service->start_worker;
}

# The QSOs that are neither at the client nor in its next download.
sub missed {
    my ($service, $client) = @_;
    my %has = (%{$client->{items}}, map { $_->{clientId} => 1 } $service->download(since => $client->{time}));
    return note_of(grep { !$has{$_->{clientId}} } $service->download);
}
sub note_of { join ' ', sort map { $_->{notes} =~ /\A(\w+)/ } @_ }

# Sends a batch whose writer is killed at the sync of its commit.
sub kill_a_writer {
    my ($service) = @_;
    $faults->strike('sync', at => 1);
    my $response = $service->post_batch([map { qso(notes => 'dead') } 1 .. 5]);
    isnt $response->status, 200, 'a batch whose writer is killed at its sync is not acknowledged';
    $faults->lift;
    sleep 0.05;
}

# Only readers remain.
my $service = start(2);
kill_a_writer($service);
my $began = time;
my $client = read_log($service);
is scalar(keys %{$client->{items}}), 1, 'readers do not see the commit of a dead writer';
my $later = read_log($service);
cmp_ok $later->{time}, 'ge', QSOsync::Case::iso_time($began - 0.001), 'one reader lets serverTime advance';
end_all($service);
is missed($service, $client), '', 'a reader after the kill misses no QSO';
is missed($service, $later), '', 'the next reader misses no QSO';

# The log cannot be written while they read.
kill_a_writer($service = start(2));
$faults->strike('write', at => 1, forever => 1, error => EIO);
my @clients = map { read_log($service) } 1 .. 3;
is $_->{time}, $clients[0]{time}, 'serverTime does not advance while the log cannot be written' for @clients;
end_all($service);
is note_of($service->download), 'before dead dead dead dead dead', 'a commit that could not be overwritten reappears';
is missed($service, $_), '', 'readers do not miss the reappearing commit' for @clients;
cmp_ok $service->get('/logs?limit=1')->json->{serverTime}, 'gt', $clients[0]{time},
    'serverTime advances when the log can be written again';

# Another writer comes first.
kill_a_writer($service = start(2));
$client = read_log($service);
is $service->post_batch([qso(notes => 'next')])->status, 200, 'the next writer succeeds';
end_all($service);
is note_of($service->download), 'before next', "the log has the next writer's QSO and none of the dead writer";
is missed($service, $client), '', 'a client that read before the next writer misses no QSO';

# Another writer comes, and is also killed or fails.
for my $end (qw(killed failed)) {
    kill_a_writer($service = start(3));
    $client = read_log($service);
    $faults->strike('write', at => 2, $end eq 'failed' ? (forever => 1, error => EIO) : ());
    $service->post_batch([qso(notes => 'next')]);
    $faults->lift;
    sleep 0.05;
    $faults->strike('write', at => 1, forever => 1, error => EIO);
    my $after = read_log($service);
    end_all($service);
    is missed($service, $_), '', "readers miss no QSO if the next writer is also $end" for $client, $after;
}

# The disk refuses syncs, and all programs restart: they find the dead writer's commit in the log. A power cut would
# take it from readers that were shown it.
sub end_all_on_a_failing_disk {
    my ($service) = @_;
    $faults->strike('sync', at => 1, forever => 1, error => EIO);
    $service->end_worker($_, 'KILL') for $service->worker_pids;
    $service->start_worker;
}
kill_a_writer($service = start(1));
end_all_on_a_failing_disk($service);
is $service->get($_)->status, 500, "a commit without a sync is not shown: $_" for '/logs', '/logs/ids', '/logs';
$faults->lift;
$service->end_worker($_, 'KILL') for $service->worker_pids;
$service->start_worker;
is note_of($service->download), 'before dead dead dead dead dead', 'the commit is shown after a sync';

# If the writer survives its failed sync, readers are served: they never see the refused batch.
$service = start(1);
$faults->strike('sync', at => 1, forever => 1, error => EIO);
is $service->post_batch([map { qso(notes => 'dead') } 1 .. 5])->status, 500, 'a batch whose sync fails is refused';
$client = read_log($service);
end_all_on_a_failing_disk($service);
is note_of($service->download), 'before',
    'readers on a failing disk see the log without the refused batch';
end_all($service);
is note_of($service->download), 'before', 'a refused batch does not reappear when all programs have ended';
is missed($service, $client), '', 'a reader on a failing disk misses no QSO';

# A full disk: the log has space, but its index in memory has none. A reader keeps the log from restarting, so the index
# must grow.
$service = start(1);
open my $shell, '|-', "sqlite3 '@{[$service->db]}' >/dev/null" or die $!;
$shell->autoflush;
print {$shell} "BEGIN;\nSELECT count(*) FROM qsos;\n";
my @batch = map { full_qso() } 1 .. 200;
my ($response, $number);
$faults->strike('index', at => 1, forever => 1, error => ENOSPC);
do {
    $number++;
    $response = $service->post_batch([map { { %$_, notes => "n$number " . 'x' x 1990 } } @batch]);
} while $response->status == 200 && $number < 60;
is $response->status, 500, 'a batch without space for its index is refused';
sleep 0.05;
$client = read_log($service);
close $shell;
end_all($service);
is scalar(grep { ($_->{notes} // '') =~ /\An$number / } $service->download), 0,
    'a batch refused for space does not reappear';
is missed($service, $client), '', 'a reader after the refusal misses no QSO';

# A writer is stopped in its commit, holding the lock of all writers. Readers continue, even in new processes; other
# writers wait for their configured time.
{
    my $faults = QSOsync::Faults->new;
    my $service = QSOsync::Service->start(workers => 1,
        environment => { %{$faults->environment}, QSOSYNC_WRITE_WAIT_MS => 300 });
    $service->expect_log(qr/another writer did not finish|GENERIC\.INTERNAL_ERROR/);
    $service->post_batch([qso()]);
    $service->get('/me') for 1, 2; # a worker records the use of a key after its answer, and before its next answer

    sub is_stopped { QSOsync::Front::read_file("/proc/$_[0]/stat") =~ /\) T / }

    # A batch whose writer is stopped; its client waits.
    my ($stopped) = $service->worker_pids;
    $faults->strike('sync', at => 1, stop => 1);
    my $client = fork // die "fork: $!";
    if (!$client) {
        srand; # or the writers that give up would send the same clientId
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
    $service->start_worker for 1 .. 3; # one address uses half of the workers at a time
    my $response = $service->get('/me', timeout => 30);
    is $response && $response->status, 200, 'a worker started during a stopped commit answers at once';
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
    is scalar($service->download), 2, "the log has only the stopped writer's QSO";
    $service->stop;
}

done_testing;
