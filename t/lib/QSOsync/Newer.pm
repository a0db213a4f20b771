# The next version of both programs: as they are built, with other SQL.
package QSOsync::Newer;
use strict;
use warnings;
use File::Temp ();
use QSOsync::Front;
use QSOsync::Variant;

# The schema version of this version's programs: the number of its last migration.
sub present_version {
    my @migrations = glob "$QSOsync::Front::SOURCE/schema/migrations/*.sql";
    return scalar @migrations;
}

# Both programs in the folder, with this SQL (names of files, as the shell takes them) compiled in instead of the
# build's own.
sub build {
    my ($folder, $sql) = @_;
    my ($source, $build) = ($QSOsync::Front::SOURCE, $QSOsync::Front::BUILD);
    my $embed = "perl $source/src/build/embed-sql";
    $sql = "$source/schema/fields.json $sql";
    QSOsync::Variant::run("$embed header $sql > $folder/embedded.h");
    QSOsync::Variant::run("cmp $folder/embedded.h $build/schema/embedded.h");
    QSOsync::Variant::run("$embed source $sql > $folder/embedded.c");
    QSOsync::Variant::compile("$folder/embedded.c", "$folder/embedded.o");
    QSOsync::Variant::link_program($_, "$folder/$_", "$folder/embedded.o") for qw(qsosync.fcgi qsosync-admin);
}

# With one more migration, t/data/next_migration.sql.
sub new {
    my ($class) = @_;
    my $source = $QSOsync::Front::SOURCE;
    my $self = bless { folder => File::Temp->newdir }, $class;
    my $next = sprintf '%s/%04d_test.sql', $self->{folder}, $self->version;
    QSOsync::Variant::run("cp $source/t/data/next_migration.sql $next");
    build("$self->{folder}",
        "$source/schema/schema.sql $source/schema/migrations/*.sql $next "
            . "$source/schema/views.sql $source/schema/statements/*.sql");
    return $self;
}

sub version { present_version() + 1 }
sub worker { "$_[0]{folder}/qsosync.fcgi" }
sub admin { "$_[0]{folder}/qsosync-admin" }

1;
