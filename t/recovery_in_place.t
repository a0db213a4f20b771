use QSOsync::Test fronts => 'none';
use IPC::Open2 qw(open2);

# A restore into a logbook that is in use: its readers see the former content or the restored one, whole, no number is
# given twice, and it does not matter how the backup lies in its file.
my $service = QSOsync::Service->start;
my ($db, $folder) = ($service->db, $service->directory);
my $backup = "$folder/backup.db";
my @kept = map { full_qso() } 1 .. 20;
$service->post_batch(\@kept);
$service->admin('backup', $backup);
sub ids { my ($file) = @_; join ' ', split /\n/, `sqlite3 '$file' 'SELECT id FROM qsos ORDER BY id'` }
sub number { $service->sqlite($_[0]) }
my $of_backup = ids($backup);

# Since then much was logged, and some of it deleted; others were added, and have gone.
my @since = map { full_qso() } 1 .. 200;
$service->post_batch(\@since);
$service->delete_qso($since[-1]{clientId});
my $gone = $service->add_member('26AT101');
$service->admin('member', 'delete', '26AT101', '--yes');
my ($last_qso, $last_member, $last_key) = map { number("SELECT seq FROM sqlite_sequence WHERE name = '$_'") }
    qw(qsos members api_keys);
my $pages = number('PRAGMA page_count');

# Somebody who reads all the time.
my $reader = open2(my $answers, my $questions, 'sqlite3', '-batch', $db);
$questions->autoflush;
sub ask { print {$questions} "$_[0];\n"; chomp(my $answer = readline $answers); $answer }
my $count = 'SELECT count(*) FROM qsos';
print {$questions} "BEGIN;\n";
is ask($count), 219, 'a reader has a snapshot of the former logbook';
$service->admin('restore', $backup);
is ask('SELECT count(*) || sum(length(notes) > 0) FROM qsos NOT INDEXED'), '219219',
    'the reader sees all of that when the logbook has been restored';
print {$questions} "COMMIT;\n";
is ask($count), 20, 'a reader sees the restored logbook afterwards';
close $questions;
waitpid $reader, 0;

is scalar(@{[$service->download]}), 20, 'the service serves what was restored, without a restart';
is ids($db), $of_backup, 'the logbook has the rows of the backup';
is $service->admin('check'), '', 'the restored logbook has no problem';
cmp_ok number('PRAGMA page_count'), '<', $pages, 'what was logged since takes no space any more';
for (['qsos', $last_qso], ['members', $last_member], ['api_keys', $last_key]) {
    is number("SELECT seq FROM sqlite_sequence WHERE name = '$_->[0]'"), $_->[1], "no number of $_->[0] is given twice";
}
my $saved = $service->post_batch([qso()])->json->{results}[0];
cmp_ok $saved->{id}, '>', $last_qso, 'a new QSO has an id that none has had';

# Pages of another size.
my $other = "$folder/other.db";
system('sqlite3', $backup, "PRAGMA page_size = 8192; VACUUM INTO '$other'") == 0 or die;
is `sqlite3 '$other' 'PRAGMA page_size'`, "8192\n", 'a backup can have pages of another size';
$service->admin('restore', $other);
is ids($db), $of_backup, 'a backup with pages of another size is restored';
is number('PRAGMA page_size'), 4096, 'the pages of the logbook keep their size';
is $service->admin('check'), '', 'a logbook restored from pages of another size has no problem';
is scalar(@{[$service->download]}), 20, 'the service goes on after pages of another size';

# Texts in another encoding, which no connection changes to.
my $wide = "$folder/wide.db";
system("{ echo \"PRAGMA encoding = 'UTF-16le';\"; sqlite3 '$backup' .dump; echo 'PRAGMA application_id = 1364414291;
    PRAGMA user_version = ' `sqlite3 '$backup' 'PRAGMA user_version'` ';'; } | sqlite3 '$wide'") == 0 or die;
is $service->admin('--db', $wide, 'check'), '', 'a backup can have texts in another encoding';
my $before = $service->sqlite('SELECT last_stamp || log_epoch FROM logbook');
my ($status, undef, $errors) = $service->admin_try('restore', $wide);
is $status, 1, 'such a backup is refused';
like $errors, qr/\Aqsosync-admin: [^\n]* encoding [^\n]*\n\z/, 'the refusal is one line, which says why';
is $service->sqlite('SELECT last_stamp || log_epoch FROM logbook'), $before, 'a refusal leaves the logbook as it was';
is join(' ', glob "$db-restore-*"), '', 'nothing is left beside it';

done_testing;
