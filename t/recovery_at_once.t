use QSOsync::Test fronts => 'none';
use File::Copy qw(copy);
use QSOsync::Waiting;

# Several restores at the same time: none takes another one's private copy for one that a killed restore has left.
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
is_deeply \%said, { 0 => 40 }, 'four restores at the same time come to their end, ten times';
is join(' ', map { $_->{notes} } $service->download), join(' ', ('as it was') x 20),
    'the log is what it was in the backup';
is join(' ', glob $service->db . '-restore-*'), '', 'nothing is left of their copies';
is $service->admin('check'), '', 'the logbook is whole';

# The same made certain: somebody holds the lock of the copy's name while the restore reserves it.
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
is $?, 0, 'a restore waits for who is about to remove a copy of its name';
is join(' ', glob $service->db . '-restore-*'), '', 'nothing is left of its copy either';

# A writer waits while another file takes the logbook's place, as a restore does it where the former logbook is damaged:
# what is acknowledged then is in the new logbook, and not in the file that was moved aside.
{
    my $service = QSOsync::Service->start;
    my $db = $service->db;
    my $backup = $service->directory . '/backup.db';
    $service->post_batch([qso()]);
    $service->admin('backup', $backup);

    my $late = qso();
    $service->expect_log(
        qr/another file has taken its place; nothing was written|answered with GENERIC.INTERNAL_ERROR/);
    my $said = QSOsync::Waiting::behind_writer($service, sub {
        my $answer = $service->post_batch([$late]);
        return join ' ', $answer->status, $answer->header('Retry-After') // '';
    }, sub {
        for my $suffix ('-wal', '-shm', '') {
            rename "$db$suffix", "$db.aside$suffix" or die "$db$suffix: $!" if -e "$db$suffix";
        }
        copy $backup, $db or die "$db: $!";
    });
    is $said, '500 10', 'a writer who waited is told to come again';
    is scalar(@{[$service->download]}), 1, 'the new logbook has what the backup had';
    is `sqlite3 '$db.aside' 'SELECT count(*) FROM qsos'`, "1\n", 'nothing was written to the file that was moved aside';
    is $service->post_batch([$late])->status, 200, 'the second attempt is saved';
    is scalar(@{[$service->download]}), 2, 'the new logbook has it';
    is $service->admin('check'), '', 'the new logbook has no problem';
}

done_testing;
