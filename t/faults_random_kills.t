use QSOsync::Test fronts => 'none', slow => 20, suite => 'all';
use QSOsync::Cgi;
use QSOsync::Client;
use QSOsync::Faults;

# Writers are killed, or their disk fails, at any write or sync, readers read before, meanwhile and after, and now and
# then all programs end: each client that asks for what has changed gets every QSO, what was acknowledged stays, and
# what was refused does not come back. QSOSYNC_TEST_SECONDS (20) and QSOSYNC_TEST_SEED choose otherwise.
use Errno qw(EIO ENOSPC);
use Time::HiRes qw(sleep time);
plan skip_all => $_ for grep { $_ } QSOsync::Faults::missing();
my $seed = drawn_seed();
my $end = time + ($ENV{QSOSYNC_TEST_SECONDS} || 20);
my $faults = QSOsync::Faults->new;
my $service = QSOsync::Service->start(workers => 1);
$service->end_worker($_) for $service->worker_pids;
my @updated = map { uuid() } 1 .. 20; # QSOs that change again and again; each batch adds another one
my (%acknowledged, %refused, %count);
$count{rounds} = 0;

sub start_request {
    my ($uri, $key, $body, %variables) = @_;
    my ($query) = $uri =~ /\?(.*)/;
    return QSOsync::Cgi::start($service->directory, { QSOSYNC_DB => $service->db, QSOSYNC_RATE_LIMIT => 0,
        REQUEST_URI => "/api/v1$uri", QUERY_STRING => $query // '', HTTP_AUTHORIZATION => "Bearer $key",
        defined $body ? (REQUEST_METHOD => 'POST', CONTENT_TYPE => 'application/json') : (), %variables },
        body => $body);
}
sub start_batch {
    my @entries = (qso(clientId => $updated[rand @updated], notes => uuid()), qso(notes => uuid()));
    return [$entries[1]{clientId}, start_request('/logs/batch', $service->write_key,
        JSON::PP::encode_json({ entries => \@entries }), %{$faults->environment})];
}
sub finish_batch {
    my ($client_id, $started) = @{$_[0]};
    my $response = QSOsync::Cgi::finish($started);
    my $end = $? & 127 ? 'killed' : $response->status == 200 ? 'saved' : 'refused';
    $count{$end}++;
    $acknowledged{$client_id} = 1 if $end eq 'saved';
    $refused{$client_id} = 1 if $end eq 'refused';
}

# What has changed since the client asked last, page by page; it keeps the serverTime of the first.
sub download {
    my ($client) = @_;
    my ($cursor, $time);
    do {
        my $page = QSOsync::Cgi::finish(start_request("/logs?limit=500&updatedSince=$client->{time}"
            . (defined $cursor ? "&cursor=$cursor" : ''), $service->read_key))->json;
        $client->{items}{$_->{clientId}} = $_->{notes} for @{$page->{items}};
        $time //= $page->{serverTime};
        $cursor = $page->{nextCursor};
    } while (defined $cursor);
    $client->{time} = $time;
    return $client;
}
sub new_client { return download({ time => '2000-01-01T00:00:00.000Z', items => {} }) }

# A program that has the database open, so that the log's index stays as it is when a writer dies.
my ($shell, $shell_pid);
sub keep_open {
    $shell_pid = open $shell, '|-', "exec sqlite3 '@{[$service->db]}' >/dev/null" or die $!;
    $shell->autoflush;
    print {$shell} "SELECT count(*) FROM qsos;\n";
    my $wait_end = time + 30;
    sleep 0.005 until QSOsync::Front::read_file("/proc/$shell_pid/maps") =~ /-shm$/m || time > $wait_end;
}
sub let_go {
    return if !$shell_pid;
    kill 'KILL', $shell_pid;
    close $shell;
    $shell_pid = undef;
    $count{ended}++;
}

sub make_trouble {
    my $kind = (qw(sync sync sync write write index))[rand 6];
    my @error = rand() < 0.7 ? () : (error => (EIO, ENOSPC)[rand 2], forever => int rand 2);
    $faults->strike($kind, at => 1 + int rand($kind eq 'sync' ? 3 : 14), @error);
}
sub differences {
    my ($client, $log) = @_;
    return join ' ', (map { "$_ is missing" } grep { !$client->{items}{$_} } keys %$log),
        (map { "$_ is not its last state" } grep { ($client->{items}{$_} // $log->{$_}) ne $log->{$_} } keys %$log),
        (map { "$_ is gone" } grep { !$log->{$_} } keys %{$client->{items}});
}

my @clients = map { new_client() } 1 .. 3;
keep_open();
my @wrong;
while ((time < $end || $count{rounds} < 40) && !@wrong) { # on a slow machine some rounds all the same
    $count{rounds}++;
    make_trouble() if rand() < 0.85;
    my @batches = map { start_batch() } 0 .. int rand 2;
    download($clients[rand @clients]) if rand() < 0.5;
    finish_batch($_) for @batches;
    $faults->lift;
    sleep 0.003; # or the clock is still where the writer has seen it
    download($clients[rand @clients]) for 1 .. int rand 3;
    let_go() if rand() < 0.5;
    download($clients[rand @clients]) if rand() < 0.5;
    keep_open() if !$shell_pid && rand() < 0.8;
    my $log = new_client()->{items};
    push @wrong, grep { $_ } map { differences(download($_), $log) } @clients;
    push @wrong, map { "$_ was acknowledged" } grep { !$log->{$_} } keys %acknowledged;
    push @wrong, map { "$_ was refused" } grep { $log->{$_} } keys %refused;
}
let_go();
is join("\n", @wrong), '', "clients, log and answers agree (seed $seed)";
is $service->admin('check'), '', 'the database is whole';
my $sum = join ', ', map { "$_ $count{$_}" } sort keys %count;
note $sum;
diag $sum if $ENV{QSOSYNC_TEST_SECONDS};
cmp_ok $count{$_} // 0, '>', 0, "some were $_" for qw(killed saved ended);

done_testing;
