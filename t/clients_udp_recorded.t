use QSOsync::Test fronts => 'nginx', suite => 'all';
use QSOsync::Datagrams;
use QSOsync::Kit;
use IO::Socket::INET;
use POSIX qw(strftime);

# udp-bridge.py receives recorded datagrams of real programs (t/data/datagrams), and logs each QSO once, with the right
# band and time.
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

# Sends another QSO, which arrives after every datagram sent before.
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

cmp_ok play('wsjtx-2.6.1'), '>', 10, 'a recorded session has many datagrams';
ok all_has_arrived(), 'the QSOs in a WSJT-X session are logged';
is_deeply qsos(), \@expected, 'each QSO is logged once, with band, time and all values';

# JTDX sends each QSO twice, in two formats.
push @expected, { %same, callsignWorked => '30RC011', qsoAt => '2026-11-21T17:17:09.000Z', dxLocator => 'JN45',
    rstSent => '-15', rstReceived => '-15' };
play('jtdx-2.2.159');
ok all_has_arrived(), 'the QSO in a JTDX session is logged';
is_deeply qsos(), \@expected, 'a QSO that JTDX sends twice is logged once, with all values';

# JS8Call also sends each QSO in two formats.
push @expected, { %same, callsignWorked => '19PT042', qsoAt => '2026-11-21T18:17:29.000Z', dxLocator => 'JO21',
    rstSent => '+05',
    notes => "Name: Piet\nMode: JS8\nsaid \"73\" \\ ok" };
play('js8call-2.2.0');
ok all_has_arrived(), 'the QSO in a JS8Call session is logged';
is_deeply qsos(), \@expected, 'a QSO that JS8Call sends twice is logged once, with all values';

# A restarted program can send the same datagrams again.
play($_) for 'wsjtx-2.6.1', 'jtdx-2.2.159', 'js8call-2.2.0';
ok all_has_arrived(), 'the datagrams of repeated sessions are read';
is_deeply qsos(), \@expected, 'repeated sessions create no QSO';

# With its default settings, JTDX announces a QSO and sends no ADIF.
push @expected, { %same, callsignWorked => '30RC010', qsoAt => '2026-11-21T17:16:06.000Z', dxLocator => 'JN45',
    rstSent => '-15', rstReceived => '-15' };
play('jtdx-2.2.159-default');
ok until_true(sub { grep { $_->{callsignWorked} eq '30RC010' } $service->download }),
    'a QSO that is only announced is logged';
is_deeply qsos(), [sort { $a->{qsoAt} cmp $b->{qsoAt} } @expected],
    'an announced QSO has the values of its announcement';
my $log_now = qsos();
my @session = wsjtx_session(call => '1AT5', time_on => '194211');
send_to($port, $session[3]);
ok until_true(sub { @{qsos()} > @$log_now }), 'a second announced QSO is logged';
send_to($port, $session[4]);
ok all_has_arrived(), 'the ADIF text of an announced QSO can arrive later';
send_to($port, $session[3]) for 1 .. 2;
sleep 4;
ok all_has_arrived(), 'an announcement can arrive after its ADIF text';
is scalar(@{qsos()}), @$log_now + 1, 'an announcement and its ADIF text are one QSO in either order';
kill 'TERM', $bridge;
waitpid $bridge, 0;
is $? >> 8, 0, 'the bridge ends on SIGTERM after sessions';
$service->stop;

done_testing;
