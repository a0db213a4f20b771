use QSOsync::Test fronts => 'none';

# A spot is printed as a line of a DX cluster node, with 75 columns. Its callsigns are never cut, and cluster programs
# can read them.
my $service = QSOsync::Service->start;
my $true = JSON::PP::true();

# Returns the line for the spot of a QSO, or undef if the spot has no line.
sub line_of {
    my ($qso) = @_;
    my $result = ($service->post_spots({ %$qso, sendSpot => $true }))[0];
    $result->{id} or die "rejected: $result->{error}";
    my $line = (split /\n/, $service->admin('spots', '--limit', 1))[0];
    $service->delete_qso($qso->{clientId});
    return $line;
}
sub spot { return full_qso(operatorCallsign => '21SD333', @_) }
sub ascii { return defined $_[0] ? $_[0] =~ s/([^\x20-\x7e])/sprintf 'U+%04X', ord $1/ger : 'nothing' }
sub without_time { return defined $_[0] ? substr $_[0], 0, 69 : undef }

my $line = line_of(spot());
like $line, qr/\ADX de 21SD333:   27555\.0  26AT101      USB IO91wm                     \d{4}Z\z/,
    'the line of a spot on 11 m has spotter, kHz, DX callsign, mode, locator and time';
like line_of(full_pmr_qso(dcsCode => undef, channel => 1, operatorCallsign => '21SD333')),
    qr/\ADX de 21SD333:  446006\.2  26AT101      FM PMR ch 1 88\.5 IO91wm        \d{4}Z\z/,
    'the line of a spot on PMR446 has channel and tone';
like line_of(full_pmr_qso(ctcssTone => undef, mode => undef, channel => 8)), qr/.{39}PMR ch 8 D023N IO91wm /,
    'the comment has the DCS code if the tone is missing';
like line_of(spot(mode => undef, dxLocator => undef)), qr/\A.{39} {31}\d{4}Z\z/, 'a comment can be empty';

# 11 m operators write callsigns in these ways.
my %read_as = ('26AT101' => '26AT101', '14-FR-001' => '14FR001', '26 AT 101' => '26AT101', '26at101' => '26AT101',
    '161SD001/P' => '161SD001/P', '21.sd.333/m' => '21SD333/M', ' 30-ct-7 ' => '30CT7', '1AT' => '1AT',
    '302-RC-1015' => '302RC1015', '199EXP0/DX/2026' => '199EXP0/DX/2026',
    'A1/B2/C3/D4/E5/F6/G7' => 'A1/B2/C3/D4/E5/F6/G7');
for my $written (sort keys %read_as) {
    my $line = line_of(spot(callsignWorked => $written));
    is +(split ' ', substr $line, 25)[0], $read_as{$written}, "the station $written is $read_as{$written} in a line";
    $line = line_of(spot(operatorCallsign => $written));
    like $line, qr/\ADX de \Q$read_as{$written}\E: /, "the spotter $written is $read_as{$written} in a line";
}
is line_of(spot(callsignWorked => $_)), undef, 'an invalid callsign has no line: ' . ascii($_)
    for undef, 'Bob', 'OM Bob', '12345', 'A1', '26AT101!', "26AT\x{e9}101", "\x{1F4E1}1A", '26AT101 (Jim)', '1LOGIN',
    '7PASSWORD7';
is line_of(spot(operatorCallsign => $_)), undef,
    'a spotter without a valid callsign has no line: ' . ascii($_) for 'Bob',
    'A', "A1\x{202e}B";
is line_of(spot(frequencyMhz => undef)), undef, 'a spot without a frequency has no line';

# Long callsigns first use up blanks, then columns of the comment. A line has DX de, spotter, kHz, DX callsign and
# comment.
my @layout = (
    ['21SD333', '26AT101', 'DX de 21SD333:   27555.0  26AT101      USB IO91wm'],
    ['161SD123', '26AT101', 'DX de 161SD123:  27555.0  26AT101      USB IO91wm'],
    ['161SD1234', '26AT101', 'DX de 161SD1234: 27555.0  26AT101      USB IO91wm'],
    ['161SD1234/P', '26AT101', 'DX de 161SD1234/P: 27555.0 26AT101     USB IO91wm'],
    ['161SD1234/QRP', '26AT101', 'DX de 161SD1234/QRP: 27555.0 26AT101   USB IO91wm'],
    ['161SD1234/QRP', '302RC1015', 'DX de 161SD1234/QRP: 27555.0 302RC1015 USB IO91wm'],
    ['161SD1234/QRP', '302RC1015/P', 'DX de 161SD1234/QRP: 27555.0 302RC1015/P USB IO91wm'],
    ['A1/B2/C3/D4/E5/F6/G7', 'G7/F6/E5/D4/C3/B2/A1',
        'DX de A1/B2/C3/D4/E5/F6/G7: 27555.0 G7/F6/E5/D4/C3/B2/A1 USB IO91wm'],
    ['21SD333', '302RC1015/QRP', 'DX de 21SD333:   27555.0  302RC1015/QRP USB IO91wm'],
);
for my $row (@layout) {
    my ($spotter, $dx, $wanted) = @$row;
    my $line = line_of(spot(operatorCallsign => $spotter, callsignWorked => $dx));
    is without_time($line), sprintf('%-69s', $wanted), "the line of $dx spotted by $spotter keeps both callsigns whole";
    is length $line, 75, "the line of $dx spotted by $spotter has 75 columns";
    like $line, qr/ \d{4}Z\z/, "the line of $dx spotted by $spotter ends with the time";
}
like line_of(full_pmr_qso(operatorCallsign => '161SD1234/QRP', callsignWorked => 'G7/F6/E5/D4/C3/B2/A1',
    channel => 16)),
    qr{\ADX de 161SD1234/QRP: 446193\.8 G7/F6/E5/D4/C3/B2/A1 FM PMR ch 16 88\.5\s+\d{4}Z\z},
    'a moved comment is shortened';

# Spots without a line do not hide other spots.
$service->post_spots(map { spot(sendSpot => $true, callsignWorked => "26AT$_") } 101 .. 103);
$service->post_spots(map { spot(sendSpot => $true, callsignWorked => undef) } 1 .. 60);
is scalar(split /\n/, $service->admin('spots')), 3, 'spots without a line do not hide other lines';
$service->post_spots(map { spot(sendSpot => $true, callsignWorked => "26AT$_") } 200 .. 259);
my @lines = split /\n/, $service->admin('spots');
is scalar(@lines), 50, 'the newest 50 lines are shown';
like $lines[0], qr/26AT259 /, 'the newest line comes first';
is scalar(split /\n/, $service->admin('spots', '--limit', 62)), 62, '--limit counts lines, not spots';
is scalar(@{JSON::PP::decode_json($service->admin('spots', '--limit', 5, '--json'))}), 5,
    '--json returns as many spots as --limit allows';
$service->stop;

done_testing;
