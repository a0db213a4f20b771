# Runs the programs of a QSOsync::PowerCut::Record: commands, workers, and requests to workers.
package QSOsync::PowerCut::Commands;
use strict;
use warnings;
use IO::Socket::UNIX;
use JSON::PP ();
use POSIX ();
use QSOsync::Front;
use QSOsync::Worker;

sub run {
    my ($self, $environment, $input, @command) = @_;
    my ($in, $out, $err) = map { "$self->{directory}/run.$_" } qw(in out err);
    QSOsync::Front::write_file($in, $input);
    my $pid = fork;
    die "fork: $!" unless defined $pid;
    if (!$pid) {
        %ENV = (%{$self->environment}, %$environment);
        open STDIN, '<', $in or POSIX::_exit(127);
        open STDOUT, '>', $out or POSIX::_exit(127);
        open STDERR, '>', $err or POSIX::_exit(127);
        no warnings 'exec';
        exec { $command[0] } @command;
        POSIX::_exit(127);
    }
    waitpid $pid, 0;
    return ($? & 127 ? -($? & 127) : $? >> 8, map { QSOsync::Front::read_file($_) } $out, $err);
}

sub admin { my ($self, @arguments) = @_; return $self->run({}, '', $self->{admin}, @arguments) }

# Returns the variables of a request as front servers pass them.
sub variables {
    my ($method, $path, $key, $body) = @_;
    my ($target, $query) = split /\?/, $path, 2;
    return {
        GATEWAY_INTERFACE => 'CGI/1.1', SERVER_PROTOCOL => 'HTTP/1.1', REQUEST_METHOD => $method,
        QUERY_STRING => defined $query ? $query : '', REMOTE_ADDR => '192.0.2.1',
        PATH_INFO => $target, SCRIPT_NAME => '/api/v1', REQUEST_URI => "/api/v1$path",
        HTTP_X_API_KEY => $key, defined $body ? (CONTENT_TYPE => 'application/json', CONTENT_LENGTH => length $body)
        : (),
    };
}

# Returns the status, body and log epoch in the output of a CGI program.
sub parse {
    my ($text) = @_;
    my $status = $text =~ s/\AStatus: (\d{3})[^\n]*\n// ? $1 : $text =~ /\A[A-Za-z-]+:/ ? 200 : 0;
    my ($head, $body) = split /\r\n\r\n/, $text, 2;
    return ($status, $body // '', ($head // '') =~ /^X-Log-Epoch: (\d+)/m ? $1 : '');
}

# Returns the status, body and log epoch of a FastCGI answer. The status is 0 if the answer is missing.
sub parts {
    my ($answer) = @_;
    return $answer ? ($answer->status, $answer->body, $answer->header('X-Log-Epoch') // '') : (0, '', '');
}

# Starts a worker on the socket with this name. Readers use the worker "reader" if this worker exists.
sub start_worker {
    my ($self, $name) = @_;
    $name ||= 'worker';
    my $path = "$self->{directory}/$name.sock";
    $self->{sockets}{$name} ||= IO::Socket::UNIX->new(Local => $path, Listen => 64) || die "$path: $!";
    push @{$self->{workers}{$name}}, QSOsync::Front::spawn("$self->{directory}/$name.log", $self->environment,
        $self->{sockets}{$name}, $self->{worker});
}

sub end_workers {
    my ($self, $signal) = @_;
    my @pids = map { @$_ } values %{$self->{workers}};
    kill $signal || 'TERM', @pids;
    waitpid $_, 0 for @pids;
    $self->{workers} = {};
}

# Sends one request through a worker, or by plain CGI if there is no worker. Returns the status (0: no answer), body and
# log epoch of the answer.
sub request {
    my ($self, $method, $path, $key, $body) = @_;
    my $variables = variables($method, $path, $key, $body);
    return parse(($self->run($variables, defined $body ? $body : '', $self->{worker}))[1]) if !%{$self->{workers}};
    my $name = $method eq 'GET' && $self->{workers}{reader} ? 'reader' : 'worker';
    my $socket = IO::Socket::UNIX->new(Peer => "$self->{directory}/$name.sock") or die "$name.sock: $!";
    print {$socket} QSOsync::FastCgi::request($variables, body => $body);
    return parts(QSOsync::FastCgi::answer($socket));
}

1;
