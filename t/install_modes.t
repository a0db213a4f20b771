use QSOsync::Test fronts => 'none';
use File::Find ();
use File::Temp qw(tempdir);

# What is installed is read by other users, whatever the umask of the one who installs.
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
is $closed, '', 'under umask 077 every file and every folder of ours can be read by all';
cmp_ok $files, '>', 20, 'there is something installed';

done_testing;
