use QSOsync::Test fronts => 'none', suite => 'all';
use File::Copy qw(copy);
use QSOsync::Waiting;

# A writer waits while another file replaces the logbook, as if a restore replaced a damaged logbook. The new logbook
# gets the writes that are acknowledged later. The file that was moved aside gets no write.
my $service = QSOsync::Service->start;
my $db = $service->db;
my $backup = $service->directory . '/backup.db';
$service->post_batch([qso()]);
$service->admin('backup', $backup);

my $late = qso();
$service->expect_log(
    qr/the file was replaced by another file; nothing was written|answered with GENERIC.INTERNAL_ERROR/);
my $said = QSOsync::Waiting::behind_writer($service, sub {
    my $answer = $service->post_batch([$late]);
    return join ' ', $answer->status, $answer->header('Retry-After') // '';
}, sub {
    for my $suffix ('-wal', '-shm', '') {
        rename "$db$suffix", "$db.aside$suffix" or die "$db$suffix: $!" if -e "$db$suffix";
    }
    copy $backup, $db or die "$db: $!";
});
is $said, '500 10', 'a writer that waited gets 500 and Retry-After';
is scalar(@{[$service->download]}), 1, "the new logbook has the backup's content";
is `sqlite3 '$db.aside' 'SELECT count(*) FROM qsos'`, "1\n", 'the file that was moved aside has no new row';
is $service->post_batch([$late])->status, 200, "the writer's second attempt is saved";
is scalar(@{[$service->download]}), 2, "the new logbook has the writer's second attempt";
is $service->admin('check'), '', 'the new logbook passes the check';

done_testing;
