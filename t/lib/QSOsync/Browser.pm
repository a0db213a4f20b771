# Runs the scripts in t/browser, which drive Chromium. The checks of a script count as checks of the test.
#
# A file t/browser_*.t contains scripts, each with its own service:
#
#   script 'undo.js', slow => 10, sub {
#       my $service = QSOsync::Service->start(site => 1);
#       QSOsync::Browser::run($service, 'undo.js');
#   };
#
# The options slow and suite are those of QSOsync::Test. t/check runs each script as a test of its own. To run only one
# script: prove -It/lib t/browser_profile.t :: undo.js
package QSOsync::Browser;
use strict;
use warnings;
use Exporter qw(import);
use Test::More ();
use QSOsync::Front;

our @EXPORT = qw(script omit);

my $folder = "$QSOsync::Front::SOURCE/t/browser";

# Returns the reason why no browser is available, or '' if there is a browser.
sub is_missing {
    return 'no browser: ./bootstrap --browser installs it'
        if (grep { !-d "$folder/node_modules/$_" } qw(axe-core jsqr playwright-core puppeteer-core))
        || (grep { system("command -v $_ >/dev/null 2>&1") != 0 } qw(chromium chromium-headless-shell node));
    return '';
}

# Runs the code of a script, unless the command line names other scripts.
sub script {
    my ($name, $code) = @_[0, -1];
    Test::More::plan(skip_all => is_missing()) if is_missing();
    $code->() if !@ARGV || grep { $_ eq $name } @ARGV;
}

# Skips a script for this reason, or the whole test if the command line names the script.
sub omit {
    my ($why) = @_;
    Test::More::plan(skip_all => $why) if @ARGV;
    Test::More->builder->skip($why);
}

# start($service, 'cluster.js', NAME => value…) returns the output of the script. The script's environment contains
# the service's address and keys, and these variables.
sub start {
    my ($service, $script, %variables) = @_;
    local %ENV = (%ENV, QSOSYNC_ORIGIN => 'http://127.0.0.1:' . $service->port, QSOSYNC_READ_KEY => $service->read_key,
        QSOSYNC_WRITE_KEY => $service->write_key, QSOSYNC_CLIENTS => "$QSOsync::Front::BUILD/clients", %variables);
    my $most = $ENV{QSOSYNC_TEST_ROUNDS} ? 10_000 : 600; # seconds
    open my $output, '-|:encoding(UTF-8)', 'timeout', $most, 'node', "$folder/$script" or die "node: $!";
    return $output;
}

# Runs a script as start does. The script's checks count as checks of this test, under the script's name.
sub run {
    my ($service, $script, %variables) = @_;
    my $output = start($service, $script, %variables);
    binmode Test::More->builder->$_, ':encoding(UTF-8)' for qw(output failure_output todo_output);
    my $rules = 0;
    while (my $line = <$output>) {
        chomp $line;
        if ($line =~ /\A(not )?ok - (.*)/) {
            $rules++;
            Test::More::ok(!$1, "$script: $2");
        }
        else { Test::More::diag($line =~ s/\A# //r) if $line =~ /\S/ }
    }
    close $output;
    Test::More::is($?, 0, "$script ran to its end");
    Test::More::cmp_ok($rules, '>', 0, "$script ran checks");
}

# Runs a script in which a member (QSOsync::Profile) signs in.
sub run_as {
    my ($member, $script, %variables) = @_;
    run($member->{service}, $script, QSOSYNC_CALLSIGN => $member->{callsign}, QSOSYNC_PASSWORD => $member->{password},
        %variables);
}

1;
