use QSOsync::Test fronts => 'main';

# What becomes of the characters of a text: white space around it is removed, everything else stays byte for byte.
my $service = QSOsync::Service->start;

# What comes back of a value that is sent.
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
is one(notes => join '', map { chr } @white_space), undef, 'a text of white space alone is stored as none';
my @kept = (0x01, 0x08, 0x0E, 0x1F, 0x7F, 0x9F, 0xAD, 0x180E, 0x200B, 0x200D, 0x2060, 0x3164, 0xFFFD, 0xFFFE, 0xFFFF,
    0x1F4E1, 0x10FFFF);
is one(notes => chr($_) . 'a' . chr $_), chr($_) . 'a' . chr $_, named($_) . ' around a text is kept' for @kept;
is one(notes => $_->[1]), $_->[1], "a text with $_->[0] is kept as it is" for ['a composed letter', "\x{e5}"],
    ['a decomposed letter', "a\x{30a}"], ['several lines', "a\r\n\tb"],
    ['characters that are code elsewhere', q{<script>"'\\/`&amp;%00$x'); DROP TABLE qsos;--}],
    ['an escape of other languages', '\u0041\n'];
is one(callsignWorked => " 26-at/101 \n"), '26-at/101', 'a callsign is trimmed and otherwise kept as sent';
is one(operatorCallsign => "\x{a0}21sd333\x{feff}"), '21sd333',
    'the own callsign is trimmed and otherwise kept as sent';

# Lengths count code points, after trimming.
my %max = (callsignWorked => 20, operatorCallsign => 20, rstSent => 10, rstReceived => 10, notes => 2000, radio => 80,
    antenna => 80);
for my $field (sort keys %max) {
    my $full = "\x{1F4E1}" x $max{$field};
    is one($field => "  $full \n"), $full, "$field may have $max{$field} characters, white space around it not counted";
    like one($field => "${full}a"), qr/^rejected: $field must be at most $max{$field} characters/,
        "$field must not have more than $max{$field} characters";
    like one($field => "a\x{0}b"), qr/^rejected: $field /, "$field must not hold U+0000";
    like one($field => "a\x{0}"), qr/^rejected: $field /, "$field must not end with U+0000";
}
is one(rstSent => "a\x{30a}" x 5), "a\x{30a}" x 5,
    'ten code points, half of them combining, fit where ten characters may stand';
like one(rstSent => "a\x{30a}" x 5 . 'a'), qr/^rejected/, 'a combining character counts as one character';

# Names of fields are compared whole.
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
is result_of_body(qq($_:[5])), 'accepted', "$_ is the name of no field and is ignored"
    for '"Notes"', '"NOTES"', '"notes "', '""', '"notesx"', '"notes\u0000"', '"notes\u0000x"', '"txPowerW\u0000"',
    '"\u0000"';
like result_of_body('"\u006eotes":5'), qr/^notes /, 'a name of a field that is written with an escape is the same name';

# Half of a surrogate pair, as JavaScript sends it when a text was cut in the middle of an emoji.
my $half = '\ud83d';
is result_of_body("\"notes\":\"a$half$_\""), 'notes must not contain U+0000 or half of a surrogate pair',
    "half of a surrogate pair in a text rejects that entry: $half$_" for '', 'b', '\n', $half, '\u0041';
is result_of_body('"notes":"\ud83d\ude00"'), 'accepted', 'a whole surrogate pair is a character';
is result_of_body("\"$_->[0]\":\"$half\""), $_->[1], "half of a surrogate pair in $_->[0] has the code of that field"
    for ['dxLocator', 'LOCATOR_INVALID'], ['frequencyMhz', 'FREQUENCY_FORMAT_INVALID'], ['qsoAt', 'DATETIME_INVALID'];
is result_of_body($_), 'accepted', "half of a surrogate pair is ignored where names and values are: $_"
    for "\"x\":\"$half\"", "\"$half\":1", "\"notes$half\":5", "\"x\":{\"$half\":[\"$half\"]}";
my $answer = $service->request('POST', '/logs/batch', key => $service->write_key,
    headers => { 'Content-Type' => 'application/json' },
    body => sprintf '{"entries":[{"clientId":"%s"},%s]}', $half, JSON::PP::encode_json(qso()));
like $answer->body, qr/\A\{"results":\[\{"clientId":"\Q$half\E","id":null,"error":"CLIENT_ID_INVALID"/,
    'a clientId is repeated with the escape that was sent';
like $answer->body, qr/,\{"clientId":"[^"]+","id":"\d+",/, 'an entry beside one with half of a surrogate pair is saved';

done_testing;
