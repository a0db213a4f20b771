use QSOsync::Test fronts => 'none';
use File::Temp qw(tempdir);
use File::Find ();

# make check where root has the checkout in a folder that nobody else can enter, as /root is, and on a machine without
# /etc/hosts, as containers are.
SKIP: {
    skip 'for root with Apache', 1 if $> != 0 || !QSOsync::Front::has_apache();
    my $source = $QSOsync::Front::SOURCE;
    my $closed = tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);
    symlink $_, $closed . '/' . s{.*/}{}r for glob "$QSOsync::Front::BUILD/*";

    sub check {
        my ($front, %environment) = @_;
        local %ENV = (%ENV, QSOSYNC_BUILDDIR => $closed, %environment);
        my @before = $environment{before} ? ('unshare', '-m', 'sh', '-c', "$environment{before} && exec \"\$@\"", 'sh')
            : ();
        open my $pipe, '-|', 'sh', '-c', 'exec "$@" 2>&1', 'sh', @before, $^X, "$source/t/check", '--fronts', $front,
            '--',
            'keys_headers.t' or die "sh: $!";
        local $/;
        return scalar <$pipe>;
    }

    like check($_), qr/^1 passed, 0 failed\n\z/m, "a test passes through $_ in a folder that only root can enter"
        for qw(fcgid proxy_fcgi htaccess);
    is check('fcgid', TMPDIR => $closed),
        "make check: Apache's user cannot enter $closed, and the tests write below it; take another TMPDIR, or "
        . "FRONTS=nginx\n", 'a folder for temporary files that only root can enter is named at once';
    SKIP: {
        my $without_hosts = 'mount --bind /dev/null /etc/hosts';
        skip 'only root outside of a container may mount', 1 if system("unshare -m sh -c '$without_hosts' 2>/dev/null");
        like check('fcgid proxy_fcgi htaccess cgi', before => $without_hosts), qr/^1 passed, 0 failed\n\z/m,
            'a test passes on a machine that knows no name';
    }
}

# What is installed is read by other users, whatever the umask of the one who installs.
{
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
}

done_testing;
