use QSOsync::Test fronts => 'essential';

# GET /logs returns every QSO once, page by page, oldest change first.
my $service = QSOsync::Service->start;
is_deeply $service->get('/logs')->json->{items}, [], 'an empty log has an empty page';
is $service->get('/logs')->json->{nextCursor}, undef, "an empty log's page has no next page";

my @sent = map { $_ % 2 ? full_qso() : full_pmr_qso() } 1 .. 210;
$service->post_batch([@sent[0 .. 99]]);
$service->post_batch([@sent[100 .. 209]]);
my %sent = map { $_->{clientId} => $_ } @sent;

for my $limit (1, 7, 70, 210, 211, 500) {
    next if $limit == 1 && $service->front eq 'cgi';
    my @items = $service->download(limit => $limit);
    is scalar(@items), 210, "pages of $limit deliver every QSO";
    my %seen = map { $_->{clientId} => 1 } @items;
    is scalar(keys %seen), 210, "pages of $limit deliver no QSO twice";
    my @order = map { sprintf '%s %09d', $_->{syncedAt}, $_->{id} } @items;
    is_deeply \@order, [sort @order], "pages of $limit are in the order of the changes";
}
is $service->get('/logs?limit=210')->json->{nextCursor}, undef, 'a full page is the last page if nothing follows';
is scalar(@{$service->get('/logs')->json->{items}}), 200, 'a page has 200 QSOs if the request has no limit';

my %sent_fields = (%{full_qso()}, %{full_pmr_qso()});
my @fields = (keys %sent_fields, qw(id crossConfirmedAt spottedAt createdAt syncedAt));
my $wrong = 0;
for my $item ($service->download) {
    my $sent = $sent{$item->{clientId}};
    for my $field (keys %$sent) {
        my ($was, $is) = ($sent->{$field}, $item->{$field});
        $wrong++ if !defined $is || "$was" ne "$is";
    }
    $wrong++ if join(' ', sort keys %$item) ne join(' ', sort @fields);
}
is $wrong, 0, 'every item has all fields with the sent values';
like $service->get('/logs?limit=1')->json->{serverTime}, qr/\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\z/,
    'serverTime is UTC with milliseconds';

# A QSO that changes during a download can be returned twice, but no QSO is missed.
my $first = $service->get('/logs?limit=100')->json;
$service->post_batch([$sent[0], qso()]);
my %got = map { $_->{clientId} => 1 } @{$first->{items}};
for (my $cursor = $first->{nextCursor}; defined $cursor;) {
    my $page = $service->get("/logs?limit=100&cursor=$cursor")->json;
    $got{$_->{clientId}}++ for @{$page->{items}};
    $cursor = $page->{nextCursor};
}
is scalar(keys %got), 211, 'a log that changes during a download is downloaded completely';
my $other = $service->add_member('26AT101');
is_deeply $service->get('/logs', key => $other->{read_key})->json->{items}, [], "a key opens only its member's log";

done_testing;
