use QSOsync::Test fronts => 'none';
use QSOsync::Cluster;

# The dialogue of the cluster feed, as cluster clients expect it of DXSpider.
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
    'the callsign is asked for at the beginning of a line, without a line end';
$client->say('21sd333');
my $greeting = $client->read_until(qr/dxspider >\r\n\z/);
like $greeting, qr/\AHello 21SD333, this is CLUB-1/, 'the greeting names callsign and node';
like $greeting, qr/\r\n21SD333 de CLUB-1 \d\d-[A-Z][a-z][a-z]-\d{4} \d{4}Z dxspider >\r\n\z/,
    'the prompt ends its line';
unlike $greeting, qr/[^\r\n]{80}/, 'the greeting fits into 80 columns';
unlike $greeting, qr/login|password/i, 'the words that clients wait for stand nowhere but in the question';
unlike $greeting, qr/[^\r]\n|[^\x20-\x7e\r\n]/, 'lines end with CR LF and hold printable ASCII';

# Help in the language of the callsign's country, and in any other one.
like $client->ask('help'), qr/^bye +disconnect\r$/m,
    'a callsign of a country without a language of its own reads English';
my %word_of = (de => 'beenden', en => 'disconnect', es => 'fin', fr => 'fin', it => 'fine', nl => 'beeindigen',
    pl => 'koniec', pt => 'fim');
for my $code (sort keys %word_of) {
    my $said = $client->ask("set/language $code") . $client->ask('help');
    like $said, qr/^bye +$word_of{$code}\r$/m, "help is there in $code";
    unlike $said, qr/[^\r\n]{80}|[^\x20-\x7e\r\n]|login|password/i, "the help is ASCII of 79 columns in $code";
    is scalar(() = $said =~ /\b(?:the|Unknown|only|list)\b/g) > 0, $code eq 'en', "all of the help is said in $code";
}
like $client->ask('set/language xx'), qr/\ALanguages: de, en, es, fr, it, nl, pl, pt\r\n\z/,
    'a language that is not known is answered with those that are';
$client->ask('set/lang en');
for my $case (['1AT342', 'elenca'], ['13TH101-2', 'nennt'], ['161AT7', 'podaje'], ['3SD019', 'mostra']) {
    my ($callsign, $word) = @$case;
    my $stranger = $cluster->connect;
    $stranger->read_until(qr/login: \z/);
    $stranger->say($callsign);
    like $stranger->read_until(qr/dxspider >\r\n\z/), qr/^help $word /m,
        "the greeting of $callsign is in its country's language";
}

my @rows = split /\r\n/, $client->ask('sh/dx');
is scalar(@rows), 10, 'sh/dx shows ten spots';
like $rows[0], qr/\A 446006\.2 13RC1       [ 1-3]\d-[A-Z][a-z][a-z]-\d{4} \d{4}Z FM PMR ch 1 88\.5 IO91wm +<21SD333>\z/,
    'sh/dx shows the newest spot first';
is_deeply [map { length } @rows], [(80) x 10], 'each row of sh/dx ends in column 80';
like $rows[1], qr/\A  27555\.0 26AT130     /, 'the second row of sh/dx is the spot before';
is scalar(split /\r\n/, $client->ask($_)), 3, "$_ shows three spots" for 'sh/dx 3', 'show/dx 3', 'SH/DX/3', 'sh dx 3',
    "sh/dx 3 on 11m";
is scalar(split /\r\n/, $client->ask('sh/dx 1000')), 31, 'sh/dx shows all where more are wanted than there are';
sub rows_of { my @rows = split /\r\n/, $client->ask($_[0]); return map { (split)[1] } @rows }
is_deeply [rows_of($_)], ['26AT119'], "$_ shows the spots of that callsign" for 'sh/dx 26AT119', 'sh/dx 26at119*',
    'sh/dx 5 26AT119 11m', 'sh/dx 11m SSB 26-AT-119';
is_deeply [rows_of($_)], ['13RC1'], "$_ shows the spots on that band, or in that mode" for 'sh/dx 100 pmr',
    'sh/dx/100 FM', 'sh/dx on pmr446', 'sh/dx 13RC pmr fm';
is scalar(rows_of('sh/dx 100 11m')), 30, 'sh/dx 100 11m shows the spots on 11 m alone';
is_deeply [rows_of('sh/dx 26AT119/P')], [], 'a callsign that nobody spotted has no spots';
like $client->ask($_), qr/\A(?:Not understood\. Usage|Unknown value\. Usage): [^\r\n]+\r\n\z/,
    "$_ is answered by one line, not by other spots"
    for 'sh/dx 20m', 'sh/dx by 21SD333',
    'sh/dx 0', 'sh/dx 26AT119 what', 'sh/fdx -5', 'sh/dx 1 2 3 4 5 6 7 8';
my @lines = split /\r\n/, $client->ask('sh/fdx 2');
like $lines[0], qr/\ADX de 21SD333:  446006\.2  13RC1        FM PMR ch 1 88\.5 IO91wm +\d{4}Z\z/,
    'sh/fdx shows lines as they come live';
is scalar(@lines), 2, 'sh/fdx 2 shows two of them';

like $client->ask($_), qr/\A[^\r\n]+\r\n\z/, "$_ is answered by one line" for 'sh/wcy', 'sh/wwv', 'sh/hfstats',
    'show/users',
    'sh/filter', 'set/here', 'set/ve7cc', 'set/noann', 'unset/wwv', 'set/dx extension', 'acc/spots on hf',
    'reject/spot 1 on hf', 'clear/spots all', 'dx 27555 26AT101 hello', 'nonsense', 'set/band 20m', 'set/grid 99',
    'set/mode FT8', '/', '//', ' / ', "sh/dx\x{7}", "caf\xe9";
unlike $client->ask('xyzzy'), qr/xyzzy/i, 'what is not known is not repeated';
like $client->ask('dx 27555 26AT101'), qr/cannot be sent here/, 'dx is refused: spots come from QSOs';
is $client->ask('set/band pmr'), "Filter set\r\n", 'a filter is set';
is scalar(split /\r\n/, $client->ask('sh/dx 100')), 1, 'sh/dx obeys the filter of the band';
is $client->ask('set/band'), "Filter cleared\r\n", 'a filter without a value is cleared';
$client->ask('set/grid JO5');
is scalar(split /\r\n/, $client->ask('sh/dx 100')), 31, 'a filter of the locator looks at both sides';
$client->ask('set/grid io91');
is scalar(split /\r\n/, $client->ask('sh/dx 100')), 31, 'a filter of the locator takes either case';
$client->ask('set/grid AA..');
is $client->ask('sh/dx 100'), '', 'a filter of the locator keeps away what begins otherwise';
is $client->ask('unset/grid'), "Filter cleared\r\n", 'unset clears a filter';
$client->ask('set/mode ssb');
is scalar(split /\r\n/, $client->ask('sh/dx 100')), 30, 'a filter of SSB lets pass USB';
is $client->ask('set/mode'), "Filter cleared\r\n", 'all filters are cleared';

$client->send("\r\n\r\n\r\n\n\r");
my $prompts = () = $client->read_for(0.5) =~ /dxspider >/g;
is $prompts, 1, 'empty lines are answered with one prompt a second at most';
$client->send("\xff\xfb\x1f\xff\xfa\x18\x00vt100\xff\xf0sh/d\xff\xfd\x03x 1\r\0");
like $client->read_until(qr/dxspider >\r\n\z/), qr/\A 446006\.2/, 'telnet options are taken out, wherever they stand';
$client->send("sh/dz\x08x 1\r\n");
like $client->read_until(qr/dxspider >\r\n\z/), qr/\A 446006\.2/, 'a backspace takes a character back';
$client->send('sh/dx 1', "\r\nsh/dx", " 1\r\n");
my $two = $client->read_until(qr/dxspider >.*dxspider >\r\n\z/s);
is scalar(() = $two =~ /13RC1/g), 2, 'commands that come together are answered one after the other';
$client->send("\x08");
like $client->ask('sh/dx 1'), qr/\A 446006\.2/,
    'a backspace on an empty line, which xdx sends as a sign of life, is no command';
like $client->ask('x' x 5000), qr/\A[^\r\n]+\r\n\z/, 'an endless line is answered by one line';
$client->say('bye');
like $client->read_until(qr/73/), qr/73 de CLUB-1/, 'bye ends the connection politely';
is $client->status, 0, 'after bye the exit status is 0';

# Who may come in.
for my $callsign ('21SD333-1', '161sd001/p', ' 26AT101 ', '1AT-99') {
    my $client = $cluster->client($callsign);
    my $upper = uc $callsign =~ s/ //gr;
    $client->send("\r\n");
    like $client->read_until(qr/>\r\n\z/), qr/\A\Q$upper\E de /, "$callsign is a callsign";
    $client->say('q');
    is $client->status, 0, "$callsign leaves by q";
}
for my $callsign ('Bob', '12', '21SD333-0', '21SD333-100', '21-SD-333', '21SD333-', "21SD\xe9", '1LOGIN', 'x' x 300,
    '21SD333; rm', '../../1A', '21 SD 333') {
    my $client = $cluster->connect;
    $client->read_until(qr/login: \z/);
    $client->say($callsign);
    my $answer = $client->read_until(qr/callsign\r\n\z/) // '';
    my $name = $callsign =~ s/[^\x20-\x7e]/?/gr;
    is $answer, "Sorry, that is not a valid callsign\r\n", 'no callsign, refused without repeating it: ' . substr $name,
        0, 20;
    is $client->status, 0, 'a refusal ends with exit status 0: ' . substr $name, 0, 20;
}
my $unknown = $cluster->client;
$unknown->say(map { "nonsense $_" } 1 .. 100);
is $unknown->status, 0, 'a hundred unknown commands in a row end the connection';
my $gone = $cluster->client;
close $gone->{socket};
is $gone->status, 0, 'a client that hangs up leaves exit status 0';
my $stuck = $cluster->connect(receive_buffer => 2048);
$stuck->say('21SD333', ('sh/dx 100') x 400);
is $stuck->status(60), 0, 'a client that does not read is ended';
is $cluster->log_text, '', 'a dialogue leaves nothing in the log';

# A logbook that cannot be read.
my $without = QSOsync::Cluster->new($service, QSOSYNC_DB => $service->directory . '/nothing.db');
my $sorry = $without->connect;
like $sorry->read_until(qr/\r\n\z/), qr/\ASorry, the spots cannot be read now/,
    'a logbook that cannot be read is told politely';
is $sorry->status, 0, 'a logbook that cannot be read leaves exit status 0';
my $long = QSOsync::Cluster->new($service, QSOSYNC_CLUB => join ' ', ('Club of the Long Names') x 10,
    'x' x 100)->connect;
my $said = $long->read_until(qr/login: \z/);
$long->say('161SD00001/P-99');
$said .= $long->read_until(qr/dxspider >\r\n\z/);
$said =~ s/login: //;
unlike $said, qr/[^\r\n]{80}/, 'names of a club are broken into lines of less than 80 columns';
is scalar(() = $said =~ /Long\s+Names/g), 20, 'a name that is broken into lines is whole';
my $loud = QSOsync::Cluster->new($service, QSOSYNC_CLUB => 'Login club', QSOSYNC_NODE => 'PASSWORD1');
unlike $loud->connect->read_until(qr/login: \z/), qr/login.*login|password/is,
    'a name with the words that clients wait for is not told';

# What clients send that is no dialogue: it costs little, and changes nothing for others.
{
    my $service = QSOsync::Service->start;
    my $cluster = QSOsync::Cluster->new($service);
    my $true = JSON::PP::true();
    $service->post_batch([full_qso(sendSpot => $true, operatorCallsign => '21SD333')]);
    my $quiet = $cluster->client('1AT1');

    my %flood = (
        'an endless line' => ['x' x 10_000 . "\r\n", 1],
        'a flood of telnet options' => ["\xff\xfb\x01\xff\xfe\x03" x 2_000, 0],
        'a telnet option without an end' => ["\xff\xfa\x18" . 'vt100 ' x 2_000 . "\xff\xf0", 0],
        'eight-bit rubbish' => [join('', map { chr(128 + $_ * 7 % 127) } 1 .. 10_000) . "\r\n", 1],
        'a flood of empty lines' => ["\r\n" x 5_000, 0],
        'a flood of backspaces' => ["\x08\x7f" x 5_000, 0],
    );
    for my $kind (sort keys %flood) {
        my ($bytes, $answers) = @{$flood{$kind}};
        my $client = $cluster->client;
        $client->send($bytes, "set/here\r\n");
        my $text = $client->read_until(qr/Thank you.*?dxspider >\r\n\z/s) // 'Unknown command ' x 9;
        is scalar(() = $text =~ /Unknown command/g), $answers, "$kind gets " . ($answers ? 'one line' : 'no answer');
        like $client->ask('sh/dx 1'), qr/\A  27555\.0 26AT101 /, "$kind leaves the dialogue as it is";
        $client->say('bye');
        is $client->status, 0, "$kind changes nothing in the exit status";
    }

    # Bytes without any order, the same ones each time.
    my $next = 42;
    my $random = join '', map { chr((($next = ($next * 1103515245 + 12345) % 2**31) >> 16) & 255) } 1 .. 9_000;
    for my $start (0, 3_000, 6_000) {
        my $client = $cluster->client;
        $client->send(substr $random, $start, 3_000);
        $client->send("\r\n\xff\xf0\r\nbye\r\n");
        my $text = $client->read_until(qr/73 de|goodbye/) // 'nothing';
        unlike $text, qr/[^\x20-\x7e\r\n]|login|password/i, "rubbish from $start on is not repeated";
        is $client->status, 0, "rubbish from $start on ends like any other client";
    }
    my $never = $cluster->connect;
    $never->send(substr $random, 0, 5_000);
    is $never->status, 0, 'rubbish instead of a callsign ends the connection';

    # Who says nothing any more is found by TCP's own keep-alive: the timer of the connection is that one.
    my ($port, $other) = map { sprintf '%04X', $_ } $cluster->{listener}->sockport, $quiet->{socket}->sockport;
    sub timer {
        my @connections = map { [split] } split /\n/, QSOsync::Front::read_file('/proc/net/tcp');
        return map { substr $_->[5], 0, 2 } grep { $_->[1] =~ /:$port\z/ && $_->[2] =~ /:$other\z/ } @connections;
    }
    # (A line of a connection may be missing while others begin and end.)
    ok until_true(sub { grep { $_ eq '02' } timer() }), 'a connection that is half open is found by keep-alive';
    my ($memory) = QSOsync::Front::read_file("/proc/$quiet->{pid}/status") =~ /^VmData:\s+(\d+) kB/m;
    $quiet->send('x' x 5_000, "\r\nset/here\r\n");
    like $quiet->read_until(qr/Thank you/) // '', qr/Unknown command/, 'a client that was quiet is answered';
    is +(QSOsync::Front::read_file("/proc/$quiet->{pid}/status") =~ /^VmData:\s+(\d+) kB/m)[0], $memory,
        'a flood takes no memory';
    is $cluster->log_text, '', 'nothing of all this is in the log';
}

# A question that finds nothing looks at some thousands of spots, however many there are.
{
    my $service = QSOsync::Service->start;
    fill_log($service, 6000);
    $service->sqlite("INSERT INTO spots (qso_id, spotted_at, spotter, dx_callsign, band, frequency, mode)
        SELECT id, 1790000000000 + id, '21SD333', CASE id WHEN 3300 THEN '99ZZ3' WHEN 3900 THEN '99ZZ9'
            ELSE callsign_worked END, 0, 27555000, mode FROM qsos WHERE member_id = 1");
    my $spots = $service->sqlite('SELECT count(*) FROM spots WHERE id > 3300');
    my $client = QSOsync::Cluster->new($service)->client;
    like $client->ask('sh/dx 99ZZ9'), qr/ 99ZZ9 /, 'a callsign among the newest 2,500 spots is found';
    cmp_ok $spots, '>', 2500, 'another one is further back';
    unlike $client->ask('sh/dx 99ZZ3'), qr/ 99ZZ3 /, 'a callsign further back is not looked for';
    is scalar(() = $client->ask('sh/dx 100') =~ /<21SD333>/g), 100, 'a long list is shown';
}

done_testing;
