use QSOsync::Test fronts => 'nginx';

# A large log takes no more worker memory than a small log, because ids are streamed and the log is read in pages.
my $count = $ENV{QSOSYNC_TEST_QSOS} || 100_000;
my $service = QSOsync::Service->start(workers => 1);
my ($worker) = $service->worker_pids;

# Returns the memory of the worker in KiB. A sanitizer keeps freed memory, so the worker can then grow.
sub memory { $service->memory_kib($worker, 'RssAnon') }

$service->post_batch([full_qso()]);
$service->get($_) for '/logs/ids', '/logs?limit=500', '/logs/ids';
my $before = memory();
plan skip_all => 'the system does not report the memory of a process' unless $before;
my $may_grow = QSOsync::Front::read_file(QSOsync::Front::worker_program()) =~ /__asan_init/ ? 1 << 20 : 1024;

# Every tenth QSO is from before synchronisation, and the other QSOs are like QSOs from clients.
$service->sqlite("INSERT INTO qsos (member_id, client_id, synced_at, created_at, band, qso_at, notes)
    SELECT 1, CASE WHEN value % 10 THEN randomblob(16) END, 1000 + value / 7, 0, 0, value, 'number ' || value
    FROM generate_series(1, $count)");
my $response = $service->get('/logs/ids');
is $response->status, 200, "a large log's list of ids is returned";
ok $response->complete, "a large log's list of ids arrives completely";
my $ids = () = $response->body =~ /"id":"\d+"/g;
is $ids, $count + 1, "a large log's list of ids contains every QSO";
my $without = () = $response->body =~ /"clientId":null/g;
is $without, int($count / 10), "a large log's list of ids contains the QSOs without a clientId";
my %numbers = map { $_ => 1 } $response->body =~ /"id":"(\d+)"/g;
is scalar(keys %numbers), $count + 1, "a large log's list of ids contains no QSO twice";
cmp_ok memory() - $before, '<', $may_grow, "listing a large log takes less than a MiB of the worker's memory";

is $service->get('/logs/ids', headers => { 'If-None-Match' => $response->header('ETag') })->status, 304,
    "an unchanged large log's list of ids is not sent again";
my $head = $service->request('HEAD', '/logs/ids', key => $service->read_key);
is $head->status . length $head->body, '2000', "HEAD of a large log's list of ids returns no body";

# Reads up to 40 pages. A cursor contains syncedAt and id, and seven QSOs share a syncedAt.
my ($seen, $pages, $cursor, $last, %page_ids) = (0, 0);
do {
    my $body = $service->get('/logs?limit=499' . (defined $cursor ? "&cursor=$cursor" : ''))->body;
    for my $item ($body =~ /("id":"\d+","crossConfirmedAt".*?"syncedAt":"[^"]+")/g) {
        my ($id, $stamp) = $item =~ /"id":"(\d+)".*"syncedAt":"([^"]+)"/;
        my $place = sprintf '%s %09d', $stamp, $id;
        fail "$place follows $last" if defined $last && $place le $last;
        $last = $place;
        $seen++;
    }
    ($cursor) = $body =~ /"nextCursor":"([^"]+)"/;
    $pages++;
} while (defined $cursor && $pages < 40);
is $seen, 40 * 499, 'pages follow one another without a gap, even if many QSOs share a stamp' if $count >= 20_000;
cmp_ok memory() - $before, '<', $may_grow, "reading a large log in pages takes less than a MiB of the worker's memory";

done_testing;
