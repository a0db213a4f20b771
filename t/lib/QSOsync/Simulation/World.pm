# Combines the service of a simulation (QSOsync::Simulation::Machine) and the connections to the service (Lines). One
# loop waits for everything. Each request and answer enters the history with its times.
package QSOsync::Simulation::World;
use strict;
use warnings;
use parent qw(QSOsync::Simulation::Machine QSOsync::Simulation::Lines);
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);
use IO::Socket::INET;
use JSON::PP ();
use POSIX qw(WNOHANG);
use Scalar::Util ();
use QSOsync::Front;
use QSOsync::Simulation::Machine qw(now shims);

my $PATIENCE = 60; # seconds after which a missing answer counts as a fault
my %running;

# new(power => whether the power can fail, which needs a record of all writes) returns a world.
sub new {
    my ($class, %option) = @_;
    my $directory = tempdir('qsosync-XXXXXXXX', -w '/dev/shm' ? (DIR => '/dev/shm') : (TMPDIR => 1));
    my $self = bless { %option, directory => $directory, folder => "$directory/data", faults => shims()->{faults},
        db => "$directory/data/logbook.db", history => [], problems => [], waiting => {}, processes => {}, timers => [],
        workers => [], connections => {}, engines => {}, clock_ms => 0, passed_ms => 0, life => 0, boots => 0,
        owner => $$ }, $class;
    Scalar::Util::weaken($running{$self} = $self);
    make_path("$directory/data", "$directory/before");
    chmod 0755, $directory;
    $self->{faults}->lift;
    $self->{listener} = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 0, Listen => 256) or die "$!";
    $self->command('init')->{status} == 0 or die 'init';
    $self->begin_record if $option{power};
    $self->open_sockets;
    $self->start_workers;
    return $self;
}

sub url { return 'http://127.0.0.1:' . $_[0]{listener}->sockport . '/api/v1' }

sub problem {
    my ($self, $text) = @_;
    push @{$self->{problems}}, $text if @{$self->{problems}} < 10;
}

# Returns the last lines that the workers logged.
sub last_words {
    my ($self) = @_;
    my $log = "$self->{directory}/worker.log";
    return -e $log ? "\n" . substr QSOsync::Front::read_file($log), -400 : '';
}

sub note {
    my ($self, $entry) = @_;
    $entry->{life} //= $self->{life};
    push @{$self->{history}}, $entry;
    return $entry;
}

sub after { my ($self, $seconds, $code) = @_; push @{$self->{timers}}, [now() + $seconds, $code] }

# Serves everything until the condition is true. Returns false if that takes too long.
sub pump {
    my ($self, $until, $seconds) = @_;
    my $end = now() + ($seconds || $PATIENCE);
    while (!$until->()) {
        return 0 if now() > $end;
        $self->step;
    }
    return 1;
}

sub step {
    my ($self) = @_;
    my %on = map { fileno $_->[0] => $_->[1] }
        (map { my $one = $_; $one->{paused} ? () : [$one->{socket}, sub { $self->read_answer($one) }] }
            values %{$self->{waiting}}),
        (map { my $one = $_; [$one->{socket}, sub { $self->read_http($one) }] } values %{$self->{connections}}),
        (map { my $one = $_; [$one->{answers}, sub { $self->hear($one) }] } values %{$self->{engines}}),
        [$self->{listener}, sub {
            my $socket = $self->{listener}->accept or return;
            $self->{connections}{fileno $socket} = { socket => $socket, bytes => '' };
        }];
    my $bits = '';
    vec($bits, $_, 1) = 1 for keys %on;
    select $bits, undef, undef, 0.004;
    for my $number (keys %on) { $on{$number}->() if vec $bits, $number, 1 }
    for my $pid (keys %{$self->{processes}}) {
        (delete $self->{processes}{$pid})->($? & 127 ? -1 : $? >> 8) if waitpid($pid, WNOHANG) == $pid;
    }
    $self->replace_ended if !$self->{is_left_alone};
    my @due = grep { $_->[0] <= now() } @{$self->{timers}};
    @{$self->{timers}} = grep { $_->[0] > now() } @{$self->{timers}} if @due;
    $_->[1]->() for @due;
}

sub stop {
    my ($self) = @_;
    return if $self->{is_stopped}++ || $self->{owner} != $$;
    local ($?, $@);
    $self->{faults}->lift;
    $self->end_engine($_) for values %{$self->{engines}};
    $self->signal_workers('KILL');
    kill 'KILL', keys %{$self->{processes}};
    waitpid $_, 0 for map({ $_->[1] } @{$self->{workers}}), keys %{$self->{processes}};
    remove_tree($self->{directory});
    delete $running{$self};
}

sub DESTROY { $_[0]->stop }

for my $signal (qw(INT TERM HUP)) {
    $SIG{$signal} = sub { exit 130 };
}

END { $_->stop for grep { $_ } values %running }

1;
