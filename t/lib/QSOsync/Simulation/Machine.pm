# Implements the machine of a QSOsync::Simulation::World: workers and commands on a disk that fails, with power cuts and
# another clock.
package QSOsync::Simulation::Machine;
use strict;
use warnings;
use Exporter qw(import);
use File::Temp ();
use POSIX qw(WNOHANG);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);
use QSOsync::Faults;
use QSOsync::Front;
use QSOsync::PowerCut::Disk;

our @EXPORT_OK = qw(now shims);
my $shims;

sub now { return clock_gettime(CLOCK_MONOTONIC) }

# Builds the libraries that the programs load: for another clock and boot, for a record of disk writes, and for calls
# that fail. Returns the folder of the first two libraries, and the QSOsync::Faults.
sub shims {
    return $shims if $shims;
    my $folder = File::Temp->newdir;
    QSOsync::Front::build_preload($folder, "t/powercut/$_.c") for qw(boot recorder);
    return $shims = { folder => $folder, faults => QSOsync::Faults->new };
}

# The clock is later by the duration of the power cuts, and wrong by clock_ms. The recorder also records the outcome of
# failing calls. A program that stops while it holds the lock would stop all other programs, so only rounds without
# power cuts stop programs.
sub environment {
    my ($self) = @_;
    my @shims = map { "$shims->{folder}/$_.so" } 'boot', $self->{recording} ? 'recorder' : ();
    my $faults = $self->{faults}->environment;
    return { QSOSYNC_DB => $self->{db}, QSOSYNC_RATE_LIMIT => 0, QSOSYNC_WRITE_WAIT_MS => 3000,
        QSOsync::Front::sandbox_setting(), %$faults, LD_PRELOAD => "@shims $faults->{LD_PRELOAD}",
        BOOT_CLOCK_MS => $self->{passed_ms} + $self->{clock_ms},
        $self->{boot_id} ? (BOOT_ID => $self->{boot_id}) : (),
        $self->{recording} ? (RECORD_FOLDER => $self->{folder}, RECORD_LOG => "$self->{directory}/record") : () };
}

sub open_sockets {
    my ($self) = @_;
    for my $name (qw(worker site)) {
        my $path = "$self->{directory}/$name.sock";
        close $self->{sockets}{$name} if $self->{sockets}{$name};
        unlink $path;
        $self->{sockets}{$name} = QSOsync::Front::listen_at($path);
    }
}

sub start_worker {
    my ($self, $name) = @_;
    my $program = "$QSOsync::Front::BUILD/qsosync" . ($name eq 'site' ? '-site' : '') . '.fcgi';
    push @{$self->{workers}}, [$name, QSOsync::Front::spawn("$self->{directory}/worker.log", $self->environment,
        $self->{sockets}{$name}, $program)];
}

sub start_workers { my ($self) = @_; $self->start_worker($_) for qw(worker worker site) }

sub signal_workers {
    my ($self, $signal) = @_;
    kill $signal, map { $_->[1] } @{$self->{workers}};
}

sub has_stopped {
    my ($self) = @_;
    return grep { (eval { QSOsync::Front::read_file("/proc/$_->[1]/stat") } // '') =~ /\) T / } @{$self->{workers}};
}

# Replaces workers that have ended.
sub replace_ended {
    my ($self) = @_;
    my @ended = grep { waitpid($_->[1], WNOHANG) != 0 } @{$self->{workers}};
    return if !@ended;
    my %gone = map { $_->[1] => 1 } @ended;
    @{$self->{workers}} = grep { !$gone{$_->[1]} } @{$self->{workers}};
    $self->start_worker($_->[0]) for @ended;
}

sub restart {
    my ($self, $signal) = @_;
    $self->signal_workers('CONT');
    $self->signal_workers($signal);
    waitpid $_->[1], 0 for @{$self->{workers}};
    $self->{workers} = [];
    $self->start_workers;
}

# Starts the operator's command, and calls $done->({status, output, start, end}) when the command ends.
sub start_command {
    my ($self, $done, @arguments) = @_;
    my $output = sprintf '%s/command-%d', $self->{directory}, ++$self->{commands};
    my $start = now();
    my $pid = QSOsync::Front::spawn($output, $self->environment, undef, "$QSOsync::Front::BUILD/qsosync-admin",
        '--db', $self->{db}, @arguments);
    $self->{processes}{$pid} = sub {
        my $text = -e $output ? QSOsync::Front::read_file($output) =~ s/\n\z//r : ''; # '' if the command was killed
        unlink $output;
        $done->({ status => $_[0], output => $text, start => $start, end => now() });
    };
}

# Runs the operator's command, and waits for its end.
sub command {
    my ($self, @arguments) = @_;
    my $result;
    $self->start_command(sub { $result = $_[0] }, @arguments);
    $self->pump(sub { $result });
    return $result || die "qsosync-admin @arguments does not end\n";
}

# Treats the current contents of the folder as safe, and records later changes.
sub begin_record {
    my ($self) = @_;
    unlink glob "$self->{directory}/before/*";
    $self->{before} = { map { (m{([^/]+)\z})[0] => [(stat $_)[1], QSOsync::Front::read_file($_)] }
        glob "$self->{folder}/*" };
    QSOsync::Front::write_file("$self->{directory}/record", '');
    $self->{recording} = 1;
}

# Cuts the power: all programs end at the same moment. The disk then holds a state that a power cut can leave, or the
# requested state (QSOsync::PowerCut::States). A client whose request was in flight gets no answer. A request during the
# cut is answered once the power is back.
sub cut_power {
    my ($self, $clock_ms, $wish) = @_;
    $self->signal_workers('KILL');
    kill 'KILL', keys %{$self->{processes}};
    waitpid $_->[1], 0 for @{$self->{workers}};
    $self->{workers} = [];
    $self->pump(sub { !%{$self->{processes}} });
    my @lost = values %{$self->{waiting}};
    $self->note({ what => 'cut', start => now(), end => now() });
    $self->open_sockets; # clients that waited to be accepted are gone
    $self->pump(sub { !grep { $_->{socket} } @lost });
    my $disk = QSOsync::PowerCut::Disk->new((stat $self->{folder})[1], $self->{before});
    my $entries = QSOsync::PowerCut::Disk::read_record(QSOsync::Front::read_file("$self->{directory}/record"));
    $disk->apply($_) for @$entries;
    my $files = $disk->state(undef, $wish);
    unlink glob "$self->{folder}/*";
    QSOsync::Front::write_file("$self->{folder}/$_", $files->{$_}) for keys %$files;
    $self->{boot_id} = sprintf "%08x-0000-4000-9000-%012x\n", $$, ++$self->{boots};
    $self->{clock_ms} = $clock_ms;
    $self->begin_record;
    $self->start_workers;
}

1;
