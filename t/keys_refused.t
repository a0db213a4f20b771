use QSOsync::Test;

# Invalid keys are refused, and a READ key cannot write.
{
    my $service = QSOsync::Service->start;
    my $read = $service->read_key;

    sub refused {
        my ($key, $why) = @_;
        my $response = $service->get('/me', key => $key);
        is $response->status . ' ' . ($response->code || ''), '401 API_KEYS.INVALID', $why;
        is $response->header('WWW-Authenticate'), 'Bearer', "$why: the answer names the scheme";
    }

    refused(undef, 'a request without a key is refused');
    refused('', 'an empty key is refused');
    refused('qsosync_' . 'A' x 49, 'a key with a wrong checksum is refused');
    refused(substr($read, 0, -1), 'a key that is too short is refused');
    refused("${read}x", 'a key that is too long is refused');
    (my $other = $read) =~ tr/A-Za-z/a-zA-Z/;
    refused($other, 'a key in another case is refused');

    my $member = $service->add_member('21SD334');
    is $service->get('/me', key => $member->{read_key})->status, 200, 'a new key works at once';
    $service->admin('key', 'revoke', '21SD334', $_->{number})
        for grep { $_->{scope} eq 'READ' } @{JSON::PP::decode_json($service->admin('key', 'list', '21SD334',
            '--json'))};
    refused($member->{read_key}, 'a revoked key is refused at once');
    is $service->get('/me', key => $member->{write_key})->status, 200,
        "revoking a key leaves the member's other keys valid";
    $service->admin('member', 'disable', '21SD334');
    refused($member->{write_key}, "a disabled member's key is refused");
    $service->admin('member', 'enable', '21SD334');
    is $service->get('/me', key => $member->{write_key})->status, 200, 'the key of a member who is enabled again works';

    for my $case (['POST', '/logs/batch'], ['DELETE', '/logs/' . uuid()]) {
        my $response = $service->request(@$case, key => $read, body => 'not json');
        is $response->status . ' ' . $response->code, '403 API_KEYS.READ_ONLY',
            "a READ key may not $case->[0], even with an invalid body";
    }
    is $service->post_batch([qso()], key => undef)->status, 401,
        'a batch without a key gets 401, not 403';

    is $service->request(@$_)->status, 401, "$_->[0] $_->[1] needs a key"
        for ['GET', '/me'], ['GET', '/logs'], ['GET', '/logs/ids'], ['DELETE', '/logs/x'], ['GET', '/logs?limit=0'];
    is $service->request('DELETE', '/logs/x', key => $read)->status, 403,
        'a READ key may not delete, even with an invalid clientId';
    $service->admin('member', 'disable', '21SD334');
    is $service->post_batch([qso()], key => $member->{read_key})->status, 401,
        "a write with a disabled member's READ key gets 401, not 403";
    $service->stop;
}

done_testing;
