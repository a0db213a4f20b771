use QSOsync::Test fronts => 'nginx';
use IO::Select;
use IO::Socket::INET;
use POSIX qw(strftime);
use Time::HiRes qw(sleep time);
use QSOsync::Cluster;
use QSOsync::Profile;

# qsosync-link reads spots from another cluster. In this test, the cluster behaves like DXSpider and sometimes
# misbehaves.
my $service = QSOsync::Service->start(site => 1);
my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 5, ReuseAddr => 1) or die "listen: $!";
for (['cluster.example.org', 'no port'], ['a:1,b:2,c:3', 'three clusters'], ['a:0', 'port 0'], ['a b:1', 'a space'],
    [':7300', 'no host'], ['a:1,', 'nothing after the comma']) {
    my ($given, $what) = @$_;
    my ($status) = $service->admin_try('club', 'set', '--clusters', $given);
    is $status, 1, "clusters with $what are refused";
}
for ([clusters => 'a' x 81 . ':1'], [clusters => 'a:000001'], [station => "\xc3\x84" x 11],
    [filter => "\xc3\xa4" x 41]) {
    my ($field, $given) = @$_;
    my ($status, undef, $errors) = $service->admin_try('club', 'set', "--$field", $given);
    is $status, 1, "$field is refused: " . (length $given > 20 ? length($given) . ' bytes' : $given);
    like $errors, qr/\Aqsosync-admin: --$field must /, "the error for $field gives the rule";
}
$service->admin('club', 'set', '--clusters', '127.0.0.1:' . $listener->sockport, '--station', '26AT101',
    '--filter', "\xc3\xa4" x 40);
# An older release accepted a filter of 80 characters, whatever the filter's length in bytes.
my $filter = "\xf0\x9f\x98\x80" x 80;
$service->sqlite("UPDATE club SET filter = '$filter'");
like $service->admin('club', 'show'), qr/^station  26AT101$/m, "club show prints the link's callsign";

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
    'the link logs in at a prompt without a line end, and sends the filter and sh/dx';
syswrite $node, "Hello 26AT101\r\n";

# The link stores lines with spots, and ignores other lines.
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
like $first, qr/\|60AT101\|26AT027\|27545000\|7374726F6E67$/m, 'a callsign in a live line is stored in upper case';
syswrite $node, join '', map { "$_\r\n" } "DX de 60AT101:   14200.0  26AT028   other band   $now",
    "DX de DL1ABC:   27555.0  26AT029   no spotter of 11 m   $now", "DX de 60AT101:   27555.0  DL1ABC   x   $now",
    "DX de 60AT101:   27555.0  26AT030   x   2561Z", "DX de 60AT101   27555.0  26AT031   x   $now",
    "DX de 60AT101:   27.5.5.0  26AT032   x   $now", 'DX de ', 'DX de :', '<>', ' ' x 119, 'x' x 100000,
    " 27520.0  26AT033     31-Feb-2026 $now  x <47DA103>", " 27520.0  26AT034     1-Jan-2020 $now  x <47DA103>",
    "DX de 60AT101:   27545.0  26AT027   again   $now", "DX de 60AT101:   446006.3  26AT035      <b>   $now";
my $second = wait_for(qr/26AT035/);
like $second, qr/\|26AT035\|446006300\|3C623E$/m, 'a spot on PMR446 is stored';
unlike $second, qr/26AT02[89]|26AT03[0-4]|DL1ABC/,
    'spots on other bands, invalid callsigns or times, and broken lines are ignored';
is scalar(() = $second =~ /26AT027/g), 1, 'a repeated spot is stored once';

# After many lines, the table and the memory stay small.
my $level = memory();
for my $thousand (0 .. 9) {
    my $text = join '',
        map { sprintf "DX de 60AT101:   27555.0  %dAT%d   flood   %s\r\n", 1 + $thousand, $_, $now } 0 .. 999;
    for (my $sent = 0; $sent < length $text;) {
        IO::Select->new($node)->can_write(30) or die 'the program does not read';
        $sent += syswrite $node, $text, 65536, $sent;
    }
}
# The link drops spots while many wait to be stored, so the cluster repeats the last spot.
my $last = "DX de 60AT101:   27555.0  99SD999   last   $now\r\n";
ok until_true(sub { syswrite($node, $last) && spots() =~ /99SD999/ }), 'a spot after 10,000 lines is read';
cmp_ok $service->sqlite('SELECT count(*) FROM network_spots'), '<=', 1000, 'at most 1,000 spots are stored';
SKIP: {
    skip 'a sanitizer keeps what is freed', 1 if QSOsync::Front::is_sanitized();
    cmp_ok memory() - $level, '<', 4096, '10,000 lines cost less than 4 MiB of memory';
}

# The spots page lists network spots separately, with the same filters as members' spots.
sub network { my ($query) = @_; return $service->request('GET', '', raw_path => "/cluster/spots/network$query")->json }
my ($newest) = @{network('?callsign=99SD999')};
is_deeply [@$newest{qw(spotted spotter frequency band message source)}],
    ['99SD999', '60AT101', 27555, '11m', 'last', '127.0.0.1'], 'a spot from another cluster has its source and comment';
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
    'the profile names the connected clusters';
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
unlike wait_for(qr/26AT803/), qr/26AT802/, 'the link ignores our own spot when the cluster returns it';
$me->post('announcing', { announces => JSON::PP::false() });
$service->post_batch([$spotted->('26AT804')]);
sleep 2.5;
syswrite $node, "DX de 60AT101:   27555.0  26AT805   x   $now\r\n";
wait_for(qr/26AT805/);
ok !IO::Select->new($node)->can_read(1.5), 'no spot is announced after the consent ends';
$before = $member_rows->();

# Network spots are never forwarded, and change no log.
my $client = QSOsync::Cluster->new($service)->client('21SD333');
$client->say('sh/dx 100');
unlike $client->read_until(qr/dxspider >\r\n\z/), qr/SD999|26AT027|172ZZ02/, 'the feed sends no network spot';
is $member_rows->(), $before, "the link changes no member's log or spots";

# The cluster sends a partial line and ends the connection. Then the program is ended while a connection is silent.
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
    is $set->($own)->status, 204, "the operator's page accepts clusters that the command has set";
    for my $given ('127.0.0.1:22', '169.254.169.254:80', '10.0.0.1:7300', '2130706433:22', 'localhost:7300',
        'a.localhost:7300', "cluster.example.org:7300,192.168.1.1:7300") {
        my $answer = $set->($given);
        is $answer->status, 400, "the operator's page refuses $given";
        like $answer->body, qr/must be public addresses/, "the error for $given gives the rule";
    }
    like $service->admin('club', 'show'), qr/^clusters \Q$own\E$/m, 'a refused change keeps the clusters';
    is $set->('203.0.113.7:7300')->status, 204, "the operator's page accepts a public address";
    is $set->($own)->status, 400, "the operator's page refuses a private address after a change";
    my $backup = $service->directory . '/backup.db';
    $service->admin('backup', $backup);

    # A name in the settings can resolve to this machine. The test stores the machine's address in place of a name.
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
    ok accept_link(), 'the link connects to this machine if the command has set the address';
    $service->admin('restore', $backup);
    is $service->sqlite('SELECT clusters, clusters_by_command FROM club'), "$own|1",
        'a restore keeps the later clusters and their origin';
    kill 'TERM', $pid;
    waitpid $pid, 0;
    undef $pid;
}
$service->stop;

done_testing;
