use QSOsync::Test fronts => 'none';
use File::Copy qw(copy);

# qsosync-admin check finds each kind of problem, and reports no problem in an intact logbook.
my $service = QSOsync::Service->start;
my $other = $service->add_member('26AT101');
my $true = JSON::PP::true();
$service->post_batch([qso(callsignWorked => '26AT101', frequencyMhz => '27.555', sendSpot => $true), full_qso()]);
$service->post_batch([qso(callsignWorked => '21SD333')], key => $other->{write_key});
is $service->admin('check'), '', 'a logbook in use passes the check';
my $whole = $service->directory . '/whole.db';
$service->admin('backup', $whole);

# Each problem is created in its own copy, by statements that SQLite does not refuse.
my $key = '(member_id, name, scope, fingerprint, hint, created_at)';
for (['a confirmation from one side', qr/^QSO 1 is confirmed by QSO 3, which does not/m,
        'UPDATE qsos SET confirmed_by = NULL, paired_at = NULL WHERE id = 3'],
    ['a confirmation with two times', qr/^QSO 1 is confirmed by QSO 3/m,
    'UPDATE qsos SET paired_at = 1 WHERE id = 3'],
    ["a confirmation by the member's own log", qr/^QSO 2 is confirmed by QSO 4, which does not/m,
    'INSERT INTO qsos (member_id, synced_at, created_at, qso_at, band)
            SELECT 1, synced_at, 0, 0, 0 FROM qsos WHERE id = 2;
        UPDATE qsos SET confirmed_by = 6 - id, paired_at = 1 WHERE id IN (2, 4)'],
    ['a lost spot', qr/^QSO 1 and its spot disagree/m, 'DELETE FROM spots'],
    ['a spot whose QSO has no spotted_at', qr/^QSO 1 and its spot disagree/m,
    'UPDATE qsos SET spotted_at = NULL WHERE id = 1'],
    ['a QSO without a member', qr/^row 2 of qsos refers to a row of members/m,
    'UPDATE qsos SET member_id = 99 WHERE id = 2'],
    ['a claim that its QSO does not reference', qr/^a claim confirms QSO 2, which has no reference to the claim$/m,
        "INSERT INTO claims (peer_id, number, station_key, worked_key, band, channel, qso_at, station, round, qso_id)
            VALUES (1, '1.1', '26AT1', '21SD333', 0, 0, 0, '26AT1', 1, 2)"],
    ['a QSO with a missing claim', qr/^QSO 2 is confirmed by a claim that does not confirm it$/m,
        'UPDATE qsos SET claim_id = 7 WHERE id = 2'],
    ['a stamp in the future', qr/^QSO 2 has a later stamp/m,
    'UPDATE qsos SET synced_at = synced_at + 1000000 WHERE id = 2'],
    ['an outdated log revision', qr/^member 26AT101 has an older log revision/m,
    "UPDATE members SET log_revision = 1 WHERE id = 2"],
    ['eleven active keys', qr/^member 1 has more than 10 active keys/m, "DROP TRIGGER api_keys_limit_on_insert;
        INSERT INTO api_keys $key SELECT 1, 'x', 'READ', randomblob(32), 'q', 0 FROM generate_series(1, 9)"],
    ['a value that the schema forbids', qr/CHECK constraint failed in qsos/m,
        'PRAGMA ignore_check_constraints = ON; UPDATE qsos SET tx_power = -1 WHERE id = 2']) {
    my ($name, $sentence, $sql) = @$_;
    my $broken = $service->directory . '/broken.db';
    copy $whole, $broken or die "$broken: $!";
    is system('sqlite3', $broken, "PRAGMA foreign_keys = OFF; $sql"), 0, "the copy has this problem: $name";
    my ($status, $output, $errors) = $service->admin_try('--db', $broken, 'check');
    is $status, 1, "check exits with status 1 for $name";
    like $output, $sentence, "check names $name on standard output";
    like $errors, qr/\Aqsosync-admin: \Q$broken\E has [1-9]\d* problems?\n\z/,
        "check prints the number of problems on standard error for $name";
    ($status) = $service->admin_try('restore', $broken);
    is $status, 1, "restore refuses a backup with $name";
    unlink glob "$broken*";
}

# In these copies, the last stamp is ahead of the clock.
my $ahead = $service->directory . '/ahead.db';
for (['a minute', 60, 0], ['a year', 365 * 86400, 1]) {
    my ($name, $seconds, $said) = @$_;
    copy $whole, $ahead or die "$ahead: $!";
    is system('sqlite3', $ahead, "UPDATE logbook SET last_stamp = (strftime('%s', 'now') + $seconds) * 1000"), 0,
        "the copy has a last stamp that is $name ahead";
    my ($status, $output, $errors) = $service->admin_try('--db', $ahead, 'check');
    is $status, 0, "check succeeds if stamps are $name ahead of the clock";
    is $output, '', "check prints no problem for stamps that are $name ahead";
    like $errors, $said ? qr/\Aqsosync-admin: the newest syncedAt, \S+Z, is ahead of the clock[^\n]+\n\z/ : qr/\A\z/,
        "check prints " . ($said ? 'one line' : 'nothing') . " to standard error if stamps are $name ahead";
}
is $service->admin('check'), '', 'checks of broken copies leave the logbook intact';

# A remark reports a fact that is not damage.
my $older = $service->directory . '/older.db';
copy $whole, $older or die "$older: $!";
system('sqlite3', $older,
    "DROP TRIGGER members_differ_on_update; UPDATE members SET callsign = '21-sd 333' WHERE id = 2") == 0 or die;
my ($status, $output, $errors) = $service->admin_try('--db', $older, 'check');
is $errors, "qsosync-admin: members 21SD333 and 21-sd 333 have callsigns that cross-confirmation cannot tell apart\n",
    'check names two members whose callsigns confirmation cannot tell apart';
is $status, 0, 'check succeeds if it finds only remarks';
like +($service->admin_try('--db', $older, 'doctor'))[1],
    qr/^warning  content +members 21SD333 and 21-sd 333 have callsigns that cross-confirmation cannot tell apart/m,
    'the doctor warns of two members whose callsigns confirmation cannot tell apart';
($status) = $service->admin_try('restore', $older);
is $status, 0, 'a backup with two members of similar callsigns can be restored';

done_testing;
