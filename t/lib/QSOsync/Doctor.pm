# Runs qsosync-admin doctor and reads its findings.
package QSOsync::Doctor;
use strict;
use warnings;
use JSON::PP ();
use Test::More ();
use QSOsync::Front;

our $PROGRAM = "$QSOsync::Front::BUILD/qsosync-admin";

# Matches any logbook's path as an argument of a command, because the doctor can name running workers of another test.
our $QUOTED_PATH = qr/(?:'(?:[^']|'\\'')*'|[^\s']+)/;

# Runs the doctor with arguments as a person would type them, through an optional wrapper command. Returns the exit
# status and the findings.
sub run {
    my ($wrapper, @arguments) = @_;
    open my $output, '-|', @{$wrapper || []}, 'sh', '-c', '"$@" 2>&1', 'sh', $PROGRAM, @arguments, '--json'
        or die "sh: $!";
    my $text = do { local $/; <$output> };
    close $output;
    my $status = $? >> 8;
    my $report = eval { JSON::PP::decode_json($text) }
        or return ($status, { status => 'none', checks => [], text => $text });
    judge($_) for @{$report->{checks}};
    return ($status, { %$report, text => $text });
}

# Checks a finding against the rules for all findings, because fixes are pasted into root's shell.
sub judge {
    my ($check) = @_;
    my ($fix, $line) = ($check->{fix} // '', line($check));
    my @broken = ($line =~ /[\x00-\x1f\x7f-\x9f]/ ? 'it contains control characters' : (),
        $fix =~ /\brm\b|\bsed\b|\btruncate\b|>/ ? 'it deletes or changes files' : (),
        $fix =~ /\b(?:fuser|killall|pkill)\b/ ? 'it ends programs by name' : (),
        $fix =~ / restore / && $check->{message} !~ /is lost\z/ ? 'it restores without naming the losses' : (),
        $fix =~ /["'](?!\\)[^"']*\z/ && ($fix =~ tr/'//) % 2 ? 'a quote has no end' : (),
        length $fix > 240 ? 'it is too long to read' : (),
        $check->{level} ne 'ok' && $fix eq '' ? 'the fix is missing' : ());
    Test::More::fail("a fix from the doctor is safe to paste: $_") && Test::More::diag($line) for @broken;
}

# Returns whether a fix is a line for a shell rather than a sentence. Lines that only display something do not count.
sub is_line {
    return $_[0] =~ m{\A(?:/\S+/put-site|systemctl|runuser|qsosync-admin|chown|chmod|install|cp|kill|mount|certbot
        |a2enmod|timedatectl|apt-get)\ }x && $_[0] !~ /\Aqsosync-admin (?:--db \S+ )?(?:key|member) list/;
}

sub line { my ($finding) = @_; join '; ', $finding->{message}, $finding->{fix} ? "fix: $finding->{fix}" : () }

# Tests that the doctor finds a fault, with this level, check, message and fix. Returns the finding.
sub finds {
    my ($cause, $level, $check, $pattern, $fix, $status, $report) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    my %expected = (ok => 0, trouble => 1, warning => 3);
    my ($found) = grep { $_->{check} eq $check && $_->{level} eq $level && $_->{message} =~ $pattern }
        @{$report->{checks}};
    Test::More::ok($found, "$cause: the doctor reports it") or Test::More::diag($report->{text});
    Test::More::like(($found || {})->{fix} // '', $fix, "$cause: the doctor names the fix") if defined $fix;
    Test::More::is($status, $expected{$level}, "$cause: exit status for a $level") if $report->{status} eq $level;
    Test::More::note("| $cause | $level $check: $found->{message} | $found->{fix} |") if $found && $found->{fix};
    return $found;
}

1;
