use QSOsync::Test fronts => 'none';
use QSOsync::Doctor;
use File::Temp qw(tempdir);
use IO::Socket::INET;
use IO::Socket::UNIX;
use POSIX ();

# The doctor examines the shipped units: settings, sockets, ports and programs. The units run as on their own machine,
# in a mount name space with the logbook at the default path.
SKIP: {
    skip 'needs root', 1 if $> != 0;
    my ($uid, $gid) = (getpwnam 'daemon')[2, 3];
    my ($default) = `$QSOsync::Doctor::PROGRAM --help` =~ m{^ +(/\S+/logbook\.db)$}m;
    skip 'needs the right to unshare mounts, /etc/systemd/system and the usual prefix', 1 if !defined $uid ||
        system('unshare', '-m', 'true') != 0 || !-d '/etc/systemd/system' || !-d '/lib/systemd/system'
        || $default ne '/var/lib/qsosync/logbook.db';
    my $source = $QSOsync::Front::SOURCE;
    my $place = tempdir(CLEANUP => 1, TMPDIR => 1);
    chmod 0755, $place or die;
    system('install', '-m', '755', $QSOsync::Doctor::PROGRAM, "$place/qsosync-admin") == 0 or die;
    $QSOsync::Doctor::PROGRAM = "$place/qsosync-admin";
    my ($lib, $run, $units, $packaged) = map { mkdir "$place/$_" or die; "$place/$_" } qw(lib run units packaged);
    mkdir $_ or die for "$lib/qsosync", "$run/qsosync", "$units/sockets.target.wants";
    system('sh', '-c',
        "cp $source/src/service/qsosync*.s* $units; getent passwd > $place/passwd; "
        . "grep -q '^qsosync:' $place/passwd || echo 'qsosync:x:$uid:$gid\::/:/bin/false' >> $place/passwd") == 0
        or die;
    mkdir "$place/none" or die; # hides the machine's web servers until $place/sites exists
    my @wrapper = ('unshare', '-m', '-p', '-f', '--mount-proc', 'sh', '-c',
        "for server in nginx apache2; do [ -e $place/sites ] || [ ! -d /etc/\$server ] ||
            mount --bind $place/none /etc/\$server; done
        mount --bind $lib /var/lib && mount --bind $run /run && mount --bind $units /etc/systemd/system &&
        mount --bind $packaged /lib/systemd/system && mount --bind $place/passwd /etc/passwd && exec \"\$@\"", 'sh');
    my $db = "$lib/qsosync/logbook.db";
    for (['init'], ['member', 'add', 'A', '--locator', 'JO59'],
        ['club', 'set', '--address', 'https://log.example.org'], ['backup', "$lib/qsosync/backup.db"]) {
        system("$place/qsosync-admin", '--db', $db, @$_) == 0 or die;
    }
    system('chown', '-R', "$uid:$gid", "$lib/qsosync") == 0 && chmod 0750, "$lib/qsosync" or die;

    # This test listens on both sockets; no worker is visible in the name space.
    my %socket = map { $_ => IO::Socket::UNIX->new(Local => "$run/qsosync/$_.sock", Listen => 8) || die } 'worker',
        'site';
    chmod 0666, glob "$run/qsosync/*.sock" or die;
    sub examine { QSOsync::Doctor::run(\@wrapper, 'doctor') }
    sub finds { my ($cause, @what) = @_; QSOsync::Doctor::finds($cause, @what, examine()) }
    sub unlike_finding {
        my ($check, $name) = @_;
        my (undef, $report) = examine();
        ok !(grep { $_->{check} eq $check && $_->{level} ne 'ok' } @{$report->{checks}}), $name or diag $report->{text}
    }
    sub drop_in {
        my ($unit, $text) = @_;
        mkdir "$units/$unit.d";
        QSOsync::Front::write_file("$units/$unit.d/club.conf", "$text\n");
    }

    finds('workers that do not run', 'trouble', 'workers', qr/\Ano worker is running\z/,
        qr/\Asystemctl restart qsosync\.service\z/);
    finds('workers of the pages that do not run', 'trouble', 'pages', qr/no page worker is running/,
        qr/\Asystemctl restart qsosync-site\.service\z/);
    # The workers run in a user name space that root created, as in a unit. The workers' user runs the doctor.
    SKIP: {
        skip 'needs the right to unshare users', 3 if system('unshare', '--user', 'true') != 0;
        my @as_user = ('setpriv', "--reuid=$uid", "--regid=$gid", '--clear-groups');
        my @programs = map { "$place/$_" } qw(qsosync.fcgi qsosync-site.fcgi);
        system('install', '-m', '755', '/bin/sleep', $_) == 0 or die for @programs;
        my $start = <<"END" . join "\n", map({ "start $_" } @programs), 'exec "$@"';
start() {
    unshare --user sh -c 'until grep -q . /proc/self/gid_map; do sleep 0.01; done; exec @as_user "\$0" 60' "\$1" &
    until [ "\$(readlink /proc/\$!/ns/user)" != "\$(readlink /proc/self/ns/user)" ]; do sleep 0.01; done
    printf '0 0 1\\n$uid $uid 1\\n' >/proc/\$!/uid_map
    printf '0 0 1\\n$gid $gid 1\\n' >/proc/\$!/gid_map
    until [ "\$(readlink /proc/\$!/exe)" = "\$1" ]; do sleep 0.01; done
}
END
        my ($status, $report) = QSOsync::Doctor::run([@wrapper, 'sh', '-c', $start, 'sh', @as_user], 'doctor');
        for my $check ('workers', 'pages') {
            ok +(grep { $_->{check} eq $check && $_->{message} eq '1 runs' } @{$report->{checks}}),
                "the workers' user can see their processes: $check" or diag $report->{text};
        }
        is $status, 0, 'the doctor finds no fault as the workers\' user';
        unlink @programs;
    }
    # A release lists the checksums of its programs. The package installs this list, and the archive contains the list
    # next to qsosync-admin.
    finds('programs that were built here', 'ok', 'programs', qr/built on this machine, not from a release/, undef);
    {
        my @programs = map { "$place/$_" } qw(qsosync.fcgi qsosync-site.fcgi);
        system('install', '-m', '755', '/bin/sleep', $_) == 0 or die for @programs;
        my $start = join '', map { <<"END" } @programs;
setpriv --reuid=$uid --regid=$gid --clear-groups $_ 60 &
until [ "\$(readlink /proc/\$!/exe)" = $_ ]; do sleep 0.01; done
END
        for (['a release', 'ok', qr/\Athe running programs are those in QSOsync 1\.2\.3 for amd64, according to /,
                'qsosync-admin qsosync.fcgi'],
            ['a command from another origin', 'warning',
                qr{\A\S+/qsosync-admin differs from the program in QSOsync 1\.2\.3 },
                'qsosync.fcgi'],
            ['a worker from another origin', 'warning',
                qr{\A\S+/qsosync(?:-site)?\.fcgi differs from the program in QSOsync 1},
                'qsosync-admin']) {
            my ($cause, $level, $said, $listed) = @$_;
            my $fix = $level eq 'ok' ? undef : qr/check and reinstall the release/;
            my $sums = `cd $place && sha256sum $listed`;
            QSOsync::Front::write_file("$place/programs.sha256", "# QSOsync 1.2.3 for amd64\n$sums");
            QSOsync::Doctor::finds($cause, $level, 'programs', $said, $fix,
                QSOsync::Doctor::run([@wrapper, 'sh', '-c', "$start exec \"\$@\"", 'sh'], 'doctor'));
        }
        unlink @programs, "$place/programs.sha256";
    }
    close delete $socket{site};
    finds('a socket of the pages without a listener', 'trouble', 'pages', qr/nothing is listening on \S+site\.sock/,
        qr/\Asystemctl restart qsosync-site\.socket qsosync-site\.service\z/);
    unlink "$run/qsosync/site.sock" or die;
    my $missing = finds('a socket of the pages that was stopped', 'trouble', 'pages', qr/No such file/,
        qr/\Asystemctl enable (qsosync-site\.socket qsosync-site\.service) && systemctl restart \1\z/);
    my (undef, $report) = examine();
    is scalar(grep { $_->{check} eq 'pages' } @{$report->{checks}}), 1,
        'a stopped socket gives one finding, not two';

    # The unit names the user of the workers.
    chown 0, 0, $db or die;
    chmod 0600, $db or die;
    finds('a logbook that belongs to root', 'trouble',
        'owner', qr/the workers, which run as qsosync,/, qr/\Achown qsosync: /);
    drop_in('qsosync.service', "[Service]\nUser=bin");
    finds('a logbook that belongs to root, and a unit with another user', 'trouble',
        'owner', qr/the workers, which run as bin,/,
        qr/\Achown bin: /);
    unlink "$units/qsosync.service.d/club.conf" or die;
    chown $uid, $gid, $db or die;
    chmod 0640, $db or die;

    # Some settings have faults.
    drop_in('qsosync.service', "[Service]\nEnvironment=QSOSYNC_RATE_LIMIT=60 \"QSOSYNC_WRITE_WAIT_MS=10 s\"");
    finds('a wrong setting', 'trouble', 'settings',
        qr{club\.conf: QSOSYNC_WRITE_WAIT_MS must be an integer from 0 to 60000; no worker starts},
        qr{\Acorrect the setting in /etc/systemd/system/qsosync\.service\.d/club\.conf, then});
    (undef, $report) = examine();
    ok !(grep { $_->{check} eq 'workers' } @{$report->{checks}}),
        'a setting that keeps workers from starting hides the finding about workers';
    drop_in('qsosync.service', "[Service]\nEnvironment=QSOSYNC_WRITE_WAIT_MS=x QSOSYNC_RATE_LIMIT=x\nEnvironment=\n"
        . "Environment=QSOSYNC_RATE_LIMIT=x\nEnvironment=QSOSYNC_RATE_LIMIT=60");
    unlike_finding('settings', 'a wrong setting that a later line overrides gives no finding');
    drop_in('qsosync.service', "[Service]\nEnvironment=QSOSYNC_RATE_LIMT=60");
    finds('a misspelt setting', 'warning', 'settings',
        qr/there is no setting QSOSYNC_RATE_LIMT, so the line has no effect/,
        qr/\Acorrect the setting in/);
    drop_in('qsosync.service', "[Service]\nEnvironment=QSOSYNC_RATE_LIMIT=60 'QSOSYNC_CLUB=My club' OTHER=1");
    unlike_finding('settings', 'valid settings give no finding');

    # A drop-in names the logbook.
    drop_in('qsosync.service',
        "[Service]\nEnvironment=QSOSYNC_RATE_LIMIT=60 \"QSOSYNC_DB=/var/lib/qsosync/logbok.db\"");
    finds('a mistyped QSOSYNC_DB', 'trouble', 'settings',
        qr{club\.conf: QSOSYNC_DB is /var/lib/qsosync/logbok\.db, which does not exist},
        qr{\Acorrect QSOSYNC_DB in /etc/systemd/system/qsosync\.service\.d/club\.conf, then});
    (undef, $report) = examine();
    ok !(grep { $_->{check} eq 'workers' } @{$report->{checks}}),
        'a wrong logbook name hides the finding that no worker runs';
    drop_in('qsosync.service', "[Service]\nEnvironment='QSOSYNC_DB=/var/lib/qsosync/backup.db'");
    finds('a unit with another logbook', 'warning', 'workers',
        qr{qsosync\.service serves another logbook, .*/backup\.db},
        qr{\Aqsosync-admin --db /var/lib/qsosync/backup\.db doctor\z});
    drop_in('qsosync.service', "[Service]\nEnvironment=OTHER_QSOSYNC_DB=/x 'QSOSYNC_DB=$default'");
    unlike_finding('settings', 'a drop-in that names the examined logbook gives no finding');
    unlink "$units/qsosync.service.d/club.conf" or die;
    drop_in('qsosync-cluster@.service', "[Service]\nEnvironment=QSOSYNC_NOD=CLUB");
    finds('a misspelt setting for the cluster feed', 'warning', 'settings', qr/QSOSYNC_NOD,/,
        qr/restart qsosync-cluster\.socket\z/);
    unlink "$units/qsosync-cluster\@.service.d/club.conf" or die;

    # The path of a socket can be too long.
    my $long = '/run/qsosync/' . 'x' x 94 . '.sock';
    drop_in('qsosync.socket', "[Socket]\nListenStream=\nListenStream=$long");
    finds('a socket with a path of 112 bytes', 'trouble', 'socket',
        qr{cannot listen on \Q$long\E: the path has 112 bytes, but at most 107 are possible\z},
        qr{\Ashorten ListenStream \(systemctl edit --full qsosync\.socket\)});
    unlink "$units/qsosync.socket.d/club.conf" or die;

    # The port of the cluster feed can be closed.
    my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 0, Listen => 1) or die;
    my $port = $listener->sockport;
    close $listener;
    drop_in('qsosync-cluster.socket', "[Socket]\nListenStream=\nListenStream=0.0.0.0:$port");
    unlike_finding('cluster', 'a cluster feed that is not enabled gives no finding');
    symlink '/etc/systemd/system/qsosync-cluster.socket', "$units/sockets.target.wants/qsosync-cluster.socket" or die;
    finds('the port of the cluster feed is closed', 'trouble', 'cluster',
        qr/nothing is listening on the DX cluster's port $port/, qr/\Asystemctl restart qsosync-cluster\.socket\z/);
    $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $port, Listen => 1, ReuseAddr => 1) or die;
    unlike_finding('cluster', 'an open port gives no finding');
    close $listener;

    # For one of several clubs, the doctor examines that club's folder and units, which are instances of templates.
    {
        my $north = "$place/lib/qsosync-north";
        mkdir $_ or die for $north, "$run/qsosync-north";
        local $ENV{QSOSYNC_INSTANCE} = 'north';
        for (['init'], ['club', 'set', '--address', 'https://north.example.org'], ['backup', "$north/backup.db"]) {
            system("$place/qsosync-admin", '--db', "$north/logbook.db", @$_) == 0 or die;
        }
        system('chown', '-R', "$uid:$gid", $north) == 0 && chmod 0750, $north or die;
        my @templates = map { s{.*/}{$units/}r } glob "$QSOsync::Front::BUILD/service/qsosync*\@.s*";
        system("cp $QSOsync::Front::BUILD/service/qsosync*\@.s* $units") == 0 or die;
        my ($status, $report) = examine();
        my $both = 'qsosync@north.socket qsosync@north.service qsosync-site@north.socket qsosync-site@north.service';
        QSOsync::Doctor::finds("a club's missing sockets", 'trouble', 'socket',
            qr{\A/run/qsosync-north/worker\.sock: No such file},
            qr/\Asystemctl enable \Q$both\E && systemctl restart \Q$both\E\z/, $status, $report);
        is scalar(grep { $_->{level} eq 'trouble' } @{$report->{checks}}), 1,
            'missing sockets in an empty folder give one finding';
        ok !(grep { ($_->{fix} // '') =~ /qsosync(?:-site)?\.s/ } @{$report->{checks}}),
            "the advice for a club names no other club's units" or diag $report->{text};
        drop_in('qsosync@north.service', "[Service]\nEnvironment=QSOSYNC_RATE_LIMT=60");
        finds('a misspelt setting for one of several clubs', 'warning', 'settings',
            qr{/qsosync\@north\.service\.d/club\.conf: there is no setting QSOSYNC_RATE_LIMT},
            qr/restart qsosync\@north\.service\z/);
        drop_in('qsosync@north.service', "[Service]\nEnvironment=QSOSYNC_DB=/var/lib/qsosync-north/logbok.db");
        finds('a mistyped QSOSYNC_DB for one of several clubs', 'trouble', 'settings',
            qr{/qsosync\@north\.service\.d/club\.conf: QSOSYNC_DB is /var/lib/qsosync-north/logbok\.db},
            qr/restart qsosync\@north\.service\z/);
        system('rm', '-r', @templates, "$units/qsosync\@north.service.d", $north) == 0 or die;
    }

    # nginx is not running. Another program uses either port 80 or port 8080, the port in nginx's site.
    SKIP: {
        skip 'nginx is not installed', 4 if !-x '/usr/sbin/nginx' || !-d '/etc/nginx/sites-enabled'
            || system('unshare', '-n', 'true') != 0;
        mkdir $_ or die for "$place/sites", "$lib/nginx";
        QSOsync::Front::write_file("$place/sites/club.conf", "server {\nlisten 8080;\nserver_name log.example.org;\n"
            . "include /usr/local/share/qsosync/nginx/qsosync-api.con[f];\n}\n");
        my $listen = q{perl -MIO::Socket::INET -e 'my $socket = IO::Socket::INET->new(LocalPort => shift, Listen => 1)
            or die; exit if fork; close $_ for *STDOUT, *STDERR; sleep 600' $PORT && exec "$@"};
        for my $case ([80, qr/\Anginx is not running\z/, qr/\Asystemctl restart nginx\z/],
            [8080, qr/\Anginx is not running: port 8080 is used by another program\z/, qr/\Astop that program /]) {
            my @on_machine = ('unshare', '-n', @wrapper);
            s{mount --bind \Q$lib\E}{mount --bind $place/sites /etc/nginx/sites-enabled && $&} for $on_machine[-2];
            local $ENV{PORT} = $case->[0];
            QSOsync::Doctor::finds("nginx is not running, and another program has port $case->[0]", 'trouble',
                'web server', @$case[1, 2], QSOsync::Doctor::run([@on_machine, 'sh', '-c', $listen, 'sh'], 'doctor'));
        }
    }

    close $_ for values %socket;

    # Workers are older than their program file after an upgrade without a restart.
    my $worker = "$place/qsosync.fcgi";
    system('install', '-m', '755', QSOsync::Front::worker_program(), $worker) == 0 or die;
    {
        local $ENV{QSOSYNC_TEST_WORKER} = $worker;
        my $service = QSOsync::Service->start;
        my $look = sub { QSOsync::Doctor::run([], '--db', $service->db, 'doctor') };
        (undef, $report) = $look->();
        ok +(grep { $_->{check} eq 'workers' && $_->{message} eq '4 run' } @{$report->{checks}}),
            'the doctor counts workers of the current program' or diag $report->{text};
        system('sh', '-c', "cp $worker $worker.new && mv $worker.new $worker") == 0 or die;
        QSOsync::Doctor::finds('workers of an older program', 'warning', 'workers',
            qr/\A4 of the workers run an older program than the file \Q$worker\E\z/,
            qr/\Asystemctl restart qsosync\.service\z/, $look->());
    }
}

# The owner of the logbook's folder, or another user, sets traps for root. Root's commands do not wait for a FIFO, print
# no control characters, and do not trust another user's process about the logbook's owner.
SKIP: {
    skip "needs root, to examine another user's folder", 1 if $> != 0;
    my ($user, $uid, $gid) = ('daemon', (getpwnam 'daemon')[2, 3]);
    my @stranger = getpwnam 'nobody';
    skip 'needs the users daemon and nobody', 1 if !defined $uid || !@stranger;
    my $place = tempdir(CLEANUP => 1, TMPDIR => 1);
    chmod 0755, $place or die;
    system('install', '-m', '755', $QSOsync::Doctor::PROGRAM, "$place/qsosync-admin") == 0 or die;
    $QSOsync::Doctor::PROGRAM = "$place/qsosync-admin";
    my ($folder, $db, $number) = ('', '', 0);

    sub as_owner {
        system('setpriv', '--reuid', $uid, '--regid', $gid, '--clear-groups', "$place/qsosync-admin", '--db', $db,
            @_) == 0
            or die "qsosync-admin @_";
    }
    sub prepare {
        $folder = "$place/" . ++$number;
        mkdir $folder, 0750 or die;
        chown $uid, $gid, $folder or die;
        $db = "$folder/logbook.db";
        as_owner('init');
        as_owner('club', 'set', '--address', 'https://log.example.org');
        as_owner('member', 'add', 'A', '--locator', 'JO59', '--login', 'a');
        as_owner('backup', "$folder/backup.db");
    }
    sub examine_folder { QSOsync::Doctor::run([], '--db', $db, 'doctor') }
    sub wrong { my ($report) = @_; grep { $_->{level} ne 'ok' } @{$report->{checks}} }

    # Runs a command as root. Returns the exit status, which is 124 if timeout ended the command.
    sub root {
        my ($input, @words) = @_;
        system('sh', '-c', 'exec timeout 20 "$@" < ' . $input . " > $place/said 2>&1", 'sh', "$place/qsosync-admin",
            '--db',
            $db, @words);
        $? >> 8;
    }
    QSOsync::Front::write_file("$place/password", "correct horse\n");
    my @commands = (['status'], ['metrics'], ['check'], ['backup', "$place/other.db"],
        ['member', 'set', 'A', '--locator', 'JO60'], ['restore', "BACKUP"], ['doctor']);
    for my $suffix ('-wal', '-shm', '-journal', '-gate', '-limits', '-guesses', '-rejections', '-last-backup', '') {
        prepare();
        unlink "$db$suffix";
        POSIX::mkfifo("$db$suffix", 0666) or die;
        chown $uid, $gid, "$db$suffix" or die;
        my @waiting = grep { unlink "$place/other.db";
        root('/dev/null', map { s/BACKUP/$folder\/backup.db/r } @$_) == 124 } @commands;
        is join(', ', map { $_->[0] } @waiting), '', "no command that root runs waits for a FIFO at FILE$suffix";
        unlink "$db$suffix"; # a backup replaces FILE-last-backup
        POSIX::mkfifo("$db$suffix", 0666) or die;
        my ($status, $report) = examine_folder();
        my ($found) = grep { $_->{message} =~ /is not (?:a regular|a) file/ } @{$report->{checks}};
        like $found->{fix}, qr/\Afind out what it is and who created it/, "the doctor reports a FIFO at FILE$suffix"
            or diag $report->{text};
        is scalar(wrong($report)), 1, "a FIFO at FILE$suffix gives one finding" or diag $report->{text};
        ok -p "$db$suffix", "the doctor keeps the FIFO at FILE$suffix";
    }
    {
        prepare();
        POSIX::mkfifo("$folder/fifo", 0666) or die;
        isnt root('/dev/null', 'restore', "$folder/fifo"), 124,
            'restore does not wait for a FIFO as its backup';
        isnt root('/dev/null', '--db', "$folder/fifo", 'status'), 124,
            'status does not wait for a FIFO as its logbook';
    }

    # These bytes set a terminal's title and clear the screen.
    prepare();
    my $escape = "\e]0;owned\a\e[2J";
    mkdir "$folder/$escape" or die;
    rename "$folder/backup.db", "$folder/$escape/backup.db" or die;
    QSOsync::Front::write_file("$db-last-backup", iso_time(time - 9 * 86400) . " $folder/$escape/backup.db\n");
    for my $command ('doctor', 'status') {
        my $text = `$place/qsosync-admin --db $db $command`;
        unlike $text, qr/[\x00-\x09\x0b-\x1f\x7f]/, "$command prints no escape sequence from a backup's record";
    }
    mkdir "$place/$escape" or die;
    $db = "$place/$escape/logbook.db";
    my $text = `$place/qsosync-admin --db '$db' doctor`;
    unlike $text, qr/[\x00-\x09\x0b-\x1f\x7f]/, 'doctor prints no escape sequence from a path';
    like $text, qr/--db '\S*\?\]0;owned\?\?\[2J\S*' init - otherwise/m,
        'doctor prints only the visible characters of a hostile path';

    # If several files have the wrong owner, the doctor reports one fault. The fix does not change the content.
    prepare();
    chown 0, 0, $db, "$db-gate" or die;
    chmod 0600, $db, "$db-gate" or die;
    my $content = QSOsync::Front::read_file($db);
    my ($status, $report) = examine_folder();
    is scalar(wrong($report)), 1, 'files with the wrong owner give one finding' or diag $report->{text};
    my ($owner) = wrong($report);
    like $owner->{fix}, qr/\Achown $user: --no-dereference \S+ \S+\z/,
        "one line gives all files to the workers' user";
    like $owner->{message}, qr/other files of the logbook: 1/, 'the doctor counts files with the wrong owner';
    is system($owner->{fix}), 0, 'the fix for the files succeeds';
    ($status, $report) = examine_folder();
    is "$status $report->{status}", '0 ok', 'the doctor finds no other fault' or diag $report->{text};
    is QSOsync::Front::read_file($db), $content, 'the fix keeps the logbook unchanged';

    # Another user's process has the name of a worker, and has this logbook in its environment.
    sub pretending {
        my ($what, @command) = @_;
        prepare();
        chown 0, 0, $db or die;
        my $pid = fork // die;
        if (!$pid) {
            $ENV{QSOSYNC_DB} = $db;
            open STDIN, '<', '/dev/null';
            { exec 'setpriv', '--reuid', $stranger[2], '--regid', $stranger[3], '--clear-groups', @command }
            POSIX::_exit(1);
        }
        for (1 .. 200) {
            last if -e "/proc/$pid/comm" && QSOsync::Front::read_file("/proc/$pid/comm") eq "qsosync.fcgi\n";
            select undef, undef, undef, 0.05;
        }
        my (undef, $report) = examine_folder();
        my ($found) = grep { $_->{check} eq 'owner' } @{$report->{checks}};
        like $found->{fix}, qr/\Achown $user: /, "$what is not treated as the logbook's owner" or diag $report->{text};
        unlike $report->{text}, qr/nobody/, "the report does not name $what";
        kill 'KILL', $pid;
        waitpid $pid, 0;
    }
    pretending('a process that calls itself qsosync.fcgi', $^X, '-e', '$0 = "qsosync.fcgi"; sleep 600');
}

done_testing;
