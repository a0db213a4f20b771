use QSOsync::Test fronts => 'nginx';
use QSOsync::Worker;
use File::Copy qw(copy move);
use File::Temp qw(tempdir);
use POSIX ();
use Time::HiRes qw(sleep);

# Checks that the answer for $name is a 500 that contains only its code.
sub is_internal_error {
    my ($response, $name) = @_;
    is $response->status, 500, "$name gets 500";
    is $response->body, '{"error":{"code":"GENERIC.INTERNAL_ERROR"}}',
        "the 500 of $name contains only the code";
    is $response->header('Content-Type'), 'application/json', "the 500 of $name is JSON";
    ok $response->header('X-Request-Id'), "the 500 of $name has a request id";
    is_deeply $response->headers->{'access-control-allow-origin'}, ['*'], "pages may read the 500 of $name";
}

# Checks that the error log gives the reason. From then on, the test allows the line.
sub is_logged {
    my ($service, $pattern, $name) = @_;
    $service->expect_log($pattern);
    like $service->error_log_text, $pattern, "the log gives the reason of failures with $name";
}

# Checks that reads and writes succeed without a restart, and that the QSO with the clientId exists.
sub is_served_again {
    my ($service, $client_id, $name) = @_;
    is $service->get('/me')->status, 200, "after $name and a repair, the logbook is served";
    is scalar(grep { $_->{clientId} eq $client_id } $service->download), 1, "the logbook loses nothing by $name";
    is $service->post_batch([qso()])->status, 200, "after $name and a repair, the logbook accepts writes";
}

# Pages of the logbook are damaged, or the logbook is read-only. Requests that do not need the damaged part are served.
# Others get a plain 500 and a log line. Service is complete after the repair, without a restart.
my $service = QSOsync::Service->start(workers => 1);
my ($db, $data) = ($service->db, $service->{data});
$service->expect_log(qr/answered with GENERIC\.INTERNAL_ERROR/);
my $kept = full_qso();
$service->post_batch([map { full_qso() } 1 .. 200]);
$service->post_batch([$kept]);

# A damaged backup is refused.
my $damaged = $service->directory . '/damaged.db';
$service->admin('backup', $damaged);
my $leaf = `sqlite3 '$damaged' "SELECT min(pageno) FROM dbstat WHERE name = 'qsos' AND pagetype = 'leaf'"`;
QSOsync::Front::overwrite($damaged, "\xff" x 3000, 4096 * ($leaf - 1) + 100);
isnt +($service->admin_try('--db', $damaged, 'check'))[0], 0, 'check finds a damaged page in a backup';
is +($service->admin_try('restore', $damaged))[0], 1, 'restore refuses a backup with a damaged page';
is scalar(grep { $_->{clientId} eq $kept->{clientId} } $service->download), 1,
    'a refused restore keeps the logbook';

# Damaged pages make QSOs unreadable.
$service->end_worker($_) for $service->worker_pids;
my $whole = QSOsync::Front::read_file($db);
cmp_ok length $whole, '>', 15 * 4096, 'the last worker to end moves the write-ahead log into the database';
my @pages = split /\n/, $service->sqlite(q{SELECT pageno FROM dbstat WHERE name = 'qsos' AND pagetype = 'leaf'});
QSOsync::Front::overwrite($db, "\xff" x 4096, ($_ - 1) * 4096) for @pages[1 .. $#pages];
$service->start_worker;
is $service->get('/me')->status, 200, 'a request that reads no damaged page is served';
is_internal_error($service->get('/logs?limit=500'), 'a request that needs a damaged page');
is_logged($service, qr/malformed/, 'a damaged page');
my $response = $service->post_batch([$kept]);
isnt $response->status . ($response->json->{results} && $response->json->{results}[0]{id} ? ' saved' : ''), '200 saved',
    'a write that hits a damaged page is not acknowledged';
isnt +($service->admin_try('check'))[0], 0, 'check finds a damaged page in the logbook';
QSOsync::Front::replace_content($db, $whole);
is_served_again($service, $kept->{clientId}, 'damaged pages');

# The health check detects unreadable QSOs, even if everything else is readable.
{
    my $service = QSOsync::Service->start(workers => 1, site => 1);
    $service->expect_log(qr/malformed|healthz|answered with GENERIC/);
    $service->post_batch([map { full_qso() } 1 .. 200]) for 1 .. 3;
    my $healths = sub { my %seen; $seen{$service->request('GET', 'healthz', raw_path => '/healthz')->status}++
        for 1 .. $_[0]; return join ' ', sort keys %seen };
    my $with = sub {
        my ($change) = @_;
        kill 'TERM', $service->worker_pids, $service->site_pids;
        until_true(sub { !grep { -e "/proc/$_" && QSOsync::Front::read_file("/proc/$_/stat") !~ /\) Z/ }
            $service->worker_pids, $service->site_pids });
        $service->sqlite('PRAGMA wal_checkpoint(TRUNCATE)'); # two workers that end at once can both leave the log
        $change->();
        $service->replace_ended_workers;
    };
    is $healths->(20), '200', 'an intact logbook is always healthy';
    my %pages;
    $with->(sub {
        $whole = QSOsync::Front::read_file($service->db);
        $pages{$_} = [split /\n/, $service->sqlite("SELECT pageno FROM dbstat WHERE name = '$_' AND pagetype = 'leaf' "
            . 'ORDER BY pageno')] for 'qsos', 'qsos_by_change';
    });
    my @leaves = @{$pages{qsos}};
    cmp_ok scalar(@leaves), '>', 20, 'QSOs fill many pages';
    for my $case (['the last page of QSOs', 1, $leaves[-1]], ['the index of the log', 1, @{$pages{qsos_by_change}}],
        ['most pages of QSOs', 1, @leaves[1 .. $#leaves]], ['every second page except the first and the last',
            60, map { $leaves[2 * $_] } 1 .. $#leaves / 2 - 1]) {
        my ($name, $times, @damaged) = @$case;
        $with->(sub { QSOsync::Front::overwrite($service->db, "\xff" x 4096, ($_ - 1) * 4096) for @damaged });
        like $healths->($times), qr/503/, "$name: the service reports that it is unhealthy";
        $with->(sub { QSOsync::Front::replace_content($service->db, $whole) });
    }
    is $healths->(20), '200', 'a repaired logbook is healthy again';
    $service->stop;
}

# The file and its folder are read-only, for a user who obeys the permissions.
if ($> == 0) {
    my $program = $service->directory . '/worker';
    copy $service->{program}, $program or die $!;
    QSOsync::Front::write_file("$program.sh", "#!/bin/sh\n"
        . "exec setpriv --reuid=65534 --regid=65534 --clear-groups '$program'\n");
    chmod 0755, $program, "$program.sh";
    $service->{program} = "$program.sh";
}
sub set_modes {
    my ($file, $folder) = @_;
    my @files = glob "$data/*";
    chown 65534, 65534, @files, $data if $> == 0;
    chmod $file, @files;
    chmod $folder, $data;
}
$service->restart_workers(sub { set_modes(0444, 0555) });
is_internal_error($service->get('/me'), 'a request to a read-only database');
is_internal_error($service->post_batch([qso()]), 'a write to a read-only database');
is_logged($service, qr/readonly|read-only|unable to open|Permission denied/i, 'a read-only database');
set_modes(0640, 0750);
is_served_again($service, $kept->{clientId}, 'a read-only database');
$service->stop;

# The disk is really full. Reads continue for everybody, writes are refused with an error, and no worker dies.
SKIP: {
    skip 'only root makes a small disk', 1 if $> != 0;
    my $disk = tempdir('qsosync-disk-XXXXXXXX', TMPDIR => 1);
    if (system("mount -t tmpfs -o size=32m none '$disk' 2>/dev/null") != 0) {
        rmdir $disk;
        skip 'the system does not let this test make a small disk', 1;
    }
    my $owner = $$;
    END { system('umount', '-l', $disk), rmdir $disk if $owner && $owner == $$ }

    my $service = QSOsync::Service->start(workers => 1, data => "$disk/data",
        environment => { QSOSYNC_RATE_LIMIT => 300 });
    $service->expect_log(qr/answered with GENERIC\.INTERNAL_ERROR|: cannot /);
    my $pid = ($service->worker_pids)[0];
    sub fill { system("cat /dev/zero > '$disk/full' 2>/dev/null") }
    # Returns a new client address.
    my $number = 0;
    sub ask {
        $number++;
        my $response = QSOsync::Cgi::answer($service->directory, { QSOSYNC_DB => $service->db,
            REQUEST_URI => '/api/v1/me',
            REMOTE_ADDR => "198.51.100.$number", HTTP_AUTHORIZATION => 'Bearer ' . $service->read_key });
        is $? & 127, 0, 'a full disk ends no worker';
        return $response;
    }

    $service->post_batch([my $kept = qso()]);
    $service->get('/me');
    fill();
    is $service->get('/logs')->status, 200, 'reads continue while the disk is full';
    is ask()->status, 200, 'a new client is served while the disk is full' for 1 .. 5;
    my $refused = full_qso(notes => 'x' x 2000);
    my $response;
    do { $response = $service->post_batch([map { full_qso(notes => 'y' x 2000) } 1 .. 200]) }
        while $response->status == 200;
    $response = $service->post_batch([$refused, map { full_qso(notes => 'x' x 2000) } 1 .. 100]);
    is $response->status . ' ' . $response->code, '500 GENERIC.INTERNAL_ERROR',
        'a batch on a full disk is refused';
    like $service->error_log_text, qr/database or disk is full/, 'the log states that the disk is full';
    is scalar(grep { ($_->{notes} || '') =~ /\Ax/ } $service->download), 0,
        'a batch refused on a full disk saves nothing';
    unlink "$disk/full";
    is $service->post_batch([$refused])->status, 200, 'as soon as the disk has space again, a batch is accepted';
    is +($service->worker_pids)[0], $pid, 'the worker continues after a full disk';
    is waitpid($pid, POSIX::WNOHANG()), 0, 'the worker is alive after a full disk';

    # The first start fails on a full disk.
    $service->end_worker($pid);
    unlink glob "$disk/data/*-limits $disk/data/*-gate $disk/data/*-shm";
    fill();
    like ask()->status, qr/\A(?:200|500)\z/, 'a program started on a full disk answers' for 1 .. 3;
    unlink "$disk/full";
    $service->start_worker;
    is $service->get('/me')->header('RateLimit-Limit'), 300,
        'as soon as the disk has space again, the request limit works';
    is scalar(grep { $_->{clientId} eq $kept->{clientId} ||
        $_->{clientId} eq $refused->{clientId} } $service->download), 2,
        'a full disk loses no acknowledged QSO';
    is $service->admin('check'), '', 'the logbook passes the check after a full disk';

    # A journal without its file would undo a file created later in the same place.
    my $large = $service->directory . '/large.db';
    $service->admin('backup', $large);
    my $eight_megabytes = <<'SQL';
CREATE TABLE large AS
WITH RECURSIVE numbers (number) AS (VALUES (1) UNION ALL SELECT number + 1 FROM numbers LIMIT 40)
SELECT number, printf('%.200000c', 'x') AS filler FROM numbers
SQL
    system('sqlite3', $large, $eight_megabytes) == 0 or die 'sqlite3';
    for my $free (20, 200, 3000, 7000) {
        fill();
        system('truncate', '-s', "-${free}K", "$disk/full") == 0 or die 'truncate';
        is +($service->admin_try('--db', $large, 'backup', "$disk/copy.db"))[0], 1,
            "a backup that does not fit into $free KiB fails";
        is join(' ', glob "$disk/copy.db*"), '', "a backup that does not fit into $free KiB leaves no file";
        unlink "$disk/full";
    }
    $service->stop;
}

# A file is not a valid logbook: missing, another program's, not a database, empty, of a newer version. The client gets
# a plain 500, the log gives the reason, and the command names it. The file stays unchanged and is served after the
# repair, without a restart.
{
    my $service = QSOsync::Service->start(workers => 1);
    my $db = $service->db;
    $service->expect_log(qr/answered with GENERIC\.INTERNAL_ERROR/);
    my $kept = full_qso();
    $service->post_batch([map { full_qso() } 1 .. 200]);
    $service->post_batch([$kept]);

    # The file is missing, and is then restored.
    move $db, "$db.aside";
    is_internal_error($service->get('/me'), 'a missing database');
    is_logged($service, qr/is not a QSOsync logbook yet; create one with/, 'a missing database');
    move "$db.aside", $db;
    is_served_again($service, $kept->{clientId}, 'a missing database');

    # Without QSOSYNC_DB (suexec removes the setting), a worker uses the built-in path, which is empty.
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

    # Workers that are asked to end finish their requests, so a restart under load fails no request.
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
            is $?, 0, 'a worker ends successfully on request' if $? != 0;
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
        is $service->admin('check'), '', 'the logbook passes the check after restarts';
    }
    $service->stop;
}

done_testing;
