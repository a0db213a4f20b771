# Summarises the rounds of a row of make bench, formats the row's line, and compares two runs.
package QSOsync::Bench::Summary;
use strict;
use warnings;
use JSON::PP ();
use QSOsync::Bench;
use QSOsync::Bench::Rows;

our $OTHERS_MOST = 0.05; # share of the machine's processors; a higher load from other programs marks a round

# Returns the share of the machine's processors that other programs and the host took in the busiest round.
sub others_most { return (sorted(map { $_->{others} + $_->{stolen} } @_))[-1] }

# Returns a row with its rounds, in the JSON's format.
sub summary {
    my ($row, @rounds) = @_;
    my @values = sorted(map { $_->{value} } @rounds);
    my $reached = QSOsync::Bench::Rows::reaches($row->{goal}, median(@values));
    my %told = map { ($_ => $row->{$_}) } qw(name what against unit goal);
    return { %told, least => $values[0], median => median(@values), greatest => $values[-1], rounds => \@rounds,
        othersUsedMachine => others_most(@rounds) > $OTHERS_MOST ? JSON::PP::true : JSON::PP::false,
        reached => defined $reached ? ($reached ? JSON::PP::true : JSON::PP::false) : undef };
}

# Returns a row that was not measured, with the reason.
sub summary_without {
    my ($row, $why) = @_;
    return { (map { ($_ => $row->{$_}) } qw(name what against unit goal)), notMeasured => $why };
}

# Formats a number with two or three significant digits, or with all digits before the decimal point.
sub number_text {
    my ($number) = @_;
    my $size = abs $number;
    return sprintf $size >= 100 ? '%.0f' : $size >= 10 ? '%.1f' : $size >= 0.1 || $size == 0 ? '%.2f' : '%.2g', $number;
}

sub heading { return sprintf "%-58s %8s %-9s %s\n", 'what : against', 'median', 'goal', 'least to greatest' }

# Formats a row as a line of the table.
sub line {
    my ($summary) = @_;
    my $title = $summary->{what} . ($summary->{against} ne '' ? " : $summary->{against}" : '')
        . ($summary->{unit} ne 'ratio' ? ", $summary->{unit}" : '');
    return sprintf "%-58s not measured: %s\n", $title, $summary->{notMeasured} if exists $summary->{notMeasured};
    my @rounds = @{$summary->{rounds}};
    my @told = sprintf '%s to %s', map { number_text($summary->{$_}) } qw(least greatest);
    push @told, sprintf '%s %s', number_text(median(map { $_->{ours} } @rounds)), $rounds[0]{of} if $rounds[0]{of};
    push @told, $rounds[0]{note} if $rounds[0]{note};
    push @told, 'missed' if defined $summary->{reached} && !$summary->{reached};
    push @told, sprintf 'others used the machine (%.0f %%)', 100 * others_most(@rounds)
        if $summary->{othersUsedMachine};
    return sprintf "%-58s %8s %-9s %s\n", $title, number_text($summary->{median}), $summary->{goal}, join '; ', @told;
}

# Compares a row of the second run with the first run. Returns the ratio of the medians and a word: "within the noise"
# if the ranges of the rounds overlap; otherwise "better" or "worse" by the goal's direction, or "differs" without a
# goal.
sub compare_rows {
    my ($first, $second) = @_;
    my $ratio = $first->{median} ? $second->{median} / $first->{median} : undef;
    return ($ratio, 'within the noise')
        if $first->{least} <= $second->{greatest} && $second->{least} <= $first->{greatest};
    my ($relation) = $second->{goal} =~ /\A([<>])/ or return ($ratio, 'differs');
    my $is_more = $second->{median} > $first->{median};
    return ($ratio, ($relation eq '>' ? $is_more : !$is_more) ? 'better' : 'worse');
}

1;
