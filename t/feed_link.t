use QSOsync::Test fronts => 'nginx', slow => 20;
use IO::Select;
use IO::Socket::INET;
use POSIX qw(strftime);
use Time::HiRes qw(sleep time);
use QSOsync::Cluster;
use QSOsync::Profile;

# qsosync-link reads the spots of another cluster, here one that speaks like DXSpider and sometimes misbehaves.
my $service = QSOsync::Service->start(site => 1);
my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 5, ReuseAddr => 1) or die "listen: $!";
for (['cluster.example.org', 'no port'], ['a:1,b:2,c:3', 'three clusters'], ['a:0', 'port 0'], ['a b:1', 'a blank'],
    [':7300', 'no host'], ['a:1,', 'nothing behind the comma']) {
    my ($given, $what) = @$_;
    my ($status) = $service->admin_try('club', 'set', '--clusters', $given);
    is $status, 1, "clusters with $what are refused";
}
for ([clusters => 'a' x 81 . ':1'], [clusters => 'a:000001'], [station => "\xc3\x84" x 11],
    [filter => "\xc3\xa4" x 41]) {
    my ($field, $given) = @$_;
    my ($status, undef, $errors) = $service->admin_try('club', 'set', "--$field", $given);
    is $status, 1, "$field of @{[length $given]} bytes is refused";
    like $errors, qr/\Aqsosync-admin: --$field must /, "the error for $field gives the rule";
}
$service->admin('club', 'set', '--clusters', '127.0.0.1:' . $listener->sockport, '--station', '26AT101',
    '--filter', "\xc3\xa4" x 40);
# An older release accepted filters of 80 characters of any length.
my $filter = "\xf0\x9f\x98\x80" x 80;
$service->sqlite("UPDATE club SET filter = '$filter'");
like $service->admin('club', 'show'), qr/^station  26AT101$/m, 'club show prints the settings of the link';

my $pid;
sub start_link {
    $pid = QSOsync::Front::spawn($service->directory . '/link.log',
        { QSOSYNC_DB => $service->db, QSOsync::Front::sandbox_setting() }, undef,
        "$QSOsync::Front::BUILD/qsosync-link");
}
start_link();
END { local $?; if ($pid) { kill 'KILL', $pid; waitpid $pid, 0 } }

sub accept_link {
    IO::Select->new($listener)->can_read(60) or die 'the program does not connect';
    return $listener->accept;
}
sub heard {
    my ($socket, $pattern) = @_;
    my ($text, $end) = ('', time + 30);
    while ($text !~ $pattern && time < $end) {
        next unless IO::Select->new($socket)->can_read(1);
        sysread $socket, $text, 4096, length $text or last;
    }
    return $text;
}
sub spots {
    return $service->sqlite('SELECT source, spotter, callsign, frequency, hex(comment) FROM network_spots ORDER BY id');
}
sub wait_for {
    my ($pattern) = @_;
    my $end = time + 30;
    sleep 0.1 until spots() =~ $pattern || time > $end;
    return spots();
}
sub memory { QSOsync::Front::read_file("/proc/$pid/status") =~ /^VmRSS:\s+(\d+)/m; $1 }
my $now = strftime('%H%MZ', gmtime);
my $day = strftime('%e-%b-%Y', gmtime) =~ s/^ //r;
my $member_rows = sub { $service->sqlite('SELECT count(*) FROM qsos; SELECT count(*) FROM spots') };
my $before = $member_rows->();

my $node = accept_link();
syswrite $node, "\xff\xfb\x01Welcome\r\nlog";
syswrite $node, 'in: ';
is heard($node, qr{sh/dx 25\r\n}), "26AT101\r\n$filter\r\nsh/dx 25\r\n",
    'the link logs in at a prompt without a line end, and sends only its filter';
syswrite $node, "Hello 26AT101\r\n";

# Stored and ignored lines.
syswrite $node, " 27520.0  172ZZ02     $day $now  Mr. Jack tnx                <47DA103>\r\n"
    . " 27640.0  1AT/I460    $day $now  Thx Pino 73\x92s 30\xb0          <13AT114>\r\n"
    . "DX de 47DA103:   27555.0  172ZZ03      of a square  $now JN58\r\n"
    . "DX de 60AT101-2: 27545.0  26AT027      \x80 half " ;
syswrite $node, "$now\x07\x07\r\nDX de 60AT101:   27545.0  26at027      strong   $now\r\n";
my $first = wait_for(qr/26AT027/);
like $first, qr/^127\.0\.0\.1\|47DA103\|172ZZ02\|27520000\|4D722E204A61636B20746E78$/m, 'a row of sh/dx is stored';
like $first, qr/\|1AT\/I460\|27640000\|54687820[0-9A-F]*3733E28099732033 ?30C2B0$/m,
    'Windows-1252 is converted to UTF-8';
like $first, qr/\|47DA103\|172ZZ03\|27555000\|6F66206120737175617265$/m,
    'a live line with a locator after the time is stored';
like $first, qr/\|60AT101\|26AT027\|27545000\|7374726F6E67$/m, 'a live line is stored in upper case';
syswrite $node, join '', map { "$_\r\n" } "DX de 60AT101:   14200.0  26AT028   other band   $now",
    "DX de DL1ABC:   27555.0  26AT029   no spotter of 11 m   $now", "DX de 60AT101:   27555.0  DL1ABC   x   $now",
    "DX de 60AT101:   27555.0  26AT030   x   2561Z", "DX de 60AT101   27555.0  26AT031   x   $now",
    "DX de 60AT101:   27.5.5.0  26AT032   x   $now", 'DX de ', 'DX de :', '<>', ' ' x 119, 'x' x 100000,
    " 27520.0  26AT033     31-Feb-2026 $now  x <47DA103>", " 27520.0  26AT034     1-Jan-2020 $now  x <47DA103>",
    "DX de 60AT101:   27545.0  26AT027   again   $now", "DX de 60AT101:   446006.3  26AT035      <b>   $now";
my $second = wait_for(qr/26AT035/);
like $second, qr/\|26AT035\|446006300\|3C623E$/m, 'a spot on PMR446 is stored';
unlike $second, qr/26AT02[89]|26AT03[0-4]|DL1ABC/, 'other bands, callsigns, times and broken lines are ignored';
is scalar(() = $second =~ /26AT027/g), 1, 'a repeated spot is stored once';

# Many lines: the table and the memory stay small.
my $level = memory();
for my $thousand (0 .. 9) {
    my $text = join '',
        map { sprintf "DX de 60AT101:   27555.0  %dAT%d   flood   %s\r\n", 1 + $thousand, $_, $now } 0 .. 999;
    for (my $sent = 0; $sent < length $text;) {
        IO::Select->new($node)->can_write(30) or die 'the program does not read';
        $sent += syswrite $node, $text, 65536, $sent;
    }
}
sleep 1.2;
syswrite $node, "DX de 60AT101:   27555.0  99SD999   last   $now\r\n";
like wait_for(qr/99SD999/), qr/99SD999/, 'a spot after 10,000 lines is read';
cmp_ok $service->sqlite('SELECT count(*) FROM network_spots'), '<=', 1000, 'at most 1,000 spots are stored';
SKIP: {
    skip 'a sanitizer keeps what is freed', 1 if QSOsync::Front::is_sanitized();
    cmp_ok memory() - $level, '<', 4096, '10,000 lines cost less than 4 MiB of memory';
}

# The spots page lists them separately, with the same filters as members' spots.
sub network { my ($query) = @_; return $service->request('GET', '', raw_path => "/cluster/spots/network$query")->json }
my ($newest) = @{network('?callsign=99SD999')};
is_deeply [@$newest{qw(spotted spotter frequency band message source)}],
    ['99SD999', '60AT101', 27555, '11m', 'last', '127.0.0.1'], 'a spot of another cluster has its source and comment';
is scalar @{network('')}, 100, 'the list holds at most 100 spots';
is_deeply network('?band=pmr446&mode=FM'), [], 'a mode filter omits spots whose comment names no mode';
is scalar @{network('?band=pmr446')}, 1, 'the list is filtered by the band';
is $service->request('GET', '', raw_path => '/cluster/spots/network?band=x')->status, 400, 'a wrong band is refused';
is_deeply $service->request('GET', '', raw_path => '/cluster/spots')->json, [],
    "the list of members' spots has no network spot";

# Members' spots are announced only with their consent.
my $me = QSOsync::Profile->log_in($service, '21SD333');
is $me->get('me')->json->{announces}, JSON::PP::false(), 'announcing is off by default';
is $me->get('me')->json->{otherClusters}, '127.0.0.1:' . $listener->sockport,
    'the profile names the clusters';
my $spotted = sub { full_qso(sendSpot => JSON::PP::true(), callsignWorked => $_[0], mode => 'USB', @_[1 .. $#_]) };
$service->post_batch([$spotted->('26AT801')]);
is $me->post('announcing', {})->status, 400, 'announcing without a value is refused';
is $me->post('announcing', { announces => JSON::PP::true() })->status, 204, 'a member can agree to announcing';
is $me->get('me')->json->{announces}, JSON::PP::true(), 'the profile shows the consent';
like $me->get('everything.json')->body, qr/"announcesSince":"20/, 'the export has the time of consent';
sleep 2.5;
$service->post_batch([$spotted->('26AT802')]);
my $said = heard($node, qr/26AT802.*\r\n/);
like $said, qr/^DX 27555\.0 26AT802 by 21SD333\S* USB IO91wm\r\n/m, "a consenting member's spot is announced";
unlike $said, qr/26AT801/, 'a spot before the consent is not announced';
syswrite $node, join '', map { "$_\r\n" } "DX de 26AT101:   27555.0  26AT802      by 21SD333   $now",
    "DX de 60AT101:   27555.0  26AT803   x   $now";
unlike wait_for(qr/26AT803/), qr/26AT802/, 'our own spot is ignored when it returns';
$me->post('announcing', { announces => JSON::PP::false() });
$service->post_batch([$spotted->('26AT804')]);
sleep 2.5;
syswrite $node, "DX de 60AT101:   27555.0  26AT805   x   $now\r\n";
wait_for(qr/26AT805/);
ok !IO::Select->new($node)->can_read(1.5), 'no spot is announced after the consent ends';
$before = $member_rows->();

# Network spots are never sent on, and change no log.
my $client = QSOsync::Cluster->new($service)->client('21SD333');
$client->say('sh/dx 100');
unlike $client->read_until(qr/dxspider >\r\n\z/), qr/SD999|26AT027|172ZZ02/, 'the feed sends no network spot';
is $member_rows->(), $before, 'the link changes no log and no spot of a member';

# A partial line, then the end of the connection; then a silent connection, during which the program is ended.
syswrite $node, "DX de 60AT101:   27565.0  26AT0";
close $node;
$node = accept_link();
syswrite $node, "36   half   $now\r\nlogin: ";
is heard($node, qr{sh/dx}), "26AT101\r\n$filter\r\nsh/dx 25\r\n", 'the link reconnects and logs in again';
unlike spots(), qr/26AT036|27565000/, 'partial lines of two connections are not joined';
like QSOsync::Front::read_file($service->directory . '/link.log'),
    qr/127\.0\.0\.1: the connection was closed; the next/,
    'the log gives the reason for waiting';
kill 'TERM', $pid;
waitpid $pid, 0;
is $?, 0, 'the link ends successfully on SIGTERM';
undef $pid;

# Settings from the web cannot connect the link to this machine or a private network.
{
    my $operator = QSOsync::Operator->with_role($service, '21SD333');
    my $set = sub { $operator->post('club', { clusters => $_[0] }) };
    my $own = '127.0.0.1:' . $listener->sockport;
    is $set->($own)->status, 204, 'the operator page can send back the clusters set by the command';
    for my $given ('127.0.0.1:22', '169.254.169.254:80', '10.0.0.1:7300', '2130706433:22', 'localhost:7300',
        'a.localhost:7300', "cluster.example.org:7300,192.168.1.1:7300") {
        my $answer = $set->($given);
        is $answer->status, 400, "the operator page refuses $given";
        like $answer->body, qr/must be public addresses/, "the error for $given gives the rule";
    }
    like $service->admin('club', 'show'), qr/^clusters \Q$own\E$/m, 'a refused change keeps the clusters';
    is $set->('203.0.113.7:7300')->status, 204, 'the operator page accepts a public address';
    is $set->($own)->status, 400, 'the operator page refuses a private address after a change';
    my $backup = $service->directory . '/backup.db';
    $service->admin('backup', $backup);

    # As after a name resolves to this machine.
    $service->sqlite("UPDATE club SET clusters = '$own'");
    start_link();
    my $end = time + 30;
    my $log = sub { QSOsync::Front::read_file($service->directory . '/link.log') };
    sleep 0.1 until $log->() =~ /not public/ || time > $end;
    like $log->(), qr/127\.0\.0\.1: the address is not public; only qsosync-admin club set accepts such an address;/,
        'the log gives the reason for not connecting';
    ok !IO::Select->new($listener)->can_read(0), 'the link does not connect to this machine';
    kill 'TERM', $pid;
    waitpid $pid, 0;
    $service->admin('club', 'set', '--clusters', $own);
    start_link();
    ok accept_link(), 'the link connects to this machine if the command set it';
    $service->admin('restore', $backup);
    is $service->sqlite('SELECT clusters, clusters_by_command FROM club'), "$own|1",
        'a restore keeps the later clusters and their origin';
    kill 'TERM', $pid;
    waitpid $pid, 0;
    undef $pid;
}
$service->stop;

# A client of the cluster feed identifies a log by a code, and gets only spots needed for that log. It cannot learn what
# is needed in another log.
{
    my $service = QSOsync::Service->start(site => 1);
    my $them = $service->add_member('26AT101', locator => 'IO91wm');
    $service->add_member('13HN888');
    my $me = QSOsync::Profile->log_in($service, '21SD333');
    my $other = QSOsync::Profile->log_in($service, '13HN888');
    my $cluster = QSOsync::Cluster->new($service);
    my $code = $me->post('feed-code', {})->json->{code};
    like $code, qr/\A[0-9A-F]{16}\z/, 'a member gets a feed code';
    is $me->post('feed-code', {})->json->{code}, $code, 'a member gets the same code again';
    isnt $other->post('feed-code', {})->json->{code}, $code, 'each member has another code';
    is $service->request('POST', '', raw_path => '/profile/data/feed-code', body => {},
        headers => { 'Sec-Fetch-Site' => 'same-origin' })->status, 401,
        'a request without a session gets no code';

    my $number = 0;
    sub spot {
        my ($callsign, $locator) = @_;
        my $spot = qso(callsignWorked => $callsign, dxLocator => $locator, frequencyMhz => '27.555', mode => 'USB',
            sendSpot => JSON::PP::true(), qsoAt => iso_time(1_767_225_600 + 60 * $number++));
        $service->post_batch([$spot], key => $them->{write_key});
    }
    # The spots received up to the one of this callsign.
    sub comes {
        my ($client, $last) = @_;
        my $text = $client->read_until(qr/^DX de [^\n]* \Q$last\E [^\n]*\n\z/m, 30) // "$last did not come";
        return [$text =~ /^DX de \S+ +\S+ +(\S+)/mg];
    }

    $service->post_batch([qso(callsignWorked => '30AT1', dxLocator => 'IN80'),
        qso(callsignWorked => '14-FR-1', dxLocator => 'JN18', qsoStatus => 'HRD')]);
    my $client = $cluster->client('21SD333-2');
    my $stranger = $cluster->client('13HN888');
    like $stranger->ask("set/new $code"), qr/\AWrong code for your callsign/,
        "a code works only for its member's callsign";
    like $client->ask($_), qr/\AWrong code/, "$_ is refused as a code" for 'set/new 1', 'set/new ' . '0' x 16,
        "set/new ${code}0";
    like $client->ask('set/new ' . lc $code), qr/\AShowing only /,
        "the member's code is accepted with any SSID";
    spot('30AT2', 'IN80aa');
    spot('30AT3', 'IM76');   # a square
    spot('1AT4', 'IN80');    # a division
    spot('30AT/DX', undef);  # a special station
    spot('14FR5', 'JN18');   # only heard until now
    spot('30AT6', 'IN80');
    spot('31AT7', undef);
    is_deeply comes($client, '31AT7'), [qw(30AT3 1AT4 30AT/DX 14FR5 31AT7)],
        'only spots with a new division, square or special station are sent';
    is_deeply comes($stranger, '31AT7'), [qw(30AT2 30AT3 1AT4 30AT/DX 14FR5 30AT6 31AT7)],
        'a client without a code gets all spots';
    is scalar(split /\r\n/, $client->ask('sh/dx 100')), 5, 'sh/dx shows only the needed spots';

    # QSOs logged by another program count at once, and deleted QSOs no longer count.
    my $new = qso(callsignWorked => '31AT7');
    $service->post_batch([$new]);
    spot('31AT8', undef);
    spot('102AT1', undef);
    is_deeply comes($client, '102AT1'), ['102AT1'], 'a division logged by another program is no longer needed';
    $service->delete_qso($new->{clientId});
    spot('31AT9', undef);
    is_deeply comes($client, '31AT9'), ['31AT9'], 'a division whose QSO was deleted is needed again';
    is $client->ask('unset/new'), "Filter cleared\r\n", 'unset/new clears the filter';
    spot('30AT9', 'IN80');
    is_deeply comes($client, '30AT9'), ['30AT9'], 'all spots are sent after unset/new';

    # A new password makes a new code, and ends filters set with the previous code.
    $client->ask("set/new $code");
    $me->post('password', { password => 'a longer sentence 1', current => $me->{password} })->status =~ /\A20/
        or die 'no new password';
    spot('30AT10', 'IN80');
    is_deeply comes($client, '30AT10'), ['30AT10'], 'a client with a revoked code gets all spots';
    like $client->ask("set/new $code"), qr/\AWrong code/, 'a new password revokes the code';
    my $now = $me->post('feed-code', {})->json->{code};
    like $client->ask("set/new $now"), qr/\AShowing only /, 'the new code is accepted';
    $service->stop;
}

done_testing;
