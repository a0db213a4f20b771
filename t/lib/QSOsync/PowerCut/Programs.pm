# Runs the real programs on another boot of the machine, hundreds of times per second. t/powercut/boot.c keeps each
# program loaded and starts its main once per request.
package QSOsync::PowerCut::Programs;
use strict;
use warnings;
use POSIX ();
use QSOsync::Front;
use IO::Socket::UNIX;

# start($shim, $directory, \@command, \%environment) starts a program whose input and output are files in that
# directory.
sub start {
    my ($class, $shim, $directory, $command, $environment) = @_;
    pipe my $requests_out, my $requests or die "pipe: $!";
    pipe my $answers, my $answers_in or die "pipe: $!";
    my $path = "$directory/@{[scalar @$command]}$$-" . int(rand 1e9) . '.sock';
    my $listening = IO::Socket::UNIX->new(Local => $path, Listen => 8) or die "$path: $!";
    my $pid = fork;
    die "fork: $!" unless defined $pid;
    if (!$pid) {
        my @files = map { POSIX::dup2(fileno $_, 40 + fileno $_) } $requests_out, $answers_in, $listening;
        POSIX::dup2($files[$_], 3 + $_) for 0 .. 2;
        POSIX::close($_) for 6 .. 100;
        %ENV = (PATH => $ENV{PATH}, LD_PRELOAD => $shim, BOOT_SERVE => 1, %$environment);
        no warnings 'exec';
        exec { $command->[0] } @$command;
        POSIX::_exit(127);
    }
    $requests->autoflush(1);
    return bless { pid => $pid, requests => $requests, answers => $answers, socket => $path, owner => $$,
        files => [map { "$directory/$pid.$_" } qw(in out err)] }, $class;
}

sub begin {
    my ($self, $environment, @files) = @_;
    my $request = join '', map { "$_\0" } @files, map { "$_=$environment->{$_}" } keys %$environment;
    print {$self->{requests}} pack('L', length $request), $request or die "the program has ended: $!";
    return $self->{running} = $self->answer;
}

sub answer {
    my ($self) = @_;
    read($self->{answers}, my $answer, 4) == 4 or die 'no answer from a program';
    return unpack 'l', $answer;
}

sub finish {
    my ($self) = @_;
    my $status = $self->answer;
    delete $self->{running};
    return $status & 127 ? -($status & 127) : $status >> 8;
}

# Runs the program once, and returns its exit status (negative: a signal), standard output and standard error.
sub run {
    my ($self, $environment, $input) = @_;
    my ($in, $out, $err) = @{$self->{files}};
    QSOsync::Front::write_file($in, defined $input ? $input : '');
    $self->begin($environment, $in, $out, $err);
    my $status = $self->finish;
    return ($status, map { QSOsync::Front::read_file($_) } $out, $err);
}

# Starts a worker on its socket, and returns the connection to the worker.
sub serve {
    my ($self, $environment) = @_;
    my (undef, $out, $err) = @{$self->{files}};
    $self->begin($environment, '', $out, $err);
    return IO::Socket::UNIX->new(Peer => $self->{socket}) || die "$self->{socket}: $!";
}

# Ends the worker, and returns its exit status and standard error.
sub end {
    my ($self) = @_;
    kill 'TERM', $self->{running};
    return ($self->finish, QSOsync::Front::read_file($self->{files}[2]));
}

sub DESTROY {
    my ($self) = @_;
    return if $self->{owner} != $$;
    local ($?, $!);
    $self->end if $self->{running};
    close $self->{requests};
    waitpid $self->{pid}, 0;
    unlink @{$self->{files}}, $self->{socket};
}

1;
