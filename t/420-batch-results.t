use QSOsync::Test fronts => 'all';

# The result of each entry of a batch.
my $service = QSOsync::Service->start;

sub results { $service->post_batch([@_])->json->{results} }

my ($good, $bad, $pmr) = (qso(), qso(band => 'X'), qso(band => 'PMR446', channel => 3));
my $results = results($good, $bad, 5, undef, [], 'x', qso(clientId => 'nope'), qso(clientId => 7), $pmr);
is scalar(@$results), 9, 'each entry has a result';
is_deeply $results->[0], { clientId => $good->{clientId}, id => $results->[0]{id}, spottedAt => undef },
    'an accepted one has its id and spottedAt';
like $results->[0]{id}, qr/\A\d+\z/, 'the id is decimal text';
is_deeply $results->[1], { clientId => $bad->{clientId}, id => undef, permanent => JSON::PP::true(),
    error => 'band must be one of ELEVEN_METERS, PMR446' }, 'a rejected one has the reason';
for (2 .. 5) {
    is $results->[$_]{clientId}, undef, 'an entry that is no object has no clientId';
    ok $results->[$_]{permanent} && $results->[$_]{error} =~ / /, 'and a sentence';
}
is $results->[6]{clientId}, 'nope', 'a clientId is repeated as it was sent';
is $results->[6]{error}, 'CLIENT_ID_INVALID', 'even if it is no UUID';
is $results->[7]{clientId}, undef, 'unless it is no string';
is $results->[7]{error}, 'CLIENT_ID_INVALID', 'which is no UUID either';
ok $results->[8]{id}, 'an entry behind rejected ones is saved';
is scalar($service->download), 2, 'the others are not';

my $upper = qso(clientId => uc $good->{clientId}, notes => 'again');
is results($upper)->[0]{clientId}, uc $good->{clientId}, 'the spelling of a UUID is kept in the result';
is((grep { $_->{clientId} eq $good->{clientId} } $service->download)[0]{notes}, 'again',
    'two spellings are one QSO, in lower case');

my $twice = uuid();
$results = results(qso(clientId => $twice, notes => 'first'), qso(clientId => $twice, notes => 'second'));
is $results->[0]{id}, $results->[1]{id}, 'a clientId twice in one batch is one QSO';
is((grep { $_->{clientId} eq $twice } $service->download)[0]{notes}, 'second', 'and the last one wins');

my $other = $service->add_member('26AT101');
my $taken = $service->post_batch([qso(clientId => $twice), qso()], key => $other->{write_key})->json->{results};
is_deeply $taken->[0], { clientId => $twice, id => undef, error => 'CLIENT_ID_CONFLICT',
    permanent => JSON::PP::true() }, "another member's clientId is a conflict";
ok $taken->[1]{id}, 'which leaves the other entries alone';

is results({ clientId => 'x', band => 'y', qsoAt => 'z' })->[0]{error}, 'CLIENT_ID_INVALID',
    'of several faults the first field counts';
is results(qso(qsoAt => 'z', txPowerW => -1))->[0]{error}, 'DATETIME_INVALID', 'in the order of the fields';
is results(qso(clientId => '00000000-0000-0000-0000-000000000000'))->[0]{error}, undef, 'the nil UUID counts';

my @mixed = map { $_ % 3 ? qso() : qso(mode => 'X') } 1 .. 200;
$results = results(@mixed);
is_deeply [map { $_->{clientId} } @$results], [map { $_->{clientId} } @mixed],
    'results stand in the order of the entries';
is_deeply [map { $_->{error} ? 1 : 0 } @$results], [map { $_ % 3 ? 0 : 1 } 1 .. 200],
    'each with its own verdict';
my %saved = map { $_->{clientId} => $_ } $service->download;
is scalar(grep { $results->[$_]{id} && $saved{$mixed[$_]{clientId}}{id} ne $results->[$_]{id} } 0 .. 199), 0,
    'the ids are those of the log';
is scalar(grep { $results->[$_]{error} && $saved{$mixed[$_]{clientId}} } 0 .. 199), 0, 'nothing rejected is saved';

# A rejected update leaves the QSO as it was.
results(my $kept = qso(notes => 'kept'));
ok results({ %$kept, notes => 'lost', mode => 'X' })->[0]{permanent}, 'an update can be rejected';
is((grep { $_->{clientId} eq $kept->{clientId} } $service->download)[0]{notes}, 'kept', 'and then changes nothing');

done_testing;
