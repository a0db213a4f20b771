use QSOsync::Test fronts => 'none';
use File::Temp qw(tempdir);

# What t/check makes of tests: written here, and run by it.
my $folder = tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);

# write_tests(name => what it does…); $once is true the first time that it runs.
sub write_tests {
    my (%does) = @_;
    for my $name (keys %does) {
        my $browser = $name =~ /\Abrowser/ ? "use QSOsync::Browser;\n" : '';
        open my $test, '>', "$folder/$name.t" or die $!;
        print $test "use QSOsync::Test fronts => 'none';\n${browser}"
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

write_tests(browser_once => 'ok !$once, "a rule of the browser";', browser_always => 'ok 0, "another rule";',
    strict => 'ok !$once, "a rule without one";', passes => 'ok 1;');
($ended, $said) = check('', 'browser_once', 'passes');
like $said, qr/^PASSED[ ]ONLY[ ]ALONE:[ ]browser_once\.t[ ]without[ ]a[ ]front[ ]server:[ ]checks[ ]1;
    .*a[ ]rule[ ]of[ ]the[ ]browser.*^All[ ]tests[ ]passed\.\n2[ ]passed,[ ]0[ ]failed\n\z/msx,
    'a test with a browser that passes when it is run again alone is told with what failed first' or diag $said;
is $ended, 0, 'a run in which it passed alone passes';
($ended, $said) = check('--once', 'browser_once', 'passes');
like $said, qr/^FAILED: browser_once\.t .*^1 passed, 1 failed\n\z/ms, 'with --once no test is run again' or diag $said;
is $ended, 1, 'with --once the run fails';
($ended, $said) = check('', 'browser_always', 'browser_once', 'strict');
like $said, qr/^FAILED:[ ]browser_always\.t[ ].*^FAILED:[ ]strict\.t[ ].*^PASSED[ ]ONLY[ ]ALONE:[ ]browser_once\.t[ ]
    .*^FAILED:[ ]without[ ]a[ ]front[ ]server\n1[ ]passed,[ ]2[ ]failed\n\z/msx,
    'one that fails again has failed, as has one without a browser that fails once' or diag $said;
is $ended, 1, 'a run in which one failed again fails';
($ended, $said) = check('', write_tests(map { ("browser_$_" => 'ok !$once;') } 1 .. 4));
like $said, qr/^0 passed, 4 failed\n\z/m, 'where many tests with a browser fail, none is run again' or diag $said;

done_testing;
