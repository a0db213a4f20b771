# A real browser for a test: Chromium, driven by the scripts in t/browser, whose checks count as this test's.
package QSOsync::Browser;
use strict;
use warnings;
use Test::More ();
use QSOsync::Front;

my $folder = "$QSOsync::Front::SOURCE/t/browser";

# The reason why no browser is available; empty if there is a browser.
sub is_missing {
    return 'no browser: ./bootstrap --browser installs it'
        if (grep { !-d "$folder/node_modules/$_" } qw(axe-core jsqr playwright-core puppeteer-core))
        || (grep { system("command -v $_ >/dev/null 2>&1") != 0 } qw(chromium chromium-headless-shell node));
    return '';
}

# start($service, 'cluster.js', NAME => value…): returns the output of the script. Its environment holds the service's
# address and keys, and these variables.
sub start {
    my ($service, $script, %variables) = @_;
    local %ENV = (%ENV, QSOSYNC_ORIGIN => 'http://127.0.0.1:' . $service->port, QSOSYNC_READ_KEY => $service->read_key,
        QSOSYNC_WRITE_KEY => $service->write_key, QSOSYNC_CLIENTS => "$QSOsync::Front::BUILD/clients", %variables);
    my $most = $ENV{QSOSYNC_TEST_ROUNDS} ? 10_000 : 600; # seconds
    open my $output, '-|:encoding(UTF-8)', 'timeout', $most, 'node', "$folder/$script" or die "node: $!";
    return $output;
}

# The same; the script's checks count as this test's.
sub run {
    my ($service, $script, %variables) = @_;
    my $output = start($service, $script, %variables);
    binmode Test::More->builder->$_, ':encoding(UTF-8)' for qw(output failure_output todo_output);
    my $rules = 0;
    while (my $line = <$output>) {
        chomp $line;
        if ($line =~ /\A(not )?ok - (.*)/) {
            $rules++;
            Test::More::ok(!$1, $2);
        }
        else { Test::More::diag($line =~ s/\A# //r) if $line =~ /\S/ }
    }
    close $output;
    Test::More::is($?, 0, "$script ran to its end");
    Test::More::cmp_ok($rules, '>', 0, "$script ran checks");
}

# The same for a script in which a member (QSOsync::Profile) signs in.
sub run_as {
    my ($member, $script, %variables) = @_;
    run($member->{service}, $script, QSOSYNC_CALLSIGN => $member->{callsign}, QSOSYNC_PASSWORD => $member->{password},
        %variables);
}

1;
