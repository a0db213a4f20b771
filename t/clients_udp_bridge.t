use QSOsync::Test fronts => 'nginx', slow => 32, suite => 'all';
use QSOsync::Adif;
use QSOsync::Datagrams;
use QSOsync::Kit;
use QSOsync::Proxy;
use Encode ();
use IO::Socket::INET;
use POSIX qw(strftime);

# udp-bridge.py: what logging programs broadcast arrives, once, with the right band and time.
my $service = QSOsync::Service->start;
my $queue = $service->directory . '/queue';
my $log = $service->directory . '/bridge.log';
my ($bridge, $port);

sub start_bridge {
    my ($url, @options) = @_;
    unlink $log;
    $bridge = QSOsync::Kit::start($log, QSOsync::Kit::environment($service, url => $url), 'python3',
        QSOsync::Kit::client('udp-bridge.py'),
        '--listen', '127.0.0.1:' . ($port || 0), '--queue', $queue, @options);
    until_true(sub {
        ($port) = output() =~ /^listening on 127\.0\.0\.1:(\d+)$/m;
    }) or die 'the bridge did not start: ' . output();
}
sub end_bridge {
    kill $_[0], $bridge;
    waitpid $bridge, 0;
    return $? >> 8;
}
sub output { -e $log ? QSOsync::Front::read_file($log) : '' }
sub calls { join ' ', sort map { $_->{callsignWorked} || '-' } $service->download }
sub by_call { my ($call) = @_; return (grep { ($_->{callsignWorked} || '') eq $call } $service->download)[0] }
sub has_arrived { my ($call) = @_; return until_true(sub { by_call($call) }) }
sub is_empty { until_true(sub { QSOsync::Front::read_file("$queue/queue") eq '' }) }

# The first bytes of a recorded datagram of WSJT-X 2.2.2.
is unpack('H*', substr wsjtx(12, ''), 0, 22), 'adbccbda000000020000000c0000000657534a542d58',
    'the datagrams of this test begin as recorded ones';

start_bridge();
send_to($port, wsjtx_session());
ok has_arrived('26AT101'), 'a QSO of WSJT-X arrives';
is_empty();
is scalar($service->download), 1, 'a QSO that WSJT-X announces twice in its session is one QSO';
my $qso = by_call('26AT101');
is_deeply [
    @{$qso}{qw(band qsoAt frequencyMhz mode rstSent rstReceived dxLocator myLocator operatorCallsign txPowerW notes
        spottedAt)}],
    ['ELEVEN_METERS', '2026-05-17T19:42:11.000Z', '27.267', 'DIGITAL', '-08', '-12', 'IO91', 'JO59jw', '21SD333', 12,
    "Mode: FT8\nFT8  Sent: -08  Rcvd: -12", undef], 'a QSO of WSJT-X says what its ADIF text says';
my $wsjtx_file = adif_file($service, wsjtx_record(call => '26AT101'));
my $counts = import_adif($service, '21SD333', $wsjtx_file)->{counts};
is "@{$counts}{qw(imported updated)}", '0 1',
    'a QSO of WSJT-X is the one that an import of its ADIF file finds, which brings what has no place in a QSO';
is import_adif($service, '21SD333', $wsjtx_file)->{counts}{unchanged}, 1, 'the second import changes nothing';
is_deeply { %{by_call('26AT101')}, syncedAt => undef }, { %$qso, syncedAt => undef }, 'the QSO itself stays as it was';
send_to($port, (wsjtx_session())[4], (wsjtx_session(call => 'JTDX1'))[4] =~ s/WSJT-X/JTDX22/r,
    wsjtx(12, pack('N/a*', wsjtx_record(call => 'JS8')),
    schema => 3, id => 'JS8Call'), wsjtx(12, pack('N/a*', wsjtx_record(call => 'NULL')), id => undef),
    wsjtx_record(call => 'PLAIN') =~ s/EOR/eor/r, wsjtx_record(call => 'TWO1') . wsjtx_record(call => 'TWO2'),
    wsjtx_record(call => 'QRO', band => '20m', freq => '14.074'));
ok has_arrived('TWO2'), 'many datagrams arrive';
is_empty();
is calls(), '26AT101 JS8 JTDX1 NULL PLAIN TWO1 TWO2',
    'every program\'s datagrams arrive, and those of other bands do not';

# What is no datagram of a logging program.
send_to($port, '', 'x', "\xad\xbc\xcb\xda", wsjtx(12, pack('N', 1 << 30)), wsjtx(12, pack('N', 500) . 'abc'),
    wsjtx(12, pack('N', 0xFFFFFFFF)),
    wsjtx(5, "\xff" x 40), '<contactinfo>',
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><contactinfo><call>&b;</call></contactinfo>',
    '<contactinfo><call>26AT1</call></contactinfo>', '<eor>', '<call:-5>x<eor>', '{', '{}', '{"a":' x 10_000,
    '{"type":"LOG.QSO","value":7}', '{"type":"LOG.QSO","value":"\ud800"}', pack('C*', map { int rand 256 } 1 .. 500),
    wsjtx_record(call => 'LAST'));
ok has_arrived('LAST'), 'odd datagrams do not end the bridge';
is calls(), '26AT101 JS8 JTDX1 LAST NULL PLAIN TWO1 TWO2', 'odd datagrams log nothing';

# N1MM and fldigi.
send_to($port, n1mm('contactinfo', call => 'N1', rxfreq => 2755000, comment => 'a &amp; b', name => 'Bob'));
ok has_arrived('N1'), 'a QSO of N1MM arrives';
$qso = by_call('N1');
is_deeply [@{$qso}{qw(qsoAt frequencyMhz splitKhz mode rstSent rstReceived dxLocator notes)}],
    ['2026-05-17T19:42:11.000Z', '27.555', 5, 'USB', '59', '57', 'IO91wm', "Name: Bob\na & b"],
    'a QSO of N1MM says what its XML says';
send_to($port, n1mm('contactdelete', call => 'N1'), n1mm('contactreplace', call => 'N2', oldcall => 'N1'));
ok has_arrived('N2'), 'an edit in N1MM arrives';
is_empty();
is by_call('N2')->{id}, $qso->{id}, 'an edit in N1MM keeps its QSO';
send_to($port, n1mm('contactdelete', call => 'N2'));
ok until_true(sub { !by_call('N2') }), 'a deletion in N1MM deletes the QSO';
send_to($port, n1mm('contactinfo', app => 'fldigi', contestname => undef, ID => undef, call => 'FL', rxfreq => 27555000,
    txfreq => 27555000,
    mode => 'PSK31'), n1mm('contactinfo', ID => 'short-1', call => 'SHORT'), n1mm('RadioInfo'));
ok has_arrived('SHORT'), 'an ID that is no UUID is as good';
send_to($port, n1mm('contactreplace', ID => 'short-1', call => 'LONG', rcv => '55'));
ok has_arrived('LONG'), 'an edit that says only the ID is of its QSO';
ok !by_call('SHORT'), 'an edit by its ID leaves no other QSO';

# Forms in which programs send what they mean.
my $form = sub { my ($call, %fields) = @_; return n1mm('contactinfo', ID => undef, call => $call, %fields) };
my %name = (name => "J\x{fc}rgen");
my $as_utf16 = sub { $form->(@_, %name) =~ s/utf-8/utf-16/r };
my $us = '5/17/2026 7:42:11 PM';
send_to($port, Encode::encode('UTF-8', $as_utf16->('F1')), Encode::encode('UTF-16', $as_utf16->('F2')),
    $form->('F3', name => 'Tom & Jerry'), $form->('F4', %name), $form->('F5') . "\0", $form->('F6', timestamp => $us),
    $form->('F7', band => 27, rxfreq => undef, txfreq => undef),
    '<command:3>Log<parameters:99>' . wsjtx_record(call => 'F8', comment => undef));
ok has_arrived('F8'), "DXKeeper's command logs a QSO";
is_empty();
is_deeply [map { my $qso = by_call("F$_"); join ' ', map { $_ // '-' } @{$qso}{qw(qsoAt frequencyMhz notes)} } 1 .. 8],
    [map { "2026-05-17T19:42:11.000Z $_" } ("27.555 Name: J\x{fc}rgen") x 2,
        '27.555 Name: Tom & Jerry', "27.555 Name: J\x{fc}rgen", ('27.555 -') x 2, '- -', '27.267 Mode: FT8'],
    'a datagram is read in spite of its encoding, an open &, a NUL, the US form of a time, and a missing frequency';

# Contacts without an ID are found by what they were.
my %without = (ID => undef, timestamp => '2026-05-17 21:00:00');
send_to($port, n1mm('contactinfo', %without, call => 'W1', comment => 'kept'));
ok has_arrived('W1'), 'a contact without an ID arrives';
is_empty();
$qso = by_call('W1');
$service->post_batch([{ %$qso, radio => 'Lincoln' }]);
send_to($port, n1mm('contactdelete', %without, call => 'W1', band => undef, rxfreq => undef, txfreq => undef),
    n1mm('contactreplace', %without, call => 'W2', oldcall => 'W1', oldtimestamp => $without{timestamp},
    comment => '', timestamp => '2026-05-17 21:20:00'));
ok has_arrived('W2'), 'an edit without an ID arrives';
is_empty();
is_deeply [@{by_call('W2')}{qw(id qsoAt radio notes)}], [$qso->{id}, '2026-05-17T21:20:00.000Z', 'Lincoln', 'kept'],
    'it is of the QSO that its old call and time tell, and what it does not say stays';
send_to($port, n1mm('contactreplace', %without, call => 'W3', oldcall => 'W0'));
ok has_arrived('W3'), 'an edit of a contact that is not there is a new one';
send_to($port, n1mm('contactdelete', %without, call => 'W3', band => undef, rxfreq => undef, txfreq => undef));
ok until_true(sub { !by_call('W3') }), 'a deletion without an ID deletes the QSO that its call and time tell';
send_to($port, n1mm('contactdelete', %without, call => 'W4'));
is_empty();
ok by_call('W2'), 'a deletion of a contact that is not there deletes none';
is by_call('FL')->{frequencyMhz}, '27.555', 'frequencies of fldigi are in hertz';
is end_bridge('TERM'), 0, 'a bridge that is asked to end does';

# What is not understood, or refused, is kept as it came.
sub kept {
    my %kept = map { m{/(\w+)\.datagram\z} ? ($1 => QSOsync::Front::read_file($_)) : () } glob "$queue/not-logged/*";
    return map { my $name = $_; { name => $name, data => $kept{$name},
        reason => QSOsync::Front::read_file("$queue/not-logged/$name.reason") } } sort keys %kept;
}
start_bridge();
is scalar(grep { $_->{data} eq '{' } kept()), 1, 'a datagram that is not understood is kept unchanged';
is_deeply [grep { $_->{reason} !~ /\A[^\n]+\n\z/ } kept()], [], 'each has a line that gives the reason';
ok !(grep { $_->{data} eq '' || $_->{data} eq '{}' || $_->{data} eq '<eor>' } kept()),
    'what is known to be no QSO is not kept';
my $bad = wsjtx_record(call => 'BAD', qso_date => '20261340');
send_to($port, $bad, $bad, wsjtx_record(call => 'GOOD'));
ok has_arrived('GOOD'), 'a record that is refused keeps no other out';
is_empty();
is_deeply [map { $_->{reason} } grep { $_->{data} eq $bad } kept()], ["QSO_DATE and TIME_ON are not a time\n"],
    'a QSO that is refused is kept once, with the reason';
like output(), qr/not-logged.*: QSO_DATE and TIME_ON are not a time; udp-bridge.py --again tries it again/,
    'the user is told of it';
sub try_again {
    my ($status, $said) = QSOsync::Kit::run($service->directory . '/again.log', QSOsync::Kit::environment($service),
        'python3', QSOsync::Kit::client('udp-bridge.py'), '--queue', $queue, '--again');
    return { status => $status, said => $said };
}
is try_again()->{status}, 1, 'a bridge that runs keeps its folder to itself';
end_bridge('TERM');

# As after an update: the folder has a datagram that this version understands, and one that was found to be no QSO.
my $before = kept();
QSOsync::Front::write_file("$queue/not-logged/0000.$_->[0]", $_->[1]) for [datagram => wsjtx_record(call => 'LATER')],
    [reason => "not understood\n"];
QSOsync::Front::write_file("$queue/not-logged/0001.$_->[0]", $_->[1]) for [datagram => '{}'], [reason => "odd\n"];
my $again = try_again();
is_deeply [$again->{status}, $again->{said} =~ /^[1-9]\d* datagrams tried again, (\d+) still kept in /m], [1, $before],
    '--again says what is left, and ends';
ok by_call('LATER'), 'what is understood by now is logged';
is scalar(kept()), $before, 'the others are still there, and no more';

# Without the service, and through trouble.
end_bridge('TERM');
my %fate = (1 => 'limited', 2 => 'cut', 3 => 'cut', 4 => 'limited', 5 => 'broken');
my $proxy = QSOsync::FaultyProxy->start($service, sub { $fate{$_[0]} || 'pass' });
start_bridge($proxy->url);
send_to($port, map { wsjtx_record(call => "BAD$_", time_on => "20010$_") } 1 .. 9);
ok has_arrived('BAD9'), 'limits, errors and broken connections are survived';
is_empty();
is scalar(grep { $_->{callsignWorked} =~ /^BAD\d$/ } $service->download), 9,
    'nothing is lost or doubled by broken connections';
my @journal = $proxy->journal;
for my $place (grep { $journal[$_]{fate} eq 'limited' } 0 .. $#journal) {
    cmp_ok $journal[$place + 1]{time} - $journal[$place]{time}, '>=', 1, 'Retry-After is obeyed by the bridge';
}
is scalar(grep { $_->{method} eq 'POST' && $_->{fate} eq 'pass' } @journal), 1,
    'QSOs that come together are sent in one batch';
end_bridge('TERM');
start_bridge('http://127.0.0.1:9/api/v1');
send_to($port, wsjtx_record(call => 'OFFLINE'), n1mm('contactinfo', ID => 'e1', call => 'E1'),
    n1mm('contactdelete', ID => 'e1'));
ok until_true(sub {
    QSOsync::Front::read_file("$queue/queue") =~ tr/\n// >= 3;
}), 'what arrives while the service is away is in the queue';
end_bridge('KILL');
start_bridge();
ok has_arrived('OFFLINE'), 'the queue survives a kill';
is_empty();
ok by_call('E1'), 'a deletion whose other half may have been missed is not done';
like output(), qr/is uncertain/, 'the user is told of a deletion that is not done';

# More than can be read.
send_to($port, map { wsjtx_record(call => "BURST$_") } 1 .. 1000);
send_to($port, wsjtx_record(call => 'AFTER1'));
sub lost { my $lost = 0; $lost += $_ for output() =~ /^udp-bridge.py: (\d+) datagrams were lost/mg; return $lost }
ok until_true(sub {
    lost() + grep({ ($_->{callsignWorked} || '') =~ /^(?:BURST|AFTER1)/ } $service->download) == 1001;
}),
    'of a burst every QSO is stored, or said to be lost' or diag output();
cmp_ok lost(), '<', 500, 'of a burst most is read';
kill 'STOP', $bridge;
send_to($port, ('x' x 60_000) x 400);
kill 'CONT', $bridge;
ok until_true(sub { lost() > 0 }), 'what is lost while nobody reads is told';
send_to($port, wsjtx_record(call => 'AFTER2'));
ok has_arrived('AFTER2'), 'a bridge that lost datagrams reads the next ones';

# An address that another program uses.
end_bridge('TERM');
my $other = IO::Socket::INET->new(LocalAddr => '127.0.0.1:0', Proto => 'udp') or die $!;
start_bridge(undef, '--listen', '127.0.0.1:' . $other->sockport);
like output(), qr/^udp-bridge\.py: cannot listen on 127\.0\.0\.1:@{[$other->sockport]}: .*in use/m,
    'an address that is in use is named';
send_to($port, wsjtx_record(call => 'SERVED'));
ok has_arrived('SERVED'), 'the other addresses are served';
end_bridge('TERM');
my ($status, $said) = QSOsync::Kit::run($service->directory . '/busy.log', QSOsync::Kit::environment($service),
    'python3', QSOsync::Kit::client('udp-bridge.py'), '--queue', $queue, '--listen', '127.0.0.1:' . $other->sockport);
is $status, 1, 'a bridge whose only address is in use ends';

# Spots.
start_bridge(undef, '--spot');
my @now = gmtime;
send_to($port, wsjtx_record(call => 'LIVE1', qso_date => strftime('%Y%m%d', @now), time_on => strftime('%H%M%S', @now)),
    wsjtx_record(call => 'OLD1'));
ok has_arrived('OLD1'), 'old QSOs arrive';
ok by_call('LIVE1')->{spottedAt}, 'a live QSO becomes a spot';
is by_call('OLD1')->{spottedAt}, undef, 'an old QSO becomes none';
end_bridge('TERM');
$service->stop;

# What real programs sent while QSOs were logged (t/data/datagrams) goes through udp-bridge.py: each QSO arrives once,
# with the right band and time.
{
    my $service = QSOsync::Service->start;
    my ($queue, $log) = map { $service->directory . "/$_" } qw(queue bridge.log);
    my $bridge = QSOsync::Kit::start($log, QSOsync::Kit::environment($service), 'python3',
        QSOsync::Kit::client('udp-bridge.py'),
        '--listen', '127.0.0.1:0', '--queue', $queue);
    sub bridge_output { -e $log ? QSOsync::Front::read_file($log) : '' }
    my $port;
    until_true(sub {
        ($port) = bridge_output() =~ /^listening on 127\.0\.0\.1:(\d+)$/m;
    }) or die 'the bridge did not start: ' . bridge_output();

    sub play {
        my ($name) = @_;
        my @lines = grep { /\A[0-9a-f]+\Z/ } split /\n/,
            QSOsync::Front::read_file("$QSOsync::Front::SOURCE/t/data/datagrams/$name.txt");
        send_to($port, map { pack 'H*', $_ } @lines);
        return scalar @lines;
    }

    # Another QSO arrives after all that was sent before it.
    my $ends = 0;
    sub all_has_arrived {
        my $call = 'END' . ++$ends;
        send_to($port, wsjtx_record(call => $call));
        return until_true(sub { grep { $_->{callsignWorked} eq $call } $service->download });
    }
    sub qsos {
        return [map { my $qso = $_; +{ map { $_ => $qso->{$_} } qw(callsignWorked band qsoAt frequencyMhz mode notes
            dxLocator myLocator operatorCallsign rstSent rstReceived spottedAt) } } sort { $a->{qsoAt} cmp $b->{qsoAt} }
            grep { $_->{callsignWorked} !~ /^END/ } $service->download];
    }
    my %same = (band => 'ELEVEN_METERS', frequencyMhz => '27.247', mode => 'DIGITAL', myLocator => 'JO59jw',
        operatorCallsign => '21SD333', spottedAt => undef,
        rstSent => undef, rstReceived => undef, notes => 'Mode: FT8');
    my @expected = ({ %same, callsignWorked => '26AT101', qsoAt => '2026-11-21T17:15:19.000Z', dxLocator => 'JN58' },
        { %same, callsignWorked => '161SD001', qsoAt => '2026-11-21T17:15:39.000Z', dxLocator => 'JO22',
            rstSent => '-07',
        rstReceived => '-12',
            notes => "Name: Asa\nMode: FT8\nSporadic E" });

    cmp_ok play('wsjtx-2.6.1'), '>', 10, 'a session has many datagrams';
    ok all_has_arrived(), 'the QSOs of a WSJT-X session arrive';
    is_deeply qsos(), \@expected, 'each arrives once, with band, time and all that it says';

    # JTDX sends each QSO twice, in two forms.
    push @expected, { %same, callsignWorked => '30RC011', qsoAt => '2026-11-21T17:17:09.000Z', dxLocator => 'JN45',
        rstSent => '-15', rstReceived => '-15' };
    play('jtdx-2.2.159');
    ok all_has_arrived(), 'the QSO of a JTDX session arrives';
    is_deeply qsos(), \@expected, 'a QSO that JTDX sends twice arrives once, with band, time and all that it says';

    # JS8Call, in two forms as well.
    push @expected, { %same, callsignWorked => '19PT042', qsoAt => '2026-11-21T18:17:29.000Z', dxLocator => 'JO21',
        rstSent => '+05',
        notes => "Name: Piet\nMode: JS8\nsaid \"73\" \\ ok" };
    play('js8call-2.2.0');
    ok all_has_arrived(), 'the QSO of a JS8Call session arrives';
    is_deeply qsos(), \@expected, 'a QSO that JS8Call sends twice arrives once, with band, time and all that it says';

    # The same sessions again, as after a restart of the programs.
    play($_) for 'wsjtx-2.6.1', 'jtdx-2.2.159', 'js8call-2.2.0';
    ok all_has_arrived(), 'the sessions may come again';
    is_deeply qsos(), \@expected, 'sessions that are repeated add nothing';

    # With its first settings JTDX announces a QSO and sends no ADIF.
    push @expected, { %same, callsignWorked => '30RC010', qsoAt => '2026-11-21T17:16:06.000Z', dxLocator => 'JN45',
        rstSent => '-15', rstReceived => '-15' };
    play('jtdx-2.2.159-default');
    ok until_true(sub { grep { $_->{callsignWorked} eq '30RC010' } $service->download }),
        'a QSO that is only announced arrives';
    is_deeply qsos(), [sort { $a->{qsoAt} cmp $b->{qsoAt} } @expected],
        'it says what its announcement says';
    my $log_now = qsos();
    my @session = wsjtx_session(call => '1AT5', time_on => '194211');
    send_to($port, $session[3]);
    ok until_true(sub { @{qsos()} > @$log_now }), 'another one arrives';
    send_to($port, $session[4]);
    ok all_has_arrived(), 'the text of a QSO may follow late';
    send_to($port, $session[3]) for 1 .. 2;
    sleep 4;
    ok all_has_arrived(), 'it may be announced again';
    is scalar(@{qsos()}), @$log_now + 1, 'an announcement and its text are one contact, whenever they come';
    kill 'TERM', $bridge;
    waitpid $bridge, 0;
    is $? >> 8, 0, 'the bridge ends when it is asked to';
    $service->stop;
}

done_testing;
