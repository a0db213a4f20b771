use QSOsync::Test fronts => 'nginx', slow => 15;
use Digest::SHA qw(sha256_hex);
use QSOsync::Callgrind;

# A peer gets a bounded share of the machine. A peer's questions per minute are limited over all addresses of the peer.
# The QSOs examined per question are limited, whatever the size of the logs.
my $limit = 20;
my $service = QSOsync::Service->start(site => 1, environment => { QSOSYNC_RATE_LIMIT => $limit });
my @peers = map { credential('qsosyncpeer_', $_) } 'A' .. 'C';
$service->sqlite("INSERT INTO peers (name, address, added_at, paired_at, code, fingerprint, ask_key) VALUES "
    . join(', ', map { "('$_', 'https://$_', 1, 1, randomblob(32), X'" . sha256_hex($_) . "', 'x')" } @peers[0, 1]));
my ($one, $other, $unknown) = @peers;

sub statuses {
    my ($key, $address, $count) = @_;
    my %count;
    for (1 .. $count) {
        my $answer = QSOsync::Client::request($service->port, 'POST', '/peers/v1/claims', from => $address,
            headers => { Authorization => "Bearer $key", 'Content-Type' => 'application/json' },
            body => '{"members":[]}');
        $count{$answer->status}++;
        $count{wait} = $answer->header('Retry-After') if $answer->status == 429;
    }
    return \%count;
}
my $first = statuses($one, '127.0.0.1', $limit + 2);
like delete $first->{wait}, qr/\A[1-9]\d?\z/, 'a peer above the limit gets 429 with Retry-After';
is_deeply $first, { 200 => $limit, 429 => 2 }, "$limit questions from a peer are answered per minute";
is statuses($one, '127.0.0.2', 1)->{429}, 1, "a peer's requests from all addresses count towards one limit";
is_deeply statuses($other, '127.0.0.1', 5), { 200 => 5 }, 'a second peer at the same address has its own limit';
my $strange = statuses($unknown, '127.0.0.3', $limit + 3);
is "$strange->{401} $strange->{429}", "$limit 3",
    "a request with an unknown key counts towards the limit of the sender's address";
$service->stop;

SKIP: {
    skip 'valgrind cannot run these programs', 1 if !QSOsync::Callgrind::is_possible();
    my @works;
    for my $qsos (5_000, 20_000) {
        my $service = QSOsync::Service->start;
        fill_log($service, $qsos);
        $service->sqlite("INSERT INTO peers (name, address, added_at, paired_at, code, fingerprint, ask_key)
            VALUES ('club', 'https://club', 1, 1, randomblob(32), X'" . sha256_hex($one) . "', 'x')");
        my $worker = QSOsync::Callgrind->start($service, QSOsync::Front::site_program());
        my ($cursor, $pages, %claims);
        my @members = map { { callsign => $_, since => undef } } '77AT100', '77AT101', map { "99ZZ$_" } 1 .. 998;
        my $most = 0;
        do {
            my ($answer, $work) = $worker->ask({ REQUEST_METHOD => 'POST', REQUEST_URI => '/peers/v1/claims',
                HTTP_AUTHORIZATION => "Bearer $one", CONTENT_TYPE => 'application/json' },
                body => JSON::PP::encode_json({ members => \@members, cursor => $cursor }));
            my $page = $answer->json;
            $claims{$_->{id}}++ for @{$page->{claims}};
            $cursor = $page->{nextCursor};
            $most = $work if $pages++ && $work > $most; # the first question prepares statements
        } while $cursor && $pages < 100;
        push @works, $most;
        cmp_ok $pages, '>=', $qsos / 2000, "$qsos QSOs are returned in pages";
        is join(' ', sort { $a <=> $b } map { s/.*\.//r } keys %claims),
            $service->sqlite("SELECT group_concat(id, ' ') FROM (SELECT id FROM qsos WHERE member_id = 1
                AND worked_key IN ('77AT100', '77AT101') ORDER BY id)"), "each claim among $qsos QSOs is returned";
        $worker->stop;
        $service->stop;
    }
    cmp_ok $works[1], '<=', 1.2 * $works[0], 'the work per request hardly grows with the number of QSOs';
}

done_testing;
