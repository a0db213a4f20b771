use QSOsync::Test fronts => 'nginx';
use QSOsync::Damage;
use QSOsync::Worker;
use File::Copy qw(move);
use POSIX ();

# The logbook's file is missing, another program's database, not a database, empty, or from a newer version. The client
# gets 500. The log and the command give the reason. The file stays unchanged. After the repair, the logbook is
# served without a restart.
my $service = QSOsync::Service->start(workers => 1);
my $db = $service->db;
$service->expect_log(qr/answered with GENERIC\.INTERNAL_ERROR/);
my $kept = full_qso();
$service->post_batch([map { full_qso() } 1 .. 200]);
$service->post_batch([$kept]);

# The file is missing, and is then put back.
move $db, "$db.aside";
is_internal_error($service->get('/me'), 'a missing database');
is_logged($service, qr/is not a QSOsync logbook yet; create one with/, 'a missing database');
move "$db.aside", $db;
is_served_again($service, $kept->{clientId}, 'a missing database');

# Without QSOSYNC_DB (suexec removes the setting), a worker uses the built-in path, where no file exists.
SKIP: {
    my ($default) = `'$QSOsync::Front::BUILD/qsosync.fcgi' --help` =~ m{(/\S+/logbook\.db)};
    skip "there is a $default", 2 if !$default || -e $default;
    my $answer = QSOsync::Cgi::answer($service->directory, { REQUEST_URI => '/api/v1/me', PATH_INFO => '/me' });
    is $answer->status, 500, 'a request without a logbook gets 500';
    like $answer->{errors},
        qr/^\d{4}-\d\d-\d\dT\S+Z qsosync\.fcgi: \[\w+\] QSOSYNC_DB is not set here, .*\Q$default\E/m,
        'the log line names the missing QSOSYNC_DB before the command init';
}

# The file is another program's database, not a database, or empty.
my $foreign = $service->directory . '/foreign.db';
system('sqlite3', $foreign, 'CREATE TABLE a (b)') == 0 or die;
my ($status, undef, $errors) = $service->admin_try('--db', $foreign, 'member', 'list');
is $status, 1, "the command refuses another program's database";
like $errors, qr/not a QSOsync logbook/, 'the command reports that the database belongs to another program';
for my $case (["another program's database", QSOsync::Front::read_file($foreign), qr/not a QSOsync logbook/],
    ['a file that is not a database', 'no database at all, but long enough to be looked at ' x 100,
    qr/file is not a database/],
    ['an empty file', '', qr/not a QSOsync logbook/]) {
    my ($name, $bytes, $pattern) = @$case;
    my $whole;
    $service->restart_workers(sub {
        $whole = QSOsync::Front::read_file($db);
        QSOsync::Front::replace_content($db, $bytes);
    });
    is_internal_error($service->get('/me'), "a request with $name");
    is_internal_error($service->post_batch([qso()]), "a write with $name");
    is_logged($service, $pattern, $name);
    ok QSOsync::Front::read_file($db) eq $bytes, "$name is left unchanged";
    QSOsync::Front::replace_content($db, $whole);
    is_served_again($service, $kept->{clientId}, $name);
}
QSOsync::Front::write_file($foreign, 'no database at all, but long enough to be looked at ' x 20);
is +($service->admin_try('--db', $foreign, 'init'))[0], 1, 'init refuses a file that is not a database';

# The logbook belongs to a newer program.
my $version = $service->sqlite('PRAGMA user_version');
$service->sqlite('PRAGMA user_version = ' . ($version + 1));
($status, undef, $errors) = $service->admin_try('member', 'list');
is $status, 1, 'the command refuses a newer schema';
like $errors, qr/\Aqsosync-admin: .*use a newer QSOsync\n\z/, 'one line names the newer schema';
$service->restart_workers();
is_internal_error($service->get('/me'), 'a newer schema');
is_logged($service, qr/supports only versions up to/, 'a newer schema');
$service->sqlite("PRAGMA user_version = $version");
is_served_again($service, $kept->{clientId}, 'a newer schema');
is $service->admin('check'), '', 'the logbook passes the check after wrong files';
$service->stop;

done_testing;
