use QSOsync::Test fronts => 'nginx';
use Time::HiRes qw(sleep);
use POSIX ();
use QSOsync::Broken;
use QSOsync::Cgi;

# A file that is no logbook for this program: missing, another program's, no database, empty, of a newer version.
# The client reads a plain 500, the log says why, the command names it, the file is left as it is, and it is served
# as soon as it is put right, without a restart.
use File::Copy qw(copy move);
my $service = QSOsync::Service->start(workers => 1);
my $db = $service->db;
$service->expect_log(qr/answered with GENERIC\.INTERNAL_ERROR/);
my $kept = full_qso();
$service->post_batch([map { full_qso() } 1 .. 200]);
$service->post_batch([$kept]);

# Missing, and put back.
move $db, "$db.aside";
is_internal_error($service->get('/me'), 'a missing database');
is_logged($service, qr/is not a QSOsync logbook yet; make one with/, 'a missing database');
move "$db.aside", $db;
is_served_again($service, $kept->{clientId}, 'a missing database');

# No path at all arrived (suexec takes it away), and there is nothing in the place that is built in.
SKIP: {
    my ($default) = `'$QSOsync::Front::BUILD/qsosync.fcgi' --help` =~ m{(/\S+/logbook\.db)};
    skip "there is a $default", 2 if !$default || -e $default;
    my $answer = QSOsync::Cgi::answer($service->directory, { REQUEST_URI => '/api/v1/me', PATH_INFO => '/me' });
    is $answer->status, 500, 'a request without a logbook gets 500';
    like $answer->{errors},
        qr/^\d{4}-\d\d-\d\dT\S+Z qsosync\.fcgi: \[\w+\] QSOSYNC_DB did not arrive here, .*\Q$default\E/m,
        'the log says that no path arrived before it speaks of making a logbook, after the time';
}

# Another program's database, no database at all, nothing.
my $foreign = $service->directory . '/foreign.db';
system('sqlite3', $foreign, 'CREATE TABLE a (b)') == 0 or die;
my ($status, undef, $errors) = $service->admin_try('--db', $foreign, 'member', 'list');
is $status, 1, "the command refuses another program's database";
like $errors, qr/not a QSOsync logbook/, "the command says that another program's database is no logbook";
for my $case (["another program's database", QSOsync::Front::read_file($foreign), qr/not a QSOsync logbook/],
    ['a file that is no database', 'no database at all, but long enough to be looked at ' x 100,
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
    ok QSOsync::Front::read_file($db) eq $bytes, "$name is left as it is";
    QSOsync::Front::replace_content($db, $whole);
    is_served_again($service, $kept->{clientId}, $name);
}
QSOsync::Front::write_file($foreign, 'no database at all, but long enough to be looked at ' x 20);
is +($service->admin_try('--db', $foreign, 'init'))[0], 1, 'init does not overwrite a file that is no database';

# Of a newer program.
my $version = $service->sqlite('PRAGMA user_version');
$service->sqlite('PRAGMA user_version = ' . ($version + 1));
($status, undef, $errors) = $service->admin_try('member', 'list');
is $status, 1, 'the command refuses a newer schema';
like $errors, qr/\Aqsosync-admin: .*newer than .*\n\z/, 'the command says in one line that the schema is newer';
$service->restart_workers();
is_internal_error($service->get('/me'), 'a newer schema');
is_logged($service, qr/newer than the/, 'a newer schema');
$service->sqlite("PRAGMA user_version = $version");
is_served_again($service, $kept->{clientId}, 'a newer schema');
is $service->admin('check'), '', 'the database is whole';

# Workers that are asked to end finish what they serve: a restart under load fails no request.
{
    my $service = QSOsync::Service->start(workers => 4);
    my @clients = map {
        my $number = $_;
        my $pid = fork;
        if (!$pid) {
            srand $$;
            my ($stop, $failed, $done) = (0, '', 0);
            $SIG{TERM} = sub { $stop = 1 };
            until ($stop && $done >= 10) {
                my $response = $number % 2 ? $service->get('/me') : $service->post_batch([map { qso() } 1 .. 10]);
                $done++;
                next if $response && $response->status == 200 && $response->complete && $response->json;
                $failed .= ($response ? $response->status . ' ' . $response->body : 'no answer') . "\n";
            }
            QSOsync::Front::write_file($service->directory . "/client-$number", "$done\n$failed");
            POSIX::_exit(0);
        }
        $pid;
    } 1 .. 6;
    for (1 .. ($ENV{QSOSYNC_TEST_RESTARTS} || 30)) {
        sleep 0.03;
        my ($oldest) = $service->worker_pids;
        $service->start_worker;
        $service->end_worker($oldest, $_ % 2 ? 'TERM' : 'USR1');
        is $?, 0, 'a worker that is asked to end ends well' if $? != 0;
    }
    kill 'TERM', @clients;
    waitpid $_, 0 for @clients;
    my ($failed, $done) = ('', 0);
    for (glob $service->directory . '/client-*') {
        my ($all, $these) = split /\n/, QSOsync::Front::read_file($_), 2;
        $failed .= $these;
        $done += $all;
    }
    is $failed, '', 'no request fails while workers are restarted';
    cmp_ok $done, '>', 50, 'many requests are served while workers are restarted';
    is $service->admin('check'), '', 'the database is whole';
}

done_testing;
