use QSOsync::Test fronts => 'nginx', suite => 'all';
use QSOsync::Faults;
use Errno qw(EIO ENOSPC);
use Time::HiRes qw(sleep time);
use QSOsync::Worker;

# A commit that was cut short, by a kill or a full disk, may stand whole in the write-ahead log where no reader sees
# it, and come back when all programs have ended. It comes back to every client, or not at all.
plan skip_all => $_ for grep { $_ } QSOsync::Faults::missing();
my $faults = QSOsync::Faults->new;

# Workers that have the database open, and nothing left to note of their keys.
sub start {
    my ($workers) = @_;
    my $service = QSOsync::Service->start(workers => 1, environment => $faults->environment);
    $service->expect_log(qr/answered with GENERIC\.INTERNAL_ERROR|: cannot |prematurely closed|recv\(\) failed/);
    $service->post_batch([qso(notes => 'before')]);
    $service->get('/me') for 1, 2; # a worker notes the use of a key after its answer, and before its next one
    for (2 .. $workers) {
        my @others = $service->worker_pids;
        $service->start_worker;
        kill 'STOP', @others; # or the request might be theirs
        $service->get('/me');
        kill 'CONT', @others;
    }
    is join(' ', grep { !has_opened($_) } $service->worker_pids), '', 'each worker has the database open';
    return $service;
}

sub has_opened { QSOsync::Front::read_file("/proc/$_[0]/maps") =~ /-shm$/m }

# What a client has that keeps a page and its serverTime.
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

# The QSOs that neither the client has nor its next download brings.
sub missed {
    my ($service, $client) = @_;
    my %has = (%{$client->{items}}, map { $_->{clientId} => 1 } $service->download(since => $client->{time}));
    return note_of(grep { !$has{$_->{clientId}} } $service->download);
}
sub note_of { join ' ', sort map { $_->{notes} =~ /\A(\w+)/ } @_ }

# A batch whose writer is killed at the sync of its commit, and a client that reads a little later.
sub kill_a_writer {
    my ($service) = @_;
    $faults->strike('sync', at => 1);
    my $response = $service->post_batch([map { qso(notes => 'dead') } 1 .. 5]);
    isnt $response->status, 200, 'the batch of a writer that was killed at its sync is not acknowledged';
    $faults->lift;
    sleep 0.05;
}

# Only readers are left.
my $service = start(2);
kill_a_writer($service);
my $began = time;
my $client = read_log($service);
is scalar(keys %{$client->{items}}), 1, 'readers do not see the commit of the dead writer';
my $later = read_log($service);
cmp_ok $later->{time}, 'ge', QSOsync::Case::iso_time($began - 0.001), 'one reader is enough for serverTime to go on';
end_all($service);
is missed($service, $client), '', 'a reader after the kill misses nothing';
is missed($service, $later), '', 'the next reader misses nothing';

# The log cannot be written while they read.
kill_a_writer($service = start(2));
$faults->strike('write', at => 1, forever => 1, error => EIO);
my @clients = map { read_log($service) } 1 .. 3;
is $_->{time}, $clients[0]{time}, 'serverTime stands still' for @clients;
end_all($service);
is note_of($service->download), 'before dead dead dead dead dead', 'a commit that nobody could write over comes back';
is missed($service, $_), '', 'it comes back to whoever has read meanwhile' for @clients;
cmp_ok $service->get('/logs?limit=1')->json->{serverTime}, 'gt', $clients[0]{time},
    'where the log can be written again serverTime goes on';

# Another writer comes first.
kill_a_writer($service = start(2));
$client = read_log($service);
is $service->post_batch([qso(notes => 'next')])->status, 200, 'the next writer is served';
end_all($service);
is note_of($service->download), 'before next', 'what it has written is there, and nothing of the dead writer';
is missed($service, $client), '', 'the client that read before the next writer misses nothing';

# Another writer comes, and is killed or fails in its turn.
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
    is missed($service, $_), '', "where the next writer is $end, too, readers miss nothing" for $client, $after;
}

# The disk takes no syncs any more, and all programs start again: the commit of the dead writer is found in the log, and
# a power cut would take it away from whoever was shown it.
sub end_all_on_a_failing_disk {
    my ($service) = @_;
    $faults->strike('sync', at => 1, forever => 1, error => EIO);
    $service->end_worker($_, 'KILL') for $service->worker_pids;
    $service->start_worker;
}
kill_a_writer($service = start(1));
end_all_on_a_failing_disk($service);
is $service->get($_)->status, 500, "what no sync has covered is shown to nobody: $_" for '/logs', '/logs/ids', '/logs';
$faults->lift;
$service->end_worker($_, 'KILL') for $service->worker_pids;
$service->start_worker;
is note_of($service->download), 'before dead dead dead dead dead', 'once a sync has covered it, it is there';

# Where the writer has lived on after its sync has failed, readers are served: they do not see what was refused, neither
# now nor after that.
$service = start(1);
$faults->strike('sync', at => 1, forever => 1, error => EIO);
is $service->post_batch([map { qso(notes => 'dead') } 1 .. 5])->status, 500, 'a batch whose sync fails is refused';
$client = read_log($service);
end_all_on_a_failing_disk($service);
is note_of($service->download), 'before',
    'on a disk that takes no syncs readers see the log without the batch that was refused';
end_all($service);
is note_of($service->download), 'before', 'a batch that was refused does not come back when all programs have ended';
is missed($service, $client), '', 'a reader between misses nothing';

# A full disk: the log has space, the index in memory that it needs has none. A reader keeps the log from being begun
# again, so that the index has to grow.
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
is $response->status, 500, 'a batch for whose index there is no space is refused';
sleep 0.05;
$client = read_log($service);
close $shell;
end_all($service);
is scalar(grep { ($_->{notes} // '') =~ /\An$number / } $service->download), 0,
    'nothing of a batch that was refused comes back';
is missed($service, $client), '', 'a reader after the refusal misses nothing';

# A writer that is stopped in the middle of its commit, with the lock that all writers take, keeps nobody from reading,
# however young the process is, and other writers for as long as they want to wait.
{
    my $faults = QSOsync::Faults->new;
    my $service = QSOsync::Service->start(workers => 1,
        environment => { %{$faults->environment}, QSOSYNC_WRITE_WAIT_MS => 300 });
    $service->expect_log(qr/another writer did not finish|GENERIC\.INTERNAL_ERROR/);
    $service->post_batch([qso()]);
    $service->get('/me') for 1, 2; # a worker notes the use of a key after its answer, and before its next one

    sub is_stopped { QSOsync::Front::read_file("/proc/$_[0]/stat") =~ /\) T / }

    # A batch whose writer stands still; its client waits.
    my ($stopped) = $service->worker_pids;
    $faults->strike('sync', at => 1, stop => 1);
    my $client = fork // die "fork: $!";
    if (!$client) {
        srand; # or those that give up would send the same clientId
        my $response = $service->post_batch([qso(notes => 'stopped')], timeout => 300);
        POSIX::_exit($response && $response->status == 200 ? 0 : 1);
    }
    my $end = time + 30;
    sleep 0.01 until is_stopped($stopped) || time > $end;
    ok is_stopped($stopped), 'a writer stands still in its commit';

    sub cgi {
        my ($method, $uri, %option) = @_;
        my %more = defined $option{body} ? (CONTENT_TYPE => 'application/json') : ();
        return QSOsync::Cgi::answer($service->directory, { QSOSYNC_DB => $service->db, QSOSYNC_RATE_LIMIT => 0,
            QSOSYNC_WRITE_WAIT_MS => 300, REQUEST_METHOD => $method, REQUEST_URI => $uri,
            HTTP_AUTHORIZATION => 'Bearer ' . $service->write_key, %more },
            through => [qw(timeout -s KILL 30), @{$option{through} || []}], body => $option{body});
    }
    for my $path ('/me', '/logs', '/logs/ids') {
        is cgi('GET', "/api/v1$path")->status, 200, "a plain CGI program answers GET $path meanwhile";
    }
    $service->start_worker for 1 .. 3; # one address uses half of the workers at a time
    my $response = $service->get('/me', timeout => 30);
    is $response && $response->status, 200, 'a worker that starts meanwhile answers without waiting';
    is scalar($service->download), 1, 'readers do not see the commit that is not done';
    my ($status) = $service->admin_try('member', 'list');
    is $status, 0, 'a command that only reads does not wait';

    # Writers wait for a while, also where SIGALRM was blocked when they were started.
    my $batch = JSON::PP::encode_json({ entries => [qso()] });
    my @blocking = ('perl', '-MPOSIX', '-e', 'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGALRM)); exec @ARGV or die');
    for my $case (['a writer', []], ['a writer that was started with SIGALRM blocked', \@blocking]) {
        my ($who, $through) = @$case;
        $response = cgi('POST', '/api/v1/logs/batch', body => $batch, through => $through);
        is $response && $response->status, 500, "$who gives up after its time";
    }

    kill 'CONT', $stopped;
    waitpid $client, 0;
    is $?, 0, 'the batch is saved when its writer goes on';
    is scalar($service->download), 2, 'the log has the QSO of the stopped writer and none of those that gave up';
    $service->stop;
}

done_testing;
