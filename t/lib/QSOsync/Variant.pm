# Builds programs with some objects of a test in place of the library's.
package QSOsync::Variant;
use strict;
use warnings;
use QSOsync::Front;

my $LIBRARIES = '-lfcgi -lsqlite3 -ljson-c -lcrypto -luuid -lqrencode -lutf8proc -lexpat -lcrypt -lm';

# Returns the reason why variants are impossible here, or undef if they are possible.
sub missing {
    return 'a C compiler is missing' if system('cc --version >/dev/null 2>&1') != 0;
    return;
}

# Runs a shell command, and dies with the command's output if the command fails.
sub run {
    my ($command) = @_;
    local $ENV{LC_ALL} = 'C'; # the shell expands file names in the order of the build
    my $output = `($command) 2>&1`;
    die "$command: $output" if $? != 0;
}

# Returns a program's own objects, as Makefile.am lists them, without the objects of the library.
sub objects_of {
    my ($program) = @_;
    my $name = $program =~ s/\W/_/gr;
    my %lists = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/Makefile.am") =~ /^(\w+) =((?:.*\\\n)*.*)/mg;
    my $list = $lists{"${name}_SOURCES"} or die "Makefile.am lists no sources of $program";
    $list =~ s/\$\((\w+_sources)\)/$lists{$1}/g;
    return map { "$QSOsync::Front::BUILD/$_.o" } $list =~ /(\S+)\.c\b/g;
}

# Compiles a C file into an object.
sub compile {
    my ($source, $object) = @_;
    run("cc -std=gnu11 -O1 -D_GNU_SOURCE -I'$QSOsync::Front::SOURCE/src' -I'$QSOsync::Front::BUILD' -c -o '$object' "
        . "'$source'");
}

# Links a program. The linker takes these objects instead of the library's objects with the same functions. With
# { without => 'site/main' } as the last argument, this object of the program is left out.
sub link_program {
    my ($program, $output, @objects) = @_;
    my $without = ref $objects[-1] ? (pop @objects)->{without} : '';
    my @own = grep { !$without || !m{/\Q$without\E\.o\z} } objects_of($program);
    my $instruments = QSOsync::Front::is_sanitized() ? '-fsanitize=address,undefined'
        : QSOsync::Front::is_instrumented() ? '--coverage' : '';
    run(join ' ', "cc $instruments -o '$output'", @objects, @own, "'$QSOsync::Front::BUILD/libqsosync.a'", $LIBRARIES);
}

# Builds the next version of the API's worker and of qsosync-admin from the current objects, with other SQL.
package QSOsync::Newer;
use File::Temp ();

# Returns the schema version of the current programs: the number of their last migration.
sub present_version {
    my @migrations = glob "$QSOsync::Front::SOURCE/schema/migrations/*.sql";
    return scalar @migrations;
}

# Builds the API's worker and qsosync-admin in the folder, with this SQL in place of the build's own. The SQL is a list
# of file names, which the shell expands.
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

# Builds the API's worker and qsosync-admin with one more migration, t/data/next_migration.sql.
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
