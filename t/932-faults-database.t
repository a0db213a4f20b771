use QSOsync::Test fronts => 'nginx';

# What the client and the operator are told when something is wrong with the database.
use File::Copy qw(copy move);
my $service = QSOsync::Service->start(environment => { QSOSYNC_WRITE_WAIT_MS => 300 });
my $db = $service->db;
$service->expect_log(qr/answered with GENERIC\.INTERNAL_ERROR/);

sub is_fault {
    my ($response, $name) = @_;
    is $response->status . ' ' . $response->code, '500 GENERIC.INTERNAL_ERROR', "$name: the client reads a plain 500";
    unlike $response->body, qr/sqlite|logbook|\//i, "$name: and nothing internal";
}
sub is_logged {
    my ($pattern, $name) = @_;
    $service->expect_log($pattern);
    like $service->error_log_text, $pattern, "$name: the log says why";
}
$service->post_batch([my $qso = qso()]);

# Locked by another program for longer than a write waits.
my $locker = fork;
if (!$locker) {
    open STDOUT, '>', '/dev/null';
    exec 'sh', '-c', "(echo 'BEGIN IMMEDIATE;'; sleep 2) | sqlite3 '$db'";
}
select undef, undef, undef, 0.5;
is_fault($service->post_batch([qso()]), 'a database locked by others');
is_logged(qr/database is locked/, 'a database locked by others');
is $service->get('/logs')->status, 200, 'reading goes on meanwhile';
waitpid $locker, 0;
is $service->post_batch([qso()])->status, 200, 'and writing afterwards';

# Missing, and put back.
move $db, "$db.aside";
is_fault($service->get('/me'), 'a missing database');
is_logged(qr/is no logbook yet; make one with/, 'a missing database');
move "$db.aside", $db;
is $service->get('/me')->status, 200, 'it is used as soon as it is back';

# Of a newer program.
my $version = $service->sqlite('PRAGMA user_version');
$service->sqlite('PRAGMA user_version = ' . ($version + 1));
my ($status, undef, $errors) = $service->admin_try('member', 'list');
is $status, 1, 'a newer schema is refused';
like $errors, qr/\Aqsosync-admin: .*newer than .*\n\z/, 'in one line';
$service->end_worker($_) for $service->worker_pids;
$service->start_worker;
is_fault($service->get('/me'), 'a newer schema');
is_logged(qr/newer than the/, 'a newer schema');
$service->sqlite("PRAGMA user_version = $version");
is $service->get('/me')->status, 200, 'put right, it works at once';

# Somebody else's database, and no database at all.
my $foreign = $service->directory . '/foreign.db';
system 'sqlite3', $foreign, 'CREATE TABLE a (b)';
(my $exit, undef, $errors) = $service->admin_try('--db', $foreign, 'member', 'list');
is $exit, 1, 'another database is refused';
like $errors, qr/no QSOsync logbook/, 'and named as such';
open my $file, '>', $foreign or die $!;
print {$file} 'no database at all, but long enough to be looked at ' x 20;
close $file;
is((($service->admin_try('--db', $foreign, 'init'))[0]), 1, 'a file that is no database is not overwritten');

# A disk that is full: no file may grow.
SKIP: {
    my $limit = int((-s $db) / 512) + 1;
    my $folder = $service->directory . '/full';
    mkdir $folder;
    copy $db, "$folder/l.db";
    my $output = `cd '$folder' && (ulimit -f 1; trap '' XFSZ; '$QSOsync::Front::BUILD/qsosync-admin' --db '$folder/l.db' member add FULL --locator JO59 2>&1; echo "exit \$?")`;
    like $output, qr/exit 1\n\z/, 'a disk that is full is an honest refusal';
    is((($service->admin_try('--db', "$folder/l.db", 'check'))[0]), 0, 'and leaves the database whole');
}

# A damaged page.
my $damaged = $service->directory . '/damaged.db';
$service->post_batch([map { full_qso() } 1 .. 200]);
$service->admin('backup', $damaged);
open $file, '+<', $damaged or die $!;
seek $file, 4096 * 20 + 100, 0;
print {$file} "\xff" x 3000;
close $file;
($status, my $output) = $service->admin_try('--db', $damaged, 'check');
isnt $status, 0, 'check finds a damaged page';
is((($service->admin_try('restore', $damaged))[0]), 1, 'and restore refuses it');
is scalar(grep { $_->{clientId} eq $qso->{clientId} } $service->download), 1, 'the logbook is as it was';

done_testing;
