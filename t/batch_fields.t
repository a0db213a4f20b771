use QSOsync::Test fronts => 'main';

# Every field at and just past its bounds, from the rows of data/fields.tsv.
use utf8;
use JSON::PP ();

my $service = QSOsync::Service->start;
my $json = JSON::PP->new->allow_nonref->canonical;
binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);

my (@entries, @checks);
for my $row (field_rows()) {
    my ($band, $field, $value, $expected) = @$row;
    my $entry = $band eq 'P' ? qso(band => 'PMR446', channel => 8) : qso();
    delete $entry->{$field};
    my $text = $json->encode($entry);
    $text =~ s/\}\z/sprintf ',"%s":%s}', $field, $value/e unless $value eq '-';
    utf8::encode($text);
    push @entries, $text;
    push @checks, [$entry->{clientId}, "$field: " . substr($value, 0, 40) . " on $band", $field, $expected];
}

my @results;
while (my @part = splice @entries, 0, 200) {
    my $response = $service->request('POST', '/logs/batch', key => $service->write_key,
        headers => { 'Content-Type' => 'application/json' }, body => '{"entries":[' . join(',', @part) . ']}');
    is $response->status, 200, 'a batch with bad entries is answered' or diag $response->body;
    push @results, @{$response->json->{results}};
}
my %stored = map { $_->{clientId} => $_ } $service->download;

for my $check (@checks) {
    my ($client_id, $name, $field, $expected) = @$check;
    my $result = shift @results;
    if ($expected =~ s/\A=//) {
        my $item = $client_id && $stored{$client_id};
        ok $item, "$name is accepted" or diag explain $result;
        my ($is, $should) = map { defined $_ ? $_ : 'null' } $item->{$field}, $json->decode($expected);
        is $is, $should, "$name comes back as " . substr($expected, 0, 40);
    }
    else {
        my $error = defined $result->{error} ? $result->{error} : 'accepted';
        $expected =~ s/\A~// ? like($error, qr/$expected/, "$name gets a sentence")
            : is($error, $expected, "$name gets its code");
        ok $result->{permanent} && !defined $result->{id} && !($client_id && $stored{$client_id}),
            "$name is rejected for good and not stored";
    }
}

# A field or choice that was forgotten here would be in no test of whole QSOs.
my %cases;
push @{$cases{$_->[1]}}, $_ for field_rows();
my $schemas = $service->get('/openapi.json')->json->{components}{schemas};
my ($described) = grep { $_->{properties}{sendSpot} } values %$schemas;
for my $field (sort keys %{$described->{properties}}) {
    ok $cases{$field}, "t/data/fields.tsv has cases for $field";
    next if $field eq 'band'; # each case stands on one
    my %has = map { $_->[2] => 1 } @{$cases{$field}};
    my @missing = grep { !$has{"\"$_\""} } grep { defined } @{$described->{properties}{$field}{enum} || []};
    is "@missing", '', "t/data/fields.tsv has every choice of $field" if $described->{properties}{$field}{enum};
}

# An entry with several wrong fields is rejected for the first of them, in the order of the API's table.
{
    my $service = QSOsync::Service->start;

    # A value that is refused: field, value, rejection.
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
                "of all wrong fields from $cases->[$_][0] on that one is named";
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
}

done_testing;
