use QSOsync::Test;

# Keys that do not work, and what READ keys may not do.

# Keys that do not work, and what READ keys may not do.
{
    my $service = QSOsync::Service->start;
    my $read = $service->read_key;

    sub refused {
        my ($key, $why) = @_;
        my $response = $service->get('/me', key => $key);
        is $response->status . ' ' . ($response->code || ''), '401 API_KEYS.INVALID', $why;
        is $response->header('WWW-Authenticate'), 'Bearer', "$why, and the answer names the scheme";
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
        'other keys of the member of a revoked key still work';
    $service->admin('member', 'disable', '21SD334');
    refused($member->{write_key}, 'the key of a disabled member is refused');
    $service->admin('member', 'enable', '21SD334');
    is $service->get('/me', key => $member->{write_key})->status, 200, 'the key of a member who is enabled again works';

    for my $case (['POST', '/logs/batch'], ['DELETE', '/logs/' . uuid()]) {
        my $response = $service->request(@$case, key => $read, body => 'not json');
        is $response->status . ' ' . $response->code, '403 API_KEYS.READ_ONLY',
            "a READ key may not $case->[0], and that is said before the body is looked at";
    }
    is $service->post_batch([qso()], key => undef)->status, 401,
        'a batch without a key is answered as one without a key, not as one with the wrong scope';

    is $service->request(@$_)->status, 401, "$_->[0] $_->[1] needs a key"
        for ['GET', '/me'], ['GET', '/logs'], ['GET', '/logs/ids'], ['DELETE', '/logs/x'], ['GET', '/logs?limit=0'];
    is $service->request('DELETE', '/logs/x', key => $read)->status, 403,
        'a READ key that deletes is refused before the clientId is looked at';
    $service->admin('member', 'disable', '21SD334');
    is $service->post_batch([qso()], key => $member->{read_key})->status, 401,
        'a READ key of a disabled member that writes is answered with 401, not 403';
    $service->stop;
}

# A flood of wrong keys is cheap, and ends at the request limit.
{
    my $service = QSOsync::Service->start(workers => 1, environment => { QSOSYNC_RATE_LIMIT => 300 });
    my $asked = 0;
    sub answer {
        my ($key) = @_;
        $asked++;
        my $response = $service->get('/me', key => $key);
        return $response->status . ' ' . ($response->code || '');
    }
    my $mistyped = $service->read_key;
    substr $mistyped, 20, 1, substr($mistyped, 20, 1) eq 'A' ? 'B' : 'A';

    is answer($service->read_key), '200 ', 'a request with a right key is answered';
    SKIP: {
        skip 'the front may start another worker, which would find no logbook', 4 unless $service->has_socket;
        # Where the table of keys is gone, only those that never ask for it are answered.
        $service->sqlite('ALTER TABLE api_keys RENAME TO away');
        is answer($mistyped), '401 API_KEYS.INVALID', 'a mistyped key is refused by its checksum, without the database';
        is answer('x' x 4000), '401 API_KEYS.INVALID', 'what does not look like a key is refused without the database';
        $service->expect_log(qr/api_keys|GENERIC\.INTERNAL_ERROR/);
        is answer($service->read_key), '500 GENERIC.INTERNAL_ERROR',
            'a key that could be right is looked for in the database';
        $service->sqlite('ALTER TABLE away RENAME TO api_keys');
        is answer($service->read_key), '200 ', 'a right key is answered when the database is whole again';
    }

    my $left = 300 - $asked;
    my %count;
    $count{answer($mistyped)}++ for 1 .. 310;
    is_deeply \%count, { '401 API_KEYS.INVALID' => $left, '429 GENERIC.RATE_LIMITED' => 310 - $left },
        'requests with a wrong key count: 300 of them in a minute';
    is answer($service->read_key), '429 GENERIC.RATE_LIMITED',
        'a right key is refused like others when no request is left';
    $service->stop;
}

done_testing;
