use QSOsync::Test fronts => 'none';

# What NEWS asks operators to run once, the README's section about upgrades runs: nobody reads both.
my $source = $QSOsync::Front::SOURCE;
my ($demands) = QSOsync::Front::read_file("$source/src/manual/NEWS") =~ /^  When you upgrade[^\n]*\n(.*?)\n\n/ms;
my ($section) = QSOsync::Front::read_file("$source/README") =~ /^Upgrade\n-+\n(.*?)^\S+[^\n]*\n---/ms;
my @blocks = $section =~ /((?:^    [^\n]+\n)+)/mg;
my @commands = $demands =~ /\bRun (qsosync-admin [a-z]+)/g;
is scalar @blocks, 2, 'the README upgrades the package, and what was installed from source';
isnt scalar @commands, 0, 'NEWS asks for a command';
for my $command (@commands) {
    like $blocks[$_], qr/\Q$command\E$/m, "block " . ($_ + 1) . " of the README's upgrade runs $command"
        for 0 .. $#blocks;
    my ($line) = $blocks[1] =~ /(.*)\Q$command\E/s;
    like $line, qr/systemctl restart qsosync/, "the new workers run before $command brings the logbook forward";
}
like $section, qr/repeat the lines from \.\/configure to the one with "init"/, 'an upgrade on a shared host runs init';

done_testing;
