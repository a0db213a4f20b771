use QSOsync::Test fronts => 'none';
use Digest::SHA qw(sha256_hex);

# What a key is made of, and what the database keeps of it and by itself.
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
    is $check, checksum($body), 'its checksum is the CRC-32 of what stands before it, in base62';
    is $service->sqlite("SELECT count(*) FROM api_keys WHERE lower(hex(fingerprint)) = '" . sha256_hex($key) . "'"), 1,
        'its stored fingerprint is the SHA-256 of the whole key';
}
cmp_ok 43 * log(62) / log(2), '>=', 256, '43 base62 characters hold 256 bits';
my %seen = map { substr($_, 8, 20) => 1 } @keys, map { @{$service->add_member("26AT10$_")}{qw(read_key write_key)} } 1 .. 3;
is scalar(keys %seen), 8, 'no two keys begin alike';

my $known = substr($keys[0], 0, -6);
my $unknown = substr($keys[0], 0, -7) . ($keys[0] =~ /A.{6}\z/ ? 'B' : 'A');
for my $case ([$known . ($keys[0] =~ /A\z/ ? 'AAAAAB' : 'AAAAAA'), 'a wrong checksum'],
    [$unknown . checksum($unknown), 'an unknown key of the right form'],
    [uc $keys[0], 'another case'], ["Qsosync_" . substr($keys[0], 8), 'another prefix'],
    ["$keys[0]\t$keys[0]", 'two keys'], [substr($keys[0], 8), 'no prefix']) {
    my $response = $service->get('/me', key => $case->[0]);
    is $response->status . ' ' . ($response->code || ''), '401 API_KEYS.INVALID', "$case->[1]: refused as any other wrong key";
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
ok !refused("INSERT INTO api_keys $row"), 'a revoked key does not count';
ok refused("UPDATE api_keys SET revoked_at = NULL WHERE name = 'x'"), 'and revoking is final';
ok refused("UPDATE api_keys SET scope = 'WRITE' WHERE name = 'x'"), 'a key never gains a scope';
ok refused("UPDATE api_keys SET member_id = 2 WHERE name = 'x'"), 'nor another member';
ok refused("INSERT INTO api_keys (member_id, name, scope, fingerprint, hint, created_at)
    SELECT 2, 'x', 'READ', fingerprint, 'q', 0 FROM api_keys LIMIT 1"), 'no fingerprint is there twice';

done_testing;
