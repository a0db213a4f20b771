use QSOsync::Test fronts => 'nginx', slow => 10, suite => 'all';
use QSOsync::Variant;
use IPC::Open2 qw(open2);
use POSIX ();

# While another program migrates a large logbook, requests and commands wait for that program. A request or command that
# waits too long reports the reason. A request also reports the time until the next attempt. The logbook is served as
# soon as the lock is free.
my $service = QSOsync::Service->start(workers => 2);
my $db = $service->db;
$service->expect_log(qr/another program has locked the logbook for 10000 ms|answered with GENERIC\.INTERNAL_ERROR/);
$service->end_worker($_) for $service->worker_pids;
unlink glob "$db*";
system("sqlite3 '$db' '.read $QSOsync::Front::SOURCE/schema/migrations/0001_initial.sql' "
    . "'PRAGMA application_id = 1364414291' "
    . "'PRAGMA user_version = 1' 'PRAGMA journal_mode = WAL' > /dev/null") == 0 or die;
chmod 0640, $db;
system('sqlite3', $db,
    "INSERT INTO members (id, callsign, locator, login, created_at) VALUES (1, '21SD333', 'JO59jw', '21sd333', 5)") == 0
    or die;
# Creates a key with the current programs. Older logbooks store the key's fingerprint in the same way.
my $present = "$db.present";
system('cp', $db, $present) == 0 or die;
my $key = $service->admin('--db', $present, 'key', 'add', '21SD333', '--name', 'test', '--scope', 'WRITE');
system('sqlite3', $db, "ATTACH '$present' AS present;
    INSERT INTO api_keys (member_id, name, scope, fingerprint, hint, created_at)
    SELECT member_id, name, scope, fingerprint, hint, created_at FROM present.api_keys") == 0 or die;

my ($from_shell, $to_shell);
sub hold {
    open2($from_shell, $to_shell, 'sqlite3', $db);
    print {$to_shell} "BEGIN IMMEDIATE;\nSELECT 'held';\n";
    is scalar(<$from_shell>), "held\n", 'another program holds the lock of an older logbook';
}
sub release { print {$to_shell} "ROLLBACK;\n.quit\n"; close $to_shell; close $from_shell; wait }

# The lock is held longer than any program waits.
hold();
$service->start_worker for 1, 2;
my @clients = map {
    my $write = $_;
    my $pid = open my $answer, '-|';
    die "fork: $!" if !defined $pid;
    if (!$pid) {
        srand;
        my $response = $write ? $service->post_batch([qso()], key => $key) : $service->get('/me', key => $key);
        print join ' ', $response->status, $response->code // '', $response->header('Retry-After') // '',
            $response->header('X-Request-Id') // '';
        close STDOUT;
        POSIX::_exit(0);
    }
    $answer;
} 0, 1;
my ($status, undef, $errors) = $service->admin_try('member', 'add', '26AT101', '--locator', 'JO59');
is $status, 1, 'a command that waits too long fails';
is $errors,
    "qsosync-admin: $db: another program has locked the logbook for 10000 ms, perhaps to bring its schema up to date; "
    . "try again later\n", 'a command that waits too long gives the reason in one line';
for my $kind ('a reader', 'a writer') {
    my $answer = readline shift @clients;
    my $id = $answer =~ s/ (\S+)\z// ? $1 : 'none';
    is $answer, '500 GENERIC.INTERNAL_ERROR 10', "$kind that waits too long gets a Retry-After";
    like $service->error_log_text, qr/\Q$id\E.*another program has locked the logbook/,
        "the log line states why $kind waited too long";
}
release();
is $service->get('/me', key => $key)->status, 200, 'the logbook is served as soon as the lock is free';
is $service->sqlite('PRAGMA user_version'), QSOsync::Newer::present_version(),
    'the logbook is migrated when the lock is free';

done_testing;
