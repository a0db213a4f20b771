use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/lib";
use QSOsync::Case;
use QSOsync::Service;

# qsosync-admin: keys.
plan skip_all => 'no front plays a part' if QSOsync::Service::default_front() ne 'nginx';
my $service = QSOsync::Service->start(wants_member => 0);
$service->admin('member', 'add', $_, '--locator', 'JO59') for qw(A B);
sub add { $service->admin('key', 'add', @_) }
sub list { JSON::PP::decode_json($service->admin('key', 'list', $_[0], '--json')) }

my $key = add('A', '--name', ' my program ', '--scope', 'WRITE');
like $key, qr/\Aqsosync_[0-9A-Za-z]{49}\z/, 'a key is printed alone, in its form';
my ($listed) = @{list('A')};
is $listed->{name}, 'my program', 'its name is trimmed';
is $listed->{scope}, 'WRITE', 'its scope';
is $listed->{lastUsedOn}, undef, 'not used yet';
$service->get('/me', key => $key);
is((list('A'))->[0]{lastUsedOn}, substr(iso_time(time), 0, 10), 'used today');
my $text = $service->admin('key', 'list', 'A') . $service->admin('key', 'list', 'A', '--json');
unlike $text, qr/\Q@{[substr $key, 0, 20]}\E/, 'no list shows more than the first characters';
my $bytes = join '', map { QSOsync::Front::read_file($_) } grep { -f } glob $service->db . '*';
is index($bytes, substr $key, 8, 40), -1, 'and the database does not hold it';

for (['A', '--name', 'x'], ['A', '--scope', 'READ'], ['A', '--name', 'x', '--scope', 'ALL'],
    ['A', '--name', ' ', '--scope', 'READ'], ['A', '--name', 'x' x 81, '--scope', 'READ'], ['Z', '--name', 'x', '--scope', 'READ']) {
    my ($status, $output, $errors) = $service->admin_try('key', 'add', @$_);
    is $status, 1, "key add @$_ is refused";
    like $errors, qr/\Aqsosync-admin: [^\n]+\n\z/, 'with one clear line';
    is $output, '', 'and no key';
}
ok add('A', '--name', 'x' x 80, '--scope', 'READ'), '80 characters are accepted';

is +(($service->admin_try('key', 'revoke', 'B', $listed->{number}))[0]), 1, "another member's key cannot be revoked";
is +(($service->admin_try('key', 'revoke', 'A', $listed->{number}))[0]), 0, 'a key is revoked';
is +(($service->admin_try('key', 'revoke', 'A', $listed->{number}))[0]), 1, 'once';
is $service->get('/me', key => $key)->status, 401, 'and stops at once';
ok +(list('A'))->[0]{revokedAt}, 'which the list says';

# Ten active keys, also when twenty are made at once.
my @pids = map {
    my $pid = fork;
    if (!$pid) {
        my ($status) = $service->admin_try('key', 'add', 'B', '--name', "key $_", '--scope', 'READ');
        require POSIX;
        POSIX::_exit($status);
    }
    $pid;
} 1 .. 20;
my %statuses;
for (@pids) { waitpid $_, 0; $statuses{$? >> 8}++ }
is_deeply \%statuses, { 0 => 10, 1 => 10 }, 'of twenty keys at once ten are made';
is scalar(@{list('B')}), 10, 'and ten are there';
$service->admin('key', 'revoke', 'B', list('B')->[0]{number});
ok add('B', '--name', 'again', '--scope', 'READ'), 'revoking one makes room';
my ($status, undef, $errors) = $service->admin_try('key', 'add', 'B', '--name', 'more', '--scope', 'READ');
like $errors, qr/10 active keys/, 'for one';

my $command = "'$QSOsync::Front::BUILD/qsosync-admin' --db '@{[$service->db]}' key add A --name full --scope READ > /dev/full 2>/dev/null";
isnt system($command) >> 8, 0, 'a key that cannot be shown is a failure';
is scalar(grep { $_->{name} eq 'full' && !$_->{revokedAt} } @{list('A')}), 0, 'and does not stay';

done_testing;
