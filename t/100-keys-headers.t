use QSOsync::Test fronts => 'all';

# Where a key may stand in a request.
my $service = QSOsync::Service->start;
my ($read, $write) = ($service->read_key, $service->write_key);

sub scope_with {
    my ($headers) = @_;
    my $response = $service->request('GET', '/me', headers => $headers);
    return $response->status == 200 ? $response->json->{scope} : $response->status;
}

is scope_with([['Authorization', "Bearer $read"]]), 'READ', 'a bearer token is a key';
is scope_with([['X-API-Key', $write]]), 'WRITE', 'X-API-Key holds a key';
is scope_with([['authorization', "bEaReR $read"]]), 'READ', 'the scheme has no case';
is scope_with([['Authorization', "Bearer $read"], ['X-API-Key', $write]]), 'READ',
    'a bearer token wins over X-API-Key';
is scope_with([['Authorization', 'Basic dXNlcjpwYXNz'], ['X-API-Key', $write]]), 'WRITE',
    'another scheme leaves X-API-Key alone';
is scope_with([['Authorization', "Bearer qsosync_wrong"], ['X-API-Key', $write]]), 401,
    'a wrong bearer token is not saved by X-API-Key';
is scope_with([['Authorization', $read]]), 401, 'a key without a scheme is none';
is scope_with([['Cookie', "key=$read"]]), 401, 'a cookie is no key';
is $service->request('GET', "/me?key=$read&api_key=$read&access_token=$read")->status, 401,
    'a key in the query is never accepted';

done_testing;
