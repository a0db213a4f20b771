# Implements the connections of a QSOsync::Simulation::World: requests to the workers, and programs that speak HTTP.
package QSOsync::Simulation::Lines;
use strict;
use warnings;
use IO::Socket::UNIX;
use JSON::PP ();
use QSOsync::Worker;
use QSOsync::Simulation::Machine qw(now);

my $json = JSON::PP->new->utf8->canonical;

# send(method, path, key, body, member, entries, done => sub that gets the request at its end) sends a request. The
# status is undef if no answer came. If paused is set, nobody reads the answer until `resume`.
sub send {
    my ($self, %request) = @_;
    my $request = { what => 'request', body => undef, %request, text => '', bytes => '', start => now() };
    my $target = $request->{site} ? $request->{path} : "/api/v1$request->{path}";
    my ($query) = $target =~ /\?(.*)/;
    my $bytes = QSOsync::FastCgi::request({ REQUEST_METHOD => $request->{method}, REQUEST_URI => $target,
        QUERY_STRING => $query // '', GATEWAY_INTERFACE => 'CGI/1.1', SERVER_PROTOCOL => 'HTTP/1.1',
        HTTP_HOST => 'localhost', REQUEST_SCHEME => 'http',
        $request->{key} ? (HTTP_AUTHORIZATION => "Bearer $request->{key}") : (),
        $request->{etag} ? (HTTP_IF_NONE_MATCH => $request->{etag}) : (),
        defined $request->{body} ? (CONTENT_TYPE => 'application/json') : () }, body => $request->{body});
    my $path = "$self->{directory}/" . ($request->{site} ? 'site' : 'worker') . '.sock';
    my $socket = $request->{socket} = IO::Socket::UNIX->new(Peer => $path) or die "$path: $!";
    local $SIG{PIPE} = 'IGNORE';
    syswrite $socket, $bytes;
    $self->{waiting}{fileno $socket} = $request;
    return $request;
}

sub read_answer {
    my ($self, $request) = @_;
    my $count = sysread $request->{socket}, $request->{bytes}, 65536, length $request->{bytes};
    return $self->finish($request, 0) if !$count;
    while (length $request->{bytes} >= 8) {
        my (undef, $type, undef, $length, $padding) = unpack 'CCnnC', $request->{bytes};
        return if length $request->{bytes} < 8 + $length + $padding;
        $request->{text} .= substr $request->{bytes}, 8, $length if $type == 6;
        substr $request->{bytes}, 0, 8 + $length + $padding, '';
        return $self->finish($request, 1) if $type == 3;
    }
}

sub finish {
    my ($self, $request, $is_whole) = @_;
    delete $self->{waiting}{fileno $request->{socket}};
    close delete $request->{socket};
    $request->{end} = now();
    if ($is_whole) {
        my ($head, $body) = split /\r\n\r\n/, $request->{text}, 2;
        $request->{status} = $head =~ s/\AStatus: (\d{3})[^\r\n]*\r\n// ? $1 : 200;
        @{$request}{qw(head answer)} = ($head, $body // '');
        ($request->{epoch}) = $head =~ /^X-Log-Epoch: (\d+)/m;
        ($request->{tag}) = $head =~ /^ETag: ([^\r\n]*)/m;
        $request->{json} = eval { $json->decode($request->{answer}) } if $request->{answer} =~ /\A\{/;
    }
    delete @{$request}{qw(text bytes)};
    $self->note($request);
    $request->{done}->($request) if $request->{done};
    delete $request->{done};
}

sub resume { my ($self) = @_; delete $_->{paused} for values %{$self->{waiting}} }

# Starts a client's engine, which reads lines of JSON and answers each line with a line of JSON.
sub start_engine {
    my ($self, $name, @command) = @_;
    pipe my $in, my $commands or die "pipe: $!";
    pipe my $answers, my $out or die "pipe: $!";
    my $pid = fork // die "fork: $!";
    if (!$pid) {
        open STDIN, '<&', $in or POSIX::_exit(127);
        open STDOUT, '>&', $out or POSIX::_exit(127);
        open STDERR, '>>', "$self->{directory}/engine.log" or POSIX::_exit(127);
        no warnings 'exec';
        exec { $command[0] } @command;
        POSIX::_exit(127);
    }
    $commands->autoflush(1);
    return $self->{engines}{$name} = { name => $name, pid => $pid, commands => $commands, answers => $answers,
        asked => [], bytes => '' };
}

# Sends a line to an engine, and calls $done->(answer) once, with undef if the engine was killed before the answer.
sub ask {
    my ($self, $engine, $command, $done) = @_;
    local $SIG{PIPE} = 'IGNORE';
    push @{$engine->{asked}}, $done;
    print {$engine->{commands}} $json->encode($command), "\n";
}

sub hear {
    my ($self, $engine) = @_;
    my $is_open = sysread $engine->{answers}, $engine->{bytes}, 65536, length $engine->{bytes};
    while ($engine->{bytes} =~ s/\A(.*)\n//) { (shift @{$engine->{asked}})->($json->decode($1)) }
    $self->end_engine($engine) if !$is_open;
}

sub end_engine {
    my ($self, $engine) = @_;
    kill 'KILL', $engine->{pid};
    waitpid $engine->{pid}, 0;
    delete $self->{engines}{$engine->{name}};
    $_->(undef) for splice @{$engine->{asked}};
}

sub read_http {
    my ($self, $connection) = @_;
    my $is_open = sysread $connection->{socket}, $connection->{bytes}, 65536, length $connection->{bytes};
    if (!$is_open) {
        $self->drop($connection);
        return;
    }
    my ($head, $body) = split /\r\n\r\n/, $connection->{bytes}, 2;
    return if !defined $body || length $body < ($head =~ /^Content-Length: *(\d+)/im ? $1 : 0);
    delete $self->{connections}{fileno $connection->{socket}};
    my ($method, $target) = $head =~ m{\A(\S+) /api/v1(\S*)};
    my ($key) = $head =~ /^Authorization: *Bearer (\S+)/im;
    my ($tag) = $head =~ /^If-None-Match: *([^\r\n]*)/im;
    $self->{gateway}->({ method => $method, path => $target, key => $key, etag => $tag,
        body => length $body ? $body : undef }, $connection->{socket});
}

sub drop {
    my ($self, $connection) = @_;
    delete $self->{connections}{fileno $connection->{socket}};
    close $connection->{socket};
}

# Sends the answer to the client as a front server forwards it, or only half of the answer if the connection breaks.
sub pass_on {
    my ($self, $request, $socket, $is_cut) = @_;
    local $SIG{PIPE} = 'IGNORE';
    if (defined $request->{status}) {
        my $text = "HTTP/1.1 $request->{status} X\r\n$request->{head}\r\nConnection: close\r\n"
            . ($request->{head} =~ /^Content-Length:/mi ? '' : 'Content-Length: ' . length($request->{answer}) . "\r\n")
            . "\r\n$request->{answer}";
        print {$socket} $is_cut ? substr $text, 0, length($text) / 2 : $text;
    }
    close $socket;
}

1;
