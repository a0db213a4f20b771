use QSOsync::Test fronts => 'nginx', slow => 35, suite => 'all';

# With too few file descriptors or too little memory, a request succeeds completely or gets 500, and a log line
# gives the reason. Requests are served again when resources are available.
use POSIX ();
plan skip_all => 'prlimit is not installed' if system('prlimit --version >/dev/null 2>&1') != 0;
plan skip_all => 'a sanitizer takes terabytes of address space' if QSOsync::Front::is_sanitized();
my $service = QSOsync::Service->start(workers => 1);
$service->expect_log(qr/answered with GENERIC\.INTERNAL_ERROR|: cannot |out of memory|Too many open files|upstream/);
$service->expect_log(qr/fcgiapp\.c:\d+: Malloc: Assertion/);
my $internal_error = '{"error":{"code":"GENERIC.INTERNAL_ERROR"}}';
sub worker { ($service->worker_pids)[0] }
sub set_limit { system('prlimit', '--pid', worker(), "--$_[0]=$_[1]:") == 0 or die "prlimit @_" }
sub log_since { substr $service->error_log_text, $_[0] }
sub open_files {
    my ($pid) = @_;
    opendir my $folder, "/proc/$pid/fd" or return;
    return sort { $a <=> $b } grep { /\d/ } readdir $folder;
}
# Starts a worker that waits for its first connection.
sub fresh_worker {
    $service->restart_workers;
    until_true(sub {
        QSOsync::Front::read_file('/proc/' . worker() . '/stat') =~ /\) S /; # sleeping
    }) or die 'no worker waits';
}

# The number of free descriptors grows from one, for the connection, to enough for all work.
$service->post_batch([my $kept = qso()]);
my ($failed, $served) = (0, 0);
for my $more (1 .. 12) {
    fresh_worker();
    # Computes the limit that leaves this number of free descriptors.
    my %used = map { $_ => 1 } open_files(worker());
    my ($limit, $free) = (0, 0);
    $free += !$used{$limit++} while $free < $more;
    set_limit('nofile', $limit);
    my $length = length $service->error_log_text;
    my $response = $service->get('/me');
    like $response->status, qr/\A(?:200|500)\z/, "a request with $more free descriptors gets an answer";
    if ($response->status == 500) {
        is $response->body, $internal_error, "a failure with $more free descriptors gives 500";
        like log_since($length), qr/: cannot [^\n]*(?:Too many open files|unable to open)/,
            "the log gives the reason for a failure with $more free descriptors";
        $failed++;
    }
    my $results = $service->post_batch([qso()])->json->{results};
    $served++ if $results;
    my $pid = worker();
    set_limit('nofile', 256);
    is $service->get('/me')->status, 200, "requests are served with more than $more free descriptors";
    is worker(), $pid, "after a time with $more free descriptors, the same worker continues";
}
cmp_ok $failed, '>', 0, 'with few free descriptors, requests fail';
cmp_ok $served, '>', 0, 'with more free descriptors, requests are served';

# Without a descriptor for the connection, the client waits in the queue until a descriptor is free.
fresh_worker();
set_limit('nofile', 1);
my $length = length $service->error_log_text;
my $client = fork;
POSIX::_exit($service->get('/me')->status == 200 ? 0 : 1) if !$client;
until_true(sub {
    log_since($length) =~ /cannot accept a connection: Too many open files/;
}) or die 'the worker logs no error';
set_limit('nofile', 256);
waitpid $client, 0;
is $?, 0, 'a client that was not accepted is served later';

# The memory limit rises from almost nothing to enough for every request.
sub address_space {
    QSOsync::Front::read_file('/proc/' . worker() . '/status') =~ /VmSize:\s+(\d+) kB/ ? $1 * 1024 : die;
}
sub notes { join '', map { chr(0x20AC + $_ % 7) } 1 .. 2000 }
my @large = map { full_qso(notes => notes()) } 1 .. 200;
my $padded = JSON::PP->new->utf8->encode({ entries => [my $small = full_qso()] });
$padded .= ' ' x (8_388_608 - length $padded);
# Returns the number of entries whose stored field differs from the sent field.
sub differs {
    my ($entries, $stored, $field) = @_;
    return scalar grep { my ($sent, $kept) = map { $_->{$field} } $_, $stored->{$_->{clientId}};
    !defined $kept || $sent ne $kept } @$entries;
}
my (%count, %is_whole);
for my $case (['a large batch', \@large, sub { $service->post_batch(\@large) }],
    ['a body of 8 MiB', [$small], sub { $service->request('POST', '/logs/batch', key => $service->write_key,
        headers => { 'Content-Type' => 'application/json' }, body => $padded) }]) {
    my ($name, $entries, $send) = @$case;
    for my $step (0 .. 38) {
        my $more = int 65536 * 1.25**$step;
        fresh_worker();
        $service->get('/me') if $step % 2; # half of the workers already have the database open
        set_limit('as', address_space() + $more);
        $length = length $service->error_log_text;
        my $pid = worker();
        my $response = $send->();
        if ($response->status == 200) {
            is scalar(grep { $_->{id} } @{$response->json->{results}}), @$entries,
                "$name with $more bytes of memory is accepted as a whole";
            set_limit('as', 'unlimited');
            my $page = $service->get('/logs?limit=500');
            my $text = $page->body =~ s/"(?:serverTime|syncedAt)":"[^"]*"//gr; # equal texts are compared only once
            $is_whole{$name}{$text} //= do {
                my %stored = map { $_->{clientId} => $_ } @{$page->json->{items}};
                join ' ', grep { differs($entries, \%stored, $_) } sort keys %{$entries->[0]};
            };
            is $is_whole{$name}{$text}, '', "$name with $more bytes of memory is saved as a whole";
            $count{$name}{served}++;
        }
        else {
            is $response->status . $response->body, "500$internal_error",
                "$name that fails with $more bytes of memory gives 500";
            like log_since($length), qr/out of memory|: cannot /,
                "the log states why $name failed with $more bytes of memory";
            $count{$name}{failed}++;
        }
        # The front server's own answer means that the worker is ending or has ended.
        until_true(sub { $service->replace_ended_workers; worker() != $pid }) if !$response->header('X-Request-Id');
        set_limit('as', 'unlimited');
        is $service->get('/me')->status, 200, "after $name with $more bytes of memory, the next request is served";
    }
    cmp_ok $count{$name}{$_} || 0, '>', 0,
        "as memory grows, some requests with $name are counted as $_" for qw(failed served);
}
is scalar(grep { $_->{clientId} eq $kept->{clientId} } $service->download), 1, 'no lack of resources loses a saved QSO';
is $service->admin('check'), '', 'the logbook passes the check after a lack of resources';

done_testing;
