use QSOsync::Test fronts => 'main';

# A flood of wrong keys is cheap, and ends at the request limit.
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
is answer($service->read_key), '429 GENERIC.RATE_LIMITED', 'a right key is refused like others when no request is left';

done_testing;
