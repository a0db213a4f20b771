use QSOsync::Test fronts => 'none';

# QSOsync can be built for another machine: nothing that is made for that machine is run by make, and what make does
# run is compiled by a compiler of its own.
my @not_made = (qw(Makefile config.status), map { ($_, "$QSOsync::Front::SOURCE/$_") }
    qw(Makefile.am Makefile.in configure configure.ac aclocal.m4));
# Without what the compiler noted of headers: make would make these files at once, and lose what is in them.
my $recipes = `cd '$QSOsync::Front::BUILD' && sed '/# am--include-marker/d' Makefile | env -u MAKEFLAGS -u MAKELEVEL \\
    make -f - -Bn @{[map {; "-o", $_ } @not_made]} all-am V=1 CC=for-target CC_FOR_BUILD=for-build 2>&1`;
is $?, 0, 'make says what it would do' or diag $recipes;
my @lines = split /\n/, $recipes =~ s/\\\n/ /gr;
for my $name (qw(qsosync.fcgi qsosync-site.fcgi qsosync-admin qsosync-cluster)) {
    ok scalar(grep { /\bfor-target\b.* -o \Q$name\E / } @lines), "$name is made for the target";
}
is join("\n", grep { m{(?:^|[\s;|&(])\./qsosync} } @lines), '', 'no program of the target is run';
ok scalar(grep { /^for-build\b.* -o describe-api / } @lines), 'what describes the API is made for the builder';
ok scalar(grep { m{\./describe-api\b} } @lines), 'its description is made by running that';

done_testing;
