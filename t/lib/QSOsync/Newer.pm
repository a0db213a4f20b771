# The next version of both programs: as they are built, with one more migration, t/data/next_migration.sql.
package QSOsync::Newer;
use strict;
use warnings;
use File::Temp ();
use QSOsync::Front;

my $LIBRARIES = '-lfcgi -ljson-c -lsqlite3 -lcrypto -luuid -lm';

# The schema version of this version's programs: the number of its last migration.
sub present_version {
    my @migrations = glob "$QSOsync::Front::SOURCE/schema/[0-9][0-9][0-9][0-9]_*.sql";
    return scalar @migrations;
}

# Only the embedded SQL is compiled: the linker takes it instead of the library's own.
sub new {
    my ($class) = @_;
    my ($source, $build) = ($QSOsync::Front::SOURCE, $QSOsync::Front::BUILD);
    my $self = bless { folder => File::Temp->newdir }, $class;
    my $folder = "$self->{folder}";
    my $next = sprintf '%s/%04d_test.sql', $folder, $self->version;
    run("cp $source/t/data/next_migration.sql $next");
    my $sql = "$source/schema/[0-9]*.sql $next $source/schema/statements/*.sql";
    my $instruments = QSOsync::Front::is_sanitized() ? '-fsanitize=address,undefined'
        : QSOsync::Front::is_instrumented() ? '--coverage' : '';
    run("sh $source/schema/embed.sh header $sql > $folder/embedded.h");
    run("cmp $folder/embedded.h $build/schema/embedded.h");
    run("sh $source/schema/embed.sh source $sql > $folder/embedded.c");
    run("cc -I$build -c -o $folder/embedded.o $folder/embedded.c");
    run("cc $instruments -o $folder/$_->[0] $folder/embedded.o $_->[1] $build/libqsosync.a $LIBRARIES")
        for ['qsosync.fcgi', "$build/src/worker/*.o $build/src/endpoints/*.o $build/src/http/*.o"], ['qsosync-admin', "$build/src/admin/*.o"];
    return $self;
}

sub version { present_version() + 1 }
sub worker { "$_[0]{folder}/qsosync.fcgi" }
sub admin { "$_[0]{folder}/qsosync-admin" }

sub run {
    my ($command) = @_;
    local $ENV{LC_ALL} = 'C'; # files come in the order of the build
    my $output = `($command) 2>&1`;
    die "$command: $output" if $? != 0;
}

1;
