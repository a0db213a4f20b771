use QSOsync::Test fronts => 'nginx', suite => 'all';
use File::Temp qw(tempdir);
use POSIX ();

# make check passes through Apache if only root can enter the build folder, such as a folder in /root, and if /etc/hosts
# is empty.
SKIP: {
    skip 'for root with Apache', 1 if $> != 0 || !QSOsync::Front::has_apache();
    my $source = $QSOsync::Front::SOURCE;
    my $closed = tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);
    symlink $_, $closed . '/' . s{.*/}{}r for glob "$QSOsync::Front::BUILD/*";

    sub check {
        my ($front, %environment) = @_;
        local %ENV = (%ENV, QSOSYNC_BUILDDIR => $closed, %environment);
        my @before = $environment{before} ? ('unshare', '-m', 'sh', '-c', "$environment{before} && exec \"\$@\"", 'sh')
            : ();
        open my $pipe, '-|', 'sh', '-c', 'exec "$@" 2>&1', 'sh', @before, $^X, "$source/t/check", '--fronts', $front,
            '--',
            'api_paths.t' or die "sh: $!";
        local $/;
        return scalar <$pipe>;
    }

    like check($_), qr/^1 passed, 0 failed\n\z/m, "a test passes through $_ if only root can enter the build folder"
        for qw(fcgid proxy_fcgi htaccess);
    is check('fcgid', TMPDIR => $closed),
        "make check: Apache's user cannot enter $closed, and the tests write below it; take another TMPDIR, or "
        . "FRONTS=nginx\n", 'make check with Apache refuses a TMPDIR that only root can enter';
    SKIP: {
        my $without_hosts = 'mount --bind /dev/null /etc/hosts';
        skip 'only root outside a container can mount', 1 if system("unshare -m sh -c '$without_hosts' 2>/dev/null");
        like check('fcgid proxy_fcgi htaccess cgi', before => $without_hosts), qr/^1 passed, 0 failed\n\z/m,
            'a test passes with an empty /etc/hosts';
    }
}

# nginx's workers, Apache's workers and the command use one logbook at once, as three users of one group. No user can
# lock out the other users.
SKIP: {
    QSOsync::Front::end_leak_detector();
    skip 'only root can be several users', 1 if $> != 0;
    skip 'the users daemon and www-data are Debian\'s', 1 if !getpwnam('daemon') || !getpwnam('www-data');
    my ($daemon, $group) = (scalar getpwnam('daemon'), scalar getgrnam('www-data'));
    my @as_daemon = ('setpriv', "--reuid=$daemon", "--regid=$group", '--clear-groups');

    my $nginx = QSOsync::Service->start(workers => 1);
    my ($data) = $nginx->db =~ m{(.*)/};

    # The folder and the logbook belong to the group, whose users may write to both.
    chmod 0755, $nginx->directory;
    chmod 02770, $data;
    for my $path ($data, glob "$data/*") {
        chown $daemon, $group, $path or die "$path: $!";
        chmod 0660, $path if -f $path;
    }
    $nginx->restart_workers(sub { unlink glob "$data/*-shm $data/*-wal" });
    $nginx->{program} = $nginx->directory . '/worker-as-daemon';
    QSOsync::Front::write_file($nginx->{program}, "#!/bin/sh\nexec @as_daemon "
        . QSOsync::Front::worker_program() . "\n");
    chmod 0755, $nginx->{program};
    $nginx->restart_workers;
    my $apache = QSOsync::Service->start(front => 'fcgid', data => $data, wants_member => 0, without_database => 1);
    my %through = (nginx => $nginx, 'Apache' => $apache);

    my $key = $nginx->write_key;
    my %saved;
    for my $round (1 .. 5) {
        for my $name (sort keys %through) {
            my @qsos = map { qso() } 1 .. 20;
            my $response = $through{$name}->post_batch(\@qsos, key => $key);
            is $response->status, 200, "round $round: a batch is saved through $name";
            $saved{$_->{clientId}} = 1 for @qsos;
        }
        my $callsign = "26AT$round";
        is +($nginx->admin_try('member', 'add', $callsign, '--locator', 'JO59jw'))[0], 0,
            "round $round: the command adds a member";
    }
    for my $name (sort keys %through) {
        my %log = map { $_->{clientId} => 1 } $through{$name}->download(key => $key);
        is_deeply \%log, \%saved, "$name returns all QSOs that either front server saved";
    }

    # After all processes have ended and the helper files are gone, root opens the logbook first, and then another
    # user's worker.
    $nginx->end_worker($_) for $nginx->worker_pids;
    $apache->stop;
    unlink glob "$data/*-gate $data/*-limits";
    is +($nginx->admin_try('key', 'list', '21SD333'))[0], 0, "root can create the logbook's helper files again";
    $nginx->start_worker;
    is $nginx->post_batch([qso()])->status, 200,
        'a worker of another user can write after root created the helper files';
    is $nginx->admin('check'), '', 'the logbook passes the check after all writes';
}

done_testing;
