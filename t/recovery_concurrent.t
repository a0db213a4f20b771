use QSOsync::Test fronts => 'none', suite => 'all';
use File::Copy qw(copy);

# Restores run at the same time. No restore mistakes another restore's private copy for the remains of a killed restore.
my $service = QSOsync::Service->start;
my $backup = $service->directory . '/backup.db';
$service->post_batch([my @sent = map { qso(notes => 'as it was') } 1 .. 20]);
$service->admin('backup', $backup);

my %said;
for my $round (1 .. 10) {
    $service->post_batch([map({ { %$_, notes => 'wrong' } } @sent[0 .. 9]), qso(notes => 'new')]);
    $service->delete_qso($sent[10]{clientId});
    my @pids;
    for (1 .. 4) {
        my $pid = fork // die;
        if (!$pid) {
            my ($status, undef, $errors) = $service->admin_try('restore', $backup, '--member', '21SD333');
            print STDERR $errors if $status;
            POSIX::_exit($status);
        }
        push @pids, $pid;
    }
    for (@pids) {
        waitpid $_, 0;
        $said{$? >> 8}++;
    }
    unlink glob $service->db . '.before-restore-*';
}
is_deeply \%said, { 0 => 40 }, 'four concurrent restores succeed, ten times';
is join(' ', map { $_->{notes} } $service->download), join(' ', ('as it was') x 20),
    'the log equals the backup after concurrent restores';
is join(' ', glob $service->db . '-restore-*'), '', 'concurrent restores leave no copies';
is $service->admin('check'), '', 'the logbook passes the check after concurrent restores';

# To make the race certain, the test holds the lock on the copy's name while the restore reserves that name.
pipe my $start_out, my $start_in or die;
my $pid = fork // die;
if (!$pid) {
    close $start_in;
    readline $start_out;
    exec "$QSOsync::Front::BUILD/qsosync-admin", '--db', $service->db, 'restore', $backup, '--member', '21SD333'
        or POSIX::_exit(127);
}
my $name = $service->db . "-restore-$pid-gate";
open my $held, '+>', $name or die "$name: $!";
my $F_OFD_SETLK = 37;
my $lock = pack 's s x4 q q l x4', POSIX::F_WRLCK(), 0, 1, 1, 0;
fcntl $held, $F_OFD_SETLK, $lock or die "lock: $!";
close $start_in;
select undef, undef, undef, 0.5;
unlink $name;
close $held;
waitpid $pid, 0;
is $?, 0, 'a restore waits for a process that is about to remove a copy with the same name';
is join(' ', glob $service->db . '-restore-*'), '', 'a restore that waited leaves no copy';

done_testing;
