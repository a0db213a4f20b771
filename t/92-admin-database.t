use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/lib";
use QSOsync::Case;
use QSOsync::Service;

# qsosync-admin: backup, check and restore, while the service goes on.
use POSIX ();
plan skip_all => 'no front plays a part' if QSOsync::Service::default_front() ne 'nginx';
my $service = QSOsync::Service->start;
my $backup = $service->directory . '/backup.db';
my @kept = map { full_qso() } 1 .. 50;
$service->post_batch(\@kept);

# Writers that go on during the backup: what is acknowledged before it begins is in it.
my $writer = fork;
if (!$writer) {
    my $stop;
    $SIG{TERM} = sub { $stop = 1 };
    $service->post_batch([map { qso(notes => 'meanwhile') } 1 .. 20]) until $stop;
    POSIX::_exit(0);
}
select undef, undef, undef, 0.3;
$service->admin('backup', $backup);
kill 'TERM', $writer;
waitpid $writer, 0;
my ($status, undef, $errors) = $service->admin_try('backup', $backup);
is $status, 1, 'a backup never overwrites a file';
is +(($service->admin_try('--db', $backup, 'check'))[0]), 0, 'a backup under load is whole';

my $member = $service->add_member('26AT101');
my $lost = qso();
my $highest = $service->post_batch([$lost])->json->{results}[0]{id};
$service->delete_qso($kept[0]{clientId});
my ($key) = grep { $_->{scope} eq 'READ' } @{JSON::PP::decode_json($service->admin('key', 'list', '21SD333', '--json'))};
my $read_key = $service->read_key;
$service->admin('key', 'revoke', '21SD333', $key->{number});
my $write_key = $service->write_key;
sub page { $service->get('/logs', key => $write_key) }
my ($epoch, $time) = (page()->header('X-Log-Epoch'), page()->json->{serverTime});

like $service->admin('restore', $backup), qr/kept as (\S+)/, 'restore says where the former logbook is';
my %now = map { $_->{clientId} => $_ } $service->download(key => $write_key);
ok $now{$_->{clientId}}, 'what the backup had is there' for $kept[0], $kept[1];
ok !$now{$lost->{clientId}}, 'what came later is not';
isnt page()->header('X-Log-Epoch'), $epoch, 'the log epoch tells clients';
is $service->get('/me', key => $read_key)->status, 401, 'a key that was revoked stays revoked';
my $result = $service->post_batch([$lost], key => $write_key)->json->{results}[0];
cmp_ok $result->{id}, '>', $highest, 'ids are not used again';
my ($item) = grep { $_->{clientId} eq $lost->{clientId} } $service->download(key => $write_key);
cmp_ok $item->{syncedAt}, 'gt', $time, 'stamps go on rising';
is $service->admin('check'), '', 'the database is whole';
my ($former) = glob $service->db . '.before-restore-*';
is +(($service->admin_try('--db', $former, 'check'))[0]), 0, 'so is the one that was put aside';

my $before = page()->body =~ s/"serverTime":"[^"]*"//r;
is +(($service->admin_try('restore', $service->directory . '/nothing.db'))[0]), 1, 'a backup that is not there is refused';
is page()->body =~ s/"serverTime":"[^"]*"//r, $before, 'and changes nothing';
is join(' ', glob($service->db . '-restore-*')), '', 'nothing is left lying about';

done_testing;
