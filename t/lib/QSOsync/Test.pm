# What every test begins with, in one line:
#
#   use QSOsync::Test fronts => 'main';
#
# brings strict and warnings, Test::More, QSOs to test with (QSOsync::Case) and a private service
# (QSOsync::Service), and says which front servers the test runs through:
#
#   main       nginx and Apache with mod_fcgid; also where nothing is said
#   all        these and mod_proxy_fcgi, .htaccess and plain CGI: what it shows is a front server's doing, too
#   essential  the same: without it the service would not work through that front
#   nginx      nginx alone: it watches the workers themselves, or once is enough
#   none       once, whatever the fronts are: no front server plays a part in what it shows
#
# make check goes through other fronts than nginx with the essential tests alone; make check-all with all of them. Long
# random runs, loads, many kills, costs of pages, further browsers, and the longest tests of a subject that has others
# wait for make check-all, too:
#
#   use QSOsync::Test fronts => 'none', suite => 'all';
#
# A test that takes more than ten seconds says how many, because the longest start first:
#
#   use QSOsync::Test fronts => 'nginx', slow => 20;
#
# The line is read by t/check, too. A test's name begins with its subject (t/README lists them): api_paths.t.
# Alone, in the build folder: prove -It/lib t/api_paths.t (with the source folder's name before each t where
# that is another one); QSOSYNC_TEST_FRONT=fcgid takes it through that front.
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
    Test::More::plan(skip_all => 'no front server plays a part') if $test->{fronts} eq 'none';
    Test::More::plan(skip_all => 'runs through nginx alone') if $test->{fronts} eq 'nginx';
}

sub understand {
    my %test = (fronts => 'main', slow => 0, suite => 'check', @_);
    $FRONTS_OF{$test{fronts}} or die "fronts => '$test{fronts}' is none of @{[sort keys %FRONTS_OF]}\n";
    $test{suite} =~ /\A(?:check|all)\z/ or die "suite => '$test{suite}' is neither 'check' nor 'all'\n";
    my @unknown = grep { !/\A(?:fronts|slow|suite)\z/ } sort keys %test;
    die "use QSOsync::Test knows no @unknown\n" if @unknown;
    return \%test;
}

# What a test's first line states: fronts (a word from above), slow, suite.
sub of_file {
    my ($path) = @_;
    my ($line) = QSOsync::Front::read_file($path) =~ /^use QSOsync::Test\b\s*([^;]*);/m
        or die "$path does not say use QSOsync::Test\n";
    my %said = $line =~ /(\w+)\s*=>\s*'?(\w+)'?/g;
    return eval { understand(%said) } || die "$path: $@";
}

# Whether a test's file drives a browser.
sub has_browser {
    my ($path) = @_;
    return QSOsync::Front::read_file($path) =~ /^use QSOsync::Browser;/m;
}

sub all_fronts { @{$FRONTS_OF{all}} }

# Whether a test that says this word runs through the front in make check-all.
sub runs_through {
    my ($word, $front) = @_;
    return scalar grep { $_ eq $front } @{$FRONTS_OF{$word}};
}

# Whether make check runs what such a test (of_file) shows through the front, or through none.
sub is_in_check {
    my ($test, $front) = @_;
    return $test->{suite} eq 'check' && (!$front || $front eq 'nginx' || $test->{fronts} eq 'essential');
}

1;
