use QSOsync::Test fronts => 'nginx', suite => 'all';
use QSOsync::Faults;
use Errno qw(EIO ENOSPC);
use Time::HiRes qw(sleep time);

# A commit that a kill or a full disk interrupts can be complete in the write-ahead log, although no reader sees the
# commit. When all programs have ended, the commit reappears for every client or for none.
plan skip_all => $_ for grep { $_ } QSOsync::Faults::missing();
my $faults = QSOsync::Faults->new;

# Starts workers that have the database open, and have recorded the use of the key.
sub start {
    my ($workers) = @_;
    my $service = QSOsync::Service->start(workers => 1, environment => $faults->environment);
    $service->expect_log(qr/answered with GENERIC\.INTERNAL_ERROR|: cannot |prematurely closed|recv\(\) failed/);
    $service->post_batch([qso(notes => 'before')]);
    $service->get('/me') for 1, 2; # a worker records the use of a key after its answer, and before its next answer
    for (2 .. $workers) {
        my @others = $service->worker_pids;
        $service->start_worker;
        kill 'STOP', @others; # otherwise these workers could get the next request
        $service->get('/me');
        kill 'CONT', @others;
    }
    is join(' ', grep { !has_opened($_) } $service->worker_pids), '', 'each worker has the database open';
    return $service;
}

sub has_opened { QSOsync::Front::read_file("/proc/$_[0]/maps") =~ /-shm$/m }

# Returns what a client stores: the ids of the QSOs in the log, and a serverTime from before the download.
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

# Returns the notes of the QSOs that neither the client nor the client's next download has.
sub missed {
    my ($service, $client) = @_;
    my %has = (%{$client->{items}}, map { $_->{clientId} => 1 } $service->download(since => $client->{time}));
    return note_of(grep { !$has{$_->{clientId}} } $service->download);
}
sub note_of { join ' ', sort map { $_->{notes} =~ /\A(\w+)/ } @_ }

# Sends a batch whose writer is killed at the sync of the commit.
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
cmp_ok $later->{time}, 'ge', QSOsync::Case::iso_time($began - 0.001), 'a single reader does not hold serverTime back';
end_all($service);
is missed($service, $client), '', 'a reader after the kill misses no QSO';
is missed($service, $later), '', 'the next reader misses no QSO';

# The write-ahead log cannot be written while clients read.
kill_a_writer($service = start(2));
$faults->strike('write', at => 1, forever => 1, error => EIO);
my @clients = map { read_log($service) } 1 .. 3;
is $_->{time}, $clients[0]{time},
    'serverTime does not advance while the write-ahead log cannot be written' for @clients;
end_all($service);
is note_of($service->download), 'before dead dead dead dead dead', 'a commit that could not be overwritten reappears';
is missed($service, $_), '', 'readers do not miss the reappearing commit' for @clients;
cmp_ok $service->get('/logs?limit=1')->json->{serverTime}, 'gt', $clients[0]{time},
    'serverTime advances when the write-ahead log can be written again';

# Another writer begins before any reader.
kill_a_writer($service = start(2));
$client = read_log($service);
is $service->post_batch([qso(notes => 'next')])->status, 200, 'the next writer succeeds';
end_all($service);
is note_of($service->download), 'before next', "the log has the next writer's QSO and no QSO from the dead writer";
is missed($service, $client), '', 'a client that read before the next writer misses no QSO';

# Another writer begins, and is also killed or fails.
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
    is missed($service, $_), '', "readers miss no QSO, even if the next writer is $end" for $client, $after;
}

# The disk refuses syncs, and all programs restart. The new programs find the dead writer's commit in the write-ahead
# log. A power cut could remove the commit after readers have seen the commit.
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

# If the writer survives its failed sync, readers are served, and never see the refused batch.
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

# The disk becomes full when the shared index of the write-ahead log must grow. The log itself still has space. A reader
# keeps the log from restarting, so the index grows.
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
    'a batch that was refused for lack of space does not reappear';
is missed($service, $client), '', 'a reader after the refusal misses no QSO';

done_testing;
