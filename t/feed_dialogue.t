use QSOsync::Test fronts => 'none';
use QSOsync::Cluster;

# The cluster feed answers as clients of DXSpider expect.
my $service = QSOsync::Service->start;
my $cluster = QSOsync::Cluster->new($service, QSOSYNC_NODE => 'CLUB-1', QSOSYNC_CLUB => 'Club 21SD');
my $true = JSON::PP::true();
my @sent = map { full_qso(sendSpot => $true, operatorCallsign => '21SD333', callsignWorked => "26AT$_",
    frequencyMhz => '27.555') } 101 .. 130;
$service->post_spots(@sent);
$service->post_batch([full_pmr_qso(sendSpot => $true, operatorCallsign => '21-SD-333', callsignWorked => '13RC1',
    channel => 1)]);

my $client = $cluster->connect;
my $first = $client->read_until(qr/login: \z/);
like $first, qr/\A[^\r\n]*Club 21SD\r\nlogin: \z/,
    'the login prompt begins a line and has no line end';
$client->say('21sd333');
my $greeting = $client->read_until(qr/dxspider >\r\n\z/);
like $greeting, qr/\AHello 21SD333, this is CLUB-1/, 'the greeting contains callsign and node';
like $greeting, qr/\r\n21SD333 de CLUB-1 \d\d-[A-Z][a-z][a-z]-\d{4} \d{4}Z dxspider >\r\n\z/,
    'the prompt ends with a line end';
unlike $greeting, qr/[^\r\n]{80}/, 'the greeting fits into 80 columns';
unlike $greeting, qr/login|password/i, 'only the login prompt contains the words that clients wait for';
unlike $greeting, qr/[^\r]\n|[^\x20-\x7e\r\n]/, 'lines end with CR LF and contain printable ASCII';

my $help = $client->ask('help');
like $help, qr/^bye +disconnect\r$/m, 'help lists the commands';
unlike $help, qr/[^\r\n]{80}|[^\x20-\x7e\r\n]|login|password/i, 'the help is ASCII of at most 79 columns';

my @rows = split /\r\n/, $client->ask('sh/dx');
is scalar(@rows), 10, 'sh/dx shows ten spots';
like $rows[0], qr/\A 446006\.2 13RC1       [ 1-3]\d-[A-Z][a-z][a-z]-\d{4} \d{4}Z FM PMR ch 1 88\.5 IO91wm +<21SD333>\z/,
    'sh/dx shows the newest spot first';
is_deeply [map { length } @rows], [(80) x 10], 'each row of sh/dx ends in column 80';
like $rows[1], qr/\A  27555\.0 26AT130     /, 'sh/dx shows the previous spot second';
is scalar(split /\r\n/, $client->ask($_)), 3, "$_ shows three spots" for 'sh/dx 3', 'show/dx 3', 'SH/DX/3', 'sh dx 3',
    "sh/dx 3 on 11m";
is scalar(split /\r\n/, $client->ask('sh/dx 1000')), 31, 'sh/dx shows all spots if more are requested';
sub rows_of { my @rows = split /\r\n/, $client->ask($_[0]); return map { (split)[1] } @rows }
is_deeply [rows_of($_)], ['26AT119'], "$_ shows the spots of that callsign" for 'sh/dx 26AT119', 'sh/dx 26at119*',
    'sh/dx 5 26AT119 11m', 'sh/dx 11m SSB 26-AT-119';
is_deeply [rows_of($_)], ['13RC1'], "$_ shows the spots of that band or mode" for 'sh/dx 100 pmr',
    'sh/dx/100 FM', 'sh/dx on pmr446', 'sh/dx 13RC pmr fm';
is scalar(rows_of('sh/dx 100 11m')), 30, 'sh/dx 100 11m shows only spots on 11 m';
is_deeply [rows_of('sh/dx 26AT119/P')], [], 'a callsign without spots gives no rows';
like $client->ask($_), qr/\A(?:Not understood\. Usage|Unknown value\. Usage): [^\r\n]+\r\n\z/,
    "$_ is answered with one line and no spots"
    for 'sh/dx 20m', 'sh/dx by 21SD333',
    'sh/dx 0', 'sh/dx 26AT119 what', 'sh/fdx -5', 'sh/dx 1 2 3 4 5 6 7 8';
my @lines = split /\r\n/, $client->ask('sh/fdx 2');
like $lines[0], qr/\ADX de 21SD333:  446006\.2  13RC1        FM PMR ch 1 88\.5 IO91wm +\d{4}Z\z/,
    'sh/fdx shows lines in the live format';
is scalar(@lines), 2, 'sh/fdx 2 shows two lines';

like $client->ask($_), qr/\A[^\r\n]+\r\n\z/, "$_ is answered with one line" for 'sh/wcy', 'sh/wwv', 'sh/hfstats',
    'show/users',
    'sh/filter', 'set/here', 'set/ve7cc', 'set/noann', 'unset/wwv', 'set/dx extension', 'acc/spots on hf',
    'reject/spot 1 on hf', 'clear/spots all', 'dx 27555 26AT101 hello', 'nonsense', 'set/band 20m', 'set/grid 99',
    'set/mode FT8', '/', '//', ' / ', "sh/dx\x{7}", "caf\xe9";
unlike $client->ask('xyzzy'), qr/xyzzy/i, 'an unknown command is not repeated';
like $client->ask('dx 27555 26AT101'), qr/cannot be sent here/,
    'the command dx is refused, because only QSOs publish spots';
is $client->ask('set/band pmr'), "Filter set\r\n", 'set/band sets a filter';
is scalar(split /\r\n/, $client->ask('sh/dx 100')), 1, 'sh/dx obeys the band filter';
is $client->ask('set/band'), "Filter cleared\r\n", 'set/band without a value clears the filter';
$client->ask('set/grid JO5');
is scalar(split /\r\n/, $client->ask('sh/dx 100')), 31, 'a locator filter accepts the locator of either side';
$client->ask('set/grid io91');
is scalar(split /\r\n/, $client->ask('sh/dx 100')), 31, 'a locator filter accepts either case';
$client->ask('set/grid AA..');
is $client->ask('sh/dx 100'), '', 'a locator filter blocks other locators';
is $client->ask('unset/grid'), "Filter cleared\r\n", 'unset clears a filter';
$client->ask('set/mode ssb');
is scalar(split /\r\n/, $client->ask('sh/dx 100')), 30, 'the mode filter SSB accepts USB';
is $client->ask('set/mode'), "Filter cleared\r\n", 'set/mode without a value clears the filter';

$client->send("\r\n\r\n\r\n\n\r");
my $prompts = () = $client->read_for(0.5) =~ /dxspider >/g;
is $prompts, 1, 'empty lines get at most one prompt per second';
$client->send("\xff\xfb\x1f\xff\xfa\x18\x00vt100\xff\xf0sh/d\xff\xfd\x03x 1\r\0");
like $client->read_until(qr/dxspider >\r\n\z/), qr/\A 446006\.2/, 'telnet options are removed anywhere in a line';
$client->send("sh/dz\x08x 1\r\n");
like $client->read_until(qr/dxspider >\r\n\z/), qr/\A 446006\.2/, 'a backspace removes a character';
$client->send('sh/dx 1', "\r\nsh/dx", " 1\r\n");
my $two = $client->read_until(qr/dxspider >.*dxspider >\r\n\z/s);
is scalar(() = $two =~ /13RC1/g), 2, 'commands sent together are answered in order';
$client->send("\x08");
like $client->ask('sh/dx 1'), qr/\A 446006\.2/,
    'a lone backspace, the keep-alive of xdx, is not a command';
like $client->ask('x' x 5000), qr/\A[^\r\n]+\r\n\z/, 'an endless line is answered with one line';
$client->say('bye');
like $client->read_until(qr/73/), qr/73 de CLUB-1/, 'bye ends the connection with 73';
is $client->status, 0, 'bye gives exit status 0';

# The feed accepts callsigns and refuses other words.
for my $callsign ('21SD333-1', '161sd001/p', ' 26AT101 ', '1AT-99') {
    my $client = $cluster->client($callsign);
    my $upper = uc $callsign =~ s/ //gr;
    $client->send("\r\n");
    like $client->read_until(qr/>\r\n\z/), qr/\A\Q$upper\E de /, "$callsign is accepted as a callsign";
    $client->say('q');
    is $client->status, 0, "the command q ends the connection of $callsign";
}
for my $callsign ('Bob', '12', '21SD333-0', '21SD333-100', '21-SD-333', '21SD333-', "21SD\xe9", '1LOGIN', 'x' x 300,
    '21SD333; rm', '../../1A', '21 SD 333') {
    my $client = $cluster->connect;
    $client->read_until(qr/login: \z/);
    $client->say($callsign);
    my $answer = $client->read_until(qr/callsign\r\n\z/) // '';
    my $name = $callsign =~ s/[^\x20-\x7e]/?/gr;
    is $answer, "Sorry, that is not a valid callsign\r\n", 'an invalid callsign gets no echo: ' . substr $name,
        0, 20;
    is $client->status, 0, 'a refusal ends with exit status 0: ' . substr $name, 0, 20;
}
my $unknown = $cluster->client;
$unknown->say(map { "nonsense $_" } 1 .. 100);
is $unknown->status, 0, 'a hundred consecutive unknown commands end the connection';
my $gone = $cluster->client;
close $gone->{socket};
is $gone->status, 0, 'a client that hangs up gives exit status 0';
my $stuck = $cluster->connect(receive_buffer => 2048);
$stuck->say('21SD333', ('sh/dx 100') x 400);
is $stuck->status(60), 0, 'a client that never reads is disconnected';
is $cluster->log_text, '', 'a dialogue writes nothing to the log';

# An unreadable logbook is reported to the client.
my $without = QSOsync::Cluster->new($service, QSOSYNC_DB => $service->directory . '/nothing.db');
my $sorry = $without->connect;
like $sorry->read_until(qr/\r\n\z/), qr/\ASorry, the spots cannot be read now/,
    'an unreadable logbook gives a polite message';
is $sorry->status, 0, 'an unreadable logbook gives exit status 0';
my $long = QSOsync::Cluster->new($service, QSOSYNC_CLUB => join ' ', ('Club of the Long Names') x 10,
    'x' x 100)->connect;
my $said = $long->read_until(qr/login: \z/);
$long->say('161SD00001/P-99');
$said .= $long->read_until(qr/dxspider >\r\n\z/);
$said =~ s/login: //;
unlike $said, qr/[^\r\n]{80}/, 'a long club name is wrapped below 80 columns';
is scalar(() = $said =~ /Long\s+Names/g), 20, 'a wrapped club name is complete';
my $loud = QSOsync::Cluster->new($service, QSOSYNC_CLUB => 'Login club', QSOSYNC_NODE => 'PASSWORD1');
unlike $loud->connect->read_until(qr/login: \z/), qr/login.*login|password/is,
    'a club name with the words that clients wait for is omitted';

# A query examines at most a few thousand spots, however many spots exist.
{
    my $service = QSOsync::Service->start;
    fill_log($service, 6000);
    $service->sqlite("INSERT INTO spots (qso_id, spotted_at, spotter, dx_callsign, band, frequency, mode)
        SELECT id, 1790000000000 + id, '21SD333', CASE id WHEN 3300 THEN '99ZZ3' WHEN 3900 THEN '99ZZ9'
            ELSE callsign_worked END, 0, 27555000, mode FROM qsos WHERE member_id = 1");
    my $spots = $service->sqlite('SELECT count(*) FROM spots WHERE id > 3300');
    my $client = QSOsync::Cluster->new($service)->client;
    like $client->ask('sh/dx 99ZZ9'), qr/ 99ZZ9 /, 'a callsign among the newest 2,500 spots is found';
    cmp_ok $spots, '>', 2500, 'another callsign is older than the newest 2,500 spots';
    unlike $client->ask('sh/dx 99ZZ3'), qr/ 99ZZ3 /,
        'sh/dx does not find a callsign that is older than the newest 2,500 spots';
    is scalar(() = $client->ask('sh/dx 100') =~ /<21SD333>/g), 100, 'sh/dx 100 shows a hundred spots';
}

done_testing;
