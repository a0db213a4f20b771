use QSOsync::Test fronts => 'none';
use File::Temp qw(tempdir);
use QSOsync::Newer;

# The lists of columns in statements are written when the programs are built. A program in which one lacks a field of
# a QSO all the same does not open a logbook, and says which field and which statement.
plan skip_all => 'there is no compiler' if system('cc --version >/dev/null 2>&1') != 0;
my $schema = "$QSOsync::Front::SOURCE/schema";
my $folder = tempdir(CLEANUP => 1);
my $db = "$folder/logbook.db";
my @admin = ($QSOsync::Front::BUILD . '/qsosync-admin', '--db', $db);
system(@admin, 'init') == 0 or die;

# What each statement must not lack, and how it would look without.
my @forgotten = (
    [qsos => insert_qso => band => sub { s/\{inserted\}/client_id/ && s/\{:inserted\}/:client_id/ }],
    [qsos => update_qso => qso_at => sub { s/\{updated\}/band = :band/ }],
    [qsos => find_qso => band => sub { s/\{stored\}/id, client_id/ }],
    [qsos => list_qsos => band => sub { s/\{stored\}/id, client_id/ }],
    [confirmations => find_qso_by_id => channel => sub { s/\{matched\}/band, qso_at/ }],
);
for my $case (@forgotten) {
    my ($subject, $name, $column, $without) = @$case;
    my $variant = "$folder/$name-$column";
    mkdir $variant or die $!;
    system("cp '$QSOsync::Front::SOURCE'/schema/statements/*.sql '$variant'") == 0 or die;
    my @parts = split /(?=^-- name: )/m, QSOsync::Front::read_file("$variant/$subject.sql");
    for (grep { /\A-- name: $name\n/ } @parts) {
        ok $without->(), "$name carries $column";
    }
    open my $file, '>', "$variant/$subject.sql" or die $!;
    print {$file} @parts;
    close $file or die $!;
    QSOsync::Newer::build($variant, "$schema/schema.sql $schema/migrations/*.sql $schema/views.sql $variant/*.sql");
    my $output = `'$variant/qsosync-admin' --db '$db' check 2>&1`;
    is $? >> 8, 1, "a program whose $name lacks $column does not open the logbook";
    like $output, qr/^qsosync-admin: the statement $name lacks $column$/m, "it names $name and $column";
}
is system(@admin, 'check'), 0, 'the program as it is opens the logbook';

done_testing;
