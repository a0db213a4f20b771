use QSOsync::Test fronts => 'nginx';
use utf8;

# If an entry has several invalid fields, the rejection reports the first of these fields in the order of the API's
# table.
my $service = QSOsync::Service->start;

# Each row has a field, an invalid value and a pattern for the error.
my @eleven_meters = (
    [clientId => 'x', qr/^CLIENT_ID_INVALID$/], [qsoAt => 'x', qr/^DATETIME_INVALID$/],
    [frequencyMhz => '25.000', qr/^FREQUENCY_OUT_OF_BAND_11M$/],
    [channel => 99, qr/^channel must be absent or null/],
    [ctcssTone => 'x', qr/^ctcssTone must be absent or null/],
    [dcsCode => 'x', qr/^dcsCode must be absent or null/],
    [mode => 'x', qr/^mode /], [callsignWorked => 5, qr/^callsignWorked /],
    [operatorCallsign => 5, qr/^operatorCallsign /],
    [dxLocator => 'x', qr/^LOCATOR_INVALID$/], [dxLat => 91, qr/^dxLat /], [dxLng => 181, qr/^dxLng /],
    [txPowerW => -1, qr/^txPowerW /], [myLocator => 'x', qr/^LOCATOR_INVALID$/],
    [splitKhz => 100_000, qr/^splitKhz /],
    [path => 'x', qr/^path /], [qsoStatus => 'x', qr/^qsoStatus /], [rstSent => 5, qr/^rstSent /],
    [rstReceived => 5, qr/^rstReceived /], [qslSent => 5, qr/^qslSent /], [qslReceived => 5, qr/^qslReceived /],
    [qslVia => 'x', qr/^qslVia /], [notes => 5, qr/^notes /], [radio => 5, qr/^radio /],
    [antenna => 5, qr/^antenna /],
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
        like $results->[$_]{error}, $cases->[$_][2],
            "if all fields from $cases->[$_][0] on are invalid, the rejection reports the first of these fields";
        ok $results->[$_]{permanent}, "the rejection of $cases->[$_][0] is permanent";
    }
}
my $results = $service->post_batch([{}, { clientId => uuid() }, { clientId => uuid(), band => 'PMR446' },
    qso(band => 'X', qsoAt => 'x'),
    { clientId => uuid(), band => 'PMR446', qsoAt => '2026-05-17T19:42:00Z' }])->json->{results};
is $results->[0]{error}, 'clientId is required', 'a missing clientId is reported before a missing band';
is $results->[1]{error}, 'band is required', 'a missing band is reported before a missing time';
is $results->[2]{error}, 'qsoAt is required', 'a missing time is reported before a missing channel';
like $results->[3]{error}, qr/^band /, 'an invalid band is reported before an invalid time';
is $results->[4]{error}, 'channel is required', 'a missing channel is reported on PMR446';

done_testing;
