use QSOsync::Test fronts => 'none';
use File::Temp qw(tempdir);
use QSOsync::Newer;

# A logbook of schema version 8 is brought forward: members keep what they are, nobody is an operator or signed in, and
# the passwords that were made for front servers, which nobody can sign in by, are gone.
plan skip_all => 'the sqlite3 shell is not there' if system('sqlite3 --version >/dev/null 2>&1') != 0;
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
is system("@admin init >/dev/null"), 0, 'a logbook of version 8 can be brought forward';
is sql('PRAGMA user_version'), QSOsync::Newer::present_version(), 'it has the present version';
is sql("SELECT $columns FROM members"), $before, 'members stay what they are';
is sql('SELECT count(password_hash) FROM members'), 0, 'a password that was made for a front server is gone';
is sql('SELECT sum(is_operator) FROM members'), 0, 'nobody is an operator by itself';
is sql('SELECT (SELECT count(*) FROM sessions) || (SELECT count(*) FROM sign_in_links)'), '00', 'nobody is signed in';
is sql('SELECT id FROM club'), 1, 'there is a row for what the club says';
is `@admin check 2>&1`, '', 'a logbook that was brought forward is whole';

done_testing;
