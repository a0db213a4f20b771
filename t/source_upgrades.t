use QSOsync::Test fronts => 'none';

# The upgrade instructions contain all commands in NEWS that operators must run, because operators do not read both.
my $source = $QSOsync::Front::SOURCE;
my ($demands) = QSOsync::Front::read_file("$source/src/manual/NEWS") =~ /^  When you upgrade[^\n]*\n(.*?)\n\n/ms;
my ($package) = QSOsync::Front::read_file("$source/README") =~ /^Upgrade\n-+\n(.*?)^\S+[^\n]*\n---/ms;
my ($built) = QSOsync::Front::read_file("$source/src/manual/papers/install.txt")
    =~ /^## Upgrade from source\n(.*?)^## /ms;
my @blocks = map { /((?:^    [^\n]+\n)+)/mg } $package, $built;
my @commands = $demands =~ /\b[Rr]un (qsosync-admin [a-z]+)/g;
is scalar @blocks, 2, 'there are upgrade instructions for the package and for an installation from source';
isnt scalar @commands, 0, 'NEWS names a command to run';
for my $command (@commands) {
    like $blocks[$_], qr/\Q$command\E$/m, "the upgrade instructions in block " . ($_ + 1) . " contain $command"
        for 0 .. $#blocks;
    my ($line) = $blocks[1] =~ /(.*)\Q$command\E/s;
    like $line, qr/systemctl restart qsosync/,
        "the instructions start the new workers before $command upgrades the logbook";
}
like $package, qr/repeat the commands in "On a shared host", up to the command with\s+"init"/,
    'the instructions for a shared host run init';

done_testing;
