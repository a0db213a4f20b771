use QSOsync::Test fronts => 'nginx', slow => 13;
use QSOsync::Faults;
use QSOsync::Variant;

# The next version of the programs opens a logbook. The logbook is migrated once and completely, whichever program is
# first and however that program ends. Older programs refuse the migrated logbook.
use Errno qw(EIO);
use File::Copy qw(copy);
use POSIX ();
plan skip_all => $_ for grep { $_ } QSOsync::Variant::missing();
my $newer = QSOsync::Newer->new;
my $version = $newer->version;
my $service = QSOsync::Service->start(workers => 1);
my $db = $service->db;
$service->expect_log(qr/answered with GENERIC\.INTERNAL_ERROR|use a newer QSOsync|has schema version $version now/);

# Starts a program in the background, and returns its process id and the file with its output.
my $number = 0;
sub begin {
    my ($program, @arguments) = @_;
    my $log = $service->directory . '/run-' . $number++;
    return [QSOsync::Front::spawn($log, { map { $_ => $ENV{$_} } keys %ENV }, undef, $program, @arguments), $log];
}
sub finish {
    my ($job) = @_;
    waitpid $job->[0], 0;
    return ($? & 127 ? "signal @{[$? & 127]}" : $? >> 8, QSOsync::Front::read_file($job->[1]));
}
sub newer_admin { finish(begin($newer->admin, '--db', @_)) }
sub older_admin { finish(begin("$QSOsync::Front::BUILD/qsosync-admin", '--db', @_)) }
sub shell { my ($file, $sql) = @_; scalar `sqlite3 '$file' "$sql"` }
sub schema { shell($_[0], 'PRAGMA user_version; SELECT sql FROM sqlite_schema ORDER BY name') }
# Returns the rows of four tables. QSOs have only the columns that the older version has.
my @columns = split /\n/, shell($db, "SELECT name FROM pragma_table_info('qsos')");
sub content {
    shell($_[0],
        "SELECT @{[join ',', @columns]} FROM qsos; SELECT * FROM members; SELECT * FROM api_keys; SELECT * FROM spots");
}
sub page { $service->get('/logs?limit=500')->body =~ s/"serverTime":"[^"]*"//r }

my $other = $service->add_member('26AT101');
$service->post_batch([map({ full_qso() } 1 .. 60),
    my $live = qso(callsignWorked => '26AT101', sendSpot => JSON::PP::true())]);
$service->post_batch([qso(callsignWorked => '21SD333')], key => $other->{write_key});
$service->admin('key', 'revoke', '26AT101', 3);
my $page = page();
$service->end_worker($_) for $service->worker_pids;
my $old = $service->directory . '/old.db';
copy $db, $old or die $!;
my ($old_schema, $old_content) = (schema($old), content($old));
chomp(my $old_epoch = shell($old, 'SELECT log_epoch FROM logbook'));
my $epoch = $old_epoch + 1; # the new migration raises the epoch
sub fresh {
    unlink glob "$db*";
    copy $old, $db or die $!;
}

# The first newer program that needs to write to an older logbook migrates the logbook.
is join(' ', newer_admin($db, 'check')), '0 ', 'a newer program can check an older logbook';
is schema($db), $old_schema, 'a command that only reads does not migrate an older logbook';
like +(newer_admin($db, 'member', 'list'))[1], qr/^21SD333 /m, 'a command that only reads can read an older logbook';
is +(newer_admin($db, 'init'))[0], 0, 'a newer program migrates the logbook';
is join(' ', newer_admin($db, 'check')), '0 ', 'a migrated logbook passes the check';
my $new_schema = schema($db);
like $new_schema, qr/\A$version\n/, "a migrated logbook has the newer program's version";
is shell($db, 'SELECT count(*) FROM qsos WHERE notes_length = coalesce(length(notes), 0)'), "62\n",
    'the migration fills its new column';
is content($db), $old_content, 'a migration keeps the existing content';
newer_admin($db, 'init');
is shell($db, 'SELECT log_epoch FROM logbook'), "$epoch\n", 'a migration runs once';
$service->{program} = $newer->worker;
$service->start_worker;
is page(), $page, 'a newer worker serves the log like the older worker';
is $service->post_batch([{ %$live, notes => 'newer' }])->status, 200,
    'a newer worker writes to the migrated logbook';
$service->end_worker($_) for $service->worker_pids;
my $backup = $service->directory . '/backup.db';
is +(newer_admin($db, 'restore', $old))[0], 0, 'a newer program restores a backup from the older program';
is schema($db), $new_schema, 'a newer program migrates a restored older backup';
is content($old), $old_content, 'a restore does not change the older backup itself';

# The older program refuses a newer logbook.
my $bytes = QSOsync::Front::read_file($db);
for my $command (['member', 'list'], ['check'], ['init'], ['backup', $backup]) {
    my ($status, $errors) = older_admin($db, @$command);
    is $status, 1, "the older program refuses @$command";
    like $errors, qr/\Aqsosync-admin: [^\n]*; use a newer QSOsync\n\z/,
        "the older program gives its reason for refusing @$command in one line";
}
ok !-e $backup, 'an older program that refuses a backup creates no file';
$service->{program} = QSOsync::Front::worker_program();
$service->start_worker;
is $service->get('/me')->status, 500, 'the older worker does not read a newer logbook';
is $service->post_batch([qso()])->status, 500, 'the older worker does not write to a newer logbook';
$service->end_worker($_) for $service->worker_pids;
is QSOsync::Front::read_file($db), $bytes, 'the older programs do not change a newer logbook';

# An older worker that has the logbook open during the migration also refuses the migrated logbook.
fresh();
$service->start_worker;
is $service->get('/me')->status, 200, 'an older worker serves an old logbook';
newer_admin($db, 'init');
is $service->post_batch([qso()])->status, 500,
    'an older worker does not write to a logbook that was migrated while the worker had it open';
like $service->error_log_text, qr/has schema version $version now, but this program needs another version/,
    'an older worker logs the reason for not serving a migrated logbook';
is $service->get('/me')->status, 500, 'an older worker does not read a migrated logbook';
is content($db), $old_content, 'the older programs do not change the migrated logbook';
$service->end_worker($_) for $service->worker_pids;

# The migration is killed, or fails with a disk error, at each of its writes and syncs.
SKIP: {
    my $missing = QSOsync::Faults::missing();
    skip $missing, 1 if $missing;
    my $faults = QSOsync::Faults->new;
    local @ENV{'QSOSYNC_DB', keys %{$faults->environment}} = ($db, values %{$faults->environment});
    for my $kind (qw(write sync)) {
        fresh();
        $faults->strike($kind);
        newer_admin($db, 'init');
        my $count = $faults->lift;
        cmp_ok $count, '>', $kind eq 'write' ? 20 : 1, "a migration makes several calls of the kind $kind";
        note "$count calls of $kind";
        for my $at (1 .. $count) {
            for my $error (0, EIO) {
                my $name = ($error ? 'failed' : 'was killed') . " at $kind $at of $count";
                fresh();
                $faults->strike($kind, at => $at, error => $error);
                my ($status, $errors) = newer_admin($db, 'init');
                $faults->lift;
                is $status, 'signal 9', "a migration that $name ends by signal 9" if !$error;
                like $status . $errors, qr/\A0|\A1qsosync-admin: [^\n]*\n\z/,
                    "a migration that $name succeeds or reports the error in one line" if $error;
                my $schema = schema($db);
                ok $schema eq $old_schema || $schema eq $new_schema,
                    "a migration that $name is complete or absent";
                is $schema, $old_schema, "a migration that $name and exited with status 1 changed nothing"
                    if $status eq '1';
                is content($db), $old_content, "the previous content is unchanged after a migration that $name";
                newer_admin($db, 'init');
                is join(' ', newer_admin($db, 'check')), '0 ',
                    "the next program completes a migration that $name";
                is shell($db, 'PRAGMA user_version; SELECT log_epoch FROM logbook'), "$version\n$epoch\n",
                    "a migration that $name runs only once";
            }
        }
    }
}

# Many programs open a large old logbook at once: one program migrates the logbook, and the other programs wait.
fresh();
shell($db, 'INSERT INTO qsos (member_id, client_id, synced_at, created_at, band, qso_at)
    SELECT 1, randomblob(16), value, value, 0, value FROM generate_series(1, 20000)');
copy $db, $old or die $!;
for my $round (1 .. 5) {
    fresh();
    $service->{program} = $newer->worker;
    my @jobs = map { begin($newer->admin, '--db', $db, 'init') } 1 .. 4;
    $service->start_worker for 1 .. 4;
    my @clients = map {
        my $client = fork;
        srand $$ if !$client;
        POSIX::_exit($service->get('/me')->status == 200 && $service->post_batch([qso()])->status == 200 ? 0 : 1)
            if !$client;
        $client;
    } 1 .. 4;
    is join(' ', map { (finish($_))[0] } @jobs), '0 0 0 0',
        'all commands that open an old logbook at once succeed';
    is join(' ', map { waitpid $_, 0; $? } @clients), '0 0 0 0',
        'all workers that open an old logbook at once serve the logbook';
    is shell($db, 'PRAGMA user_version; SELECT log_epoch FROM logbook; SELECT count(*) FROM qsos'),
        "$version\n$epoch\n20066\n", 'only one of several programs migrates an old logbook';
    $service->end_worker($_) for $service->worker_pids;
}
is join(' ', newer_admin($db, 'check')), '0 ', 'the logbook passes the check';

# At the very first start, many programs create the logbook at once.
for my $round (1 .. 20) {
    unlink glob "$db*";
    my @results = map { [finish($_)] } map { begin($newer->admin, '--db', $db, 'init') } 1 .. 6;
    is join(' ', map { $_->[0] } @results), '0 0 0 0 0 0',
        'each of several simultaneous init commands finds or creates the logbook'
        or diag map { $_->[1] } @results;
    is shell($db, 'PRAGMA user_version; SELECT log_epoch FROM logbook'), "$version\n$epoch\n",
        'several simultaneous init commands create one logbook';
}

done_testing;
