use QSOsync::Test fronts => 'main';

# The stamps behind incremental downloads: syncedAt, serverTime, updatedSince.
my $service = QSOsync::Service->start;
my $time = qr/\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\z/;

my $server_time = $service->get('/logs')->json->{serverTime};
my @first = map { qso() } 1 .. 5;
$service->post_batch(\@first);
my @items = $service->download;
my %stamps = map { $_->{syncedAt} => 1 } @items;
is scalar(keys %stamps), 1, 'a batch is stamped once';
my ($stamp) = keys %stamps;
like $stamp, $time, 'in UTC with milliseconds and Z';
cmp_ok $stamp, 'gt', $server_time, 'a write is later than every serverTime given out before it';
is $_->{createdAt}, $stamp, 'a new QSO was created when it was written' for $items[0];

my $last = $stamp;
for my $change ([create => sub { $service->post_batch([qso()]) }], [update => sub { $service->post_batch([$first[0]]) }]) {
    for (1 .. 10) {
        $change->[1]->();
        my ($newest) = sort { $b cmp $a } map { $_->{syncedAt} } $service->download;
        fail "$change->[0]: $newest is not above $last" if $newest le $last;
        $last = $newest;
    }
    pass "every $change is stamped above the one before, however fast they come";
}
cmp_ok $service->get('/logs')->json->{serverTime}, 'ge', $stamp, 'serverTime goes on with the clock';

# Pages of what changed after an instant, and nothing else.
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
is_deeply [sort @changed], [sort map { $_->{clientId} } @later, $first[1]], 'pages with updatedSince hold what changed after it';
is "@pages", '4 4', 'and the last of them is full without a next one';
is_deeply $service->get('/logs?updatedSince=' . $service->get('/logs')->json->{serverTime})->json->{items}, [],
    'after a download nothing is new';

# The offset of updatedSince counts, and so do a plus sign and the space that became of one.
my ($item) = reverse $service->download;
my ($date, $hour, $rest) = $item->{syncedAt} =~ /\A(.*T)(\d\d)(:.*)Z\z/;
SKIP: {
    skip 'the day changes in between', 8 if $hour < 3 || $hour > 20;
    for my $sign ('+', '%2B', '%20', '%2b') {
        my $same = sprintf '%s%02d%s', $date, $hour + 2, $rest;
        is scalar(@{$service->get("/logs?updatedSince=$same${sign}02:00")->json->{items}}), 0,
            "${sign}02:00 is two hours ahead: the instant itself is not after it";
        my $before = sprintf '%s%02d%s', $date, $hour + 1, $rest;
        cmp_ok scalar(@{$service->get("/logs?updatedSince=$before${sign}02:00")->json->{items}}), '>', 0,
            "${sign}02:00 at an hour before is before it";
    }
}

# The clock was ahead once and has been set back: what the database remembers counts.
my $ahead = 4102444800000; # 2100
$service->sqlite("UPDATE logbook SET last_stamp = $ahead");
$service->post_batch([my $future = qso()]);
($item) = grep { $_->{clientId} eq $future->{clientId} } $service->download;
is $item->{syncedAt}, '2100-01-01T00:00:00.001Z', 'stamps go on rising when the clock was set back';
$service->post_batch([$first[2]]);
($item) = grep { $_->{clientId} eq $first[2]{clientId} } $service->download;
is $item->{syncedAt}, '2100-01-01T00:00:00.002Z', 'by a millisecond at a time';
my $page = $service->get('/logs')->json;
is $page->{items}[-1]{clientId}, $first[2]{clientId}, 'and the order of the log stays the order of the writes';
cmp_ok $page->{serverTime}, 'lt', '2100', 'while serverTime is the clock, so that nothing is missed';
is scalar(@{$service->get("/logs?updatedSince=$page->{serverTime}")->json->{items}}), 2, 'rather than delivered twice';
is $service->admin('check'), '', 'the database is whole';

done_testing;
