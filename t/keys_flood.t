use QSOsync::Test;

# Most wrong keys are refused without the database, and requests with wrong keys count towards the request limit.
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
    skip 'the front server could start another worker, which would not find a logbook', 4 unless $service->has_socket;
    # While the table of keys is missing, a request that reads the table gets 500.
    $service->sqlite('ALTER TABLE api_keys RENAME TO away');
    is answer($mistyped), '401 API_KEYS.INVALID', 'a mistyped key is refused by its checksum, without the database';
    is answer('x' x 4000), '401 API_KEYS.INVALID',
        'text that does not look like a key is refused without the database';
    $service->expect_log(qr/api_keys|GENERIC\.INTERNAL_ERROR/);
    is answer($service->read_key), '500 GENERIC.INTERNAL_ERROR',
        'a well-formed key is looked up in the database';
    $service->sqlite('ALTER TABLE away RENAME TO api_keys');
    is answer($service->read_key), '200 ', 'a request with a valid key is answered when the table is back';
}

my $left = 300 - $asked;
my %count;
$count{answer($mistyped)}++ for 1 .. 310;
is_deeply \%count, { '401 API_KEYS.INVALID' => $left, '429 GENERIC.RATE_LIMITED' => 310 - $left },
    'requests with a wrong key count towards the limit of 300 per minute';
is answer($service->read_key), '429 GENERIC.RATE_LIMITED',
    'a valid key is refused when the address has no requests left';
$service->stop;

done_testing;
