use QSOsync::Test fronts => 'nginx';

# Deletions are known for the configured time, but only since the upgrade that introduced tombstones, and since the last
# restore.
my $service = QSOsync::Service->start(workers => 1);
my $day = 86400;
sub since { iso_time(time - $_[0] * $day) }
sub changes { $service->get("/logs?updatedSince=$_[0]&includeDeleted=true" . ($_[1] // ''))->json }
sub is_complete { changes(since($_[0]))->{deletedComplete} ? 1 : 0 }
sub tombstones { $service->admin('status', '--json') =~ /"tombstones": ?(\d+)/ ? $1 : die 'status has no tombstones' }
sub restart {
    my (%environment) = @_;
    $service->restart_workers(sub { $service->{environment} = { %{$service->{environment}}, %environment } });
}

# The time is two years by default, or as configured.
is is_complete(729), 1, 'deletions from the last two years are known';
is is_complete(731), 0, 'deletions older than two years are unknown';
restart(QSOSYNC_TOMBSTONE_DAYS => 10);
is is_complete(9), 1, 'deletions within QSOSYNC_TOMBSTONE_DAYS are known';
is is_complete(11), 0, 'deletions before QSOSYNC_TOMBSTONE_DAYS are unknown';

my @sent = map { qso() } 1 .. 40;
$service->post_batch(\@sent);
my $start = $service->get('/logs?limit=1')->json->{serverTime};
$service->delete_qso($sent[$_]{clientId}) for 0 .. 9;
is tombstones(), 10, 'the status counts tombstones';
is scalar(@{changes($start)->{deleted}}), 10, 'known deletions are returned';

# Later deletions remove old tombstones, the oldest first and a few at a time.
my $age = 20 * $day * 1000;
$service->sqlite("UPDATE tombstones SET deleted_at = deleted_at - $age WHERE id <= 8");
my $oldest = sub { $service->sqlite('SELECT count(*) FROM tombstones WHERE id <= 8') };
my @left;
for my $number (10 .. 20) {
    my $before = $oldest->();
    $service->delete_qso($sent[$number]{clientId});
    push @left, $oldest->();
    cmp_ok $before - $left[-1], '<=', 2, 'a deletion removes at most two old tombstones';
}
is $left[-1], 0, 'later deletions remove all old tombstones';
is tombstones(), 13, 'younger tombstones remain';
restart(QSOSYNC_TOMBSTONE_DAYS => 100);
is is_complete(9), 1, 'remaining deletions are known again under a longer setting';
is is_complete(11), 0, 'removed deletions stay unknown under a longer setting';
restart(QSOSYNC_TOMBSTONE_DAYS => 0);
my $now = $service->get('/logs?limit=1')->json->{serverTime};
$service->delete_qso($sent[21]{clientId});
ok !changes($now)->{deletedComplete}, 'with QSOSYNC_TOMBSTONE_DAYS=0, no deletion is known';
restart(QSOSYNC_TOMBSTONE_DAYS => 730);
ok !changes($now)->{deletedComplete}, 'a deletion without a tombstone stays unknown';

# A restored backup contains deleted QSOs again, and deletions before the restore are no longer known.
$service->delete_qso($sent[22]{clientId});
my $backup = $service->directory . '/backup.db';
$service->admin('backup', $backup);
my $before = $service->get('/logs?limit=1')->json->{serverTime};
$service->delete_qso($sent[23]{clientId});
$service->post_batch([my $lost = qso()]);
my $after = $service->get('/logs?limit=1')->json->{serverTime};
$service->admin('restore', $backup);
for ([$before, 'the backup'], [$after, 'the last download before the restore']) {
    ok !changes($_->[0])->{deletedComplete}, "after a restore, deletions since $_->[1] are unknown";
}
# The millisecond of the restore itself is uncertain.
my $restored;
select undef, undef, undef, 0.002;
$restored = $service->get('/logs?limit=1')->json->{serverTime};
ok changes($restored)->{deletedComplete}, 'after a restore, deletions since the first download are known';
$service->delete_qso($sent[23]{clientId});
is_deeply [map { $_->{clientId} } @{changes($restored)->{deleted}}], [$sent[23]{clientId}],
    'a restored QSO can be deleted again';
is $service->admin('check'), '', 'the restored logbook passes the check';

# A backup is restored over a damaged logbook.
$service->end_worker($_) for $service->worker_pids;
QSOsync::Front::write_file($service->db, 'no logbook' x 1000);
unlink map { $service->db . $_ } '-wal', '-shm';
$service->admin('restore', $backup);
$service->start_worker;
ok !changes($restored)->{deletedComplete},
    'after a restore over a damaged logbook, earlier deletions are unknown';

# An import can save a deleted QSO again.
my $export = $service->directory . '/log.adi';
QSOsync::Front::write_file($export, $service->admin('export', '21SD333'));
my ($exported) = $service->download;
select undef, undef, undef, 0.002;
$now = $service->get('/logs?limit=1')->json->{serverTime};
$service->delete_qso($exported->{clientId});
is_deeply [map { $_->{clientId} } @{changes($now)->{deleted}}], [$exported->{clientId}],
    'a deleted QSO is listed as deleted';
$service->admin('import', '21SD333', $export);
my $page = changes($now);
is_deeply $page->{deleted}, [], 'an imported QSO is no longer listed as deleted';
is scalar(grep { $_->{clientId} eq $exported->{clientId} } @{$page->{items}}), 1,
    'an imported QSO is listed as changed';

# Deleting a member removes the member's tombstones, and a restore does not revive them.
my $other = $service->add_member('26AT101');
my @others = map { qso() } 1 .. 3;
$service->post_batch(\@others, key => $other->{write_key});
$service->delete_qso($others[0]{clientId}, key => $other->{write_key});
my $of_other = tombstones();
my $with_other = $service->directory . '/with-other.db';
$service->admin('backup', $with_other);
$service->admin('member', 'disable', '26AT101');
$service->admin('member', 'delete', '26AT101', '--yes');
is tombstones(), $of_other - 1, "deleting a member deletes the member's tombstones";
is $service->admin('check'), '', 'the logbook passes the check without the member';
$service->admin('restore', $with_other);
is tombstones(), $of_other - 1, "a restore does not revive a deleted member's tombstones";
is $service->admin('check'), '', 'a logbook restored without a deleted member passes the check';

# The check finds faults in tombstones.
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
    qr/tombstone of QSO \d+ has a later stamp than the logbook/, 'a tombstone from the future');
finds('INSERT INTO tombstones SELECT 9999, member_id, synced_at, client_id FROM qsos LIMIT 1',
    qr/QSO \d+ has a tombstone, but still exists/, 'a tombstone of a clientId in use');
finds('INSERT INTO tombstones SELECT id, member_id, synced_at, NULL FROM qsos LIMIT 1',
    qr/QSO \d+ has a tombstone, but still exists/, 'a tombstone of a stored QSO');
finds('UPDATE members SET log_revision = 0; UPDATE qsos SET synced_at = 0', qr/older log revision than a deletion/,
    'a deletion that did not raise the revision');

# In a logbook with an older schema, no earlier deletion is known.
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
        'after an upgrade, deletions are known since the last stamp';
}

done_testing;
