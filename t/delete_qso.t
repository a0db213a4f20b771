use QSOsync::Test fronts => 'essential';

# DELETE /logs/{clientId} deletes one QSO.
my $service = QSOsync::Service->start;
my @sent = map { qso() } 1 .. 3;
$service->post_batch(\@sent);

my $response = $service->delete_qso($sent[0]{clientId});
is $response->status, 204, 'a QSO is deleted';
is $response->body, '', 'the answer to a deletion has no body';
is $response->header('Content-Type'), undef, 'the answer to a deletion has no content type';
is scalar($service->download), 2, 'a deleted QSO is not in the log';
is scalar(@{$service->get('/logs/ids')->json->{items}}), 2, 'a deleted QSO is not in the list of ids';
$response = $service->delete_qso($sent[0]{clientId});
is $response->status . ' ' . $response->code, '404 GENERIC.NOT_FOUND',
    'deleting a QSO a second time gives 404';
is $service->delete_qso(uc $sent[1]{clientId})->status, 204, 'a deletion accepts the UUID in upper case';
for (qw(x 123 not-a-uuid), substr($sent[2]{clientId}, 1), "{$sent[2]{clientId}}", "$sent[2]{clientId}0") {
    $response = $service->delete_qso($_);
    is $response->status . ' ' . $response->code, '400 VALIDATION.FAILED',
        "a deletion of $_, which is not a UUID, is refused";
    is $response->json->{error}{details}[0]{field}, 'clientId', "the refusal to delete $_ names clientId";
}
my $other = $service->add_member('26AT101');
is $service->delete_qso($sent[2]{clientId}, key => $other->{write_key})->status, 404,
    "deleting another member's QSO gives 404";
is scalar($service->download), 1, "deleting another member's QSO keeps the QSO";
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
is $service->delete_qso($missing)->status, 404, 'deleting an unknown QSO gives 404';
my $since = $service->get('/logs')->json->{serverTime};
$service->delete_qso($sent[0]{clientId});
is_deeply $service->get("/logs?updatedSince=$since")->json->{items}, [],
    'an incremental download does not contain a deleted QSO';
is_deeply $service->get('/logs/ids')->json->{items}, [], 'the list of ids does not contain a deleted QSO';

done_testing;
