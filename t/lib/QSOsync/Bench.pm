# Measures and records for make bench. It holds the table of rows (t/bench/rows.tsv), the rounds of each row, and the
# load from other programs during each round. It writes all of that as JSON. Files of t/bench define the measurements.
package QSOsync::Bench;
use strict;
use warnings;
use parent 'Exporter';
use JSON::PP ();
use POSIX ();
use Time::HiRes ();
use QSOsync::Front;

our @EXPORT = qw(measurement not_measured result median sorted);
our $FORMAT = 1; # version of the JSON
our $OTHERS_MOST = 0.05; # share of the machine's processors; a round in which others use more is marked
my @COLUMNS = qw(name measurement rounds what against unit goal);
my %measurements;
my %results; # results of the current round, by row

sub sorted { return sort { $a <=> $b } @_ }

# The median: the middle value, or the mean of the two middle values.
sub median {
    my @values = sorted(@_);
    return ($values[$#values / 2] + $values[@values / 2]) / 2;
}

# -- the table of rows --------------------------------------------------------------------------------

# Every row, in the order of the table: name, measurement (which finds it), rounds, what, against, unit, goal.
sub rows {
    my $text = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/t/bench/rows.tsv");
    return map { my %row; @row{@COLUMNS} = split /\t/, $_, -1; \%row } grep { !/\A#/ } split /\n/, $text;
}

# The rows that the words name: a row's name, its start up to a dot, or a measurement. Without words: all rows whose
# number of rounds is not 0.
sub chosen_rows {
    my (@words) = @_;
    my @rows = rows();
    for my $row (@rows) { $measurements{$row->{measurement}} or die "no measurement is defined for $row->{name}\n" }
    return grep { $_->{rounds} > 0 } @rows if !@words;
    my %is_chosen;
    for my $word (@words) {
        my @named = grep { $_->{name} eq $word || $_->{measurement} eq $word || $_->{name} =~ /\A\Q$word\E\./ } @rows;
        die "ROWS: $word is not a row or measurement\n" if !@named;
        $is_chosen{$_->{name}} = 1 for @named;
    }
    return grep { $is_chosen{$_->{name}} } @rows;
}

# Whether a value reaches a goal such as "<= 1.4"; undef without a goal.
sub reaches {
    my ($goal, $value) = @_;
    my ($relation, $bound) = $goal =~ /\A([<>])= ([\d.]+)\z/ or return;
    return $relation eq '<' ? $value <= $bound : $value >= $bound;
}

# -- measuring ----------------------------------------------------------------------------------------

# measurement(name => sub { my ($round) = @_; … }): the function measures one round, both sides in turn, and reports
# its results.
sub measurement {
    my ($name, $work) = @_;
    die "two measurements $name" if $measurements{$name};
    $measurements{$name} = $work;
}

# Reports the result of a round for a row: value in the row's unit. For a ratio it also takes ours and limit as
# measured, and their unit ("ms of CPU").
sub result {
    my ($row, %found) = @_;
    die "two results of $row in a round" if $results{$row};
    $results{$row} = {%found};
}

# Ends a measurement that is not possible on this machine.
sub not_measured { die { why => $_[0] } }

# Measures one round: the result of each row, with the round's seconds and the shares of the processors that other
# programs and the host took. If measuring is impossible, returns the reason as {why}, with {failed} if that is a fault.
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

# -- the results --------------------------------------------------------------------------------------

# The share of the machine's processors that other programs and the host took in the busiest round.
sub others_most { return (sorted(map { $_->{others} + $_->{stolen} } @_))[-1] }

# A row with its rounds, in the form of the JSON.
sub summary {
    my ($row, @rounds) = @_;
    my @values = sorted(map { $_->{value} } @rounds);
    my $reached = reaches($row->{goal}, median(@values));
    my %told = map { ($_ => $row->{$_}) } qw(name what against unit goal);
    return { %told, least => $values[0], median => median(@values), greatest => $values[-1], rounds => \@rounds,
        othersUsedMachine => others_most(@rounds) > $OTHERS_MOST ? JSON::PP::true : JSON::PP::false,
        reached => defined $reached ? ($reached ? JSON::PP::true : JSON::PP::false) : undef };
}

# A row that was not measured, and why.
sub summary_without {
    my ($row, $why) = @_;
    return { (map { ($_ => $row->{$_}) } qw(name what against unit goal)), notMeasured => $why };
}

# A number with three significant digits, or with all digits before the decimal point.
sub number_text {
    my ($number) = @_;
    my $size = abs $number;
    return sprintf $size >= 100 ? '%.0f' : $size >= 10 ? '%.1f' : $size >= 0.1 || $size == 0 ? '%.2f' : '%.2g', $number;
}

sub heading { return sprintf "%-58s %8s %-9s %s\n", 'what : against', 'median', 'goal', 'least to greatest' }

# A row as a line of the table.
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

# -- JSON ---------------------------------------------------------------------------------------------

sub output_of {
    my (@command) = @_;
    open my $output, '-|', 'sh', '-c', '"$@" 2>/dev/null', 'sh', @command or return '';
    chomp(my $line = <$output> // '');
    close $output;
    return $line;
}

# The facts about this machine that determine its speed.
sub machine {
    my ($processor) = QSOsync::Front::read_file('/proc/cpuinfo') =~ /^(?:model name|Model|cpu model)\s*:\s*(.+)/m;
    my ($memory) = QSOsync::Front::read_file('/proc/meminfo') =~ /^MemTotal:\s+(\d+)/;
    my ($system, undef, $kernel, undef, $kind) = POSIX::uname();
    return { processor => $processor // $kind, cores => 0 + QSOsync::Bench::Others::cores(), system => $system,
        kernel => $kernel, architecture => $kind, memoryMiB => int($memory / 1024),
        sqlite => (split ' ', output_of('sqlite3', '--version') || 'unknown')[0] };
}

# Everything as data; facts holds the other properties of the run (seed, quick).
sub document {
    my ($summaries, %facts) = @_;
    my @time = gmtime;
    my ($version) = output_of("$QSOsync::Front::BUILD/qsosync-admin", '--version') =~ /([\d.]+)/;
    return { format => $FORMAT, measuredAt => POSIX::strftime('%Y-%m-%dT%H:%M:%SZ', @time), version => $version // '',
        commit => output_of('git', '-C', $QSOsync::Front::SOURCE, 'describe', '--always', '--dirty'),
        machine => machine(), rows => $summaries, %facts };
}

sub write_document {
    my ($path, $document) = @_;
    QSOsync::Front::write_file($path, JSON::PP->new->utf8->canonical->pretty->encode($document));
}

sub read_document {
    my ($path) = @_;
    my $document = eval { JSON::PP->new->utf8->decode(QSOsync::Front::read_file($path)) };
    die "$path is not a file from make bench\n" if ref $document ne 'HASH' || ref $document->{rows} ne 'ARRAY';
    die "$path has the format $document->{format}, but this program reads $FORMAT\n" if $document->{format} != $FORMAT;
    return $document;
}

# Runs a program of t/bench with these settings in its environment; returns its exit status and its output on both
# channels.
sub run_program {
    my ($settings, $name, @arguments) = @_;
    local %ENV = (%ENV, %$settings);
    open my $output, '-|', 'sh', '-c', '"$@" 2>&1', 'sh', $^X, "$QSOsync::Front::SOURCE/t/bench/$name", @arguments
        or die "$name: $!";
    my $text = join '', <$output>;
    close $output;
    return ($? >> 8, $text);
}

# -- comparing ----------------------------------------------------------------------------------------

# Compares a row of the second run with the first: the ratio of the medians and a word. "within the noise" if the ranges
# of the rounds overlap; else "better" or "worse" by the goal's direction, or "differs" without a goal.
sub compare_rows {
    my ($first, $second) = @_;
    my $ratio = $first->{median} ? $second->{median} / $first->{median} : undef;
    return ($ratio, 'within the noise')
        if $first->{least} <= $second->{greatest} && $second->{least} <= $first->{greatest};
    my ($relation) = $second->{goal} =~ /\A([<>])/ or return ($ratio, 'differs');
    my $is_more = $second->{median} > $first->{median};
    return ($ratio, ($relation eq '>' ? $is_more : !$is_more) ? 'better' : 'worse');
}

# The load from other programs during a measurement. It is the work of all processors, minus that of this program and
# its children, plus the time that a virtual machine's host took. Work of kernel threads and interrupts is not counted,
# because it may serve the measurement.
package QSOsync::Bench::Others;

my $TICKS = POSIX::sysconf(POSIX::_SC_CLK_TCK());

sub read_text {
    my ($path) = @_;
    open my $file, '<', $path or return '';
    local $/;
    return <$file> // '';
}

sub cores { return scalar(() = read_text('/proc/stat') =~ /^cpu\d/mg) }

# Ticks since the machine started: of programs, and taken by the host.
sub all_ticks {
    my ($user, $nice, $system, undef, undef, undef, undef, $stolen) = read_text('/proc/stat') =~ /^cpu\s+(.*)/
        ? split ' ', $1 : (0) x 8;
    return ($user + $nice + $system, $stolen // 0);
}

# Ticks of some processes and their descendants, including descendants that have ended. Process 2 starts the kernel's
# threads.
sub ticks_below {
    my (@pids) = @_;
    my (%children, %ticks);
    for my $path (glob '/proc/[0-9]*/stat') {
        my ($pid, $rest) = read_text($path) =~ /\A(\d+) \(.*\) (.*)/s or next;
        my @fields = split ' ', $rest; # from the third field of proc(5), the state
        push @{$children{$fields[1]}}, $pid;
        $ticks{$pid} = $fields[11] + $fields[12] + $fields[13] + $fields[14];
    }
    my $sum = 0;
    while (defined(my $pid = shift @pids)) {
        $sum += $ticks{$pid} // 0;
        push @pids, @{$children{$pid} || []};
    }
    return $sum;
}

sub kernel_threads { return read_text('/proc/2/stat') =~ /\A2 \(kthreadd\)/ ? 2 : () }

sub counters {
    my ($all, $stolen) = all_ticks();
    return { at => Time::HiRes::time(), all => $all, stolen => $stolen, own => ticks_below($$, kernel_threads()) };
}

sub start { return bless counters(), $_[0] }

# Returns the seconds since the start, and the shares of the machine's processors (0 to 1) that other programs and the
# host took.
sub read {
    my ($self) = @_;
    my $now = counters();
    my $seconds = $now->{at} - $self->{at};
    my $capacity = $seconds * $TICKS * cores() || 1;
    my $others = ($now->{all} - $self->{all} - ($now->{own} - $self->{own})) / $capacity;
    $others = $others < 0 ? 0 : $others > 1 ? 1 : $others; # ticks are coarse
    return (seconds => 0 + sprintf('%.2f', $seconds), others => 0 + sprintf('%.3f', $others),
        stolen => 0 + sprintf('%.3f', ($now->{stolen} - $self->{stolen}) / $capacity));
}

1;
