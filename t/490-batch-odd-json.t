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
is value(notes => '"notes":"first","notes":null'), undef, 'null, too';
is value(notes => '"notes":[1],"notes":"second"'), 'second', 'whatever the first one is';
like value(notes => '"notes":"first","notes":5'), qr/^notes must be a string/, 'and a bad last one spoils the entry';
is value(notes => '"notes":"first","not\u0065s":"second"'), 'second', 'an escape does not make it another name';
my ($result) = saved('"clientId":"x"');
is $result->{error}, 'CLIENT_ID_INVALID', 'a clientId is no exception';

my $other = JSON::PP::encode_json(qso());
my $response = $service->request('POST', '/logs/batch', key => $service->write_key,
    headers => { 'Content-Type' => 'application/json' }, body => qq({"entries":[$other,$other],"entries":[{}]}));
is scalar(@{$response->json->{results}}), 1, 'nor are the entries';

my %number = ('1e-400' => 0, '-1e-400' => 0, '0.' . '0' x 400 . '1' => 0, '1.' . '0' x 400 => 1, '4' . '0' x 400 . 'e-400' => 4);
for my $text (sort keys %number) {
    my $short = length $text > 12 ? substr($text, 0, 6) . '... of ' . length $text : $text;
    is value(dxLat => qq("dxLat":$text)) + 0, $number{$text}, "$short is a number";
}
for my $text ('9' x 400, '-' . '9' x 400, '1' . '0' x 400, '9' x 400 . '.5', '1e' . '9' x 400) {
    my $short = substr($text, 0, 4) . '... of ' . length $text;
    like value(dxLat => qq("dxLat":$text)), qr/^dxLat must be a number from -90 to 90/, "$short is out of range";
    like value(txPowerW => qq("txPowerW":$text)), qr/^txPowerW must be an integer/, "$short is no power";
}

is value(notes => qq("$_":"x")), undef, 'a name that is none of ours is ignored' for '', 'Notes', 'notes ', "notes\\u0000";
like value(notes => '"notes":"' . 'x' x (7 << 20) . '"'), qr/^notes must be at most 2000 characters$/,
    'a text of 7 MiB is rejected like one of 2001 characters';

done_testing;
