use QSOsync::Test fronts => 'nginx';
use POSIX ();
use Time::HiRes qw(sleep);

# Workers that are asked to end finish their requests, so a restart under load fails no request.
my $service = QSOsync::Service->start(workers => 4);

# Returns whether a worker already blocks and awaits the signals that end a worker. Before that, these signals kill the
# worker.
sub is_ready {
    my ($pid) = @_;
    my ($blocked) = QSOsync::Front::read_file("/proc/$pid/status") =~ /^SigBlk:\s*[0-9a-f]*([0-9a-f]{8})$/m;
    my $wanted = 1 << (POSIX::SIGTERM() - 1) | 1 << (POSIX::SIGUSR1() - 1);
    return (hex($blocked) & $wanted) == $wanted;
}

my @clients = map {
    my $number = $_;
    my $pid = fork;
    if (!$pid) {
        srand $$;
        my ($stop, $failed, $done) = (0, '', 0);
        $SIG{TERM} = sub { $stop = 1 };
        until ($stop && $done >= 10) {
            my $response = $number % 2 ? $service->get('/me') : $service->post_batch([map { qso() } 1 .. 10]);
            $done++;
            next if $response && $response->status == 200 && $response->complete && $response->json;
            $failed .= ($response ? $response->status . ' ' . $response->body : 'no answer') . "\n";
        }
        QSOsync::Front::write_file($service->directory . "/client-$number", "$done\n$failed");
        POSIX::_exit(0);
    }
    $pid;
} 1 .. 6;
for (1 .. ($ENV{QSOSYNC_TEST_RESTARTS} || 30)) {
    sleep 0.03;
    my ($oldest) = $service->worker_pids;
    $service->start_worker;
    until_true(sub { is_ready($oldest) });
    $service->end_worker($oldest, $_ % 2 ? 'TERM' : 'USR1');
    is $?, 0, 'a worker ends successfully on request' if $? != 0;
}
kill 'TERM', @clients;
waitpid $_, 0 for @clients;
my ($failed, $done) = ('', 0);
for (glob $service->directory . '/client-*') {
    my ($all, $these) = split /\n/, QSOsync::Front::read_file($_), 2;
    $failed .= $these;
    $done += $all;
}
is $failed, '', 'no request fails while workers are restarted';
cmp_ok $done, '>', 50, 'more than 50 requests are served while workers are restarted';
is $service->admin('check'), '', 'the logbook passes the check after restarts';

done_testing;
