use QSOsync::Test fronts => 'essential';

# A QSO's spot is published once, with the data at that moment, and exists as long as the QSO.
my $service = QSOsync::Service->start;
sub save { $service->post_batch([@_])->json->{results} }
sub spots { JSON::PP::decode_json($service->admin('spots', '--json')) }
sub spots_of { my ($id) = @_; return grep { $_->{qsoId} == $id } @{spots()} }
my $true = JSON::PP::true();

my $live = full_qso(sendSpot => $true);
my ($quiet, $refused) = (full_qso(sendSpot => JSON::PP::false()), full_qso(sendSpot => $true, txPowerW => -1));
my $results = save($live, $quiet, $refused);
like $results->[0]{spottedAt}, qr/\A\d{4}-.*Z\z/, 'the result of a write with sendSpot has the time of the spot';
is $results->[1]{spottedAt}, undef, 'a write without sendSpot publishes no spot';
is scalar(@{spots()}), 1, 'a rejected entry with sendSpot publishes no spot';
my ($item) = grep { $_->{clientId} eq $live->{clientId} } $service->download;
is $item->{spottedAt}, $results->[0]{spottedAt}, 'the log has the time of the spot';

# A later write of a spotted QSO keeps the spot.
my ($spot) = spots_of($results->[0]{id});
my $again = save({ %$live, callsignWorked => 'OTHER', frequencyMhz => '26.500', mode => 'FM' })->[0];
is $again->{spottedAt}, $results->[0]{spottedAt}, 'a later write with sendSpot keeps the time of the spot';
delete $live->{sendSpot};
is save($live)->[0]{spottedAt}, $results->[0]{spottedAt}, 'a later write without sendSpot keeps the time of the spot';
is_deeply [spots_of($results->[0]{id})], [$spot], 'later writes neither repeat nor change a spot';
is scalar(@{spots()}), 1, 'later writes of a spotted QSO add no spot';

# These writes need nothing except sendSpot to publish a spot.
ok save({ %$quiet, sendSpot => $true })->[0]{spottedAt},
    'an update with sendSpot publishes a QSO that was saved without sendSpot';
my $bare = save(qso(sendSpot => $true), qso(band => 'PMR446', channel => 16, sendSpot => $true));
ok $_->{spottedAt}, 'a QSO without callsign worked and frequency can be published' for @$bare;
ok save(qso(sendSpot => $true, qsoStatus => 'HRD', qsoAt => '1999-01-01T00:00:00Z'))->[0]{spottedAt},
    'a QSO of another time and status can be published';
my $rejected = qso(sendSpot => $true, txPowerW => -1);
is save({ %$rejected, txPowerW => 1, sendSpot => undef })->[0]{spottedAt}, undef,
    'a write with sendSpot null publishes no spot';
ok save($rejected, { %$rejected, txPowerW => 1 }, $rejected)->[1]{spottedAt},
    'if a batch has a QSO several times, the accepted entry is published';

# A spot is deleted with its QSO.
is scalar(@{spots()}), 6, 'six QSOs have been published';
is $service->delete_qso($live->{clientId})->status, 204, 'a spotted QSO can be deleted';
is scalar(spots_of($results->[0]{id})), 0, 'a deleted QSO has no spot';
is scalar(@{spots()}), 5, "a deletion keeps other QSOs' spots";
is scalar(grep { $_->{dxCallsign} && $_->{spotter} eq '21SD333/P' } @{spots()}), 1,
    'a deletion keeps the spots of the same station';
ok save({ %$live, sendSpot => $true })->[0]{spottedAt},
    'a QSO that is sent again after its deletion can be published again';

# A member publishes at most twenty spots per minute, so that one member cannot crowd out the other members.
$service->sqlite('DELETE FROM spot_times');
my @flood = map { qso(sendSpot => $true) } 1 .. 45;
my @spotted = map { $_->{spottedAt} } @{save(@flood)};
is scalar(grep { defined } @spotted[0 .. 19]), 20, "twenty of a member's spots are published per minute";
is_deeply [grep { defined } @spotted[20 .. 44]], [],
    'QSOs above the limit of twenty spots per minute are saved without a spot';
is scalar(grep { defined $_->{id} } @{save(@flood[20 .. 44])}), 25, 'a QSO above the limit of spots is not rejected';
$service->delete_qso($_->{clientId}) for @flood[0 .. 9];
is save($flood[20])->[0]{spottedAt}, undef, 'deleted spots still count towards the limit';
my $other = $service->add_member('26AT101');
ok $service->post_batch([qso(sendSpot => $true)], key => $other->{write_key})->json->{results}[0]{spottedAt},
    "one member's spots do not count towards another member's limit";
$service->sqlite('UPDATE spot_times SET spotted_at = spotted_at - 60000');
ok save($flood[20])->[0]{spottedAt}, 'a later write publishes a QSO that was above the limit';
$service->sqlite('UPDATE spot_times SET spotted_at = spotted_at + 3600000');
ok save($flood[21])->[0]{spottedAt}, 'spots that are later than the corrected clock do not count';
$service->admin('member', 'disable', '26AT101');
$service->admin('member', 'delete', '26AT101', '--yes');
is $service->sqlite('SELECT count(DISTINCT member_id) FROM spot_times'), 1,
    'a member who has published spots can be deleted';

# Nobody can publish in the name of another member.
$service->sqlite('DELETE FROM spot_times');
$service->add_member('30-RC-010');
my %spotter = map { $_->{qsoId} => $_->{spotter} }
    do { save(map { qso(sendSpot => $true, operatorCallsign => $_) } '30RC010', '30 rc.010', '30RC010/P', '21-SD-333',
    'CLUB1'); @{spots()} };
is_deeply [map { $spotter{$_} } sort { $a <=> $b }
    grep { defined $spotter{$_} } (sort { $b <=> $a } keys %spotter)[0 .. 4]],
    ['21SD333', '21SD333', '30RC010/P', '21-SD-333', 'CLUB1'],
    "a spotter with another member's callsign is replaced by the member who published";
is $service->admin('check'), '', 'the logbook passes the check';

done_testing;
