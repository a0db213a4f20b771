use QSOsync::Test fronts => 'none';
use Encode ();
use File::Temp qw(tempdir);
use QSOsync::Datagrams;
use QSOsync::Kit;

# udp-bridge.py decides about every datagram, however damaged. The program finds the action and the fields of the
# records, or a reason for keeping a datagram that can be a QSO.
my $folder = QSOsync::Kit::client('udp-bridge.py') =~ s{/[^/]+\z}{}r;
my $work = tempdir(CLEANUP => 1);
symlink "$folder/udp-bridge.py", "$work/bridge.py" or die $!;
my (@rules, @expected);
open my $datagrams, '>', "$work/datagrams" or die $!;
sub understood {
    my ($rule, $datagram, $expected) = @_;
    print $datagrams unpack('H*', $datagram), "\n";
    push @rules, $rule;
    push @expected, $expected;
}

my %at = (QSO_DATE => '20260517', TIME_ON => '194211');
sub fields {
    my (%fields) = @_;
    return join ' ', map { "$_=$fields{$_}" } sort grep { length $fields{$_} } keys %fields;
}
my %n1mm = (%at, CALL => '26AT101', STATION_CALLSIGN => '21SD333', OPERATOR => '21SD333', FREQ => '27.555',
    MODE => 'USB', RST_SENT => '59', RST_RCVD => '57', GRIDSQUARE => 'IO91wm');
sub n1mm_is { my (%other) = @_; return 'log N1MM a1b2c3d4e5f60718293a4b5c6d7e8f90: ' . fields(%n1mm, %other) }

# Some programs send contacts as XML.
understood('a contact from N1MM', n1mm('contactinfo'), n1mm_is());
my $utf16 = n1mm('contactinfo', name => "J\x{fc}rgen") =~ s/utf-8/utf-16/r;
understood('UTF-8 that calls itself UTF-16', Encode::encode('UTF-8', $utf16), n1mm_is(NAME => "J\x{fc}rgen"));
understood('UTF-16', Encode::encode('UTF-16', $utf16), n1mm_is(NAME => "J\x{fc}rgen"));
understood('UTF-16 without a mark', Encode::encode('UTF-16LE', $utf16), n1mm_is(NAME => "J\x{fc}rgen"));
understood('Windows-1252', n1mm('contactinfo', name => "J\xfcrgen"), n1mm_is(NAME => "J\x{fc}rgen"));
understood('a lone &', n1mm('contactinfo', comment => 'Tom & Jerry &amp; &lt;3 &x; < 5'),
    n1mm_is(COMMENT => 'Tom & Jerry & <3 &x; < 5'));
understood('NULs at the end', n1mm('contactinfo') . "\0\0", n1mm_is());
understood('XML without a line', n1mm('contactinfo') =~ s/\A.*\n//r, n1mm_is());
understood('empty elements', n1mm('contactinfo') =~ s{</contactinfo>}{<misctext /><x attr="1"></x></contactinfo>}r,
    n1mm_is());
my %times = ('2026-05-17T19:42:11' => 'a T', ' 2026-05-17  19:42:11 ' => 'spaces',
    '2026-05-17 19: 42 :11' => 'inner spaces', '5/17/2026 7:42:11 PM' => 'the US format',
    '05/17/2026 19:42:11' => 'the US format with 24 hours',
    '17/05/2026 19:42:11' => 'the day first', '2026-05-17 19:42:11Z' => 'a zone', '2026/5/17 19:42:11.5' => 'slashes');
understood("a time with $times{$_}", n1mm('contactinfo', timestamp => $_), n1mm_is()) for sort keys %times;
understood('midnight in the US format', n1mm('contactinfo', timestamp => '5/17/2026 12:03 AM'),
    n1mm_is(TIME_ON => '000300'));
understood('no time', n1mm('contactinfo', timestamp => 'now'), n1mm_is(TIME_ON => '', QSO_DATE => ''));
my @bands = ([27, '11m'], ['26', '11m'], ['11', '11m'], ['11m', '11m'], [14, '20m'], ['3.5', '80m'], [28, '10m'],
    ['x', '']);
understood("band $_->[0] without a frequency", n1mm('contactinfo', band => $_->[0], rxfreq => 0, txfreq => 0),
    n1mm_is(FREQ => '', BAND => $_->[1])) for @bands;
understood('a frequency in hertz', n1mm('contactinfo', rxfreq => 27555000, txfreq => 27555000), n1mm_is());
understood('fldigi in hertz', n1mm('contactinfo', app => 'fldigi', contestname => undef, ID => undef,
    rxfreq => 27555000, txfreq => 27555000), 'log fldigi -: ' . fields(%n1mm));
understood('fldigi in tens of hertz', n1mm('contactinfo', app => 'fldigi', contestname => undef, ID => undef),
    'log fldigi -: ' . fields(%n1mm));
understood('two frequencies', n1mm('contactinfo', rxfreq => 2755000), n1mm_is(FREQ_RX => '27.55'));
understood('an edit', n1mm('contactreplace', oldcall => '26AT100', oldtimestamp => '2026-05-17 19:41:00'),
    n1mm_is() =~ s/log/edit/r . ' before 26AT100 20260517 1941 moved');
understood('an edit that moves nothing', n1mm('contactreplace', oldcall => '26AT101'), n1mm_is() =~ s/log/edit/r
    . ' before 26AT101 20260517 1942');
understood('a deletion', n1mm('contactdelete', ID => undef), 'delete N1MM -: ' . fields(%n1mm)
    . ' before 26AT101 20260517 1942');
understood("$_ of N1MM", n1mm($_), 'none') for 'RadioInfo', 'spot', 'dynamicresults';
understood('a truncated contact', substr(n1mm('contactinfo'), 0, 300), 'kept: a contact is cut off');
understood('elements that are never closed', '<contactinfo>' . '<a>' x 20000 . '</contactinfo>', 'log N1MM -: ');

# WSJT-X and its relatives send binary datagrams.
my @session = wsjtx_session(call => '26AT102', gridsquare => 'IO91');
my %logged = (QSO_DATE => '20260517', TIME_ON => '194211', CALL => '26AT102', GRIDSQUARE => 'IO91', FREQ => '27.2665',
    MODE => 'FT8', RST_SENT => '-08', RST_RCVD => '-12', TX_PWR => '12', STATION_CALLSIGN => '21SD333',
    MY_GRIDSQUARE => 'JO59jw');
understood("message $_ of WSJT-X", $session[$_], 'none') for 0 .. 2;
understood('QSO Logged', $session[3], 'announce WSJT-X -: ' . fields(%logged));
understood('QSO Logged without what newer versions send', substr($session[3], 0, -37), 'announce WSJT-X -: '
    . fields(%logged, STATION_CALLSIGN => '', MY_GRIDSQUARE => ''));
understood('QSO Logged that is cut off', substr($session[3], 0, 60), 'kept: the datagram is cut off');
understood('QSO Logged without a time', wsjtx(5, "\xff" x 40), 'kept: the record has no time');
my ($record) = wsjtx_record(call => '26AT103', comment => undef);
my %record = (QSO_DATE => '20260517', TIME_ON => '194211', QSO_DATE_OFF => '20260517', TIME_OFF => '194315',
    BAND => '11m', FREQ => '27.266500', CALL => '26AT103', GRIDSQUARE => 'IO91', MODE => 'FT8', RST_SENT => '-08',
    RST_RCVD => '-12', STATION_CALLSIGN => '21SD333', MY_GRIDSQUARE => 'JO59jw', TX_PWR => '12');
understood('Logged ADIF', wsjtx(12, pack('N/a*', $record)), 'log WSJT-X -: ' . fields(%record));
understood('Logged ADIF without a text', wsjtx(12, pack('N', 0xFFFFFFFF)), 'none');
understood('Logged ADIF that is cut off', wsjtx(12, pack('N', 500) . 'abc'), 'kept: the datagram is cut off');
understood('only the magic number', "\xad\xbc\xcb\xda", 'kept: the datagram is cut off');

# Some programs send text.
understood('ADIF', $record, 'log - -: ' . fields(%record));
understood('ADIF without an end', $record =~ s/<EOR>.*//sr, 'log - -: ' . fields(%record));
understood('ADIF in UTF-16', Encode::encode('UTF-16LE', $record), 'log - -: ' . fields(%record));
understood("DXKeeper's command", '<command:3>Log<parameters:' . length($record) . ">$record", 'log - -: '
    . fields(%record));
understood("DXKeeper's command in another spelling", "<Command:3>log <Parameters:1>$record", 'log - -: '
    . fields(%record));
understood('another command of DXKeeper', '<command:10>DeleteQSO<parameters:3>abc', 'none');
understood('JS8Call', '{"type":"LOG.QSO","value":"<CALL:7>26AT104<BAND:3>11m"}',
    'log JS8Call -: BAND=11m CALL=26AT104');
understood('another message of JS8Call', '{"type":"STATION.STATUS","value":""}', 'none');
understood('JSON that is cut off', '{"type":"LOG.QSO","val', 'kept: Unterminated string starting at: line 1 column 19 '
    . '(char 18)');
understood('JSON without a text', '{"type":"LOG.QSO","value":7}', 'kept: LOG.QSO has no text');
understood('nothing', '', 'none');
understood('NULs', "\0\0", 'none');
understood('only the end of a record', '<eor>', 'none');
understood('any text', 'hello', 'kept: no known program sends this');
understood('any bytes', "\x01\x02\xff\xfe", 'kept: no known program sends this');
understood('a record with a wrong length', '<call:-5>x<eor>', 'log - -: wrong CALL has a negative length');

close $datagrams or die $!;
QSOsync::Front::write_file("$work/run.py", <<"END");
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, "$work")
from bridge import NotUnderstood, understand
for line in open("$work/datagrams"):
    try:
        message = understand(bytes.fromhex(line))
    except NotUnderstood as reason:
        print(f"kept: {reason}")
        continue
    if not message:
        print("none")
        continue
    said = [" ".join(f"{name}={value}" for name, value in sorted(fields.items()) if value) if fields is not None
            else f"wrong {trouble}" for _, fields, trouble in message.records]
    before = ""
    if message.action == "delete":
        before = f" before {' '.join(message.key())}"
    if message.action == "edit":
        message.program_id = None
        before = f" before {' '.join(message.key())}" + " moved" * message.is_moved()
        message.program_id = "a1b2c3d4e5f60718293a4b5c6d7e8f90"
    print(f"{message.action} {message.program or '-'} {message.program_id or '-'}: {'; '.join(said)}{before}")
END
my @said = split /\n/, Encode::decode('UTF-8', `python3 '$work/run.py'`);
is $?, 0, 'the program survives every datagram';
is scalar @said, scalar @rules, 'the program gives a verdict for each datagram';
is shift @said, shift @expected, "the program gives the expected verdict: $_" for @rules;

done_testing;
