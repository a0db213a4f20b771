use QSOsync::Test fronts => 'none';
use QSOsync::Faults;
use Fcntl qw(F_WRLCK SEEK_SET);

# What a restore leaves that is killed, the next one removes, and never the copy of one that runs.
my $missing = QSOsync::Faults::missing();
plan skip_all => $missing if $missing;
my $service = QSOsync::Service->start;
my ($db, $folder) = ($service->db, $service->directory);
$service->post_batch([map { full_qso() } 1 .. 100]);
my $backup = "$folder/backup.db";
$service->admin('backup', $backup);
sub left { map { s{.*/}{}r } sort grep { !/before-restore/ } glob "$db-restore-*" }

my $faults = QSOsync::Faults->new;
my $left = 0;
for my $at (1, 3, 10, 30, 60) {
    {
        local @ENV{'QSOSYNC_DB', keys %{$faults->environment}} = ($db, values %{$faults->environment});
        $faults->strike('write', at => $at);
        isnt +($service->admin_try('restore', $backup))[0], 0, "a restore is killed at write $at";
        $faults->lift;
    }
    $left += left();
    $service->admin('restore', $backup);
    is join(' ', left()), '', "the next restore removes what the one killed at write $at left";
    is $service->admin('check'), '', "the logbook is whole after a restore was killed at write $at";
}
cmp_ok $left, '>', 0, 'restores that are killed leave something';

# Another one that runs has locked its copy.
QSOsync::Front::write_file("$db-restore-$_", '') for '4711', '4711-gate', '4712', '4712-wal', '4712-shm', '4713-gate',
    '4712-of-mine', 'mine';
open my $file, '+<', "$db-restore-4711-gate" or die;
my $lock = pack 's s x4 q q l x4', F_WRLCK, SEEK_SET, 1, 1, 0;
fcntl $file, 37, $lock or die "F_OFD_SETLK: $!"; # linux/fcntl.h
$service->admin('restore', $backup);
is_deeply [left()], [map { "logbook.db-restore-$_" } '4711', '4711-gate', '4712-of-mine', 'mine'],
    'a restore removes what is abandoned, and leaves the copy of one that runs and files of other names';
close $file;

done_testing;
