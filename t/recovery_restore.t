use QSOsync::Test fronts => 'none', slow => 15;
use QSOsync::Faults;
use Errno qw(EIO);
use Fcntl qw(F_WRLCK SEEK_SET);
use File::Copy qw(copy);
use Time::HiRes qw(sleep);

# After qsosync-admin restore, each acknowledged write is in the restored logbook or in the kept logbook. Decisions
# since the backup stay. A failed restore changes nothing and gives the reason in one line.
my $service = QSOsync::Service->start;
my ($db, $folder) = ($service->db, $service->directory);
my $other = $service->add_member('26AT101');
my $third = $service->add_member('26AT102');
$service->post_batch([map { full_qso() } 1 .. 200]);
$service->admin('member', 'disable', '26AT102');
$service->admin('uploads', 'on');
my $backup = "$folder/backup.db";
$service->admin('backup', $backup);

sub content {
    join "\n", `sqlite3 '$_[0]' 'SELECT log_epoch FROM logbook'`, map { `sqlite3 '$_[0]' "SELECT * FROM $_"` }
        qw(members api_keys qsos spots);
}
sub lines { my ($status, $output, $errors) = $service->admin_try(@_); return ($status, $errors) }

# The operator has made decisions since the backup.
my ($key) = grep { $_->{scope} eq 'READ' }
    @{JSON::PP::decode_json($service->admin('key', 'list', '21SD333', '--json'))};
$service->admin('key', 'revoke', '21SD333', $key->{number});
$service->admin('member', 'disable', '26AT101');
$service->admin('member', 'enable', '26AT102');
$service->admin('uploads', 'off');
sub schema { $service->sqlite('SELECT group_concat(sql) FROM (SELECT sql FROM sqlite_schema ORDER BY type, name)') }
my $schema = schema();
$service->admin('restore', $backup);
is schema(), $schema, 'a restore leaves the schema unchanged, with every index';
is $service->sqlite('SELECT uploads FROM logbook'), 0, 'uploads that were switched off since the backup stay off';
is $service->get('/me', key => $service->read_key)->status, 401,
    'a key that was revoked since the backup stays revoked';
is $service->get('/me', key => $service->write_key)->status, 200, 'a key that was not revoked works';
is $service->get('/me', key => $other->{read_key})->status, 401,
    'a member who was disabled since the backup stays disabled';
is $service->get('/me', key => $third->{read_key})->status, 200,
    'a member who was enabled since the backup stays enabled';
$service->admin('member', 'enable', '26AT101');

# If a restore gives a login name back to its previous member, that member keeps the current password.
sub passwords { $service->sqlite('SELECT group_concat(callsign || password_hash) FROM members ORDER BY callsign') }
$service->admin('member', 'set', '26AT101', '--login', 'bob');
$service->admin('member', 'set', '26AT102', '--login', '26at101');
$service->sqlite("UPDATE members SET password_hash = '\$y\$' || hex(randomblob(8)),
    password_set_at = (SELECT last_stamp FROM logbook)");
my $passwords = passwords();
for my $round (1, 2) {
    $service->admin('restore', $backup);
    is passwords(), $passwords, "after restore $round, members have their current passwords";
    is $service->sqlite("SELECT login FROM members WHERE callsign = '26AT101'"), '26at101',
        "after restore $round, members have the login names from the backup";
}

# Restores run while clients write, and each acknowledged write is in one of the logbooks.
my @writers = map {
    my $number = $_;
    my $pid = fork;
    die "fork: $!" unless defined $pid;
    if (!$pid) {
        srand;
        my $stop;
        $SIG{TERM} = sub { $stop = 1 };
        open my $saved, '>', "$folder/saved-$number" or POSIX::_exit(1);
        my $batches = 0;
        until ($stop && $batches >= 3) {
            my @qsos = map { qso() } 1 .. 3;
            my $response = $service->post_batch(\@qsos);
            next if !$response || $response->status != 200;
            print {$saved} map { "$_->{clientId}\n" } @qsos;
            $batches++;
        }
        close $saved;
        POSIX::_exit(0);
    }
    $pid;
} 1 .. 3;
for (1 .. 8) {
    sleep 0.1;
    is +($service->admin_try('restore', $backup))[2], '', 'a restore while clients write succeeds';
}
kill 'TERM', @writers;
waitpid $_, 0 for @writers;
my @saved = map { split /\n/, QSOsync::Front::read_file("$folder/saved-$_") } 1 .. 3;
my %found = map { $_ => 1 } map { split /\n/, lc `sqlite3 '$_' 'SELECT hex(client_id) FROM qsos'` } $db,
    glob "$db.before-restore-*";
cmp_ok scalar @saved, '>', 20, 'clients wrote during the restores';
is join(' ', grep { !$found{tr/-//dr} } @saved), '',
    'each acknowledged write is in the restored logbook or in a kept logbook';
is $service->admin('check'), '', 'the restored logbook passes the check';
unlink glob "$db.before-restore-*";

# Another process holds the writer lock.
my $before = content($db);
my $inode = (stat $db)[1];
open my $lock, '+<', "$db-gate" or die "$db-gate: $!";
my $whole_range = pack 's s x4 q q i x4', F_WRLCK, SEEK_SET, 0, 1, 0;
fcntl $lock, 37, $whole_range or die "cannot lock: $!"; # F_OFD_SETLK
my ($status, $errors) = lines('restore', $backup);
close $lock;
is $status, 1, 'a restore that cannot take the writer lock is refused';
like $errors, qr/\Aqsosync-admin: [^\n]*lock[^\n]*\n\z/, 'the refusal names the lock in one line';
ok content($db) eq $before, 'a refused restore leaves the logbook unchanged';
is +(stat $db)[1], $inode, "a refused restore does not replace the logbook's file";
is join(' ', glob "$db.*before-restore-* $db-restore-*"), '', 'a refused restore leaves no copy';

# Files that are not valid backups are refused.
my %file = map { $_ => "$folder/$_.db" } qw(empty text damaged foreign newer);
QSOsync::Front::write_file($file{empty}, '');
QSOsync::Front::write_file($file{text}, 'no database at all, but long enough to be looked at ' x 100);
copy $backup, $file{damaged} or die $!;
my $page = `sqlite3 $backup "SELECT rootpage FROM sqlite_schema WHERE name = 'qsos'"`;
QSOsync::Front::overwrite($file{damaged}, "\xff" x 3000, 4096 * ($page - 1));
system('sqlite3', $file{foreign}, 'CREATE TABLE a (b)') == 0 or die;
copy $backup, $file{newer} or die $!;
system('sqlite3', $file{newer}, 'PRAGMA user_version = 999') == 0 or die;
for my $name (sort keys %file) {
    ($status, $errors) = lines('restore', $file{$name});
    is $status, 1, "$name: the backup is refused";
    like $errors, qr/\Aqsosync-admin: [^\n]+\n\z/, "$name: the refusal gives the reason in one line";
    unlike $errors, qr/SQLite|malformed/, "$name: the reason is not a message from SQLite";
}
like +(lines('restore', $file{empty}))[1], qr/empty\.db is not a QSOsync backup/,
    'an empty file is reported as not a backup';
like +(lines('restore', $file{damaged}))[1], qr/damaged\.db is damaged/, 'a damaged file is reported as damaged';
ok content($db) eq $before, 'refused backups leave the logbook unchanged';
is join(' ', glob "$db.*before-restore-* $db-restore-*"), '', 'refused backups leave no copy';

# A restore never replaces a database of another program or a newer logbook.
for my $name (qw(foreign newer)) {
    my $bytes = QSOsync::Front::read_file($file{$name});
    ($status, $errors) = lines('--db', $file{$name}, 'restore', $backup);
    is $status, 1, "a restore over $name.db is refused";
    like $errors, qr/\Aqsosync-admin: [^\n]+\n\z/,
        "$name: a refused restore over the file gives the reason in one line";
    ok QSOsync::Front::read_file($file{$name}) eq $bytes, "$name: a refused restore leaves the file unchanged";
}

# A restore works without a previous logbook, and over an unreadable file.
my $place = "$folder/place.db";
unlike $service->admin('--db', $place, 'restore', $backup), qr/is kept/,
    'a restore without a previous logbook keeps no copy';
is $service->admin('--db', $place, 'check'), '', 'a restore without a previous logbook creates an intact logbook';
for my $bytes ('', 'damaged ' x 4000) {
    my $what = $bytes eq '' ? 'an empty file' : 'an unreadable file';
    for my $round (1, 2) {
        QSOsync::Front::write_file($place, $bytes);
        my ($kept) = $service->admin('--db', $place, 'restore', $backup) =~ /kept as (\S+)/;
        ok defined $kept && QSOsync::Front::read_file($kept) eq $bytes, "restore $round keeps $what";
        is $service->admin('--db', $place, 'check'), '', "a restore over $what creates an intact logbook";
    }
}

# The disk fails during a commit, and all programs that have the logbook open crash.
SKIP: {
    my $missing = QSOsync::Faults::missing();
    skip $missing, 1 if $missing;
    my $faults = QSOsync::Faults->new;
    my %environment = (QSOSYNC_DB => $db, %{$faults->environment});
    sub restore_under_faults { local @ENV{keys %environment} = values %environment; return lines('restore', $backup) }
    sub worker_with_logbook {
        $service->end_worker($_, 'KILL') for $service->worker_pids;
        unlink glob "$db*";
        copy "$folder/whole.db", $db or die $!;
        $service->start_worker;
        $service->get('/me', key => $service->write_key);
    }
    $service->admin('backup', "$folder/whole.db");
    worker_with_logbook();
    $faults->strike('sync');
    restore_under_faults();
    my $count = $faults->lift;
    cmp_ok $count, '>', 3, "a restore syncs its files ($count times)";
    for my $at (1 .. $count) {
        worker_with_logbook();
        $before = content($db);
        $faults->strike('sync', at => $at, error => EIO);
        ($status, $errors) = restore_under_faults();
        $faults->lift;
        $service->end_worker($_, 'KILL') for $service->worker_pids;
        isnt $errors, '', "sync $at of $count fails: a failed restore prints a message" if $status != 0;
        my $is_old = $status != 0
            && $errors !~ /^qsosync-admin: the restore is done, but could not be recorded in the activity log$/m;
        ok +(content($db) eq $before) == $is_old,
            "sync $at of $count fails: the content agrees with the message";
        is +($service->admin_try('check'))[0], 0, "sync $at of $count fails: the logbook passes the check";
    }
}
$service->stop;

# The next restore removes files of a killed restore, but never the copy of a running restore.
SKIP: {
    my $missing = QSOsync::Faults::missing();
    skip $missing, 1 if $missing;
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
        is join(' ', left()), '', "the next restore removes the files of the restore killed at write $at";
        is $service->admin('check'), '', "the logbook passes the check after a restore was killed at write $at";
    }
    cmp_ok $left, '>', 0, 'some killed restores leave files';

    # A running restore has locked its copy.
    QSOsync::Front::write_file("$db-restore-$_", '') for '4711', '4711-gate', '4712', '4712-wal', '4712-shm',
        '4713-gate',
        '4712-of-mine', 'mine';
    open my $file, '+<', "$db-restore-4711-gate" or die;
    my $lock = pack 's s x4 q q l x4', F_WRLCK, SEEK_SET, 1, 1, 0;
    fcntl $file, 37, $lock or die "F_OFD_SETLK: $!"; # linux/fcntl.h
    $service->admin('restore', $backup);
    is_deeply [left()], [map { "logbook.db-restore-$_" } '4711', '4711-gate', '4712-of-mine', 'mine'],
        "a restore removes abandoned copies, and keeps a running restore's copy and files with other names";
    close $file;
    $service->stop;
}

done_testing;
