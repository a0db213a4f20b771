# Runs the worker as a plain CGI program, without a front server. Tests use it for the variables that front servers pass
# in their different ways.
package QSOsync::Cgi;
use strict;
use warnings;
use POSIX ();
use QSOsync::Client;
use QSOsync::Front;

my $number = 0;

# answer($directory, \%variables, body => bytes, through => [command...], program => path) returns the response to one
# request. $? is the exit status of the program (by default the API's worker).
sub answer { return finish(start(@_)) }

# Starts a request whose response is read later, for several requests at once.
sub start {
    my ($directory, $variables, %option) = @_;
    $number++;
    my ($input, $output, $errors) = map { "$directory/cgi-$number.$_" } qw(in out err);
    QSOsync::Front::write_file($input, defined $option{body} ? $option{body} : '');
    my @command = (@{$option{through} || []}, $option{program} || QSOsync::Front::worker_program());
    my $pid = fork;
    die "fork: $!" unless defined $pid;
    if (!$pid) {
        %ENV = (PATH => $ENV{PATH}, GATEWAY_INTERFACE => 'CGI/1.1', SERVER_PROTOCOL => 'HTTP/1.1',
            REQUEST_METHOD => 'GET', QUERY_STRING => '', REMOTE_ADDR => '192.0.2.1',
            defined $option{body} ? (CONTENT_LENGTH => length $option{body}) : (),
            QSOsync::Front::sandbox_setting(),
            (map { defined $ENV{$_} ? ($_ => $ENV{$_}) : () } qw(ASAN_OPTIONS UBSAN_OPTIONS LLVM_PROFILE_FILE)),
            %$variables);
        open STDIN, '<', $input or POSIX::_exit(127);
        open STDOUT, '>', $output or POSIX::_exit(127);
        open STDERR, '>', $errors or POSIX::_exit(127);
        no warnings 'exec';
        exec @command;
        POSIX::_exit(127);
    }
    return { pid => $pid, output => $output, errors => $errors, files => [$input, $output, $errors],
        method => $variables->{REQUEST_METHOD} || 'GET' };
}
sub finish {
    my ($started) = @_;
    waitpid $started->{pid}, 0;
    my ($text, $errors) = map { QSOsync::Front::read_file($started->{$_}) } qw(output errors);
    unlink @{$started->{files}};
    my $status = $text =~ s/\AStatus: (\d{3})[^\r\n]*\r\n// ? $1 : 200;
    my $response = QSOsync::Client::parse("HTTP/1.1 $status\r\n$text", $started->{method});
    $response->{errors} = $errors if $response;
    return $response;
}

# Speaks FastCGI (version 1.0) to a worker on its socket, for requests that front servers would never send.
package QSOsync::FastCgi;
use IO::Socket::UNIX;

my %TYPE = (begin => 1, abort => 2, end => 3, params => 4, stdin => 5, stdout => 6);

sub connect {
    my ($service) = @_;
    return IO::Socket::UNIX->new(Peer => $service->directory . '/worker.sock') || die "worker.sock: $!";
}

sub record {
    my ($type, $content, $padding) = @_;
    $padding ||= 0;
    return pack('CCnnCC', 1, $TYPE{$type}, 1, length $content, $padding, 0) . $content . "\0" x $padding;
}

# Cuts a stream into records of this many bytes, and adds the empty record that ends the stream.
sub stream {
    my ($type, $bytes, $size, $padding) = @_;
    return join('', map { record($type, $_, $padding) } unpack "(a$size)*", $bytes) . record($type, '');
}

sub begin {
    my ($keep) = @_;
    return record('begin', pack 'nCx5', 1, $keep ? 1 : 0);
}

sub variables {
    my (%variable) = @_;
    return join '', map { pack 'NNa*a*', 1 << 31 | length, 1 << 31 | length $variable{$_}, $_, $variable{$_} }
        sort keys %variable;
}

# Returns the bytes of a whole request. With keep => 1, the request asks the worker to keep the connection.
sub request {
    my ($variables, %option) = @_;
    my $body = defined $option{body} ? $option{body} : '';
    my ($size, $padding) = ($option{record_bytes} || 65535, $option{padding});
    return begin($option{keep})
        . stream('params', variables(REQUEST_METHOD => 'GET', QUERY_STRING => '', REMOTE_ADDR => '192.0.2.1',
            defined $option{body} ? (CONTENT_LENGTH => length $body) : (), %$variables), $size, $padding)
        . stream('stdin', $body, $size, $padding);
}

sub read_exactly {
    my ($socket, $length) = @_;
    my $bytes = '';
    while (length $bytes < $length) {
        sysread $socket, $bytes, $length - length $bytes, length $bytes or return;
    }
    return $bytes;
}

# Returns the response, or undef if the connection ends before the response.
sub answer {
    my ($socket) = @_;
    my $text = '';
    while (defined(my $header = read_exactly($socket, 8))) {
        my (undef, $type, undef, $length, $padding) = unpack 'CCnnC', $header;
        my $content = read_exactly($socket, $length + $padding);
        return unless defined $content;
        $text .= substr $content, 0, $length if $type == $TYPE{stdout};
        next if $type != $TYPE{end};
        my $status = $text =~ s/\AStatus: (\d{3})[^\r\n]*\r\n// ? $1 : 200;
        return QSOsync::Client::parse("HTTP/1.1 $status\r\n$text", 'GET');
    }
    return;
}

1;
