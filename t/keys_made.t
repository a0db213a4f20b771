use QSOsync::Test fronts => 'none';
use QSOsync::Cgi;
use Digest::SHA qw(sha256_hex);

# What a key is made of, and the rules of keys that the database itself keeps.
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
    is $check, checksum($body), "a key's checksum is the CRC-32 of what stands before it, in base62";
    is $service->sqlite("SELECT count(*) FROM api_keys WHERE lower(hex(fingerprint)) = '" . sha256_hex($key) . "'"), 1,
        'the stored fingerprint of a key is the SHA-256 of the whole key';
}
cmp_ok 43 * log(62) / log(2), '>=', 256, 'the 43 base62 characters of a key hold 256 bits';
my %seen = map { substr($_, 8, 20) => 1 } @keys, map { @{$service->add_member("26AT10$_")}{qw(read_key write_key)} }
    1 .. 3;
is scalar(keys %seen), 8, 'no two keys begin alike';

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

# The rules of keys are the database's own, whichever program writes.
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
    'the database refuses a fingerprint that is there';

# Keys as the variables of a request, without a front server: where front servers put them, and how a key may be
# written. What reaches the worker through each front server is the subject of 100.
{
    my $service = QSOsync::Service->start;
    my ($read, $write) = ($service->read_key, $service->write_key);

    sub scope_of {
        my $response = QSOsync::Cgi::answer($service->directory, { QSOSYNC_DB => $service->db, QSOSYNC_RATE_LIMIT => 0,
            REQUEST_URI => '/api/v1/me', HTTP_AUTHORIZATION => "Bearer $read", @_ });
        return $response->status == 200 ? $response->json->{scope} : $response->status;
    }
    is scope_of(HTTP_AUTHORIZATION => '', REDIRECT_HTTP_AUTHORIZATION => "Bearer $write"), 'WRITE',
        'a key in REDIRECT_HTTP_AUTHORIZATION counts';
    is scope_of(REDIRECT_HTTP_AUTHORIZATION => "Bearer $write"), 'READ',
        'HTTP_AUTHORIZATION comes before REDIRECT_HTTP_AUTHORIZATION';
    is scope_of(HTTP_AUTHORIZATION => '', HTTP_X_API_KEY => $write), 'WRITE',
        'beside an empty Authorization X-API-Key counts';
    is scope_of(HTTP_AUTHORIZATION => "Negotiate abc", HTTP_X_API_KEY => $write), 'WRITE',
        'beside an Authorization of a scheme not known X-API-Key counts';
    is scope_of(HTTP_AUTHORIZATION => "Bearer$read"), 401, 'Bearer without a space before the key is refused';
    is scope_of(HTTP_AUTHORIZATION => "bearer   $read  "), 'READ', 'white space around a bearer token does not count';
    is scope_of(HTTP_AUTHORIZATION => "Bearer $read $read"), 401, 'two keys in Authorization are refused';
    is scope_of(HTTP_AUTHORIZATION => '', HTTP_X_API_KEY => "$read, $read"), 401,
        'two keys in X-API-Key, joined as front servers do, are refused';
    is scope_of(HTTP_AUTHORIZATION => '', HTTP_COOKIE => "key=$read", REMOTE_USER => '21sd333'), 401,
        'neither a cookie nor a login opens the API';
}

done_testing;
