use QSOsync::Test fronts => 'nginx';
use POSIX ();

# One logbook, served by nginx's workers and by Apache's at once, and cared for by the command: three users of one
# group, none of whom can lock out the others.
QSOsync::Front::end_leak_detector();
plan skip_all => 'only root can be several users' if $> != 0;
plan skip_all => 'the users daemon and www-data are Debian\'s' if !getpwnam('daemon') || !getpwnam('www-data');
my ($daemon, $group) = (scalar getpwnam('daemon'), scalar getgrnam('www-data'));
my @as_daemon = ('setpriv', "--reuid=$daemon", "--regid=$group", '--clear-groups');

my $nginx = QSOsync::Service->start(workers => 1);
my ($data) = $nginx->db =~ m{(.*)/};

# What an operator does for it: the folder and the logbook belong to the group and are the group's to write.
chmod 0755, $nginx->directory;
chmod 02770, $data;
for my $path ($data, glob "$data/*") {
    chown $daemon, $group, $path or die "$path: $!";
    chmod 0660, $path if -f $path;
}
$nginx->restart_workers(sub { unlink glob "$data/*-shm $data/*-wal" });
$nginx->{program} = $nginx->directory . '/worker-as-daemon';
QSOsync::Front::write_file($nginx->{program}, "#!/bin/sh\nexec @as_daemon " . QSOsync::Front::worker_program() . "\n");
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
    is_deeply \%log, \%saved, "what was saved through either front is read through $name";
}

# All ended, each in turn the first to open the logbook again.
$nginx->end_worker($_) for $nginx->worker_pids;
$apache->stop;
unlink glob "$data/*-gate $data/*-limits";
is +($nginx->admin_try('key', 'list', '21SD333'))[0], 0, 'root makes the files beside the logbook again';
$nginx->start_worker;
is $nginx->post_batch([qso()])->status, 200,
    'a worker of another user writes after root made the files beside the logbook';
is $nginx->admin('check'), '', 'after all of them the logbook is whole';

done_testing;
