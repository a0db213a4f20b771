use QSOsync::Test fronts => 'nginx';
use QSOsync::Broken;

# A logbook with damaged pages, or one that must not be written: what does not need them is served, the rest is a
# plain 500 and a line that says why, and service is complete as soon as it is put right, without a restart.
use File::Copy qw(copy);
my $service = QSOsync::Service->start(workers => 1);
my ($db, $data) = ($service->db, $service->{data});
$service->expect_log(qr/answered with GENERIC\.INTERNAL_ERROR/);
my $kept = full_qso();
$service->post_batch([map { full_qso() } 1 .. 200]);
$service->post_batch([$kept]);

# A damaged backup.
my $damaged = $service->directory . '/damaged.db';
$service->admin('backup', $damaged);
my $leaf = `sqlite3 '$damaged' "SELECT min(pageno) FROM dbstat WHERE name = 'qsos' AND pagetype = 'leaf'"`;
QSOsync::Front::overwrite($damaged, "\xff" x 3000, 4096 * ($leaf - 1) + 100);
isnt +($service->admin_try('--db', $damaged, 'check'))[0], 0, 'check finds a damaged page in a backup';
is +($service->admin_try('restore', $damaged))[0], 1, 'restore refuses a backup with a damaged page';
is scalar(grep { $_->{clientId} eq $kept->{clientId} } $service->download), 1,
    'a refused restore leaves the logbook as it is';

# Damaged pages of the QSOs.
$service->end_worker($_) for $service->worker_pids;
my $whole = QSOsync::Front::read_file($db);
cmp_ok length $whole, '>', 15 * 4096, 'when the last worker ends, the write-ahead log goes into the database';
my @pages = split /\n/, $service->sqlite(q{SELECT pageno FROM dbstat WHERE name = 'qsos' AND pagetype = 'leaf'});
QSOsync::Front::overwrite($db, "\xff" x 4096, ($_ - 1) * 4096) for @pages[1 .. $#pages];
$service->start_worker;
is $service->get('/me')->status, 200, 'a request that does not need a damaged page is served';
is_internal_error($service->get('/logs?limit=500'), 'a request that needs a damaged page');
is_logged($service, qr/malformed/, 'a damaged page');
my $response = $service->post_batch([$kept]);
isnt $response->status . ($response->json->{results} && $response->json->{results}[0]{id} ? ' saved' : ''), '200 saved',
    'a write that a damaged page does not let be kept is not acknowledged';
isnt +($service->admin_try('check'))[0], 0, 'check finds a damaged page in the logbook';
QSOsync::Front::replace_content($db, $whole);
is_served_again($service, $kept->{clientId}, 'damaged pages');

# A file and a folder that must not be written, by a user who keeps to that.
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
is_internal_error($service->get('/me'), 'a request of a read-only database');
is_internal_error($service->post_batch([qso()]), 'a write to a read-only database');
is_logged($service, qr/readonly|read-only|unable to open|Permission denied/i, 'a read-only database');
set_modes(0640, 0750);
is_served_again($service, $kept->{clientId}, 'a read-only database');

done_testing;
