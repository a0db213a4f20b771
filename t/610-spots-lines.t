use QSOsync::Test fronts => 'main';

# Spots as a DX cluster node would send them: 75 columns.
my $service = QSOsync::Service->start;
my $true = JSON::PP::true();
my @sent = (
    full_qso(sendSpot => $true, operatorCallsign => undef),
    full_pmr_qso(sendSpot => $true, dcsCode => undef, channel => 1, callsignWorked => 'BOB'),
    full_qso(sendSpot => $true, operatorCallsign => 'VERYLONGCALLSIGN', callsignWorked => "A\tB\x{e9}LONGERTHANTWELVE"),
    qso(sendSpot => $true, callsignWorked => 'NOFREQ'), qso(sendSpot => $true, frequencyMhz => '27.000'));
my $results = $service->post_batch(\@sent)->json->{results};
my $time = join '', $results->[0]{spottedAt} =~ /T(\d\d):(\d\d)/;
my @lines = split /\n/, $service->admin('spots');
is scalar(@lines), 3, 'spots without callsign or frequency have no line';
is $lines[2], "DX de 21SD333:   27555.0  26AT101      USB IO91wm                     ${time}Z", 'a spot on 11 m';
is $lines[1], "DX de 21SD333/: 446006.2  BOB          FM PMR ch 1 88.5 IO91wm        ${time}Z",
    'a spot on PMR446, its spotter cut to eight characters';
for my $line (@lines) {
    is length $line, 75, 'a line has 75 columns';
    unlike $line, qr/[^\x20-\x7e]/, 'and printable characters only';
    is substr($line, 0, 6), 'DX de ', 'it begins as cluster lines do';
    like substr($line, 6, 9), qr/\A\S+: *\z/, 'spotter and colon stand in columns 7 to 15';
    like substr($line, 16, 8), qr/\A *\d+\.\d\z/, 'kHz in 17 to 24';
    like substr($line, 26, 12), qr/\A\S/, 'the DX callsign from 27';
    is substr($line, 70), "${time}Z", 'the time in 71 to 75';
}
is scalar(my @one = split /\n/, $service->admin('spots', '--limit', 3)), 1, 'the newest come first, as many as asked for';

done_testing;
