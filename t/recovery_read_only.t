use QSOsync::Test fronts => 'none';
use Digest::SHA ();
use Fcntl qw(:flock);
use File::Copy qw(copy);

# Commands that only read leave a logbook and its backups unchanged, byte for byte, and need no write permission.
my $service = QSOsync::Service->start;
$service->post_batch([map({ full_qso() } 1 .. 20),
    qso(callsignWorked => '26AT101', frequencyMhz => '27.555', sendSpot => JSON::PP::true())]);
my $media = $service->directory . '/media %41?#';
mkdir $media or die;
$service->admin('backup', "$media/backup.db");
$_->() for map { my $pid = $_; sub { $service->end_worker($pid) } } $service->worker_pids;
copy $service->db, "$media/stopped.db" or die; # a copy made by cp while the service is stopped
is `head -c 20 '$media/stopped.db' | tail -c 2 | od -An -tx1`, " 02 02\n",
    'the logbook of a stopped service is in write-ahead-log mode';

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
            like $said, qr/21SD333/, "$name $where: '@$case[2 .. $#$case]' lists the content"
                if $case->[-1] =~ /list|spots/;
        }
    }
    is state_of(), $before, "files $where are unchanged, and no file is added";
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
    is state_of(), $before, "a restore leaves files $where unchanged";
}

reads_well('in a folder of their owner');
restores_well('in a folder of their owner');
my @stranger = getpwnam 'nobody';
SKIP: {
    skip 'needs root to switch to another user', 1 if $> != 0 || !@stranger;
    chmod 0644, glob "'$media/*'";
    chmod 0755, $service->directory, $media;
    my $copy = File::Temp::tempdir(CLEANUP => 1, TMPDIR => 1);
    chmod 0755, $copy;
    system('install', '-m', '755', $program, "$copy/qsosync-admin") == 0 or die;
    $program = "$copy/qsosync-admin";
    reads_well('of another user', ['setpriv', '--reuid', $stranger[2], '--regid', $stranger[3], '--clear-groups']);
}
SKIP: {
    skip 'needs root and permission to mount', 1
        if $> != 0 || system('unshare', '-m', 'true') != 0
        || system("mount --bind -o ro '$media' '$media' 2> /dev/null && mount -o remount,bind,ro '$media'") != 0;
    ok !open(my $new, '>', "$media/new"), 'a read-only medium cannot be written to';
    reads_well('on a read-only medium');
    restores_well('on a read-only medium');
    system('umount', $media) == 0 or die;
}

# A file is missing, or a logbook is in use.
my $text = run([], 'check', $service->directory . '/none.db');
is $?, 1 << 8, 'check fails for a missing file';
like $text, qr/\Aqsosync-admin: [^\n]*none\.db: No such file or directory\n\z/, 'check names a missing file';
$service->start_worker;
$service->post_batch([qso()]);
is $service->admin('check', $service->db), '', 'check accepts the path of a logbook in use';
is $service->post_batch([qso()])->status, 200, 'a logbook accepts writes after a check';

# A backup is truncated.
truncate "$media/backup.db", 20000 or die;
$text = run([], 'check', "$media/backup.db");
is $?, 1 << 8, 'check fails for a truncated backup';

done_testing;
