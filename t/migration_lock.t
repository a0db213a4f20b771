use QSOsync::Test fronts => 'none';
use File::Temp qw(tempdir);
use QSOsync::Waiting;

# A migration is a write like any other: it takes the writers' lock, so that what it leaves in the log when it dies is
# made certain before anybody adds to it.
plan skip_all => 'the sqlite3 shell is not there' if system('sqlite3 --version >/dev/null 2>&1') != 0;
my $folder = tempdir(CLEANUP => 1);
my $db = "$folder/logbook.db";
sub admin { system("'$QSOsync::Front::BUILD/qsosync-admin' --db '$db' @_ >'$folder/said' 2>&1") >> 8 }
system("sqlite3 '$db' '.read $QSOsync::Front::SOURCE/schema/migrations/0001_initial.sql' "
    . "'PRAGMA application_id = 1364414291' "
    . "'PRAGMA user_version = 1' 'PRAGMA journal_mode = WAL' >/dev/null") == 0 or die;
sub version { `sqlite3 '$db' 'PRAGMA user_version'` + 0 }

# The lock's file is made by the first program that opens a logbook; here by one that finds another logbook.
system("cp '$db' '$folder/other.db'; '$QSOsync::Front::BUILD/qsosync-admin' --db '$folder/other.db' init >/dev/null "
    . "2>&1; mv '$folder/other.db-gate' '$db-gate'");
my $came_forward = QSOsync::Waiting::while_locked("$db-gate", sub { admin('init') });
is $came_forward, undef, 'a program that would migrate waits for the writer';
cmp_ok version(), '>', 1, 'it migrates as soon as the writer has ended';
is admin('check'), 0, 'the logbook is whole';

done_testing;
