# Reads the table of rows of make bench (t/bench/rows.tsv).
package QSOsync::Bench::Rows;
use strict;
use warnings;
use QSOsync::Bench;
use QSOsync::Front;

my @COLUMNS = qw(name measurement rounds what against unit goal);

# Returns every row, in the order of the table: name, measurement (the name of the function that measures the row),
# rounds, what, against, unit, goal.
sub rows {
    my $text = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/t/bench/rows.tsv");
    return map { my %row; @row{@COLUMNS} = split /\t/, $_, -1; \%row } grep { !/\A#/ } split /\n/, $text;
}

# Returns the rows that the words name: a row's name, its start up to a dot, or a measurement. Without words, returns
# all rows whose number of rounds is not 0.
sub chosen_rows {
    my (@words) = @_;
    my @rows = rows();
    for my $row (@rows) {
        QSOsync::Bench::is_defined($row->{measurement}) or die "no measurement is defined for $row->{name}\n";
    }
    return grep { $_->{rounds} > 0 } @rows if !@words;
    my %is_chosen;
    for my $word (@words) {
        my @named = grep { $_->{name} eq $word || $_->{measurement} eq $word || $_->{name} =~ /\A\Q$word\E\./ } @rows;
        die "ROWS: $word is not a row or measurement\n" if !@named;
        $is_chosen{$_->{name}} = 1 for @named;
    }
    return grep { $is_chosen{$_->{name}} } @rows;
}

# Returns whether a value reaches a goal such as "<= 1.4", or undef without a goal.
sub reaches {
    my ($goal, $value) = @_;
    my ($relation, $bound) = $goal =~ /\A([<>])= ([\d.]+)\z/ or return;
    return $relation eq '<' ? $value <= $bound : $value >= $bound;
}

1;
