use QSOsync::Test fronts => 'none';
use File::Temp qw(tempdir);

# t/check with two tests at a time. The first says nothing until the third has run, which needs the place of the second.
my $folder = tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);
my %does = (
    a_waits => 'for (1 .. 300) { last if -e $file; select undef, undef, undef, 0.1 } ok -e $file;',
    b_ends => 'ok 1;',
    c_follows => 'open my $made, ">", $file or die $!; ok 1;',
);
for my $name (keys %does) {
    open my $test, '>', "$folder/$name.t" or die $!;
    print $test "use QSOsync::Test fronts => 'none';\nmy \$file = '$folder/made';\n$does{$name}\ndone_testing;\n";
    close $test;
}
local $ENV{QSOSYNC_JOBS} = 2;
my $said = qx($^X "$QSOsync::Front::SOURCE/t/check" -- @{[map { "$folder/$_.t" } sort keys %does]} 2>&1);
like $said, qr/^3 passed, 0 failed$/m, 'a test that says nothing for long does not keep others from being started'
    or diag $said;

done_testing;
