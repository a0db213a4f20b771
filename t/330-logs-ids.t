use QSOsync::Test fronts => 'all';

# GET /logs/ids: every id, streamed, with an entity tag for clients that poll.
my $service = QSOsync::Service->start;
is_deeply $service->get('/logs/ids')->json, { items => [] }, 'an empty log has no ids';
my @sent = map { qso() } 1 .. 200;
$service->post_batch(\@sent);
my $response = $service->get('/logs/ids');
is_deeply [sort map { $_->{clientId} } @{$response->json->{items}}], [sort map { $_->{clientId} } @sent],
    'every QSO is listed';
my %id_of = map { $_->{clientId} => $_->{id} } $service->download;
is_deeply { map { $_->{clientId} => $_->{id} } @{$response->json->{items}} }, \%id_of, 'with its id';

my $etag = $response->header('ETag');
like $etag, qr{\AW/"[^"]+"\z}, 'the list has a weak entity tag';
my $same = $service->get('/logs/ids', headers => { 'If-None-Match' => $etag });
is $same->status, 304, 'an unchanged log is not sent again';
is $same->body, '', 'and the answer has no body';
is $same->header('ETag'), $etag, 'but the tag';
is $service->get('/logs/ids', headers => { 'If-None-Match' => '"other", ' . $etag })->status, 304,
    'the tag may stand in a list';
is $service->get('/logs/ids', headers => { 'If-None-Match' => '"other"' })->status, 200, 'another tag does not fit';

for my $change ([created => sub { $service->post_batch([qso()]) }],
    [updated => sub { $service->post_batch([$sent[0]]) }],
    [deleted => sub { $service->delete_qso($sent[0]{clientId}) }]) {
    my $before = $service->get('/logs/ids')->header('ETag');
    $change->[1]->();
    isnt $service->get('/logs/ids')->header('ETag'), $before, "a QSO $change->[0] changes the tag";
}
my $other = $service->add_member('26AT101');
my $tag = $service->get('/logs/ids')->header('ETag');
$service->post_batch([qso()], key => $other->{write_key});
is $service->get('/logs/ids')->header('ETag'), $tag, "another member's writes leave it alone";

# A few very old QSOs have no clientId.
$service->sqlite('INSERT INTO qsos (member_id, synced_at, created_at, band, qso_at) VALUES (1, 1, 1, 0, 0)');
my @without = grep { !defined $_->{clientId} } @{$service->get('/logs/ids')->json->{items}};
is scalar(@without), 1, 'a QSO older than synchronisation is listed without a clientId';
is scalar(grep { !defined $_->{clientId} } $service->download), 1, 'and is part of the log';

$etag = $service->get('/logs/ids')->header('ETag');
is $service->get('/logs/ids', headers => { 'If-None-Match' => $_ })->status, 304, "If-None-Match: $_ fits"
    for '*', substr($etag, 2);
is $service->get('/logs/ids', key => undef, headers => { 'If-None-Match' => $etag })->status, 401,
    'a tag opens nothing without a key';
my $head = $service->request('HEAD', '/logs/ids', key => $service->read_key);
is $head->header('ETag'), $etag, 'HEAD tells the tag';
is $head->body, '', 'and nothing else';
is scalar(@{$service->get('/logs/ids', key => $other->{read_key})->json->{items}}), 1, 'a key lists its own log only';

done_testing;
