use QSOsync::Test fronts => 'main';

# A batch is one transaction in which an entry can fail alone.
my $service = QSOsync::Service->start;
$service->expect_log(qr/the database refused|refuses this/);
my $other = $service->add_member('26AT101');

# The database refuses one entry, as a rule would that the program does not know.
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
is $response->status, 200, 'an entry that fails alone does not fail the batch';
my $results = $response->json->{results};
is_deeply $results->[1], { clientId => $sent[1]{clientId}, id => undef, error => 'GENERIC.INTERNAL_ERROR' },
    'the result of an entry that failed is without permanent: it may be sent again';
ok $results->[0]{id} && $results->[2]{id}, 'the entries before and after one that failed are saved';
is join(' ', sort map { $_->{notes} } $service->download), 'first last',
    'nothing of an entry that failed is in the log';
is $service->sqlite('SELECT count(*) FROM spots'), 0, 'an entry that failed publishes no spot';
my ($partner) = $service->download(key => $other->{read_key});
is $partner->{crossConfirmedAt}, undef, 'an entry that failed confirms no QSO';

my $update = { %{$sent[0]}, notes => 'refused too' };
my ($before) = grep { $_->{notes} eq 'first' } $service->download;
$results = $service->post_batch([$update])->json->{results};
is $results->[0]{error}, 'GENERIC.INTERNAL_ERROR', 'an update can fail alone';
my ($after) = grep { $_->{clientId} eq $update->{clientId} } $service->download;
is_deeply $after, $before, 'an update that failed leaves the QSO as it was';
$results = $service->post_batch([qso(notes => 'refused'), { %{$sent[0]}, notes => 'refused' }])->json->{results};
is scalar(grep { $_->{error} eq 'GENERIC.INTERNAL_ERROR' } @$results), 2,
    'all entries of a batch can fail, each by itself';

$service->sqlite('DROP TRIGGER refuse_insert; DROP TRIGGER refuse_update');
is_deeply [map { $_->{error} } @{$service->post_batch([$sent[1]])->json->{results}}], [undef],
    'an entry that failed is accepted once the reason is gone';
($partner) = $service->download(key => $other->{read_key});
ok $partner->{crossConfirmedAt}, 'an entry that failed and is accepted later confirms its partner';

# The entry's row is written before its spot is refused.
$service->sqlite(q{CREATE TRIGGER refuse_spot BEFORE INSERT ON spots BEGIN SELECT RAISE(ABORT, 'refuses this'); END});
my $unspotted = qso(notes => 'unspotted', sendSpot => JSON::PP::true());
$results = $service->post_batch([$unspotted, qso(notes => 'after')])->json->{results};
is $results->[0]{error}, 'GENERIC.INTERNAL_ERROR', 'an entry whose spot is refused is rejected as a whole';
is scalar(grep { $_->{notes} eq 'unspotted' } $service->download), 0,
    'the row of an entry whose spot is refused is not in the log';
is scalar(grep { $_->{notes} eq 'after' } $service->download), 1, 'the entry after one whose spot is refused is saved';
is $service->admin('check'), '', 'the database is whole';

done_testing;
