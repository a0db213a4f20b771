use QSOsync::Test fronts => 'none';

# An upgrade runs the commands that NEWS asks operators to run once, because nobody reads both.
my $source = $QSOsync::Front::SOURCE;
my ($demands) = QSOsync::Front::read_file("$source/src/manual/NEWS") =~ /^  When you upgrade[^\n]*\n(.*?)\n\n/ms;
my ($package) = QSOsync::Front::read_file("$source/README") =~ /^Upgrade\n-+\n(.*?)^\S+[^\n]*\n---/ms;
my ($built) = QSOsync::Front::read_file("$source/src/manual/papers/install.txt")
    =~ /^## Upgrade from source\n(.*?)^## /ms;
my @blocks = map { /((?:^    [^\n]+\n)+)/mg } $package, $built;
my @commands = $demands =~ /\b[Rr]un (qsosync-admin [a-z]+)/g;
is scalar @blocks, 2, 'the package and an installation from source each have an upgrade';
isnt scalar @commands, 0, 'NEWS names a command to run';
for my $command (@commands) {
    like $blocks[$_], qr/\Q$command\E$/m, "upgrade " . ($_ + 1) . " runs $command"
        for 0 .. $#blocks;
    my ($line) = $blocks[1] =~ /(.*)\Q$command\E/s;
    like $line, qr/systemctl restart qsosync/, "the new workers run before $command upgrades the logbook";
}
like $package, qr/repeat the commands of that section, up to the command with "init"/,
    'an upgrade on a shared host runs init';

done_testing;
