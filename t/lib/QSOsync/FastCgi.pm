# Speaks FastCGI (version 1.0) to a worker on its socket, where front servers would behave too well.
package QSOsync::FastCgi;
use strict;
use warnings;
use IO::Socket::UNIX;
use QSOsync::Client;

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

# A stream cut into records of that many bytes, and the empty one that ends it.
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

# A whole request; keep => 1 asks the worker to keep the connection.
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

# The response, or undef where the connection ends before it does.
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
