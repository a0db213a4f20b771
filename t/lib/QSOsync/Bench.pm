# Measures the rounds of make bench. Files in t/bench define the measurements. QSOsync::Bench::Rows reads the table of
# rows, and Summary summarises the rounds of each row. Document writes and reads the JSON, and Others measures the load
# from other programs during a round.
package QSOsync::Bench;
use strict;
use warnings;
use parent 'Exporter';
use QSOsync::Bench::Others;
use QSOsync::Front;

our @EXPORT = qw(measurement not_measured result median sorted);

my %measurements;
my %results; # results of the current round, by row

sub sorted { return sort { $a <=> $b } @_ }

# Returns the median: the middle value, or the mean of the two middle values.
sub median {
    my @values = sorted(@_);
    return ($values[$#values / 2] + $values[@values / 2]) / 2;
}

# measurement(name => sub { my ($round) = @_; … }) defines a measurement. The function measures both sides in turn for
# one round, and reports the round's results.
sub measurement {
    my ($name, $work) = @_;
    die "two measurements $name" if $measurements{$name};
    $measurements{$name} = $work;
}

# Returns whether a measurement has this name.
sub is_defined { return defined $measurements{$_[0]} }

# Reports the result of a round for a row: value, in the row's unit. A ratio also has ours and limit as measured, and
# the unit of both ("ms of CPU").
sub result {
    my ($row, %found) = @_;
    die "two results of $row in a round" if $results{$row};
    $results{$row} = {%found};
}

# Ends a measurement that is not possible on this machine.
sub not_measured { die { why => $_[0] } }

# Measures one round: the result of each row, with the round's seconds and the shares of the processors that other
# programs and the host took. If measuring is impossible, returns the reason as {why}, with {failed} if the reason is a
# fault.
sub measure_round {
    my ($name, $round) = @_;
    my $work = $measurements{$name} or die "unknown measurement $name";
    %results = ();
    my $watch = QSOsync::Bench::Others->start;
    my $done = eval { $work->($round); 1 };
    my $error = $@;
    return ref $error eq 'HASH' ? $error : { why => $error =~ s/\s+/ /gr, failed => 1 } if !$done;
    my %busy = $watch->read;
    return { map { ($_ => { %{$results{$_}}, %busy }) } keys %results };
}

# Runs a program in t/bench with these settings in the program's environment. Returns the program's exit status, and the
# output on both channels.
sub run_program {
    my ($settings, $name, @arguments) = @_;
    local %ENV = (%ENV, %$settings);
    open my $output, '-|', 'sh', '-c', '"$@" 2>&1', 'sh', $^X, "$QSOsync::Front::SOURCE/t/bench/$name", @arguments
        or die "$name: $!";
    my $text = join '', <$output>;
    close $output;
    return ($? >> 8, $text);
}

1;
