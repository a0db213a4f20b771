use QSOsync::Test fronts => 'none';
use File::Copy qw(copy);
use QSOsync::Worker;
use IPC::Open2 qw(open2);

# The permissions that a worker has given up while it serves.
SKIP: {
    skip 'sanitizers and coverage run without the sandbox', 1 if QSOsync::Front::is_instrumented();

    sub start { return QSOsync::Service->start(workers => 1, environment => {@_}) }

    sub of_process {
        my ($pid, $file, $pattern) = @_;
        return QSOsync::Front::read_file("/proc/$pid/$file") =~ $pattern ? $1 : undef;
    }

    # Makes the worker open the database again, which is now outside of the folder; returns the answer.
    sub database_outside {
        my ($service) = @_;
        is $service->post_batch([qso()])->status, 200, 'a worker reads and writes the database';
        my ($db, $outside) = ($service->db, $service->directory . '/outside');
        mkdir $outside or die $!;
        $service->sqlite('PRAGMA wal_checkpoint(TRUNCATE)');
        copy($db, "$outside/logbook.db") or die $!;
        rename $db, "$db.previous" or die $!;
        symlink "$outside/logbook.db", $db or die $!;
        unlink "$db-wal", "$db-shm";
        return $service->get('/me');
    }

    my $free = start(QSOSYNC_SANDBOX => 0);
    is database_outside($free)->status, 200, 'without a sandbox a worker opens every file that its user may open';
    $free->stop;

    my $service = start();
    my ($worker) = $service->worker_pids;
    is $service->get('/me')->status, 200, 'a worker in its sandbox serves';
    is of_process($worker, 'status', qr/^NoNewPrivs:\s+(\d)/m), 1, 'a worker never gets new privileges';
    is of_process($worker, 'limits', qr/^Max core file size\s+(\d+\s+\d+)/m) =~ s/\s+/ /r, '1 1',
        'a worker leaves no core file';
    SKIP: {
        skip 'this kernel lacks Landlock', 3 if !QSOsync::Front::has_landlock();
        $service->expect_log(qr/logbook\.db: cannot open it: unable to open database file|GENERIC\.INTERNAL/);
        is database_outside($service)->status, 500,
            'a worker in its sandbox opens no file outside of the folder of the database';
        rename $service->db . '.previous', $service->db or die $!;
        is $service->get('/me')->status, 200, 'a worker in its sandbox opens files in the folder of the database';
    }

    # If a link names the database, its files are in two folders.
    my ($db, $link) = ($service->db, $service->directory . '/linked/logbook.db');
    mkdir $service->directory . '/linked';
    symlink $db, $link or die $!;
    my $answer = QSOsync::Cgi::answer($service->directory, { QSOSYNC_DB => $link, REQUEST_URI => '/api/v1/me',
        HTTP_X_API_KEY => $service->read_key });
    my $errors = $answer->{errors} =~ s/^.* the sandbox is incomplete: Landlock: .*\n//mr;
    $errors = $answer->{errors} if QSOsync::Front::has_landlock();
    is $answer->status . $errors, '200', 'a worker in its sandbox serves a database behind a link';
}

# A database behind a symbolic link is the same one. The writer lock and the limits table are next to the file itself.
# Programs with different names for the file therefore wait for each other and count together.
{
    my $service = QSOsync::Service->start;
    my ($data, $folder) = ($service->{data}, $service->directory . '/links');
    mkdir $folder or die $!;
    symlink $service->db, "$folder/linked.db" or die $!;

    sub remaining_through {
        my ($path) = @_;
        my $response = QSOsync::Cgi::answer($service->directory, { QSOSYNC_DB => $path, REQUEST_URI => '/api/v1/me',
            HTTP_AUTHORIZATION => 'Bearer ' . $service->read_key });
        is $response->status, 200, "$path is served";
        return $response->header('RateLimit-Remaining');
    }
    my $remaining = remaining_through($service->db);
    is remaining_through("$folder/linked.db"), $remaining - 1, 'requests count together under both names';
    is join(' ', map { s{.*/}{}r } sort glob "$folder/*"), 'linked.db', 'no file is created next to the link';

    # The same for the command.
    my ($status, $output, $errors) = $service->admin_try('--db', "$folder/linked.db", 'key', 'add', '21SD333',
        '--name', 'by link', '--scope', 'READ');
    is $status, 0, 'the command writes through a link' or diag $errors;
    is join(' ', map { s{.*/}{}r } sort glob "$folder/*"), 'linked.db', 'the command creates no file next to the link';
    like join(' ', map { s{.*/}{}r } sort glob "$data/*"), qr/logbook\.db-gate.*logbook\.db-limits/,
        'lock and limits are next to the database';

    # The last writes are still in the write-ahead log while another program has the database open.
    my $reader = open2(my $from_shell, my $to_shell, 'sqlite3', $service->db);
    print {$to_shell} "BEGIN; SELECT 'open' FROM members LIMIT 1;\n";
    is scalar(<$from_shell>), "open\n", 'another program has the database open';
    $service->admin('member', 'add', '26AT101', '--locator', 'JO59jw');
    sub told_through { my ($path, @command) = @_; return ($service->admin_try('--db', $path, @command))[1] }
    for my $command (['member', 'list', '--json'], ['status', '--json'], ['export', '26AT101']) {
        my ($direct, $linked) = map { told_through($_, @$command) } $service->db, "$folder/linked.db";
        s/"logbook": *"[^"]*"//, s/<CREATED_TIMESTAMP:15>[0-9 ]*// for $direct, $linked;
        is $linked, $direct, "$command->[0] reads the last writes through the link";
    }

    # The doctor finds these files under the name that it uses.
    told_through("$folder/linked.db", 'backup', "$data/copy.db");
    ok -e $service->db . '-last-backup', 'a backup through the link is recorded next to the database';
    is join(' ', map { s{.*/}{}r } sort glob "$folder/*"), 'linked.db', 'still no file is next to the link';
    print {$to_shell} "COMMIT;\n.quit\n";
    close $to_shell;
    waitpid $reader, 0;
    $service->stop;
}

done_testing;
