use QSOsync::Test fronts => 'none', slow => 11;
use QSOsync::Variant;
use File::Temp qw(tempdir);

# Every statement can be prepared against the schema, and every query has its index.
my $source = $QSOsync::Front::SOURCE;
plan skip_all => 'the sqlite3 shell is not installed' if system('sqlite3 --version >/dev/null 2>&1') != 0;

my $folder = tempdir(CLEANUP => 1);
system("cat '$source'/schema/schema.sql | sqlite3 '$folder/logbook.db'") == 0 or die 'the schema does not load';

# The position of a migration is the schema version that the migration creates.
my @numbers = map { m{/(\d+)_[^/]*\z} } sort glob "$source/schema/migrations/0*.sql";
is scalar(`sqlite3 '$folder/logbook.db' 'PRAGMA user_version'`), @numbers . "\n",
    'a new logbook has the version of the last migration';
is "@numbers", join(' ', map { sprintf '%04d', $_ } 1 .. @numbers),
    'migrations are numbered consecutively';

# Migrations give an older logbook the schema of a new logbook, apart from comments and white space.
sub schema_of {
    my ($file) = @_;
    my @objects = split /;;/, `sqlite3 '$file' "SELECT type, name, tbl_name, sql || ';;'
        FROM sqlite_schema WHERE type <> 'view' ORDER BY type, name"`;
    return [map { s/--[^\n]*//gr =~ s/\s+//gr } @objects];
}
sub rows_of {
    return scalar `sqlite3 '$_[0]' 'SELECT length(identity), last_stamp, log_epoch, uploads FROM logbook;
        SELECT * FROM club'`;
}
system("cat '$source'/schema/migrations/*.sql | sqlite3 '$folder/older.db'") == 0 or die 'the migrations do not load';
is_deeply schema_of("$folder/older.db"), schema_of("$folder/logbook.db"),
    'schema.sql creates the same schema as the migrations, including every index';
is rows_of("$folder/older.db"), rows_of("$folder/logbook.db"),
    'schema.sql creates the same first rows as the migrations';

# These statements read every row on purpose.
my $whole =
    qr/\A(?:check_|remark_|list_members|list_passwords|list_revoked_keys|list_activity
        |list_deleted_members|list_all_|add_all_
        |read_counts|read_status|list_index_|list_sequences|raise_sequence|add_sequence|read_page_count
        |read_format|list_ever_members|read_side|has_fewer_qsos|count_peer_confirmations
        |search_members_by_use|count_members_by_use
        |find_peer\z|end_peer_codes|delete_old_peer_codes)/x;
# These statements sort the few rows that they have found, or ids from an index.
my $sorting = qr/\A(?:list_unconfirmed_qsos|list_qsos_by_id|list_polo_places|find_polo_record
        |list_log_pages|list_worked|search_members_by_use|list_peer_members_to_ask|list_qsos_without_claim)\z/x;
# These statements follow one QSO from each edit to the previous edit, through all edits. No index lists the edits of
# one QSO, so SQLite removes duplicates (UNION) and sorts the edits in a temporary tree.
my $following = qr/\A(?:list_qso_touches|find_qso_touch_after)\z/;
# A statement itself creates each of these tables, from rows that an index has found, or from the text of a request.
my $own = qr/(?:\d+ )?CONSTANT|slots|modes|newest|around|one|sent|places/;

# The statements are compiled in with their lists of columns.
my %built = QSOsync::Front::read_file("$QSOsync::Front::BUILD/schema/embedded.c")
    =~ /^    \{"(\w+)",\n(.*?)^    \},$/msg;
sub built_sql { join '', map { s/\\(["\\])/$1/gr . "\n" } $built{$_[0]} =~ /^    "(.*)\\n"$/mg }

my %seen;
for my $path (sort glob "$source/schema/statements/*.sql") {
    my ($subject) = $path =~ m{([^/]+)\.sql\z};
    my ($head, %sql) = split /^-- name: (\w+)\n/m,
        QSOsync::Front::read_file($path) =~ s/^-- part: \w+\n.*?(?=^-- (?:part|name): )//gmrs;
    unlike $head, qr/^(?!--|\n)/m, "statements/$subject.sql has no SQL outside its named statements";
    for my $name (sort keys %sql) {
        ok !$seen{$name}++, "the name of statement $name is unique";
        my $sql = built_sql($name);
        like $sql, qr/\A[^;{]+;\n\z/, "$name is one statement with its semicolon";
        next if $sql =~ /\A(?:BEGIN|COMMIT|SAVEPOINT|RELEASE|ROLLBACK|PRAGMA)\b/; # these statements have no plan
        $sql =~ s/\bvisit_qso\(/coalesce(/; # the shell lacks the program's function
        open my $shell, '-|', 'sqlite3', "$folder/logbook.db", "EXPLAIN QUERY PLAN $sql" or die $!;
        my $plan = do { local $/; <$shell> } // '';
        ok close $shell, "statement $name can be prepared against the schema";
        next if $name =~ $whole;
        my $made = $name =~ $following ? qr/touches|one/ : $own;
        unlike $plan, qr/\bSCAN (?!$made)/, "statement $name finds its rows by an index";
        next if $name =~ $sorting || $name =~ $following;
        unlike $plan, qr/TEMP B-TREE/, "statement $name gets its order from an index";
    }
}

# The build writes the lists of columns into the statements. A program in which a list lacks a field of a QSO does not
# open a logbook, and names the field and the statement.
SKIP: {
    skip 'the compiler is not installed', 1 if system('cc --version >/dev/null 2>&1') != 0;
    my $schema = "$QSOsync::Front::SOURCE/schema";
    my $folder = tempdir(CLEANUP => 1);
    my $db = "$folder/logbook.db";
    my @admin = ($QSOsync::Front::BUILD . '/qsosync-admin', '--db', $db);
    system(@admin, 'init') == 0 or die;

    # Each row has a subject, a statement, a column that the statement needs, and a change that removes the column.
    my @forgotten = (
        [qsos => insert_qso => band => sub { s/\{inserted\}/client_id/ && s/\{:inserted\}/:client_id/ }],
        [qsos => update_qso => qso_at => sub { s/\{updated\}/band = :band/ }],
        [qsos => find_qso => band => sub { s/\{stored\}/id, client_id/ }],
        [qsos => list_qsos => band => sub { s/\{stored\}/id, client_id/ }],
        [confirmations => find_qso_by_id => channel => sub { s/\{matched\}/band, qso_at/ }],
        [keys => find_identity => log_revision => sub { s/members\.log_revision, // }],
        [keys => list_keys => hint => sub { s/\{listed_keys\}/SELECT id, name, scope FROM api_keys/ }],
        [uploads => read_uploads => uploads => sub { s/SELECT uploads/SELECT 1/ }],
        # Removes a column from all statements that have it.
        [sessions => find_session => proved_at => sub { s/\bproved_at\b/1/g }],
    );
    for my $case (@forgotten) {
        my ($subject, $name, $column, $without) = @$case;
        my $variant = "$folder/$name-$column";
        mkdir $variant or die $!;
        system("cp '$QSOsync::Front::SOURCE'/schema/statements/*.sql '$variant'") == 0 or die;
        my @parts = split /(?=^-- name: )/m, QSOsync::Front::read_file("$variant/$subject.sql");
        for (grep { /\A-- name: $name\n/ } @parts) {
            ok $without->(), "$name has the column $column";
        }
        open my $file, '>', "$variant/$subject.sql" or die $!;
        print {$file} @parts;
        close $file or die $!;
        QSOsync::Newer::build($variant, "$schema/schema.sql $schema/migrations/*.sql $schema/views.sql $variant/*.sql");
        my $output = `'$variant/qsosync-admin' --db '$db' check 2>&1`;
        is $? >> 8, 1, "a program whose $name lacks $column does not open the logbook";
        like $output, qr/^qsosync-admin: the statement $name lacks the column $column$/m,
            "the error message names $name and $column";
    }
    is system(@admin, 'check'), 0, 'the unchanged program opens the logbook';
    my @silent;
    for my $path (glob "$QSOsync::Front::SOURCE/src/{*,*/*}/*.c") {
        my $code = QSOsync::Front::read_file($path);
        push @silent, map { "$path $_" } grep { $code !~ /\b(?:ROW_READER\($_,|store_find\([^;]*?\b$_\b)/ }
            $code =~ /^\s*static const struct read_column (\w+)\[\]/mg;
    }
    is "@silent", '', 'each table of columns names its statements';
}

done_testing;
