use QSOsync::Test fronts => 'none';
use QSOsync::Doctor;

# qsosync-admin doctor accepts a valid certificate, and explains untrusted certificates.
my $nginx = $ENV{QSOSYNC_NGINX} || (grep { -x } qw(/usr/sbin/nginx /usr/local/sbin/nginx))[0];
plan skip_all => 'needs nginx and openssl' if !$nginx || system('openssl version > /dev/null 2>&1') != 0;
my $service = QSOsync::Service->start(site => 1);
my $place = $service->directory . '/tls';
mkdir $place or die;

# Creates an authority, and certificates for a site, each with a name, a lifetime in days and an alternative name.
sub openssl {
    system("cd '$place' && openssl @_ > openssl.log 2>&1") == 0 or die QSOsync::Front::read_file("$place/openssl.log");
}
openssl('req -x509 -newkey ed25519 -nodes -days 30 -subj "/CN=Test authority" -keyout ca.key -out ca.pem');
openssl('req -newkey ed25519 -nodes -subj /CN=site -keyout site.key -out site.csr');
my %certificates = (good => [60, 'IP:127.0.0.1'], ending => [5, 'IP:127.0.0.1'], expired => [-1, 'IP:127.0.0.1'],
    other => [60, 'DNS:log.example.org']);
for my $name (sort keys %certificates) {
    my ($days, $alternative) = @{$certificates{$name}};
    QSOsync::Front::write_file("$place/$name.ext", "subjectAltName=$alternative\n");
    openssl("x509 -req -in site.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days $days -extfile $name.ext -out "
        . "$name.pem");
}
# Creates an intermediate authority, whose certificate the site must send, and a certificate that is not valid before
# next year.
openssl('req -newkey ed25519 -nodes -subj "/CN=Test intermediate" -keyout middle.key -out middle.csr');
QSOsync::Front::write_file("$place/middle.ext", "basicConstraints=critical,CA:TRUE\n");
openssl(
    'x509 -req -in middle.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile middle.ext -out middle.pem');
openssl('x509 -req -in site.csr -CA middle.pem -CAkey middle.key -CAcreateserial -days 60 -extfile good.ext -out '
    . 'lone.pem');
QSOsync::Front::write_file("$place/whole.pem", join '', map { QSOsync::Front::read_file("$place/$_.pem") } 'lone',
    'middle');
QSOsync::Front::write_file("$place/index", '');
QSOsync::Front::write_file("$place/ca.cnf",
    "[ca]\ndefault_ca=a\n[a]\ndatabase=$place/index\nserial=$place/serial\nnew_certs_dir=$place\n"
    . "default_md=sha256\npolicy=p\n[p]\ncommonName=supplied\n");
my $next = (gmtime)[5] + 1901;
openssl("ca -config ca.cnf -batch -create_serial -cert ca.pem -keyfile ca.key -in site.csr -extfile good.ext "
    . "-startdate ${next}0101000000Z -enddate ${next}0601000000Z -out future.pem");
openssl('req -x509 -key site.key -days 60 -subj /CN=site -addext subjectAltName=IP:127.0.0.1 -out own.pem');

# One web server has all certificates, each on its own port.
my %port = map { $_ => QSOsync::Service::free_port() } sort keys(%certificates), 'own', 'lone', 'whole', 'future';
my $servers = join '', map { "server {
    listen 127.0.0.1:$port{$_} ssl; ssl_certificate $place/$_.pem; ssl_certificate_key $place/site.key;
    client_max_body_size 8m; client_body_temp_path $place; proxy_temp_path $place;
    location / { proxy_http_version 1.1; proxy_pass http://127.0.0.1:@{[$service->port]}; } }\n" } sort keys %port;
QSOsync::Front::write_file("$place/nginx.conf", "daemon off; master_process off;
    pid $place/nginx.pid; error_log $place/error.log; events { }
http { access_log off; fastcgi_temp_path $place; uwsgi_temp_path $place; scgi_temp_path $place;\n$servers}\n");
my $pid = QSOsync::Front::spawn("$place/nginx.log", {}, undef, $nginx, '-p', $place, '-e', "$place/error.log", '-c',
    "$place/nginx.conf");
for (1 .. 200) {
    last if IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port{good});
    select undef, undef, undef, 0.05;
}

sub doctor {
    my ($name, %environment) = @_;
    local @ENV{qw(QSOSYNC_KEY CURL_CA_BUNDLE)} = ($service->read_key, "$place/ca.pem");
    local @ENV{keys %environment} = values %environment;
    return QSOsync::Doctor::run([], '--db', $service->db, 'doctor', "https://127.0.0.1:$port{$name}");
}

# A proxy terminates TLS for a service without a configured address.
my $proxied = QSOsync::Doctor::finds('a proxy that speaks TLS', 'trouble', 'own address',
    qr{uses the address http://.* keys unencrypted},
    qr{\Aqsosync-admin --db \S+ club set --address https://127\.0\.0\.1:$port{good}\z}, doctor('good'));
system("PATH='$QSOsync::Front::BUILD':\$PATH; $proxied->{fix} > '$place/pasted' 2>&1") == 0
    or diag QSOsync::Front::read_file("$place/pasted");
my (undef, $report) = doctor('good');
is_deeply [grep { $_->{check} !~ /limit/ && $_->{level} ne 'ok' } @{$report->{checks}}], [],
    'the doctor finds no fault with a valid certificate' or diag $report->{text};
my ($tls) = grep { $_->{check} eq 'tls' } @{$report->{checks}};
like $tls->{message}, qr/is trusted, and expires in (?:59|60) days/,
    'the doctor prints the remaining days of a certificate';
QSOsync::Doctor::finds('a certificate that expires soon', 'warning', 'tls', qr/expires in [45] days/,
    qr/\Acertbot renew && systemctl reload nginx\z/, doctor('ending'));
QSOsync::Doctor::finds('an expired certificate', 'trouble', 'tls', qr/not trusted.*expired/,
    qr/certbot renew && systemctl reload nginx/, doctor('expired'));
QSOsync::Doctor::finds('a certificate for another name', 'trouble', 'tls',
    qr/not trusted.*no alternative certificate subject name matches/,
    qr/certbot certonly .* -d 127\.0\.0\.1 && .*put-site nginx 127\.0\.0\.1 --new-certificate/, doctor('other'));
QSOsync::Doctor::finds('a certificate from an unknown issuer', 'trouble', 'tls',
    qr/not trusted \(.*self.signed.*\); for your own authority, /, qr/certbot certonly/, doctor('own'));
QSOsync::Doctor::finds('an unknown authority', 'trouble', 'tls', qr/not trusted/, qr/certbot/,
    doctor('good', CURL_CA_BUNDLE => '/etc/ssl/certs/ca-certificates.crt')) if -e '/etc/ssl/certs/ca-certificates.crt';
QSOsync::Doctor::finds('a chain without its intermediate', 'trouble', 'tls',
    qr/not trusted, because the issuer's certificate, CN = Test intermediate, is missing/,
    qr/fullchain\.pem/, doctor('lone'));
my (undef, $chain) = doctor('whole');
ok +(grep { $_->{check} eq 'tls' && $_->{level} eq 'ok' } @{$chain->{checks}}),
    'a chain with its intermediate is trusted' or diag $chain->{text};
my @early = doctor('future');
QSOsync::Doctor::finds('a certificate that is not valid yet', 'trouble', 'clock',
    qr/this machine's clock is wrong: it shows 20\S+Z, .*not yet valid/, qr/\Atimedatectl set-ntp true\z/,
    @early);
is scalar(grep { $_->{check} eq 'tls' } @{$early[1]{checks}}), 0,
    'a wrong clock is not reported as a wrong certificate';
my ($status, $plain) = (QSOsync::Doctor::run([], 'doctor', 'https://127.0.0.1:' . $service->port));
QSOsync::Doctor::finds('no TLS at the address', 'trouble', 'tls', qr/no TLS connection/,
    qr/put-site nginx 127\.0\.0\.1/, $status, $plain);
for ('expired', 'other', 'own') {
    my (undef, $untrusted) = doctor($_);
    is_deeply [map { $_->{check} } @{$untrusted->{checks}}], ['tls'],
        "the doctor makes no further check of an untrusted server ($_)";
}
kill 'TERM', $pid;
waitpid $pid, 0;

done_testing;
