use QSOsync::Test fronts => 'none', slow => 13, suite => 'all';
use QSOsync::Doctor;
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use IO::Socket::UNIX;
use IPC::Open2 qw(open2);

# qsosync-admin doctor runs on the machine of the logbook, with installations broken on purpose. Each finding names the
# cause. If the fix is a command, pasting the command fixes the cause.
plan skip_all => 'needs root, to break what belongs to somebody else' if $> != 0;
my ($user, $uid, $gid) = ('daemon', (getpwnam 'daemon')[2, 3]);
plan skip_all => 'needs the user daemon' if !defined $uid;
my $source = $QSOsync::Front::SOURCE;
my $place = tempdir(CLEANUP => 1, TMPDIR => 1);
chmod 0755, $place or die;
system('install', '-m', '755', $QSOsync::Doctor::PROGRAM, "$place/qsosync-admin") == 0 or die;
$QSOsync::Doctor::PROGRAM = "$place/qsosync-admin";
local $ENV{PATH} = "$place:$ENV{PATH}";
# Pasted commands must not reach the services of this machine.
QSOsync::Front::write_file("$place/systemctl", "#!/bin/sh\n");
chmod 0755, "$place/systemctl" or die;
my ($folder, $db);

sub as_owner {
    system('setpriv', '--reuid', $uid, '--regid', $gid, '--clear-groups', 'qsosync-admin', '--db', $db, @_) == 0
        or die "qsosync-admin @_";
}
sub shell {
    my ($sql) = @_;
    system('setpriv', '--reuid', $uid, '--regid', $gid, '--clear-groups', 'sqlite3', $db, $sql) == 0
        or die "sqlite3 $sql";
}
sub overwrite { QSOsync::Front::overwrite($db, @_) }

# Creates a correct logbook in its own folder.
my $number = 0;
sub prepare {
    $folder = $_[0] || "$place/" . ++$number;
    mkdir $folder if !$_[0];
    chown $uid, $gid, $folder or die;
    chmod 0750, $folder or die;
    $db = "$folder/logbook.db";
    as_owner('init');
    as_owner('member', 'add', 'A', '--locator', 'JO59');
    as_owner('club', 'set', '--address', 'https://log.example.org');
    as_owner('backup', "$folder/backup.db");
}
sub examine { QSOsync::Doctor::run($_[0], '--db', $db, 'doctor') }

# Breaks an installation. Checks the doctor's finding and, with the option pasted, whether pasting the fix removes the
# fault.
sub broken {
    my ($cause, $level, $check, $pattern, $fix, $break, %option) = @_;
    prepare($option{folder});
    my $undo = $break->();
    my $found = QSOsync::Doctor::finds($cause, $level, $check, $pattern, $fix, examine($option{wrapper}));
    if ($option{pasted} && $found) {
        system("{ $found->{fix}; } > $place/pasted 2>&1");
        my (undef, $report) = examine($option{wrapper});
        is_deeply [grep { $_->{check} eq $check && $_->{level} ne 'ok' } @{$report->{checks}}], [],
            "$cause: the pasted line fixes the fault"
            or diag QSOsync::Front::read_file("$place/pasted");
    }
    $undo->() if ref $undo eq 'CODE';
}

prepare();
my ($status, $report) = examine();
is "$status $report->{status}", '0 ok', 'the doctor finds no fault in a correct installation' or diag $report->{text};
is_deeply [grep { $_->{level} ne 'ok' || defined $_->{fix} } @{$report->{checks}}], [],
    'every check of a correct installation reports ok, without a fix';
my $text = `qsosync-admin --db '$db' doctor`;
like $text, qr/^ok +database +\Q$db\E is a QSOsync logbook$/m, 'the printed report has one line per check';
my @before = map { [stat] } glob "$folder/*";
examine();
is_deeply [map { [(stat)[2, 4, 5, 7, 9]] } glob "$folder/*"], [map { [@$_[2, 4, 5, 7, 9]] } @before],
    'the doctor changes no file';

my %pasted = (pasted => 1);
broken('no logbook', 'trouble', 'database', qr/does not exist/,
    qr/\Aif there was never a logbook, create one: runuser -u $user -- qsosync-admin --db \S+ init - otherwise find/,
    sub { unlink glob "$db*" });
broken('an empty file', 'trouble', 'database', qr/is empty; restore returns to .* is lost\z/,
    qr{ restore \S+/backup\.db\z}, sub {
    unlink grep { !/last-backup/ } glob "$db-*";
    truncate $db, 0 or die;
}, %pasted);
broken("another program's database", 'trouble', 'database', qr/is not a QSOsync logbook/,
    qr/\Aset QSOSYNC_DB to the logbook/,
    sub { unlink grep { !/last-backup/ } glob "$db*"; shell('CREATE TABLE a (b)') });
broken('a missing logbook with a backup', 'trouble', 'database', qr/does not exist/,
    qr{\Afind out where the logbook is now.*/backup\.db}, sub { unlink $db or die });
broken('a file that is not a database', 'trouble', 'database', qr/file is not a database/,
    qr{ restore \S+/backup\.db\z},
    sub { unlink $db; QSOsync::Front::write_file($db, 'no database at all ' x 500); chown $uid, $gid, $db }, %pasted);
broken('a folder in place of the logbook', 'trouble', 'database', qr/is not a regular file/,
    qr/\Afind out what it is/, sub {
    unlink grep { !/last-backup/ } glob "$db*";
    mkdir $db or die;
});
broken('a logbook that belongs to root', 'trouble',
    'owner', qr/belongs to root with mode 640, and the workers, which run as $user/,
    qr/\Achown $user: /,
    sub { chown 0, 0, $db or die }, %pasted);
broken('a logbook that its owner may not write to', 'trouble', 'owner', qr/mode 440/,
    qr/\Arunuser -u $user -- chmod u\+rw \S+\z/, sub { chmod 0440, $db or die }, %pasted);
broken('a write-ahead log that belongs to root', 'trouble', 'owner', qr/-wal belongs to root/, qr/\Achown $user: /,
    sub { open my $f, '>', "$db-wal" or die; close $f; chmod 0600, "$db-wal" }, %pasted);
broken('a lock file that belongs to root', 'trouble', 'owner', qr/-gate belongs to root/, qr/\Achown $user: /, sub {
    chown 0, 0, "$db-gate" or die;
    chmod 0600, "$db-gate";
}, %pasted);
broken('a link in place of the lock file', 'trouble', 'lock', qr/-gate is not a regular file/,
    qr/\Afind out what it is/,
    sub { unlink "$db-gate"; symlink "$folder/other", "$db-gate" or die });
broken('another file linked as the lock file', 'trouble', 'lock', qr/-gate .*has a hard link/,
    qr/\Afind out what it is/,
    sub {
        QSOsync::Front::write_file("$folder/other", '');
        chown $uid, $gid, "$folder/other";
        unlink "$db-gate";
        link "$folder/other", "$db-gate" or die;
    });
broken('a logbook that everybody may read', 'warning', 'modes', qr/every user/, qr/\Arunuser -u $user -- chmod o= /,
    sub { chmod 0644, $db or die }, %pasted);
broken('a folder that belongs to root', 'trouble',
    'folder', qr/belongs to root with mode 755, and the workers, which run as $user/,
    qr/\Achown $user: /,
    sub { chown 0, 0, $folder or die; chmod 0755, $folder }, %pasted);
broken('a folder that everybody may write to', 'warning', 'folder', qr/every user/,
    qr/\Arunuser -u $user -- chmod o= /, sub { chmod 0757, $folder or die }, %pasted);
broken('a folder that other users may enter', 'warning', 'folder', qr/every user of this machine can enter .*mode 751/,
    qr/\Arunuser -u $user -- chmod o= /, sub { chmod 0751, $folder or die }, %pasted);
broken('a service without its address', 'warning', 'own address', qr/own address is not set/,
    qr{\Aset the address once: qsosync-admin --db \S+ club set --address https://\.\.\.\z},
    sub { as_owner('club', 'set', '--address', '') });
broken('a logbook from a newer program', 'trouble', 'schema', qr/schema version 99, but this program/,
    qr/install the newer QSOsync/, sub { shell('PRAGMA user_version = 99') });
broken('a write-ahead log that grows', 'warning', 'log',
    qr/has \d\d+ MB and keeps growing\z/, qr/\Arunuser -u $user -- qsosync-admin --db \S+ init\z/, sub {
    my $reader = open2(my $from_shell, my $to_shell, 'setpriv', '--reuid', $uid, '--regid', $gid, '--clear-groups',
        'sqlite3', $db);
    print {$to_shell} "BEGIN;\nSELECT count(*) FROM members;\n";
    readline $from_shell;
    shell("INSERT INTO qsos (member_id, client_id, synced_at, created_at, band, qso_at, notes) SELECT 1, "
        . "randomblob(16), 0, 0, 0, 0, hex(randomblob(1000)) FROM generate_series(1, 40000)");
    kill 'KILL', $reader; # the reader that kept other processes from shortening the write-ahead log
    waitpid $reader, 0;
}, %pasted);
broken('a clock that was set back', 'warning', 'clock', qr/35\d\d s ahead/, qr/timedatectl/, sub {
    shell('UPDATE logbook SET last_stamp = ' . (time + 3600) . '000');
});
broken('a wrong value', 'trouble', 'content', qr/(?:has an older log revision|later stamp).*no page is damaged/,
    qr/\Akeep the logbook as it is/,
    sub { shell("INSERT INTO qsos (member_id, synced_at, created_at, band, qso_at) VALUES (1, 9e15, 0, 0, 0)") });
sub damage_page {
    chomp(my $page = `sqlite3 '$db' "SELECT rootpage FROM sqlite_schema WHERE name = 'qsos_by_change'"`);
    overwrite("\xff" x 4096, 4096 * ($page - 1));
}
broken('a damaged page', 'trouble', 'content',
    qr/restore returns to the backup of 20\S+Z, and everything saved later is lost/,
    qr{\Aqsosync-admin --db \S+ restore \S+/backup\.db\z}, \&damage_page, %pasted);

broken('a damaged page, and a backup that is cut short', 'trouble', 'content', qr/./, qr/\Alook for a backup/, sub {
    damage_page();
    truncate "$folder/backup.db", 8192 or die;
});
broken('no backup at all', 'warning', 'backup', qr/no backup was ever made/,
    qr/qsosync-admin --db \S+ backup --to \S+ --thin\z/, sub {
    unlink "$db-last-backup" or die;
}, %pasted);
for my $gone (['is gone', sub { unlink "$folder/backup.db" }], ['is incomplete', sub {
    truncate "$folder/backup.db", 8192 }], ['no backup was ever made', sub { unlink "$db-last-backup" }]) {
    broken("a damaged page, and the backup $gone->[0]", 'warning', 'backup', qr/$gone->[0]/,
        qr/\Arepair the logbook first; until then no backups/, sub { damage_page(); $gone->[1]->() });
}
sub note_backup {
    my ($days, $file) = @_;
    my $time = iso_time(time - 86400 * $days);
    open my $f, '>', "$db-last-backup" or die;
    print {$f} "$time $file\n";
}
broken('a backup from last week', 'warning', 'backup', qr/7 days old/, qr/ backup /, sub {
    note_backup(7, "$folder/backup.db");
}, %pasted);
broken('a backup that is gone', 'warning', 'backup', qr/is gone/, qr/ backup /, sub {
    unlink "$folder/backup.db" or die;
}, %pasted);
broken("somebody's unfinished transaction in a shell", 'warning', 'lock',
    qr/\Aprocess \d+ \(sqlite3\) has held the write lock for a full second/, qr/\Akill \d+\z/, sub {
    my $writer = open2(my $from_shell, my $to_shell, 'setpriv', '--reuid', $uid, '--regid', $gid, '--clear-groups',
        'sqlite3', $db);
    print {$to_shell} "BEGIN IMMEDIATE;\n.print begun\n";
    readline $from_shell;
    return sub { close $_ for $from_shell, $to_shell; waitpid $writer, 0 };
}, %pasted);
SKIP: {
    skip 'no compiler is installed', 1 if system('cc --version > /dev/null 2>&1') != 0;
    skip 'a sanitizer must be loaded first', 1 if QSOsync::Front::is_sanitized();
    open my $code, '>', "$place/nfs.c" or die;
    print {$code}
        "#include <sys/vfs.h>\nint statfs64(const char *p, struct statfs64 *s);\nint "
        . "statfs64(const char *p, struct statfs64 *s) { (void)p; s->f_type = 0x6969; return 0; }\n";
    close $code;
    system("cc -D_GNU_SOURCE -shared -fPIC -o $place/nfs.so $place/nfs.c") == 0 or die;
    my $preload = join ' ', grep { defined && length } $ENV{LD_PRELOAD}, "$place/nfs.so";
    broken('a logbook on NFS', 'trouble', 'file system', qr/NFS/, qr/local disk/, sub { },
        wrapper => ['env', "LD_PRELOAD=$preload"]);
}
SKIP: {
    my $mounted = "$place/mounted";
    mkdir $mounted or die;
    my $mount = sub {
        system("umount $mounted 2> /dev/null; mount -t tmpfs -o $_[0] tmpfs $mounted 2> /dev/null") == 0;
    };
    skip 'needs the right to mount', 1 if !$mount->('size=8m');
    broken('a full disk', 'trouble', 'space', qr/\A0 MB free/, qr/df -h/, sub {
        system("head -c 20M /dev/zero > $mounted/full 2> /dev/null");
    }, folder => $mounted);
    $mount->('size=64m') or die;
    broken('a disk that is nearly full', 'warning', 'space', qr/\A6\d MB free/, qr/df -h/, sub { },
        folder => $mounted);
    $mount->('size=1g') or die;
    broken('a disk that was mounted read-only', 'trouble', 'folder', qr/mounted read-only/, qr/\Amount -o remount,rw /,
        sub { system('mount', '-o', 'remount,ro', $mounted) }, folder => $mounted, %pasted);
    system('umount', $mounted);
}

# The workers serve another logbook.
my $service = QSOsync::Service->start;
prepare();
chown 0, 0, $folder, glob "$folder/*" or die; # these workers run as root
QSOsync::Doctor::finds('workers that serve another logbook', 'warning', 'workers', qr/serve another logbook/,
    qr/\Aqsosync-admin --db $QSOsync::Doctor::QUOTED_PATH doctor\z/, examine());
(undef, $report) = QSOsync::Doctor::run([], '--db', $service->db, 'doctor');
ok +(grep { $_->{check} eq 'workers' && $_->{message} eq '4 run' } @{$report->{checks}}),
    'the doctor counts workers of the logbook';

# The shipped units run as on their own machine: in a mount name space, with the logbook at the default path.
SKIP: {
    my ($default) = `qsosync-admin --help` =~ m{^ +(/\S+/logbook\.db)$}m;
    skip 'needs the right to unshare mounts, and /etc/systemd/system', 1
        if system('unshare', '-m', 'true') != 0 || !-d '/etc/systemd/system'
        || $default ne '/var/lib/qsosync/logbook.db';
    my ($lib, $run, $units) = map { mkdir "$place/$_" or die; "$place/$_" } qw(lib run units);
    mkdir "$lib/qsosync" or die;
    prepare("$lib/qsosync");
    system('cp', glob("$source/src/service/qsosync.s*"), $units) == 0 or die;
    system("getent passwd > $place/passwd; grep -q '^qsosync:' $place/passwd || echo "
        . "'qsosync:x:${uid}:${gid}::/:/bin/false' >> $place/passwd") == 0 or die;
    my $wrapper = ['unshare', '-m', '-p', '-f', '--mount-proc', 'sh', '-c', "mount --bind $lib /var/lib &&
        mount --bind $run /run && mount --bind $units /etc/systemd/system &&
        mount --bind $place/passwd /etc/passwd && exec \"\$@\"", 'sh'];
    my $examine = sub { QSOsync::Doctor::run($wrapper, 'doctor') };
    my $restart = qr/systemctl (?:enable --now|restart) qsosync\.socket/;
    QSOsync::Doctor::finds('units that were never started', 'trouble', 'socket', qr/No such file/, $restart,
        $examine->());
    mkdir "$run/qsosync" or die;
    my $socket = IO::Socket::UNIX->new(Local => "$run/qsosync/worker.sock", Listen => 1) or die;
    chmod 0600, "$run/qsosync/worker.sock";
    QSOsync::Doctor::finds('a socket that the web server may not use', 'trouble', 'socket', qr/www-data, may not use/,
        $restart, $examine->());
    chmod 0666, "$run/qsosync/worker.sock";
    QSOsync::Doctor::finds('workers that do not run', 'trouble', 'workers', qr/no worker is running/,
        qr/systemctl restart qsosync\.service/, $examine->());
    close $socket;
    QSOsync::Doctor::finds('a socket without a listener', 'trouble', 'socket', qr/nothing is listening/, $restart,
        $examine->());

    # The backup timer can come from make install, from the operator, or from the package.
    mkdir "$run/$_" or die for 'systemd', 'systemd/system';
    unlink "$db-last-backup" or die;
    my $start = 'systemctl enable --now qsosync-backup\.timer && systemctl start qsosync-backup\.service\z';
    my $no_backup = sub {
        QSOsync::Doctor::finds($_[0], 'warning', 'backup', qr/no backup was ever made/, $_[1],
            QSOsync::Doctor::run($_[2] || $wrapper, 'doctor'));
    };
    my ($packaged, $timer) = ("$place/packaged", "$units/qsosync-backup.timer");
    mkdir $packaged or die;
    my $with_package = [@$wrapper];
    s{(mount --bind \S+ /run)}{mount --bind $packaged /lib/systemd/system && $1} for @$with_package;
    my $is_packaged = -e '/lib/systemd/system/qsosync-backup.timer';
    $no_backup->('no backup, and no timer', qr{\Acp \S+/service/qsosync-backup\.\* /etc/systemd/system/ && $start})
        if !$is_packaged;
    copy("$source/src/service/qsosync-backup.timer", $_) or die for $timer, $packaged;
    $no_backup->("no backup, with the operator's timer", qr/\A$start/);
    unlink $timer or die;
    $no_backup->("no backup, with the package's timer", qr/\A$start/, $with_package) if -d '/lib/systemd/system';
}

# A user without read permission gets a finding.
prepare();
my @stranger = getpwnam 'nobody';
QSOsync::Doctor::finds('the wrong user', 'trouble', 'database', qr/\A\S+ belongs to $user\z/,
    qr/\Arunuser -u $user -- qsosync-admin --db \S+ doctor --json\z/,
    examine(['setpriv', '--reuid', $stranger[2], '--regid', $stranger[3], '--clear-groups'])) if @stranger;

done_testing;
