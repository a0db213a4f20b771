use QSOsync::Test fronts => 'none';
use Digest::SHA qw(sha256 sha256_hex);
use MIME::Base64 qw(encode_base64);
use POSIX ();
use QSOsync::QrCode;

# qsosync-admin key creates, lists and revokes keys.
my $service = QSOsync::Service->start(wants_member => 0);
$service->admin('member', 'add', $_, '--locator', 'JO59') for qw(A B);
sub add { $service->admin('key', 'add', @_) }
sub list { @{JSON::PP::decode_json($service->admin('key', 'list', $_[0], '--json'))} }
sub status_of { ($service->admin_try('key', @_))[0] }

my $key = add('a', '--name', ' my program ', '--scope', 'WRITE');
like $key, qr/\Aqsosync_[0-9A-Za-z]{49}\z/, 'key add prints only a key in the correct format';
my ($listed) = list('A');
is $listed->{name}, 'my program', 'the name of a key is stored trimmed';
is $listed->{scope}, 'WRITE', 'the list shows the scope of a key';
is $listed->{lastUsedOn}, undef, 'a new key has no day of last use';
is $listed->{revokedAt}, undef, 'a new key is not revoked';
like $listed->{createdAt}, qr/\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\z/, 'the list shows the creation time of a key';
is $listed->{hint}, substr($key, 0, 12), 'the list shows the first 12 characters of a key';
sub today { substr iso_time(time), 0, 10 }
my $before = today();
$service->get('/me', key => $key);
my $day = until_true(sub { (list('A'))[0]{lastUsedOn} }) // 'none';
ok $day eq $before || $day eq today(), 'a used key has the day of its last use' or diag $day;
add('A', '--scope=read', '--name', "\xc3\xa4" x 80);
is +(list('A'))[1]{scope}, 'READ', 'a scope can be in any case, and a name can have 80 characters';
my ($heading, @lines) = split /\n/, $service->admin('key', 'list', 'A');
like $heading, qr/\ANUMBER +NAME +SCOPE +KEY +CREATED +LAST USED +REVOKED\z/, 'the table of keys has headings';
like $lines[0], qr/\A$listed->{number} +my program +WRITE +\Q$listed->{hint}\E +\S+Z +[0-9-]+ +-\z/,
    'a line of the table has the number, name, scope, first characters and times of a key';

# A phone reads the key from a QR code.
{
    delete local $ENV{QSOSYNC_ADDRESS};
    $service->admin('member', 'add', 'C', '--locator', 'JO59');
    my @phone = ('key', 'add', 'C', '--name', 'phone', '--scope', 'WRITE', '--qr');
    my $address = 'https://log.example.org/~club/api/v1';
    my $link = 'qsosync://config?v=1&url=https%3A%2F%2Flog.example.org%2F~club%2Fapi%2Fv1&key=';
    my ($status, $screen) = $service->admin_on_terminal('', @phone, '--address', $address);
    my ($shown) = $screen =~ /^(qsosync_[0-9A-Za-z]{49})$/m;
    is $status, 0, 'key add --qr succeeds';
    is QSOsync::QrCode::text_of(QSOsync::QrCode::rows_of_terminal($screen)), "$link$shown",
        'the terminal shows the address and the key as a QR code';
    is $service->get('/me', key => $shown)->json->{callsign}, 'C', 'a key created with a QR code works';
    is(($service->admin_on_terminal('', @phone, @$_))[0], 2, "'--qr @$_' is wrong usage")
        for ['--address', 'log.example.org'], ['--address', ''], ['--address', 'https://x/' . 'y' x 500];
    is_deeply [$service->admin_try(@phone)], [1, '', 'qsosync-admin: the service\'s address is not set; set it '
        . "once with: qsosync-admin club set --address https://log.example.org\n"],
        'without an address, one line names the missing setting';
    is status_of(@phone[1 .. 6], '--address', $address), 2, 'an address without --qr is wrong usage';
    is scalar(grep { !$_->{revokedAt} } list('C')), 1, 'a refused command creates no key';
    local $ENV{QSOSYNC_ADDRESS} = $address;
    my @another = map { s/\Aphone\z/another phone/r } @phone;
    my (undef, $output) = $service->admin_try(@another);
    is QSOsync::QrCode::text_of(QSOsync::QrCode::rows_of_terminal($output)),
        $link . ($output =~ /^(qsosync_\w+)\n\z/m)[0],
        'a QR code has the address from the environment, and the key is printed last';
    $service->admin('club', 'set', '--address', 'https://other.example.org');
    (undef, $output) = $service->admin_try(map { s/\Aphone\z/third phone/r } @phone);
    like QSOsync::QrCode::text_of(QSOsync::QrCode::rows_of_terminal($output)),
        qr{\Aqsosync://config\?v=1&url=https%3A%2F%2Fother\.example\.org%2Fapi%2Fv1&key=},
        'the address in the logbook takes precedence over the environment';
}

# A key is shown once and stored nowhere.
my $text = $service->admin('key', 'list', 'A') . $service->admin('key', 'list', 'A', '--json')
    . $service->admin('member', 'list') . $service->admin('member', 'list', '--json');
unlike $text, qr/\Q@{[substr $key, 0, 13]}\E/, 'no list shows more than the first 12 characters of a key';
my $fingerprint = substr sha256_hex($key), 0, 16;
unlike $text, qr/$fingerprint|\Q@{[substr encode_base64(sha256($key)), 0, 10]}\E/i,
    'no list shows the fingerprint of a key';
my $bytes = join '', map { QSOsync::Front::read_file($_) } grep { -f } glob $service->db . '*';
is index($bytes, substr $key, 12, 20), -1, 'no file of the database contains the secret part of a key';
isnt index($bytes, sha256($key)), -1, 'the database stores the fingerprint of a key';

# A refused command ends with exit status 1, and wrong usage with exit status 2.
for ([1, 'A', '--name', ' ', '--scope', 'READ'], [1, 'A', '--name', 'x' x 81, '--scope', 'READ'],
    [1, 'A', '--name', "a\nb", '--scope', 'READ'],
    [1, 'A', '--name', "a\xc2\x9bb", '--scope', 'READ'], [1, 'A', '--name', "\xff", '--scope', 'READ'],
    [1, 'Z', '--name', 'x', '--scope', 'READ'],
    [2, 'A', '--name', 'x'], [2, 'A', '--scope', 'READ'], [2, 'A', '--name', 'x', '--scope', 'ALL'],
    [2, '--name', 'x', '--scope', 'READ']) {
    my ($expected, @arguments) = @$_;
    my $name = "key add @arguments" =~ s/[^ -~]/?/gr;
    my ($status, $output, $errors) = $service->admin_try('key', 'add', @arguments);
    is $status, $expected, "$name ends with exit status $expected";
    like $errors, qr/\Aqsosync-admin: [^\n]+\n\z/, "$name is refused with one line";
    is $output, '', "$name prints no key";
}
is scalar(list('A')), 2, 'refused commands create no keys';
is status_of('list', 'Z'), 1, 'listing the keys of an unknown member is refused';

is status_of('revoke', 'B', $listed->{number}), 1, "another member's key cannot be revoked";
is status_of('revoke', 'A', $_), 2, "'$_' is refused as a key's number" for 'x', '', '0', '1x',
    '99999999999999999999';
is status_of('revoke', 'A', 4711), 1, 'a key that does not exist cannot be revoked';
is $service->admin('key', 'revoke', 'A', $listed->{number}), '', 'revoking a key prints nothing';
is status_of('revoke', 'A', $listed->{number}), 1, 'a key can be revoked only once';
is $service->get('/me', key => $key)->status, 401, 'a revoked key is refused at once';
ok +(list('A'))[0]{revokedAt}, 'the list shows when a key was revoked';

# A member cannot get a second active key with the same name. Existing keys with equal names stay active.
{
    $service->admin('member', 'add', 'D', '--locator', 'JO59');
    my @add = ('key', 'add', 'D', '--name', 'phone', '--scope');
    my $first = $service->admin(@add, 'WRITE');
    is_deeply [$service->admin_try(@add, 'READ')], [1, '', 'qsosync-admin: D already has an active key with the name '
        . "phone; choose another name, or revoke that key\n"], 'a second active key with the same name is refused';
    is status_of('add', 'A', '--name', 'phone', '--scope', 'READ'), 0, 'another member can use the same name for a key';
    my ($number) = map { $_->{number} } grep { !$_->{revokedAt} } list('D');
    $service->admin('key', 'revoke', 'D', $number);
    is status_of(@add[1 .. 5], 'WRITE'), 0, 'the name of a revoked key can be used again';
    is status_of(@add[1 .. 3], 'Phone', '--scope', 'WRITE'), 0, 'names of keys that differ in case are different names';
    $service->sqlite("UPDATE api_keys SET name = 'phone' WHERE name = 'Phone'");
    is scalar(grep { !$_->{revokedAt} && $_->{name} eq 'phone' } list('D')), 2,
        'older keys with equal names stay active';
    $service->admin('uploads', 'on');
    is +($service->admin_try('upload-token', 'add', 'D', '--name', 'WSJT-CB'))[0], $_,
        'only the first of two active tokens with one name is created' for 0, 1;
    is +($service->admin_try('upload-token', 'add', 'D', '--name', 'phone'))[0], 0,
        'a token can have the name of a key';
}

# Twenty concurrent commands do not exceed the limit of ten active keys.
my @pids = map {
    my $pid = fork // die "fork: $!";
    POSIX::_exit(status_of('add', 'B', '--name', "key $_", '--scope', 'READ')) if !$pid;
    $pid;
} 1 .. 20;
my %statuses;
for (@pids) { waitpid $_, 0; $statuses{$? >> 8}++ }
is_deeply \%statuses, { 0 => 10, 1 => 10 }, 'twenty concurrent commands create only ten keys';
is scalar(list('B')), 10, 'the list has the ten keys that concurrent commands created';
my (undef, undef, $errors) = $service->admin_try('key', 'add', 'B', '--name', 'more', '--scope', 'READ');
like $errors, qr/\Aqsosync-admin: B already has 10 active keys[^\n]*\n\z/,
    'the error states the limit of ten active keys';
$service->admin('key', 'revoke', 'B', (list('B'))[0]{number});
is status_of('add', 'B', '--name', 'again', '--scope', 'READ'), 0,
    'another key can be created after a key is revoked';
is status_of('add', 'B', '--name', 'more', '--scope', 'READ'), 1,
    'only one key can be created after one key is revoked';

# If a new key cannot be printed, the command fails and revokes the key.
pipe my $reader, my $writer or die "pipe: $!";
close $reader;
my %outputs = (full => sub {
    open STDOUT, '>', '/dev/full';
}, closed => sub { close STDOUT }, gone => sub { open STDOUT, '>&', $writer });
for my $name (sort keys %outputs) {
    my $pid = fork // die "fork: $!";
    if (!$pid) {
        $outputs{$name}->();
        open STDERR, '>', '/dev/null';
        $SIG{PIPE} = 'DEFAULT';
        exec "$QSOsync::Front::BUILD/qsosync-admin", '--db', $service->db, 'key', 'add', 'A', '--name', $name,
            '--scope', 'READ';
    }
    waitpid $pid, 0;
    is $?, 1 << 8, "creating a key fails if standard output is $name";
    my ($made) = grep { $_->{name} eq $name } list('A');
    ok $made->{revokedAt}, "a new key is revoked if standard output is $name";
}

done_testing;
