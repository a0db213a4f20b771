use QSOsync::Test fronts => 'none', slow => 20, suite => 'all';
use QSOsync::Worker;
use File::Temp qw(tempdir);

# qsosync-admin run by root acts as the owner of the logbook's folder. The owner cannot misuse files in the folder, and
# the workers can use the created files. In any other folder, files are created and read as the owner of that folder.
SKIP: {
    QSOsync::Front::end_leak_detector();
    skip 'needs root, to act as two users', 1 if $> != 0;
    my (undef, undef, $uid, $gid) = getpwnam 'daemon' or skip 'needs the user daemon', 1;
    my $base = tempdir(CLEANUP => 1, TMPDIR => 1);
    chmod 0755, $base or die;
    my ($data, $private) = ("$base/data", "$base/private");
    mkdir $data or die;
    chown $uid, $gid, $data or die;
    mkdir $private, 0700 or die;
    my $db = "$data/logbook.db";

    sub admin {
        my $output = `'$QSOsync::Front::BUILD/qsosync-admin' --db '$db' @_ 2>&1 < /dev/null`;
        chomp $output;
        return ($? >> 8, $output);
    }
    sub owners { join ' ', map { sprintf '%s:%d:%d', m{([^/]+)\z}, (stat $_)[4, 5] } sort glob "$data/*" }
    sub are_the_owners {
        my ($name) = @_;
        unlike owners(), qr/:(?!$uid:$gid(?: |\z))\d+:\d+/, "$name: every file belongs to the owner of the folder";
    }

    # Returns the status of a request for /me, which a worker answers as the user daemon.
    my $program = "$base/qsosync.fcgi";
    system('install', '-m', '755', QSOsync::Front::worker_program(), $program) == 0 or die;
    sub me {
        my ($key) = @_;
        my $response = QSOsync::Cgi::answer($base, { QSOSYNC_DB => $db, REQUEST_URI => '/api/v1/me', PATH_INFO => '/me',
            HTTP_X_API_KEY => $key },
            through => ['setpriv', '--reuid', $uid, '--regid', $gid, '--clear-groups', $program]);
        return $response->status;
    }

    is +(admin('init'))[0], 0, 'root creates a logbook';
    are_the_owners('init');
    admin('member add 21SD333 --locator JO59jw');
    my ($status, $key) = admin('key add 21SD333 --name test --scope WRITE');
    are_the_owners('key add');
    is me($key), 200, 'workers can use a logbook created by root';

    # The owner of the logbook cannot read backups in root's private folder.
    is +(admin("backup $private/backup.db"))[0], 0, 'root creates a backup in a folder of root';
    is join(':', (stat "$private/backup.db")[4, 5]), '0:0', 'a backup belongs to the owner of its folder';
    mkdir "$private/backups", 0700 or die;
    is +(admin("backup --to $private/backups --keep 2"))[0], 0,
        'root adds a backup to a private folder';
    is scalar(my @made = glob "$private/backups/*"), 1, 'backup --to creates one file';
    is +(admin("restore $private/backup.db"))[0], 0, 'root restores a private backup';
    are_the_owners('restore');
    is me($key), 200, 'workers can use a restored logbook';
    QSOsync::Front::write_file($db, 'damaged ' x 1000);
    is +(admin("restore $private/backup.db"))[0], 0, 'root restores over a damaged file';
    are_the_owners('restore over a damaged file');
    is me($key), 200, 'workers can use a logbook restored over a damaged file';
    unlink glob "$data/*";
    is +(admin("restore $private/backup.db"))[0], 0, 'root restores into an empty folder';
    are_the_owners('restore into an empty folder');
    is me($key), 200, 'workers can use a logbook restored into an empty folder';

    # Links in the folder point to a file elsewhere, which no command changes.
    my $secret = "$private/secret";
    system('cp', '-a', $data, "$private/restored") == 0 or die;
    sub plant {
        my ($suffix, $make) = @_;
        unlink glob "$data/*";
        system('cp', '-a', "$private/restored/.", $data) == 0 or die;
        QSOsync::Front::write_file($secret, 'secret ' x 700);
        chmod 0600, $secret or die;
        unlink "$db$suffix";
        $make->($secret, "$db$suffix") or die "$db$suffix: $!";
    }
    my @commands = ('init', 'member list', 'member add 26AT101 --locator JO59jw',
        'key add 21SD333 --name more --scope READ', 'key revoke 21SD333 1',
        'spots', 'check', "backup $data/copy.db", "restore $private/backup.db");
    for my $suffix ('', '-gate', '-last-backup', '-last-backup.new', '-limits', '-rejections', '-wal', '-shm',
        '-journal') {
        for my $way (['a symbolic link', sub { symlink $_[0], $_[1] }], ['a hard link', sub { link $_[0], $_[1] }]) {
            my ($name, $make) = @$way;
            my @changed = grep {
                plant($suffix, $make);
                my @before = ((stat $secret)[2, 4, 5], QSOsync::Front::read_file($secret));
                admin($_);
                "@before" ne join ' ', (stat $secret)[2, 4, 5], QSOsync::Front::read_file($secret);
            } @commands;
            is "@changed", '', "if logbook.db$suffix is $name to a file of root, no command changes that file";
        }
    }
    symlink $secret, "$data/copy.db";
    isnt +(admin("backup $data/copy.db"))[0], 0, 'a backup over a link is refused';
}

# If a user may not open the logbook, every command names the owner and the command to run.
SKIP: {
    skip 'needs root, to act as two users', 1 if $> != 0;
    my @owner = getpwnam 'daemon';
    my @stranger = getpwnam 'nobody';
    skip 'needs the users daemon and nobody', 1 if !@owner || !@stranger;
    my $program = QSOsync::Front::program('qsosync-admin');
    my $copy = tempdir(CLEANUP => 1, TMPDIR => 1);
    chmod 0755, $copy or die;
    system('install', '-m', '755', $program, "$copy/qsosync-admin") == 0 or die;

    # Runs a command as a user. Returns the exit status and the output.
    sub run_as {
        my ($user, @arguments) = @_;
        open my $output, '-|', 'setpriv', '--reuid', $user->[2], '--regid', $user->[3], '--clear-groups', 'sh', '-c',
            '"$@" 2>&1 < /dev/null',
            'sh', "$copy/qsosync-admin", @arguments or die "setpriv: $!";
        my $said = join '', <$output>;
        close $output;
        return ($? >> 8, $said);
    }

    my $folder = "$copy/data";
    mkdir $folder or die;
    chown @owner[2, 3], $folder or die;
    my $db = "$folder/logbook.db";
    is +(run_as(\@owner, '--db', $db, 'init'))[0], 0, 'the owner creates a logbook';
    is +(run_as(\@owner, '--db', $db, 'backup', "$folder/copy.db"))[0], 0, 'the owner creates a backup';
    chmod 0700, $folder or die;

    # Every command in the help, except doctor and instance, runs with the required arguments.
    my %word = (CALLSIGN => 'A', NEW => 'B', NUMBER => 1, LOCATOR => 'JO59', NAME => "it's mine", DIR => $copy,
        'READ|WRITE' => 'READ');
    my %needs = (restore => ["$folder/copy.db"], backup => ['/tmp/never.db'], import => ['A', '/dev/null'],
        'member delete' => ['A', '--yes'], undo => ['A', '--act', 1]);
    my @commands = map {
        my ($words, $usage) = /\A((?:[a-z][a-z-]* ?)+)(.*)\z/;
        $words =~ s/ \z//;
        1 while $usage =~ s/\[[^][]*\]//;
        [split(/ /, $words), $needs{$words} ? @{$needs{$words}} : map { $word{$_} // $_ } split ' ', $usage];
    } grep { !/\A(?:doctor|instance) / } map { /^  ([a-z].*?)(?:   *|$)/ ? $1 : () } split /\n/, `$program --help`;
    cmp_ok scalar @commands, '>', 20, 'the help lists the commands';
    for my $case ([$folder, 0700], [$db, 0711]) {
        my ($refusing, $mode) = @$case;
        chmod $mode, $folder or die;
        for (@commands) {
            my @line = ('--db', $db, @$_);
            my ($status, $said) = run_as(\@stranger, @line);
            is $status, 1, sprintf "folder with mode %o: '@$_' run by a stranger is refused", $mode;
            my $words = join ' ', map { /\A[\w\-.\/]+\z/ ? $_ : "'" . s/'/'\\''/gr . "'" } @line;
            is $said, "qsosync-admin: $refusing belongs to daemon; run: runuser -u daemon -- qsosync-admin $words\n",
                "'@$_' names the owner of the logbook and the command to run";
        }
    }
    for my $case ([$folder, 0700], [$db, 0711]) {
        my ($refusing, $mode) = @$case;
        chmod $mode, $folder or die;
        my ($status, $said) = run_as(\@stranger, '--db', $db, 'doctor');
        is $status, 1, sprintf 'folder with mode %o: the doctor fails for a stranger', $mode;
        my $doctor = "qsosync-admin --db $db doctor";
        like $said,
            qr/^trouble  database      \Q$refusing belongs to daemon; fix: runuser -u daemon -- $doctor\E$/m,
            'the doctor names the owner of the logbook and the command to run';
    }
    chmod 0711, $folder or die;
    my (undef, $said) = run_as(\@stranger, '--db', $db, 'member', 'add', 'A', '--locator', 'JO59');
    my ($line) = $said =~ /run: (.*)/;
    is system('sh', '-c', "PATH=$copy:\$PATH $line"), 0, 'the printed command works for root';
    chmod 0711, $folder or die;
    like +(run_as(\@owner, '--db', $db, 'member', 'list'))[1], qr/^A /m, 'the printed command adds the member';
}

done_testing;
