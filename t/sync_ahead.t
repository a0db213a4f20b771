use QSOsync::Test fronts => 'nginx';
use POSIX ();

# With the parameter ahead, a page of GET /logs links to several following pages. The link to a page must have the
# cursor that the page before it returns.
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

# Returns the faults in the pages of a query, the number of pages, and how many of them name all following pages. Each
# page must name its successor first, and then the pages that follow, up to the requested number.
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

# The log grows, with several QSOs per stamp and with many stamps.
for my $round (1 .. 6) {
    my @more = map { qso() } 1 .. 1 + rand 60;
    push @sent, @more;
    is $service->post_batch([splice @more, 0, 1 + int rand 20])->status, 200, 'QSOs are saved' while @more;
    my ($limit, $ahead) = (1 + int rand 12, int rand 9);
    my $rest = "limit=$limit" . ($round % 2 ? '&includeDeleted=true' : '');
    my ($faults, $pages) = faults_of_pages($rest, $ahead);
    is_deeply $faults, [],
        "$pages pages of $limit QSOs with ahead=$ahead link to the right pages";
}

my $since = '2026-01-01T00:00:00.000Z';
my $rest = "limit=5&updatedSince=$since&includeDeleted=true";
my ($faults, $pages, $whole) = faults_of_pages($rest, 4);
is_deeply [$faults, $whole], [[], $pages],
    'without deletions, pages of changes name as many pages ahead as pages of the whole log';
$service->delete_qso($_->{clientId}) for @sent[1, 3];
$service->post_batch([map { qso() } 1 .. 23]);
($faults, $pages, $whole) = faults_of_pages($rest, 4, 1);
is_deeply $faults, [], 'if there are deletions among the changes, no page is named wrongly';
cmp_ok $whole, '>=', 4, 'pages after the last deletion are named ahead again';
cmp_ok $whole, '<', $pages, 'some pages before the last deletion name only the next page';

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
$service->stop;

done_testing;
