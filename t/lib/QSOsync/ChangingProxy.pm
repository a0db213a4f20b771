# A front server that is configured wrongly: stands before the service and changes requests and answers.
package QSOsync::ChangingProxy;
use strict;
use warnings;
use IO::Socket::INET;
use POSIX ();
use QSOsync::FaultyProxy;

# start($service, request => sub, answer => sub). Each gets a head (start line and headers, CR LF each) and changes
# $_[0]; answer also gets the body as $_[1] and the request's head as $_[2]. A request that returns a whole answer
# never reaches the service.
sub start {
    my ($class, $service, %change) = @_;
    my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 0, Listen => 64)
        or die "no free port: $!";
    my $self = bless { port => $socket->sockport, owner => $$ }, $class;
    $self->{pid} = fork;
    die "fork: $!" unless defined $self->{pid};
    return $self if $self->{pid};
    $SIG{TERM} = 'DEFAULT';
    $SIG{PIPE} = 'IGNORE';
    while (my $client = $socket->accept) {
        my ($head, $body) = QSOsync::FaultyProxy::read_request($client) or next;
        print {$client} exchange($service, \%change, $head, $body // '');
        close $client;
    }
    POSIX::_exit(0);
}

sub exchange {
    my ($service, $change, $head, $body) = @_;
    $head .= "\r\n";
    my $instead = $change->{request} ? $change->{request}->($head, $body) : undef;
    return $instead if defined $instead && $instead =~ /\AHTTP/;
    $head =~ s/^Connection:.*\r\n//mi;
    my $server = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $service->port) or return '';
    print {$server} "${head}Connection: close\r\n\r\n$body";
    my $answer = do { local $/; <$server> } // '';
    my ($answer_head, $answer_body) = split /(?<=\r\n)\r\n/, $answer, 2;
    $answer_body //= '';
    $change->{answer}->($answer_head, $answer_body, $head) if $change->{answer};
    return "$answer_head\r\n$answer_body";
}

sub port { $_[0]{port} }

sub stop {
    my ($self) = @_;
    my $pid = delete $self->{pid};
    return if !$pid || $self->{owner} != $$;
    local $?;
    kill 'KILL', $pid;
    waitpid $pid, 0;
}
sub DESTROY { $_[0]->stop }

1;
