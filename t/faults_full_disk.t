use QSOsync::Test fronts => 'nginx';
use QSOsync::Worker;
use File::Temp qw(tempdir);
use POSIX ();

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
    # Sends a request from a new client address to a plain CGI program.
    my $number = 0;
    sub ask {
        $number++;
        my $response = QSOsync::Cgi::answer($service->directory, { QSOSYNC_DB => $service->db,
            REQUEST_URI => '/api/v1/me',
            REMOTE_ADDR => "198.51.100.$number", HTTP_AUTHORIZATION => 'Bearer ' . $service->read_key });
        is $? & 127, 0, 'no signal ends a plain CGI program on a full disk';
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
    is $service->post_batch([$refused])->status, 200, 'a batch is accepted as soon as the disk has space';
    is +($service->worker_pids)[0], $pid, 'the worker continues after a full disk';
    is waitpid($pid, POSIX::WNOHANG()), 0, 'the worker is alive after a full disk';

    # Programs start on a full disk, without the files that they keep next to the logbook.
    $service->end_worker($pid);
    unlink glob "$disk/data/*-limits $disk/data/*-gate $disk/data/*-shm";
    fill();
    like ask()->status, qr/\A(?:200|500)\z/, 'a program started on a full disk answers' for 1 .. 3;
    unlink "$disk/full";
    $service->start_worker;
    is $service->get('/me')->header('RateLimit-Limit'), 300,
        'the request limit works as soon as the disk has space';
    is scalar(grep { $_->{clientId} eq $kept->{clientId} ||
        $_->{clientId} eq $refused->{clientId} } $service->download), 2,
        'a full disk loses no acknowledged QSO';
    is $service->admin('check'), '', 'the logbook passes the check after a full disk';

    # A journal that remains after a failed backup could change a file that is created later at the same path.
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

done_testing;
