use QSOsync::Test fronts => 'all';

# DELETE /logs/{clientId}.
my $service = QSOsync::Service->start;
my @sent = map { qso() } 1 .. 3;
$service->post_batch(\@sent);

my $response = $service->delete_qso($sent[0]{clientId});
is $response->status, 204, 'a QSO is deleted';
is $response->body, '', 'without a body';
is $response->header('Content-Type'), undef, 'and without a type';
is scalar($service->download), 2, 'it is gone from the log';
is scalar(@{$service->get('/logs/ids')->json->{items}}), 2, 'and from the ids';
$response = $service->delete_qso($sent[0]{clientId});
is $response->status . ' ' . $response->code, '404 GENERIC.NOT_FOUND', 'a second time there is nothing';
is $service->delete_qso(uc $sent[1]{clientId})->status, 204, 'letters have no case';
for (qw(x 123 not-a-uuid), substr($sent[2]{clientId}, 1), "{$sent[2]{clientId}}", "$sent[2]{clientId}0") {
    $response = $service->delete_qso($_);
    is $response->status . ' ' . $response->code, '400 VALIDATION.FAILED', "$_ is no UUID";
    is $response->json->{error}{details}[0]{field}, 'clientId', 'and the answer says so';
}
my $other = $service->add_member('26AT101');
is $service->delete_qso($sent[2]{clientId}, key => $other->{write_key})->status, 404,
    "another member's QSO is not there";
is scalar($service->download), 1, 'and stays';
is $service->delete_qso($sent[2]{clientId}, body => 'anything',
    headers => { 'Content-Type' => 'text/plain' })->status, 204, 'a body is ignored';
my $result = $service->post_batch([$sent[0]])->json->{results}[0];
ok $result->{id} > 3, 'a QSO that comes again gets a new id';

my $missing = uuid();
is $service->request('DELETE', "/logs/$missing")->status, 401, 'without a key nothing is said';
is $service->request('DELETE', "/logs/$_", key => $service->read_key)->status, 403,
    'a READ key deletes nothing, there or not'
    for $missing, $sent[0]{clientId}, 'x';
is scalar($service->download), 1, 'and nothing is gone';
is $service->delete_qso($missing)->status, 404, 'a QSO that never was is not there';
my $since = $service->get('/logs')->json->{serverTime};
$service->delete_qso($sent[0]{clientId});
is_deeply $service->get("/logs?updatedSince=$since")->json->{items}, [], 'a deletion is no change to download';
is_deeply $service->get('/logs/ids')->json->{items}, [], 'the ids tell of it';

done_testing;
