use QSOsync::Test fronts => 'main';

# Well-formed JSON that parsers are known to disagree about.
my $service = QSOsync::Service->start;

# The result and the stored QSO of an entry with this much text in it.
sub saved {
    my ($more) = @_;
    my $id = uuid();
    my $response = $service->request('POST', '/logs/batch', key => $service->write_key,
        headers => { 'Content-Type' => 'application/json' }, body =>
        qq({"entries":[{"clientId":"$id","band":"ELEVEN_METERS","qsoAt":"2026-05-17T19:42:00Z",$more}]}));
    my ($item) = grep { $_->{clientId} eq $id } $service->download;
    return ($response->json->{results}[0], $item || {});
}
sub value { my ($field, $more) = @_; my ($result, $item) = saved($more); return $item->{$field} // $result->{error} }

is value(notes => '"notes":"first","notes":"second"'), 'second', 'of two members of one name the last one counts';
is value(notes => '"notes":"first","notes":null'), undef,
    'of two members of one name the last one counts, null as well';
is value(notes => '"notes":[1],"notes":"second"'), 'second',
    'of two members of one name the last one counts, whatever the first one is';
like value(notes => '"notes":"first","notes":5'), qr/^notes must be a string/,
    'of two members of one name the last one counts, a bad one as well';
is value(notes => '"notes":"first","not\u0065s":"second"'), 'second',
    'a name written with an escape is the same name as without';
my ($result) = saved('"clientId":"x"');
is $result->{error}, 'CLIENT_ID_INVALID', 'of two clientIds in one entry the last one counts';

my $other = JSON::PP::encode_json(qso());
my $response = $service->request('POST', '/logs/batch', key => $service->write_key,
    headers => { 'Content-Type' => 'application/json' }, body => qq({"entries":[$other,$other],"entries":[{}]}));
is scalar(@{$response->json->{results}}), 1, 'of two members entries in one body the last one counts';

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
    'a text of 7 MiB is rejected like one of 2001 characters';

# JSONTestSuite: each text is the value of an unknown field.
my $sent = JSON::PP::encode_json(qso());
sub status_beside {
    my ($text) = @_;
    return $service->request('POST', '/logs/batch', key => $service->write_key,
        headers => { 'Content-Type' => 'application/json' },
        body => '{"entries":[' . ($sent =~ s/\}\z/,"x":$text}]}/r))->status;
}
for my $row (grep { /\A\w/ } split /\n/, QSOsync::Front::read_file("$QSOsync::Front::SOURCE/t/data/json_suite.tsv")) {
    my ($name, $status, $text) = split /\t/, $row, 3;
    is status_beside($text =~ s/%(..)/chr hex $1/ger), $status, "JSONTestSuite: $name";
}
is status_beside($_->[1]), 400, "JSONTestSuite: $_->[0]" for ['n_structure_100000_opening_arrays', '[' x 100_000],
    ['n_structure_open_array_object', '[{"":' x 50_000 . "\n"],
    ['i_structure_500_nested_arrays', '[' x 500 . ']' x 500];

done_testing;
