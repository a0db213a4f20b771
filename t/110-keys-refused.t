use QSOsync::Test fronts => 'main';

# Keys that do not work, and what READ keys may not do.
my $service = QSOsync::Service->start;
my $read = $service->read_key;

sub refused {
    my ($key, $why) = @_;
    my $response = $service->get('/me', key => $key);
    is $response->status . ' ' . ($response->code || ''), '401 API_KEYS.INVALID', $why;
    is $response->header('WWW-Authenticate'), 'Bearer', "$why: the answer names the scheme";
}

refused(undef, 'without a key there is no answer');
refused('', 'an empty key is none');
refused('qsosync_' . 'A' x 49, 'a key with a wrong checksum is refused');
refused(substr($read, 0, -1), 'a key that is too short is refused');
refused("${read}x", 'a key that is too long is refused');
(my $other = $read) =~ tr/A-Za-z/a-zA-Z/;
refused($other, 'keys have case');

my $member = $service->add_member('21SD334');
is $service->get('/me', key => $member->{read_key})->status, 200, 'a new key works at once';
$service->admin('key', 'revoke', '21SD334', $_->{number})
    for grep { $_->{scope} eq 'READ' } @{JSON::PP::decode_json($service->admin('key', 'list', '21SD334', '--json'))};
refused($member->{read_key}, 'a revoked key stops at once');
is $service->get('/me', key => $member->{write_key})->status, 200, 'other keys of the member go on';
$service->admin('member', 'disable', '21SD334');
refused($member->{write_key}, 'the key of an inactive member does not work');
$service->admin('member', 'enable', '21SD334');
is $service->get('/me', key => $member->{write_key})->status, 200, 'enabling the member brings it back';

for my $case (['POST', '/logs/batch'], ['DELETE', '/logs/' . uuid()]) {
    my $response = $service->request(@$case, key => $read, body => 'not json');
    is $response->status . ' ' . $response->code, '403 API_KEYS.READ_ONLY',
        "a READ key may not $case->[0], and that is said before the body is looked at";
}
is $service->post_batch([qso()], key => undef)->status, 401, 'no key comes before scope';

is $service->request(@$_)->status, 401, "$_->[0] $_->[1] needs a key"
    for ['GET', '/me'], ['GET', '/logs'], ['GET', '/logs/ids'], ['DELETE', '/logs/x'], ['GET', '/logs?limit=0'];
is $service->request('DELETE', '/logs/x', key => $read)->status, 403, 'scope comes before the clientId';
$service->admin('member', 'disable', '21SD334');
is $service->post_batch([qso()], key => $member->{read_key})->status, 401, 'a key that does not work has no scope';

done_testing;
