use QSOsync::Test fronts => 'none';
use File::Temp ();

# QSOsync can be built for another machine: make runs nothing that is built for that machine.
my @not_made = (qw(Makefile config.status), map { ($_, "$QSOsync::Front::SOURCE/$_") }
    qw(Makefile.am Makefile.in configure configure.ac aclocal.m4));
# The test removes the list of dependency files from the makefile, because make would otherwise rebuild these files
# first.
my $recipes = `cd '$QSOsync::Front::BUILD' &&
    sed '/# am--include-marker/d' Makefile | env -u MAKEFLAGS -u MAKELEVEL \\
    make -f - -Bn @{[map {; "-o", $_ } @not_made]} all-am V=1 CC=for-target 2>&1`;
is $?, 0, 'make prints its recipes' or diag $recipes;
my @lines = split /\n/, $recipes =~ s/\\\n/ /gr;
for my $name (qw(qsosync.fcgi qsosync-site.fcgi qsosync-admin qsosync-cluster qsosync-link)) {
    ok scalar(grep { /\bfor-target\b.* -o \Q$name\E / } @lines), "$name is built for the target";
}
is join("\n", grep { m{(?:^|[\s;|&(])\./qsosync} } @lines), '', 'no program for the target is run';

# The authors' address is defined on one line of configure.ac, and all other files get it from there.
my $source = $QSOsync::Front::SOURCE;
my ($address) = QSOsync::Front::read_file("$source/configure.ac") =~ /^AC_INIT\(.*\[([^\]]+\@[^\]]+)\]\)$/m;
like QSOsync::Front::read_file("$QSOsync::Front::BUILD/man/qsosync-design.7"), qr/\Q@{[$address =~ s{-}{\\-}gr]}\E/,
    'the manual has the address from configure.ac';
is `grep -rlIF -e '$address' '$source/README' '$source/src'`, '', 'no other source file contains the address';

# A build has a date, even without git (an empty .git folder is not a repository) and in another user's checkout.
my $checkout = File::Temp->newdir;
mkdir "$checkout/$_" or die $! for qw(.git src src/manual);
QSOsync::Front::write_file("$checkout/src/manual/NEWS", "\n");
utime 1_700_000_000, 1_700_000_000, "$checkout/src/manual/NEWS" or die $!;
my $epoch = sub {
    my @old = map { "-o '$_'" } @not_made;
    my $said = `cd '$QSOsync::Front::BUILD' && env -u MAKEFLAGS -u MAKELEVEL -u SOURCE_DATE_EPOCH HOME=$checkout \\
        make -s @old --eval 'told: ; \@echo \$(build_epoch)' srcdir=$checkout told 2>&1`;
    return $said =~ s/\n\z//r;
};
is $epoch->(), 1_700_000_000, 'without git, the date of a build is the date of NEWS';
SKIP: {
    skip 'needs root and git for a checkout of another user', 1
        if $> != 0 || system('command -v git >/dev/null') != 0;
    system("cd $checkout && git init -q && GIT_COMMITTER_DATE='1710000000 +0000' \\
        git -c user.name=A -c user.email=a\@b.test commit -q --allow-empty -m one && chown -R 65534 .") == 0 or die;
    is $epoch->(), 1_710_000_000, "a build in another user's checkout has the date of the last commit";
}

done_testing;
