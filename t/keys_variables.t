use QSOsync::Test fronts => 'nginx';
use QSOsync::Worker;

# The worker reads keys from each variable in which front servers pass a key.
my $service = QSOsync::Service->start;
my ($read, $write) = ($service->read_key, $service->write_key);

sub scope_of {
    my $response = QSOsync::Cgi::answer($service->directory, { QSOSYNC_DB => $service->db, QSOSYNC_RATE_LIMIT => 0,
        REQUEST_URI => '/api/v1/me', HTTP_AUTHORIZATION => "Bearer $read", @_ });
    return $response->status == 200 ? $response->json->{scope} : $response->status;
}
is scope_of(HTTP_AUTHORIZATION => '', REDIRECT_HTTP_AUTHORIZATION => "Bearer $write"), 'WRITE',
    'a key in REDIRECT_HTTP_AUTHORIZATION is read';
is scope_of(REDIRECT_HTTP_AUTHORIZATION => "Bearer $write"), 'READ',
    'HTTP_AUTHORIZATION takes precedence over REDIRECT_HTTP_AUTHORIZATION';
is scope_of(HTTP_AUTHORIZATION => '', HTTP_X_API_KEY => $write), 'WRITE',
    'X-API-Key is read if Authorization is empty';
is scope_of(HTTP_AUTHORIZATION => "Negotiate abc", HTTP_X_API_KEY => $write), 'WRITE',
    'X-API-Key is read if Authorization has an unknown scheme';
is scope_of(HTTP_AUTHORIZATION => "Bearer$read"), 401, 'Bearer without a space before the key is refused';
is scope_of(HTTP_AUTHORIZATION => "bearer   $read  "), 'READ', 'white space around a bearer token is ignored';
is scope_of(HTTP_AUTHORIZATION => "Bearer $read $read"), 401, 'two keys in Authorization are refused';
is scope_of(HTTP_AUTHORIZATION => '', HTTP_X_API_KEY => "$read, $read"), 401,
    'two keys in X-API-Key, joined as front servers do, are refused';
is scope_of(HTTP_AUTHORIZATION => '', HTTP_COOKIE => "key=$read", REMOTE_USER => '21sd333'), 401,
    'neither a cookie nor a login gives access to the API';

done_testing;
