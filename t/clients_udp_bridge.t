use QSOsync::Test fronts => 'nginx', slow => 10, suite => 'all';
use QSOsync::Adif;
use QSOsync::Datagrams;
use QSOsync::Kit;
use QSOsync::Proxy;
use Encode ();
use IO::Socket::INET;
use POSIX qw(strftime);

# udp-bridge.py logs each broadcast QSO exactly once, with the right band and time.
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

# A recorded datagram from WSJT-X 2.2.2 begins with these bytes.
is unpack('H*', substr wsjtx(12, ''), 0, 22), 'adbccbda000000020000000c0000000657534a542d58',
    "the test's datagrams begin like recorded datagrams";

start_bridge();
send_to($port, wsjtx_session());
ok has_arrived('26AT101'), 'a QSO from WSJT-X is logged';
is_empty();
is scalar($service->download), 1, 'a QSO that WSJT-X announces twice is logged once';
my $qso = by_call('26AT101');
is_deeply [
    @{$qso}{qw(band qsoAt frequencyMhz mode rstSent rstReceived dxLocator myLocator operatorCallsign txPowerW notes
        spottedAt)}],
    ['ELEVEN_METERS', '2026-05-17T19:42:11.000Z', '27.267', 'DIGITAL', '-08', '-12', 'IO91', 'JO59jw', '21SD333', 12,
    "Mode: FT8\nFT8  Sent: -08  Rcvd: -12", undef], 'a QSO from WSJT-X has the values of its ADIF text';
my $wsjtx_file = adif_file($service, wsjtx_record(call => '26AT101'));
my $counts = import_adif($service, '21SD333', $wsjtx_file)->{counts};
is "@{$counts}{qw(imported updated)}", '0 1',
    'importing the ADIF file from WSJT-X matches the QSO';
is import_adif($service, '21SD333', $wsjtx_file)->{counts}{unchanged}, 1,
    'importing the ADIF file again changes nothing';
is_deeply { %{by_call('26AT101')}, syncedAt => undef }, { %$qso, syncedAt => undef },
    'an import leaves the QSO from WSJT-X unchanged';
send_to($port, (wsjtx_session())[4], (wsjtx_session(call => 'JTDX1'))[4] =~ s/WSJT-X/JTDX22/r,
    wsjtx(12, pack('N/a*', wsjtx_record(call => 'JS8')),
    schema => 3, id => 'JS8Call'), wsjtx(12, pack('N/a*', wsjtx_record(call => 'NULL')), id => undef),
    wsjtx_record(call => 'PLAIN') =~ s/EOR/eor/r, wsjtx_record(call => 'TWO1') . wsjtx_record(call => 'TWO2'),
    wsjtx_record(call => 'QRO', band => '20m', freq => '14.074'));
ok has_arrived('TWO2'), 'QSOs in several formats are logged';
is_empty();
is calls(), '26AT101 JS8 JTDX1 NULL PLAIN TWO1 TWO2',
    "every program's QSOs are logged, except QSOs on other bands";

# Datagrams can be damaged, or come from programs other than loggers.
send_to($port, '', 'x', "\xad\xbc\xcb\xda", wsjtx(12, pack('N', 1 << 30)), wsjtx(12, pack('N', 500) . 'abc'),
    wsjtx(12, pack('N', 0xFFFFFFFF)),
    wsjtx(5, "\xff" x 40), '<contactinfo>',
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><contactinfo><call>&b;</call></contactinfo>',
    '<contactinfo><call>26AT1</call></contactinfo>', '<eor>', '<call:-5>x<eor>', '{', '{}', '{"a":' x 10_000,
    '{"type":"LOG.QSO","value":7}', '{"type":"LOG.QSO","value":"\ud800"}', pack('C*', map { int rand 256 } 1 .. 500),
    wsjtx_record(call => 'LAST'));
ok has_arrived('LAST'), 'the bridge survives odd datagrams';
is calls(), '26AT101 JS8 JTDX1 LAST NULL PLAIN TWO1 TWO2', 'odd datagrams create no QSO';

# N1MM and fldigi send their QSOs in these formats.
send_to($port, n1mm('contactinfo', call => 'N1', rxfreq => 2755000, comment => 'a &amp; b', name => 'Bob'));
ok has_arrived('N1'), 'a QSO from N1MM is logged';
$qso = by_call('N1');
is_deeply [@{$qso}{qw(qsoAt frequencyMhz splitKhz mode rstSent rstReceived dxLocator notes)}],
    ['2026-05-17T19:42:11.000Z', '27.555', 5, 'USB', '59', '57', 'IO91wm', "Name: Bob\na & b"],
    'a QSO from N1MM has the values of its XML';
send_to($port, n1mm('contactdelete', call => 'N1'), n1mm('contactreplace', call => 'N2', oldcall => 'N1'));
ok has_arrived('N2'), 'an edit in N1MM is stored';
is_empty();
is by_call('N2')->{id}, $qso->{id}, 'an edit in N1MM changes its QSO';
send_to($port, n1mm('contactdelete', call => 'N2'));
ok until_true(sub { !by_call('N2') }), 'a deletion in N1MM deletes the QSO';
send_to($port, n1mm('contactinfo', app => 'fldigi', contestname => undef, ID => undef, call => 'FL', rxfreq => 27555000,
    txfreq => 27555000,
    mode => 'PSK31'), n1mm('contactinfo', ID => 'short-1', call => 'SHORT'), n1mm('RadioInfo'));
ok has_arrived('SHORT'), 'an ID need not be a UUID';
send_to($port, n1mm('contactreplace', ID => 'short-1', call => 'LONG', rcv => '55'));
ok has_arrived('LONG'), 'an edit that identifies its QSO only by ID changes that QSO';
ok !by_call('SHORT'), 'an edit that identifies its QSO only by ID adds no QSO';

# Other programs send their QSOs in these formats.
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
    'datagrams with an odd encoding, &, NUL, a US time or no frequency are read';

# Contacts without an ID are identified by their earlier values.
my %without = (ID => undef, timestamp => '2026-05-17 21:00:00');
send_to($port, n1mm('contactinfo', %without, call => 'W1', comment => 'kept'));
ok has_arrived('W1'), 'a contact without an ID is logged';
is_empty();
$qso = by_call('W1');
$service->post_batch([{ %$qso, radio => 'Lincoln' }]);
send_to($port, n1mm('contactdelete', %without, call => 'W1', band => undef, rxfreq => undef, txfreq => undef),
    n1mm('contactreplace', %without, call => 'W2', oldcall => 'W1', oldtimestamp => $without{timestamp},
    comment => '', timestamp => '2026-05-17 21:20:00'));
ok has_arrived('W2'), 'an edit without an ID is stored';
is_empty();
is_deeply [@{by_call('W2')}{qw(id qsoAt radio notes)}], [$qso->{id}, '2026-05-17T21:20:00.000Z', 'Lincoln', 'kept'],
    'an edit without an ID changes the QSO with the old call and time';
send_to($port, n1mm('contactreplace', %without, call => 'W3', oldcall => 'W0'));
ok has_arrived('W3'), 'an edit of a missing contact creates a QSO';
send_to($port, n1mm('contactdelete', %without, call => 'W3', band => undef, rxfreq => undef, txfreq => undef));
ok until_true(sub { !by_call('W3') }), 'a deletion without an ID deletes the QSO with the same call and time';
send_to($port, n1mm('contactdelete', %without, call => 'W4'));
is_empty();
ok by_call('W2'), 'a deletion of a missing contact deletes nothing';
is by_call('FL')->{frequencyMhz}, '27.555', 'frequencies from fldigi are read as hertz';
is end_bridge('TERM'), 0, 'the bridge ends on SIGTERM';

# Unknown or rejected datagrams are kept as they were received.
sub kept {
    my %kept = map { m{/(\w+)\.datagram\z} ? ($1 => QSOsync::Front::read_file($_)) : () } glob "$queue/not-logged/*";
    return map { my $name = $_; { name => $name, data => $kept{$name},
        reason => QSOsync::Front::read_file("$queue/not-logged/$name.reason") } } sort keys %kept;
}
start_bridge();
is scalar(grep { $_->{data} eq '{' } kept()), 1, 'an unknown datagram is stored unchanged';
is_deeply [grep { $_->{reason} !~ /\A[^\n]+\n\z/ } kept()], [], 'each kept datagram has a line with the reason';
ok !(grep { $_->{data} eq '' || $_->{data} eq '{}' || $_->{data} eq '<eor>' } kept()),
    'a datagram that is certainly not a QSO is not kept';
my $bad = wsjtx_record(call => 'BAD', qso_date => '20261340');
send_to($port, $bad, $bad, wsjtx_record(call => 'GOOD'));
ok has_arrived('GOOD'), 'a rejected record does not block other records';
is_empty();
is_deeply [map { $_->{reason} } grep { $_->{data} eq $bad } kept()], ["QSO_DATE and TIME_ON are not a time\n"],
    'a rejected QSO is kept once, with the reason';
like output(), qr/not-logged.*: QSO_DATE and TIME_ON are not a time; udp-bridge.py --again retries it/,
    'the bridge reports a rejected QSO';
sub try_again {
    my ($status, $said) = QSOsync::Kit::run($service->directory . '/again.log', QSOsync::Kit::environment($service),
        'python3', QSOsync::Kit::client('udp-bridge.py'), '--queue', $queue, '--again');
    return { status => $status, said => $said };
}
is try_again()->{status}, 1, 'a second bridge cannot use the folder';
end_bridge('TERM');

# The folder can contain a datagram that only an updated bridge understands, and a datagram that is not a QSO.
my $before = kept();
QSOsync::Front::write_file("$queue/not-logged/0000.$_->[0]", $_->[1]) for [datagram => wsjtx_record(call => 'LATER')],
    [reason => "not understood\n"];
QSOsync::Front::write_file("$queue/not-logged/0001.$_->[0]", $_->[1]) for [datagram => '{}'], [reason => "odd\n"];
my $again = try_again();
is_deeply [$again->{status}, $again->{said} =~ /^[1-9]\d* datagrams retried, (\d+) still kept in /m], [1, $before],
    '--again reports the remaining datagrams and ends';
ok by_call('LATER'), '--again logs datagrams that are now readable';
is scalar(kept()), $before, '--again keeps only the remaining datagrams';

# QSOs wait while the service fails or does not answer.
end_bridge('TERM');
my %fate = (1 => 'limited', 2 => 'cut', 3 => 'cut', 4 => 'limited', 5 => 'broken');
my $proxy = QSOsync::FaultyProxy->start($service, sub { $fate{$_[0]} || 'pass' });
start_bridge($proxy->url);
send_to($port, map { wsjtx_record(call => "BAD$_", time_on => "20010$_") } 1 .. 9);
ok has_arrived('BAD9'), 'the bridge survives limits, errors and broken connections';
is_empty();
is scalar(grep { $_->{callsignWorked} =~ /^BAD\d$/ } $service->download), 9,
    'broken connections neither lose nor duplicate a QSO';
my @journal = $proxy->journal;
for my $place (grep { $journal[$_]{fate} eq 'limited' } 0 .. $#journal) {
    cmp_ok $journal[$place + 1]{time} - $journal[$place]{time}, '>=', 1, 'the bridge obeys Retry-After';
}
is scalar(grep { $_->{method} eq 'POST' && $_->{fate} eq 'pass' } @journal), 1,
    'concurrent QSOs are sent in one batch';
end_bridge('TERM');
start_bridge('http://127.0.0.1:9/api/v1');
send_to($port, wsjtx_record(call => 'OFFLINE'), n1mm('contactinfo', ID => 'e1', call => 'E1'),
    n1mm('contactdelete', ID => 'e1'));
ok until_true(sub {
    QSOsync::Front::read_file("$queue/queue") =~ tr/\n// >= 3;
}), 'the queue stores QSOs while the service cannot be reached';
end_bridge('KILL');
start_bridge();
ok has_arrived('OFFLINE'), 'the queue survives a kill';
is_empty();
ok by_call('E1'), 'a deletion whose replacement could be lost is not sent';
like output(), qr/is uncertain/, 'the bridge reports that a deletion is uncertain';

# The bridge reports datagrams that it could not read in time.
send_to($port, map { wsjtx_record(call => "BURST$_") } 1 .. 1000);
send_to($port, wsjtx_record(call => 'AFTER1'));
sub lost { my $lost = 0; $lost += $_ for output() =~ /^udp-bridge.py: (\d+) datagrams were lost/mg; return $lost }
ok until_true(sub {
    lost() + grep({ ($_->{callsignWorked} || '') =~ /^(?:BURST|AFTER1)/ } $service->download) == 1001;
}),
    'every QSO in a burst is stored or reported as lost' or diag output();
cmp_ok lost(), '<', 500, 'most QSOs in a burst are read';
kill 'STOP', $bridge;
send_to($port, ('x' x 60_000) x 400);
kill 'CONT', $bridge;
ok until_true(sub { lost() > 0 }), 'datagrams lost while the bridge was stopped are reported';
send_to($port, wsjtx_record(call => 'AFTER2'));
ok has_arrived('AFTER2'), 'the bridge continues to read after lost datagrams';

# The bridge reports an address that another program uses.
end_bridge('TERM');
my $other = IO::Socket::INET->new(LocalAddr => '127.0.0.1:0', Proto => 'udp') or die $!;
start_bridge(undef, '--listen', '127.0.0.1:' . $other->sockport);
like output(), qr/^udp-bridge\.py: cannot listen on 127\.0\.0\.1:@{[$other->sockport]}: .*in use/m,
    'the bridge reports an address that is in use';
send_to($port, wsjtx_record(call => 'SERVED'));
ok has_arrived('SERVED'), 'the bridge listens on the other addresses';
end_bridge('TERM');
my ($status, $said) = QSOsync::Kit::run($service->directory . '/busy.log', QSOsync::Kit::environment($service),
    'python3', QSOsync::Kit::client('udp-bridge.py'), '--queue', $queue, '--listen', '127.0.0.1:' . $other->sockport);
is $status, 1, 'the bridge ends if its only address is in use';

# With --spot, live QSOs are published as spots.
start_bridge(undef, '--spot');
my @now = gmtime;
send_to($port, wsjtx_record(call => 'LIVE1', qso_date => strftime('%Y%m%d', @now), time_on => strftime('%H%M%S', @now)),
    wsjtx_record(call => 'OLD1'));
ok has_arrived('OLD1'), 'old QSOs are logged';
ok by_call('LIVE1')->{spottedAt}, 'a live QSO is published as a spot';
is by_call('OLD1')->{spottedAt}, undef, 'an old QSO is not published as a spot';
end_bridge('TERM');
$service->stop;

done_testing;
