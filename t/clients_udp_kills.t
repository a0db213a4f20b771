use QSOsync::Test fronts => 'nginx', suite => 'all';
use QSOsync::Datagrams;
use QSOsync::Kit;
use QSOsync::Proxy;
use Time::HiRes qw(sleep);

# udp-bridge.py is killed repeatedly during an evening. The QSOs in the bridge's queue arrive. The logging program's
# file later adds the QSOs that were broadcast while the bridge was not running. No QSO is lost or duplicated.
my $seconds = $ENV{QSOSYNC_TEST_SECONDS} || 10;
my $service = QSOsync::Service->start;
my ($queue, $log) = map { $service->directory . "/$_" } qw(queue bridge.log);
my $proxy = QSOsync::FaultyProxy->start($service, sub {
    my $dice = rand;
    return $dice < 0.1 ? 'cut' : $dice < 0.15 ? 'lost' : 'pass';
});
my @command = ('python3', QSOsync::Kit::client('udp-bridge.py'), '--queue', $queue, '--listen');
my $port = QSOsync::Service::free_port();

# Logs a QSO: writes the record to the file, and broadcasts the QSO.
my ($serial, %logged) = (0);
my $file = $service->directory . '/wsjtx_log.adi';
QSOsync::Front::write_file($file, "WSJT-X ADIF Export<eoh>\n");
sub log_one {
    my %fields = (call => 'EVE' . ++$serial, time_on => sprintf '20%02d%02d', $serial / 60 % 60, $serial % 60);
    $logged{$fields{call}} = 1;
    open my $handle, '>>', $file or die $!;
    print {$handle} wsjtx_record(%fields);
    close $handle;
    eval { send_to($port, wsjtx_session(%fields)) }; # the port is closed while the bridge is not running
}

my $killed = 0;
my $end = time + $seconds;
while (time < $end || $killed <= 3) {
    unlink $log;
    my $pid = QSOsync::Kit::start($log, QSOsync::Kit::environment($service, url => $proxy->url), @command,
        "127.0.0.1:$port");
    if ($killed % 4) { # other bridges are killed at any moment, including their start
        until_true(sub { -e $log && QSOsync::Front::read_file($log) =~ /listening/ });
    }
    my $until = Time::HiRes::time() + 0.3 + rand 2;
    while (Time::HiRes::time() < $until) {
        log_one();
        sleep rand 0.1;
    }
    kill 'KILL', $pid;
    waitpid $pid, 0;
    $killed++;
}
$proxy->stop;
my $pid = QSOsync::Kit::start($log, QSOsync::Kit::environment($service), @command, "127.0.0.1:$port");
my $is_empty = until_true(sub {
    -e "$queue/queue" && QSOsync::Front::read_file("$queue/queue") eq ''
        && QSOsync::Front::read_file($log) =~ /listening/
});
ok $is_empty, 'queued QSOs are sent after the last kill';
kill 'TERM', $pid;
waitpid $pid, 0;

sub calls { sort map { $_->{callsignWorked} } $service->download }
my @arrived = calls();
cmp_ok scalar(@arrived), '>', $serial / 10, 'the bridge logged many QSOs';
my %twice;
is join(' ', grep { $twice{$_}++ } @arrived), '', 'the bridge logs no QSO twice';
my ($status) = QSOsync::Kit::run($log, QSOsync::Kit::environment($service), 'python3',
    QSOsync::Kit::client('qsosync.py'), 'push', $file);
is $status, 0, "pushing the logging program's file succeeds";
is_deeply [calls()], [sort keys %logged], 'the log has every QSO once';
$service->stop;

done_testing;
