use QSOsync::Test fronts => 'nginx';

# An entry can name the state of the QSO on which its change is based. A newer stored state is not replaced.
my $service = QSOsync::Service->start;
my $other = $service->add_member('26AT101');
my $first = qso(notes => 'first');
$service->post_batch([$first]);
my $stored = sub { (grep { $_->{clientId} eq $first->{clientId} } $service->download)[0] };
my $send = sub {
    my ($qso, %option) = @_;
    return $service->post_batch([$qso], %option)->json->{results}[0];
};
my $base = $stored->()->{syncedAt};
is $send->({ %$first, notes => 'second', baseSyncedAt => $base })->{error}, undef,
    'a write based on the stored state is accepted';
my $second = $stored->();
is $second->{notes}, 'second', 'a write based on the stored state is stored';
ok !exists $second->{baseSyncedAt}, 'a QSO does not contain baseSyncedAt';
is_deeply $send->({ %$first, notes => 'third', baseSyncedAt => $base }), { clientId => $first->{clientId},
    id => undef, error => 'CONFLICT', permanent => JSON::PP::false, syncedAt => $second->{syncedAt} },
    'an entry based on an older state is a temporary conflict, and the result has the stored syncedAt';
is_deeply $stored->(), $second, 'a conflict writes nothing';
is $send->({ %$first, notes => 'third', baseSyncedAt => $_ })->{error}, undef,
    'an entry based on the current state, a later state or no state is accepted'
    for $stored->()->{syncedAt}, undef, '2099-01-01T00:00:00Z';
for my $wrong ('yesterday', 5, JSON::PP::true, {}) {
    is_deeply $send->({ %$first, baseSyncedAt => $wrong }), { clientId => $first->{clientId}, id => undef,
        error => 'baseSyncedAt must be the syncedAt of the QSO that was changed', permanent => JSON::PP::true },
        'an entry with an invalid baseSyncedAt is rejected permanently';
}
my $new = qso(baseSyncedAt => $base);
is $send->($new)->{error}, undef, 'an entry with baseSyncedAt creates a missing QSO';
is $send->({ %$new, baseSyncedAt => $base }, key => $other->{write_key})->{error}, 'CLIENT_ID_CONFLICT',
    "baseSyncedAt does not change the conflict over another member's clientId";
my $twice = $stored->();
my @two = map { { %$first, notes => $_, baseSyncedAt => $twice->{syncedAt} } } qw(one two);
my @results = @{$service->post_batch(\@two)->json->{results}};
is_deeply [map { $_->{error} } @results], [undef, 'CONFLICT'],
    'if two entries in a batch have the same baseSyncedAt, only the first entry is accepted';
my $described = JSON::PP::decode_json($service->get('/openapi.json')->body);
ok $described->{components}{schemas}{QsoEntry}{properties}{baseSyncedAt},
    'the API description has baseSyncedAt';
my $codes = $described->{components}{schemas}{BatchResult}{properties}{error}{'x-codes'};
is_deeply [grep { $_ eq 'CONFLICT' } @$codes], ['CONFLICT'], 'the API description has the code CONFLICT';

done_testing;
