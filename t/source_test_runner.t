use QSOsync::Test fronts => 'none', slow => 15, suite => 'all';
use File::Temp qw(tempdir);

# t/check runs tests that this file creates.
my $folder = tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);

# write_tests(name => code...) writes tests. $once is true in the first run of a test. A test with a number in its name
# is slow, and states that it takes that number of seconds.
sub write_tests {
    my (%does) = @_;
    for my $name (keys %does) {
        my $slow = $name =~ /(\d+)/ ? ", slow => $1" : '';
        my $browser = $name =~ /\Abrowser/ ? "use QSOsync::Browser;\n" : '';
        open my $test, '>', "$folder/$name.t" or die $!;
        print $test "use QSOsync::Test fronts => 'none'$slow;\n$browser"
            . "my (\$file, \$ran) = ('$folder/made', '$folder/$name.ran');\n"
            . "my \$once = !-e \$ran; open my \$note, '>>', \$ran; print \$note '.'; close \$note;\n"
            . "$does{$name}\ndone_testing;\n";
        close $test;
    }
    return sort keys %does;
}

# Runs t/check, and returns its exit status and output.
my $jobs = 2;
sub check {
    my ($options, @names) = @_;
    unlink glob "$folder/*.ran";
    local $ENV{QSOSYNC_JOBS} = $jobs;
    my $said = qx($^X "$QSOsync::Front::SOURCE/t/check" $options -- @{[map { "$folder/$_.t" } @names]} 2>&1);
    return ($? >> 8, $said);
}

# Two tests run at a time. The first test is silent until the third test has run. The third test can start only when the
# second has ended.
my ($ended, $said) = check('', write_tests(
    a_waits => 'for (1 .. 300) { last if -e $file; select undef, undef, undef, 0.1 } ok -e $file;',
    b_ends => 'ok 1;',
    c_follows => 'open my $made, ">", $file or die $!; ok 1;',
));
like $said, qr/^3 passed, 0 failed$/m, 'a test that is silent for long does not prevent other tests from starting'
    or diag $said;

write_tests(once => 'ok !$once, "the second run passes";', passes => 'ok 1;');
($ended, $said) = check('', 'once', 'passes');
like $said, qr/^FAILED:[ ]once\.t[ ]without[ ]a[ ]front[ ]server:[ ]checks[ ]1;
    .*the[ ]second[ ]run[ ]passes.*^FAILED:[ ]without[ ]a[ ]front[ ]server\n1[ ]passed,[ ]1[ ]failed\n\z/msx,
    'a failing test is reported with its failed checks' or diag $said;
is $ended, 1, 'a run with a failing test fails';
is -s "$folder/once.ran", 1, 'a failing test is not run again';

$jobs = 1; # with several jobs, the tests would end in any order
write_tests(browser => 'ok 1;', passes => 'ok 1;', a_20 => 'ok 1;', b_100 => 'ok 1;', c_3 => 'ok 1;');
($ended, $said) = check('', 'a_20', 'b_100', 'c_3', 'passes');
like $said, qr/^-- tests\n.*\bb_100\.t.*\ba_20\.t.*\bc_3\.t.*\bpasses\.t.*^4 passed, 0 failed\n\z/ms,
    'the longest tests run first' or diag $said;
($ended, $said) = check('--no-browsers', 'browser', 'passes');
like $said, qr/^Omitted by BROWSERS=no: browser\.t\n.*^1 passed, 0 failed\n\z/ms,
    'tests with a browser can be omitted' or diag $said;

# A browser test has several scripts. The report has one line per subject.
{
    open my $test, '>', "$folder/site_scripts.t" or die $!;
    print $test "use QSOsync::Test fronts => 'none';\nuse QSOsync::Browser;\n{ no warnings 'redefine';\n"
        . "sub QSOsync::Browser::is_missing { '' } }\n"
        . "script 'one', sub {\n ok 1; ok 1;\n};\nscript 'slow', slow => 30, sub {\n ok 0, 'a slow rule';\n};\n"
        . "script 'none', sub {\n omit('nothing is installed');\n};\ndone_testing;\n";
    close $test;
    ($ended, $said) = check('', 'site_scripts', 'passes');
    like $said, qr/site_scripts\.t slow .*site_scripts\.t one \.+ ok/s,
        'each script of a browser test is run separately';
    like $said, qr/^passes +1 files +1 tests +\d+ s\nsite +1 files +3 tests +\d+ s, 1 FAILED\n/m,
        'each subject has a line with its files, tests and seconds' or diag $said;
    like $said, qr/^Skipped: site_scripts\.t none \(nothing is installed\)$/m, 'a script that is omitted is listed';
    like $said, qr/^FAILED: site_scripts\.t slow without.*a slow rule.*^2 passed, 1 failed\n\z/ms,
        'a failed script is reported with its name' or diag $said;
}

# t/check runs the suites of make check, check-rest and check-all in a folder with its own tests.
unlink glob "$folder/*.t";
symlink "$QSOsync::Front::SOURCE/t/$_", "$folder/$_" or die $! for qw(check lib);
my %line = (essential_one => "fronts => 'essential'", all_one => "fronts => 'all'", main_one => '',
    none_one => "fronts => 'none'", rare_one => "fronts => 'nginx', suite => 'all'");
for my $name (keys %line) {
    open my $test, '>', "$folder/$name.t" or die $!;
    print $test "use QSOsync::Test $line{$name};\nok 1;\ndone_testing;\n";
    close $test;
}
sub runs_of {
    my ($suite, $except) = (@_, '');
    local $ENV{QSOSYNC_JOBS} = $jobs;
    my $output = qx($^X "$folder/check" --suite $suite --except "$except" --fronts "nginx fcgid cgi" --);
    my @runs = sort $output =~ /(\w+_one\.t(?: \(\w+\))?) \.+ ok/g;
    return @runs;
}
my @check = map { "${_}_one.t" } 'all', 'essential', 'main', 'none';
is_deeply [runs_of('check')], [sort @check, map { "essential_one.t ($_)" } qw(cgi fcgid)],
    'make check runs each test through nginx, and essential tests through the other front servers';
my @rest = ('all_one.t (cgi)', 'all_one.t (fcgid)', 'main_one.t (fcgid)', 'rare_one.t');
is_deeply [runs_of('rest')], \@rest,
    'make check-rest runs rare tests, and runs other tests through further front servers';
is_deeply [runs_of('all')], [sort @rest, runs_of('check')],
    'make check-all runs the tests of make check, and those that make check omits';
is_deeply [runs_of('rest', 'all_one.t main_one.t')], ['rare_one.t'], 'tests can be omitted by name';
for my $option ('--except "rare_one.t al_one.t" --', '-- rare_one.t al_one.t') {
    my $refused = qx($^X "$folder/check" $option 2>&1);
    like $refused, qr/\Amake check: \w+ names files of t\/; "al_one\.t" does not exist\n\z/,
        "a name without a test is refused, and nothing is run: $option";
    is $? >> 8, 2, "$option gives exit status 2";
}

done_testing;
