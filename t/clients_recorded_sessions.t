use QSOsync::Test fronts => 'nginx';
use QSOsync::Datagrams;
use QSOsync::Kit;

# What real programs sent while QSOs were logged (t/data/datagrams) goes through udp-bridge.py: each QSO arrives once,
# with the right band and time.
my $service = QSOsync::Service->start;
my ($queue, $log) = map { $service->directory . "/$_" } qw(queue bridge.log);
my $bridge = QSOsync::Kit::start($log, QSOsync::Kit::environment($service), 'python3',
    QSOsync::Kit::client('udp-bridge.py'),
    '--listen', '127.0.0.1:0', '--queue', $queue);
sub output { -e $log ? QSOsync::Front::read_file($log) : '' }
my $port;
until_true(sub {
    ($port) = output() =~ /^listening on 127\.0\.0\.1:(\d+)$/m;
}) or die 'the bridge did not start: ' . output();

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
    { %same, callsignWorked => '161SD001', qsoAt => '2026-11-21T17:15:39.000Z', dxLocator => 'JO22', rstSent => '-07',
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

play('jtdx-2.2.159-default');
ok until_true(sub {
    output() =~ /announced a QSO and sent no ADIF/;
}), 'the user is told of a QSO that was only announced';
is_deeply qsos(), \@expected, 'what was only announced is not in the log';
is(() = output() =~ /announced a QSO/g, 1, 'no other QSO is taken for one that was only announced');
kill 'TERM', $bridge;
waitpid $bridge, 0;
is $? >> 8, 0, 'the bridge ends when it is asked to';

done_testing;
