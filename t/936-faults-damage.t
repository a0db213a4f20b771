use QSOsync::Test fronts => 'nginx';

# Workers whose database is not theirs, is damaged or must not be written: a plain 500, a line that says why,
# and service again as soon as it is put right, without a restart.
use File::Copy qw(copy);
my $service = QSOsync::Service->start(workers => 1);
my ($db, $data) = ($service->db, $service->{data});
$service->expect_log(qr/answered with GENERIC\.INTERNAL_ERROR/);
my $kept = full_qso();
$service->post_batch([map { full_qso() } 1 .. 200]);
$service->post_batch([$kept]);

# What the file holds, in place: its identity stays.
sub overwrite {
    my ($bytes, $offset) = @_;
    open my $file, '+<:raw', $db or die "$db: $!";
    truncate $file, 0 unless defined $offset;
    seek $file, $offset || 0, 0;
    print {$file} $bytes or die $!;
    close $file or die $!;
}
sub restart {
    $service->end_worker($_) for $service->worker_pids;
    $_[0]->() if $_[0];
    $service->start_worker;
}
sub is_fault {
    my ($response, $name) = @_;
    is $response->status, 500, "$name: status";
    is $response->body, '{"error":{"code":"GENERIC.INTERNAL_ERROR"}}', "$name: no word more than the code";
    is $response->header('Content-Type'), 'application/json', "$name: JSON";
    ok $response->header('X-Request-Id'), "$name: a request id";
    is_deeply $response->headers->{'access-control-allow-origin'}, ['*'], "$name: pages may read it";
}
sub is_logged {
    my ($pattern, $name) = @_;
    $service->expect_log($pattern);
    like $service->error_log_text, $pattern, "$name: the log says why";
}
sub works {
    my ($name) = @_;
    is $service->get('/me')->status, 200, "$name: put right, it is served";
    is scalar(grep { $_->{clientId} eq $kept->{clientId} } $service->download), 1, "$name: with all that was there";
    is $service->post_batch([qso()])->status, 200, "$name: and written to";
}

$service->end_worker($_) for $service->worker_pids;
my $whole = QSOsync::Front::read_file($db);
cmp_ok length $whole, '>', 15 * 4096, 'with its last worker the log has gone into the database';

# A page of the QSOs is damaged; what does not need it goes on.
my @pages = split /\n/, $service->sqlite(q{SELECT pageno FROM dbstat WHERE name = 'qsos' AND pagetype = 'leaf'});
overwrite("\xff" x 4096, ($_ - 1) * 4096) for @pages[1 .. $#pages];
$service->start_worker;
is $service->get('/me')->status, 200, 'a damaged page: what does not need it is served';
is_fault($service->get('/logs?limit=500'), 'a damaged page');
is_logged(qr/malformed/, 'a damaged page');
my $response = $service->post_batch([$kept]);
isnt $response->status . ($response->json->{results} && $response->json->{results}[0]{id} ? ' saved' : ''), '200 saved',
    'a damaged page: nothing is acknowledged that cannot be kept';
isnt +($service->admin_try('check'))[0], 0, 'a damaged page: check finds it';
overwrite($whole);
works('a damaged page');

# Somebody else's database, and no database at all.
my $foreign = $service->directory . '/foreign.db';
system('sqlite3', $foreign, 'CREATE TABLE a (b)') == 0 or die;
for my $case (['a foreign database', QSOsync::Front::read_file($foreign), qr/no QSOsync logbook/],
    ['no database', 'no database at all, but long enough to be looked at ' x 100, qr/file is not a database/],
    ['an empty file', '', qr/no logbook yet|no QSOsync logbook/]) {
    my ($name, $bytes, $pattern) = @$case;
    restart(sub { $whole = QSOsync::Front::read_file($db); overwrite($bytes) });
    is_fault($service->get('/me'), $name);
    is_fault($service->post_batch([qso()]), "$name, written to");
    is_logged($pattern, $name);
    ok QSOsync::Front::read_file($db) eq $bytes, "$name: is left as it is";
    overwrite($whole);
    works($name);
}

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
restart(sub { set_modes(0444, 0555) });
is_fault($service->get('/me'), 'a read-only database');
is_fault($service->post_batch([qso()]), 'a read-only database, written to');
is_logged(qr/readonly|read-only|unable to open|Permission denied/i, 'a read-only database');
set_modes(0640, 0750);
works('a read-only database');

done_testing;
