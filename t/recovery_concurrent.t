use QSOsync::Test fronts => 'none', suite => 'all';
use IPC::Open2 qw(open2);
use File::Copy qw(copy);
use QSOsync::Waiting;

# Concurrent restores: none of them mistakes another's private copy for the remains of a killed restore.
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

# The same race, made certain: the lock on the copy's name is held while the restore reserves that name.
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
is $?, 0, 'a restore waits for a process that is about to remove a copy of its name';
is join(' ', glob $service->db . '-restore-*'), '', 'a restore that waited leaves no copy';

# A writer waits while another file replaces the logbook, as if a restore replaced a damaged logbook. The new logbook
# gets the writes that are acknowledged later; the file that was moved aside does not.
{
    my $service = QSOsync::Service->start;
    my $db = $service->db;
    my $backup = $service->directory . '/backup.db';
    $service->post_batch([qso()]);
    $service->admin('backup', $backup);

    my $late = qso();
    $service->expect_log(
        qr/the file was replaced by another one; nothing was written|answered with GENERIC.INTERNAL_ERROR/);
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
    is scalar(@{[$service->download]}), 1, 'the new logbook has the content of the backup';
    is `sqlite3 '$db.aside' 'SELECT count(*) FROM qsos'`, "1\n", 'the file that was moved aside has no new row';
    is $service->post_batch([$late])->status, 200, "the writer's second attempt is saved";
    is scalar(@{[$service->download]}), 2, "the new logbook has the writer's second attempt";
    is $service->admin('check'), '', 'the new logbook has no problem';
}

# A restore into a logbook in use: readers see either the whole previous content or the whole restored content. No
# number is assigned twice, and the page size of the backup does not matter.
{
    my $service = QSOsync::Service->start;
    my ($db, $folder) = ($service->db, $service->directory);
    my $backup = "$folder/backup.db";
    my @kept = map { full_qso() } 1 .. 20;
    $service->post_batch(\@kept);
    $service->admin('backup', $backup);
    sub ids { my ($file) = @_; join ' ', split /\n/, `sqlite3 '$file' 'SELECT id FROM qsos ORDER BY id'` }
    sub number { $service->sqlite($_[0]) }
    my $of_backup = ids($backup);

    # Since the backup, many QSOs were logged and one of them deleted. A member was added and deleted.
    my @since = map { full_qso() } 1 .. 200;
    $service->post_batch(\@since);
    $service->delete_qso($since[-1]{clientId});
    my $gone = $service->add_member('26AT101');
    $service->admin('member', 'delete', '26AT101', '--yes');
    my ($last_qso, $last_member, $last_key) = map { number("SELECT seq FROM sqlite_sequence WHERE name = '$_'") }
        qw(qsos members api_keys);
    my $pages = number('PRAGMA page_count');

    # A reader with an open transaction.
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
    is ids($db), $of_backup, 'the logbook has the rows of the backup';
    is $service->admin('check'), '', 'the restored logbook has no problem';
    cmp_ok number('PRAGMA page_count'), '<', $pages, 'QSOs from after the backup no longer take space';
    for (['qsos', $last_qso], ['members', $last_member], ['api_keys', $last_key]) {
        is number("SELECT seq FROM sqlite_sequence WHERE name = '$_->[0]'"), $_->[1],
            "no number of $_->[0] is assigned twice";
    }
    my $saved = $service->post_batch([qso()])->json->{results}[0];
    cmp_ok $saved->{id}, '>', $last_qso, 'a new QSO has an id that was never used';

    # Pages of another size.
    my $other = "$folder/other.db";
    system('sqlite3', $backup, "PRAGMA page_size = 8192; VACUUM INTO '$other'") == 0 or die;
    is `sqlite3 '$other' 'PRAGMA page_size'`, "8192\n", 'a backup can have pages of another size';
    $service->admin('restore', $other);
    is ids($db), $of_backup, 'a backup with pages of another size is restored';
    is number('PRAGMA page_size'), 4096, 'the pages of the logbook keep their size';
    is $service->admin('check'), '', 'a logbook restored from pages of another size has no problem';
    is scalar(@{[$service->download]}), 20, 'the service continues after a restore from pages of another size';

    # Texts in another encoding, which a connection cannot change.
    my $wide = "$folder/wide.db";
    system("{ echo \"PRAGMA encoding = 'UTF-16le';\"; sqlite3 '$backup' .dump; echo 'PRAGMA application_id = 1364414291;
        PRAGMA user_version = ' `sqlite3 '$backup' 'PRAGMA user_version'` ';'; } | sqlite3 '$wide'") == 0 or die;
    is $service->admin('--db', $wide, 'check'), '', 'a backup can have texts in another encoding';
    my $before = $service->sqlite('SELECT last_stamp || log_epoch FROM logbook');
    my ($status, undef, $errors) = $service->admin_try('restore', $wide);
    is $status, 1, 'a backup in another encoding is refused';
    like $errors, qr/\Aqsosync-admin: [^\n]* encoding [^\n]*\n\z/, 'the refusal gives the reason in one line';
    is $service->sqlite('SELECT last_stamp || log_epoch FROM logbook'), $before,
        'a refused restore leaves the logbook unchanged';
    is join(' ', glob "$db-restore-*"), '', 'a refused restore leaves no copy';
}

# qsosync-admin restore leaves out members that were deleted since the backup, with all their data. A member who was
# deleted by mistake comes back from the backup by export and import.
{
    my $service = QSOsync::Service->start;
    my ($db, $folder) = ($service->db, $service->directory);
    my $gone = $service->add_member('26AT101');
    my $again = $service->add_member('26AT102');
    my ($mine, $theirs) = (qso(callsignWorked => '26AT101', mode => 'USB'), undef);
    $theirs = qso(callsignWorked => '21SD333', qsoAt => $mine->{qsoAt}, mode => 'USB', sendSpot => JSON::PP::true());
    $service->post_batch([$mine]);
    $service->post_batch([$theirs, map { qso(sendSpot => JSON::PP::true()) } 1 .. 30], key => $gone->{write_key});
    $service->post_batch([qso()], key => $again->{write_key});
    sub item { (grep { $_->{clientId} eq $mine->{clientId} } $service->download)[0] }
    sub restore { my ($status, $output, $errors) = $service->admin_try('restore', @_); ($status, $errors) }
    sub members { join ' ', $service->admin('member', 'list') =~ /^(\d\S+)/mg }
    ok item()->{crossConfirmedAt}, 'the contact of two members is confirmed';
    my $backup = "$folder/backup.db";
    $service->admin('backup', $backup);

    # Both members are deleted, and another person is added with one of their callsigns.
    $service->admin('member', 'delete', '26AT101', '--yes');
    $service->admin('member', 'delete', '26AT102', '--yes');
    $service->admin('member', 'add', '26AT102', '--locator', 'JO59');
    for my $round (1, 2) {
        is_deeply [restore($backup)], [0, "qsosync-admin: left out members who were deleted since the backup: 2\n"],
            "restore $round reports how many members it left out";
        is members(), '21SD333', "deleted members stay deleted after restore $round";
        is $service->get('/me', key => $gone->{read_key})->status, 401,
            "a deleted member's key does not work after restore $round";
        is $service->sqlite('SELECT count(*) FROM qsos'), 1,
            "restore $round leaves out the QSOs of deleted members";
        is $service->sqlite('SELECT (SELECT count(*) FROM spots)
            + (SELECT count(*) FROM api_keys WHERE member_id <> 1)'),
            0, "restore $round leaves out spots and keys of deleted members";
        is item()->{crossConfirmedAt}, undef,
            "restore $round ends the confirmation by a deleted member's QSO";
        is $service->admin('check'), '', "the logbook passes the check after restore $round";
    }
    is $service->post_batch([$mine])->status, 200, 'the restored logbook accepts writes';

    # Later backups contain the deletion, earlier ones do not.
    my $later = "$folder/later.db";
    $service->admin('backup', $later);
    is_deeply [restore($later)], [0, ''], 'a backup from after the deletion has no members to leave out';
    is +(restore($backup))[1], "qsosync-admin: left out members who were deleted since the backup: 2\n",
        'a deletion still applies after two restores';

    # A deletion by mistake.
    my $adif = "$folder/26AT101.adi";
    $service->admin('--db', $backup, 'export', '26AT101', $adif);
    $service->admin('member', 'add', '26AT101', '--locator', 'JO59jw');
    $service->admin('import', '26AT101', $adif);
    is $service->sqlite('SELECT count(*) FROM qsos'), 32,
        'a member who was deleted by mistake comes back by export from the backup and import';
    $service->post_batch([$mine]);
    ok item()->{crossConfirmedAt}, 'imported QSOs confirm others again';

    # In another logbook the same member numbers do not mean the same members.
    my $elsewhere = "$folder/elsewhere.db";
    $service->admin('--db', $elsewhere, 'init');
    for (1 .. 3) {
        $service->admin('--db', $elsewhere, 'member', 'add', "1XY$_", '--locator', 'JO59');
        $service->admin('--db', $elsewhere, 'member', 'delete', "1XY$_", '--yes');
    }
    $service->admin('--db', $elsewhere, 'restore', $backup);
    is join(' ', $service->admin('--db', $elsewhere, 'member', 'list') =~ /^(\d\S+)/mg), '21SD333 26AT101 26AT102',
        'a restore into another logbook keeps members whose numbers were deleted there';
}

done_testing;
