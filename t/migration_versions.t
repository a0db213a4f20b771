use QSOsync::Test fronts => 'none';
use QSOsync::Adif;
use QSOsync::Doctor;
use QSOsync::Variant;
use File::Temp qw(tempdir);
use QSOsync::Waiting;

# The current version migrates older logbooks.
plan skip_all => 'needs the sqlite3 shell' if system('sqlite3 --version >/dev/null 2>&1') != 0;

# QSOs from schema version 1 can match after the migration. Version 1 allowed members whose callsigns differ only in
# spelling. The migration keeps such members, and the check names them.
{
    my $service = QSOsync::Service->start(workers => 1);
    my $db = $service->db;
    unlink glob "$db*";

    my $at = 1779046920000; # 2026-05-17T19:42:00Z
    my $members = join ', ', map { "($_->[0], '$_->[1]', 'JO59jw', '$_->[1]', 0, 5)" } [1, '21SD333'], [2, '26AT101'],
        [3, '26-at 101'], [4, '1-xy-2'];
    my $qsos = join ', ',
        "(1, 2, x'00000000000000000000000000000001', 2, 2, 0, $at, 3, '21-sd-333', NULL, 77, NULL, NULL)", # free
        "(2, 4, x'00000000000000000000000000000002', 3, 3, 0, $at + 60000, NULL,
            '21sd333', NULL, 78, 3, 4)",    # a pair
        "(3, 1, x'00000000000000000000000000000003', 4, 4, 0, $at + 60000, NULL, '1XY2', NULL, 79, 2, 4)";
    open my $shell, '|-', "cat '$QSOsync::Front::SOURCE/schema/migrations/0001_initial.sql' - | sqlite3 '$db'"
        or die $!;
    print {$shell} "INSERT INTO members (id, callsign, locator, login, created_at, log_revision) VALUES $members;
        INSERT INTO qsos (id, member_id, client_id, synced_at, created_at, band, qso_at, mode,
            callsign_worked, operator_callsign,
            match_key, confirmed_by, cross_confirmed_at) VALUES $qsos;
        UPDATE logbook SET last_stamp = 5; PRAGMA application_id = 1364414291; PRAGMA user_version = 1;";
    ok close $shell, 'a logbook of version 1 can be created';

    my ($status, undef, $errors) = $service->admin_try('check');
    is $status, 0, 'a logbook of version 1 passes the check';
    is $errors, 'qsosync-admin: members 26AT101 and 26-at 101 have callsigns that cross-confirmation cannot tell '
        . "apart\n",
        'the check names two members with similar callsigns';
    ($status, my $said, $errors) = $service->admin_try('init');
    is "$status $said", "0 $db is already a logbook; its schema was brought up to date\n",
        'init reports the migration of the logbook';
    like $errors, qr{\Aqsosync-admin: no member is an operator, [^\n]*member set CALLSIGN --operator on\n\z},
        'init reports that no member is an operator, and names the command that gives the role';
    (undef, my $report) = QSOsync::Doctor::run([], '--db', $db, 'doctor');
    like $report->{text}, qr/no member is an operator/, 'the doctor reports that no member is an operator';
    $service->admin('member', 'set', '26AT101', '--operator', 'on');
    is join('', $service->admin_try('init')), "0$db is already a logbook; nothing was changed\n",
        'init on a current logbook with an operator reports only that the logbook is unchanged';
    is $service->sqlite('PRAGMA user_version'), QSOsync::Newer::present_version(),
        'a migrated logbook has the current version';
    is $service->sqlite("SELECT group_concat(confirmed_by) FROM (SELECT confirmed_by FROM qsos ORDER BY id)"), '3,2',
        'confirmations from version 1 are kept';
    chomp(my $key = $service->admin('key', 'add', '21SD333', '--name', 'test', '--scope', 'WRITE'));
    my $mine = qso(qsoAt => '2026-05-17T19:43:00Z', mode => 'USB', callsignWorked => '26 AT 101');
    is $service->post_batch([$mine], key => $key)->status, 200, 'a migrated logbook accepts a QSO';
    my ($stored) = grep { $_->{clientId} eq $mine->{clientId} } $service->download(key => $key);
    ok $stored->{crossConfirmedAt}, 'a QSO from version 1 confirms a new QSO';
    is $service->sqlite('SELECT confirmed_by FROM qsos WHERE id = 1'), 4,
        'a QSO from version 1 is confirmed by a new QSO';
    my $record = adif_qso(CALL => '1XY2', FREQ => undef, BAND => '11m');
    is import_adif($service, '21SD333', adif_file($service, $record))->{counts}{imported}, 0,
        'a record matches a QSO from version 1';
}

# After a migration from schema version 8, members are unchanged, and no member is an operator or signed in. Passwords
# for front servers cannot be used to sign in, and are removed.
{
    my $folder = tempdir(CLEANUP => 1);
    my $db = "$folder/logbook.db";
    my @admin = ("$QSOsync::Front::BUILD/qsosync-admin", '--db', $db);
    sub sql { chomp(my $output = `sqlite3 '$db' "$_[0]"`); die $_[0] if $?; $output }

    system("cat '$QSOsync::Front::SOURCE'/schema/migrations/000[1-8]_*.sql | sqlite3 '$db'") == 0 or die;
    sql("INSERT INTO members (id, callsign, locator, login, created_at, active, password_hash, password_set_at) VALUES
            (1, '21SD333', 'JO59jw', 'anna', 5, 1, '\\\$5\\\$rounds=1000\\\$salt\\\$hash', 6),
            (2, '26AT101', 'JO22', '26at101', 7, 0, NULL, 0);
        UPDATE logbook SET last_stamp = 9; PRAGMA application_id = 1364414291; PRAGMA user_version = 8");
    my $columns = 'id, callsign, locator, login, created_at, active';
    my $before = sql("SELECT $columns FROM members");
    is system("@admin init >/dev/null"), 0, 'a logbook of version 8 can be migrated';
    is sql('PRAGMA user_version'), QSOsync::Newer::present_version(), 'a logbook of version 8 gets the current version';
    is sql("SELECT $columns FROM members"), $before, 'members from version 8 are unchanged';
    is sql('SELECT count(password_hash) FROM members'), 0, 'a password for a front server is removed';
    is sql('SELECT sum(is_operator) FROM members'), 0, 'the migration makes no member an operator';
    is sql('SELECT (SELECT count(*) FROM sessions) || (SELECT count(*) FROM sign_in_links)'), '00',
        'the migration signs no member in';
    is sql('SELECT id FROM club'), 1, 'a migration creates the row for the club';
    is `@admin check 2>&1`, '', 'a logbook from version 8 passes the check';
}

# After a migration from schema version 24, confirmations by a peer's claims are kept, and each confirmed QSO stores its
# claim.
{
    my $folder = tempdir(CLEANUP => 1);
    my $db = "$folder/logbook.db";
    my @admin = ("$QSOsync::Front::BUILD/qsosync-admin", '--db', $db);
    my $told = sub { chomp(my $output = `sqlite3 '$db' "$_[0]"`); die $_[0] if $?; $output };

    my $steps = "'$QSOsync::Front::SOURCE'/schema/migrations";
    system("cat $steps/00[01]?_*.sql $steps/002[0-4]_*.sql | sqlite3 '$db'") == 0 or die;
    $told->("INSERT INTO members (id, callsign, locator, login, created_at, log_revision)
            VALUES (1, '14AT1', 'JO59jw', '14at1', 5, 8);
        INSERT INTO qsos (id, member_id, synced_at, created_at, band, qso_at, callsign_worked, claimed_at) VALUES
            (3, 1, 6, 6, 0, 7, '26AT777', 9), (4, 1, 7, 7, 0, 1800007, '26AT777', 9), (5, 1, 8, 8, 0, 99, '1XY2', NULL);
        INSERT INTO peers (id, name, address, added_at, code, claims)
            VALUES (2, 'log.example.org', 'https://log.example.org', 5, zeroblob(32), 3);
        INSERT INTO claims (id, peer_id, number, station_key, worked_key, band, channel, qso_at, station, round, qso_id)
            VALUES (5, 2, '17', '26AT777', '14AT1', 0, 0, 7, '26-AT-777', 1, 4),
                (8, 2, '18', '26AT777', '14AT1', 0, 0, 7, '26-AT-777', 1, 3),
                (9, 2, '19', '26AT777', '14AT1', 0, 0, 7, '26-AT-777', 1, NULL);
        UPDATE club SET clusters = '127.0.0.1:7300';
        INSERT INTO cards (member_id, part, content, set_at) VALUES (1, 0, CAST('{}' AS BLOB), 5), (1, 1, NULL, 5);
        INSERT INTO acts (member_id, number, last, ordinal, writer, writer_number, work, began_at, ended_at, states,
            states_before) VALUES (1, 1, 1, 1, 0, 0, 0, 5, 5, 2, 0);
        INSERT INTO former (member_id, edit, qso_id, at, previous_edit, state) VALUES (1, 1, 3, 0, 0, x'010203'),
            (1, 1, 4, 0, 0, NULL);
        UPDATE members SET last_edit = 1;
        INSERT INTO leftovers (member_id, qso_id, edit, fields) VALUES (1, 3, 0, x'3c413a313e31');
        INSERT INTO polo_records (member_id, kind, uuid, phone, updated_at, synced_at, edit, bytes, body) VALUES
            (1, 1, zeroblob(16), '', 5, 5, NULL, 2, '{}'), (1, 2, zeroblob(16), '', 5, 5, 1, 100, '');
        INSERT INTO operator_log (at, operator, act, details) VALUES (5, '14AT1', 'club set', 'clusters'),
            (6, NULL, 'club set', 'address, clusters'), (7, '14AT1', 'club set', 'name');
        UPDATE logbook SET last_stamp = 9; PRAGMA application_id = 1364414291; PRAGMA user_version = 24");
    my $claims = $told->('SELECT * FROM claims');
    is system("@admin init >/dev/null"), 0, 'a logbook of version 24 can be migrated';
    is $told->('SELECT * FROM claims'), $claims, 'claims from version 24 are unchanged';
    is $told->("SELECT group_concat(id || ' ' || ifnull(claim_id, 'none')) FROM qsos"), '3 8,4 5,5 none',
        'a QSO stores the claim that confirms it';
    is `@admin check 2>&1`, '', 'a logbook from version 24 passes the check';
    is $told->('SELECT history, leftovers, polo, cards FROM storage'), 150 + 2 * 40 + 3 . '|36|102|42',
        'a migration counts the data stored in addition to QSOs';
    is $told->('SELECT clusters_by_command FROM club'), 1,
        'the migration records that the clusters were last set by the command';
    $told->('DELETE FROM claims WHERE id = 9');
    is $told->('SELECT claims FROM peers'), 2, 'deleting a claim updates the count of claims';
}

# Schema version 31 compared letters beyond ASCII with their case, which the current version ignores.
{
    my $folder = tempdir(CLEANUP => 1);
    my $db = "$folder/logbook.db";
    my @admin = ("$QSOsync::Front::BUILD/qsosync-admin", '--db', $db);
    my $told = sub { chomp(my $output = `sqlite3 '$db' "$_[0]"`); die $_[0] if $?; $output };
    my $steps = "'$QSOsync::Front::SOURCE'/schema/migrations";
    system("cat $steps/00[012]?_*.sql $steps/003[01]_*.sql | sqlite3 '$db'") == 0 or die;
    my ($large, $small) = ("\xc3\x84", "\xc3\xa4"); # A and a with two dots
    $told->("INSERT INTO members (id, callsign, locator, login, created_at, log_revision) VALUES
            (1, '21SD333', 'JO59jw', 'a', 5, 8), (2, '${large}1X', 'JO59jw', 'b', 5, 8),
            (3, '${large}-2X', 'JO59jw', 'c', 5, 8), (4, '${small}2X', 'JO59jw', 'd', 5, 8);
        INSERT INTO qsos (id, member_id, synced_at, created_at, band, qso_at, callsign_worked, operator_callsign) VALUES
            (1, 1, 6, 6, 0, 7, '${small}-1x', NULL), (2, 2, 7, 7, 0, 7, '21SD333', NULL),
            (3, 1, 6, 6, 0, 8, '26AT1', '${small}9/p'), (4, 2, 7, 7, 0, 9000000, '21SD333', '${small}9/P'),
            (5, 1, 8, 8, 0, 9000000, '${large}9/P', NULL);
        INSERT INTO peers (id, name, address, added_at, code, claims)
            VALUES (2, 'log.example.org', 'https://log.example.org', 5, zeroblob(32), 1);
        INSERT INTO claims (id, peer_id, number, station_key, worked_key, band, channel, qso_at, station, round)
            VALUES (5, 2, '17', '${small}7', '21SD333', 0, 0, 7, '${small}7', 1);
        UPDATE logbook SET last_stamp = 8, claims_epoch = 3;
        PRAGMA application_id = 1364414291; PRAGMA user_version = 31");
    is system("@admin init >/dev/null"), 0, 'a logbook of version 31 can be migrated';
    is $told->("SELECT group_concat(ifnull(operator_key, '-') || ' ' || worked_key || ' ' || (confirmed_by NOT NULL))
        FROM qsos"), "- ${large}1X 1,- 21SD333 1,${large}9/P 26AT1 0,${large}9/P 21SD333 1,- ${large}9/P 1",
        'QSOs that match if case is ignored are confirmed';
    is $told->('SELECT claims_epoch FROM logbook'), 4, 'peers must send their claims again';
    is $told->('SELECT group_concat(callsign) FROM (SELECT callsign FROM members ORDER BY id)'),
        "21SD333,${large}1X,${large}-2X,${small}2X",
        'members from version 31 are unchanged';
    for my $command ('check', 'doctor') {
        like `@admin $command 2>&1`, qr/members ${large}-2X and ${small}2X have callsigns/,
            "$command names two members whose callsigns differ only in case";
    }
    like `@admin member rename '${small}2X' 5ZZ5 2>&1; @admin check 2>&1`, qr/\A\z/,
        'one of two members whose callsigns differ only in case can be renamed';
    is $told->("SELECT group_concat(callsign) FROM members WHERE id > 2"), "${large}-2X,5ZZ5",
        'a rename by the exact callsign changes only that member';
}

# A migration takes the writers' lock, like any other write. After a crash, the migration's part of the write-ahead log
# is therefore synced before another program appends to this log.
{
    my $folder = tempdir(CLEANUP => 1);
    my $db = "$folder/logbook.db";
    sub admin { system("'$QSOsync::Front::BUILD/qsosync-admin' --db '$db' @_ >'$folder/said' 2>&1") >> 8 }
    system("sqlite3 '$db' '.read $QSOsync::Front::SOURCE/schema/migrations/0001_initial.sql' "
        . "'PRAGMA application_id = 1364414291' "
        . "'PRAGMA user_version = 1' 'PRAGMA journal_mode = WAL' >/dev/null") == 0 or die;
    sub version { `sqlite3 '$db' 'PRAGMA user_version'` + 0 }

    # The first program that opens a logbook creates the lock's file. In this test, a program with another logbook
    # creates this file.
    system("cp '$db' '$folder/other.db'; '$QSOsync::Front::BUILD/qsosync-admin' --db '$folder/other.db' init "
        . ">/dev/null 2>&1; mv '$folder/other.db-gate' '$db-gate'");
    my $came_forward = QSOsync::Waiting::while_locked("$db-gate", sub { admin('init') });
    is $came_forward, undef, 'a program that must migrate waits for the writer';
    cmp_ok version(), '>', 1, 'a waiting program migrates as soon as the writer has ended';
    is admin('check'), 0, 'a logbook that was migrated after a wait passes the check';
}

done_testing;
