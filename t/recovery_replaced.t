use QSOsync::Test fronts => 'none';
use QSOsync::Waiting;
use File::Copy qw(copy);

# A writer waits while another file takes the logbook's place, as a restore does it where the former logbook is damaged:
# what is acknowledged then is in the new logbook, and not in the file that was moved aside.
my $service = QSOsync::Service->start;
my $db = $service->db;
my $backup = $service->directory . '/backup.db';
$service->post_batch([qso()]);
$service->admin('backup', $backup);

my $late = qso();
$service->expect_log(qr/another file has taken its place; nothing was written|answered with GENERIC.INTERNAL_ERROR/);
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

done_testing;
