use QSOsync::Test fronts => 'nginx', slow => 13;
use QSOsync::Faults;
use QSOsync::Variant;

# A logbook that meets the next version of the programs: brought forward once and whole, whoever comes first and
# whatever ends him, and refused by the version that does not know it.
use Errno qw(EIO);
use File::Copy qw(copy);
use POSIX ();
plan skip_all => $_ for grep { $_ } QSOsync::Variant::missing();
my $newer = QSOsync::Newer->new;
my $version = $newer->version;
my $service = QSOsync::Service->start(workers => 1);
my $db = $service->db;
$service->expect_log(qr/answered with GENERIC\.INTERNAL_ERROR|newer than the|has schema version $version now/);

# A program in the background with its output in a file, and what came of it.
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
# All that this version knows of.
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
my $epoch = $old_epoch + 1; # raised by the new migration
sub fresh {
    unlink glob "$db*";
    copy $old, $db or die $!;
}

# Forward, by the first newer program that opens it.
is join(' ', newer_admin($db, 'check')), '0 ', 'a newer program checks an older logbook';
is schema($db), $old_schema, 'a command that only reads leaves an older logbook as it is';
like +(newer_admin($db, 'member', 'list'))[1], qr/^21SD333 /m, 'a command that only reads knows an older logbook';
is +(newer_admin($db, 'init'))[0], 0, 'a newer program brings the logbook forward';
is join(' ', newer_admin($db, 'check')), '0 ', 'a logbook that was brought forward is whole';
my $new_schema = schema($db);
like $new_schema, qr/\A$version\n/, 'a newer program brings the logbook to its own version';
is shell($db, 'SELECT count(*) FROM qsos WHERE notes_length = coalesce(length(notes), 0)'), "62\n",
    'the new column of a migration has its values';
is content($db), $old_content, 'a migration changes nothing that was there';
newer_admin($db, 'init');
is shell($db, 'SELECT log_epoch FROM logbook'), "$epoch\n", 'a migration runs once';
$service->{program} = $newer->worker;
$service->start_worker;
is page(), $page, 'a newer worker serves the log as the older one did';
is $service->post_batch([{ %$live, notes => 'newer' }])->status, 200,
    'a newer worker writes to the logbook that was brought forward';
$service->end_worker($_) for $service->worker_pids;
my $backup = $service->directory . '/backup.db';
is +(newer_admin($db, 'restore', $old))[0], 0, 'a newer program takes a backup of the older one';
is schema($db), $new_schema, 'a newer program brings a restored older backup forward';
is content($old), $old_content, 'a restore leaves the older backup itself as it is';

# The older program wants nothing to do with it.
my $bytes = QSOsync::Front::read_file($db);
for my $command (['member', 'list'], ['check'], ['init'], ['backup', $backup]) {
    my ($status, $errors) = older_admin($db, @$command);
    is $status, 1, "the older program refuses @$command";
    like $errors, qr/\Aqsosync-admin: [^\n]* newer than [^\n]*\n\z/,
        "the older program says in one line why it refuses @$command";
}
ok !-e $backup, 'the older program makes no file for a backup that it refuses';
$service->{program} = QSOsync::Front::worker_program();
$service->start_worker;
is $service->get('/me')->status, 500, 'the older worker does not read a newer logbook';
is $service->post_batch([qso()])->status, 500, 'the older worker does not write to a newer logbook';
$service->end_worker($_) for $service->worker_pids;
is QSOsync::Front::read_file($db), $bytes, 'the older programs leave a newer logbook as it is';

# Nor does an older worker that has it open while somebody brings it forward.
fresh();
$service->start_worker;
is $service->get('/me')->status, 200, 'an older worker serves an old logbook';
newer_admin($db, 'init');
is $service->post_batch([qso()])->status, 500,
    'an older worker writes nothing to a logbook that was brought forward while it has it open';
like $service->error_log_text, qr/has schema version $version now, which is not that of this program/,
    'an older worker says why it does not serve a logbook that was brought forward';
is $service->get('/me')->status, 500, 'an older worker does not read a logbook that was brought forward';
is content($db), $old_content, 'the older programs leave a newer logbook as it is';
$service->end_worker($_) for $service->worker_pids;

# Killed, or failed by the disk, at each write on the way.
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
        cmp_ok $count, '>', $kind eq 'write' ? 20 : 1, "a migration makes calls of $kind that can fail";
        note "$count calls of $kind";
        for my $at (1 .. $count) {
            for my $error (0, EIO) {
                my $name = ($error ? 'failed' : 'was killed') . " at $kind $at of $count";
                fresh();
                $faults->strike($kind, at => $at, error => $error);
                my ($status, $errors) = newer_admin($db, 'init');
                $faults->lift;
                is $status, 'signal 9', "a migration ends when it $name" if !$error;
                like $status . $errors, qr/\A0|\A1qsosync-admin: [^\n]*\n\z/,
                    "a migration says in one line that it $name, if it ends by that" if $error;
                my $schema = schema($db);
                ok $schema eq $old_schema || $schema eq $new_schema,
                    "all of a migration or nothing is there when it $name";
                is $schema, $old_schema, "nothing of a migration is there when it ended because it $name"
                    if $status eq '1';
                is content($db), $old_content, "the QSOs are there when a migration $name";
                newer_admin($db, 'init');
                is join(' ', newer_admin($db, 'check')), '0 ',
                    "the next program brings the logbook forward after a migration $name";
                is shell($db, 'PRAGMA user_version; SELECT log_epoch FROM logbook'), "$version\n$epoch\n",
                    "a migration runs once after it $name";
            }
        }
    }
}

# Many at once, on a logbook that takes a while: one brings it forward, the others wait for it.
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
        'of programs that meet an old logbook at once every command succeeds';
    is join(' ', map { waitpid $_, 0; $? } @clients), '0 0 0 0',
        'of programs that meet an old logbook at once every worker serves';
    is shell($db, 'PRAGMA user_version; SELECT log_epoch FROM logbook; SELECT count(*) FROM qsos'),
        "$version\n$epoch\n20066\n", 'of programs that meet an old logbook at once one brings it forward';
    $service->end_worker($_) for $service->worker_pids;
}
is join(' ', newer_admin($db, 'check')), '0 ', 'the database is whole';

# The very first start: many that make one logbook.
for my $round (1 .. 20) {
    unlink glob "$db*";
    my @results = map { [finish($_)] } map { begin($newer->admin, '--db', $db, 'init') } 1 .. 6;
    is join(' ', map { $_->[0] } @results), '0 0 0 0 0 0', 'every init of several at once finds or makes the logbook'
        or diag map { $_->[1] } @results;
    is shell($db, 'PRAGMA user_version; SELECT log_epoch FROM logbook'), "$version\n$epoch\n",
        'several init at once make one logbook';
}

done_testing;
