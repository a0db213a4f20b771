use QSOsync::Test fronts => 'all';

# POST /logs/batch accepts valid request bodies and refuses all other bodies.
my $service = QSOsync::Service->start;
my $entry = JSON::PP->new->canonical->encode(qso());
my $good = qq({"entries":[$entry]});

sub answer {
    my ($body, %option) = @_;
    my $response = $service->request('POST', '/logs/batch', key => $service->write_key, body => $body,
        headers => { 'Content-Type' => 'application/json' }, %option);
    return $response->status . ' ' . ($response->code || '');
}

my $bad = '400 VALIDATION.FAILED';
is answer($good), '200 ', 'a JSON body is accepted';
is answer($good, headers => { 'Content-Type' => $_ }), '200 ', "a body of the type $_ is accepted"
    for 'application/json; charset=utf-8', 'Application/JSON', 'application/json ;charset=utf-8';
is answer($good, headers => { 'Content-Type' => $_ }), $bad, "a body of the type $_ is refused"
    for 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'application/ld+json';
is answer($good, headers => {}), $bad, 'a body without a type is refused';
is answer($good, chunked => 1), '200 ', 'a chunked body is accepted';
is answer(" \r\n\t$good \n"), '200 ', 'white space around a body is accepted';

my %malformed = (
    'nothing' => '', 'white space' => '  ', 'a lone {' => '{', 'an array' => "[$entry]", 'null' => 'null',
    'a number' => '5', 'trailing data' => "$good x", 'two values' => "$good$good",
    'a trailing comma' => qq({"entries":[$entry],}), 'single quotes' => q({'entries':[]}),
    'NaN' => '{"entries":[NaN]}', 'Infinity' => '{"entries":[Infinity]}', 'a comment' => "{/*x*/\"entries\":[]}",
    'a byte-order mark' => "\xef\xbb\xbf$good", 'a control character in a string' => "{\"entries\":[\"\x01\"]}",
    'a tab in a string' => "{\"entries\":[\"\t\"]}", 'an unknown escape' => '{"entries":["\x"]}',
    'wrong UTF-8' => "{\"entries\":[\"\xff\"]}",
    'overlong UTF-8' => "{\"entries\":[\"\xc0\xaf\"]}", 'a surrogate in UTF-8' => "{\"entries\":[\"\xed\xa0\x80\"]}",
    'beyond U+10FFFF' => "{\"entries\":[\"\xf4\x90\x80\x80\"]}", 'a leading zero' => '{"entries":[01]}',
    'a number without decimals' => '{"entries":[1.]}', 'a plus sign' => '{"entries":[+1]}',
    'a cut-off literal' => '{"entries":[tru]}', 'a literal in capitals' => '{"entries":[True]}',
    'no quotes around a name' => '{entries:[]}', 'a missing comma' => "{\"entries\":[$entry $entry]}",
    'nesting of 33' => '{"entries":' . '[' x 32 . ']' x 32 . '}',
    'nesting of 10,000' => '[' x 10_000, 'entries missing' => '{}', 'entries null' => '{"entries":null}',
    'entries an object' => '{"entries":{}}', 'no entries' => '{"entries":[]}',
    '201 entries' => '{"entries":[' . join(',', ('{}') x 201) . ']}',
);
is answer($malformed{$_}), $bad, "a malformed body is refused: $_" for sort keys %malformed;
is answer(qq({"entries":["$_",{}],"$_":"$_"})), '200 ', "a body with an unpaired surrogate is accepted: $_"
    for '\ud800', '\udc00', '\ud83dx', '\ud83d\ud83d';
is answer('{"entries":[' . join(',', ("{" . join(',', map { qq("x$_":$_) } 1 .. 150) . "}") x 200) . ']}'), '200 ',
    '200 entries with 150 unknown fields each are accepted';
is answer('{"entries":[{}],"deep":' . '[' x 31 . ']' x 31 . '}'), '200 ', 'a nesting depth of 32 is accepted';
is answer('{"entries":[' . join(',', ('{}') x 200) . ']}'), '200 ', '200 entries are accepted';

my $max = 8 * 1024 * 1024;
is answer($good . ' ' x ($max - length $good)), '200 ', 'a body of 8 MiB is accepted';
is answer(' ' x ($max + 1)), '413 VALIDATION.FAILED', 'a body of 8 MiB and one byte is too large';
is answer(' ' x ($max + 1), chunked => 1), '413 VALIDATION.FAILED', 'a chunked body of 8 MiB and one byte is too large';
is $service->get('/me')->status, 200, 'the service answers after bodies that are too large';

my $response = $service->request('POST', '/logs/batch', key => $service->write_key, body => ' ' x ($max + 1),
    headers => { 'Content-Type' => 'application/json' });
is $response->body, '{"error":{"code":"VALIDATION.FAILED",'
    . '"details":[{"field":"body","message":"must be at most 8388608 bytes"}]}}',
    'front server and worker give the same error for a large body';
sub field_of {
    my ($body, %header) = @_;
    my $answer = $service->request('POST', '/logs/batch', key => $service->write_key, body => $body,
        headers => \%header);
    return $answer->json->{error}{details}[0]{field};
}
my %json = ('Content-Type' => 'application/json');
is field_of('{', %json), 'body', 'the error of malformed JSON names the body';
is field_of($_, %json), 'entries', "the error of $_ names the entries"
    for '{}', '{"entries":[]}', '{"Entries":[{}]}', '{"entries":"x"}';
is field_of($good), 'Content-Type', 'the error of a body without a type names the header';

my $count = scalar $service->download;
my @full = map { full_qso(notes => "\x{1F4E1}" x 2000) } 1 .. 200;
is scalar(grep { $_->{id} } @{$service->post_batch(\@full)->json->{results}}), 200,
    '200 QSOs with notes of 2000 code points are accepted';
is scalar($service->download), $count + 200, '200 QSOs with notes of 2000 code points are saved';
is answer('{', headers => {}, key => undef), '401 API_KEYS.INVALID', 'a bad body without a key gets 401';

done_testing;
