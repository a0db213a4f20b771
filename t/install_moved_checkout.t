use QSOsync::Test fronts => 'none', suite => 'all';
use File::Temp qw(tempdir);

# A checkout that was moved or copied after it was configured: ./bootstrap configures it for the place where it is now,
# with the arguments of the last time, or make would go on to use the files of the former place.
my $source = $QSOsync::Front::SOURCE;
plan skip_all => 'the source folder was not configured' if !-e "$source/config.status" || !-e "$source/configure";
my $place = tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);
my @files = grep { -e "$source/$_" } qw(bootstrap configure configure.ac Makefile.am Makefile.in aclocal.m4
    build-aux config.status Makefile README
    src/api/main.c);
sub place { my ($folder) = @_; QSOsync::Front::read_file("$folder/Makefile") =~ /^abs_top_builddir = (.*)$/m ? $1 : '' }
sub bootstrap {
    my ($folder) = @_;
    my $output = `cd '$folder' && ./bootstrap 2>&1`;
    is $?, 0, 'bootstrap succeeds' or diag $output;
    return $output;
}
my ($arguments) = QSOsync::Front::read_file("$source/config.status") =~ /^ac_cs_config=(.*)$/m;
my $folder = "$place/moved";
mkdir $folder or die;
system("cd '$source' && tar cf - @files | tar xf - -C '$folder'") == 0 or die;
# By their times nothing has changed since.
my $time = time - 1000;
utime ++$time, $time, "$folder/$_"
    for qw(configure.ac Makefile.am aclocal.m4 configure Makefile.in config.status Makefile);
isnt place($folder), $folder, 'before, make knows the former place';
my $said = `cd '$folder' && env -u MAKEFLAGS -u MAKELEVEL make -s --eval 'told: ; \@\$(in_tree) env' told 2>&1`;
is_deeply +{ $said =~ /^QSOSYNC_((?:SRC|BUILD)DIR)=(.*)$/mg }, { SRCDIR => $folder, BUILDDIR => $folder },
    'make run and make check take programs and data of the copy in which they are called' or diag $said;
bootstrap($folder);
is place($folder), $folder, 'bootstrap configures a checkout for the place to which it was moved';
is +(QSOsync::Front::read_file("$folder/config.status") =~ /^ac_cs_config=(.*)$/m)[0], $arguments,
    'it does so with the arguments of the last time';
unlike bootstrap($folder), qr/checking|running/, 'where nothing was moved, it configures nothing';

done_testing;
