# Simulates a disk that fails on a test's command. t/faults/shim.c is preloaded into the programs of a service.
package QSOsync::Faults;
use strict;
use warnings;
use File::Temp ();
use QSOsync::Front;

my %KIND = (write => 1, sync => 2, map => 3, index => 4, lock => 5);

# Returns the reason why this machine cannot simulate such a disk, or undef if it can.
sub missing {
    return 'a C compiler is missing' if system('cc --version >/dev/null 2>&1') != 0;
    return 'a sanitizer must be loaded first' if QSOsync::Front::is_sanitized();
    return;
}

sub new {
    my ($class) = @_;
    my $self = bless { folder => File::Temp->newdir }, $class;
    $self->{plan} = "$self->{folder}/plan";
    $self->lift;
    my $shim = QSOsync::Front::build_preload($self->{folder}, 't/faults/shim.c');
    $self->{environment} = { LD_PRELOAD => $shim, FAULT_PLAN => $self->{plan} };
    return $self;
}

# Returns the variables that the programs need in their environment, in addition to QSOSYNC_DB.
sub environment { $_[0]{environment} }

# strike($kind, at => n, error => number, forever => 1, half => 1) makes the n-th call of this kind from now on fail.
# Kinds are write, sync, map, index (a write that grows the shared index of the write-ahead log) and lock (the writer's
# lock). Without an error, the call kills the program. With stop => 1, the call stops the program, and succeeds when the
# program continues. With half => 1, the call writes half of its bytes, and the next call fails. Without `at`, calls are
# only counted.
sub strike {
    my ($self, $kind, %option) = @_;
    $option{error} = -1 if $option{stop};
    $self->put($KIND{$kind}, map({ $option{$_} || 0 } qw(at forever error half)), 0);
}

# Ends all faults, and returns the number of calls.
sub lift {
    my ($self) = @_;
    my $seen = -e $self->{plan} ? (unpack 'l6', QSOsync::Front::read_file($self->{plan}))[5] : 0;
    $self->put((0) x 6);
    return $seen;
}

# Writes the plan in place, because programs have the file mapped.
sub put {
    my ($self, @numbers) = @_;
    open my $file, '+>>:raw', $self->{plan} or die "$self->{plan}: $!";
    close $file;
    open $file, '+<:raw', $self->{plan} or die "$self->{plan}: $!";
    syswrite($file, pack 'l6', @numbers) == 24 or die "$self->{plan}: $!";
    close $file;
}

1;
