use QSOsync::Test fronts => 'none';
use QSOsync::Doctor;
use File::Temp qw(tempdir);
use POSIX ();

# What the owner of the logbook's folder, or any other user, can put in root's way: root's commands wait for nothing,
# show no byte of it as it is, and name nobody the owner because a process says so.
plan skip_all => 'needs root, who examines the folder of somebody else' if $> != 0;
my ($user, $uid, $gid) = ('daemon', (getpwnam 'daemon')[2, 3]);
my @stranger = getpwnam 'nobody';
plan skip_all => 'needs the users daemon and nobody' if !defined $uid || !@stranger;
my $place = tempdir(CLEANUP => 1, TMPDIR => 1);
chmod 0755, $place or die;
system('install', '-m', '755', $QSOsync::Doctor::PROGRAM, "$place/qsosync-admin") == 0 or die;
$QSOsync::Doctor::PROGRAM = "$place/qsosync-admin";
my ($folder, $db, $number) = ('', '', 0);

sub as_owner {
    system('setpriv', '--reuid', $uid, '--regid', $gid, '--clear-groups', "$place/qsosync-admin", '--db', $db, @_) == 0
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
sub examine { QSOsync::Doctor::run([], '--db', $db, 'doctor') }
sub wrong { my ($report) = @_; grep { $_->{level} ne 'ok' } @{$report->{checks}} }

# The shell's status: 124 where timeout had to end the command.
sub root {
    my ($input, @words) = @_;
    system('sh', '-c', 'exec timeout 20 "$@" < ' . $input . " > $place/said 2>&1", 'sh', "$place/qsosync-admin", '--db',
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
    is join(', ', map { $_->[0] } @waiting), '', "no command of root waits for a FIFO at FILE$suffix";
    unlink "$db$suffix"; # a backup puts a new note there
    POSIX::mkfifo("$db$suffix", 0666) or die;
    my ($status, $report) = examine();
    my ($found) = grep { $_->{message} =~ /is not (?:an ordinary|a) file/ } @{$report->{checks}};
    like $found->{fix}, qr/\Alook what it is and who has put it there/, "the doctor tells of a FIFO at FILE$suffix"
        or diag $report->{text};
    is scalar(wrong($report)), 1, "a FIFO at FILE$suffix is one finding" or diag $report->{text};
    ok -p "$db$suffix", "the FIFO at FILE$suffix stays where it is";
}
{
    prepare();
    POSIX::mkfifo("$folder/fifo", 0666) or die;
    isnt root('/dev/null', 'restore', "$folder/fifo"), 124, 'restore does not wait for a FIFO that is called a backup';
    isnt root('/dev/null', '--db', "$folder/fifo", 'status'), 124,
        'status does not wait for a FIFO that is called a logbook';
}

# Bytes that move a terminal's cursor.
prepare();
my $escape = "\e]0;owned\a\e[2J";
mkdir "$folder/$escape" or die;
rename "$folder/backup.db", "$folder/$escape/backup.db" or die;
QSOsync::Front::write_file("$db-last-backup", iso_time(time - 9 * 86400) . " $folder/$escape/backup.db\n");
for my $command ('doctor', 'status') {
    my $text = `$place/qsosync-admin --db $db $command`;
    unlike $text, qr/[\x00-\x09\x0b-\x1f\x7f]/, "$command shows no escape sequence of a note of a backup";
}
mkdir "$place/$escape" or die;
$db = "$place/$escape/logbook.db";
my $text = `$place/qsosync-admin --db '$db' doctor`;
unlike $text, qr/[\x00-\x09\x0b-\x1f\x7f]/, 'doctor shows no escape sequence of a path';
like $text, qr/--db \$'\S*\\033\]0;owned\\007\\033\[2J\S*' init - otherwise/m,
    'a path with escape sequences is quoted so that bash reads it';
chomp(my ($fix) = $text =~ /fix: .*--db (\$'.*') init - otherwise/m);
is qx{bash -c "printf %s $fix"}, $db, 'bash reads the quoted path as it was' if -x '/bin/bash';

# One wrong owner is one cause, and its fix mends it without touching the content.
prepare();
chown 0, 0, $db, "$db-gate" or die;
chmod 0600, $db, "$db-gate" or die;
my $content = QSOsync::Front::read_file($db);
my ($status, $report) = examine();
is scalar(wrong($report)), 1, 'files of the wrong owner are one finding' or diag $report->{text};
my ($owner) = wrong($report);
like $owner->{fix}, qr/\Achown $user: --no-dereference \S+ \S+\z/, 'all of them are given to the workers in one line';
like $owner->{message}, qr/1 more of its files/, 'files of the wrong owner are counted';
is system($owner->{fix}), 0, 'the line can be pasted';
($status, $report) = examine();
is "$status $report->{status}", '0 ok', 'nothing else was wrong' or diag $report->{text};
is QSOsync::Front::read_file($db), $content, 'the logbook is as it was';

# A process of somebody else that calls itself a worker of this logbook, by its name or by its program's file.
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
    my (undef, $report) = examine();
    my ($found) = grep { $_->{check} eq 'owner' } @{$report->{checks}};
    like $found->{fix}, qr/\Achown $user: /, "$what is not taken for the logbook's owner" or diag $report->{text};
    unlike $report->{text}, qr/nobody/, "$what is not mentioned";
    kill 'KILL', $pid;
    waitpid $pid, 0;
}
pretending('a process that calls itself qsosync.fcgi', $^X, '-e', '$0 = "qsosync.fcgi"; sleep 600');
system('install', '-m', '755', '/bin/sleep', "$place/qsosync.fcgi") == 0 or die;
pretending("root's program of that name, started by somebody else", "$place/qsosync.fcgi", 600);
chown @stranger[2, 3], "$place/qsosync.fcgi" or die;
pretending("somebody's own program of that name", "$place/qsosync.fcgi", 600);

done_testing;
