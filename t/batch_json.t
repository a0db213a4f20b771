use QSOsync::Test fronts => 'nginx';
use utf8;
use JSON::PP ();

# Parsers differ in how they read some well-formed JSON, such as duplicate names. The tests state how the service reads
# such JSON.
my $service = QSOsync::Service->start;

# Returns the result and the stored QSO for an entry that contains the given text.
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

is value(notes => '"notes":"first","notes":"second"'), 'second', 'the last of two fields with the same name is used';
is value(notes => '"notes":"first","notes":null'), undef,
    'the last of two fields with the same name is used, even null';
is value(notes => '"notes":[1],"notes":"second"'), 'second',
    'the last field with a duplicate name is used, whatever the first contains';
like value(notes => '"notes":"first","notes":5'), qr/^notes must be a string/,
    'the last of two fields with the same name is used, even if its value is invalid';
is value(notes => '"notes":"first","not\u0065s":"second"'), 'second',
    'a name with an escape equals the name without the escape';
my ($result) = saved('"clientId":"x"');
is $result->{error}, 'CLIENT_ID_INVALID', 'the last of two clientIds in an entry is used';

my $other = JSON::PP::encode_json(qso());
my $response = $service->request('POST', '/logs/batch', key => $service->write_key,
    headers => { 'Content-Type' => 'application/json' }, body => qq({"entries":[$other,$other],"entries":[{}]}));
is scalar(@{$response->json->{results}}), 1, 'the last of two fields "entries" in a body is used';

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

is value(notes => qq("$_":"x")), undef, "a field named '$_' is ignored" for '', 'Notes', 'notes ', "notes\\u0000";
like value(notes => '"notes":"' . 'x' x (7 << 20) . '"'), qr/^notes must be at most 2000 characters$/,
    'a text of 7 MiB gets the same rejection as a text of 2001 characters';

# Each text of JSONTestSuite is sent as the value of an unknown field.
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
    is status_beside($text =~ s/%(..)/chr hex $1/ger), $status, "JSONTestSuite: $name gets $status";
}
is status_beside($_->[1]), 400,
    "JSONTestSuite: $_->[0] gets 400" for ['n_structure_100000_opening_arrays', '[' x 100_000],
    ['n_structure_open_array_object', '[{"":' x 50_000 . "\n"],
    ['i_structure_500_nested_arrays', '[' x 500 . ']' x 500];

done_testing;
