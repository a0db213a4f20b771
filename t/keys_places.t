use QSOsync::Test fronts => 'essential';

# Through each front server, a request is accepted with its key in either of two headers, and in no other place.
my $service = QSOsync::Service->start;
my ($read, $write) = ($service->read_key, $service->write_key);

sub scope_with {
    my ($headers) = @_;
    my $response = $service->request('GET', '/me', headers => $headers);
    return $response->status == 200 ? $response->json->{scope} : $response->status;
}

is scope_with([['Authorization', "Bearer $read"]]), 'READ', 'a key is accepted as a bearer token';
is scope_with([['X-API-Key', $write]]), 'WRITE', 'a key is accepted in X-API-Key';
is scope_with([['authorization', "bEaReR $read"]]), 'READ', 'the scheme Bearer is accepted in any case';
is scope_with([['Authorization', "Bearer $read"], ['X-API-Key', $write]]), 'READ',
    'a bearer token takes precedence over X-API-Key';
is scope_with([['Authorization', 'Basic dXNlcjpwYXNz'], ['X-API-Key', $write]]), 'WRITE',
    'X-API-Key is accepted if Authorization has another scheme';
is scope_with([['Authorization', "Bearer qsosync_wrong"], ['X-API-Key', $write]]), 401,
    'X-API-Key is ignored if Authorization has a wrong bearer token';
is scope_with([['Authorization', $read]]), 401, 'a key without a scheme in Authorization is refused';
is scope_with([['Cookie', "key=$read"]]), 401, 'a key in a cookie is refused';
is $service->request('GET', "/me?key=$read&api_key=$read&access_token=$read")->status, 401,
    'a key in the query is refused';

done_testing;
