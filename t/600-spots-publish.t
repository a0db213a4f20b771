use QSOsync::Test fronts => 'all';

# A write with sendSpot publishes a spot, once per QSO.
my $service = QSOsync::Service->start;
sub save { $service->post_batch([@_])->json->{results} }
sub spots { JSON::PP::decode_json($service->admin('spots', '--json')) }
my $true = JSON::PP::true();

my $live = full_qso(sendSpot => $true, notes => 'SECRET', myLocator => 'JO59jw');
my ($quiet, $refused) = (full_qso(sendSpot => JSON::PP::false()), full_qso(sendSpot => $true, txPowerW => -1));
my $results = save($live, $quiet, $refused);
like $results->[0]{spottedAt}, qr/\A\d{4}-.*Z\z/, 'the result tells when it was spotted';
is $results->[1]{spottedAt}, undef, 'without sendSpot there is no spot';
my @spots = @{spots()};
is scalar(@spots), 1, 'a rejected entry is no spot';
is $spots[0]{spotter}, '21SD333/P', 'the spotter is the station callsign';
is $spots[0]{dxCallsign}, '26AT101', 'the spot names the station worked';
is $spots[0]{frequencyHz}, 27_555_000, 'and the frequency';
is $spots[0]{mode}, 'USB', 'and the mode';
is $spots[0]{dxLocator}, 'IO91wm', 'and the locators';
my $text = JSON::PP::encode_json(\@spots);
unlike $text, qr/SECRET|51\.507|0\.1277/, 'never notes nor exact coordinates';

my ($item) = grep { $_->{clientId} eq $live->{clientId} } $service->download;
is $item->{spottedAt}, $results->[0]{spottedAt}, 'listings tell it, too';
my $again = save({ %$live, callsignWorked => 'OTHER' })->[0];
is $again->{spottedAt}, $results->[0]{spottedAt}, 'a later write does not move it';
delete $live->{sendSpot};
is save($live)->[0]{spottedAt}, $results->[0]{spottedAt}, 'nor does one without sendSpot';
is spots()->[0]{dxCallsign}, '26AT101', 'the spot stays as it was';
is scalar(@{spots()}), 1, 'and is not repeated';

is save({ %$quiet, sendSpot => $true })->[0]{spottedAt} ? 1 : 0, 1, 'an older QSO can be published by an update';
my $bare = save(qso(sendSpot => $true), qso(band => 'PMR446', channel => 16, sendSpot => $true));
ok $_->{spottedAt}, 'callsign and frequency may be missing' for @$bare;
is((spots())->[0]{frequencyHz}, 446_193_750, 'a channel has its frequency');

is scalar(@{spots()}), 4, 'four spots';
is $service->delete_qso($live->{clientId})->status, 204, 'the QSO is deleted';
is scalar(grep { $_->{dxCallsign} && $_->{spotter} eq '21SD333/P' } @{spots()}), 1, 'and its spot with it';
$service->admin('check');

done_testing;
