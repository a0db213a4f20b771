use QSOsync::Test fronts => 'nginx';
use QSOsync::Faults;
use POSIX ();

# Incremental downloads depend on three stamps: syncedAt, serverTime and updatedSince.
my $service = QSOsync::Service->start;
my $time = qr/\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\z/;

my $server_time = $service->get('/logs')->json->{serverTime};
my @first = map { qso() } 1 .. 5;
$service->post_batch(\@first);
my @items = $service->download;
my %stamps = map { $_->{syncedAt} => 1 } @items;
is scalar(keys %stamps), 1, 'all QSOs in a batch have the same syncedAt';
my ($stamp) = keys %stamps;
like $stamp, $time, 'syncedAt is UTC with milliseconds and Z';
cmp_ok $stamp, 'gt', $server_time, 'a write is later than every earlier serverTime';
is $_->{createdAt}, $stamp, 'createdAt of a new QSO is the time of the write' for $items[0];

my $last = $stamp;
for my $change ([create => sub {
    $service->post_batch([qso()]);
}], [update => sub { $service->post_batch([$first[0]]) }]) {
    for (1 .. 10) {
        $change->[1]->();
        my ($newest) = sort { $b cmp $a } map { $_->{syncedAt} } $service->download;
        fail "$change->[0]: $newest is not above $last" if $newest le $last;
        $last = $newest;
    }
    pass "the stamp of each $change->[0] is above the previous stamp, even in a fast sequence";
}
cmp_ok $service->get('/logs')->json->{serverTime}, 'ge', $stamp, 'serverTime is not before the last stamp';

# The stamp of a write is a millisecond ahead of the clock. A client that has received a write or a deletion does not
# receive that change again, in any millisecond. serverTime does not go back.
{
    my ($repeated, $back) = (0, 0);
    my $path = '/logs?includeDeleted=true&limit=1&updatedSince=';
    my $told = $service->get('/logs?limit=1')->json->{serverTime};
    for my $round (1 .. 200) {
        $round % 4 ? $service->post_batch([$first[0]]) : $service->delete_qso($first[0]{clientId});
        my $seen = $service->get("$path$told")->json;
        $repeated += 1 != @{$seen->{items}} + @{$seen->{deleted}};
        my $again = $service->get("$path$seen->{serverTime}")->json;
        $repeated += @{$again->{items}} + @{$again->{deleted}};
        $back += ($seen->{serverTime} lt $told) + ($again->{serverTime} lt $seen->{serverTime});
        $told = $again->{serverTime};
    }
    is $repeated, 0, 'a sync right after a write returns the write, and the next sync does not';
    is $back, 0, 'serverTime never goes back';
    $service->post_batch([$first[0]]);
}

# A writer stops in its commit while stamps are ahead of the clock. serverTime is not below any stamp that is shown, and
# does not go back for any client. No client misses that write.
SKIP: {
    my $missing = QSOsync::Faults::missing();
    skip $missing, 5 if $missing;
    my $faults = QSOsync::Faults->new;
    my $service = QSOsync::Service->start(workers => 4, environment => $faults->environment);
    $service->post_batch([qso()]);
    $service->sqlite('UPDATE logbook SET last_stamp = last_stamp + 3600000');
    $service->post_batch([qso()]);
    $service->get('/me') for 1 .. 8; # a worker records the use of a key before its next request
    my $before = $service->get('/logs')->json;
    cmp_ok $before->{serverTime}, 'ge', $before->{items}[-1]{syncedAt},
        'serverTime is not below any stamp in the answer';
    $faults->strike('sync', at => 1, stop => 1);
    my $client = fork // die "fork: $!";
    POSIX::_exit($service->post_batch([qso(notes => 'stopped')], timeout => 300)->status == 200 ? 0 : 1) if !$client;
    my $stopped = sub { (grep { QSOsync::Front::read_file("/proc/$_/stat") =~ /\) T / } $service->worker_pids)[0] };
    ok until_true($stopped), 'a writer stops in its commit';
    my $during = $service->get('/logs')->json;
    is $during->{serverTime}, $before->{serverTime}, 'serverTime does not go back while a write is active';
    kill CONT => $stopped->();
    waitpid $client, 0;
    is $?, 0, 'a stopped write is saved when its writer continues';
    is_deeply [map { $_->{notes} } @{$service->get("/logs?updatedSince=$during->{serverTime}")->json->{items}}],
        ['stopped'], 'the next download returns that write once, and nothing else';
    $service->stop;
}

# With updatedSince, pages contain only changes after that time.
my @later = map { qso() } 1 .. 7;
my $since = $service->get('/logs')->json->{serverTime};
$service->post_batch([@later[0 .. 3]]);
$service->post_batch([@later[4 .. 6], $first[1]]);
my ($cursor, @changed, @pages) = ();
do {
    my $page = $service->get("/logs?limit=4&updatedSince=$since" . (defined $cursor ? "&cursor=$cursor" : ''))->json;
    push @changed, map { $_->{clientId} } @{$page->{items}};
    push @pages, scalar @{$page->{items}};
    $cursor = $page->{nextCursor};
} while (defined $cursor);
is_deeply [sort @changed], [sort map { $_->{clientId} } @later, $first[1]],
    'pages with updatedSince contain the changes after that time';
is "@pages", '4 4', 'a full last page of changes has no next page';
is_deeply $service->get('/logs?updatedSince=' . $service->get('/logs')->json->{serverTime})->json->{items}, [],
    'the serverTime of a page as updatedSince delivers nothing';

# The offset of updatedSince counts. A plus sign that was decoded to a space still counts as a plus sign.
my ($item) = reverse $service->download;
my ($date, $hour, $rest) = $item->{syncedAt} =~ /\A(.*T)(\d\d)(:.*)Z\z/;
SKIP: {
    skip 'the day changes in between', 8 if $hour < 3 || $hour > 20;
    for my $sign ('+', '%2B', '%20', '%2b') {
        my $same = sprintf '%s%02d%s', $date, $hour + 2, $rest;
        is scalar(@{$service->get("/logs?updatedSince=$same${sign}02:00")->json->{items}}), 0,
            "updatedSince with ${sign}02:00 is the same instant as UTC two hours earlier";
        my $before = sprintf '%s%02d%s', $date, $hour + 1, $rest;
        cmp_ok scalar(@{$service->get("/logs?updatedSince=$before${sign}02:00")->json->{items}}), '>', 0,
            "updatedSince with ${sign}02:00 and an hour earlier delivers the changes in that hour";
    }
}

# The clock was ahead once and has been set back: the last stamp in the database decides.
my $ahead = 4102444800000; # 2100
$service->sqlite("UPDATE logbook SET last_stamp = $ahead");
$service->post_batch([my $future = qso()]);
($item) = grep { $_->{clientId} eq $future->{clientId} } $service->download;
is $item->{syncedAt}, '2100-01-01T00:00:00.001Z',
    "after the clock was set back, a write's stamp is above the last stamp";
$service->post_batch([$first[2]]);
($item) = grep { $_->{clientId} eq $first[2]{clientId} } $service->download;
is $item->{syncedAt}, '2100-01-01T00:00:00.002Z',
    'after the clock was set back, each stamp is a millisecond above the previous stamp';
my $page = $service->get('/logs')->json;
is $page->{items}[-1]{clientId}, $first[2]{clientId},
    'after the clock was set back, the log has the order of the writes';
is $page->{serverTime}, $item->{syncedAt},
    'after the clock was set back, serverTime is the last stamp, which no later write has';
is scalar(@{$service->get("/logs?updatedSince=$page->{serverTime}")->json->{items}}), 0,
    'after the clock was set back, a download repeats nothing';
$service->post_batch([my $partner_of_future = qso(sendSpot => JSON::PP::true(), frequencyMhz => '27.555')]);
($item) = @{$service->get("/logs?updatedSince=$page->{serverTime}")->json->{items}};
is $item->{clientId}, $partner_of_future->{clientId},
    'after the clock was set back, a download contains later writes';
cmp_ok $item->{$_}, 'lt', '2100', "after the clock was set back, $_ is the clock's time" for qw(createdAt spottedAt);
is $service->admin('check'), '', 'the logbook passes the check';
$service->stop;

done_testing;
