use QSOsync::Test fronts => 'nginx';
use QSOsync::Profile;
use QSOsync::Worker;
use Digest::SHA qw(sha256_hex);

# The parts of a key, and the rules that the database itself enforces for keys.
my $service = QSOsync::Service->start;

# CRC-32 as zip and Ethernet use it, in base62, the most significant digit first.
sub checksum {
    my $crc = 0xffffffff;
    for my $byte (unpack 'C*', $_[0]) {
        $crc ^= $byte;
        $crc = $crc & 1 ? $crc >> 1 ^ 0xedb88320 : $crc >> 1 for 1 .. 8;
    }
    $crc ^= 0xffffffff;
    my @digits = (0 .. 9, 'A' .. 'Z', 'a' .. 'z');
    return join '', reverse map { my $digit = $digits[$crc % 62]; $crc = int($crc / 62); $digit } 1 .. 6;
}

my @keys = ($service->read_key, $service->write_key);
for my $key (@keys) {
    my ($body, $check) = $key =~ /\A(qsosync_[0-9A-Za-z]{43})([0-9A-Za-z]{6})\z/;
    ok $body, 'a key is qsosync_, 43 base62 characters and a checksum of 6' or diag length $key;
    is $check, checksum($body), "a key's checksum is the CRC-32 of the characters before it, in base62";
    is $service->sqlite("SELECT count(*) FROM api_keys WHERE lower(hex(fingerprint)) = '" . sha256_hex($key) . "'"), 1,
        'the stored fingerprint of a key is the SHA-256 of the whole key';
}
cmp_ok 43 * log(62) / log(2), '>=', 256, 'the 43 base62 characters of a key hold 256 bits';
my %seen = map { substr($_, 8, 20) => 1 } @keys, map { @{$service->add_member("26AT10$_")}{qw(read_key write_key)} }
    1 .. 3;
is scalar(keys %seen), 8, 'each key begins differently';

my $known = substr($keys[0], 0, -6);
my $unknown = substr($keys[0], 0, -7) . ($keys[0] =~ /A.{6}\z/ ? 'B' : 'A');
for my $case ([$known . ($keys[0] =~ /A\z/ ? 'AAAAAB' : 'AAAAAA'), 'a wrong checksum'],
    [$unknown . checksum($unknown), 'unknown characters and the right checksum'],
    [uc $keys[0], 'another case'], ["Qsosync_" . substr($keys[0], 8), 'another prefix'],
    ["$keys[0]\t$keys[0]", 'a second key after it'], [substr($keys[0], 8), 'no prefix']) {
    my $response = $service->get('/me', key => $case->[0]);
    is $response->status . ' ' . ($response->code || ''), '401 API_KEYS.INVALID',
        "a key with $case->[1] is refused like any other wrong key";
}

# The database itself enforces the rules of keys, whichever program writes.
my $row = "(member_id, name, scope, fingerprint, hint, created_at) SELECT 1, 'x', 'READ', randomblob(32), 'q', 0";
sub refused {
    my ($sql) = @_;
    open my $errors, '>&', \*STDERR or die $!;
    open STDERR, '>', '/dev/null' or die $!;
    my $done = eval { $service->sqlite($sql); 1 };
    open STDERR, '>&', $errors or die $!;
    return !$done;
}
$service->sqlite("INSERT INTO api_keys $row FROM generate_series(1, 8)");
ok refused("INSERT INTO api_keys $row"), 'the database refuses an eleventh active key';
$service->sqlite("UPDATE api_keys SET revoked_at = 1 WHERE name = 'x'");
ok !refused("INSERT INTO api_keys $row"), 'a revoked key does not count among the ten active keys';
ok refused("UPDATE api_keys SET revoked_at = NULL WHERE name = 'x'"),
    'the database refuses to make a revoked key active';
ok refused("UPDATE api_keys SET scope = 'WRITE' WHERE name = 'x'"), 'the database refuses to change the scope of a key';
ok refused("UPDATE api_keys SET member_id = 2 WHERE name = 'x'"),
    'the database refuses to give a key to another member';
ok refused("INSERT INTO api_keys (member_id, name, scope, fingerprint, hint, created_at)
    SELECT 2, 'x', 'READ', fingerprint, 'q', 0 FROM api_keys LIMIT 1"),
    'the database refuses a fingerprint that exists';

# Keys in the variables of a request, without a front server: the variables that front servers set, and the forms of a
# key.
{
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
        'HTTP_AUTHORIZATION has precedence over REDIRECT_HTTP_AUTHORIZATION';
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
}

# The pages' worker keeps secrets that it creates or receives in memory only during their request.
SKIP: {
    my $service = QSOsync::Service->start(site => 1);
    $service->admin('uploads', 'on');
    my $member = QSOsync::Profile->log_in($service, '21SD333');
    my ($worker) = @{$service->{site_pids}};
    skip 'only root can read the memory of a worker that the test started', 1
        if QSOsync::Front::is_instrumented() || !defined $service->memory_of($worker);

    # A worker may keep a part of a secret, even shifted by half a byte, as in a QR code.
    sub forms_of {
        my ($secret) = @_;
        my $part = length $secret > 30 ? substr $secret, 12, 25 : substr $secret, 4, 12;
        my $digits = unpack 'H*', $part;
        return $part, pack('H*', substr $digits, 1, -1);
    }
    my %secrets = (password => [$member->{password}], cookie => [$member->cookie =~ s/.*=//r]);

    sub is_held {
        my ($memory) = @_;
        return map { my $kind = $_; grep { index($memory, $_) >= 0 } map { forms_of($_) } @{$secrets{$kind}} }
            keys %secrets;
    }

    sub is_forgotten {
        my ($what, $status, $answer) = @_;
        is $answer->status, $status, "$what is answered" or diag $answer->body;
        my @held;
        for (1 .. 50) {
            @held = is_held($service->memory_of($worker)) or last;
            Time::HiRes::sleep(0.02);
        }
        is scalar(@held), 0, "after $what the worker's memory contains no part of a secret";
    }

    like $service->memory_of($worker), qr/qsosync/, "the worker's memory can be read";
    is_forgotten("reading the member's data", 200, $member->get('me'));
    for my $number (1 .. 2) {
        my $key = $member->post('keys', { name => "key $number", scope => 'WRITE' });
        push @{$secrets{key}}, $key->json->{key};
        is_forgotten("creating key $number", 201, $key);
    }
    my $token = $member->post('tokens', { name => 'token' })->json->{token};
    $secrets{token} = [$token];
    is_forgotten('listing the tokens', 200, $member->get('tokens'));

    our $adif = '<CALL:7>26AT101<QSO_DATE:8>20260517<TIME_ON:6>194200<FREQ:6>27.555<BAND:3>11m<MODE:3>SSB<EOR>';
    sub upload {
        my ($path, $key) = @_;
        return $service->request('POST', '', raw_path => "/cloudlog/api/$path",
            json => { key => $key, station_profile_id => '1', type => 'adif', string => $adif });
    }
    is_forgotten('an upload', 201, upload('qso', $token));
    is_forgotten('a large upload', 201, do { local $adif = $adif x 3000; upload('qso', $token) });
    (my $wrong = $token) =~ tr/a-y/b-z/;
    push @{$secrets{token}}, $wrong;
    is_forgotten('an upload with a wrong token', 401, upload('qso', $wrong));
    is_forgotten('listing the stations', 401,
        $service->request('GET', '', raw_path => "/cloudlog/api/station_info/$wrong"));
    is_forgotten('checking the token', 200, $service->request('GET', '', raw_path => "/cloudlog/api/auth/$token"));

    my $link = $member->post('devices/link');
    push @{$secrets{link}}, $link->json->{link} =~ s/.*#//r;
    is_forgotten('creating a link for another device', 200, $link);
    my $used = QSOsync::Profile::send_json($service, '/welcome/', { token => $secrets{link}[0] });
    push @{$secrets{cookie}}, QSOsync::Profile::cookie_of($used) =~ s/.*=//r;
    is_forgotten('using the link', 204, $used);
    push @{$secrets{password}}, my $chosen = 'chosen by its member himself';
    is_forgotten('changing the password', 204,
        $member->post('password', { password => $chosen, current => $member->{password} }));
    for my $case (['the old', $member->{password}, 401], ['the new', $chosen, 303]) {
        my ($which, $password, $status) = @$case;
        my $answer = QSOsync::Profile::send_form($service, '/sign-in', { callsign => '21SD333',
            password => $password });
        push @{$secrets{cookie}}, QSOsync::Profile::cookie_of($answer) =~ s/.*=//r if $status == 303;
        is_forgotten("signing in with $which password", $status, $answer);
    }
}

# The page shows the last refusal of each key, and its reason.
{
    my $service = QSOsync::Service->start(site => 1, workers => 1, environment => { QSOSYNC_RATE_LIMIT => 60 });
    my $me = QSOsync::Profile->log_in($service, '21SD333');
    # A worker records a refusal after its answer, and the only worker takes its next request when this is done.
    sub refusal_of {
        my ($scope) = @_;
        $service->request('GET', '/openapi.json');
        my ($key) = grep { $_->{scope} eq $scope } @{$me->get('keys')->json->{items}};
        my $refusal = $key->{lastRefusal} or return 'none';
        like $refusal->{at}, qr/\A\d{4}-.*Z\z/, 'a refusal has its time';
        return join ' ', map { $_ // '-' } @{$refusal}{qw(code field count)};
    }
    $service->get('/me');
    $service->post_batch([qso()]);
    is refusal_of($_), 'none', "the $_ key has no refusal" for qw(READ WRITE);
    $service->post_batch([qso()], key => $service->read_key);
    is refusal_of('READ'), 'API_KEYS.READ_ONLY - 1', 'a refusal for the scope is listed';
    $service->post_batch([qso(), qso(frequencyMhz => '27.5'), qso(frequencyMhz => 'x')]);
    is refusal_of('WRITE'), 'FREQUENCY_FORMAT_INVALID - 2',
        'rejected entries are listed with the first code and their number';
    $service->post_batch([qso(mode => 'SSTV')]);
    like refusal_of('WRITE'), qr/\Amode .* mode 1\z/, 'an entry rejected with a sentence is listed with its field';
    $service->get('/logs?limit=0');
    is refusal_of('READ'), 'VALIDATION.FAILED limit 1', 'a wrong parameter is listed with its name';
    $service->delete_qso(uuid());
    like refusal_of('WRITE'), qr/\Amode /, 'a missing QSO is not listed as a refusal';
    my $refused = until_true(sub { $service->get('/me')->status == 429 });
    ok $refused, 'the request limit is reached';
    $service->request('GET', '/openapi.json');
    is $service->sqlite("SELECT code FROM key_refusals JOIN api_keys ON id = key_id WHERE scope = 'READ'"),
        'GENERIC.RATE_LIMITED', 'a refusal at the request limit is listed';
}

done_testing;
