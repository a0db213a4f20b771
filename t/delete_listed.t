use QSOsync::Test fronts => 'nginx';

# GET /logs with includeDeleted=true lists deletions among the changes.
my $service = QSOsync::Service->start(site => 1);

sub page { $service->get("/logs?$_[0]")->json }
sub deleted_ids { [map { $_->{clientId} } @{$_[0]{deleted}}] }

# Returns the changes since a time, from all pages: rows of [kind, clientId, stamp], and whether all deletions are
# known.
sub changes {
    my ($since, $limit) = @_;
    my (@rows, $complete, $cursor);
    do {
        my $page = page("updatedSince=$since&includeDeleted=true&limit=$limit"
            . (defined $cursor ? "&cursor=$cursor" : ''));
        my @here = sort { $a->[2] cmp $b->[2] }
            (map({ ['item', $_->{clientId}, $_->{syncedAt}] } @{$page->{items}}),
            map { ['deleted', $_->{clientId}, $_->{deletedAt}] } @{$page->{deleted}});
        cmp_ok scalar @here, '<=', $limit, "a page of $limit has at most $limit items and deletions in all";
        push @rows, @here;
        $complete = ($complete // 1) && $page->{deletedComplete};
        $cursor = $page->{nextCursor};
    } while (defined $cursor);
    return (\@rows, $complete);
}

my @sent = map { qso() } 1 .. 12;
$service->post_batch(\@sent);
my %id = map { $_->{clientId} => $_->{id} } $service->download;
my $first = page('includeDeleted=true');
is_deeply [$first->{deleted}, $first->{deletedComplete}, scalar @{$first->{items}}], [[], JSON::PP::true(), 12],
    'a first download has no deletions and is complete';
my $since = $first->{serverTime};

$service->delete_qso($sent[0]{clientId});
my $page = page("updatedSince=$since&includeDeleted=true");
is_deeply [sort keys %{$page->{deleted}[0]}], [qw(clientId deletedAt id)],
    'a deletion has an id, a clientId and a time';
is_deeply [@{$page->{deleted}[0]}{qw(id clientId)}], [$id{$sent[0]{clientId}}, $sent[0]{clientId}],
    'a deletion has the ids of the deleted QSO';
ok $page->{deletedComplete}, 'all deletions since a download are known';
is $page->{nextCursor}, undef, 'a page with only a deletion is the last page';
cmp_ok $page->{deleted}[0]{deletedAt}, 'gt', $since, 'a deletion has a stamp after the download that had the QSO';
is_deeply page("updatedSince=$page->{deleted}[0]{deletedAt}&includeDeleted=true")->{deleted}, [],
    'a deletion stamped exactly at updatedSince is not repeated';
is_deeply page("updatedSince=$page->{serverTime}&includeDeleted=true")->{deleted}, [],
    'the next download does not repeat the deletion';

for my $query ("updatedSince=$since", "updatedSince=$since&includeDeleted=false") {
    is_deeply [sort keys %{page($query)}], [qw(items nextCursor serverTime)],
        "a page for $query has no field for deletions";
}
is_deeply page('includeDeleted=true')->{deleted}, [], 'a download of the whole log lists no deletions';
for my $value ('', '1', 'TRUE', 'yes', 'true&includeDeleted=true') {
    my $response = $service->get("/logs?updatedSince=$since&includeDeleted=$value");
    is $response->status . ' ' . $response->code, '400 VALIDATION.FAILED', "includeDeleted=$value is refused";
    is $response->json->{error}{details}[0]{field}, 'includeDeleted', 'the error names includeDeleted';
}

# Changes are in the order of their stamps, in pages of every size.
$service->post_batch([$sent[1]]);
$service->delete_qso($sent[2]{clientId});
$service->post_batch([@sent[3, 4]]);
$service->delete_qso($sent[$_]{clientId}) for 5, 6, 7;
$service->post_batch([$sent[8]]);
my @expected = (['deleted', 0], ['item', 1], ['deleted', 2], ['item', 3], ['item', 4],
    (map { ['deleted', $_] } 5, 6, 7), ['item', 8]);
for my $limit (1, 2, 3, 4, 8, 9, 10, 500) {
    my ($rows, $complete) = changes($since, $limit);
    is_deeply [map { [@$_[0, 1]] } @$rows], [map { [$_->[0], $sent[$_->[1]]{clientId}] } @expected],
        "items and deletions are in the order of their stamps, $limit per page";
    ok $complete, "all deletions are known in pages of $limit";
}
my ($rows) = changes($since, 3);
my $cursor = page("updatedSince=$since&includeDeleted=true&limit=3")->{nextCursor};
is_deeply [map { $_->{clientId} } @{page("updatedSince=$since&cursor=$cursor")->{items}}],
    [map { $sent[$_]{clientId} } 3, 4, 8],
    'a cursor after a deletion works without includeDeleted';

# A clientId that is used again is no longer listed as deleted.
$service->post_batch([$sent[2], $sent[5], { %{$sent[6]}, band => 'nothing' }]);
($rows) = changes($since, 500);
is_deeply [map { $_->[1] } grep { $_->[0] eq 'deleted' } @$rows], [map { $sent[$_]{clientId} } 0, 6, 7],
    'a deletion is no longer listed when its clientId is used again, unless the QSO is rejected';
is_deeply [map { $_->[1] } grep { $_->[0] eq 'item' } @$rows], [map { $sent[$_]{clientId} } 1, 3, 4, 8, 2, 5],
    'a QSO saved again is among the items';
$service->delete_qso($sent[2]{clientId});
($rows) = changes($since, 500);
is_deeply [map { $_->[1] } grep { $_->[0] eq 'deleted' } @$rows], [map { $sent[$_]{clientId} } 0, 6, 7, 2],
    'a QSO deleted again is listed once, in the new place';

# Another member's deletions are not listed.
my $other = $service->add_member('26AT101');
my $asked = sub { $service->get("/logs?updatedSince=$since&includeDeleted=true", key => $other->{read_key})->json };
is_deeply $asked->()->{deleted}, [], "a member does not get another member's deletions";
$service->post_batch([$sent[7]], key => $other->{write_key});
($rows) = changes($since, 500);
is scalar(grep { $_->[1] eq $sent[7]{clientId} && $_->[0] eq 'deleted' } @$rows), 1,
    'a deletion remains listed if another member uses its clientId';
$service->delete_qso($sent[7]{clientId}, key => $other->{write_key});
is_deeply deleted_ids($asked->()), [$sent[7]{clientId}],
    'if two members used one clientId, each member receives their own deletion';
is $service->delete_qso($sent[7]{clientId})->status, 404, 'deleting a missing QSO gives 404';
is scalar(@{$asked->()->{deleted}}), 1, 'a failed deletion adds no deletion';

# A QSO from before synchronisation has no clientId to list.
$service->sqlite("UPDATE qsos SET client_id = NULL WHERE id = $id{$sent[11]{clientId}}");

# The profile can delete the whole log.
use QSOsync::Profile;
my $before = page('limit=1')->{serverTime};
my @there = sort map { $_->{id} } $service->download;
SKIP: {
    skip 'the profile is tried through nginx', 4 if $service->front ne 'nginx';
    my $profile = QSOsync::Profile->log_in($service, '21SD333');
    is $profile->post('delete-log', { callsign => '21SD333' })->status, 200, 'the profile deletes the log';
    my $gone = page("updatedSince=$before&includeDeleted=true&limit=500");
    is_deeply [sort map { $_->{id} } @{$gone->{deleted}}], \@there, 'deleting the log lists the deletion of every QSO';
    is scalar(grep { !defined $_->{clientId} } @{$gone->{deleted}}), 1,
        'a deletion of a QSO without a clientId has only its id';
    ok $gone->{deletedComplete}, 'all deletions are known after deleting the log';
}
is $service->admin('check'), '', 'the logbook passes the check after deletions';

done_testing;
