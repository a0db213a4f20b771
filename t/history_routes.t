use QSOsync::Test fronts => 'nginx';
use QSOsync::Adif;
use QSOsync::Profile;

# A member's page reads the history of the log and undoes acts through these routes.
my $service = QSOsync::Service->start(site => 1);
my $theirs = $service->add_member('26AT101');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $other = QSOsync::Profile->log_in($service, '26AT101');
my $true = JSON::PP::true();

my @qso = map { full_qso(callsignWorked => "26X$_", notes => 'first') } 1 .. 5;
$service->post_batch(\@qso);
my $second = $service->admin('key', 'add', '21SD333', '--name', 'tablet', '--scope', 'WRITE');
$service->post_batch([map { +{ %$_, notes => 'second', txPowerW => 4 } } @qso[0 .. 2]], key => $second);
$service->delete_qso($qso[3]{clientId}, key => $second);
$service->post_batch([{ %{$qso[0]}, notes => 'third' }]);

my $acts = $me->get('history')->json;
is $acts->{days}, 180, 'the history states its retention time';
is_deeply [map { [@{$_->{writer}}{qw(kind name)}, @{$_}{qw(created changed deleted)}] } @{$acts->{items}}],
    [['KEY', 'WRITE test', 0, 1, 0], ['KEY', 'tablet', 0, 3, 1], ['KEY', 'WRITE test', 5, 0, 0]],
    'acts are listed newest first, and each act contains consecutive writes by one writer';
is_deeply [map { [map { $_->{kind} } @{$_->{examples}}] } @{$me->get('history?examples=3')->json->{items}}],
    [['CHANGED'], [('CHANGED') x 3], [('CREATED') x 3]], 'the list can contain the first changes of each act';
my $page = $me->get('history?limit=2')->json;
is @{$me->get("history?limit=2&after=$page->{nextCursor}")->json->{items}}, 1,
    'the second page has the remaining acts';

# Filters.
my $names = sub {
    my $items = $me->get("history?$_[0]")->json->{items};
    [map { "$_->{writer}{name} $_->{created}/$_->{changed}/$_->{deleted}" } @$items];
};
is_deeply $names->('kind=created'), ['WRITE test 5/0/0'], 'a filter shows only acts that created QSOs';
is_deeply $names->('kind=changed'), ['WRITE test 0/1/0', 'tablet 0/3/1'], 'a filter shows only acts that changed QSOs';
is_deeply $names->('kind=deleted'), ['tablet 0/3/1'], 'a filter shows only acts that deleted QSOs';
is_deeply $names->('kind=imports'), [], 'a filter shows only imports';
my $writer = $acts->{items}[1]{writer};
is_deeply $names->("writer=KEY&number=$writer->{number}"), ['tablet 0/3/1'], "a filter shows only one program's acts";
is_deeply $names->("writer=KEY&number=$writer->{number}&kind=created"), [], 'both filters apply together';
my $first = $me->get('history?kind=changed&limit=1')->json;
is_deeply $names->("kind=changed&limit=1&after=$first->{nextCursor}"), ['tablet 0/3/1'],
    'the next page has the same filter';
is $me->get("history?$_")->status, 400, "the filter $_ is rejected"
    for 'kind=x', 'writer=x&number=1', 'writer=KEY&number=x';

my $tablet = $acts->{items}[1];
my $changes = $me->get("history/$tablet->{number}")->json;
my ($change) = grep { $_->{callsignWorked} eq '26X2' } @{$changes->{items}};
is_deeply [@{$change}{qw(kind fields)}], ['CHANGED', [{ name => 'txPowerW', old => 12, new => 4 },
    { name => 'notes', old => 'first', new => 'second' }]], 'a change lists old and new values per field';
is_deeply [sort map { $_->{kind} } @{$changes->{items}}], [('CHANGED') x 3, 'DELETED'],
    'the changes of an act include its deletions';
my $created = $me->get("history/$acts->{items}[2]{number}?limit=3")->json;
my $rest = $me->get("history/$acts->{items}[2]{number}?limit=3&after=$created->{nextCursor}")->json;
is_deeply [sort map { $_->{callsignWorked} } @{$created->{items}}, @{$rest->{items}}], [map { "26X$_" } 1 .. 5],
    'the pages of an act list all QSOs that the act created, including deleted QSOs';

my ($id) = map { $_->{id} } grep { $_->{callsignWorked} eq '26X1' } $service->download;
my $states = $me->get("qsos/$id/history")->json->{items};
is_deeply [map { [$_->{kind}, $_->{writer}{name}] } @$states],
    [['CHANGED', 'WRITE test'], ['CHANGED', 'tablet'], ['CREATED', 'WRITE test']],
    "a QSO's history is listed newest first";
my $gone = $me->get('deleted')->json->{items};
is_deeply [map { [@{$_->{qso}}{qw(clientId notes)}, $_->{writer}{name}] } @$gone],
    [[$qso[3]{clientId}, 'first', 'tablet']], 'a deleted QSO is listed with its fields';

# Other members' histories are private.
is @{$other->get('history')->json->{items}}, 0, "another member's history is not shown";
is $other->get("history/$tablet->{number}")->status, 404, "another member's act is not shown";
is $other->get("qsos/$id/history")->status, 404, "another member cannot read a QSO's history";
is $other->post('undo', { act => $tablet->{number} })->status, 400, "another member's act cannot be undone";

# A preview precedes the undo.
is $me->post('undo/preview', { act => $acts->{items}[2]{number}, ids => "$id $id $id", include => "$id $id" })
    ->json->{deleted}, 1, 'a QSO that is named twice counts once';
my %wish = (writer => 'KEY', number => $tablet->{writer}{number}, since => $tablet->{beganAt});
my $preview = $me->post('undo/preview', \%wish)->json;
is_deeply [@{$preview}{qw(restored deleted left state)}], [3, 0, 1, undef], 'a preview counts QSOs per outcome';
is_deeply [map { [@{$_}{qw(id callsignWorked reason)}, $_->{writer}{name}] } @{$preview->{leftItems}}],
    [[$id, '26X1', 'CHANGED', 'WRITE test']], 'a preview names a QSO that somebody else changed later';
is_deeply [sort map { $_->{notes} } $service->download], [qw(first second second third)], 'a preview changes nothing';
my $done = $me->post('undo', { %wish, through => $preview->{through} })->json;
is_deeply [@{$done}{qw(restored deleted left state)}], [3, 0, 1, undef],
    'an undo makes the changes that its preview lists';
is_deeply [sort map { $_->{notes} } $service->download], [qw(first first first first third)],
    "undo restores changed and deleted QSOs and keeps other writers' later edits";
my ($back) = grep { $_->{clientId} eq $qso[3]{clientId} } $service->download;
is $back->{id}, $gone->[0]{qso}{id}, 'a restored QSO has its previous id';
is $me->post('undo', { act => $tablet->{number} })->json->{restored}, 0,
    'a second undo of the same act restores nothing';
my $undo = $me->get('history')->json->{items}[0];
is_deeply [@{$undo}{qw(number work)}, $undo->{writer}{kind}], [$done->{number}, 'UNDO', 'SESSION'],
    'an undo is an act of the session';
$me->post('undo', { act => $done->{number} });
is_deeply [sort map { $_->{notes} } $service->download], [qw(first second second third)],
    'an undo can be undone';
$me->post('undo', { act => $tablet->{number}, include => $id });
is_deeply [sort map { $_->{notes} } $service->download], [('first') x 5],
    'later edits by other writers are undone if the member includes the edited QSO';

# One of the deleted QSOs had a spot and a confirmation.
my $live = qso(callsignWorked => '26AT101', frequencyMhz => '27.555', sendSpot => $true);
$service->post_batch([$live]);
$service->post_batch([qso(callsignWorked => '21SD333')], key => $theirs->{write_key});
my ($spotted) = grep { $_->{clientId} eq $live->{clientId} } $service->download;
$service->delete_qso($_->{clientId}) for $live, $qso[4];
is $me->post('undo', { deleted => $true, ids => $spotted->{id} })->json->{restored}, 1,
    'one deleted QSO can be restored';
my ($again) = grep { $_->{clientId} eq $live->{clientId} } $service->download;
ok $again->{crossConfirmedAt}, 'a restored QSO is confirmed again';
is $again->{spottedAt}, $spotted->{spottedAt}, 'a restored QSO keeps the time of its spot';
is $service->sqlite('SELECT count(*) FROM spots'), 0, 'restoring a QSO does not publish its spot again';
$service->post_batch([{ %$live, notes => 'once more' }]);
is $service->sqlite('SELECT count(*) FROM spots'), 0, 'a later write of a restored QSO publishes no spot';
is $me->post('undo', { deleted => $true })->json->{restored}, 1, 'all other deleted QSOs can be restored';
is @{$me->get('deleted')->json->{items}}, 0, 'the list of deleted QSOs is empty after restoring all';

# QSOs whose creation was undone do not count as deleted.
{
    my @new = map { qso(callsignWorked => "27X$_") } 1 .. 3;
    my $key = $service->admin('key', 'add', '21SD333', '--name', 'mistake', '--scope', 'WRITE');
    $service->post_batch(\@new, key => $key);
    my ($created) = grep { ($_->{writer}{name} // '') eq 'mistake' } @{$me->get('history')->json->{items}};
    is $me->post('undo', { act => $created->{number} })->json->{deleted}, 3, 'the creation of QSOs can be undone';
    my $answer = $me->get('deleted')->json;
    is_deeply [$answer->{deleted}, map { $_->{undone} } @{$answer->{items}}], [0, ($true) x 3],
        'the list marks QSOs whose creation was undone';
    is $me->post('undo/preview', { deleted => $true })->json->{restored}, 0,
        'restoring all deleted QSOs restores no QSO whose creation was undone';
    my $id = $answer->{items}[0]{qso}{id};
    is $me->post('undo', { deleted => $true, ids => $id })->json->{restored}, 1,
        'a QSO whose creation was undone can be restored by its id';
    $service->delete_qso($answer->{items}[0]{qso}{clientId});
    is $me->get('deleted')->json->{deleted}, 1, 'a restored QSO that is deleted again counts as deleted';
    is $me->post('undo', { deleted => $true })->json->{restored}, 1,
        'restoring all restores a QSO that was deleted again';
    $me->post('undo', { act => $created->{number} });
}

# Invalid input is refused.
is $me->post('undo', $_)->status, 400, 'an undo that selects nothing, or too much, is refused'
    for {}, { act => '1', deleted => $true }, { act => 'x' }, { act => '9999' }, { writer => 'KEY', number => '1' },
    { writer => 'NOBODY', since => '2026-01-01T00:00:00Z' }, { act => '1', include => 'x' },
    { act => '1', state => '1:2' }, { act => '1', state => '99:1:1:0:0:4:0:0:0:0:0:0' };
my $cross = $me->request('POST', 'undo', json => { deleted => $true }, headers => { 'Sec-Fetch-Site' => 'cross-site' });
is $cross->status, 403, 'a page on another site cannot undo anything';

# An import on the page stores the name of its file.
$me->post('import', { name => 'log.adi', adif => adif_record(QSO_DATE => '20260517', TIME_ON => '1200', CALL => '26X9',
    BAND => '11m') });
is_deeply [@{$me->get('history')->json->{items}[0]}{qw(work subject created)}], ['IMPORT', 'log.adi', 1],
    'an import is an act with the name of its file';
my $all = $me->get('everything.json')->json;
is scalar @{$all->{acts}}, scalar @{$me->get('history?limit=200')->json->{items}},
    "everything.json contains all acts";
is scalar(grep { $_->{kind} ne 'CREATED' } @{$all->{changes}}), $service->sqlite('SELECT count(*) FROM former'),
    "everything.json contains all earlier states";
$me->post('delete-log', { callsign => '21SD333' });
is @{$me->get('history')->json->{items}}, 0, 'deleting the log deletes its history';
is $service->admin('check'), '', 'the logbook passes the check after all undos';

done_testing;
