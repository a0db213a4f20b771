use QSOsync::Test fronts => 'nginx';
use QSOsync::Adif;
use QSOsync::Profile;

# The profile page shows the member's log.
my $service = QSOsync::Service->start(site => 1);
my $them = $service->add_member('26AT101', locator => 'IO91wm');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $other = QSOsync::Profile->log_in($service, '26AT101');

is_deeply $me->get('qsos')->json, { items => [], measures => [], nextCursor => undef }, 'an empty log has no QSOs';
my %nothing = (qsos => 0, confirmed => 0, stations => 0, months => [], lastSyncOn => undef, hours => [(0) x 24],
    confirmedHours => [(0) x 24], squareCount => 0, squares => [], divisions => [], farthest => undef, bands => [],
    modes => [], distances => [map { { belowKm => $_, qsos => 0, confirmed => 0 } }
        20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20100],
    news => { map { $_ => [] } qw(division square special band mode) }, newPlaces => []);
my %empty = %{$me->get('statistics')->json};
is_deeply { map { $_ => $empty{$_} } grep { !/^recent/ } keys %empty }, \%nothing,
    'the statistics of an empty log are empty';
is_deeply [map { @$_{qw(stations divisions squares km)} } @{$empty{recentMonths}}], [(0) x 48],
    'the last twelve months of an empty log count nothing';
is_deeply $empty{recentDays}{qsos}, [(0) x 371], 'the last 371 days of an empty log have no QSOs';
is_deeply $me->get('near-matches')->json, { items => [] }, 'an empty log has no near matches';
my @columns = qw(lat lng exact confirmed count callsign);
is_deeply $me->get('map')->json, { columns => \@columns, points => [], more => JSON::PP::false(),
    home => { lat => 59.9375, lng => '10.791667' } },
    'the map of an empty log shows only the home of the member';

# The log has one QSO per day on 250 days, each with a hostile text.
my $hostile = "<script>alert(1)</script>\x{202e}\"'&";
my @mine = map { my $day = $_; full_qso(
    qsoAt => iso_time(1_767_225_600 + 86_400 * $day), callsignWorked => $day % 2 ? "14-FR-$day" : "26 at $day",
    operatorCallsign => undef, notes => $hostile, dxLat => 40 + $day % 3, dxLng => -3.5) } 0 .. 249;
$service->post_batch([@mine[0 .. 124]]);
$service->post_batch([@mine[125 .. 249]]);
my (@seen, $after);
do {
    my $page = $me->get('qsos?limit=90' . ($after ? "&after=$after" : ''))->json;
    push @seen, @{$page->{items}};
    $after = $page->{nextCursor};
} while ($after && @seen < 1000);
is join(' ', map { $_->{clientId} } @seen), join(' ', map { $_->{clientId} } reverse @mine),
    'the pages contain every QSO once, newest first';
is $seen[0]{notes}, $hostile, 'texts are returned unchanged';
is scalar @{$me->get('qsos')->json->{items}}, 50, 'a page has 50 QSOs by default';

sub found { my $page = $me->get("qsos?limit=200&$_[0]")->json; return scalar @{$page->{items}} }
is found('callsign=26AT24'), 6, 'a search finds callsigns by their beginning, in any spelling'; # QSOs 24 and 240 to 248
is found('callsign=14-fr-101'), 1, 'a search finds a whole callsign';
is found('callsign=nobody'), 0, 'a search for an unknown callsign finds nothing';
is found('callsign=%25'), 0, 'a percent sign in a search is literal';
is found('from=2026-01-01&to=2026-01-31'), 31, 'a range of days includes its first and last day';
is found('from=2026-02-01&to=2026-02-28&callsign=14FR'), 14, 'a search combines a callsign and a range of days';
is found('to=2025-12-31'), 0, 'a search before the first day finds nothing';
my $part = $me->get('qsos?callsign=26&limit=100')->json;
is scalar @{$part->{items}} + @{$me->get("qsos?callsign=26&limit=100&after=$part->{nextCursor}")->json->{items}}, 125,
    'the cursor of a search continues the search';
is $me->get("qsos?$_")->status, 400, "the search $_ is refused" for 'limit=0', 'limit=', 'limit=201', 'limit=+5',
    'limit=%205',
    'from=x', 'to=2026-02-30', 'after=x', 'callsign=%ff', 'limit=1&limit=2', 'callsign=' . 'x' x 81;

my $numbers = $me->get('statistics')->json;
is $numbers->{qsos}, 250, 'the statistics count every QSO';
is $numbers->{months}[0]{month} . ' ' . $numbers->{months}[0]{qsos}, '2026-01 31',
    'the statistics begin with the first month that has QSOs';
is scalar @{$numbers->{months}}, 9, 'the statistics have one line per month with QSOs';
is $numbers->{recentMonths}[-1]{month}, $numbers->{months}[-1]{month},
    'the last twelve months end with the month of the newest QSO';
like $numbers->{lastSyncOn}, qr/\A\d{4}-\d\d-\d\d\z/, 'the statistics contain the day of the last synchronisation';
is $numbers->{stations}, 250, 'the statistics count the worked stations';
sub points {
    my ($query) = @_;
    return map { my %point; @point{@columns} = @$_; \%point } @{$me->get('map' . ($query // ''))->json->{points}};
}
is scalar points(), 250, 'the map has one point per place and callsign';
is join(' ', sort map { $_->{callsign} } points('?callsign=14FR24&to=2026')),
    join(' ', map { "14-FR-$_" } 241, 243, 245, 247, 249), 'the map has the stations that the filter accepts';
is scalar points('?year=2025'), 0, 'a filter without QSOs gives an empty map';
is $me->get('map?year=x')->status, 400, 'the map refuses an invalid filter';
is_deeply +(points())[-1], { lat => 40, lng => -3.5, exact => 1, confirmed => 0, count => 1, callsign => '14-FR-249' },
    'the map prefers exact coordinates to the locator';
my $nowhere = qso(callsignWorked => '14FR999', dxLocator => 'IN80', dxLat => 0, dxLng => 0);
$service->post_batch([$nowhere]);
is_deeply [map { $_->{exact} } grep { $_->{callsign} eq '14FR999' } points()], [0],
    'the map uses the locator instead of coordinates 0, 0';
$service->delete_qso($nowhere->{clientId});
my %place = (qsoAt => '2026-09-20T10:00:00Z', callsignWorked => '14-fr 249', operatorCallsign => undef);
$service->post_batch([map { qso(%place, dxLat => $_->[0], dxLng => $_->[1]) } [40, -3.5], [-33.123456789, 151.2],
    [0.0000004, -0.5], [90, -180]]);
$service->post_batch([qso(%place, dxLocator => undef), qso(%place, dxLocator => 'IO91wm')]);
is_deeply [map { join ' ', @{$_}{qw(lat lng exact count callsign)} } (points())[-5 .. -1]],
    ['40 -3.5 1 1 14-fr 249', '-33.123457 151.2 1 1 14-fr 249',
    '0 -0.5 1 1 14-fr 249', '90 -180 1 1 14-fr 249', '51.520833 -0.125 0 1 14-fr 249'],
    'a point is exact to a millionth of a degree, and a QSO without a place has no point';
is $me->get('statistics')->json->{stations}, 250, 'a station is counted once, however its callsign is spelt';
$service->post_batch([qso(%place, callsignWorked => undef), qso(%place, callsignWorked => '-.-')]);
is $me->get('statistics')->json->{stations}, 250, 'a QSO without a callsign is not a station';

# QSOs are confirmed, or nearly match. The other member is 26AT101, who worked 21SD333.
my $base = 1_800_000_000;
sub pair {
    my ($number, $mine, $theirs) = @_;
    my %at = (qsoAt => iso_time($base + 345_600 * $number), mode => 'USB', band => 'ELEVEN_METERS');
    my $own = qso(%at, callsignWorked => '26AT101', %$mine);
    $service->post_batch([$own]);
    $service->post_batch([qso(%at, callsignWorked => '21-SD-333', notes => 'theirs', %$theirs)],
        key => $them->{write_key});
    return $own->{clientId};
}
sub later { return { qsoAt => iso_time($base + 345_600 * $_[0] + $_[1]) } }
my %pmr = (band => 'PMR446', mode => 'FM');
my %expected = (
    pair(0, {}, {}) => undef,
    pair(1, {}, later(1, 1200)) => 'TIME',
    pair(2, {}, { %pmr, mode => undef, channel => 1 }) => 'BAND',
    pair(3, {}, { mode => 'AM' }) => 'MODE',
    pair(4, { %pmr, channel => 1 }, { %pmr, channel => 2 }) => 'CHANNEL',
    pair(5, {}, { mode => 'AM', %{later(5, 1200)} }) => undef,
    pair(6, {}, later(6, 90_000)) => undef,
    pair(7, {}, { callsignWorked => '21SD334' }) => undef,
    pair(8, { qsoStatus => 'HRD' }, {}) => undef,
);
my %near = map { $_->{qso}{clientId} => $_->{reason} } @{$me->get('near-matches')->json->{items}};
is_deeply \%near, { map { $expected{$_} ? ($_ => $expected{$_}) : () } keys %expected },
    'a near match names the one rule that it fails';
my %theirs = map { $_->{reason} => $_->{theirs} } @{$me->get('near-matches')->json->{items}};
is_deeply [map { $_ && $_->{field} } @theirs{qw(TIME MODE CHANNEL BAND)}], ['qsoAt', 'mode', 'channel', undef],
    'a near match names the only field that differs';
is_deeply [map { $_->{value} } @theirs{qw(MODE CHANNEL)}], ['AM', 2], "a near match has the other member's value";
is_deeply [map { join ' ', sort keys %$_ } @{$me->get('near-matches')->json->{items}}],
    [map { $expected{$_->{qso}{clientId}} eq 'BAND' ? 'qso reason' : 'qso reason theirs' }
        @{$me->get('near-matches')->json->{items}}], "a near match contains nothing else of another member's QSO";

# A member who logs under a third member's callsign learns nothing about the third member's QSOs.
my $third = $service->add_member('26AT102');
my $before = $base - 432_000;
$service->post_batch([qso(qsoAt => iso_time($before), callsignWorked => '26AT101', mode => 'USB')]);
my @claim = (qsoAt => iso_time($before + 1_800), callsignWorked => '21SD333', mode => 'USB');
$service->post_batch([qso(@claim, operatorCallsign => '26-at-101'), qso(@claim)], key => $third->{write_key});
my $spy = QSOsync::Profile->log_in($service, '26AT102');
is_deeply $spy->get('near-matches')->json, { items => [] }, "a QSO under another member's callsign is not a near match";
is $me->get('statistics')->json->{confirmed}, 1, 'the statistics count confirmed QSOs';
is scalar @{$other->get('qsos')->json->{items}}, 9, 'each member gets only their own log';
$service->admin('member', 'disable', '26AT101');
is_deeply $me->get('near-matches')->json, { items => [] }, "a disabled member's QSOs give no near matches";
my @shown = @{$me->get('map')->json->{points}};
is_deeply [grep { $_->[5] !~ /\A21-?SD-?33[34]\z/ } @{$other->get('map')->json->{points}}], [],
    "the map shows only the member's own QSOs";

# Another member's log has 3,000 stations before and after the beginning of 1970, each worked twice and spelt in two
# ways.
$service->add_member('30RC101', locator => 'IN80dj');
my $large = QSOsync::Profile->log_in($service, '30RC101');
my (%in_month, @records);
for my $index (0 .. 5_999) {
    my $at = iso_time(7_200 * ($index - 4_000));
    my ($date, $time) = map { s/\D//gr } substr($at, 0, 10), substr($at, 11, 8);
    $in_month{substr $at, 0, 7}++;
    my $call = sprintf $index < 3_000 ? '%dAT%03d' : '%d-at-%03d', 1 + $index % 3, 100 + $index % 1_000;
    push @records, adif_record(CALL => $call, QSO_DATE => $date, TIME_ON => $time, BAND => '11m', MODE => 'AM',
        GRIDSQUARE => 'JN58td');
}
is import_adif($service, '30RC101', adif_file($service, @records))->{counts}{imported}, 6_000,
    'a log of thousands of QSOs can be imported';
my $all = $large->get('statistics')->json;
is_deeply { map { $_ => $all->{$_} } qw(qsos confirmed stations squares months) }, { qsos => 6_000, confirmed => 0,
    stations => 3_000, squares => [{ square => 'JN58', qsos => 6_000 }],
    months => [map { { month => $_, qsos => $in_month{$_}, confirmed => 0 } } sort keys %in_month] },
    'the statistics of a large log count QSOs per month, and each station once';
is_deeply [map { $_->[4] } @{$large->get('map')->json->{points}}], [(1) x 5_000],
    'the map shows the newest 5,000 places';
is $large->get('map')->json->{points}[0][5], '2AT100', 'places are sorted by time of logging';

# If thousands of other members' QSOs are stored in between, the map is read by another method.
$service->post_batch([qso(callsignWorked => '43OT120', dxLocator => 'QF56od')]);
my @now = @{$me->get('map')->json->{points}};
is_deeply [@now[0 .. $#now - 1]], \@shown, "the map is unchanged after other members have saved thousands of QSOs";
is $now[-1][5], '43OT120', "the map has a new QSO after other members have saved thousands of QSOs";

# A map shows the newest 10,000 QSOs. In this log, the last QSO that was stored is the newest.
my $full = QSOsync::Service->start(site => 1);
fill_log($full, 10_000);
my $mapped = QSOsync::Profile->log_in($full, '21SD333');
$full->sqlite("UPDATE qsos SET callsign_worked = '2AT1', dx_locator = 'JN11ab' WHERE member_id = 1");
$full->sqlite("UPDATE qsos SET callsign_worked = '2AT0'
    WHERE member_id = 1 AND qso_at = (SELECT min(qso_at) FROM qsos)");
is $mapped->get('map')->json->{more}, JSON::PP::false(), 'a map of 10,000 QSOs is complete';
$full->post_batch([qso(callsignWorked => '2AT2', dxLocator => 'JN11ab')]);
my $newest = $mapped->get('map')->json;
is_deeply [map { "$_->[5] $_->[4]" } @{$newest->{points}}], ['2AT1 9999', '2AT2 1'],
    'a map of more than 10,000 QSOs omits the oldest QSO and shows the newest';
is $newest->{more}, JSON::PP::true(), 'a map that omits QSOs states this';
$full->stop;

# Members set their own locator.
is $me->post('locator', { locator => ' kp03AB ' })->status, 204, 'members can set their locator';
is $me->get('me')->json->{locator}, 'KP03ab', 'a locator is stored in its normal form';
is $service->request('GET', '/me', key => $service->read_key)->json->{locator}, 'KP03ab',
    'the API returns the new locator';
is $service->sqlite(q(SELECT locator FROM members WHERE callsign = '26AT101')), 'IO91wm',
    "setting a locator keeps other members' locators";
is $me->post('locator', $_)->status, 400, 'an invalid locator is refused'
    for {}, { locator => '' }, { locator => 'KP03a' }, { locator => 'ZZ99' }, { locator => 5 };
is $me->post('locator', { locator => 'JO59' }, headers => { 'Sec-Fetch-Site' => 'cross-site' })->status, 403,
    'a page on another site cannot set a locator';
is $me->get('me')->json->{locator}, 'KP03ab', 'a refused locator changes nothing';

done_testing;
