use QSOsync::Test fronts => 'none';
use File::Temp qw(tempdir);

# A restore does not revive sessions, sign-in links, operators or club texts that have ended since the backup. Nor
# does a restore end sessions and rights that are valid now. If the logbook is lost, nobody is signed in.
plan skip_all => 'the sqlite3 shell is not installed' if system('sqlite3 --version >/dev/null 2>&1') != 0;
my $folder = tempdir(CLEANUP => 1);
my ($db, $backup) = ("$folder/logbook.db", "$folder/backup.db");
sub admin {
    open my $errors, '>&', \*STDERR or die $!;
    open STDERR, '>', '/dev/null' or die $!;
    my $status = system("$QSOsync::Front::BUILD/qsosync-admin", '--db', $db, @_);
    open STDERR, '>&', $errors or die $!;
    die "qsosync-admin @_" if $status != 0;
}
sub sql {
    my ($file, $sql) = @_;
    chomp(my $output = `sqlite3 '$file' "PRAGMA foreign_keys = ON; $sql"`);
    die $sql if $?;
    return $output;
}

# One letter names a member's session or link, and also fills its fingerprint.
sub print_of { "CAST(printf('%.32c', '$_[0]') AS BLOB)" }
sub sign_in {
    my ($member, $letter) = @_;
    sql($db, "INSERT INTO sessions (member_id, fingerprint, device, created_at, last_used_day, proved_at,
        may_set_password) SELECT id, @{[print_of($letter)]}, '$letter', 5, 20000, 5, 0 FROM members
        WHERE callsign = '$member'");
}
sub invite {
    my ($member, $letter) = @_;
    sql($db, "INSERT INTO sign_in_links (member_id, kind, fingerprint, made_at, expires_at)
        SELECT id, 0, @{[print_of($letter)]}, 5, 9 FROM members WHERE callsign = '$member'");
}
sub add_passkey {
    my ($member, $letter) = @_;
    sql($db, "INSERT INTO passkeys (member_id, name, credential, point, sign_count, challenged_at, created_at)
        SELECT id, '$letter', CAST('$letter' AS BLOB), zeroblob(64), 7, 5, 5 FROM members WHERE callsign = '$member'");
}
sub passkeys { sql($_[0], "SELECT group_concat(name || sign_count, ' ') FROM (SELECT * FROM passkeys ORDER BY id)") }
sub secret { sql($_[0], 'SELECT hex(challenge_secret) FROM logbook') }
sub sessions { sql($_[0], "SELECT group_concat(callsign || ':' || device, ' ') FROM (SELECT callsign, device
    FROM sessions JOIN members ON members.id = member_id ORDER BY sessions.id)") }
sub links { sql($_[0], "SELECT group_concat(substr(CAST(fingerprint AS TEXT), 1, 1) || ifnull(used_at, '-'), ' ')
    FROM sign_in_links") }
sub acts { join ' ', sql($db, 'SELECT act FROM operator_log ORDER BY id') =~ /^(first|second|third)$/mg }
sub operators { sql($_[0], 'SELECT group_concat(callsign) FROM members WHERE is_operator') }
sub password { sql($_[0], "SELECT password_hash FROM members WHERE callsign = '26AT101'") }
sub set_password {
    my ($hash) = @_;
    sql($db, "UPDATE logbook SET last_stamp = last_stamp + 1; UPDATE members SET password_hash = $hash,
        password_set_at = (SELECT last_stamp FROM logbook) WHERE callsign = '26AT101'");
}

admin('init');
admin('member', 'add', $_, '--locator', 'JO22') for '26AT101', '21SD333', '13HN888';
sign_in('26AT101', 'a');
sign_in('21SD333', 'b');
sign_in('13HN888', 'c');
invite('26AT101', 'k');
add_passkey('26AT101', $_) for 'p', 'q';
set_password("'\\\$y\\\$old'");
sql($db, "UPDATE members SET is_operator = 1 WHERE callsign = '26AT101'");
sql($db, "UPDATE club SET name = 'Old name', name_set_at = (SELECT last_stamp FROM logbook);
    INSERT INTO operator_log (at, act) VALUES (strftime('%s') * 1000 - 500000, 'first')");
admin('backup', $backup);
is sessions($backup), '26AT101:a 21SD333:b 13HN888:c', 'a backup contains all sessions';

# Sessions, links, operators and texts have changed since the backup.
sql($db, "DELETE FROM sessions WHERE device = 'a'; UPDATE sign_in_links SET used_at = 6");
sign_in('26AT101', 'd');
add_passkey('21SD333', 'r');
sql($db, "DELETE FROM passkeys WHERE name = 'p'; UPDATE passkeys SET sign_count = 9 WHERE name = 'q'");
set_password('NULL');
sql($db, "UPDATE members SET is_operator = callsign = '21SD333'");
sql($db, "UPDATE club SET name = 'Club A', name_set_at = (SELECT last_stamp FROM logbook);
    INSERT INTO operator_log (at, act) VALUES (strftime('%s') * 1000, 'second')");
admin('member', 'add', '1XY2', '--locator', 'JO22');
sign_in('1XY2', 'e');
admin('member', 'disable', '13HN888');
admin('member', 'delete', '13HN888', '--yes');
admin('restore', $backup);
is sessions($db), '21SD333:b 26AT101:d',
    'current sessions stay, and ended sessions and sessions of deleted members are not revived';
is links($db), 'k6', 'a used invitation stays used';
is passkeys($db), 'q9 r7', 'current passkeys keep their counters, and a removed passkey is not revived';
isnt secret($db), secret($backup), 'a restore replaces the secret of challenges';
is password($db), '', 'a removed password stays removed';
is operators($db), '21SD333', 'a restore keeps the current operators';
is sql($db, 'SELECT name FROM club'), 'Club A', 'a restore keeps a later club text';
is acts(), 'first second', 'the activity log has the acts from before and after the backup';
admin('check');
sql($db, "UPDATE members SET active = 0 WHERE callsign = '26AT101'; DELETE FROM club");
like scalar `$QSOsync::Front::BUILD/qsosync-admin --db '$db' check 2>&1`,
    qr/^member 26AT101 is disabled, but signed in\n.*the row with the details of the club is missing$/ms,
    "check finds a disabled member who is signed in, and the club's missing row";

admin('restore', $backup, '--member', '26AT101');
is sessions($db), '21SD333:b 26AT101:d', 'the restore of one log keeps all sessions';

# Members of another logbook have the same numbers.
unlink glob "$db*";
admin('init');
admin('member', 'add', '26AT101', '--locator', 'JO22');
sign_in('26AT101', 'f');
sql($db, "INSERT INTO operator_log (at, act) VALUES (strftime('%s') * 1000 + 5, 'third')");
admin('restore', $backup, '--other-logbook');
is sessions($db), '', 'a member in another logbook with the same number does not get a session';
is operators($db), '26AT101', 'if the logbook lacks operators, the backup decides about operators';
is acts(), 'first third', 'the activity logs of both logbooks are kept';
is sql($db, 'SELECT name FROM club'), 'Old name', "a logbook without a club text gets the backup's";

# The logbook is lost.
unlink glob "$db*";
admin('restore', $backup);
is sessions($db) . links($db), '', 'after the loss of the logbook, no session and no link is valid';
is password($db), '$y$old', 'after the loss of the logbook, the password in the backup is valid';
is passkeys($db), 'p7 q7', 'after the loss of the logbook, the passkeys in the backup are valid';
sign_in('26AT101', 'g');
is sql($db, "SELECT id > 3 FROM sessions"), 1, "a session's number is not used again";

# A part of the logbook is damaged.
my $page = sql($db, "SELECT rootpage FROM sqlite_schema WHERE name = 'qsos'");
QSOsync::Front::overwrite($db, "\xff" x 3000, 4096 * ($page - 1));
admin('restore', $backup);
is sessions($db), '26AT101:g', 'a restore over a damaged logbook keeps current sessions';

done_testing;
