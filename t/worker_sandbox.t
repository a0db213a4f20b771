use QSOsync::Test fronts => 'none';
use File::Copy qw(copy);
use QSOsync::Worker;

# A worker gives up permissions that it does not need before it serves.
SKIP: {
    skip 'sanitizers and coverage run without the sandbox', 1 if QSOsync::Front::is_instrumented();

    sub start { return QSOsync::Service->start(workers => 1, environment => {@_}) }

    sub of_process {
        my ($pid, $file, $pattern) = @_;
        return QSOsync::Front::read_file("/proc/$pid/$file") =~ $pattern ? $1 : undef;
    }

    # Moves the database out of the folder, makes the worker open it again, and returns the answer.
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
    is database_outside($free)->status, 200,
        'without a sandbox, a worker can open a file outside the folder of the database';
    $free->stop;

    my $service = start();
    my ($worker) = $service->worker_pids;
    is $service->get('/me')->status, 200, 'a worker in its sandbox serves';
    is of_process($worker, 'status', qr/^NoNewPrivs:\s+(\d)/m), 1, 'a worker cannot get new privileges';
    is of_process($worker, 'limits', qr/^Max core file size\s+(\d+\s+\d+)/m) =~ s/\s+/ /r, '1 1',
        'a worker writes no core file';
    SKIP: {
        skip 'this kernel lacks Landlock', 3 if !QSOsync::Front::has_landlock();
        $service->expect_log(qr/logbook\.db: cannot open it: unable to open database file|GENERIC\.INTERNAL/);
        is database_outside($service)->status, 500,
            'a worker in its sandbox cannot open a file outside the folder of the database';
        rename $service->db . '.previous', $service->db or die $!;
        is $service->get('/me')->status, 200, 'a worker in its sandbox can open files in the folder of the database';
    }

    # If a link names the database, the link and the database can be in two folders.
    my ($db, $link) = ($service->db, $service->directory . '/linked/logbook.db');
    mkdir $service->directory . '/linked';
    symlink $db, $link or die $!;
    my $answer = QSOsync::Cgi::answer($service->directory, { QSOSYNC_DB => $link, REQUEST_URI => '/api/v1/me',
        HTTP_X_API_KEY => $service->read_key });
    my $errors = $answer->{errors} =~ s/^.* the sandbox is incomplete: Landlock: .*\n//mr;
    $errors = $answer->{errors} if QSOsync::Front::has_landlock();
    is $answer->status . $errors, '200', 'a worker in its sandbox serves a database behind a link';
}

done_testing;
