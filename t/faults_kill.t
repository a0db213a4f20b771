use QSOsync::Test fronts => 'nginx', slow => 25, suite => 'all';

# Workers that are killed at any moment: every acknowledged batch is whole, every other one whole or absent, and
# check finds nothing, after each kill.
use POSIX ();
use Time::HiRes qw(sleep);
my $kills = $ENV{QSOSYNC_TEST_KILLS} || 200;
my $kills_a_log = 10; # so that the log, and with it each check, stays small
my $qsos_a_batch = 20;
my $batches = 0;

# Sends batches of QSOs that name their batch, with spots and partners, and notes what was acknowledged.
sub write_batches {
    my ($service, $number, $key, $partner) = @_;
    srand $$;
    open my $file, '>', $service->directory . "/acknowledged-$number" or POSIX::_exit(1);
    my $stop;
    $SIG{TERM} = sub { $stop = 1 };
    for (my $batch = 1; !$stop; $batch++) {
        my $name = "$number-$batch";
        my @entries = map { qso(notes => $name, sendSpot => JSON::PP::true(), frequencyMhz => '27.555',
            callsignWorked => $partner) } 1 .. $qsos_a_batch;
        my $response = $service->post_batch(\@entries, key => $key);
        syswrite $file, "$name\n" if $response && $response->status == 200 && $response->complete;
    }
}

# What is wrong with the log at this moment; the writers go on.
sub problems {
    my ($service) = @_;
    my @acknowledged = map { split /\n/, QSOsync::Front::read_file($_) } glob $service->directory . '/acknowledged-*';
    my %count = map { split /\|/ } split /\n/, $service->sqlite('SELECT notes, count(*) FROM qsos GROUP BY notes');
    # Where no worker had opened the logbook, and one does meanwhile, the check asks to be repeated.
    my ($status, $output, $errors) = (1, '', 'check it again');
    for (1 .. 20) {
        last if $errors !~ /check it again/;
        ($status, $output, $errors) = $service->admin_try('check');
    }
    $batches = @acknowledged;
    return join '; ', (map { "batch $_ is lost" } grep { !$count{$_} } @acknowledged),
        (map { "$count{$_} QSOs of batch $_" } grep { $count{$_} != $qsos_a_batch } sort keys %count),
        $status ? "check: $output$errors" : ();
}

sub kill_workers {
    my ($times) = @_;
    $batches = 0;
    my $service = QSOsync::Service->start(workers => 4);
    my $other = $service->add_member('26AT101');
    $service->expect_log(qr/upstream|recv\(\) failed|prematurely closed|AH\d+/);
    my @writers = map {
        my $number = $_;
        my $pid = fork;
        die "fork: $!" unless defined $pid;
        if (!$pid) {
            write_batches($service, $number, $number % 2 ? ($service->write_key, '26AT101')
                : ($other->{write_key}, '21SD333'));
            POSIX::_exit(0);
        }
        $pid;
    } 1 .. 4;
    # On a machine that is slow at the moment there are more kills, until writers have come between them.
    for (my $kill = 1; $kill <= $times || ($batches <= $times / 4 && $kill < 20 * $times); $kill++) {
        sleep 0.005 + rand 0.04;
        my @pids = $service->worker_pids;
        $service->end_worker($pids[rand @pids], 'KILL');
        $service->start_worker;
        is problems($service), '',
            'after a worker is killed every acknowledged batch is there and none is there in part';
    }
    kill 'TERM', @writers;
    waitpid $_, 0 for @writers;
    is problems($service), '', 'after all kills every acknowledged batch is there and none is there in part';
    cmp_ok $batches, '>', $times / 4, 'batches are acknowledged between the kills';
    diag "$times kills, $batches acknowledged batches" if $ENV{QSOSYNC_TEST_KILLS};
    is $service->get('/me')->status, 200, 'after all kills the service answers';
}

for (my $left = $kills; $left > 0; $left -= $kills_a_log) {
    kill_workers($left < $kills_a_log ? $left : $kills_a_log);
}

done_testing;
