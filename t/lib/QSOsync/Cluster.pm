# Implements clients of the cluster feed. Each connection gets its own qsosync-cluster, as under systemd.
package QSOsync::Cluster;
use strict;
use warnings;
use IO::Select;
use IO::Socket::INET;
use POSIX ();
use Socket qw(AF_UNIX IPPROTO_TCP SOCK_SEQPACKET TCP_NODELAY SOL_SOCKET SO_RCVBUF);
use Time::HiRes qw(sleep time);
use QSOsync::Front;

# new($service, %environment) listens on a port.
sub new {
    my ($class, $service, %environment) = @_;
    my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 600, ReuseAddr => 1) or die "listen: $!";
    return bless { listener => $listener, log => $service->directory . '/cluster.log', pids => {},
        environment => { QSOSYNC_DB => $service->db, QSOsync::Front::sandbox_setting(), %environment } }, $class;
}

# Returns a connected client that has read nothing yet. receive_buffer => bytes makes the client's buffer small, and
# packets => 1 keeps the writes of the client's qsosync-cluster separate.
sub connect {
    my ($self, %option) = @_;
    my ($socket, $accepted) = $option{packets} ? packet_pair() : $self->tcp_pair(%option);
    my $pid = QSOsync::Front::spawn($self->{log}, $self->{environment}, $accepted,
        "$QSOsync::Front::BUILD/qsosync-cluster");
    close $accepted;
    $self->{pids}{$pid} = 1;
    return bless { socket => $socket, pid => $pid, cluster => $self, text => '' }, 'QSOsync::Cluster::Client';
}

sub packet_pair {
    socketpair my $client, my $accepted, AF_UNIX, SOCK_SEQPACKET, 0 or die "socketpair: $!";
    return ($client, $accepted);
}

sub tcp_pair {
    my ($self, %option) = @_;
    my $socket = IO::Socket::INET->new(Proto => 'tcp') or die "socket: $!";
    setsockopt $socket, SOL_SOCKET, SO_RCVBUF, $option{receive_buffer} if $option{receive_buffer};
    $socket->connect(Socket::pack_sockaddr_in($self->{listener}->sockport, Socket::inet_aton('127.0.0.1')))
        or die "connect: $!";
    setsockopt $socket, IPPROTO_TCP, TCP_NODELAY, 1;
    my $accepted = $self->{listener}->accept or die "accept: $!";
    return ($socket, $accepted);
}

# Returns a client that is logged in and has read its first prompt.
sub client {
    my ($self, $callsign, %option) = @_;
    my $client = $self->connect(%option);
    $client->read_until(qr/login: \z/) // die 'no prompt for a callsign';
    $client->say($callsign || '21SD333');
    $client->read_until(qr/dxspider >\r\n\z/) // die "no prompt: $client->{text}";
    $client->{text} = '';
    return $client;
}

sub log_text { -e $_[0]{log} ? QSOsync::Front::read_file($_[0]{log}) : '' }

sub DESTROY {
    my ($self) = @_;
    local $?;
    for my $pid (keys %{$self->{pids}}) {
        kill 'TERM', $pid;
        waitpid $pid, 0;
    }
}

package QSOsync::Cluster::Client;
use Time::HiRes qw(sleep time);

sub say { my ($self, @lines) = @_; $self->send(map { "$_\r\n" } @lines) }
sub send {
    my ($self, @bytes) = @_;
    local $SIG{PIPE} = 'IGNORE';
    syswrite $self->{socket}, join '', @bytes;
}

# Returns the received text as soon as the text matches the pattern, and forgets the text. Returns undef if the
# connection ends, or after the timeout (30 s by default).
sub read_until {
    my ($self, $pattern, $seconds) = @_;
    my $end = time + ($seconds || 30);
    my $select = IO::Select->new($self->{socket});
    until ($self->{text} =~ $pattern) {
        return if time > $end;
        next unless $select->can_read(0.05);
        sysread $self->{socket}, $self->{text}, 65536, length $self->{text} or return;
    }
    my $text = $self->{text};
    $self->{text} = '';
    return $text;
}

# Returns the text that arrives within this time.
sub read_for {
    my ($self, $seconds) = @_;
    $self->read_until(qr/(*FAIL)/, $seconds);
    my $text = $self->{text};
    $self->{text} = '';
    return $text;
}

# Returns the answer to a command, without the prompt.
sub ask {
    my ($self, $command, $seconds) = @_;
    $self->say($command);
    my $text = $self->read_until(qr/dxspider >\r\n\z/, $seconds) // return;
    $text =~ s/[^\n]*dxspider >\r\n\z//;
    return $text;
}

# Returns the exit status of the client's qsosync-cluster, or undef if the program still runs after the timeout (30 s by
# default).
sub status {
    my ($self, $seconds) = @_;
    my $end = time + ($seconds || 30);
    my $ended;
    sleep 0.02 until ($ended = waitpid($self->{pid}, POSIX::WNOHANG())) != 0 || time > $end;
    return if $ended == 0;
    delete $self->{cluster}{pids}{$self->{pid}};
    return $?;
}

1;
