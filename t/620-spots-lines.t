use QSOsync::Test fronts => 'none';

# Spots as lines that a DX cluster node would send: 75 columns.
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
is scalar(@lines), 3, 'a spot without callsign or frequency has no line';
is $lines[2], "DX de 21SD333:   27555.0  26AT101      USB IO91wm                     ${time}Z",
    'the line of a spot on 11 m has spotter, kHz, DX callsign, mode, locator and time';
is $lines[1], "DX de 21SD333/: 446006.2  BOB          FM PMR ch 1 88.5 IO91wm        ${time}Z",
    'the line of a spot on PMR446 has channel and tone, its spotter is cut to eight characters';
for my $line (@lines) {
    is length $line, 75, "this line has 75 columns: $line";
    unlike $line, qr/[^\x20-\x7e]/, 'a line has printable ASCII characters only';
    is substr($line, 0, 6), 'DX de ', "this line begins with DX de: $line";
    like substr($line, 6, 9), qr/\A\S+: *\z/, "this line has spotter and colon in columns 7 to 15: $line";
    like substr($line, 16, 8), qr/\A *\d+\.\d\z/, "this line has kHz in columns 17 to 24: $line";
    like substr($line, 26, 12), qr/\A\S/, "this line has the DX callsign from column 27 on: $line";
    is substr($line, 70), "${time}Z", "this line has the time in columns 71 to 75: $line";
}
my @newest = split /\n/, $service->admin('spots', '--limit', 3);
is scalar(@newest), 1, '--limit takes the newest spots, those without a line among them';

# One line, column by column.
sub line_of {
    $service->post_batch([@_])->json->{results}[0]{id} or return;
    return (split /\n/, $service->admin('spots'))[0];
}
my $line = line_of(full_pmr_qso(sendSpot => $true, channel => 16, callsignWorked => 'OP9', operatorCallsign => 'A'));
is length $line, 75, 'the line of a short callsign has 75 columns';
is substr($line, 0, 6), 'DX de ', 'the line of a short callsign begins with DX de';
is substr($line, 6, 10), 'A:        ', 'spotter and colon stand from column 7 on, blanks after them';
is substr($line, 16, 8), '446193.8', 'kHz with one decimal end in column 24';
is substr($line, 24, 2), '  ', 'two blanks follow the kHz';
is substr($line, 26, 13), 'OP9          ', 'the DX callsign stands from column 27 on, blanks after it';
is substr($line, 39, 30), 'FM PMR ch 16 88.5 IO91wm      ', 'the comment stands from column 40 on: mode, channel and tone, DX locator';
like substr($line, 69), qr/\A \d{4}Z\z/, 'the time stands in columns 71 to 75';
like line_of(full_pmr_qso(sendSpot => $true, ctcssTone => undef, mode => undef)), qr/.{39}PMR ch 8 D023N IO91wm /,
    'the comment has the DCS code where there is no tone';
like line_of(full_qso(sendSpot => $true, mode => undef, dxLocator => undef)), qr/\A.{39} {31}\d{4}Z\z/, 'a comment may be empty';
is substr(line_of(full_qso(sendSpot => $true, operatorCallsign => 'ABCDEFGH')), 6, 9), 'ABCDEFGH:', 'eight characters of a spotter fit';
for my $odd ("A\x{1b}[31m", "A\x{7f}", "A\x{9b}31m", "\x{1F4E1}", "A\x{202e}B") {
    my $line = line_of(full_qso(sendSpot => $true, callsignWorked => $odd, operatorCallsign => $odd));
    my $name = join ' ', map { sprintf 'U+%04X', ord } split //, $odd;
    unlike $line, qr/[^\x20-\x7e]/, "a callsign of $name reaches a line as printable ASCII characters only";
    is length $line, 75, "a callsign of $name leaves the line its 75 columns";
}

done_testing;
