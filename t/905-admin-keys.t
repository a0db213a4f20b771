use QSOsync::Test fronts => 'none';
use Digest::SHA qw(sha256 sha256_hex);
use MIME::Base64 qw(encode_base64);
use POSIX ();

# qsosync-admin: keys.
my $service = QSOsync::Service->start(wants_member => 0);
$service->admin('member', 'add', $_, '--locator', 'JO59') for qw(A B);
sub add { $service->admin('key', 'add', @_) }
sub list { @{JSON::PP::decode_json($service->admin('key', 'list', $_[0], '--json'))} }
sub status_of { ($service->admin_try('key', @_))[0] }

my $key = add('a', '--name', ' my program ', '--scope', 'WRITE');
like $key, qr/\Aqsosync_[0-9A-Za-z]{49}\z/, 'a key is printed alone, in its form';
my ($listed) = list('A');
is $listed->{name}, 'my program', 'its name is trimmed';
is $listed->{scope}, 'WRITE', 'its scope';
is $listed->{lastUsedOn}, undef, 'not used yet';
is $listed->{revokedAt}, undef, 'nor revoked';
like $listed->{createdAt}, qr/\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\z/, 'when it was made';
is $listed->{hint}, substr($key, 0, 12), 'its first characters';
$service->get('/me', key => $key);
is +(list('A'))[0]{lastUsedOn}, substr(iso_time(time), 0, 10), 'used today';
add('A', '--scope=read', '--name', "\xc3\xa4" x 80);
is +(list('A'))[1]{scope}, 'READ', 'a scope has no case; characters of the name are counted, not bytes';
my ($heading, @lines) = split /\n/, $service->admin('key', 'list', 'A');
like $heading, qr/\ANUMBER +NAME +SCOPE +KEY +CREATED +LAST USED +REVOKED\z/, 'a list for people has headings';
like $lines[0], qr/\A$listed->{number} +my program +WRITE +\Q$listed->{hint}\E +\S+Z +[0-9-]+ +-\z/, 'and begins with the number';

# A key is shown once, and kept nowhere.
my $text = $service->admin('key', 'list', 'A') . $service->admin('key', 'list', 'A', '--json')
    . $service->admin('member', 'list') . $service->admin('member', 'list', '--json');
unlike $text, qr/\Q@{[substr $key, 0, 13]}\E/, 'no list shows more than the first characters';
my $fingerprint = substr sha256_hex($key), 0, 16;
unlike $text, qr/$fingerprint|\Q@{[substr encode_base64(sha256($key)), 0, 10]}\E/i, 'nor the fingerprint';
my $bytes = join '', map { QSOsync::Front::read_file($_) } grep { -f } glob $service->db . '*';
is index($bytes, substr $key, 12, 20), -1, 'and the database does not hold it';
isnt index($bytes, sha256($key)), -1, 'but its fingerprint';

# Refused (1), or not understood (2).
for ([1, 'A', '--name', ' ', '--scope', 'READ'], [1, 'A', '--name', 'x' x 81, '--scope', 'READ'], [1, 'A', '--name', "a\nb", '--scope', 'READ'],
    [1, 'A', '--name', "a\xc2\x9bb", '--scope', 'READ'], [1, 'A', '--name', "\xff", '--scope', 'READ'], [1, 'Z', '--name', 'x', '--scope', 'READ'],
    [2, 'A', '--name', 'x'], [2, 'A', '--scope', 'READ'], [2, 'A', '--name', 'x', '--scope', 'ALL'], [2, '--name', 'x', '--scope', 'READ']) {
    my ($expected, @arguments) = @$_;
    my $name = "key add @arguments" =~ s/[^ -~]/?/gr;
    my ($status, $output, $errors) = $service->admin_try('key', 'add', @arguments);
    is $status, $expected, "$name: exit status $expected";
    like $errors, qr/\Aqsosync-admin: [^\n]+\n\z/, 'with one clear line';
    is $output, '', 'and no key';
}
is scalar(list('A')), 2, 'no key was made';
is status_of('list', 'Z'), 1, 'keys of nobody';

is status_of('revoke', 'B', $listed->{number}), 1, "another member's key cannot be revoked";
is status_of('revoke', 'A', $_), 2, "'$_' is no number" for 'x', '', '0', '1x', '99999999999999999999';
is status_of('revoke', 'A', 4711), 1, 'a key that is not there';
is $service->admin('key', 'revoke', 'A', $listed->{number}), '', 'a key is revoked without a word';
is status_of('revoke', 'A', $listed->{number}), 1, 'once';
is $service->get('/me', key => $key)->status, 401, 'and stops at once';
ok +(list('A'))[0]{revokedAt}, 'which the list says';

# Ten active keys, also when twenty are made at once.
my @pids = map {
    my $pid = fork // die "fork: $!";
    POSIX::_exit(status_of('add', 'B', '--name', "key $_", '--scope', 'READ')) if !$pid;
    $pid;
} 1 .. 20;
my %statuses;
for (@pids) { waitpid $_, 0; $statuses{$? >> 8}++ }
is_deeply \%statuses, { 0 => 10, 1 => 10 }, 'of twenty keys at once ten are made';
is scalar(list('B')), 10, 'and ten are there';
my (undef, undef, $errors) = $service->admin_try('key', 'add', 'B', '--name', 'more', '--scope', 'READ');
like $errors, qr/\Aqsosync-admin: B has 10 active keys[^\n]*\n\z/, 'which is said';
$service->admin('key', 'revoke', 'B', (list('B'))[0]{number});
is status_of('add', 'B', '--name', 'again', '--scope', 'READ'), 0, 'revoking one makes room';
is status_of('add', 'B', '--name', 'more', '--scope', 'READ'), 1, 'for one';

# A key that nobody saw is a failure, and does not stay.
pipe my $reader, my $writer or die "pipe: $!";
close $reader;
my %outputs = (full => sub { open STDOUT, '>', '/dev/full' }, closed => sub { close STDOUT }, gone => sub { open STDOUT, '>&', $writer });
for my $name (sort keys %outputs) {
    my $pid = fork // die "fork: $!";
    if (!$pid) {
        $outputs{$name}->();
        open STDERR, '>', '/dev/null';
        $SIG{PIPE} = 'DEFAULT';
        exec "$QSOsync::Front::BUILD/qsosync-admin", '--db', $service->db, 'key', 'add', 'A', '--name', $name, '--scope', 'READ';
    }
    waitpid $pid, 0;
    is $?, 1 << 8, "standard output is $name: the key is not said to be made";
    my ($made) = grep { $_->{name} eq $name } list('A');
    ok $made->{revokedAt}, 'and does not work';
}

done_testing;
