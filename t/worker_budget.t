use QSOsync::Test fronts => 'all';

# A request that exceeds its budget of processor time ends. The client gets a 500, the log gets a line with the request
# id, and nothing from the request is saved. Other requests continue. The logbook of this test has a trigger that never
# ends.
my $service = QSOsync::Service->start(workers => 2, site => 1, environment => { QSOSYNC_REQUEST_CPU_MS => 300 });
$service->admin('uploads', 'on');
my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'programs');
my $burn = 'SELECT count(*) FROM (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c)';
$service->sqlite("CREATE TRIGGER burn AFTER INSERT ON qsos WHEN new.callsign_worked = '26BURN' BEGIN $burn; END");
$service->expect_log(qr/ended with GENERIC\.INTERNAL_ERROR|AH\d+|\[(?:notice|warn|error|info)\]/);

sub upload {
    my ($callsign) = @_;
    my $adif = '<call:' . length($callsign) . ">$callsign<qso_date:8>20260517<time_on:4>0842<band:3>11m<eor>";
    return $service->request('POST', '', raw_path => '/cloudlog/api/qso',
        body => JSON::PP::encode_json({ key => $token, type => 'adif', string => $adif }),
        headers => { 'Content-Type' => 'application/json' });
}
my %ways = (
    'a batch' => [sub {
        $service->post_batch([qso(callsignWorked => '26AT101'), qso(callsignWorked => $_[0])]);
    }, 2, 200],
    'an upload' => [\&upload, 1, 201],
);
for my $name (sort keys %ways) {
    my ($send, $count, $good) = @{$ways{$name}};
    my $before = $service->download;
    my $answer = $send->('26BURN');
    is $answer->status, 500, "$name that does not end is answered with 500";
    is $answer->body, '{"error":{"code":"GENERIC.INTERNAL_ERROR"}}', "the 500 for $name has the usual JSON";
    is $answer->header('Content-Type'), 'application/json', "the 500 for $name has the media type of JSON";
    is $answer->header('Cache-Control'), 'no-store', "caches may not store the 500 for $name";
    my $id = $answer->header('X-Request-Id') || 'none';
    my $line = qr/\Q$id\E\] ended with GENERIC\.INTERNAL_ERROR: a step took more than 300 ms of processor time/;
    ok until_true(sub { $service->error_log_text =~ $line }), "the log states why $name ended, under its request id";
    if ($service->has_socket) { # other fronts start their programs themselves
        $service->replace_ended_workers;
        QSOsync::Front::start_site_worker($service) if $name eq 'an upload';
    }
    is scalar($service->download), $before, "nothing from $name is saved";
    is $send->('26AT102')->status, $good, "the next writer does not wait for a lock from $name";
    is scalar($service->download), $before + $count, "the QSOs of the next writer are saved after $name";
}
is +($service->admin_try('check'))[0], 0, 'the logbook passes the check';

# A request with many steps has the whole budget for each step. The key comes first, as in the bodies that programs
# send.
my @records = map { sprintf '<call:7>26AT%03d<qso_date:8>2025%02d%02d<time_on:4>%02d%02d<band:3>11m<eor>', $_ % 1000,
    1 + $_ / 1000 % 12, 1 + $_ % 28, $_ / 60 % 24, $_ % 60 } 1 .. 40_000;
my $before = $service->download;
my $answer = $service->request('POST', '', raw_path => '/cloudlog/api/qso',
    body => JSON::PP->new->canonical->encode({ key => $token, type => 'adif', string => join '', @records }),
    headers => { 'Content-Type' => 'application/json' });
is $answer->status . ' ' . ($answer->json->{adif_count} // ''), '201 40000',
    'a long upload of many transactions completes';

done_testing;
