use QSOsync::Test fronts => 'nginx', slow => 15, suite => 'all';
use POSIX ();
use Time::HiRes qw(sleep time);

# Many clients send requests while workers are killed or restarted. A worker serves one request at a time, and other
# requests wait in a queue outside the workers. So a kill fails at most one request, and a restart fails no request.
# Only a request above its client's share waits in a worker, and fails with that worker. A failure is a 500 or a broken
# connection, never a wrong answer or a partial answer that looks complete.
my $seconds = $ENV{QSOSYNC_TEST_SECONDS} || 8;
my $patience = 20;
my $clients = 32;
my $service = QSOsync::Service->start(workers => 4);
$service->expect_log(qr/upstream prematurely closed|recv\(\) failed|Connection reset|AH\d+/);

# Each member's QSOs contain the member's number and callsign, so an answer with another member's data is detected.
my @members = map { $service->add_member(sprintf '21SD1%02d', $_) } 0 .. $clients - 1;
for my $number (0 .. $#members) {
    my $member = $members[$number];
    $member->{prefix} = sprintf '%08x-', $number + 1;
    $member->{me} = $service->get('/me', key => $member->{read_key})->body;
    $service->post_batch([map { entry($member) } 1 .. 100], key => $member->{write_key});
}
sub entry {
    my ($member) = @_;
    return full_qso(clientId => $member->{prefix} . substr(uuid(), 9), operatorCallsign => $member->{callsign});
}

sub reading { return (key => $_[0]{read_key}, timeout => $patience, from => $_[0]{address}) }
sub writing { return (reading($_[0]), key => $_[0]{write_key}) }

# Each function sends a request, and returns the response, the right status, and a function that checks the body.
my %request = (
    me => sub {
        my ($member) = @_;
        return ($service->get('/me', reading($member)), 200,
            sub { $_[0]->body eq $member->{me} });
    },
    logs => sub {
        my ($member) = @_;
        my $limit = 1 + int rand 30;
        return ($service->get("/logs?limit=$limit", reading($member)), 200, sub {
            my $page = $_[0]->json or return 0;
            return $page->{nextCursor} && $page->{serverTime} && @{$page->{items}} == $limit
                && !grep { $_->{operatorCallsign} ne $member->{callsign}
                    || index($_->{clientId}, $member->{prefix}) != 0 } @{$page->{items}};
        });
    },
    ids => sub {
        my ($member, $own) = @_;
        return ($service->get('/logs/ids', reading($member)), 200, sub {
            my $body = $_[0]->body;
            my $item = qr/\{"id":"\d+","clientId":"$member->{prefix}(?:[-0-9a-f]{27})"\}/;
            return $body =~ /\A\{"items":\[$item(?:,$item)*\]\}\z/ && !grep { index($body, qq{"$_"}) < 0 } @$own;
        });
    },
    batch => sub {
        my ($member, $own) = @_;
        my @entries = map { entry($member) } 1 .. 1 + rand 10;
        return ($service->post_batch(\@entries, writing($member)), 200, sub {
            my $results = ($_[0]->json || {})->{results} or return 0;
            push @$own, map { $_->{clientId} } @$results;
            return @$results == @entries
                && !grep { $results->[$_]{clientId} ne $entries[$_]{clientId} || !$results->[$_]{id} } 0 .. $#entries;
        });
    },
    delete => sub {
        my ($member, $own) = @_;
        my $status = @$own ? 204 : 404;
        my $gone = @$own ? splice(@$own, int rand @$own, 1) : entry($member)->{clientId};
        return ($service->delete_qso($gone, writing($member)), $status,
            sub { $_[0]->body eq ($status == 404 ? '{"error":{"code":"GENERIC.NOT_FOUND"}}' : '') });
    },
);

sub verdict_on {
    my ($response, $status, $is_right, $seconds) = @_;
    return $seconds < $patience ? 'cut' : 'silent' if !$response || !$response->complete;
    return 'refused' if $response->status == 500 && !$response->header('X-Request-Id')
        && $response->body eq '{"error":{"code":"GENERIC.INTERNAL_ERROR"}}';
    return $response->status == $status && $is_right->($response) ? 'right' : 'wrong';
}

# Runs the work in a new process, which writes the result to a file.
sub in_background {
    my ($name, $work) = @_;
    my $path = $service->directory . "/race-$name.json";
    my $pid = fork;
    die "fork: $!" unless defined $pid;
    return { pid => $pid, path => $path } if $pid;
    srand; # a seed from the system, because a seed from the time and process id is sometimes the same in two processes
    my $result = eval { $work->() } || { error => $@ };
    open my $file, '>', $path or POSIX::_exit(1);
    print {$file} JSON::PP::encode_json($result);
    close $file;
    POSIX::_exit(0);
}

sub result_of {
    my ($job) = @_;
    waitpid $job->{pid}, 0;
    open my $file, '<', $job->{path} or return { error => "no result: $!" };
    local $/;
    return JSON::PP::decode_json(<$file>);
}

sub client {
    my ($member, $end) = @_;
    POSIX::nice(5); # gives the process that ends workers its turn
    my @kinds = sort keys %request;
    my (%count, @own, @wrong);
    for (my $request = 1; time < $end || $request <= 3; $request++) { # at least a few requests on a slow machine
        my $kind = $kinds[rand @kinds];
        my $start = time;
        my ($response, @expected) = $request{$kind}->($member, \@own);
        my $verdict = verdict_on($response, @expected, time - $start);
        $count{$verdict}++;
        push @wrong, "$kind: " . ($response ? $response->status . ' ' . substr $response->body, 0, 200 : 'no answer')
            if $verdict =~ /wrong|silent/ && @wrong < 3;
    }
    return { count => \%count, wrong => \@wrong };
}

# Runs one client per member for this time, at the addresses that address_of returns, while random workers get one of
# these signals. Returns the number of requests per outcome.
my $runs = 0;
sub load {
    my ($seconds, $address_of, @signals) = @_;
    my $end = time + $seconds;
    $runs++;
    my @clients = map {
        my $member = { %{$members[$_]}, address => $address_of->($_) };
        in_background("load$runs-$_", sub { client($member, $end) });
    } 0 .. $#members;
    my %sum = map { $_ => 0 } qw(right cut refused), @signals;
    while (time < $end - 0.2) {
        sleep 0.02 + rand 0.1;
        my $signal = $signals[rand @signals];
        my @pids = $service->worker_pids;
        $service->start_worker;
        $service->end_worker($pids[rand @pids], $signal);
        $sum{$signal}++;
    }
    my @results = map { result_of($_) } @clients;
    for my $result (@results) {
        $sum{$_} += $result->{count}{$_} for keys %{$result->{count}};
    }
    diag join ', ', map { "$sum{$_} $_" } sort keys %sum if $ENV{QSOSYNC_TEST_SECONDS};
    is join("\n", map { $_->{error} || @{$_->{wrong}} } @results), '',
        'every answer is right, or an explicit failure';
    cmp_ok $sum{right}, '>', 100, 'over 100 requests get the right answer';
    return \%sum;
}

my $one_each = sub { '127.0.1.' . ($_[0] + 1) };
my $the_same = sub { '127.0.0.1' };
my $killed = load($seconds * 0.4, $one_each, qw(KILL TERM USR1));
cmp_ok $killed->{cut} + $killed->{refused}, '<=', $killed->{KILL},
    'a kill fails at most one request';
load($seconds * 0.3, $the_same, qw(KILL TERM USR1)); # some of these requests wait in a worker
my $restarted = load($seconds * 0.3, $the_same, qw(TERM USR1));
is $restarted->{cut} + $restarted->{refused}, 0, 'restarts fail no request, including requests that wait in a worker';
is $service->admin('check'), '', 'the logbook passes the check';

done_testing;
