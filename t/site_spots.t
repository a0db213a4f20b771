use QSOsync::Test fronts => 'nginx';

# The spots are available as JSON, in the format that programs expect and without private data.
my $service = QSOsync::Service->start(site => 1);
sub json_of {
    my ($path) = @_;
    my $response = $service->request('GET', $path, raw_path => "/cluster/$path");
    is $response->status, 200, "$path is available";
    return $response->json;
}
is_deeply json_of('spots'), [], 'the list is empty before the first spot';
is_deeply json_of('stats'), { entries => 0, freshest => undef, oldest => undef },
    'the statistics are empty before the first spot';
is_deeply json_of('spot/27555'), {}, 'no spot is found near a frequency before the first spot';

my $yes = JSON::PP::true();
my $far = full_qso(sendSpot => $yes, notes => 'secret');
my $near = full_pmr_qso(sendSpot => $yes, callsignWorked => undef, operatorCallsign => undef);
$service->post_batch([full_qso()]);
$service->post_batch([$_]) for $far, $near;

my $spots = json_of('spots');
is scalar @$spots, 2, 'the list contains only QSOs that were spotted';
my ($pmr, $eleven) = @$spots;
my ($when, $id) = delete @{$eleven}{qw(when id)};
like $when, qr/\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\z/, 'a spot has its time';
like $id, qr/\A\d+\z/, 'a spot has an id';
is_deeply $eleven, { spotter => '21SD333/P', spotted => '26AT101', frequency => 27555, message => 'USB IO91wm',
    band => '11m',
    mode => 'USB', channel => undef, ctcssTone => undef, dcsCode => undef, spotterLocator => 'JO59jw',
    spottedLocator => 'IO91wm', dxcc_spotter => { cont => 'EU', entity => 'Sweden', prefix => 'SM',
    flag => "\x{1F1F8}\x{1F1EA}", dxcc_id => undef, lotw_user => undef, lat => '59.9375', lng => '10.791667',
    cqz => undef }, dxcc_spotted => { cont => 'EU', entity => 'England', prefix => 'G', flag => "\x{1F1EC}\x{1F1E7}",
    dxcc_id => undef, lotw_user => undef, lat => '51.520833', lng => '-0.125', cqz => undef }, special => undef,
}, 'a spot on 11 m has exactly the JSON fields that programs read';
is $pmr->{band}, 'pmr446', 'the newest spot comes first';
is $pmr->{spotted}, undef, 'an unknown callsign is null';
cmp_ok abs($pmr->{frequency} - 446093.75), '<', 0.001, 'a spot on PMR446 has the frequency of its channel in kHz';
is $pmr->{channel}, 8, 'a spot on PMR446 has its channel';

is_deeply [map { $_->{band} } @{json_of('spots/11m')}], ['11m'], 'the list for a band contains only that band';
is_deeply [map { $_->{band} } @{json_of('spots/pmr446')}], ['pmr446'],
    'the list for PMR446 contains only PMR446';
is_deeply json_of('spots/20m'), [], 'the list for an unknown band is empty';
is json_of("spot/$_")->{spotted}, '26AT101', "a spot is found near $_ kHz" for 27555, '27555.4', '27554.6';
is_deeply json_of("spot/$_"), {}, "no spot is found near $_ kHz" for 27556, 27554, 'x', '1e3', '-1';
is json_of('stats')->{entries}, 2, 'the statistics count the spots';

my $list = $service->request('GET', '', raw_path => '/cluster/spots');
my %known = (headers => { 'If-None-Match' => $list->header('ETag') }, raw_path => '/cluster/spots');
is $list->header('Cache-Control'), 'no-cache', 'a cache must revalidate the list before each use';
is $service->request('GET', '', %known)->status, 304, 'an unchanged list is not sent again';
$service->delete_qso($near->{clientId});
is $service->request('GET', '', %known)->status, 200, 'a list that has lost a spot is sent again';
is scalar @{json_of('spots')}, 1, 'a spot is deleted with its QSO';
$service->post_spots(map { full_qso(sendSpot => $yes) } 1 .. 150);
is scalar @{json_of('spots')}, 100, 'the list contains at most 100 spots';

# Filters search all spots, and further pages contain older spots.
sub found { my ($query) = @_; return $service->request('GET', '', raw_path => "/cluster/spots?$query") }
sub count { return scalar @{found($_[0])->json} }
$service->post_spots(map { full_pmr_qso(sendSpot => $yes, callsignWorked => "13-HN $_") } 1 .. 3);
$service->post_spots(map { full_qso(sendSpot => $yes) } 1 .. 120);
is count('band=pmr446'), 3, 'a filter by band finds spots that are older than a hundred other spots';
is count('band=pmr446&callsign=13hn2'), 1, 'a filter by callsign ignores case and separators';
is count('callsign=sd333&limit=500'), 274, 'a filter by callsign finds spotters as well as stations';
is count("division=$_->[0]&limit=500"), $_->[1], "division $_->[0] is found" for [26, 271], [13, 3], [1, 0];
is count("mode=$_->[0]&limit=500"), $_->[1], "the mode $_->[0] is found" for ['USB', 271], ['FM', 3], ['CW', 0];
is count("from=446000&to=447000"), 3, 'a filter by frequency finds the spots in its range';
is count("from=27555&limit=500"), 274, 'a range can have only its start';
is count('to=446000&limit=500'), 271, 'a range can have only its end';
is count('minutes=5&limit=500'), 274, 'a filter by age finds recent spots';
is count('band=&mode=&callsign=&division=&from=&to=&minutes='), 100, 'an empty parameter is ignored';
is found('band=pmr446')->header('X-Next-Before'), undef, 'the last page announces no older spots';
my (@all, $before);
do {
    my $page = found('limit=90' . ($before ? "&before=$before" : ''));
    push @all, map { $_->{id} } @{$page->json};
    $before = $page->header('X-Next-Before');
} while ($before);
is scalar @all, 274, 'further pages list all older spots';
is_deeply \@all, [sort { $b <=> $a } @all], 'all pages list the newest spots first';
for ('band=20m', 'mode=x', 'division=0', 'division=x', 'from=x', 'to=0', 'minutes=-1', 'before=x', 'limit=501',
    'band=11m&band=11m', 'callsign=%FF', 'callsign=' . 'x' x 81) {
    is found($_)->status, 400, "an invalid filter is refused: $_";
}
$service->stop;

done_testing;
