use QSOsync::Test;
use File::Find ();

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
        "a revoked key leaves the member's other keys valid";
    $service->admin('member', 'disable', '21SD334');
    refused($member->{write_key}, 'the key of a disabled member is refused');
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
        'a write with a READ key of a disabled member gets 401, not 403';
    $service->stop;
}

# A flood of wrong keys is cheap, and is stopped by the request limit.
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

    is answer($service->read_key), '200 ', 'a request with a valid key is answered';
    SKIP: {
        skip 'the front server may start another worker, which would not find a logbook', 4 unless $service->has_socket;
        # Without the table of keys, only requests that never read it are answered.
        $service->sqlite('ALTER TABLE api_keys RENAME TO away');
        is answer($mistyped), '401 API_KEYS.INVALID', 'a mistyped key is refused by its checksum, without the database';
        is answer('x' x 4000), '401 API_KEYS.INVALID',
            'text that does not look like a key is refused without the database';
        $service->expect_log(qr/api_keys|GENERIC\.INTERNAL_ERROR/);
        is answer($service->read_key), '500 GENERIC.INTERNAL_ERROR',
            'a well-formed key is looked up in the database';
        $service->sqlite('ALTER TABLE away RENAME TO api_keys');
        is answer($service->read_key), '200 ', 'a valid key is answered when the database is repaired';
    }

    my $left = 300 - $asked;
    my %count;
    $count{answer($mistyped)}++ for 1 .. 310;
    is_deeply \%count, { '401 API_KEYS.INVALID' => $left, '429 GENERIC.RATE_LIMITED' => 310 - $left },
        'requests with a wrong key count: 300 of them per minute';
    is answer($service->read_key), '429 GENERIC.RATE_LIMITED',
        'a valid key is refused too when no request is left';
    $service->stop;
}

# A key exists only in its request: not in a file, not in an answer, and not in a worker's memory afterwards.
{
    my $service = QSOsync::Service->start(workers => 1);
    my ($read, $write) = ($service->read_key, $service->write_key);
    (my $unknown = $read) =~ tr/a-y/b-z/;
    my @keys = ($read, $write, substr($write, 0, -1), $unknown);
    my $me = ['GET', '/me'];

    # One request per kind of answer to a request with a key.
    my @requests = (
        (map { [@$me, key => $_] } @keys), (map { [@$me, headers => { 'X-API-Key' => $_ }] } @keys),
        [@$me, key => $read, headers => { 'X-API-Key' => $write }],
        [@$me, headers => { Authorization => "Basic $read" }], [@$me, headers => { Authorization => $read }],
        ['GET', '/logs', key => $read], ['GET', '/logs?limit=0', key => $read], ['GET', '/logs/ids', key => $read],
        ['GET', '/nothing', key => $read], ['PUT', '/me', key => $read, body => ''], ['GET', '/openapi.json',
            key => $read],
        ['POST', '/logs/batch', key => $write, json => { entries => [map { full_qso() } 1 .. 200] }],
        ['POST', '/logs/batch', key => $read, json => { entries => [qso()] }],
        ['POST', '/logs/batch', key => $write, body => '{', headers => { 'Content-Type' => 'application/json' }],
        ['DELETE', '/logs/' . uuid(), key => $write],
    );

    # A part of a key counts too.
    sub holds_key { my ($text) = @_; return scalar grep { index($text, substr $_, 12, 25) >= 0 } @keys }

    my ($worker) = $service->worker_pids;
    my $readable = $worker && !QSOsync::Front::is_instrumented() && defined $service->memory_of($worker);

    # The answer may arrive shortly before the worker finishes the request.
    sub is_forgotten { until_true(sub { !holds_key($service->memory_of($worker)) }) }

    my @kept;
    for my $request (@requests) {
        my $response = $service->request(@$request);
        my $name = "$request->[0] $request->[1] $request->[2]";
        ok !holds_key(join '', $response->body, map { @$_ } values %{$response->headers}),
            "the answer to $name contains no key";
        push @kept, $name if $readable && !is_forgotten();
    }
    SKIP: {
        skip 'only root can read the memory of a worker that the test started', 2 unless $readable;
        like $service->memory_of($worker), qr/\Q@{[$service->db]}\E/, "the worker's memory can be read";
        is "@kept", '', "after a request the worker's memory contains no part of its key";
    }

    my (@files, @holding);
    File::Find::find({ no_chdir => 1, wanted => sub { push @files, $_ if -f $_ } }, $service->directory);
    holds_key(QSOsync::Front::read_file($_)) and push @holding, $_ for @files;
    for my $suffix ('', '-gate', '-limits') {
        ok scalar(grep { $_ eq $service->db . $suffix } @files), "the search for keys read logbook.db$suffix";
    }
    is "@holding", '', 'no file of the service contains a key or a part of a key';
    $service->stop;
}

done_testing;
