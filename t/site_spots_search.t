use QSOsync::Test fronts => 'nginx';

# A search with few results examines a few thousand spots per request. The next requests continue the search.
my $service = QSOsync::Service->start(site => 1);
fill_log($service, 6000);
$service->sqlite("INSERT INTO spots (qso_id, spotted_at, spotter, dx_callsign, band, frequency, mode)
    SELECT id, 1790000000000 + id, '21SD333', CASE id WHEN 7 THEN '99-ZZ 9' ELSE callsign_worked END, band,
        frequency, CASE id WHEN 7 THEN 5 ELSE mode END FROM qsos WHERE member_id = 1");
for my $query ('callsign=9zz9', 'mode=CW', 'callsign=99ZZ9&band=11m') {
    my ($before, $answers, @found) = ('', 0);
    do {
        my $answer = $service->request('GET', '', raw_path => "/cluster/spots?$query$before");
        push @found, map { $_->{spotted} } @{$answer->json};
        $before = $answer->header('X-Next-Before');
        $before = "&before=$before" if $before;
        $answers++;
    } while $before && $answers < 9;
    is "@found in $answers", '99-ZZ 9 in 3', "the search for $query finds one of 6,000 spots, in three answers";
}
my $recent = $service->request('GET', '', raw_path => '/cluster/spots?callsign=99ZZ9&minutes=5');
is $recent->header('X-Next-Before'), undef, 'the answer announces no page of spots that are too old';
$service->stop;

done_testing;
