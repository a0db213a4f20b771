# Programs as they are built, but with some objects of a test in the place of the library's own.
package QSOsync::Variant;
use strict;
use warnings;
use QSOsync::Front;

my $LIBRARIES = '-lfcgi -lsqlite3 -ljson-c -lcrypto -luuid -lqrencode -lutf8proc -lcrypt -lm';

# Why there can be none here; undef where there can.
sub missing {
    return 'there is no compiler' if system('cc --version >/dev/null 2>&1') != 0;
    return;
}

# Runs a shell command; dies with its output where it fails.
sub run {
    my ($command) = @_;
    local $ENV{LC_ALL} = 'C'; # files come in the order of the build
    my $output = `($command) 2>&1`;
    die "$command: $output" if $? != 0;
}

# A program's own objects, as Makefile.am lists them: what the library holds is not among them.
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

# Links a program; the linker takes these objects instead of those of the library that have the same functions. An
# object of the program itself is left out where the last argument is { without => 'site/main' }.
sub link_program {
    my ($program, $output, @objects) = @_;
    my $without = ref $objects[-1] ? (pop @objects)->{without} : '';
    my @own = grep { !$without || !m{/\Q$without\E\.o\z} } objects_of($program);
    my $instruments = QSOsync::Front::is_sanitized() ? '-fsanitize=address,undefined'
        : QSOsync::Front::is_instrumented() ? '--coverage' : '';
    run(join ' ', "cc $instruments -o '$output'", @objects, @own, "'$QSOsync::Front::BUILD/libqsosync.a'", $LIBRARIES);
}

1;
