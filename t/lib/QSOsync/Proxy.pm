# Runs proxies between a client and the service. This base class runs a separate process, which ends with the object.
package QSOsync::Proxy;
use strict;
use warnings;
use IO::Socket::INET;
use POSIX ();

# begin($class, sub) starts the process. The sub serves in that process, and gets the listening socket.
sub begin {
    my ($class, $serve) = @_;
    my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 0, Listen => 64)
        or die "no free port: $!";
    my $self = bless { port => $socket->sockport, owner => $$ }, $class;
    $self->{pid} = fork;
    die "fork: $!" unless defined $self->{pid};
    return $self if $self->{pid};
    $SIG{TERM} = $SIG{INT} = 'DEFAULT';
    $SIG{PIPE} = 'IGNORE';
    $serve->($socket);
    POSIX::_exit(0);
}

sub port { $_[0]{port} }
sub url { "http://127.0.0.1:$_[0]{port}/api/v1" }

sub stop {
    my ($self) = @_;
    my $pid = delete $self->{pid};
    return if !$pid || $self->{owner} != $$;
    local $?;
    kill 'KILL', $pid;
    waitpid $pid, 0;
}
sub DESTROY { $_[0]->stop }

# Causes faults on request, for clients that must survive a request limit, errors, and connections that break before or
# after the service acts.
package QSOsync::FaultyProxy;
use parent -norequire, 'QSOsync::Proxy';
use IO::Socket::INET;
use JSON::PP ();
use POSIX ();
use Time::HiRes qw(sleep time);
use QSOsync::Front;

my $proxies = 0; # proxies of this process, each with its own journal

# start($service, sub { my ($number, $method, $target) = @_; ... }) calls the sub for each request, numbered from 1. The
# sub returns the request's fate:
#
#   pass
#   limited  answered with 429 and Retry-After 1
#   broken   answered with 500
#   lost     never reaches the service
#   cut      the service acts, but only half of the answer arrives
#   twice    reaches the service twice
#   late     later requests are answered first
sub start {
    my ($class, $service, $choose) = @_;
    my $journal = $service->directory . '/proxy-journal-' . ++$proxies;
    QSOsync::Front::write_file($journal, '');
    my $self = $class->begin(sub {
        my ($socket) = @_;
        $SIG{CHLD} = 'IGNORE';
        srand;
        serve($journal, $socket, $service->port, $choose);
    });
    $self->{journal} = $journal;
    return $self;
}

# Returns the requests, in order, as hashes of time, method, target and fate.
sub journal {
    my ($self) = @_;
    return map { JSON::PP::decode_json($_) } split /\n/, QSOsync::Front::read_file($self->{journal});
}

sub serve {
    my ($path, $socket, $port, $choose) = @_;
    open my $journal, '>>', $path or POSIX::_exit(1);
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

# Acts as a misconfigured front server, which changes requests to the service and answers from the service.
package QSOsync::ChangingProxy;
use parent -norequire, 'QSOsync::Proxy';
use IO::Socket::INET;

# start($service, request => sub, answer => sub) starts the server. Each sub gets a head (start line and headers, CR LF
# each) and changes $_[0]. answer also gets the body as $_[1] and the request's head as $_[2]. If the sub for a request
# returns a whole answer, the request never reaches the service.
sub start {
    my ($class, $service, %change) = @_;
    return $class->begin(sub {
        my ($socket) = @_;
        while (my $client = $socket->accept) {
            my ($head, $body) = QSOsync::FaultyProxy::read_request($client) or next;
            print {$client} exchange($service, \%change, $head, $body // '');
            close $client;
        }
    });
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

# Runs a real proxy, nginx or Caddy, in front of a service. The proxy connects to the service from 127.0.0.1, as the
# shipped site expects.
package QSOsync::OuterProxy;
use File::Path qw(remove_tree);
use File::Temp qw(tempdir);
use IO::Socket::INET;
use Time::HiRes qw(sleep time);
use QSOsync::Service;

our $CADDY = $ENV{QSOSYNC_CADDY} || '/usr/bin/caddy';

# The configuration of an nginx that forwards requests correctly, by directive and header. The header for the protocol
# says https even if the proxy does not use TLS.
our %RIGHT = (
    'client_max_body_size' => '8m',
    'proxy_http_version' => '1.1',
    'proxy_set_header Host' => '$http_host',
    'proxy_set_header X-Forwarded-For' => '$proxy_add_x_forwarded_for',
    'proxy_set_header X-Forwarded-Proto' => 'https',
);

# start($service, kind => nginx or caddy, tls => [certificate, key], port, lines => { directive => value; undef: none },
# site => a configuration that replaces the other options) starts the proxy.
sub start {
    my ($class, $service, %option) = @_;
    my $self = bless { directory => tempdir('qsosync-XXXXXXXX', TMPDIR => 1), owner => $$,
        port => $option{port} || QSOsync::Service::free_port() }, $class;
    my @command = ($option{kind} // 'nginx') eq 'caddy' ? caddy($self, $service) : nginx($self, $service, %option);
    $self->{pid} = QSOsync::Front::spawn("$self->{directory}/log", { HOME => $self->{directory} }, undef, @command);
    my $end = time + 30;
    until (IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $self->{port})) {
        die "the proxy does not start:\n" . $self->log
            if time > $end || waitpid($self->{pid}, POSIX::WNOHANG()) == $self->{pid};
        sleep 0.02;
    }
    return $self;
}

sub nginx {
    my ($self, $service, %option) = @_;
    my $directory = $self->{directory};
    my %lines = (%RIGHT, %{$option{lines} || {}});
    my $lines = join '', map { defined $lines{$_} ? "$_ $lines{$_};\n" : '' } sort keys %lines;
    my $tls = $option{tls} ? "ssl_certificate $option{tls}[0];\nssl_certificate_key $option{tls}[1];\n" : '';
    my $ssl = $option{tls} ? ' ssl' : '';
    my $paths = join '', map { "${_}_temp_path $directory/$_;\n" } qw(client_body fastcgi proxy uwsgi scgi);
    my $user = $> == 0 ? 'user root;' : '';
    my $site = $option{site} // "location / {\nproxy_pass http://127.0.0.1:@{[$service->port]};\n$lines}\n";
    QSOsync::Front::write_file("$directory/nginx.conf", <<"END");
daemon off;
$user
worker_processes 1;
pid $directory/pid;
error_log $directory/log warn;
events { worker_connections 256; }
http {
    access_log off;
    $paths
    proxy_cache_path $directory/cache keys_zone=kept:1m;
    server {
        listen 127.0.0.1:$self->{port}$ssl;
        $tls
        $site
    }
}
END
    return ($QSOsync::Front::NGINX, '-p', $directory, '-c', "$directory/nginx.conf", '-e', "$directory/log");
}

sub has_caddy { -x $CADDY }

# Uses no TLS, because Caddy would ask an authority for a certificate.
sub caddy {
    my ($self, $service) = @_;
    QSOsync::Front::write_file("$self->{directory}/Caddyfile", <<"END");
{
    admin off
    auto_https off
}
http://:$self->{port} {
    reverse_proxy 127.0.0.1:@{[$service->port]} {
        header_up X-Forwarded-Proto https
    }
}
END
    return ($CADDY, 'run', '--adapter', 'caddyfile', '--config', "$self->{directory}/Caddyfile");
}

sub port { $_[0]{port} }
sub log { -e "$_[0]{directory}/log" ? QSOsync::Front::read_file("$_[0]{directory}/log") : '' }

sub stop {
    my ($self) = @_;
    my $pid = delete $self->{pid};
    return if !$pid || $self->{owner} != $$;
    local $?;
    kill 'TERM', $pid;
    waitpid $pid, 0;
    kill 'KILL', -$pid;
    remove_tree($self->{directory});
}
sub DESTROY { $_[0]->stop }

1;
