use QSOsync::Test fronts => 'none', suite => 'all';
use IPC::Open2 qw(open2);
use File::Copy qw(copy);

# A logbook in use is restored. Readers see either the whole previous content or the whole restored content. No number
# is assigned twice, and the page size of the backup does not matter.
my $service = QSOsync::Service->start;
my ($db, $folder) = ($service->db, $service->directory);
my $backup = "$folder/backup.db";
my @kept = map { full_qso() } 1 .. 20;
$service->post_batch(\@kept);
$service->admin('backup', $backup);
sub ids { my ($file) = @_; join ' ', split /\n/, `sqlite3 '$file' 'SELECT id FROM qsos ORDER BY id'` }
sub number { $service->sqlite($_[0]) }
my $of_backup = ids($backup);

# Since the backup, many QSOs were logged, and one QSO was deleted. A member was added and deleted.
my @since = map { full_qso() } 1 .. 200;
$service->post_batch(\@since);
$service->delete_qso($since[-1]{clientId});
my $gone = $service->add_member('26AT101');
$service->admin('member', 'delete', '26AT101', '--yes');
my ($last_qso, $last_member, $last_key) = map { number("SELECT seq FROM sqlite_sequence WHERE name = '$_'") }
    qw(qsos members api_keys);
my $pages = number('PRAGMA page_count');

# A reader has an open transaction.
my $reader = open2(my $answers, my $questions, 'sqlite3', '-batch', $db);
$questions->autoflush;
sub ask { print {$questions} "$_[0];\n"; chomp(my $answer = readline $answers); $answer }
my $count = 'SELECT count(*) FROM qsos';
print {$questions} "BEGIN;\n";
is ask($count), 219, 'a reader has a snapshot of the previous logbook';
$service->admin('restore', $backup);
is ask('SELECT count(*) || sum(length(notes) > 0) FROM qsos NOT INDEXED'), '219219',
    'the reader sees its whole snapshot after the restore';
print {$questions} "COMMIT;\n";
is ask($count), 20, "the reader's next transaction sees the restored logbook";
close $questions;
waitpid $reader, 0;

is scalar(@{[$service->download]}), 20, 'the service returns the restored log without a restart';
is ids($db), $of_backup, "the logbook has the backup's rows";
is $service->admin('check'), '', 'the restored logbook passes the check';
cmp_ok number('PRAGMA page_count'), '<', $pages, 'QSOs later than the backup no longer use space';
for (['qsos', $last_qso], ['members', $last_member], ['api_keys', $last_key]) {
    is number("SELECT seq FROM sqlite_sequence WHERE name = '$_->[0]'"), $_->[1],
        "a restore does not reset the last number of $_->[0]";
}
my $saved = $service->post_batch([qso()])->json->{results}[0];
cmp_ok $saved->{id}, '>', $last_qso, 'a new QSO has an id that was never used';

# The backup has pages of another size.
my $other = "$folder/other.db";
system('sqlite3', $backup, "PRAGMA page_size = 8192; VACUUM INTO '$other'") == 0 or die;
is `sqlite3 '$other' 'PRAGMA page_size'`, "8192\n", 'the backup has another page size than the logbook';
$service->admin('restore', $other);
is ids($db), $of_backup, 'a backup with another page size is restored';
is number('PRAGMA page_size'), 4096, 'the logbook keeps its page size';
is $service->admin('check'), '', 'a logbook restored from a backup with another page size passes the check';
is scalar(@{[$service->download]}), 20, 'the service continues after a restore from a backup with another page size';

# The backup has texts in another encoding, which a connection cannot change.
my $wide = "$folder/wide.db";
system("{ echo \"PRAGMA encoding = 'UTF-16le';\"; sqlite3 '$backup' .dump; echo 'PRAGMA application_id = 1364414291;
    PRAGMA user_version = ' `sqlite3 '$backup' 'PRAGMA user_version'` ';'; } | sqlite3 '$wide'") == 0 or die;
is $service->admin('--db', $wide, 'check'), '', 'a backup with texts in another encoding passes the check';
my $before = $service->sqlite('SELECT last_stamp || log_epoch FROM logbook');
my ($status, undef, $errors) = $service->admin_try('restore', $wide);
is $status, 1, 'a backup in another encoding is refused';
like $errors, qr/\Aqsosync-admin: [^\n]* encodings; [^\n]*\n\z/, 'the refusal gives the reason in one line';
is $service->sqlite('SELECT last_stamp || log_epoch FROM logbook'), $before,
    'a refused restore leaves the logbook unchanged';
is join(' ', glob "$db-restore-*"), '', 'a refused restore leaves no copy';

done_testing;
