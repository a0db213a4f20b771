use QSOsync::Test fronts => 'none', slow => 14;
use QSOsync::Worker;
use File::Temp qw(tempdir);
use Cwd qw(getcwd);

# The path of a logbook is a file's literal name. SQLite must not read the path as a URI (with "?" and "%") or as a
# database in memory.
my $folder = tempdir(CLEANUP => 1, TMPDIR => 1);
chmod 0755, $folder or die;
my $program = "$QSOsync::Front::BUILD/qsosync-admin";
my $came_from = getcwd();

sub run {
    my (@arguments) = @_;
    open my $output, '-|', 'sh', '-c', '"$@" 2>&1', 'sh', $program, @arguments or die "sh: $!";
    my $said = do { local $/; <$output> } // '';
    close $output;
    chomp $said;
    return $? == 0 ? $said : "exit status @{[$? >> 8]}: $said";
}
sub files {
    opendir my $place, '.' or die;
    return grep { !/\A\.\.?\z|-(?:gate|wal|shm|limits|logins|last-backup|restore-\d.*)\z/ } sort readdir $place;
}
sub ask {
    my ($db, $key, $method, $path, %option) = @_;
    return QSOsync::Cgi::answer($folder, { QSOSYNC_DB => $db, REQUEST_METHOD => $method,
        REQUEST_URI => "/api/v1$path",
        HTTP_AUTHORIZATION => "Bearer $key", CONTENT_TYPE => 'application/json' }, %option)->status;
}

my $number = 0;
for my $name ('file:x?y', 'file:x.db?mode=memory', 'file:%41#b.db', ':memory:', 'file::memory:', "a b?c=d&'e\".db",
    '100%.db', '#1', '-x') {
    for my $where ('', "$folder/file:a b%20?c/") {
        my $place = "$folder/" . ++$number;
        my $db = $where eq '' ? $name : "$where$number/$name";
        $place = "$where$number" if $where ne '';
        mkdir $where;
        mkdir $place or die "$place: $!";
        chdir $place or die "$place: $!";
        is run('--db', $db, 'init'), '', "'$db': init creates a logbook";
        is join(' ', files()), $name, "'$db' is the file's literal name";
        run('--db', $db, 'member', 'add', '21SD333', '--locator', 'JO59');
        my $key = run('--db', $db, 'key', 'add', '21SD333', '--name', 'x', '--scope', 'WRITE');
        is ask($db, $key, 'GET', '/me'), 200, "'$db': a worker serves the logbook";
        is ask($db, $key, 'POST', '/logs/batch', body => JSON::PP::encode_json({ entries => [qso()] })), 200,
            "'$db': a worker writes to the logbook";
        is run('--db', $db, 'backup', $name eq '-x' ? './-x.copy' : "$name.copy"), '', "'$db': a backup succeeds";
        like run('--db', $db, 'restore', "./$name.copy"), qr/\A\S.*kept as /s, "'$db': the backup is restored";
        like run('--db', $db, 'status', '--json'), qr/"qsos": ?1\b/, "'$db': the restored logbook has the QSO";
        is run('--db', $db, 'check'), '', "'$db' passes the check";
        is run('--db', $db, 'check', "./$name.copy"), '', "'$db': the backup passes the check";
        is scalar(grep { !/\A\Q$name\E(?:\.copy|\.before-restore-\d+|)\z/ } files()), 0,
            "'$db': no command creates a file with an unexpected name" or diag join ' ', files();
    }
}
chdir $came_from;

done_testing;
