use QSOsync::Test fronts => 'none', slow => 17;
use Digest::SHA ();
use Fcntl qw(:flock);
use File::Copy qw(copy);

# qsosync-admin backup --to DIR --keep N: whole copies with their time as name, of which the oldest go.
my $service = QSOsync::Service->start;
$service->post_batch([map { full_qso() } 1 .. 20]);
my $folder = $service->directory . '/backups';
mkdir $folder or die;
sub files { map { m{([^/]+)\z} } sort glob "$folder/* $folder/.[!.]*" }
sub back_up { $service->admin_try('backup', '--to', $folder, @_) }
sub is_refused {
    my ($expected, $pattern, @arguments) = @_;
    my ($status, $output, $errors) = $service->admin_try('backup', @arguments);
    is "$status $output", "$expected ", "'backup @arguments' is refused";
    like $errors, qr/\Aqsosync-admin: $pattern[^\n]*\n\z/, "'backup @arguments': one line says why";
}

# What is there already, and what only looks like a backup.
my @old = map { "qsosync-2026-01-0${_}T030000Z.db" } 1 .. 5;
my @strange = ('qsosync-2026-01-01T030000Z.db.copy', 'qsosync-2026-1-1.db', 'notes.txt', 'qsosync-2025-01-01.db',
    'xqsosync-2026-01-01T030000Z.db');
for (@old, @strange) { open my $file, '>', "$folder/$_" or die; print {$file} $_ }
my $before = time;
is join('|', back_up('--keep', '3')), '0||', 'a backup says nothing to a program';
my ($new) = grep { my $name = $_; !grep { $_ eq $name } @old, @strange } files();
like $new, qr/\Aqsosync-\d{4}-\d\d-\d\dT\d{6}Z\.db\z/, 'the name of a backup has its time';
my $time = $new =~ /(\d+-\d+-\d+T)(\d\d)(\d\d)(\d\d)Z/ ? "$1$2:$3:$4.000Z" : '';
ok $time ge iso_time($before) && $time le iso_time(time),
    'the time in the name of a backup is when it was made, in UTC';
is_deeply [files()], [sort @old[3, 4], $new, @strange], 'of the backups the newest three stay; no other file goes';
is +($service->admin_try('check', "$folder/$new"))[0], 0, 'a backup is whole';
is `sqlite3 '$folder/$new' 'SELECT count(*) FROM qsos'`, "20\n", 'a backup has every QSO';
is sprintf('%o', (stat "$folder/$new")[2] & 07777), '640', 'not everybody may read a backup';

# Without --keep none goes; what a run left that was cut off does.
for ('.unfinished', '.unfinished-journal') {
    open my $file, '>', "$folder/qsosync-2026-02-01T030000Z.db$_" or die;
    print {$file} 'half';
}
sleep 1;
is +(back_up())[0], 0, 'a second backup is made';
is scalar(files()), 3 + 1 + @strange, 'without --keep no backup goes, and an unfinished one does';

# Refused, and nothing is changed.
my @files = files();
is_refused(2, 'backup takes either FILE or --to DIR', @$_) for [], ['x.db', '--to', $folder];
is_refused(2, 'option --keep needs --to DIR', "$folder/x.db", '--keep', '3');
is_refused(2, 'option --keep takes an integer from 1 to 9999', '--to', $folder, '--keep', $_) for 0, -1, 'x', '';
is_refused(1, "\Q$folder\E/none: No such file or directory", '--to', "$folder/none");
is_refused(1, qr/\Q$folder\E\S+: Not a directory/, '--to', "$folder/notes.txt");
{
    open my $other, '<', $folder or die;
    flock $other, LOCK_EX | LOCK_NB or die "flock: $!";
    is_refused(1, "another backup into \Q$folder\E is running", '--to', $folder);
}
is_deeply [files()], \@files, 'a refused backup leaves the folder as it is';

# A logbook with a problem must not push out good backups; a full disk leaves nothing behind.
my $sick = $service->directory . '/sick.db';
copy "$folder/$new", $sick or die;
system('sqlite3', $sick, 'UPDATE qsos SET synced_at = synced_at + 1000000 WHERE id = 2') == 0 or die;
sleep 1;
my ($status, undef, $errors) = $service->admin_try('--db', $sick, 'backup', '--to', $folder, '--keep', '1');
is $status, 1, 'of a logbook with a problem no backup is made';
like $errors,
    qr/\Aqsosync-admin: the logbook has a problem, and no backup was made: QSO 2 [^\n]+; see qsosync-admin check\n\z/,
    'the problem is named in one line';
my $program = "$QSOsync::Front::BUILD/qsosync-admin";
my $said =
    `bash -c "ulimit -f 8; trap '' XFSZ; '$program' --db '@{[$service->db]}' backup --to '$folder' --keep 1" 2>&1`;
is $? >> 8, 1, 'a backup that does not fit fails';
like $said, qr/\Aqsosync-admin: [^\n]+\n\z/, 'a backup that does not fit is said in one line';
is_deeply [files()], \@files, 'a failed backup leaves the folder as it is';

# What restores have kept beside the logbook grows old as backups of a day each do.
my ($kept, $day, $now) = ($service->db . '.before-restore-', 86_400, time);
my ($former, $young) = map { $kept . ($now - $_ * $day) } 31, 29;
my %age = ($former => 31, "$former-2" => 31, $young => 29);
QSOsync::Front::write_file($_, '') for (map { ($_, "$_-wal") } keys %age), "${kept}notes", "${kept}1.txt";
sub goes { POSIX::strftime('%Y-%m-%d', gmtime($now + $_[0] * $day)) }
sub kept { [sort grep { defined $age{$_} } glob "$kept*"] }
like $service->admin('status'), qr/^kept +\Q$young\E, of \S+, goes once backups run with --keep$/m,
    'status says that nothing takes it away';
$service->admin('backup', '--to', $folder);
is_deeply kept(), [sort keys %age], 'a backup that keeps all backups keeps all former logbooks';
sleep 1;
$service->admin('backup', '--to', $folder, '--keep', '30');
is_deeply kept(), [$young], 'a backup that keeps 30 removes former logbooks of more than 30 days';
is_deeply [sort map { s/.*before-restore-//r } glob "$kept*"],
    [sort map { s/.*before-restore-//r } $young, "$young-wal", "${kept}notes", "${kept}1.txt"],
    'it removes what SQLite has beside them, and no other file';
my ($told) = grep { $_->{path} eq $young } @{JSON::PP::decode_json($service->admin('status', '--json'))->{kept}};
like $told->{goesAfter}, qr/\A@{[goes(1)]}T/, 'status says for programs when one goes';
like $service->admin('status'), qr/^kept +\Q$young\E, of @{[goes(-29)]}, goes after @{[goes(1)]}$/m,
    'status says for people when one goes';

# --thin: the more a copy is aged, the fewer stay, and what equals the last one is not kept twice.
{
    my $folder = $service->directory . '/thinned';
    mkdir $folder or die;
    my $thin = sub { [$service->admin_try('backup', '--to', $folder, '--thin')] };
    my $files = sub { [map { m{([^/]+)\z} } sort glob "$folder/*"] };
    my $now = time;
    my $empty = pack 'a16 n x10 N x480', "SQLite format 3", 512, 1; # as much as tells that it is complete
    my $name = sub { POSIX::strftime('qsosync-%Y-%m-%dT%H%M%SZ.db', gmtime $_[0]) };
    # Of each ten minutes, hour, day and month the newest: a random walk over two years, and its count by hand.
    my $seed = $ENV{QSOSYNC_TEST_SEED} // int rand 1e6;
    diag "QSOSYNC_TEST_SEED=$seed";
    srand $seed;
    my %group_of;
    my $step = sub { 1 + int rand($_[0] < 86_400 ? 400 : $_[0] < 8 * 86_400 ? 2_000 : 40_000) };
    for (my $age = 120; $age < 2 * 366 * 86_400; $age += $step->($age)) {
        my $made = $now - $age;
        next if grep { abs($age - $_ * 86_400) < 60 } 1, 7, 31, 366; # on the edge a slow machine decides
        my $text = POSIX::strftime('%Y-%m-%dT%H%M', gmtime $made);
        my $of = $age < 86_400 ? 14 : $age < 7 * 86_400 ? 13 : $age < 31 * 86_400 ? 10 : $age < 366 * 86_400 ? 7 : 0;
        QSOsync::Front::write_file("$folder/" . $name->($made), $empty);
        $group_of{$name->($made)} = [$of, substr($text, 0, $of)];
    }
    my @names = sort keys %group_of;
    my @expected = grep {
        my ($one, $next) = @names[$_, $_ + 1];
        my ($of, $group) = @{$group_of{$one}};
        $of && (!$next || substr($next =~ s/\Aqsosync-//r, 0, $of) ne $group);
    } 0 .. $#names;
    is $thin->()->[0], 0, 'a copy is added to a folder of many';
    my @left = @{$files->()};
    my $new = pop @left;
    ok $new ge $name->($now) && -s "$folder/$new", 'it is the newest';
    # The copies are at least two minutes old: the last of them may be of the same ten minutes as the new one.
    my @wanted = @names[@expected];
    pop @wanted if substr($wanted[-1], 0, 22) eq substr($new, 0, 22);
    is_deeply \@left, \@wanted,
        'of each ten minutes, hour, day and month the newest stays, and nothing of more than a year';
    sleep 1;
    my ($status, $said) = @{$thin->()};
    is "$status " . scalar(@{$files->()}), '0 ' . (@left + 1), 'what equals the last copy is not kept twice';
    $service->post_batch([qso(callsignWorked => '26AT9')]);
    sleep 1;
    is $thin->()->[0], 0, 'what is new';
    my $last = $files->()->[-1];
    isnt $last, $new, 'is copied';
    is `sqlite3 '$folder/$last' "SELECT count(*) FROM qsos WHERE callsign_worked = '26AT9'"`, "1\n", 'with all of it';
    my $made = JSON::PP::decode_json($service->admin('status', '--json'))->{lastBackup};
    ok $made, 'status says when the newest copy was made';
    is_refused(2, 'backup takes either --keep N or --thin', '--to', $folder, '--thin', '--keep', '3');
    is_refused(2, 'option --thin needs --to DIR', "$folder/x.db", '--thin');
}

# Programs of the operator's take each new backup, in order; that one fails is told, and loses nothing.
{
    my ($folder, $hooks) = map { $service->directory . "/$_" } qw(handed backup.d);
    mkdir $_ or die for $folder, $hooks;
    local $ENV{QSOSYNC_BACKUP_HOOKS} = $hooks;
    my $said = "$hooks/said.txt";
    my $hook = sub {
        my ($name, $line, $mode) = @_;
        QSOsync::Front::write_file("$hooks/$name", "#!/bin/sh\necho $name \"\$1\" >>$said\n$line\n");
        chmod $mode // 0755, "$hooks/$name";
    };
    my $make = sub {
        unlink $said;
        sleep 1;
        $service->post_batch([qso()]) if $_[0];
        my ($status, $output, $errors) = $service->admin_try('backup', '--to', $folder, '--thin');
        my ($newest) = reverse sort glob "$folder/*.db";
        my $took = -e $said ? QSOsync::Front::read_file($said) =~ s/\Q$newest\E/NEWEST/gr : '';
        return [$status, $took, $errors =~ s/\Q$newest\E/NEWEST/r];
    };
    my $status = sub { JSON::PP::decode_json($service->admin('status', '--json')) };
    $hook->('20-second', 'exit 0');
    $hook->('10-first', 'exit 0');
    $hook->('30-no-program', 'exit 1', 0644);
    $hook->('40-old.dpkg-old', 'exit 1');
    is_deeply $make->(1), [0, "10-first NEWEST\n20-second NEWEST\n", ''],
        'each gets the path of the new backup, in order';
    is $status->()->{lastBackupHandedOnAt}, $status->()->{lastBackupAt}, 'status tells that it was handed on';
    is_deeply $make->(0), [0, '', ''], 'a backup that would equal the last one is handed to nobody';
    my $taken = $status->()->{lastBackupHandedOnAt};
    $hook->('10-first', 'exit 7');
    is_deeply $make->(1), [1, "10-first NEWEST\n20-second NEWEST\n",
        "qsosync-admin: the backup is complete: NEWEST, but was not copied elsewhere: 10-first: exit 7\n"],
        'one that fails keeps no other from it, and is named';
    is_deeply [@{$status->()}{qw(lastBackupFailure lastBackupHandedOnAt)}], ['10-first: exit 7', $taken],
        'status tells it, and which backup was the last that was handed on';
    my ($newest) = reverse sort glob "$folder/*.db";
    is $service->admin('check', $newest), '', 'the backup itself is whole';
    $hook->('10-first', 'kill -9 $$');
    like $make->(1)->[2], qr/, but was not copied elsewhere: 10-first: killed by signal 9\n\z/,
        'a program that is killed is told like one that fails';
    $hook->('10-first', 'exit 0');
    is_deeply $make->(0), [0, "10-first NEWEST\n20-second NEWEST\n", ''],
        'a backup that was not copied elsewhere is handed on the next time, though nothing has changed';
    is $status->()->{lastBackupFailure}, undef, 'all is well again';
}

# The shipped cron line and units call the command as it is.
for my $name ('qsosync-backup.service', 'qsosync-backup.cron') {
    like QSOsync::Front::read_file("$QSOsync::Front::SOURCE/src/service/$name"),
        qr{qsosync-admin clock check 2>/dev/null(?:; then \\\n +| && )find /var/backups [^\n]* -ctime \+30 -exec rm -r},
        "$name removes what put-site has kept by a clock that agrees with the logbook";
    my $text = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/src/service/$name");
    like $text, qr{/usr/local/bin/qsosync-admin backup --to /var/backups/qsosync --thin$}m,
        "$name makes a backup and keeps some";
}
for (grep { !/^(?:#|\w+=\S+$)/ } split /\n/,
    QSOsync::Front::read_file("$QSOsync::Front::SOURCE/src/service/qsosync-backup.cron")) {
    like $_, qr{^(?:(?:\*|\d+)(?:/\d+)? ){5}(?:qsosync|root) (?:/|find )}, 'cron gets times, a user and a command';
}

# Commands that only read leave a logbook and its backups byte for byte as they are, and need no right to write.
{
    my $service = QSOsync::Service->start;
    $service->post_batch([map({ full_qso() } 1 .. 20),
        qso(callsignWorked => '26AT101', frequencyMhz => '27.555', sendSpot => JSON::PP::true())]);
    my $media = $service->directory . '/media %41?#';
    mkdir $media or die;
    $service->admin('backup', "$media/backup.db");
    $_->() for map { my $pid = $_; sub { $service->end_worker($pid) } } $service->worker_pids;
    copy $service->db, "$media/stopped.db" or die; # what cp leaves when the service is stopped
    is `head -c 20 '$media/stopped.db' | tail -c 2 | od -An -tx1`, " 02 02\n",
        'a stopped logbook is in write-ahead-log mode';

    my @reading = (['check'], ['member', 'list'], ['member', 'list', '--json'], ['key', 'list', '21SD333'], ['spots']);
    sub state_of {
        join ' ', map { "$_:" . Digest::SHA->new(256)->addfile($_)->hexdigest . ':'
            . (stat $_)[9] } sort glob "'$media/*'";
    }
    sub reads_well {
        my ($where, $wrapper) = @_;
        my $before = state_of();
        for my $file ("$media/backup.db", "$media/stopped.db") {
            my ($name) = $file =~ m{([^/]+)\z};
            for my $case (['check', $file], map { ['--db', $file, @$_] } @reading) {
                my $said = run($wrapper, @$case);
                is $?, 0, "$name $where: '@$case[$case->[0] eq 'check' ? 0 : (2 .. $#$case)]' succeeds" or diag $said;
                like $said, qr/21SD333/, "$name $where: '@$case[2 .. $#$case]' lists what is there"
                    if $case->[-1] =~ /list|spots/;
            }
        }
        is state_of(), $before, "files $where are as they were, and no file is beside them";
    }
    my $program = QSOsync::Front::program('qsosync-admin');
    sub run {
        my ($wrapper, @arguments) = @_;
        open my $output, '-|', @{$wrapper || []}, 'sh', '-c', '"$@" 2>&1', 'sh', $program, @arguments or die "sh: $!";
        my $said = join '', <$output>;
        close $output;
        return $said;
    }
    sub restores_well {
        my ($where) = @_;
        my $before = state_of();
        for my $name ('backup.db', 'stopped.db') {
            my $copy = $service->directory . "/restored.db";
            run([], '--db', $copy, 'restore', "$media/$name");
            is $?, 0, "$name $where is restored";
            like run([], '--db', $copy, 'member', 'list'), qr/^21SD333 .* 21 /m,
                "$name $where is restored with all QSOs";
            unlink glob "'$copy*'";
        }
        is state_of(), $before, "a restore leaves files $where as they were";
    }

    reads_well('in a folder of their owner');
    restores_well('in a folder of their owner');
    my @stranger = getpwnam 'nobody';
    SKIP: {
        skip 'needs root, to be another user', 1 if $> != 0 || !@stranger;
        chmod 0644, glob "'$media/*'";
        chmod 0755, $service->directory, $media;
        my $copy = File::Temp::tempdir(CLEANUP => 1, TMPDIR => 1);
        chmod 0755, $copy;
        system('install', '-m', '755', $program, "$copy/qsosync-admin") == 0 or die;
        $program = "$copy/qsosync-admin";
        reads_well('of another user', ['setpriv', '--reuid', $stranger[2], '--regid', $stranger[3], '--clear-groups']);
    }
    SKIP: {
        skip 'needs root and the right to mount', 1
            if $> != 0 || system('unshare', '-m', 'true') != 0
            || system("mount --bind -o ro '$media' '$media' 2> /dev/null && mount -o remount,bind,ro '$media'") != 0;
        ok !open(my $new, '>', "$media/new"), 'the medium cannot be written to';
        reads_well('on a medium that is read-only');
        restores_well('on a medium that is read-only');
        system('umount', $media) == 0 or die;
    }

    # A file that somebody writes to.
    my $text = run([], 'check', $service->directory . '/none.db');
    is $?, 1 << 8, 'a file that is not there is not checked';
    like $text, qr/\Aqsosync-admin: [^\n]*none\.db: No such file or directory\n\z/, 'a file that is not there is named';
    $service->start_worker;
    $service->post_batch([qso()]);
    is $service->admin('check', $service->db), '', 'a logbook in use can be named to be checked';
    is $service->post_batch([qso()])->status, 200, 'a logbook that was checked goes on';

    # Half a backup.
    truncate "$media/backup.db", 20000 or die;
    $text = run([], 'check', "$media/backup.db");
    is $?, 1 << 8, 'half a backup is found to be damaged';
}

done_testing;
