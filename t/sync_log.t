use QSOsync::Test fronts => 'essential';

# GET /logs page by page: every QSO once, oldest change first.
my $service = QSOsync::Service->start;
is_deeply $service->get('/logs')->json->{items}, [], 'an empty log has an empty page';
is $service->get('/logs')->json->{nextCursor}, undef, 'the page of an empty log has no next page';

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
is $service->get('/logs?limit=210')->json->{nextCursor}, undef, 'a full page is the last one if nothing follows';
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
is $wrong, 0, 'every item has all fields, each as it was sent';
like $service->get('/logs?limit=1')->json->{serverTime}, qr/\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\z/,
    'serverTime is UTC with milliseconds';

# Changes during the paging may come again, but none is missed.
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
is_deeply $service->get('/logs', key => $other->{read_key})->json->{items}, [], 'a key opens its own log only';

# The result of each entry of a batch.
{
    my $service = QSOsync::Service->start;

    sub results { $service->post_batch([@_])->json->{results} }

    my ($good, $bad, $pmr) = (qso(), qso(band => 'X'), qso(band => 'PMR446', channel => 3));
    my $results = results($good, $bad, 5, undef, [], 'x', qso(clientId => 'nope'), qso(clientId => 7), $pmr);
    is scalar(@$results), 9, 'each entry has a result';
    is_deeply $results->[0], { clientId => $good->{clientId}, id => $results->[0]{id}, spottedAt => undef },
        'the result of an accepted entry has its id and spottedAt';
    like $results->[0]{id}, qr/\A\d+\z/, 'the id in a result is decimal text';
    is_deeply $results->[1], { clientId => $bad->{clientId}, id => undef, permanent => JSON::PP::true(),
        error => 'band must be one of ELEVEN_METERS, PMR446' }, 'the result of a rejected entry has the reason';
    for (2 .. 5) {
        is $results->[$_]{clientId}, undef, 'the result of an entry that is not an object has no clientId';
        ok $results->[$_]{permanent} && $results->[$_]{error} =~ / /,
            'an entry that is not an object is rejected permanently, with a sentence';
    }
    is $results->[6]{clientId}, 'nope', 'the result repeats a clientId that is not a UUID as it was sent';
    is $results->[6]{error}, 'CLIENT_ID_INVALID', 'a clientId that is not a UUID is rejected';
    is $results->[7]{clientId}, undef, 'the result does not repeat a clientId that is not a string';
    is $results->[7]{error}, 'CLIENT_ID_INVALID', 'a clientId that is not a string is rejected';
    ok $results->[8]{id}, 'an entry after rejected ones is saved';
    is scalar($service->download), 2, 'rejected entries are not saved';

    my $upper = qso(clientId => uc $good->{clientId}, notes => 'again');
    is results($upper)->[0]{clientId}, uc $good->{clientId}, 'the spelling of a UUID is kept in the result';
    is((grep { $_->{clientId} eq $good->{clientId} } $service->download)[0]{notes}, 'again',
        'two spellings of a UUID are one QSO, read back in lower case');

    my $twice = uuid();
    $results = results(qso(clientId => $twice, notes => 'first'), qso(clientId => $twice, notes => 'second'));
    is $results->[0]{id}, $results->[1]{id}, 'two entries of a batch with one clientId are one QSO';
    is((grep { $_->{clientId} eq $twice } $service->download)[0]{notes}, 'second',
        'if two entries share a clientId, the later one is stored');

    my $other = $service->add_member('26AT101');
    my $taken = $service->post_batch([qso(clientId => $twice), qso()], key => $other->{write_key})->json->{results};
    is_deeply $taken->[0], { clientId => $twice, id => undef, error => 'CLIENT_ID_CONFLICT',
        permanent => JSON::PP::true() }, "another member's clientId is a conflict";
    ok $taken->[1]{id}, "an entry after one with another member's clientId is saved";

    is results({ clientId => 'x', band => 'y', qsoAt => 'z' })->[0]{error}, 'CLIENT_ID_INVALID',
        'an entry with several wrong fields is rejected for the first one';
    is results(qso(qsoAt => 'z', txPowerW => -1))->[0]{error}, 'DATETIME_INVALID',
        "the first wrong field is the first in the order of the API's table";
    is results(qso(clientId => '00000000-0000-0000-0000-000000000000'))->[0]{error}, undef,
        'the nil UUID is accepted as a clientId';

    my @mixed = map { $_ % 3 ? qso() : qso(mode => 'X') } 1 .. 200;
    $results = results(@mixed);
    is_deeply [map { $_->{clientId} } @$results], [map { $_->{clientId} } @mixed],
        'results are in the order of the entries';
    is_deeply [map { $_->{error} ? 1 : 0 } @$results], [map { $_ % 3 ? 0 : 1 } 1 .. 200],
        'each result belongs to its own entry';
    my %saved = map { $_->{clientId} => $_ } $service->download;
    is scalar(grep { $results->[$_]{id} && $saved{$mixed[$_]{clientId}}{id} ne $results->[$_]{id} } 0 .. 199), 0,
        'the ids in the results are the ids in the log';
    is scalar(grep { $results->[$_]{error} && $saved{$mixed[$_]{clientId}} } 0 .. 199), 0,
        'no rejected entry is saved';

    results(my $kept = qso(notes => 'kept'));
    ok results({ %$kept, notes => 'lost', mode => 'X' })->[0]{permanent}, 'an update can be rejected';
    is((grep { $_->{clientId} eq $kept->{clientId} } $service->download)[0]{notes}, 'kept',
        'a rejected update leaves the QSO unchanged');
}

# DELETE /logs/{clientId}.
{
    my $service = QSOsync::Service->start;
    my @sent = map { qso() } 1 .. 3;
    $service->post_batch(\@sent);

    my $response = $service->delete_qso($sent[0]{clientId});
    is $response->status, 204, 'a QSO is deleted';
    is $response->body, '', 'a deletion has an answer without a body';
    is $response->header('Content-Type'), undef, 'a deletion has an answer without a type';
    is scalar($service->download), 2, 'a deleted QSO is not in the log';
    is scalar(@{$service->get('/logs/ids')->json->{items}}), 2, 'a deleted QSO is not in the list of ids';
    $response = $service->delete_qso($sent[0]{clientId});
    is $response->status . ' ' . $response->code, '404 GENERIC.NOT_FOUND',
        'a second deletion of a QSO gives 404';
    is $service->delete_qso(uc $sent[1]{clientId})->status, 204, 'a deletion accepts the UUID in upper case';
    for (qw(x 123 not-a-uuid), substr($sent[2]{clientId}, 1), "{$sent[2]{clientId}}", "$sent[2]{clientId}0") {
        $response = $service->delete_qso($_);
        is $response->status . ' ' . $response->code, '400 VALIDATION.FAILED',
            "a deletion of $_, which is not a UUID, is refused";
        is $response->json->{error}{details}[0]{field}, 'clientId', "the refusal to delete $_ names clientId";
    }
    my $other = $service->add_member('26AT101');
    is $service->delete_qso($sent[2]{clientId}, key => $other->{write_key})->status, 404,
        "a deletion of another member's QSO gives 404";
    is scalar($service->download), 1, "a deletion of another member's QSO keeps the QSO";
    is $service->delete_qso($sent[2]{clientId}, body => 'anything',
        headers => { 'Content-Type' => 'text/plain' })->status, 204, 'the body of a deletion is ignored';
    my $result = $service->post_batch([$sent[0]])->json->{results}[0];
    ok $result->{id} > 3, 'a QSO that is sent again after its deletion gets a new id';

    my $missing = uuid();
    is $service->request('DELETE', "/logs/$missing")->status, 401, 'a deletion without a key gives 401';
    is $service->request('DELETE', "/logs/$_", key => $service->read_key)->status, 403,
        "a READ key may not delete $_"
        for $missing, $sent[0]{clientId}, 'x';
    is scalar($service->download), 1, 'refused deletions delete nothing';
    is $service->delete_qso($missing)->status, 404, 'a deletion of an unknown QSO gives 404';
    my $since = $service->get('/logs')->json->{serverTime};
    $service->delete_qso($sent[0]{clientId});
    is_deeply $service->get("/logs?updatedSince=$since")->json->{items}, [],
        'an incremental download does not contain a deleted QSO';
    is_deeply $service->get('/logs/ids')->json->{items}, [], 'the list of ids does not contain a deleted QSO';
}

done_testing;
