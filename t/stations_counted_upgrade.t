use QSOsync::Test fronts => 'none';
use File::Temp qw(tempdir);

# An upgrade counts the logs of stations in an older logbook.
my $folder = tempdir(CLEANUP => 1);
my $db = "$folder/logbook.db";
my @migrations = sort glob "$QSOsync::Front::SOURCE/schema/migrations/*.sql";
my ($first) = grep { $migrations[$_] =~ /_public_pages\.sql\z/ } 0 .. $#migrations;
open my $shell, '|-', 'sqlite3', '-bail', $db or die $!;
print {$shell} QSOsync::Front::read_file($_) for @migrations[0 .. $first - 1];
print {$shell} "INSERT INTO members (callsign, locator, login, created_at, is_station)
        VALUES ('21SD333', 'JO59jw', 'a', 0, 0), ('14/AT0', 'JN03', 'b', 0, 1);
    INSERT INTO qsos (member_id, synced_at, created_at, band, qso_at, callsign_worked, dx_locator) VALUES
        (1, 1, 1, 0, 0, '26AT1', 'JO59'), (2, 1, 1, 0, 0, '26AT1', 'JO59'), (2, 1, 1, 0, 0, '26-at2', 'JO59jw'),
        (2, 1, 1, 0, 0, NULL, 'JN58'), (2, 1, 1, 0, 0, '13HN5', NULL);
    UPDATE members SET log_revision = 1; UPDATE logbook SET last_stamp = 1;
    PRAGMA application_id = 1364414291; PRAGMA user_version = $first;";
ok close $shell, 'a logbook of an older schema is created';
is system("$QSOsync::Front::BUILD/qsosync-admin", '--db', $db, 'init'), 0,
    'a logbook of an older schema is upgraded';
is qx(sqlite3 '$db' 'SELECT member_id, kind, value, qsos FROM page_counts'),
    "2|0|0|4\n2|1|13|1\n2|1|26|2\n2|2|17558|1\n2|2|17659|2\n", "a station's log is counted";
is qx(sqlite3 '$db' 'SELECT member_id, worked_key FROM page_worked'), "2|13HN5\n2|26AT1\n2|26AT2\n",
    'the worked callsigns are listed';

done_testing;
