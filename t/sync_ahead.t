use QSOsync::Test fronts => 'nginx';
use POSIX ();

# In an answer to GET /logs with ahead, a page names several pages after it. Each name equals the one in the page
# before.
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

# Returns the faults in the pages of a query. Each page must name its successor first, and then the pages that follow,
# up to the requested number.
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

# Logs grow, with several QSOs of one stamp and many stamps.
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

# Parameters of GET /logs are at and beyond their bounds.
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
    is refused_field("$_->[1]=$_->[0]&$_->[1]=$_->[0]"), $_->[1],
        "$_->[1] given twice is refused, even with equal values"
        for ['2020-01-01T00:00:00Z', 'updatedSince'], [5, 'limit'], [$cursor, 'cursor'];
    is refused_field('limit=5&l%69mit=5'), 'limit', 'a percent-encoded parameter name is recognised';
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

done_testing;
