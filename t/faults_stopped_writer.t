use QSOsync::Test fronts => 'nginx';
use QSOsync::Cgi;
use QSOsync::Faults;

# A writer that is stopped in the middle of its commit, with the lock that all writers take, keeps nobody from reading,
# however young the process is, and other writers for as long as they want to wait.
use Time::HiRes qw(sleep time);
plan skip_all => $_ for grep { $_ } QSOsync::Faults::missing();
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
$service->start_worker;
my $response = $service->get('/me', timeout => 30);
is $response && $response->status, 200, 'a worker that starts meanwhile answers, too, without waiting';
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

done_testing;
