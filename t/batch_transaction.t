use QSOsync::Test fronts => 'nginx';

# A batch is one transaction in which individual entries can fail.
my $service = QSOsync::Service->start;
$service->expect_log(qr/the database refused|refuses this/);
my $other = $service->add_member('26AT101');

# The database rejects one entry by a rule that the program does not have.
$service->sqlite(q{CREATE TRIGGER refuse_insert AFTER INSERT ON qsos WHEN NEW.notes LIKE 'refused%'
    BEGIN SELECT RAISE(ABORT, 'refuses this'); END});
$service->sqlite(q{CREATE TRIGGER refuse_update AFTER UPDATE OF notes ON qsos WHEN NEW.notes LIKE 'refused%'
    BEGIN SELECT RAISE(ABORT, 'refuses this'); END});
my $theirs = qso(callsignWorked => '21SD333');
$service->post_batch([$theirs], key => $other->{write_key});

my @sent = (qso(notes => 'first'),
    qso(notes => 'refused', sendSpot => JSON::PP::true(), frequencyMhz => '27.555', callsignWorked => '26AT101'),
    qso(notes => 'last'));
my $response = $service->post_batch(\@sent);
is $response->status, 200, 'one failing entry does not fail the batch';
my $results = $response->json->{results};
is_deeply $results->[1], { clientId => $sent[1]{clientId}, id => undef, error => 'GENERIC.INTERNAL_ERROR' },
    'the result of a failing entry is not permanent';
ok $results->[0]{id} && $results->[2]{id}, 'entries before and after a failing entry are saved';
is join(' ', sort map { $_->{notes} } $service->download), 'first last',
    'a failing entry writes nothing to the log';
is $service->sqlite('SELECT count(*) FROM spots'), 0, 'a failing entry publishes no spot';
my ($partner) = $service->download(key => $other->{read_key});
is $partner->{crossConfirmedAt}, undef, 'a failing entry confirms no QSO';

my $update = { %{$sent[0]}, notes => 'refused too' };
my ($before) = grep { $_->{notes} eq 'first' } $service->download;
$results = $service->post_batch([$update])->json->{results};
is $results->[0]{error}, 'GENERIC.INTERNAL_ERROR', 'a failing update does not fail the batch';
my ($after) = grep { $_->{clientId} eq $update->{clientId} } $service->download;
is_deeply $after, $before, 'a failing update keeps the QSO';
$results = $service->post_batch([qso(notes => 'refused'), { %{$sent[0]}, notes => 'refused' }])->json->{results};
is scalar(grep { $_->{error} eq 'GENERIC.INTERNAL_ERROR' } @$results), 2,
    'each entry in a batch can fail individually';

$service->sqlite('DROP TRIGGER refuse_insert; DROP TRIGGER refuse_update');
is_deeply [map { $_->{error} } @{$service->post_batch([$sent[1]])->json->{results}}], [undef],
    'a failed entry is accepted after the cause of the failure is removed';
($partner) = $service->download(key => $other->{read_key});
ok $partner->{crossConfirmedAt}, 'a failed entry that is accepted later confirms its partner';

# The QSO is written before the spot fails.
$service->sqlite(q{CREATE TRIGGER refuse_spot BEFORE INSERT ON spots BEGIN SELECT RAISE(ABORT,
    'refuses this'); END});
my $unspotted = qso(notes => 'unspotted', sendSpot => JSON::PP::true());
$results = $service->post_batch([$unspotted, qso(notes => 'after')])->json->{results};
is $results->[0]{error}, 'GENERIC.INTERNAL_ERROR', 'an entry whose spot fails is rejected as a whole';
is scalar(grep { $_->{notes} eq 'unspotted' } $service->download), 0,
    'an entry whose spot fails is not in the log';
is scalar(grep { $_->{notes} eq 'after' } $service->download), 1,
    'the entry after an entry whose spot fails is saved';
is $service->admin('check'), '', 'the logbook passes the check after failing entries';

# If a list of ids cannot be read completely, the answer breaks off. A client that accepted a partial list as complete
# would delete the rest of its log.
{
    my $count = 10_000;
    my $service = QSOsync::Service->start;
    my $db = $service->db;
    $service->expect_log(
        qr/malformed|answered with GENERIC|could not be finished|prematurely closed|AH\d+|mod_fcgid/);
    $service->sqlite("INSERT INTO qsos (member_id, client_id, synced_at, created_at, band, qso_at)
        SELECT 1, randomblob(16), value, 0, 0, value FROM generate_series(1, $count)");
    my ($page_bytes, @leaves) = split /\n/, $service->sqlite(q{PRAGMA page_size;
        SELECT pageno FROM dbstat WHERE name = 'qsos_by_change' AND pagetype = 'leaf' ORDER BY path});
    my $whole = QSOsync::Front::read_file($db);

    for my $leaf (0, int(@leaves / 2), $#leaves) {
        QSOsync::Front::overwrite($db, "\xff" x $page_bytes, ($leaves[$leaf] - 1) * $page_bytes);
        my $response = $service->get('/logs/ids');
        ok !($response && $response->complete && ($response->json || {})->{items}),
            "if page $leaf of $#leaves is damaged, no list of ids looks complete";
        ok !$response || $response->status != 200 || !$response->complete,
            "if page $leaf of $#leaves is damaged, the answer is an error or breaks off"
            if $service->has_socket;
        is $response->code, 'GENERIC.INTERNAL_ERROR',
            "a list of ids that fails early gets the API's error" if $leaf == 0;
        QSOsync::Front::overwrite($db, $whole, 0);
        $response = $service->get('/logs/ids');
        is $response && $response->complete && @{($response->json || {})->{items} || []}, $count,
            "after the repair of page $leaf, a list of ids is complete";
    }
}
$service->stop;

done_testing;
