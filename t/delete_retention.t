use QSOsync::Test fronts => 'nginx';

# How far back deletions are known: as long as the setting says, since the logbook keeps them, and since an older
# logbook was restored.
my $service = QSOsync::Service->start(workers => 1);
my $day = 86400;
sub since { iso_time(time - $_[0] * $day) }
sub changes { $service->get("/logs?updatedSince=$_[0]&includeDeleted=true" . ($_[1] // ''))->json }
sub is_complete { changes(since($_[0]))->{deletedComplete} ? 1 : 0 }
sub tombstones { $service->admin('status', '--json') =~ /"tombstones": ?(\d+)/ ? $1 : die 'status tells no tombstones' }
sub restart {
    my (%environment) = @_;
    $service->restart_workers(sub { $service->{environment} = { %{$service->{environment}}, %environment } });
}

# Two years, or as the setting says.
is is_complete(729), 1, 'deletions of two years are known';
is is_complete(731), 0, 'deletions of more than two years ago are not known';
restart(QSOSYNC_TOMBSTONE_DAYS => 10);
is is_complete(9), 1, 'deletions within QSOSYNC_TOMBSTONE_DAYS are known';
is is_complete(11), 0, 'deletions before QSOSYNC_TOMBSTONE_DAYS are not known';

my @sent = map { qso() } 1 .. 40;
$service->post_batch(\@sent);
my $start = $service->get('/logs?limit=1')->json->{serverTime};
$service->delete_qso($sent[$_]{clientId}) for 0 .. 9;
is tombstones(), 10, 'status counts what is known of deletions';
is scalar(@{changes($start)->{deleted}}), 10, 'what is known is told';

# Old ones go with later deletions, the oldest first and a few at a time.
my $age = 20 * $day * 1000;
$service->sqlite("UPDATE tombstones SET deleted_at = deleted_at - $age WHERE id <= 8");
my $oldest = sub { $service->sqlite('SELECT count(*) FROM tombstones WHERE id <= 8') };
my @left;
for my $number (10 .. 20) {
    my $before = $oldest->();
    $service->delete_qso($sent[$number]{clientId});
    push @left, $oldest->();
    cmp_ok $before - $left[-1], '<=', 2, 'a deletion removes a few old tombstones at most';
}
is $left[-1], 0, 'with later deletions all old tombstones go';
is tombstones(), 13, 'younger tombstones stay';
restart(QSOSYNC_TOMBSTONE_DAYS => 100);
is is_complete(9), 1, 'what was not removed is known after the setting was raised';
is is_complete(11), 0, 'what was removed stays unknown after the setting was raised';
restart(QSOSYNC_TOMBSTONE_DAYS => 0);
my $now = $service->get('/logs?limit=1')->json->{serverTime};
$service->delete_qso($sent[21]{clientId});
ok !changes($now)->{deletedComplete}, 'with QSOSYNC_TOMBSTONE_DAYS=0 no deletion counts as known';
restart(QSOSYNC_TOMBSTONE_DAYS => 730);
ok !changes($now)->{deletedComplete}, 'a deletion that was not kept stays unknown';

# A backup that is restored: what was deleted since is back, and the rest of history is another one.
$service->delete_qso($sent[22]{clientId});
my $backup = $service->directory . '/backup.db';
$service->admin('backup', $backup);
my $before = $service->get('/logs?limit=1')->json->{serverTime};
$service->delete_qso($sent[23]{clientId});
$service->post_batch([my $lost = qso()]);
my $after = $service->get('/logs?limit=1')->json->{serverTime};
$service->admin('restore', $backup);
for ([$before, 'the backup'], [$after, 'the last download before it']) {
    ok !changes($_->[0])->{deletedComplete}, "after a restore deletions since $_->[1] are not known";
}
# Of the millisecond of the restore itself no one can be sure.
my $restored;
select undef, undef, undef, 0.002;
$restored = $service->get('/logs?limit=1')->json->{serverTime};
ok changes($restored)->{deletedComplete}, 'after a restore deletions since the first download are known';
$service->delete_qso($sent[23]{clientId});
is_deeply [map { $_->{clientId} } @{changes($restored)->{deleted}}], [$sent[23]{clientId}],
    'what came back with a restore can be deleted again';
is $service->admin('check'), '', 'the restored logbook is whole';

# A logbook that could not be read.
$service->end_worker($_) for $service->worker_pids;
QSOsync::Front::write_file($service->db, 'no logbook' x 1000);
unlink map { $service->db . $_ } '-wal', '-shm';
$service->admin('restore', $backup);
$service->start_worker;
ok !changes($restored)->{deletedComplete},
    'after a restore in the place of a damaged logbook former deletions are not known';

# An import brings a clientId back.
my $export = $service->directory . '/log.adi';
QSOsync::Front::write_file($export, $service->admin('export', '21SD333'));
my ($exported) = $service->download;
select undef, undef, undef, 0.002;
$now = $service->get('/logs?limit=1')->json->{serverTime};
$service->delete_qso($exported->{clientId});
is_deeply [map { $_->{clientId} } @{changes($now)->{deleted}}], [$exported->{clientId}], 'a QSO was deleted';
$service->admin('import', '21SD333', $export);
my $page = changes($now);
is_deeply $page->{deleted}, [], 'a QSO that an import brought back is deleted no more';
is scalar(grep { $_->{clientId} eq $exported->{clientId} } @{$page->{items}}), 1,
    'a QSO that an import brought back is a change';

# A member who goes takes everything along; one whose deletion ended halfway is told the truth.
my $other = $service->add_member('26AT101');
my @others = map { qso() } 1 .. 3;
$service->post_batch(\@others, key => $other->{write_key});
$service->delete_qso($others[0]{clientId}, key => $other->{write_key});
my $of_other = tombstones();
my $with_other = $service->directory . '/with-other.db';
$service->admin('backup', $with_other);
$service->admin('member', 'disable', '26AT101');
$service->admin('member', 'delete', '26AT101', '--yes');
is tombstones(), $of_other - 1, 'with a member go the tombstones';
is $service->admin('check'), '', 'the logbook is whole without the member';
$service->admin('restore', $with_other);
is tombstones(), $of_other - 1, 'the tombstones of a member who was deleted do not come back with a backup';
is $service->admin('check'), '', 'the logbook is whole when a restore has left a deleted member out';

# What check finds.
sub finds {
    my ($sql, $pattern, $name) = @_;
    my $copy = $service->directory . '/broken.db';
    unlink glob "$copy*";
    $service->admin('backup', $copy);
    system('sqlite3', $copy, $sql) == 0 or die $sql;
    my ($status, $output, $errors) = do { local $service->{db} = $copy; $service->admin_try('check') };
    is $status, 1, "check finds $name";
    like $output . $errors, $pattern, "check names $name";
}
finds('UPDATE tombstones SET deleted_at = (SELECT last_stamp + 1 FROM logbook)',
    qr/tombstone of QSO \d+ has a later stamp than the logbook/, 'a tombstone of the future');
finds('INSERT INTO tombstones SELECT 9999, member_id, synced_at, client_id FROM qsos LIMIT 1',
    qr/QSO \d+ has a tombstone, but is there/, 'a tombstone of a clientId in use');
finds('INSERT INTO tombstones SELECT id, member_id, synced_at, NULL FROM qsos LIMIT 1',
    qr/QSO \d+ has a tombstone, but is there/, 'a tombstone of a QSO that is there');
finds('UPDATE members SET log_revision = 0; UPDATE qsos SET synced_at = 0', qr/older log revision than a deletion/,
    'a deletion that did not raise the revision');

# A logbook from before.
my $older = $service->directory . '/older.db';
system("cat '$QSOsync::Front::SOURCE'/schema/migrations/000[1-4]_*.sql - <<'END' | sqlite3 '$older'
INSERT INTO members (id, callsign, locator, login, created_at, log_revision)
VALUES (1, '21SD333', 'JO59jw', '21sd333', 0, 5);
UPDATE logbook SET last_stamp = 1000; PRAGMA application_id = 1364414291; PRAGMA user_version = 4;
END
") == 0 or die 'no older logbook';
{
    local $service->{db} = $older;
    $service->admin('init');
    is $service->sqlite('SELECT deletions_since FROM logbook'), 1000,
        'of a logbook from before deletions are known since it was brought forward';
}

done_testing;
