use QSOsync::Test fronts => 'none';
use File::Temp qw(tempdir);

# make check where root has the checkout in a folder that nobody else can enter, as /root is, and on a machine without
# /etc/hosts, as containers are.
plan skip_all => 'for root with Apache' if $> != 0 || !QSOsync::Front::has_apache();
my $source = $QSOsync::Front::SOURCE;
my $closed = tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);
symlink $_, $closed . '/' . s{.*/}{}r for glob "$QSOsync::Front::BUILD/*";

sub check {
    my ($front, %environment) = @_;
    local %ENV = (%ENV, QSOSYNC_BUILDDIR => $closed, %environment);
    my @before = $environment{before} ? ('unshare', '-m', 'sh', '-c', "$environment{before} && exec \"\$@\"", 'sh')
        : ();
    open my $pipe, '-|', 'sh', '-c', 'exec "$@" 2>&1', 'sh', @before, $^X, "$source/t/check", '--fronts', $front, '--',
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

done_testing;
