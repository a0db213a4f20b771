use QSOsync::Test fronts => 'nginx';
use QSOsync::Faults;
use POSIX ();
use Time::HiRes ();

# The stamps behind incremental downloads: syncedAt, serverTime, updatedSince.
my $service = QSOsync::Service->start;
my $time = qr/\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\z/;

my $server_time = $service->get('/logs')->json->{serverTime};
my @first = map { qso() } 1 .. 5;
$service->post_batch(\@first);
my @items = $service->download;
my %stamps = map { $_->{syncedAt} => 1 } @items;
is scalar(keys %stamps), 1, 'all QSOs of a batch have the same syncedAt';
my ($stamp) = keys %stamps;
like $stamp, $time, 'syncedAt is UTC with milliseconds and Z';
cmp_ok $stamp, 'gt', $server_time, 'a write is later than every serverTime that was returned before it';
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
    pass "the stamp of each $change->[0] is above the previous one, however fast they come";
}
cmp_ok $service->get('/logs')->json->{serverTime}, 'ge', $stamp, 'serverTime is not before the last stamp';

# The stamp of a write is a millisecond ahead of the clock. A client that has seen a write or its deletion does not get
# it again, in any millisecond. serverTime does not go back.
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

# A writer stops in its commit, while stamps are ahead of the clock. serverTime is not below any stamp that is shown,
# and does not go back for anybody. Nobody misses that write.
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
        'serverTime is not below any stamp of the answer';
    $faults->strike('sync', at => 1, stop => 1);
    my $client = fork // die "fork: $!";
    POSIX::_exit($service->post_batch([qso(notes => 'stopped')], timeout => 300)->status == 200 ? 0 : 1) if !$client;
    my $stopped = sub { (grep { QSOsync::Front::read_file("/proc/$_/stat") =~ /\) T / } $service->worker_pids)[0] };
    ok until_true($stopped), 'a writer stops in its commit';
    my $during = $service->get('/logs')->json;
    is $during->{serverTime}, $before->{serverTime}, 'serverTime does not go back while a write is active';
    kill CONT => $stopped->();
    waitpid $client, 0;
    is $?, 0, 'the write is saved when it continues';
    is_deeply [map { $_->{notes} } @{$service->get("/logs?updatedSince=$during->{serverTime}")->json->{items}}],
        ['stopped'], 'the next download returns that write, and nothing twice';
    $service->stop;
}

# Many readers and writers at once.
{
    my $service = QSOsync::Service->start(workers => 12, environment => { QSOSYNC_RATE_LIMIT => 0 });
    my (@readers, @writers, @answers);
    my $path = $service->directory . '/answers';
    for my $number (1 .. 3) {
        my $pid = fork // die "fork: $!";
        push(@readers, $pid), next if $pid;
        open my $log, '>', "$path.$number" or die $!;
        for (1 .. 150) {
            my $began = Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC());
            my $page = $service->get('/logs?limit=500&includeDeleted=true')->json;
            my $ended = Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC());
            my ($latest) = sort { $b cmp $a } '', map({ $_->{syncedAt} } @{$page->{items}}),
                map { $_->{deletedAt} } @{$page->{deleted}};
            print $log "$began $ended $page->{serverTime} $latest\n";
        }
        close $log;
        POSIX::_exit(0);
    }
    for my $number (1 .. 2) {
        my $pid = fork // die "fork: $!";
        push(@writers, $pid), next if $pid;
        srand $number;
        my @own = map { qso() } 1 .. 5;
        while (1) { $service->post_batch([$own[rand @own]]) }
    }
    waitpid $_, 0 for @readers;
    kill KILL => @writers;
    waitpid $_, 0 for @writers;
    for my $number (1 .. 3) {
        push @answers, map { [split / /] } split /\n/, QSOsync::Front::read_file("$path.$number");
    }
    is scalar(grep { $_->[2] lt ($_->[3] // '') } @answers), 0, 'no page has a stamp above its serverTime';
    my ($back, $greatest) = (0, '');
    my @by_end = sort { $a->[1] <=> $b->[1] } @answers;
    # Compared with answers that ended before this request began.
    for my $answer (sort { $a->[0] <=> $b->[0] } @answers) {
        while (@by_end && $by_end[0][1] < $answer->[0]) {
            my $told = (shift @by_end)->[2];
            $greatest = $told if $told gt $greatest;
        }
        $back++ if $answer->[2] lt $greatest;
    }
    is $back, 0, 'no serverTime is below an earlier answer to anybody';
    $service->stop;
}

# Pages contain only changes after a point in time.
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
    'pages with updatedSince contain the changes after it';
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
    'after the clock was set back a download delivers later writes';
cmp_ok $item->{$_}, 'lt', '2100', "after the clock was set back $_ is the clock's time" for qw(createdAt spottedAt);
is $service->admin('check'), '', 'the logbook passes the check';
$service->stop;

# GET /logs with ahead: a page names several pages after it. Each name equals the one in the page before.
{
    my $service = QSOsync::Service->start(environment => { QSOSYNC_RATE_LIMIT => 0 });
    drawn_seed();
    my @sent;

    # Returns the cursors in a page's header by their relation, and the links that do not repeat the query.
    sub named {
        my ($response, $rest) = @_;
        my (%named, @unlike);
        for my $link (split /, /, $response->header('Link') || '') {
            my ($query, $relation) = $link =~ /\A<\?([^>]*)>; rel="(\w+)"\z/ or die "no link: $link";
            my ($cursor) = $query =~ /&cursor=([^&]*)/;
            push @{$named{$relation}}, $cursor;
            push @unlike, $link if $query ne $rest =~ s/limit=\d+\K/&cursor=$cursor/r;
        }
        return (\%named, \@unlike);
    }

    # Returns the faults in the pages of a query. Each page must name its successor first, and then the pages after
    # that, up to the requested number.
    sub faults_of_pages {
        my ($rest, $ahead, $deletions) = @_;
        my (@pages, $cursor, @faults);
        do {
            my $response = $service->get("/logs?$rest&ahead=$ahead" . (defined $cursor ? "&cursor=$cursor" : ''));
            push @pages, [$response->json, named($response, $rest)];
            $cursor = $pages[-1][0]{nextCursor};
        } while (defined $cursor);
        my @next = map { $_->[0]{nextCursor} // () } @pages;
        my ($whole, $part) = (0, 0);
        for my $place (0 .. $#pages) {
            my (undef, $named, $unlike) = @{$pages[$place]};
            my @has = map { @{$named->{$_} || []} } qw(next section);
            my @due = grep { defined } @next[$place .. $place + ($ahead || 1) - 1];
            my $is_cut = "@has" ne "@due" && $deletions && @has == 1;
            push @faults, "page $place names [@has] for [@due]" if "@has" ne ($is_cut ? $due[0] : "@due");
            push @faults, map { "page $place links to another query: $_" } @$unlike;
            push @faults, "page $place names two next pages" if @{$named->{next} || []} > 1;
            $is_cut ? $part++ : $whole++;
        }
        return (\@faults, scalar @pages, $whole);
    }

    # Logs that grow, with several QSOs of one stamp and many stamps.
    for my $round (1 .. 6) {
        my @more = map { qso() } 1 .. 1 + rand 60;
        push @sent, @more;
        is $service->post_batch([splice @more, 0, 1 + int rand 20])->status, 200, 'QSOs are saved' while @more;
        my ($limit, $ahead) = (1 + int rand 12, int rand 9);
        my $rest = "limit=$limit" . ($round % 2 ? '&includeDeleted=true' : '');
        my ($faults, $pages) = faults_of_pages($rest, $ahead);
        is_deeply $faults, [], "$pages pages of $limit, $ahead of them named ahead, follow as they were named";
    }

    my $since = '2026-01-01T00:00:00.000Z';
    my $rest = "limit=5&updatedSince=$since&includeDeleted=true";
    my ($faults, $pages, $whole) = faults_of_pages($rest, 4);
    is_deeply [$faults, $whole], [[], $pages], 'changes without deletions are named as far ahead as the whole log';
    $service->delete_qso($_->{clientId}) for @sent[1, 3];
    $service->post_batch([map { qso() } 1 .. 23]);
    ($faults, $pages, $whole) = faults_of_pages($rest, 4, 1);
    is_deeply $faults, [], 'if there are deletions among the changes, no page is named wrongly';
    cmp_ok $whole, '>=', 4, 'pages after the last deletion are named ahead again';
    cmp_ok $whole, '<', $pages, 'before the last deletion only the next page is named';

    my $page = $service->get('/logs?limit=3');
    is $page->header('Link'), '<?limit=3&cursor=' . $page->json->{nextCursor} . '>; rel="next"',
        'a page names only the next page if no more are requested';
    for my $wrong (-1, 9, 'x', '') {
        my $response = $service->get("/logs?ahead=$wrong");
        is_deeply [$response->status, map { @{$_}{qw(field message)} } @{$response->json->{error}{details}}],
            [400, 'ahead', 'must be an integer from 0 to 8'], "ahead=$wrong is refused";
    }
    my ($many) = named($service->get('/logs?limit=1&ahead=8'), 'limit=1');
    is scalar(map { @$_ } values %$many), 8, 'eight pages are named if as many follow';

    # Parameters of GET /logs at and beyond their bounds.
    {
        my $service = QSOsync::Service->start;
        my $cursor = do {
            $service->post_batch([map { qso() } 1 .. 3]);
            $service->get('/logs?limit=1')->json->{nextCursor};
        };
        is $service->get("/logs?limit=$_")->status, 200, "limit=$_ is accepted" for 1, 500;
        for (0, 501, -1, '1.5', '1e2', 'abc', '', '99999999999999999999') {
            my $response = $service->get("/logs?limit=$_");
            is $response->status . ' ' . $response->code, '400 VALIDATION.FAILED', "limit=$_ is refused";
            is $response->json->{error}{details}[0]{field}, 'limit', "the refusal of limit=$_ names the parameter";
        }
        is $service->get("/logs?limit=5&limit=5")->status, 400, 'a parameter given twice is refused';
        is $service->get("/logs?unknown=1&unknown=2")->status, 200, 'an unknown parameter given twice is ignored';
        is $service->get("/logs?cursor=$cursor")->status, 200, 'a cursor is accepted';
        is scalar(@{$service->get("/logs?cursor=$cursor")->json->{items}}), 2, 'a cursor returns the QSOs after it';
        is $service->get("/logs?cursor=$_")->status, 400, "cursor=$_ is refused"
            for '', 'x', '0', $cursor . '0', substr($cursor, 1), ($cursor =~ tr/0-9/1-90/r);
        is $service->get('/logs?limit=0', key => undef)->status, 401,
            'a wrong parameter without a key gives 401';

        sub refused_field {
            my ($query, %option) = @_;
            my $response = $service->get("/logs?$query", %option);
            return $response->status == 400 ? $response->json->{error}{details}[0]{field} : $response->status;
        }
        is refused_field("$_->[1]=$_->[0]&$_->[1]=$_->[0]"), $_->[1], "$_->[1] given twice is refused, even if alike"
            for ['2020-01-01T00:00:00Z', 'updatedSince'], [5, 'limit'], [$cursor, 'cursor'];
        is refused_field('limit=5&l%69mit=5'), 'limit', 'a percent-encoded name is the same parameter';
        is refused_field('LIMIT=0'), 200, 'a name in another case is another parameter';
        is refused_field("limit=$_"), 'limit', "limit=$_ is not an integer"
            for '+5', '%2B5', '%205', '5%20', '5+', '5%00', '5.0', '0x5', '-5', '%D9%A5';
        is refused_field('limit=005'), 200, 'leading zeros do not change an integer';
        is scalar(@{$service->get('/logs?limit=%31')->json->{items}}), 1, 'values of parameters are percent-decoded';
        is refused_field('unknown=%ff&other=%zz'), 200, 'an unknown parameter with a malformed value is ignored';
        is refused_field('limit=%zz'), 'limit', 'a value with a malformed escape is refused';
        is refused_field('limit=%zz', key => undef), 401,
            'a malformed escape without a key gives 401';
        unlike $service->get('/logs?limit=%zz')->body, qr/given once/,
            'a malformed escape is not reported as a repetition';
        is $service->request('POST', '/logs?limit=0', body => '')->status, 405,
            'a wrong method gives 405 with any key and parameters';
        is $service->request('GET', '/log?limit=0')->status, 404,
            'an unknown path gives 404 with any key and parameters';
    }
    $service->stop;
}

done_testing;
