# Measures the load from other programs during a measurement: the work of all processors, without the work of this
# program and its children. The time that a virtual machine's host took is added. Work of kernel threads and interrupts
# is not counted, because the measurement can cause such work.
package QSOsync::Bench::Others;
use strict;
use warnings;
use POSIX ();
use Time::HiRes ();

my $TICKS = POSIX::sysconf(POSIX::_SC_CLK_TCK());

sub read_text {
    my ($path) = @_;
    open my $file, '<', $path or return '';
    local $/;
    return <$file> // '';
}

sub cores { return scalar(() = read_text('/proc/stat') =~ /^cpu\d/mg) }

# Returns the ticks since the machine started: the ticks used by programs, and the ticks taken by the host.
sub all_ticks {
    my ($user, $nice, $system, undef, undef, undef, undef, $stolen) = read_text('/proc/stat') =~ /^cpu\s+(.*)/
        ? split ' ', $1 : (0) x 8;
    return ($user + $nice + $system, $stolen // 0);
}

# Returns the ticks of some processes and their descendants, including descendants that have ended. Process 2 starts the
# kernel's threads.
sub ticks_below {
    my (@pids) = @_;
    my (%children, %ticks);
    for my $path (glob '/proc/[0-9]*/stat') {
        my ($pid, $rest) = read_text($path) =~ /\A(\d+) \(.*\) (.*)/s or next;
        my @fields = split ' ', $rest; # fields from the third, the state (proc(5))
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
