use QSOsync::Test fronts => 'nginx';
use QSOsync::Profile;
use Digest::SHA qw(sha256_hex);

# Keys have a documented format, the database enforces rules for keys, and workers do not keep secrets in memory.
my $service = QSOsync::Service->start;

# Returns the checksum of a key's other characters: the CRC-32 of zip and Ethernet, in base62, most significant digit
# first.
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
    ok $body, 'a key consists of qsosync_, 43 base62 characters and a checksum of 6 characters' or diag length $key;
    is $check, checksum($body), "a key's checksum is the CRC-32 of its other characters, in base62";
    is $service->sqlite("SELECT count(*) FROM api_keys WHERE lower(hex(fingerprint)) = '" . sha256_hex($key) . "'"), 1,
        'the stored fingerprint of a key is the SHA-256 of the whole key';
}
cmp_ok 43 * log(62) / log(2), '>=', 256, 'the 43 base62 characters of a key hold at least 256 bits';
my %seen = map { substr($_, 8, 20) => 1 } @keys, map { @{$service->add_member("26AT10$_")}{qw(read_key write_key)} }
    1 .. 3;
is scalar(keys %seen), 8, 'the first 20 characters after the prefix differ between all keys';

my $known = substr($keys[0], 0, -6);
my $unknown = substr($keys[0], 0, -7) . ($keys[0] =~ /A.{6}\z/ ? 'B' : 'A');
for my $case ([$known . ($keys[0] =~ /A\z/ ? 'AAAAAB' : 'AAAAAA'), 'a wrong checksum'],
    [$unknown . checksum($unknown), 'unknown characters and the right checksum'],
    [uc $keys[0], 'only upper-case letters'], ["Qsosync_" . substr($keys[0], 8), 'another prefix'],
    ["$keys[0]\t$keys[0]", 'another key appended'], [substr($keys[0], 8), 'no prefix']) {
    my $response = $service->get('/me', key => $case->[0]);
    is $response->status . ' ' . ($response->code || ''), '401 API_KEYS.INVALID',
        "a key with $case->[1] is refused like any other wrong key";
}

# The database itself enforces the rules for keys, whichever program writes.
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
    'the database refuses a fingerprint that another key has';

# After a request, the memory of the pages' worker contains no secret that the worker has created or received.
SKIP: {
    my $service = QSOsync::Service->start(site => 1);
    $service->admin('uploads', 'on');
    my $member = QSOsync::Profile->log_in($service, '21SD333');
    my ($worker) = @{$service->{site_pids}};
    skip 'only root can read the memory of a worker that the test started', 1
        if QSOsync::Front::is_instrumented() || !defined $service->memory_of($worker);

    # Returns part of a secret as a worker could keep it in memory: unchanged, and shifted by half a byte, as in a QR
    # code.
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
        is $answer->status, $status, "$what: the answer has the status $status" or diag $answer->body;
        my @held;
        for (1 .. 50) {
            @held = is_held($service->memory_of($worker)) or last;
            Time::HiRes::sleep(0.02);
        }
        is scalar(@held), 0, "after $what, the worker's memory contains no part of a secret";
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

done_testing;
