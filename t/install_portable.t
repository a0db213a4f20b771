use QSOsync::Test fronts => 'none';
use QSOsync::Variant;
use File::Copy qw(copy);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
plan skip_all => $_ for grep { $_ } QSOsync::Variant::missing();

# Where a portable program looks for the logbook: in the folder qsosync beside the one that it is in, or beside one
# above, as long as it is its own user's.
my $folder = tempdir(CLEANUP => 1);
my $program = "$folder/program";
my ($source, $object) = ("$folder/portable.c", "$folder/portable.o");
open my $file, '>', $source or die $!;
print $file qq(#define QSOSYNC_PORTABLE 1\n#include "worker/logbook_path.c"\n);
close $file;
QSOsync::Variant::compile($source, $object);
QSOsync::Variant::link_program('qsosync-admin', $program, $object, { without => 'worker/logbook_path' });

# The path in the help of the command.
sub told_by { `'$_[0]' --help` =~ m{otherwise QSOSYNC_DB, otherwise\n +(.*)} }

# The place that a copy of the program in a folder tells.
sub place_in {
    my ($place) = @_;
    make_path("$folder/$place");
    copy $program, "$folder/$place/program" or die $!;
    chmod 0755, "$folder/$place/program";
    delete local @ENV{qw(QSOSYNC_DB QSOSYNC_INSTANCE)};
    my ($path) = told_by("$folder/$place/program");
    return $path =~ s{\A\Q$folder\E/}{}r;
}
my ($installed) = told_by("$QSOsync::Front::BUILD/qsosync-admin");
is place_in('none/public_html/api'), $installed, 'a portable program without a folder has the path of the others';
make_path("$folder/club/qsosync", "$folder/open/public_html/qsosync", "$folder/open/qsosync");
is place_in("club/$_"), 'club/qsosync/logbook.db', "a portable program in $_ finds the logbook"
    for 'public_html', 'public_html/api', 'qsosync';
is place_in('open/public_html/api'), 'open/public_html/qsosync/logbook.db', 'the nearest folder counts';
make_path("$folder/blocked/inside");
open $file, '>', "$folder/blocked/inside/qsosync" or die $!;
make_path("$folder/blocked/qsosync");
is place_in('blocked/inside'), 'blocked/qsosync/logbook.db', 'a file of that name is passed over';
SKIP: {
    skip 'only root can make what belongs to another user', 1 if $> != 0;
    make_path("$folder/other/home/qsosync", "$folder/other/qsosync");
    chown 65534, -1, "$folder/other/home/qsosync" or die $!;
    is place_in('other/home/public_html'), 'other/qsosync/logbook.db', 'a folder of another user is passed over';
}
done_testing;
