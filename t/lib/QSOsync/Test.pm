# The first line of every test:
#
#   use QSOsync::Test fronts => 'main';
#
# It imports strict and warnings, Test::More, QSOs for tests (QSOsync::Case) and a private service (QSOsync::Service),
# and states through which front servers the test runs:
#
#   main       nginx and Apache with mod_fcgid; the default
#   all        these and mod_proxy_fcgi, .htaccess and plain CGI: the result depends on the front server
#   essential  the same fronts: if it fails, the service does not work through that front
#   nginx      only nginx: the test watches the workers themselves, or one run is enough
#   none       once, for any fronts: the result does not depend on the front server
#
# make check runs only the essential tests through fronts other than nginx; make check-all runs all of them. Only make
# check-all runs long random runs, loads, many kills, costs of pages, further browsers, and the longest tests of a
# subject with shorter ones:
#
#   use QSOsync::Test fronts => 'none', suite => 'all';
#
# A test that takes more than ten seconds states how many, because the longest tests start first:
#
#   use QSOsync::Test fronts => 'nginx', slow => 20;
#
# t/check also reads this line. A test's name begins with its subject (t/README lists them): api_paths.t. To run it
# alone, in the build folder: prove -It/lib t/api_paths.t. If the sources are in another folder, put its name before
# each t. QSOSYNC_TEST_FRONT=fcgid runs the test through that front.
package QSOsync::Test;
use strict;
use warnings;
use Test::More ();
use QSOsync::Case ();
use QSOsync::Front ();
use QSOsync::Service ();

my %FRONTS_OF = (
    main => [qw(nginx fcgid)],
    all => [qw(nginx fcgid proxy_fcgi htaccess cgi)],
    essential => [qw(nginx fcgid proxy_fcgi htaccess cgi)],
    nginx => [qw(nginx)],
    none => [],
);

sub import {
    my ($class, @said) = @_;
    my $test = understand(@said);
    strict->import;
    warnings->import;
    $_->export_to_level(1, $_) for qw(Test::More QSOsync::Case);
    my $front = QSOsync::Service::default_front();
    return if $front eq 'nginx';
    Test::More::plan(skip_all => 'the result does not depend on the front server') if $test->{fronts} eq 'none';
    Test::More::plan(skip_all => 'runs only through nginx') if $test->{fronts} eq 'nginx';
}

sub understand {
    my %test = (fronts => 'main', slow => 0, suite => 'check', @_);
    $FRONTS_OF{$test{fronts}} or die "fronts => '$test{fronts}' is not one of @{[sort keys %FRONTS_OF]}\n";
    $test{suite} =~ /\A(?:check|all)\z/ or die "suite => '$test{suite}' is neither 'check' nor 'all'\n";
    my @unknown = grep { !/\A(?:fronts|slow|suite)\z/ } sort keys %test;
    die "use QSOsync::Test has no option @unknown\n" if @unknown;
    return \%test;
}

# Returns the properties of the tests in a file: one test, or one test per script of QSOsync::Browser. The properties
# are script (the script's name), fronts (one of the words above), slow and suite.
sub of_file {
    my ($path) = @_;
    my $text = QSOsync::Front::read_file($path);
    my ($line) = $text =~ /^use QSOsync::Test\b\s*([^;]*);/m or die "$path lacks the line: use QSOsync::Test\n";
    my @scripts = $text =~ /^script '([^']+)'(.*)\bsub \{$/mg;
    @scripts = (undef, '') if !@scripts;
    my @tests;
    while (my ($script, $options) = splice @scripts, 0, 2) {
        push @tests, eval { understand(options_in($line), options_in($options)) } || die "$path: $@";
        $tests[-1]{script} = $script;
    }
    return @tests;
}

sub options_in { return $_[0] =~ /(\w+)\s*=>\s*'?(\w+)'?/g }

# Returns whether a test's file drives a browser.
sub has_browser {
    my ($path) = @_;
    return QSOsync::Front::read_file($path) =~ /^use QSOsync::Browser;/m;
}

sub all_fronts { @{$FRONTS_OF{all}} }

# Returns whether make check-all runs a test with this word through the front.
sub runs_through {
    my ($word, $front) = @_;
    return scalar grep { $_ eq $front } @{$FRONTS_OF{$word}};
}

# Returns whether make check runs a test with these properties (of_file) through the front (undef: without a front).
sub is_in_check {
    my ($test, $front) = @_;
    return $test->{suite} eq 'check' && (!$front || $front eq 'nginx' || $test->{fronts} eq 'essential');
}

1;
