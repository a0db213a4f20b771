use QSOsync::Test fronts => 'all';

# GET /logs/ids streams every id, with an entity tag for clients that poll.
my $service = QSOsync::Service->start;
is_deeply $service->get('/logs/ids')->json, { items => [] }, 'an empty log has no ids';
my @sent = map { qso() } 1 .. 200;
$service->post_batch(\@sent);
my $response = $service->get('/logs/ids');
is_deeply [sort map { $_->{clientId} } @{$response->json->{items}}], [sort map { $_->{clientId} } @sent],
    'the list contains the clientId of every QSO';
my %id_of = map { $_->{clientId} => $_->{id} } $service->download;
is_deeply { map { $_->{clientId} => $_->{id} } @{$response->json->{items}} }, \%id_of,
    'the list contains the id of every QSO';

my $etag = $response->header('ETag');
like $etag, qr{\AW/"[^"]+"\z}, 'the list has a weak entity tag';
my $same = $service->get('/logs/ids', headers => { 'If-None-Match' => $etag });
is $same->status, 304, 'the list of an unchanged log gives 304';
is $same->body, '', 'the 304 of an unchanged list has no body';
is $same->header('ETag'), $etag, 'the 304 of an unchanged list has the entity tag';
is $service->get('/logs/ids', headers => { 'If-None-Match' => '"other", ' . $etag })->status, 304,
    'If-None-Match matches if one of its tags matches';
is $service->get('/logs/ids', headers => { 'If-None-Match' => '"other"' })->status, 200,
    'another tag in If-None-Match gives the whole list';

for my $change ([created => sub { $service->post_batch([qso()]) }],
    [updated => sub { $service->post_batch([$sent[0]]) }],
    [deleted => sub { $service->delete_qso($sent[0]{clientId}) }]) {
    my $before = $service->get('/logs/ids')->header('ETag');
    $change->[1]->();
    isnt $service->get('/logs/ids')->header('ETag'), $before, "the tag of the list changes when a QSO is $change->[0]";
}
my $other = $service->add_member('26AT101');
my $tag = $service->get('/logs/ids')->header('ETag');
$service->post_batch([qso()], key => $other->{write_key});
is $service->get('/logs/ids')->header('ETag'), $tag,
    "another member's write does not change the entity tag of the list";

# A few very old QSOs have no clientId.
$service->sqlite('INSERT INTO qsos (member_id, synced_at, created_at, band, qso_at) VALUES (1, 1, 1, 0, 0)');
my @without = grep { !defined $_->{clientId} } @{$service->get('/logs/ids')->json->{items}};
is scalar(@without), 1, 'a QSO from before synchronisation is listed without a clientId';
is scalar(grep { !defined $_->{clientId} } $service->download), 1,
    'a QSO from before synchronisation is part of the log';

$etag = $service->get('/logs/ids')->header('ETag');
is $service->get('/logs/ids', headers => { 'If-None-Match' => $_ })->status, 304,
    "If-None-Match: $_ matches the current tag"
    for '*', substr($etag, 2);
is $service->get('/logs/ids', key => undef, headers => { 'If-None-Match' => $etag })->status, 401,
    'a matching tag without a key gives 401';
my $head = $service->request('HEAD', '/logs/ids', key => $service->read_key);
is $head->header('ETag'), $etag, 'HEAD /logs/ids has the entity tag';
is $head->body, '', 'HEAD /logs/ids has no body';
is scalar(@{$service->get('/logs/ids', key => $other->{read_key})->json->{items}}), 1,
    "a key lists only its member's log";
$service->stop;

done_testing;
