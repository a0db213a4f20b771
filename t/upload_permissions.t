use QSOsync::Test fronts => 'all';
use IO::Socket::INET;

# Uploads need permission. A program can ask for its permissions before it uploads.
my $service = QSOsync::Service->start(site => 1);
my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'QLog');
sub ask_station { return $service->request($_[0], '', raw_path => "/cloudlog$_[1]", @_[2 .. $#_]) }

is ask_station('GET', "/api/station_info/$token")->code, 'GENERIC.NOT_FOUND',
    'while uploads are off, a request is answered with 404 in JSON';
$service->admin('uploads', 'on');
for my $method (qw(GET POST)) {
    my $answer = ask_station($method, '', body => $method eq 'POST' ? '{}' : undef);
    is $answer->status . ' ' . $answer->body, '404 {"error":{"code":"GENERIC.NOT_FOUND"}}',
        "a $method request for /cloudlog itself is answered with 404 in JSON";
    is $answer->header('Location'), undef, "a $method request for /cloudlog itself is not redirected";
}

my $valid = '<auth><status>Valid</status><rights>rw</rights></auth>';
my $invalid = '<auth><message>Key Invalid - either not found or disabled</message></auth>';
my @forms = map { ("/api/$_", "/api/$_/", "/index.php/api/$_", "/index.php/api/$_/",
    "/index.php/index.php/api/$_") }
    "auth/$token";
for my $path (@forms) {
    my $answer = ask_station('GET', $path);
    is $answer->status . ' ' . $answer->body, "200 $valid", 'a token is valid at ' . $path =~ s/\Q$token\E/TOKEN/r;
    is $answer->header('Content-Type'), 'text/xml', 'the answer is XML';
}
my $wrong = substr($token, 0, -1) . (substr($token, -1) eq 'a' ? 'b' : 'a');
is ask_station('GET', "/api/auth/$_")->body, $invalid, 'a text that is not a token is invalid' for $wrong, 'x',
    $service->write_key,
    "$token/x" =~ s{/x}{}r . 'x';
is ask_station('GET', "/api/auth/$wrong")->status, 200, 'an invalid token is reported with status 200';

my $list = ask_station('GET', "/index.php/api/station_info/$token");
is $list->body,
    '[{"station_id":"1","station_profile_name":"21SD333",'
    . '"station_gridsquare":"JO59jw","station_callsign":"21SD333","station_active":"1"}]',
    'every value of the station list is a string';
is $list->header('Content-Type'), 'application/json', 'the station list is JSON';
for my $bad ($wrong, $service->write_key, $service->read_key) {
    my $answer = ask_station('GET', "/api/station_info/$bad");
    is $answer->status . ' ' . $answer->body, '401 {"status":"failed","reason":"missing or wrong api key"}',
        'the station list is refused without a valid token';
}
is ask_station('POST', '/index.php/api/radio', json => { key => $token, radio => 'x' })->body,
    '{"status":"success"}',
    'the frequency of a transceiver is accepted but not stored';
is ask_station('GET', '/api/nothing')->code, 'GENERIC.NOT_FOUND', 'an unknown path is answered with 404 in JSON';
is ask_station('PUT', '/api/radio')->code, 'GENERIC.METHOD_NOT_ALLOWED', 'a wrong method is answered in JSON';
is $service->get('/me', key => $token)->code, 'API_KEYS.INVALID', 'a token is not an API key';
is $service->get('/me', key => undef, headers => { 'X-API-Key' => $token })->code, 'API_KEYS.INVALID',
    'a token in the header X-API-Key is not an API key';
like $service->admin('upload-token', 'list', '21SD333', '--json'), qr/"lastUsedOn": ?"\d/,
    'the day of the last use is recorded';

# Web loggers from other origins may upload.
my $preflight = ask_station('OPTIONS', '/api/qso', headers => { Origin => 'https://example.org',
    'Access-Control-Request-Method' => 'POST', 'Access-Control-Request-Headers' => 'content-type' });
is $preflight->status, 204, 'a preflight of an upload is answered';
is_deeply $preflight->headers->{'access-control-allow-origin'}, ['*'],
    'a preflight of an upload allows any origin, in one header';
like $preflight->header('Access-Control-Allow-Methods'), qr/\bPOST\b/, 'a preflight of an upload allows POST';
like lc $preflight->header('Access-Control-Allow-Headers'), qr/\bcontent-type\b/,
    'a preflight of an upload allows the header Content-Type';
for ([200, ask_station('GET', "/index.php/api/auth/$token")], [401, ask_station('GET', "/api/station_info/$wrong")],
    [404, ask_station('GET', '/api/lookup')]) {
    my ($status, $answer) = @$_;
    is $answer->status, $status, "a request from another origin is answered with $status";
    is_deeply $answer->headers->{'access-control-allow-origin'}, ['*'],
        "an answer to an upload with status $status allows any origin, in one header";
    is $answer->header('Access-Control-Allow-Credentials'), undef,
        "an answer to an upload with status $status allows no credentials";
}

$service->admin('member', 'disable', '21SD333');
is ask_station('GET', "/api/auth/$token")->body, $invalid, "a disabled member's token is invalid";
$service->admin('member', 'enable', '21SD333');
$service->admin('upload-token', 'revoke', '21SD333', 1);
is ask_station('GET', "/api/auth/$token")->body, $invalid, 'a revoked token is invalid';

done_testing;
