use QSOsync::Test fronts => 'none';

# A spot contains the spotter, the station and its place, but no private data.
my $service = QSOsync::Service->start;
my $true = JSON::PP::true();
sub spot_of {
    my ($qso) = @_;
    my $result = ($service->post_spots($qso))[0];
    return unless $result->{id};
    my ($spot) = grep { $_->{qsoId} == $result->{id} } @{JSON::PP::decode_json($service->admin('spots', '--json'))};
    return $spot;
}

for my $channel (1 .. 16) {
    my $spot = spot_of(qso(band => 'PMR446', channel => $channel, sendSpot => $true));
    is $spot->{frequencyHz}, 446_006_250 + ($channel - 1) * 12_500,
        "a spot on channel $channel has that channel's frequency";
    is $spot->{channel}, $channel, "a spot on channel $channel has that channel's number";
}
is spot_of(qso(sendSpot => $true, frequencyMhz => '26.000'))->{frequencyHz}, 26_000_000,
    'a spot on 11 m has the frequency of the QSO';
my $bare = spot_of(qso(sendSpot => $true));
is $bare->{frequencyHz}, undef, 'a spot of an 11 m QSO without a frequency has no frequency';
is $bare->{dxCallsign}, undef, 'a spot of a QSO without a station worked has no DX callsign';
is $bare->{spotter}, '21SD333', "the spotter is the member's callsign";
is spot_of(qso(sendSpot => $true, operatorCallsign => ' 21sd333/p '))->{spotter}, '21sd333/p',
    "the spotter is the QSO's station callsign, unchanged, if the QSO has one";

my $spot = spot_of(full_qso(sendSpot => $true, notes => 'PRIVATE', radio => 'RADIO', antenna => 'ANTENNA',
    dxLat => 12.3456,
    dxLng => 65.4321));
is_deeply [sort grep { defined $spot->{$_} } keys %$spot],
    [sort qw(spottedAt spotter dxCallsign band frequencyHz mode myLocator dxLocator qsoId)],
    'a spot has spotter, DX callsign, band, frequency, mode, the two locators, the time and the id of its QSO';
my %told = (spotter => '21SD333/P', dxCallsign => '26AT101', frequencyHz => 27_555_000, mode => 'USB',
    dxLocator => 'IO91wm',
    myLocator => 'JO59jw');
is $spot->{$_}, $told{$_}, "a spot has the $_ of the QSO" for sort keys %told;
unlike join(' ', map { defined $_ ? $_ : '' } values %$spot), qr/PRIVATE|RADIO|ANTENNA|12\.3456|65\.4321/,
    'a spot contains neither notes, radio and antenna nor the exact coordinates';
unlike $service->admin('spots', '--json'), qr/PRIVATE|RADIO|ANTENNA|12\.3456|65\.4321/,
    'the list of spots contains neither notes, radio and antenna nor the exact coordinates';

done_testing;
