use QSOsync::Test fronts => 'main';

# The stamps behind incremental downloads: syncedAt, serverTime, updatedSince.
my $service = QSOsync::Service->start;
my $time = qr/\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\z/;

my $server_time = $service->get('/logs')->json->{serverTime};
my @first = map { qso() } 1 .. 5;
$service->post_batch(\@first);
my @items = $service->download;
my %stamps = map { $_->{syncedAt} => 1 } @items;
is scalar(keys %stamps), 1, 'all QSOs of a batch have one syncedAt';
my ($stamp) = keys %stamps;
like $stamp, $time, 'syncedAt is UTC with milliseconds and Z';
cmp_ok $stamp, 'gt', $server_time, 'a write is later than every serverTime given out before it';
is $_->{createdAt}, $stamp, 'a new QSO was created when it was written' for $items[0];

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
    pass "each $change->[0] is stamped above the one before, however fast they come";
}
cmp_ok $service->get('/logs')->json->{serverTime}, 'ge', $stamp, 'serverTime is not before the last stamp';

# A write's stamp is a millisecond above the clock. Who has seen it, in whatever millisecond, is not sent it again, nor
# its deletion, and serverTime does not step back.
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
    is $repeated, 0, 'a sync right after a write brings it, and the next one does not';
    is $back, 0, 'serverTime never steps back';
    $service->post_batch([$first[0]]);
}

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
is_deeply [sort @changed], [sort map { $_->{clientId} } @later, $first[1]],
    'pages with updatedSince hold what changed after it';
is "@pages", '4 4', 'a full last page of changes names no next one';
is_deeply $service->get('/logs?updatedSince=' . $service->get('/logs')->json->{serverTime})->json->{items}, [],
    'the serverTime of a page as updatedSince delivers nothing';

# The offset of updatedSince counts; a plus sign that was decoded to a space is one still.
my ($item) = reverse $service->download;
my ($date, $hour, $rest) = $item->{syncedAt} =~ /\A(.*T)(\d\d)(:.*)Z\z/;
SKIP: {
    skip 'the day changes in between', 8 if $hour < 3 || $hour > 20;
    for my $sign ('+', '%2B', '%20', '%2b') {
        my $same = sprintf '%s%02d%s', $date, $hour + 2, $rest;
        is scalar(@{$service->get("/logs?updatedSince=$same${sign}02:00")->json->{items}}), 0,
            "updatedSince with ${sign}02:00 names the same instant as UTC two hours earlier";
        my $before = sprintf '%s%02d%s', $date, $hour + 1, $rest;
        cmp_ok scalar(@{$service->get("/logs?updatedSince=$before${sign}02:00")->json->{items}}), '>', 0,
            "updatedSince with ${sign}02:00 and an hour earlier delivers what changed in that hour";
    }
}

# The clock was ahead once and has been set back: what the database remembers counts.
my $ahead = 4102444800000; # 2100
$service->sqlite("UPDATE logbook SET last_stamp = $ahead");
$service->post_batch([my $future = qso()]);
($item) = grep { $_->{clientId} eq $future->{clientId} } $service->download;
is $item->{syncedAt}, '2100-01-01T00:00:00.001Z',
    'after the clock was set back a write is stamped above the last stamp';
$service->post_batch([$first[2]]);
($item) = grep { $_->{clientId} eq $first[2]{clientId} } $service->download;
is $item->{syncedAt}, '2100-01-01T00:00:00.002Z',
    'after the clock was set back each write is stamped a millisecond above the one before';
my $page = $service->get('/logs')->json;
is $page->{items}[-1]{clientId}, $first[2]{clientId},
    'after the clock was set back the order of the log is the order of the writes';
is $page->{serverTime}, $item->{syncedAt},
    'after the clock was set back serverTime is the last stamp, which no later write has';
is scalar(@{$service->get("/logs?updatedSince=$page->{serverTime}")->json->{items}}), 0,
    'after the clock was set back a download repeats nothing';
$service->post_batch([my $partner_of_future = qso(sendSpot => JSON::PP::true(), frequencyMhz => '27.555')]);
($item) = @{$service->get("/logs?updatedSince=$page->{serverTime}")->json->{items}};
is $item->{clientId}, $partner_of_future->{clientId},
    'after the clock was set back a download delivers what was written since';
cmp_ok $item->{$_}, 'lt', '2100', "after the clock was set back $_ is the clock's time" for qw(createdAt spottedAt);
is $service->admin('check'), '', 'the database is whole';

done_testing;
