# Implements a small HTTP/1.1 client that sends a test's bytes exactly as given.
package QSOsync::Client;
use strict;
use warnings;
use Errno ();
use IO::Socket::INET;
use JSON::PP ();

my $json = JSON::PP->new->utf8->canonical;

# request($port, $method, $target, headers => {...} or [[name, value], ...], body => bytes,
#         chunked => 1, timeout => seconds, from => source address) returns the response, or undef without a response.
sub request {
    my ($port, $method, $target, %option) = @_;
    my $body = $option{body};
    my @headers = ref $option{headers} eq 'ARRAY'
        ? @{$option{headers}}
        : map { [$_, $option{headers}{$_}] } sort keys %{$option{headers} || {}};
    my $head = "$method $target HTTP/1.1\r\n";
    $head .= "Host: 127.0.0.1:$port\r\n" unless grep { lc $_->[0] eq 'host' } @headers;
    $head .= "Connection: close\r\n";
    $head .= "$_->[0]: $_->[1]\r\n" for @headers;
    if (defined $body && $option{chunked}) {
        $head .= "Transfer-Encoding: chunked\r\n";
        $body = sprintf("%x\r\n", length $body) . $body . "\r\n" if length $body;
        $body .= "0\r\n\r\n";
    }
    elsif (defined $body && !grep { lc $_->[0] eq 'content-length' } @headers) {
        $head .= 'Content-Length: ' . length($body) . "\r\n";
    }
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port, Timeout => 10,
        $option{from} ? (LocalAddr => $option{from}) : ()) or return;
    local $SIG{PIPE} = 'IGNORE';
    my $answer = '';
    my $done = eval {
        local $SIG{ALRM} = sub { die "timeout\n" };
        alarm($option{timeout} || 60);
        print {$socket} $head, "\r\n", defined $body ? $body : '';
        $socket->flush;
        while (1) {
            my $read = sysread $socket, my $piece, 262144;
            next if !defined $read && $!{EINTR};
            last unless $read;
            $answer .= $piece;
        }
        alarm 0;
        1;
    };
    alarm 0;
    return unless $done;
    return parse($answer, $method);
}

sub parse {
    my ($answer, $method) = @_;
    $answer =~ s/\AHTTP\/1\.[01] 100 [^\r\n]*\r\n\r\n//;
    my ($head, $body) = split /\r\n\r\n/, $answer, 2;
    return unless defined $head && $head =~ s/\AHTTP\/1\.[01] (\d{3})[^\r\n]*(\r\n|\z)//;
    my $self = { status => $1, headers => {}, complete => 1 };
    for (split /\r\n/, $head) {
        my ($name, $value) = /\A([^:]+):\s*(.*?)\s*\z/ or next;
        push @{$self->{headers}{lc $name}}, $value;
    }
    $body = '' unless defined $body;
    bless $self, 'QSOsync::Client::Response';
    if (($self->header('Transfer-Encoding') || '') =~ /chunked/i) {
        my $plain = '';
        $self->{complete} = 0;
        while ($body =~ s/\A([0-9a-fA-F]+)[^\r\n]*\r\n//) {
            my $size = hex $1;
            if ($size == 0) { $self->{complete} = 1; last }
            $plain .= substr $body, 0, $size, '';
            $body =~ s/\A\r\n//;
        }
        $body = $plain;
    }
    elsif (defined $self->header('Content-Length') && $method ne 'HEAD' && $self->{status} != 304) {
        $self->{complete} = $self->header('Content-Length') == length $body;
    }
    $self->{body} = $body;
    return $self;
}

package QSOsync::Client::Response;

sub status { $_[0]{status} }
sub headers { $_[0]{headers} }
sub body { $_[0]{body} }

# Returns false if the connection ended before the announced end of the body.
sub complete { $_[0]{complete} }

# Returns the value of a header. Several headers with the same name are joined by ", ".
sub header {
    my ($self, $name) = @_;
    my $values = $self->{headers}{lc $name};
    return $values ? join(', ', @$values) : undef;
}

sub json {
    my ($self) = @_;
    return eval { $json->decode($self->{body}) };
}

# Decodes a page of QSOs like json. A QSO whose text was decoded before is not decoded again, because decoding takes a
# millisecond.
my %known;
sub page {
    my ($self) = @_;
    my ($items, $rest) = $self->{body} =~ /\A\{"items":\[(.*)\],("nextCursor":[^\]]*)\z/s or return $self->json;
    my @texts = split /(?<=\}),(?=\{"clientId":)/, $items;
    return { %{$json->decode("{$rest")}, items => [map { +{ %{$known{$_} ||= $json->decode($_)} } } @texts] };
}

# Returns the code of an error body.
sub code {
    my ($self) = @_;
    my $body = $self->json;
    return ref $body eq 'HASH' && ref $body->{error} eq 'HASH' ? $body->{error}{code} : undef;
}

1;
