use QSOsync::Test fronts => 'nginx', suite => 'all';
use File::Find ();
use File::Temp qw(tempdir);
use POSIX ();

# All users can read what is installed, whatever the umask of the user who installs.
my $folder = tempdir(CLEANUP => 1);
my $output = `umask 077; make -s -C '$QSOsync::Front::BUILD' install DESTDIR='$folder' 2>&1`;
is $?, 0, 'make install works under umask 077' or diag $output;
my ($closed, $files) = ('', 0);
File::Find::find({ no_chdir => 1, wanted => sub {
    my $mode = (stat)[2] & 0777;
    my $is_ours = -f || m{/(?:share/(?:doc/)?qsosync|libexec)(?:/|\z)};
    $files++ if -f;
    $closed .= sprintf "%o %s\n", $mode, $_ if $is_ours
        && ($mode & (-x $_ || -d ? 0555 : 0444)) != (-x $_ || -d ? 0555 : 0444);
} }, $folder);
is $closed, '', "all users can read every installed file and QSOsync's own folders after make install under umask 077";
cmp_ok $files, '>', 20, 'make install installs more than 20 files';

done_testing;
