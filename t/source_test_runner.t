use QSOsync::Test fronts => 'none';
use File::Temp qw(tempdir);

# What t/check makes of tests: written here, and run by it.
my $folder = tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);

# write_tests(name => what it does…); $once is true the first time that it runs.
sub write_tests {
    my (%does) = @_;
    for my $name (keys %does) {
        open my $test, '>', "$folder/$name.t" or die $!;
        print $test "use QSOsync::Test fronts => 'none';\n"
            . "my (\$file, \$ran) = ('$folder/made', '$folder/$name.ran');\n"
            . "my \$once = !-e \$ran; open my \$note, '>', \$ran; close \$note;\n$does{$name}\ndone_testing;\n";
        close $test;
    }
    return sort keys %does;
}

# How it ends, and what it says.
sub check {
    my ($options, @names) = @_;
    unlink glob "$folder/*.ran";
    local $ENV{QSOSYNC_JOBS} = 2;
    my $said = qx($^X "$QSOsync::Front::SOURCE/t/check" $options -- @{[map { "$folder/$_.t" } @names]} 2>&1);
    return ($? >> 8, $said);
}

# Two at a time: the first says nothing until the third has run, which needs the place of the second.
my ($ended, $said) = check('', write_tests(
    a_waits => 'for (1 .. 300) { last if -e $file; select undef, undef, undef, 0.1 } ok -e $file;',
    b_ends => 'ok 1;',
    c_follows => 'open my $made, ">", $file or die $!; ok 1;',
));
like $said, qr/^3 passed, 0 failed$/m, 'a test that says nothing for long does not keep others from being started'
    or diag $said;

# What fails the first time, and what fails always. Two of the first kind count all the same: one that plays something
# else each time, and one in which a sanitizer has found a fault.
write_tests(once => 'ok !$once, "a rule of one moment";', always => 'ok 0, "another rule";', passes => 'ok 1;',
    draws => 'drawn_seed(); ok !$once, "a rule of chance";',
    complains => 'print STDERR "a.c:1: runtime error: overflow\n" if $once; ok !$once;');
($ended, $said) = check('', 'once', 'passes');
like $said, qr/^PASSED[ ]ONLY[ ]ALONE:[ ]once\.t[ ]without[ ]a[ ]front[ ]server:[ ]checks[ ]1;
    .*a[ ]rule[ ]of[ ]one[ ]moment.*^All[ ]tests[ ]passed\.\n2[ ]passed,[ ]0[ ]failed\n\z/msx,
    'a test that passes when it is run again alone is told with what failed first' or diag $said;
is $ended, 0, 'a run in which it passed alone passes';
($ended, $said) = check('--once', 'once', 'passes');
like $said, qr/^FAILED: once\.t .*^1 passed, 1 failed\n\z/ms, 'with --once no test is run again' or diag $said;
is $ended, 1, 'with --once the run fails';
for my $counts ('always', 'draws', 'complains') {
    ($ended, $said) = check('', $counts, 'once');
    like $said, qr/^FAILED:[ ]$counts\.t[ ].*^PASSED[ ]ONLY[ ]ALONE:[ ]once\.t[ ]
        .*^FAILED:[ ]without[ ]a[ ]front[ ]server\n1[ ]passed,[ ]1[ ]failed\n\z/msx,
        "a failure counts of one that $counts" =~ s/always/fails always/r or diag $said;
    is $ended, 1, "the run has failed, too: $counts";
}
($ended, $said) = check('', write_tests(map { ("often_$_" => 'ok !$once;') } 1 .. 4));
like $said, qr/^0 passed, 4 failed\n\z/m, 'where many tests fail, none is run again' or diag $said;

done_testing;
