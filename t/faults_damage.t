use QSOsync::Test fronts => 'nginx';
use QSOsync::Damage;
use File::Copy qw(copy);

# Pages of the logbook are damaged, or the logbook is read-only. Requests that do not need the damaged part are served.
# Other requests get 500, and the log gives the reason. After the repair, everything is served again without a
# restart.
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
        $service->sqlite('PRAGMA wal_checkpoint(TRUNCATE)'); # two workers that end at once can leave FILE-wal
        $change->();
        $service->replace_ended_workers;
    };
    is $healths->(20), '200', 'every health check of an intact logbook succeeds';
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
        like $healths->($times), qr/503/, "$name: the health check reports the damage";
        $with->(sub { QSOsync::Front::replace_content($service->db, $whole) });
    }
    is $healths->(20), '200', 'a repaired logbook is healthy again';
    $service->stop;
}

# The file and its folder are read-only, and the worker does not run as root.
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

done_testing;
