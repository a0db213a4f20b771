use QSOsync::Test fronts => 'main';

# An entry with several wrong fields is rejected for the first of them, in the order of the API's table.
my $service = QSOsync::Service->start;

# A value that is refused: field, value, rejection.
my @eleven_meters = (
    [clientId => 'x', qr/^CLIENT_ID_INVALID$/], [qsoAt => 'x', qr/^DATETIME_INVALID$/],
    [frequencyMhz => '25.000', qr/^FREQUENCY_OUT_OF_BAND_11M$/], [channel => 99, qr/^channel must be absent or null/],
    [ctcssTone => 'x', qr/^ctcssTone must be absent or null/], [dcsCode => 'x', qr/^dcsCode must be absent or null/],
    [mode => 'x', qr/^mode /], [callsignWorked => 5, qr/^callsignWorked /],
    [operatorCallsign => 5, qr/^operatorCallsign /],
    [dxLocator => 'x', qr/^LOCATOR_INVALID$/], [dxLat => 91, qr/^dxLat /], [dxLng => 181, qr/^dxLng /],
    [txPowerW => -1, qr/^txPowerW /], [myLocator => 'x', qr/^LOCATOR_INVALID$/], [splitKhz => 100_000, qr/^splitKhz /],
    [path => 'x', qr/^path /], [qsoStatus => 'x', qr/^qsoStatus /], [rstSent => 5, qr/^rstSent /],
    [rstReceived => 5, qr/^rstReceived /], [qslSent => 5, qr/^qslSent /], [qslReceived => 5, qr/^qslReceived /],
    [qslVia => 'x', qr/^qslVia /], [notes => 5, qr/^notes /], [radio => 5, qr/^radio /], [antenna => 5, qr/^antenna /],
    [sendSpot => 5, qr/^sendSpot /],
);
my @pmr446 = ([frequencyMhz => 'x', qr/^frequencyMhz must be absent or null/],
    [channel => 17, qr/^CHANNEL_OUT_OF_RANGE$/],
    [ctcssTone => 'x', qr/^CTCSS_FORMAT_INVALID$/], [dcsCode => 'x', qr/^DCS_FORMAT_INVALID$/],
    [mode => 'x', qr/^mode /]);

for my $table ([\@eleven_meters, {}], [\@pmr446, { band => 'PMR446', channel => 8 }]) {
    my ($cases, $base) = @$table;
    my @entries = map {
        my $from = $_;
        qso(%$base, map { $_->[0] => $_->[1] } @$cases[$from .. $#$cases])
    } 0 .. $#$cases;
    my $results = $service->post_batch(\@entries)->json->{results};
    for (0 .. $#$cases) {
        like $results->[$_]{error}, $cases->[$_][2], "of all wrong fields from $cases->[$_][0] on that one is named";
        ok $results->[$_]{permanent}, "the rejection for $cases->[$_][0] is permanent";
    }
}
my $results = $service->post_batch([{}, { clientId => uuid() }, { clientId => uuid(), band => 'PMR446' },
    qso(band => 'X', qsoAt => 'x'),
    { clientId => uuid(), band => 'PMR446', qsoAt => '2026-05-17T19:42:00Z' }])->json->{results};
is $results->[0]{error}, 'clientId is required', 'a missing clientId is named before a missing band';
is $results->[1]{error}, 'band is required', 'a missing band is named before a missing time';
is $results->[2]{error}, 'qsoAt is required', 'a missing time is named before a missing channel';
like $results->[3]{error}, qr/^band /, 'a wrong band is named before a wrong time';
is $results->[4]{error}, 'channel is required', 'a channel is required on PMR446';

done_testing;
