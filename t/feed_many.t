use QSOsync::Test fronts => 'nginx', slow => 11, suite => 'all';
use QSOsync::Cluster;
use Time::HiRes qw(sleep time);

# 110 spots reach 500 clients at once while the logbook file changes, and each client gets each spot once. A program
# with a sanitizer takes about 30 MiB, so only 50 clients are used then.
my $count = $ENV{QSOSYNC_TEST_CLIENTS} || (QSOsync::Front::is_instrumented() ? 50 : 500);
my $service = QSOsync::Service->start;
my $cluster = QSOsync::Cluster->new($service);
my $true = JSON::PP::true();
my $number = 100;
my @sent;
sub publish {
    my ($spots) = @_;
    my @qsos = map { full_qso(sendSpot => $true, operatorCallsign => '21SD333', callsignWorked => '26AT' . ++$number) }
        1 .. $spots;
    $service->post_spots(@qsos);
    push @sent, map { $_->{callsignWorked} } @qsos;
}

my @clients = map { $cluster->client("21SD$_") } 1 .. $count;
my %client_of = map { $_->{socket} => $_ } @clients;
my $select = IO::Select->new(map { $_->{socket} } @clients);

# Reads until every client has the given number of lines, and returns the number of lines of the slowest client.
sub collect {
    my ($wanted) = @_;
    my $end = time + 240;
    my $least = 0;
    while (time < $end) {
        for my $socket ($select->can_read(0.2)) {
            my $client = $client_of{$socket};
            sysread $socket, my $piece, 65536 or $select->remove($socket);
            $client->{text} .= $piece;
            $client->{lines} += $piece =~ tr/\n//;
        }
        ($least) = sort { $a <=> $b } map { $_->{lines} || 0 } @clients;
        last if $least >= $wanted;
        sleep 0.05;
    }
    return $least;
}

publish(45);
collect(15);
kill 'KILL', ($service->worker_pids)[0];
$service->replace_ended_workers;
collect(45);
publish(45);
collect(60);
$service->sqlite('PRAGMA wal_checkpoint(TRUNCATE)');
my $backup = $service->directory . '/backup.db';
$service->admin('backup', $backup);
collect(75);
$service->expect_log(qr/./);
$service->admin('restore', $backup);
publish(20);
is collect(110), 110, "each of $count clients gets 110 lines";
sleep 1;
collect(0);
my $wanted = join ' ', @sent;
my @wrong = grep { join(' ', $_->{text} =~ /^DX de 21SD333: +27555\.0 +(\S+) .*\r$/mg) ne $wanted } @clients;
is scalar(@wrong), 0, 'each client gets each spot once, in order, despite a kill, a checkpoint, a backup and a restore';
diag substr $wrong[0]{text}, 0, 2000 if @wrong;

# The cost of a client is the memory that the client's process does not share.
my @private = sort { $a <=> $b } map {
    my $status = QSOsync::Front::read_file("/proc/$_->{pid}/smaps_rollup");
    my $sum = 0;
    $sum += $1 while $status =~ /^Private_(?:Clean|Dirty): +(\d+) kB/mg;
    $sum;
} @clients;
note "private memory per client: $private[0] to $private[-1] KiB";
SKIP: {
    skip 'sanitizers need additional memory', 1 if QSOsync::Front::is_instrumented();
    cmp_ok $private[-1], '<=', 1024, 'a client costs at most 1 MiB of memory';
}
is $cluster->log_text, '', 'the feed writes nothing to its log';

done_testing;
