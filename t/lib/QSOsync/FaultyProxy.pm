# Stands between a client and the service, and spoils what the test wants spoilt: for clients that must
# survive a request limit, errors, and connections that break off before and after the service acted.
package QSOsync::FaultyProxy;
use strict;
use warnings;
use IO::Socket::INET;
use JSON::PP ();
use POSIX ();
use Time::HiRes qw(sleep time);
use QSOsync::Front;

# start($service, sub { my ($number, $method, $target) = @_; ... }): the sub, called for each request from 1,
# returns what happens to it: pass, limited (429, Retry-After 1), broken (500), lost (the service never sees it),
# cut (the service acts, half of its answer arrives), twice (the service sees it twice) or late (others are answered
# before it).
sub start {
    my ($class, $service, $choose) = @_;
    my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 0, Listen => 64)
        or die "no free port: $!";
    my $self = bless { port => $socket->sockport, journal => $service->directory . '/proxy-journal-'
        . $socket->sockport,
        owner => $$ }, $class;
    QSOsync::Front::write_file($self->{journal}, '');
    $self->{pid} = fork;
    die "fork: $!" unless defined $self->{pid};
    return $self if $self->{pid};
    $SIG{TERM} = $SIG{INT} = 'DEFAULT';
    $SIG{PIPE} = $SIG{CHLD} = 'IGNORE';
    srand;
    serve($self, $socket, $service->port, $choose);
    POSIX::_exit(0);
}

sub url { "http://127.0.0.1:$_[0]{port}/api/v1" }

# What came, in order: hashes of time, method, target, fate.
sub journal {
    my ($self) = @_;
    return map { JSON::PP::decode_json($_) } split /\n/, QSOsync::Front::read_file($self->{journal});
}

sub stop {
    my ($self) = @_;
    my $pid = delete $self->{pid};
    return if !$pid || $self->{owner} != $$;
    local $?;
    kill 'KILL', $pid;
    waitpid $pid, 0;
}
sub DESTROY { $_[0]->stop }

sub serve {
    my ($self, $socket, $port, $choose) = @_;
    open my $journal, '>>', $self->{journal} or POSIX::_exit(1);
    $journal->autoflush(1);
    my $number = 0;
    while (my $client = $socket->accept) {
        my ($head, $body) = read_request($client) or next;
        my ($method, $target) = $head =~ /\A(\S+) (\S+)/ or next;
        my $fate = $choose->(++$number, $method, $target);
        print {$journal} JSON::PP::encode_json({ time => time, method => $method, target => $target, fate => $fate }),
            "\n";
        next if $fate eq 'late' && fork;
        answer($client, $fate, $port, $head, $body);
        close $client;
        POSIX::_exit(0) if $fate eq 'late';
    }
}

sub read_request {
    my ($client) = @_;
    my $text = '';
    while ($text !~ /\r\n\r\n/) {
        sysread($client, $text, 65536, length $text) or return;
    }
    my ($head, $body) = split /\r\n\r\n/, $text, 2;
    if ($head =~ /^Expect: *100-continue/im) {
        syswrite $client, "HTTP/1.1 100 Continue\r\n\r\n";
        $head =~ s/^Expect:[^\n]*\n//im;
    }
    my ($length) = $head =~ /^Content-Length: *(\d+)/im;
    while (length $body < ($length || 0)) {
        sysread($client, $body, 65536, length $body) or return;
    }
    return ($head, $body);
}

sub answer {
    my ($client, $fate, $port, $head, $body) = @_;
    return if $fate eq 'lost';
    my %own = (limited => "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\n",
        broken => "HTTP/1.1 500 Internal Server Error\r\n");
    if ($own{$fate}) {
        my $error = '{"error":{"code":"' . ($fate eq 'limited' ? 'GENERIC.RATE_LIMITED' : 'GENERIC.INTERNAL_ERROR')
            . '"}}';
        syswrite $client, "$own{$fate}Content-Type: application/json\r\nContent-Length: " . length($error)
            . "\r\nConnection: close\r\n\r\n$error";
        return;
    }
    forward($port, $head, $body) if $fate eq 'twice';
    my $answer = forward($port, $head, $body);
    sleep 0.05 + rand 0.1 if $fate eq 'late';
    my $wanted = $fate eq 'cut' ? int(length($answer) / 2) : length $answer;
    my $written = 0;
    while ($written < $wanted) {
        $written += syswrite($client, $answer, $wanted - $written, $written) || return;
    }
}

sub forward {
    my ($port, $head, $body) = @_;
    $head =~ s/^Connection:[^\n]*\n//img;
    my $server = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port) or return '';
    print {$server} "$head\r\nConnection: close\r\n\r\n$body";
    $server->flush;
    local $/;
    return scalar(<$server>) // '';
}

1;
