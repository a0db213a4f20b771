use QSOsync::Test fronts => 'essential';

# GET /me tells whose key it is.
my $service = QSOsync::Service->start;
is_deeply $service->get('/me')->json, { callsign => '21SD333', locator => 'JO59jw', scope => 'READ' },
    'a READ key names its member and scope';
is $service->get('/me', key => $service->write_key)->json->{scope}, 'WRITE', 'a WRITE key names its scope';
my $other = $service->add_member(' 26at101 ', locator => 'io91WM');
is_deeply $service->get('/me', key => $other->{read_key})->json,
    { callsign => '26AT101', locator => 'IO91wm', scope => 'READ' },
    '/me shows the callsign in upper case and the locator in its normal form';
is $service->get('/me?anything=else')->status, 200, '/me ignores unknown parameters';

done_testing;
