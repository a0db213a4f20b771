use QSOsync::Test fronts => 'nginx', slow => 15;
use File::Temp qw(tempdir);
use IO::Socket::INET;
use MIME::Base64 qw(decode_base64url);
use POSIX ();

# alerts send turns spots into alerts, sends each alert once, connects only to public addresses, and obeys the answers.
plan skip_all => 'the sqlite3 shell is not installed' if system('sqlite3 --version >/dev/null 2>&1') != 0;
my $service = QSOsync::Service->start(workers => 1);
our $db = $service->db;
my $place = tempdir(CLEANUP => 1);

# One server replaces all push services: nginx answers each path /sNNN with this status, and logs the path.
my $port = do {
    my $socket = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1') or die $!;
    $socket->sockport;
};
system("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=push.example.org \\
    -addext subjectAltName=DNS:push.example.org -keyout '$place/push.key' -out '$place/push.pem' 2>/dev/null") == 0
    or die 'openssl failed';
my $answers = join '', map { "location /s$_ { return $_; }\n" } 200, 400, 404, 410, 429, 503;
QSOsync::Front::write_file("$place/push.conf", <<"CONF");
daemon off;
pid $place/push.pid;
error_log $place/push-errors.log;
events {}
http {
    log_format received '\$request_method \$uri \$http_authorization \$http_content_encoding';
    access_log $place/push.log received;
    client_body_temp_path $place/a; proxy_temp_path $place/b; fastcgi_temp_path $place/c; uwsgi_temp_path $place/d;
    scgi_temp_path $place/e;
    server {
        listen 127.0.0.1:$port ssl;
        ssl_certificate $place/push.pem;
        ssl_certificate_key $place/push.key;
        location /redirect { return 302 https://127.0.0.1:$port/s200; }
        $answers
    }
}
CONF
my $nginx = fork // die $!;
if ($nginx == 0) { exec 'nginx', '-c', "$place/push.conf", '-p', $place or POSIX::_exit(1) }
END { if ($nginx) { local $?; kill TERM => $nginx; waitpid $nginx, 0 } }
for (1 .. 100) {
    last if IO::Socket::INET->new(PeerAddr => "127.0.0.1:$port");
    select undef, undef, undef, 0.1;
}
sub sql { chomp(my $output = `sqlite3 '$db' "PRAGMA foreign_keys = ON; $_[0]"`); $output }
sub received { open my $log, '<', "$place/push.log" or return ''; join '', sort <$log> }
sub forget { open my $log, '>', "$place/push.log" or die $! }
sub send_alerts {
    local @ENV{qw(CURL_CA_BUNDLE QSOSYNC_ALERT_HOSTS)} = ("$place/push.pem", "push.example.org:443:127.0.0.1:$port");
    $service->admin('alerts', 'send');
}
sub states { sql("SELECT group_concat(name || state, ' ') FROM (SELECT name, state FROM alert_deliveries
    JOIN alert_ways ON alert_ways.id = way_id ORDER BY way_id)") }

my $other = $service->add_member('26AT101');
$service->admin('club', 'set', '--address', 'https://log.example.org');
sub add_way {
    my ($name, $address) = @_;
    sql("INSERT INTO alert_ways (member_id, kind, name, address, body, created_at)
        SELECT id, 1, '$name', '$address', '{title}', 1 FROM members WHERE callsign = '26AT101'");
}
sub spot {
    my ($callsign, %member) = @_;
    $service->post_batch([qso(callsignWorked => $callsign, sendSpot => JSON::PP::true())], %member);
}

# Without a rule, a spot does not start the sender.
spot('13AT1');
ok !-e "$db-alerts", 'without a rule, a spot starts nothing';
send_alerts();
sql("INSERT INTO alert_rules (member_id, name, subject, callsigns, need, source, days, pause, is_on)
    SELECT id, 'Sardinia', 0, '165* 13AT7', 0, 0, 127, 60, 1 FROM members WHERE callsign = '26AT101';
    INSERT INTO alert_names VALUES ('165*', 1), ('13AT7', 1)");
add_way($_, "https://push.example.org/s$_") for 200, 400, 404, 410, 429, 503;
add_way('redirect', 'https://push.example.org/redirect');
my @local = ("https://127.0.0.1:$port/s200", "https://localhost:$port/s200", "https://[::1]:$port/s200",
    "https://[::ffff:127.0.0.1]:$port/s200", "https://2130706433:$port/s200", "https://0x7f.1:$port/s200",
    "https://0.0.0.0:$port/s200", "https://169.254.169.254/", "https://10.0.0.1/", "https://100.64.0.1/",
    "https://[fd00::1]/", "https://[64:ff9b::7f00:1]:$port/s200", "http://push.example.org/s200",
    "file:///etc/passwd", "gopher://127.0.0.1:$port/");
add_way("local$_", $local[$_]) for 0 .. $#local;
spot('13AT70');
spot('165SD1', key => $other->{write_key});
send_alerts();
is received(), '', 'spots of other stations, and spots by the member, cause no alert';
ok -e "$db-alerts", 'a spot starts the sending of alerts if somebody has a rule';

spot('165SD/2');
send_alerts();
is received(), join('', map { "POST $_ - -\n" } '/redirect', map { "/s$_" } 200, 400, 404, 410, 429, 503),
    'each address that is public receives the alert once, and no redirect is followed';
is states(), '2002 4003 4043 4103 4290 5030 redirect3 ' . join(' ', map { "local$_" . '3' } 0 .. $#local),
    '429 and 503 are tried again, and all other failures are final';
is sql("SELECT group_concat(name, ' ') FROM alert_ways WHERE has_ended"), '404 410', '404 and 410 end an address';
forget();
spot('165-SD/2');
send_alerts();
is received(), '', 'the same station causes one alert per hour, and nothing is sent before its time';
sql('UPDATE alert_deliveries SET due_at = 5 WHERE state = 0');
send_alerts();
is received(), "POST /s429 - -\nPOST /s503 - -\n", 'deliveries are tried again when they are due';
sql('UPDATE alert_deliveries SET state = 1 WHERE state = 0');
forget();
send_alerts();
is received(), '', 'an alert whose sending was begun by a killed process is not sent again';

# A browser's push service gets an encrypted message and a signed token, without padding. The keys are from RFC 8291.
sub blob { "x'" . unpack('H*', decode_base64url($_[0])) . "'" }
sql("UPDATE alert_state SET push_key = @{[blob('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw')]},
    push_point = substr(
        @{[blob('BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8')]}, 2);
    DELETE FROM alert_ways WHERE name LIKE 'local%';
    INSERT INTO alert_ways (member_id, kind, name, address, point, secret, created_at)
    SELECT id, 0, 'browser', 'https://push.example.org/s200',
        @{[blob('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4')]},
        @{[blob('BTBZMqHH6r4Tts7J_aSIgg')]}, 1 FROM members WHERE callsign = '26AT101'");
forget();
{
    local @ENV{qw(CURL_CA_BUNDLE QSOSYNC_ALERT_HOSTS)} = ("$place/push.pem", "push.example.org:443:127.0.0.1:$port");
    $service->admin('alerts', 'test', '26AT101');
}
for (1 .. 50) { # nginx can note a request after its answer
    last if received() =~ /vapid/;
    select undef, undef, undef, 0.1;
}
like received(), qr{^POST /s200 vapid t=[\w-]+\.[\w-]+\.[\w-]{86}, k=[\w-]{87} aes128gcm$}m,
    'a push service receives an encrypted message and a signed token';

# The hour's limit, quiet hours and a mute hold alerts back, and are recorded.
spot("165SD1$_") for 1 .. 6;
send_alerts();
is sql('SELECT count(*) FROM alerts WHERE held IS NULL AND rule IS NOT NULL'), 5,
    'at most five alerts per hour are sent';
is sql('SELECT count(*) FROM alerts WHERE held = 1'), 2, 'further alerts are recorded as held back';
sql("INSERT INTO alert_mutes SELECT id, '165SD99', '165SD99' FROM members WHERE callsign = '26AT101'");
spot('165SD99');
send_alerts();
is sql("SELECT count(*) FROM alerts WHERE dx_key = '165SD99'"), 0, 'a muted station causes no alert';
sql("INSERT INTO alert_settings (member_id, hourly, quiet_from, quiet_to)
    SELECT id, 60, 0, 1439 FROM members WHERE callsign = '26AT101'");
spot('165SD97') for 1, 2;
send_alerts();
is sql("SELECT group_concat(held) FROM alerts WHERE dx_key = '165SD97'"), 2, 'quiet hours hold an alert back once';
sql('UPDATE alert_settings SET quiet_from = NULL, quiet_to = NULL');
spot('165SD97');
send_alerts();
is sql("SELECT group_concat(ifnull(held, 'sent')) FROM alerts WHERE dx_key = '165SD97'"), '2,sent',
    'after quiet hours, the same station causes an alert';
$service->admin('club', 'set', '--alerts', 'off');
spot('165SD98');
send_alerts();
$service->admin('club', 'set', '--alerts', 'on');
send_alerts();
is sql("SELECT count(*) FROM alerts WHERE dx_key = '165SD98'"), 0, 'nothing is stored or sent while alerts are off';

# On a logbook that has answered nobody, old spots cause no alert.
{
    local $db = "$place/quiet.db";
    $service->admin('--db', $db, @$_) for ['init'], ['member', 'add', '26AT101', '--locator', 'JO59'],
        ['club', 'set', '--address', 'https://log.example.org'];
    sql("INSERT INTO alert_rules (member_id, name, subject, callsigns, need, source, days, pause, is_on)
        SELECT id, 'Sardinia', 0, '165*', 0, 0, 127, 60, 1 FROM members;
        INSERT INTO alert_names VALUES ('165*', 1);
        INSERT INTO network_spots (source, spotter, callsign, frequency, comment, spotted_at)
        VALUES ('cb.example.org', '60AT101', '165SD1', 27520000, '', unixepoch() * 1000 - 3600000),
            ('cb.example.org', '60AT101', '165SD2', 27520000, '', unixepoch() * 1000 - 60000)");
    $service->admin('--db', $db, 'alerts', 'send');
    is sql('SELECT group_concat(dx_key) FROM alerts'), '165SD2', 'a spot of an hour ago causes no alert';
}

$service->admin('member', 'delete', '26AT101', '--yes');
is sql('SELECT (SELECT count(*) FROM alert_rules) + (SELECT count(*) FROM alert_names) 
    + (SELECT count(*) FROM alert_ways) + (SELECT count(*) FROM alerts) + (SELECT count(*) FROM alert_deliveries)
    + (SELECT count(*) FROM alert_mutes)'), 0,
    'deleting a member deletes all data of their alerts';
done_testing;
