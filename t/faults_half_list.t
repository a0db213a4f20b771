use QSOsync::Test fronts => 'main';

# A list of ids that cannot be read to its end breaks off: a client that took half of it for the whole would delete
# the other half of its log.
my $count = 20_000;
my $service = QSOsync::Service->start;
my $db = $service->db;
$service->expect_log(qr/malformed|answered with GENERIC|could not be finished|prematurely closed|AH\d+|mod_fcgid/);
$service->sqlite("INSERT INTO qsos (member_id, client_id, synced_at, created_at, band, qso_at)
    SELECT 1, randomblob(16), value, 0, 0, value FROM generate_series(1, $count)");
my ($page_bytes, @leaves) = split /\n/, $service->sqlite(q{PRAGMA page_size;
    SELECT pageno FROM dbstat WHERE name = 'qsos_by_change' AND pagetype = 'leaf' ORDER BY path});
my $whole = QSOsync::Front::read_file($db);

for my $leaf (0, int(@leaves / 2), $#leaves) {
    QSOsync::Front::overwrite($db, "\xff" x $page_bytes, ($leaves[$leaf] - 1) * $page_bytes);
    my $response = $service->get('/logs/ids');
    ok !($response && $response->complete && $response->json && $response->json->{items}),
        "with page $leaf of $#leaves damaged no list of ids looks whole";
    ok !$response || $response->status != 200 || !$response->complete,
        "with page $leaf of $#leaves damaged the answer is an error or breaks off"
        if $service->has_socket;
    is $response->code, 'GENERIC.INTERNAL_ERROR',
        "a list of ids that fails before anything is sent is answered with the API's error" if $leaf == 0;
    QSOsync::Front::overwrite($db, $whole, 0);
    $response = $service->get('/logs/ids');
    is $response && $response->complete && $response->json && @{$response->json->{items}}, $count,
        "a list of ids is whole as soon as page $leaf is put right";
}

done_testing;
