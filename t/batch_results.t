use QSOsync::Test fronts => 'essential';

# Each entry of a batch has a result.
my $service = QSOsync::Service->start;

sub results { $service->post_batch([@_])->json->{results} }

my ($good, $bad, $pmr) = (qso(), qso(band => 'X'), qso(band => 'PMR446', channel => 3));
my $results = results($good, $bad, 5, undef, [], 'x', qso(clientId => 'nope'), qso(clientId => 7), $pmr);
is scalar(@$results), 9, 'each entry has a result';
is_deeply $results->[0], { clientId => $good->{clientId}, id => $results->[0]{id}, spottedAt => undef },
    'the result of an accepted entry has its id and spottedAt';
like $results->[0]{id}, qr/\A\d+\z/, 'the id in a result is decimal text';
is_deeply $results->[1], { clientId => $bad->{clientId}, id => undef, permanent => JSON::PP::true(),
    error => 'band must be one of ELEVEN_METERS, PMR446' }, 'the result of a rejected entry has the reason';
for (2 .. 5) {
    is $results->[$_]{clientId}, undef, 'the result of an entry that is not an object has no clientId';
    ok $results->[$_]{permanent} && $results->[$_]{error} =~ / /,
        'an entry that is not an object is rejected permanently, with a sentence';
}
is $results->[6]{clientId}, 'nope', 'the result repeats an invalid clientId unchanged';
is $results->[6]{error}, 'CLIENT_ID_INVALID', 'a clientId that is not a UUID is rejected';
is $results->[7]{clientId}, undef, 'the result does not repeat a clientId that is not a string';
is $results->[7]{error}, 'CLIENT_ID_INVALID', 'a clientId that is not a string is rejected';
ok $results->[8]{id}, 'an entry after rejected entries is saved';
is scalar($service->download), 2, 'rejected entries are not saved';

my $upper = qso(clientId => uc $good->{clientId}, notes => 'again');
is results($upper)->[0]{clientId}, uc $good->{clientId}, 'the spelling of a UUID is kept in the result';
is((grep { $_->{clientId} eq $good->{clientId} } $service->download)[0]{notes}, 'again',
    'two spellings of a UUID are one QSO, which the log returns in lower case');

my $twice = uuid();
$results = results(qso(clientId => $twice, notes => 'first'), qso(clientId => $twice, notes => 'second'));
is $results->[0]{id}, $results->[1]{id}, 'two entries with the same clientId in a batch are one QSO';
is((grep { $_->{clientId} eq $twice } $service->download)[0]{notes}, 'second',
    'if two entries share a clientId, the later entry is stored');

my $other = $service->add_member('26AT101');
my $taken = $service->post_batch([qso(clientId => $twice), qso()], key => $other->{write_key})->json->{results};
is_deeply $taken->[0], { clientId => $twice, id => undef, error => 'CLIENT_ID_CONFLICT',
    permanent => JSON::PP::true() }, "another member's clientId is a conflict";
ok $taken->[1]{id}, "an entry after an entry with another member's clientId is saved";

is results({ clientId => 'x', band => 'y', qsoAt => 'z' })->[0]{error}, 'CLIENT_ID_INVALID',
    'an entry with several invalid fields is rejected for the first invalid field';
is results(qso(qsoAt => 'z', txPowerW => -1))->[0]{error}, 'DATETIME_INVALID',
    "the rejection names the first invalid field in the order of the API's table";
is results(qso(clientId => '00000000-0000-0000-0000-000000000000'))->[0]{error}, undef,
    'the nil UUID is accepted as a clientId';

my @mixed = map { $_ % 3 ? qso() : qso(mode => 'X') } 1 .. 200;
$results = results(@mixed);
is_deeply [map { $_->{clientId} } @$results], [map { $_->{clientId} } @mixed],
    'results are in the order of the entries';
is_deeply [map { $_->{error} ? 1 : 0 } @$results], [map { $_ % 3 ? 0 : 1 } 1 .. 200],
    'each result belongs to its own entry';
my %saved = map { $_->{clientId} => $_ } $service->download;
is scalar(grep { $results->[$_]{id} && $saved{$mixed[$_]{clientId}}{id} ne $results->[$_]{id} } 0 .. 199), 0,
    'the ids in the results are the ids in the log';
is scalar(grep { $results->[$_]{error} && $saved{$mixed[$_]{clientId}} } 0 .. 199), 0,
    'no rejected entry is saved';

results(my $kept = qso(notes => 'kept'));
ok results({ %$kept, notes => 'lost', mode => 'X' })->[0]{permanent},
    'an update with an invalid field is rejected permanently';
is((grep { $_->{clientId} eq $kept->{clientId} } $service->download)[0]{notes}, 'kept',
    'a rejected update leaves the QSO unchanged');

done_testing;
