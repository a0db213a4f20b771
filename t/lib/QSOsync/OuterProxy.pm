# A real proxy in front of a service, nginx or Caddy, which asks it from 127.0.0.1, as the shipped site expects one.
package QSOsync::OuterProxy;
use strict;
use warnings;
use File::Path qw(remove_tree);
use File::Temp qw(tempdir);
use IO::Socket::INET;
use POSIX ();
use Time::HiRes qw(sleep time);
use QSOsync::Front;
use QSOsync::Service;

our $CADDY = $ENV{QSOSYNC_CADDY} || '/usr/bin/caddy';

# What an nginx says that passes requests on as it should, each line by the name of its directive and header. It tells
# of TLS whether or not it speaks that.
our %RIGHT = (
    'client_max_body_size' => '8m',
    'proxy_http_version' => '1.1',
    'proxy_set_header Host' => '$http_host',
    'proxy_set_header X-Forwarded-For' => '$proxy_add_x_forwarded_for',
    'proxy_set_header X-Forwarded-Proto' => 'https',
);

# start($service, kind => nginx or caddy, tls => [certificate, key], port, lines => { directive => value; undef: none },
# site => the server's text in place of all this)
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

# Without TLS, because that would ask an authority for a certificate.
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
