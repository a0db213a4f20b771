# Simulates power cuts at every write. Records logbooks in use (PowerCut/Record.pm, PowerCut/Workload.pm), creates the
# states that a power cut could leave (PowerCut/Disk.pm), and judges them with the real programs (PowerCut/Judge.pm).
package QSOsync::PowerCut;
use strict;
use warnings;
use Cwd qw(abs_path);
use Digest::MD5 qw(md5 md5_hex);
use File::Path qw(make_path);
use JSON::PP ();
use List::Util qw(shuffle);
use POSIX ();
use Time::HiRes qw(time);
use QSOsync::Faults;
use QSOsync::Front;
use QSOsync::PowerCut::Expected;
use QSOsync::PowerCut::Judge;
use QSOsync::PowerCut::Record;
use QSOsync::PowerCut::Workload;

my $CUTS = 15;  # in one pass through a record
my $STATES = 5; # states at each cut
my $FAULTS_MAX = 10; # faults after which a process ends

sub missing { return QSOsync::Faults::missing() }

# new($directory) returns an object that creates all its files in the directory, and leaves them there.
sub new {
    my ($class, $directory) = @_;
    make_path($directory);
    my $self = bless { directory => abs_path($directory) }, $class;
    for my $name (qw(recorder boot)) {
        $self->{shims}{$name} = QSOsync::Front::build_preload($self->{directory}, "t/powercut/$name.c");
    }
    return $self;
}

# Records these workloads, or all workloads.
sub record {
    my ($self, $seed, @names) = @_;
    my $faults = QSOsync::Faults->new;
    for my $name (@names ? @names : QSOsync::PowerCut::Workload::names()) {
        srand $seed;
        my $record = QSOsync::PowerCut::Record->new("$self->{directory}/$name", $self->{shims}, $faults);
        QSOsync::PowerCut::Workload::run($name, $record);
        $record->finish;
    }
}

sub recorded {
    my ($self) = @_;
    return map { m{([^/]+)/record\z} } sort glob "$self->{directory}/*/record";
}

# Returns at most $CUTS random points for cuts. Points before a sync or before the last of several writes, when much
# data is in flight, and points after a mark are more likely. Stores into mapped pages count with the entry after them,
# because the number of their entries varies between records.
sub choose_cuts {
    my ($entries) = @_;
    my @syncs = grep { $entries->[$_][0] =~ /[SFYW]/ && $entries->[$_ + 1][0] ne 'W' } 0 .. $#$entries - 1;
    my @marks = grep { $entries->[$_][0] eq 'M' } 0 .. $#$entries;
    my @all = grep { $entries->[$_][0] ne 'P' } 0 .. $#$entries;
    my %cuts;
    for (1 .. $CUTS) {
        my $way = rand;
        my $cut = $way < 0.4 ? $syncs[rand @syncs] : $way < 0.6 ? $marks[rand @marks] + 1 : $all[rand @all] + 1;
        $cuts{$cut}++;
    }
    return sort { $a <=> $b } keys %cuts;
}

# Calls $visit->($disk, $expected, $cut) at each point, in one pass.
sub pass {
    my ($directory, $entries, $cuts, $visit) = @_;
    my $disk = QSOsync::PowerCut::Record::disk($directory);
    my $expected = QSOsync::PowerCut::Expected::expectation();
    my @marks = QSOsync::PowerCut::Expected::marks($entries);
    my $at = 0;
    for my $cut (@$cuts) {
        for (; $at < $cut; $at++) {
            if ($entries->[$at][0] eq 'M') { QSOsync::PowerCut::Expected::note_mark($expected, shift @marks) }
            else { $disk->apply($entries->[$at]) }
        }
        # Before the first reader, the expected state is unknown.
        $visit->($disk, $expected, $cut) if @{$expected->{allowed}};
    }
}

# Returns the state for this seed. Some seeds choose the n-th subset, if there are few subsets.
sub make_state {
    my ($disk, $seed, $n) = @_;
    srand $seed;
    return $disk->state(rand() < 0.3 ? $n : undef);
}

# Creates a judge on its own machine, with the programs that were in use at the end of the record.
sub judge_of {
    my ($self, $directory, $machine) = @_;
    my $programs = -d "$directory/programs" ? "$directory/programs" : undef;
    return QSOsync::PowerCut::Judge->new($machine, $self->{shims}{boot}, $programs);
}

# Does one process's share of the work, until the process has judged enough states or the time is over. The states
# depend only on the record and the seed.
sub work {
    my ($self, $end, $seed, $names, $scratch, $option) = @_;
    my $enough = $option->{faults} || $FAULTS_MAX;
    my $most = $option->{states} ? $option->{states} / ($option->{jobs} || 1) : 9**9;
    my %found = (states => 0, again => 0, faults => [], digest => '');
    my (%seen, %entries, %judges);
    srand $seed;
    my @names = shuffle(@$names);
    my $is_over = sub { time >= $end || @{$found{faults}} >= $enough || $found{states} >= $most };
    while (!$is_over->()) {
        for my $name (@names) {
            my $directory = "$self->{directory}/$name";
            my $entries = $entries{$name} ||= QSOsync::PowerCut::Record::entries($directory);
            @$entries = grep { $_->[0] !~ /[$option->{without}]/ } @$entries if $option->{without};
            my $judge = $judges{-d "$directory/programs" ? $name : ''} ||= $self->judge_of($directory,
                "$scratch/$name");
            srand ++$seed;
            my @cuts = choose_cuts($entries);
            my %state_seeds = map { $_ => [map { int(rand 2**24) * 2**8 + $_ } 1 .. $STATES] } @cuts;
            pass($directory, $entries, \@cuts, sub {
                my ($disk, $expected, $cut) = @_;
                for my $n (1 .. $STATES) {
                    last if $is_over->();
                    my $state_seed = $state_seeds{$cut}[$n - 1];
                    my $files = make_state($disk, $state_seed, $n);
                    my $known = @{$expected->{allowed}} . join ',', keys %{$expected->{open}},
                        values %{$expected->{newest}};
                    my $state = md5(join "\0", $name, $known, map { ($_, $files->{$_}) } sort keys %$files);
                    if ($seen{$state}++) {
                        $found{again}++;
                        next;
                    }
                    $found{states}++;
                    $found{digest} = md5_hex($found{digest}, $cut, md5(map { ($_, $files->{$_}) } sort keys %$files));
                    next if $option->{unjudged};
                    my @wrong = eval { $judge->judge($expected, $files) };
                    push @wrong, $@ if $@;
                    push @{$found{faults}}, { state => "$name:$cut:$state_seed:$n", wrong => \@wrong } if @wrong;
                }
            });
        }
    }
    return \%found;
}

# run(seconds, states, seed, jobs, names, without => kinds of entries, faults => number that is enough, unjudged => only
# creates states): Judges states in `jobs` processes, and ends after this many states or seconds. Returns {states,
# again, faults, digest} for all processes. The digest covers all states in their order.
sub run {
    my ($self, %option) = @_;
    my @names = $option{names} ? @{$option{names}} : $self->recorded;
    my $end = time + $option{seconds};
    my %sum = (states => 0, again => 0, faults => [], digest => '');
    my @jobs = map {
        my $number = $_;
        my $scratch = $self->scratch($number);
        my $pid = fork;
        die "fork: $!" unless defined $pid;
        if (!$pid) {
            my $found = eval { $self->work($end, $option{seed} + $number * 1_000_003, \@names, $scratch, \%option) }
                || { states => 0, again => 0, faults => [{ state => 'none', wrong => [$@] }], digest => '' };
            QSOsync::Front::write_file("$self->{directory}/found.$number", JSON::PP->new->utf8->encode($found));
            POSIX::_exit(0);
        }
        [$number, $pid];
    } 1 .. $option{jobs} || 1;
    for my $job (@jobs) {
        waitpid $job->[1], 0;
        my $found = JSON::PP->new->utf8->decode(QSOsync::Front::read_file("$self->{directory}/found.$job->[0]"));
        $sum{$_} += $found->{$_} for qw(states again);
        push @{$sum{faults}}, @{$found->{faults}};
        $sum{digest} = md5_hex($sum{digest}, $found->{digest});
    }
    return \%sum;
}

# Formats the report for a person: at most two states per complaint, and no keys.
sub summary {
    my ($found) = @_;
    my (%told, @lines);
    for my $fault (@{$found->{faults}}) {
        my $why = join '', map { "    $_\n" } map { s/qsosync_\w+/KEY/gr =~ s/"frequencyMhz".*?"radio"/"radio"/gr }
            @{$fault->{wrong}};
        push @lines, "$fault->{state}\n", length $why > 2000 ? substr($why, 0, 2000) . "...\n" : $why
            if $told{substr $why, 0, 60}++ < 2;
    }
    return "$found->{states} states ($found->{digest}), $found->{again} repeated ones, " . @{$found->{faults}}
        . " are wrong\n" . join '', @lines;
}

# Returns a folder for a judge's machine. The folder is in memory if /dev/shm is writable, because thousands of states
# per minute would overload a disk.
sub scratch {
    my ($self, $number) = @_;
    my $parent = -w '/dev/shm' ? File::Temp::tempdir('qsosync-XXXXXXXX', DIR => '/dev/shm', CLEANUP => 1)
        : $self->{directory};
    make_path("$parent/machine$number");
    return "$parent/machine$number";
}

# Repeats the state with this name, returns the faults, and leaves the state's files in `folder`.
sub again {
    my ($self, $state, $folder) = @_;
    my ($name, $cut, $seed, $n) = split /:/, $state;
    my $directory = "$self->{directory}/$name";
    my @wrong;
    pass($directory, QSOsync::PowerCut::Record::entries($directory), [$cut], sub {
        my ($disk, $expected) = @_;
        my $files = make_state($disk, $seed, $n);
        make_path($folder);
        QSOsync::Front::write_file("$folder/$_", $files->{$_}) for keys %$files;
        my $judge = $self->judge_of($directory, $self->scratch(0));
        @wrong = $judge->judge($expected, $files);
    });
    return @wrong;
}

use File::Temp ();
1;
