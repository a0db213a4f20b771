use QSOsync::Test fronts => 'nginx';

# Every field at its bounds and just beyond, from the rows of data/fields.tsv.
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
    is $response->status, 200, 'a batch with invalid entries gets 200' or diag $response->body;
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
            "$name is rejected permanently and not stored";
    }
}

# A field or choice missing from this table would be missing from all tests of whole QSOs.
my %cases;
push @{$cases{$_->[1]}}, $_ for field_rows();
my $schemas = $service->get('/openapi.json')->json->{components}{schemas};
my ($described) = grep { $_->{properties}{sendSpot} } values %$schemas;
for my $field (sort keys %{$described->{properties}}) {
    ok $cases{$field}, "t/data/fields.tsv has cases for $field";
    next if $field eq 'band'; # every case has one
    my %has = map { $_->[2] => 1 } @{$cases{$field}};
    my @missing = grep { !$has{"\"$_\""} } grep { defined } @{$described->{properties}{$field}{enum} || []};
    is "@missing", '', "t/data/fields.tsv has every choice of $field" if $described->{properties}{$field}{enum};
}

# An entry with several invalid fields is rejected for the first of them, in the order of the API's table.
{
    my $service = QSOsync::Service->start;

    # Refused values: field, value, rejection.
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
                "of all invalid fields from $cases->[$_][0] on, the first is named";
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
    is $results->[4]{error}, 'channel is required', 'a channel is required on PMR446';
}

# White space around a text is removed; every other byte is stored unchanged.
{
    my $service = QSOsync::Service->start;

    # Returns the stored value for a value that is sent.
    sub one {
        my ($field, $value) = @_;
        my $qso = qso($field => $value);
        my $result = $service->post_batch([$qso])->json->{results}[0];
        return "rejected: $result->{error}" unless $result->{id};
        my ($item) = reverse $service->download;
        $service->delete_qso($qso->{clientId});
        return $item->{$field};
    }
    sub named { sprintf 'U+%04X', $_[0] }

    my @white_space = (0x09 .. 0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000 .. 0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000,
        0xFEFF);
    is one(notes => chr($_) . 'a' . chr($_) . 'b' . chr $_), 'a' . chr($_) . 'b',
        named($_) . ' around a text is removed and inside it kept'
        for @white_space;
    is one(notes => join '', map { chr } @white_space), undef, 'a text of only white space is stored as null';
    my @kept = (0x01, 0x08, 0x0E, 0x1F, 0x7F, 0x9F, 0xAD, 0x180E, 0x200B, 0x200D, 0x2060, 0x3164, 0xFFFD, 0xFFFE,
        0xFFFF,
        0x1F4E1, 0x10FFFF);
    is one(notes => chr($_) . 'a' . chr $_), chr($_) . 'a' . chr $_, named($_) . ' around a text is kept' for @kept;
    is one(notes => $_->[1]), $_->[1], "a text with $_->[0] is stored unchanged" for ['a composed letter', "\x{e5}"],
        ['a decomposed letter', "a\x{30a}"], ['several lines', "a\r\n\tb"],
        ['characters that are code elsewhere', q{<script>"'\\/`&amp;%00$x'); DROP TABLE qsos;--}],
        ['an escape of other languages', '\u0041\n'];
    is one(callsignWorked => " 26-at/101 \n"), '26-at/101', 'a callsign is trimmed and otherwise stored unchanged';
    is one(operatorCallsign => "\x{a0}21sd333\x{feff}"), '21sd333',
        'an operator callsign is trimmed and otherwise stored unchanged';

    # Lengths count code points, after trimming.
    my %max = (callsignWorked => 20, operatorCallsign => 20, rstSent => 10, rstReceived => 10, notes => 2000,
        radio => 80,
        antenna => 80);
    for my $field (sort keys %max) {
        my $full = "\x{1F4E1}" x $max{$field};
        is one($field => "  $full \n"), $full,
            "$field may have $max{$field} characters, not counting white space around it";
        like one($field => "${full}a"), qr/^rejected: $field must be at most $max{$field} characters/,
            "$field must not have more than $max{$field} characters";
        like one($field => "a\x{0}b"), qr/^rejected: $field /, "$field must not contain U+0000";
        like one($field => "a\x{0}"), qr/^rejected: $field /, "$field must not end with U+0000";
    }
    is one(rstSent => "a\x{30a}" x 5), "a\x{30a}" x 5,
        'ten code points fit into ten characters, even if half are combining';
    like one(rstSent => "a\x{30a}" x 5 . 'a'), qr/^rejected/, 'a combining character counts as one character';

    # Field names are compared as a whole.
    sub result_of_body {
        my ($more) = @_;
        my $id = uuid();
        my $response = $service->request('POST', '/logs/batch', key => $service->write_key,
            headers => { 'Content-Type' => 'application/json' }, body =>
            qq({"entries":[{"clientId":"$id","band":"ELEVEN_METERS","qsoAt":"2026-05-17T19:42:00Z",$more}]}));
        return $response->status if $response->status != 200;
        my $error = $response->json->{results}[0]{error};
        return defined $error ? $error : 'accepted';
    }
    is result_of_body(qq($_:[5])), 'accepted', "$_ is not a known field and is ignored"
        for '"Notes"', '"NOTES"', '"notes "', '""', '"notesx"', '"notes\u0000"', '"notes\u0000x"', '"txPowerW\u0000"',
        '"\u0000"';
    like result_of_body('"\u006eotes":5'), qr/^notes /,
        'a field name with an escape is the same name';

    # An unpaired surrogate, as JavaScript sends it after cutting a text within an emoji.
    my $half = '\ud83d';
    is result_of_body("\"notes\":\"a$half$_\""), 'notes must not contain U+0000 or half of a surrogate pair',
        "an unpaired surrogate in a text rejects its entry: $half$_" for '', 'b', '\n', $half, '\u0041';
    is result_of_body('"notes":"\ud83d\ude00"'), 'accepted', 'a surrogate pair is one character';
    is result_of_body("\"$_->[0]\":\"$half\""), $_->[1],
        "an unpaired surrogate in $_->[0] gives the code of that field"
        for ['dxLocator', 'LOCATOR_INVALID'], ['frequencyMhz', 'FREQUENCY_FORMAT_INVALID'],
            ['qsoAt', 'DATETIME_INVALID'];
    is result_of_body($_), 'accepted', "an unpaired surrogate in ignored names and values is accepted: $_"
        for "\"x\":\"$half\"", "\"$half\":1", "\"notes$half\":5", "\"x\":{\"$half\":[\"$half\"]}";
    my $answer = $service->request('POST', '/logs/batch', key => $service->write_key,
        headers => { 'Content-Type' => 'application/json' },
        body => sprintf '{"entries":[{"clientId":"%s"},%s]}', $half, JSON::PP::encode_json(qso()));
    like $answer->body, qr/\A\{"results":\[\{"clientId":"\Q$half\E","id":null,"error":"CLIENT_ID_INVALID"/,
        'a result repeats a clientId with the escape as sent';
    like $answer->body, qr/,\{"clientId":"[^"]+","id":"\d+",/,
        'an entry next to one with an unpaired surrogate is saved';
}

# Well-formed JSON that parsers read differently.
{
    my $service = QSOsync::Service->start;

    # The result and the stored QSO of an entry with the given text in it.
    sub saved {
        my ($more) = @_;
        my $id = uuid();
        my $response = $service->request('POST', '/logs/batch', key => $service->write_key,
            headers => { 'Content-Type' => 'application/json' }, body =>
            qq({"entries":[{"clientId":"$id","band":"ELEVEN_METERS","qsoAt":"2026-05-17T19:42:00Z",$more}]}));
        my ($item) = grep { $_->{clientId} eq $id } $service->download;
        return ($response->json->{results}[0], $item || {});
    }
    sub value { my ($field, $more) = @_; my ($result, $item) = saved($more);
    return $item->{$field} // $result->{error} }

    is value(notes => '"notes":"first","notes":"second"'), 'second', 'the last of two members with one name is used';
    is value(notes => '"notes":"first","notes":null'), undef,
        'the last of two members with one name is used, even null';
    is value(notes => '"notes":[1],"notes":"second"'), 'second',
        'the last of two members with one name is used, whatever the first';
    like value(notes => '"notes":"first","notes":5'), qr/^notes must be a string/,
        'the last of two members with one name is used, even an invalid one';
    is value(notes => '"notes":"first","not\u0065s":"second"'), 'second',
        'a name with an escape equals the name without';
    my ($result) = saved('"clientId":"x"');
    is $result->{error}, 'CLIENT_ID_INVALID', 'the last of two clientIds in an entry is used';

    my $other = JSON::PP::encode_json(qso());
    my $response = $service->request('POST', '/logs/batch', key => $service->write_key,
        headers => { 'Content-Type' => 'application/json' }, body => qq({"entries":[$other,$other],"entries":[{}]}));
    is scalar(@{$response->json->{results}}), 1, 'the last of two members "entries" in a body is used';

    my %number = ('1e-400' => 0, '-1e-400' => 0, '0.' . '0' x 400 . '1' => 0, '1.' . '0' x 400 => 1,
        '4' . '0' x 400 . 'e-400' => 4);
    for my $text (sort keys %number) {
        my $short = length $text > 12 ? substr($text, 0, 6) . '... of ' . length $text : $text;
        is value(dxLat => qq("dxLat":$text)) + 0, $number{$text}, "the number $short is accepted as dxLat";
    }
    for my $text ('9' x 400, '-' . '9' x 400, '1' . '0' x 400, '9' x 400 . '.5', '1e' . '9' x 400) {
        my $short = substr($text, 0, 4) . '... of ' . length $text;
        like value(dxLat => qq("dxLat":$text)), qr/^dxLat must be a number from -90 to 90/,
            "the number $short is out of range for dxLat";
        like value(txPowerW => qq("txPowerW":$text)), qr/^txPowerW must be an integer/,
            "the number $short is out of range for txPowerW";
    }

    is value(notes => qq("$_":"x")), undef, "a member named '$_' is ignored" for '', 'Notes', 'notes ', "notes\\u0000";
    like value(notes => '"notes":"' . 'x' x (7 << 20) . '"'), qr/^notes must be at most 2000 characters$/,
        'a text of 7 MiB is rejected like a text of 2001 characters';

    # JSONTestSuite: each text is the value of an unknown field.
    my $sent = JSON::PP::encode_json(qso());
    sub status_beside {
        my ($text) = @_;
        return $service->request('POST', '/logs/batch', key => $service->write_key,
            headers => { 'Content-Type' => 'application/json' },
            body => '{"entries":[' . ($sent =~ s/\}\z/,"x":$text}]}/r))->status;
    }
    for my $row (grep { /\A\w/ } split /\n/,
        QSOsync::Front::read_file("$QSOsync::Front::SOURCE/t/data/json_suite.tsv")) {
        my ($name, $status, $text) = split /\t/, $row, 3;
        is status_beside($text =~ s/%(..)/chr hex $1/ger), $status, "JSONTestSuite: $name";
    }
    is status_beside($_->[1]), 400, "JSONTestSuite: $_->[0]" for ['n_structure_100000_opening_arrays', '[' x 100_000],
        ['n_structure_open_array_object', '[{"":' x 50_000 . "\n"],
        ['i_structure_500_nested_arrays', '[' x 500 . ']' x 500];
}

done_testing;
