use QSOsync::Test fronts => 'none';

# What a spot tells: the frequency of each channel, whose it is, and nothing that is nobody's business.
my $service = QSOsync::Service->start;
my $true = JSON::PP::true();
sub spot_of {
    my ($qso) = @_;
    my $result = $service->post_batch([$qso])->json->{results}[0];
    return unless $result->{id};
    my ($spot) = grep { $_->{qsoId} == $result->{id} } @{JSON::PP::decode_json($service->admin('spots', '--json'))};
    return $spot;
}
sub line_of {
    spot_of(@_) or return;
    return (split /\n/, $service->admin('spots'))[0];
}

for my $channel (1 .. 16) {
    my $spot = spot_of(qso(band => 'PMR446', channel => $channel, sendSpot => $true));
    is $spot->{frequencyHz}, 446_006_250 + ($channel - 1) * 12_500, "channel $channel has its frequency";
    is $spot->{channel}, $channel, 'and its number';
}
is spot_of(qso(sendSpot => $true, frequencyMhz => '26.000'))->{frequencyHz}, 26_000_000, 'on 11 m it is the frequency';
my $bare = spot_of(qso(sendSpot => $true));
is $bare->{frequencyHz}, undef, 'which may be missing';
is $bare->{dxCallsign}, undef, 'as the callsign worked';
is $bare->{spotter}, '21SD333', "the spotter is the member's callsign";
is spot_of(qso(sendSpot => $true, operatorCallsign => ' 21sd333/p '))->{spotter}, '21sd333/p', 'or that of the QSO, as it was sent';
ok spot_of(qso(sendSpot => $true, qsoStatus => 'HRD', qsoAt => '1999-01-01T00:00:00Z')), 'whatever else the QSO holds';
my $private = full_qso(sendSpot => $true, notes => 'PRIVATE', radio => 'RADIO', antenna => 'ANTENNA', dxLat => 12.3456, dxLng => 65.4321);
my $spot = spot_of($private);
is_deeply [sort grep { defined $spot->{$_} } keys %$spot],
    [sort qw(spottedAt spotter dxCallsign band frequencyHz mode myLocator dxLocator qsoId)],
    'spotter, DX callsign, frequency, mode, the two locators, the time';
unlike join(' ', map { defined $_ ? $_ : '' } values %$spot), qr/PRIVATE|RADIO|ANTENNA|12\.3456|65\.4321/,
    'never the notes, never the exact coordinates';

# A later write leaves the spot as it was published.
$service->post_batch([{ %$private, callsignWorked => 'LATER', frequencyMhz => '26.500', mode => 'FM' }]);
is_deeply spot_of({ %$private, callsignWorked => 'LATER' }), $spot, 'later writes neither repeat nor move it';
my $rejected = qso(sendSpot => $true, txPowerW => -1);
is spot_of($rejected), undef, 'a rejected QSO is no spot';
is $service->post_batch([{ %$rejected, txPowerW => 1, sendSpot => undef }])->json->{results}[0]{spottedAt}, undef, 'null is no wish for one';
is $service->post_batch([$rejected, { %$rejected, txPowerW => 1 }, $rejected])->json->{results}[1]{spottedAt} ? 1 : 0, 1,
    'of a QSO that is sent several times the accepted one is published';

# Cluster lines, column by column.
my $line = line_of(full_pmr_qso(sendSpot => $true, channel => 16, callsignWorked => 'OP9', operatorCallsign => 'A'));
is length $line, 75, 'a line has 75 columns';
is substr($line, 0, 6), 'DX de ', 'it begins with DX de';
is substr($line, 6, 10), 'A:        ', 'spotter and colon stand from column 7';
is substr($line, 16, 8), '446193.8', 'kHz with one decimal end in column 24';
is substr($line, 24, 2), '  ', 'two blanks follow';
is substr($line, 26, 13), 'OP9          ', 'the DX callsign stands from column 27';
is substr($line, 39, 30), 'FM PMR ch 16 88.5 IO91wm      ', 'the comment from column 40: mode, channel and tone, DX locator';
like substr($line, 69), qr/\A \d{4}Z\z/, 'the time in columns 71 to 75';
like line_of(full_pmr_qso(sendSpot => $true, ctcssTone => undef, mode => undef)), qr/.{39}PMR ch 8 D023N IO91wm /, 'a code is a tone, too';
like line_of(full_qso(sendSpot => $true, mode => undef, dxLocator => undef)), qr/\A.{39} {31}\d{4}Z\z/, 'a comment may be empty';
is substr(line_of(full_qso(sendSpot => $true, operatorCallsign => 'ABCDEFGH')), 6, 9), 'ABCDEFGH:', 'eight characters of a spotter fit';
for my $odd ("A\x{1b}[31m", "A\x{7f}", "A\x{9b}31m", "\x{1F4E1}", "A\x{202e}B") {
    my $line = line_of(full_qso(sendSpot => $true, callsignWorked => $odd, operatorCallsign => $odd));
    unlike $line, qr/[^\x20-\x7e]/, 'no control character, and none that is not ASCII, reaches a line';
    is length $line, 75, 'which keeps its columns';
}

# Deleting the QSO deletes its spot.
my $before = $service->sqlite('SELECT count(*) FROM spots');
is $service->delete_qso($private->{clientId})->status, 204, 'a spotted QSO is deleted';
is $service->sqlite('SELECT count(*) FROM spots'), $before - 1, 'and its spot with it';
my $again = $service->post_batch([$private])->json->{results}[0];
ok $again->{spottedAt}, 'sent anew it is a new QSO and can be published';
is $service->admin('check'), '', 'the database is whole';

done_testing;
