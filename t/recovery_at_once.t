use QSOsync::Test fronts => 'none';

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

done_testing;
