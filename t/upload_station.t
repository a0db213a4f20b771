use QSOsync::Test fronts => 'all';

# Uploads: who may, and what a program asks before it uploads.
my $service = QSOsync::Service->start(site => 1);
my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'QLog');
sub ask { return $service->request($_[0], '', raw_path => "/cloudlog$_[1]", @_[2 .. $#_]) }

is ask('GET', "/api/station_info/$token")->code, 'GENERIC.NOT_FOUND',
    'while uploads are off nothing is there, and that is said in JSON';
$service->admin('uploads', 'on');
for my $method (qw(GET POST)) {
    my $answer = ask($method, '', body => $method eq 'POST' ? '{}' : undef);
    is $answer->status . ' ' . $answer->body, '404 {"error":{"code":"GENERIC.NOT_FOUND"}}',
        "$method of the address alone is answered in JSON";
    is $answer->header('Location'), undef, "$method of the address alone leads nowhere";
}

my $valid = '<auth><status>Valid</status><rights>rw</rights></auth>';
my $invalid = '<auth><message>Key Invalid - either not found or disabled</message></auth>';
my @forms = map { ("/api/$_", "/api/$_/", "/index.php/api/$_", "/index.php/api/$_/", "/index.php/index.php/api/$_") }
    "auth/$token";
for my $path (@forms) {
    my $answer = ask('GET', $path);
    is $answer->status . ' ' . $answer->body, "200 $valid", 'a token is valid at ' . $path =~ s/\Q$token\E/TOKEN/r;
    is $answer->header('Content-Type'), 'text/xml', 'the answer is XML';
}
my $wrong = substr($token, 0, -1) . (substr($token, -1) eq 'a' ? 'b' : 'a');
is ask('GET', "/api/auth/$_")->body, $invalid, 'what is no token is invalid' for $wrong, 'x', $service->write_key,
    "$token/x" =~ s{/x}{}r . 'x';
is ask('GET', "/api/auth/$wrong")->status, 200, 'an invalid token is told with status 200';

my $list = ask('GET', "/index.php/api/station_info/$token");
is $list->body,
    '[{"station_id":"1","station_profile_name":"21SD333",'
    . '"station_gridsquare":"JO59jw","station_callsign":"21SD333","station_active":"1"}]',
    'every value of the station list is a string';
is $list->header('Content-Type'), 'application/json', 'the station list is JSON';
for my $bad ($wrong, $service->write_key, $service->read_key) {
    my $answer = ask('GET', "/api/station_info/$bad");
    is $answer->status . ' ' . $answer->body, '401 {"status":"failed","reason":"missing or wrong api key"}',
        'there is no station list without a token';
}
is ask('POST', '/index.php/api/radio', json => { key => $token, radio => 'x' })->body, '{"status":"success"}',
    'what a transceiver is tuned to is taken and forgotten';
is ask('GET', '/api/nothing')->code, 'GENERIC.NOT_FOUND', 'an unknown path is not there, in JSON';
is ask('PUT', '/api/radio')->code, 'GENERIC.METHOD_NOT_ALLOWED', 'a wrong method is told in JSON';
is $service->get('/me', key => $token)->code, 'API_KEYS.INVALID', 'a token is no API key';
is $service->get('/me', key => undef, headers => { 'X-API-Key' => $token })->code, 'API_KEYS.INVALID',
    'a token is no API key in the header of keys either';
like $service->admin('upload-token', 'list', '21SD333', '--json'), qr/"lastUsedOn": ?"\d/,
    'the day of the last use is noted';

# Web loggers of other origins may upload.
my $preflight = ask('OPTIONS', '/api/qso', headers => { Origin => 'https://example.org',
    'Access-Control-Request-Method' => 'POST', 'Access-Control-Request-Headers' => 'content-type' });
is $preflight->status, 204, 'a preflight of an upload is answered';
is_deeply $preflight->headers->{'access-control-allow-origin'}, ['*'],
    'a preflight of an upload allows any origin, once';
like $preflight->header('Access-Control-Allow-Methods'), qr/\bPOST\b/, 'a preflight of an upload allows POST';
like lc $preflight->header('Access-Control-Allow-Headers'), qr/\bcontent-type\b/,
    'a preflight of an upload allows the header Content-Type';
for ([200, ask('GET', "/index.php/api/auth/$token")], [401, ask('GET', "/api/station_info/$wrong")],
    [404, ask('GET', '/api/lookup')]) {
    my ($status, $answer) = @$_;
    is $answer->status, $status, "a request of another origin for a $status is answered with $status";
    is_deeply $answer->headers->{'access-control-allow-origin'}, ['*'], "a $status of uploads allows any origin, once";
    is $answer->header('Access-Control-Allow-Credentials'), undef, "a $status of uploads allows no credentials";
}

$service->admin('member', 'disable', '21SD333');
is ask('GET', "/api/auth/$token")->body, $invalid, 'a token of a disabled member is invalid';
$service->admin('member', 'enable', '21SD333');
$service->admin('upload-token', 'revoke', '21SD333', 1);
is ask('GET', "/api/auth/$token")->body, $invalid, 'a revoked token is invalid';

done_testing;
