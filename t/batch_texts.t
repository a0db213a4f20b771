use QSOsync::Test fronts => 'nginx';
use utf8;
use JSON::PP ();

# White space around a text is removed. Every other character is stored unchanged.
my $service = QSOsync::Service->start;

# Sends a value. Returns the stored value, or the reason why the entry was rejected.
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
    named($_) . ' is removed around a text and kept inside the text'
    for @white_space;
is one(notes => join '', map { chr } @white_space), undef, 'a text of only white space is stored as null';
my @kept = (0x01, 0x08, 0x0E, 0x1F, 0x7F, 0x9F, 0xAD, 0x180E, 0x200B, 0x200D, 0x2060, 0x3164, 0xFFFD, 0xFFFE,
    0xFFFF,
    0x1F4E1, 0x10FFFF);
is one(notes => chr($_) . 'a' . chr $_), chr($_) . 'a' . chr $_, named($_) . ' is kept around a text' for @kept;
is one(notes => $_->[1]), $_->[1], "a text with $_->[0] is stored unchanged" for ['a composed letter', "\x{e5}"],
    ['a decomposed letter', "a\x{30a}"], ['several lines', "a\r\n\tb"],
    ['characters that are code elsewhere', q{<script>"'\\/`&amp;%00$x'); DROP TABLE qsos;--}],
    ['escape sequences of other languages', '\u0041\n'];
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
        "$field can have $max{$field} characters, not counting white space at both ends";
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
    'a field name with an escape equals the name without the escape';

# If a program in JavaScript cuts a text within an emoji, the JSON contains an unpaired surrogate.
my $half = '\ud83d';
is result_of_body("\"notes\":\"a$half$_\""), 'notes must not contain U+0000 or half of a surrogate pair',
    "an entry with an unpaired surrogate in a text is rejected: $half$_" for '', 'b', '\n', $half, '\u0041';
is result_of_body('"notes":"\ud83d\ude00"'), 'accepted', 'a text with a surrogate pair is accepted';
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
    'a result repeats the escape in a clientId as sent';
like $answer->body, qr/,\{"clientId":"[^"]+","id":"\d+",/,
    'an entry next to an entry with an unpaired surrogate is saved';

done_testing;
