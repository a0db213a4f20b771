# The next version of both programs: as they are built, with one more migration, t/data/next_migration.sql.
package QSOsync::Newer;
use strict;
use warnings;
use File::Temp ();
use QSOsync::Front;
use QSOsync::Variant;

# The schema version of this version's programs: the number of its last migration.
sub present_version {
    my @migrations = glob "$QSOsync::Front::SOURCE/schema/[0-9][0-9][0-9][0-9]_*.sql";
    return scalar @migrations;
}

# Only the embedded SQL differs.
sub new {
    my ($class) = @_;
    my ($source, $build) = ($QSOsync::Front::SOURCE, $QSOsync::Front::BUILD);
    my $self = bless { folder => File::Temp->newdir }, $class;
    my $folder = "$self->{folder}";
    my $next = sprintf '%s/%04d_test.sql', $folder, $self->version;
    QSOsync::Variant::run("cp $source/t/data/next_migration.sql $next");
    my $sql = "$source/schema/[0-9]*.sql $next $source/schema/statements/*.sql";
    QSOsync::Variant::run("sh $source/schema/embed.sh header $sql > $folder/embedded.h");
    QSOsync::Variant::run("cmp $folder/embedded.h $build/schema/embedded.h");
    QSOsync::Variant::run("sh $source/schema/embed.sh source $sql > $folder/embedded.c");
    QSOsync::Variant::compile("$folder/embedded.c", "$folder/embedded.o");
    QSOsync::Variant::link_program($_, "$folder/$_", "$folder/embedded.o") for qw(qsosync.fcgi qsosync-admin);
    return $self;
}

sub version { present_version() + 1 }
sub worker { "$_[0]{folder}/qsosync.fcgi" }
sub admin { "$_[0]{folder}/qsosync-admin" }

1;
