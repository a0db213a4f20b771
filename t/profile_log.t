use QSOsync::Test fronts => 'nginx';
use QSOsync::Adif;
use QSOsync::Profile;

# The member's log on the profile page.
my $service = QSOsync::Service->start(site => 1);
my $them = $service->add_member('26AT101', locator => 'IO91wm');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $other = QSOsync::Profile->log_in($service, '26AT101');

is_deeply $me->get('qsos')->json, { items => [], measures => [], nextCursor => undef }, 'an empty log has no QSOs';
my %nothing = (qsos => 0, confirmed => 0, stations => 0, months => [], lastSyncOn => undef, hours => [(0) x 24],
    squareCount => 0, squares => [], divisions => [], farthest => undef,
    distances => [map { { belowKm => $_, qsos => 0 } } 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20100]);
is_deeply $me->get('statistics')->json, \%nothing, 'an empty log has no numbers';
is_deeply $me->get('near-matches')->json, { items => [] }, 'an empty log has no near matches';
my @columns = qw(lat lng exact confirmed count callsign);
is_deeply $me->get('map')->json, { columns => \@columns, points => [], more => JSON::PP::false(),
    home => { lat => 59.9375, lng => '10.791667' } },
    'the map of an empty log shows the member alone';

# 250 QSOs over a year, with all kinds of text in them.
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
    'the pages hold every QSO once, newest first';
is $seen[0]{notes}, $hostile, 'texts come as they were saved';
is scalar @{$me->get('qsos')->json->{items}}, 50, 'a page has 50 QSOs unless told otherwise';

sub found { my $page = $me->get("qsos?limit=200&$_[0]")->json; return scalar @{$page->{items}} }
is found('callsign=26AT24'), 6, 'a callsign is found by how it begins, in any spelling'; # 24, 240 to 248
is found('callsign=14-fr-101'), 1, 'a whole callsign is found';
is found('callsign=nobody'), 0, 'what nobody is called finds nothing';
is found('callsign=%25'), 0, 'a percent sign is a percent sign';
is found('from=2026-01-01&to=2026-01-31'), 31, 'days are both included';
is found('from=2026-02-01&to=2026-02-28&callsign=14FR'), 14, 'callsign and days are both kept';
is found('to=2025-12-31'), 0, 'before the first day there is nothing';
my $part = $me->get('qsos?callsign=26&limit=100')->json;
is scalar @{$part->{items}} + @{$me->get("qsos?callsign=26&limit=100&after=$part->{nextCursor}")->json->{items}}, 125,
    'the cursor of a search leads to the rest of what was found';
is $me->get("qsos?$_")->status, 400, "$_ is no search" for 'limit=0', 'limit=', 'limit=201', 'limit=+5', 'limit=%205',
    'from=x', 'to=2026-02-30', 'after=x', 'callsign=%ff', 'limit=1&limit=2', 'callsign=' . 'x' x 81;

my $numbers = $me->get('statistics')->json;
is $numbers->{qsos}, 250, 'the numbers count every QSO';
is $numbers->{months}[0]{month} . ' ' . $numbers->{months}[0]{qsos}, '2026-01 31', 'the first month is the first';
is scalar @{$numbers->{months}}, 9, 'there is a line for each month with QSOs';
like $numbers->{lastSyncOn}, qr/\A\d{4}-\d\d-\d\d\z/, 'the numbers tell the day of the last synchronisation';
is $numbers->{stations}, 250, 'the numbers count the stations worked';
sub points {
    my ($query) = @_;
    return map { my %point; @point{@columns} = @$_; \%point } @{$me->get('map' . ($query // ''))->json->{points}};
}
is scalar points(), 250, 'the map has a point for each place and callsign';
is join(' ', sort map { $_->{callsign} } points('?callsign=14FR24&to=2026')),
    join(' ', map { "14-FR-$_" } 241, 243, 245, 247, 249), 'the map has the stations that the filter wants';
is scalar points('?year=2025'), 0, 'a filter that nothing fits leaves an empty map';
is $me->get('map?year=x')->status, 400, 'the map refuses what is not a filter';
is_deeply +(points())[-1], { lat => 40, lng => -3.5, exact => 1, confirmed => 0, count => 1, callsign => '14-FR-249' },
    'exact coordinates come before the locator';
my $nowhere = qso(callsignWorked => '14FR999', dxLocator => 'IN80', dxLat => 0, dxLng => 0);
$service->post_batch([$nowhere]);
is_deeply [map { $_->{exact} } grep { $_->{callsign} eq '14FR999' } points()], [0],
    'coordinates of 0, 0 are no place, and the locator is one';
$service->delete_qso($nowhere->{clientId});
my %place = (qsoAt => '2026-09-20T10:00:00Z', callsignWorked => '14-fr 249', operatorCallsign => undef);
$service->post_batch([map { qso(%place, dxLat => $_->[0], dxLng => $_->[1]) } [40, -3.5], [-33.123456789, 151.2],
    [0.0000004, -0.5], [90, -180]]);
$service->post_batch([qso(%place, dxLocator => undef), qso(%place, dxLocator => 'IO91wm')]);
is_deeply [map { join ' ', @{$_}{qw(lat lng exact count callsign)} } (points())[-5 .. -1]],
    ['40 -3.5 1 1 14-fr 249', '-33.123457 151.2 1 1 14-fr 249',
    '0 -0.5 1 1 14-fr 249', '90 -180 1 1 14-fr 249', '51.520833 -0.125 0 1 14-fr 249'],
    'a point has its place to a millionth of a degree; a QSO without a place has none';
is $me->get('statistics')->json->{stations}, 250, 'a station is counted once, however its callsign is spelt';
$service->post_batch([qso(%place, callsignWorked => undef), qso(%place, callsignWorked => '-.-')]);
is $me->get('statistics')->json->{stations}, 250, 'what has no callsign is not a station';

# Confirmation, and what nearly was one. The other side is 26AT101, who worked me.
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
    'near matches are those that failed by one rule, and say which';
unlike $me->get('near-matches')->body, qr/theirs/, "near matches show nothing of another member's QSO";

# Who logs the callsign of a third member learns nothing of what that one has worked.
my $third = $service->add_member('26AT102');
my $before = $base - 432_000;
$service->post_batch([qso(qsoAt => iso_time($before), callsignWorked => '26AT101', mode => 'USB')]);
my @claim = (qsoAt => iso_time($before + 1_800), callsignWorked => '21SD333', mode => 'USB');
$service->post_batch([qso(@claim, operatorCallsign => '26-at-101'), qso(@claim)], key => $third->{write_key});
my $spy = QSOsync::Profile->log_in($service, '26AT102');
is_deeply $spy->get('near-matches')->json, { items => [] }, "a QSO under another member's callsign is no near match";
is $me->get('statistics')->json->{confirmed}, 1, 'the numbers count what is confirmed';
is scalar @{$other->get('qsos')->json->{items}}, 9, "each member sees one's own log alone";
$service->admin('member', 'disable', '26AT101');
is_deeply $me->get('near-matches')->json, { items => [] }, 'a disabled member makes no near match';
my @shown = @{$me->get('map')->json->{points}};
is_deeply [grep { $_->[5] !~ /\A21-?SD-?33[34]\z/ } @{$other->get('map')->json->{points}}], [],
    "the map shows one's own QSOs alone, among those of others";

# Three thousand stations, each worked twice, by two spellings, around the beginning of 1970.
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
    'a log of thousands is there';
my $all = $large->get('statistics')->json;
is_deeply { map { $_ => $all->{$_} } qw(qsos confirmed stations squares months) }, { qsos => 6_000, confirmed => 0,
    stations => 3_000, squares => [{ square => 'JN58', qsos => 6_000 }],
    months => [map { { month => $_, qsos => $in_month{$_}, confirmed => 0 } } sort keys %in_month] },
    'every QSO of thousands is counted, in its month, and every station once';
is_deeply [map { $_->[4] } @{$large->get('map')->json->{points}}], [(1) x 5_000],
    'the map shows as many places as it can, the newest';
is $large->get('map')->json->{points}[0][5], '2AT100', 'the places stand in the order in which they were logged';

# Where thousands of others' QSOs lie between, the map is read in another way.
$service->post_batch([qso(callsignWorked => '43OT120', dxLocator => 'QF56od')]);
my @now = @{$me->get('map')->json->{points}};
is_deeply [@now[0 .. $#now - 1]], \@shown, 'the map stays as it was when others log thousands of QSOs';
is $now[-1][5], '43OT120', 'the newest QSO is on the map although others have logged thousands';

# A member adds, changes and deletes QSOs on the profile page: the same rules as the API's, the session as the writer.
{
    my $service = QSOsync::Service->start(site => 1);
    $service->add_member('26AT101', locator => 'IO91wm');
    my $me = QSOsync::Profile->log_in($service, '21SD333');
    my $other = QSOsync::Profile->log_in($service, '26AT101');
    sub save { $_[0]->post('qsos', { entries => $_[1] }) }
    sub stored { my ($qso) = grep { $_->{clientId} eq $_[0] } @{$me->get('qsos')->json->{items}}; return $qso }

    my $qso = full_qso(sendSpot => JSON::PP::true());
    my $bad = full_qso(frequencyMhz => '29.000');
    my $answer = save($me, [$qso, $bad]);
    is $answer->status, 200, 'a batch is taken from the page';
    my ($saved, $refused) = @{$answer->json->{results}};
    is $saved->{clientId}, $qso->{clientId}, 'an entry is saved';
    ok $saved->{spottedAt}, 'a spot is published where it is asked for';
    is_deeply [@{$refused}{qw(id error permanent)}], [undef, 'FREQUENCY_OUT_OF_BAND_11M', JSON::PP::true()],
        'an entry beside it is rejected as by the API';
    is stored($qso->{clientId})->{id}, $saved->{id}, 'it is in the log';
    my $changed = { %$qso, notes => 'changed here' };
    is save($me, [$changed])->json->{results}[0]{id}, $saved->{id}, 'the same clientId changes it';
    is stored($qso->{clientId})->{notes}, 'changed here', 'the change is in the log';
    my ($edit) = @{$me->get("qsos/$saved->{id}/history")->json->{items}};
    is $edit->{writer}{kind}, 'SESSION', 'the history names the session as the writer';

    is save($other, [$changed])->json->{results}[0]{error}, 'CLIENT_ID_CONFLICT',
        "another member's QSO is out of reach";
    is $other->remove("qsos/$qso->{clientId}")->status, 404, "another member's QSO is not deleted";
    is $me->remove('qsos/1')->status, 400, 'a deletion needs a UUID';
    is $me->remove("qsos/$qso->{clientId}", headers => { 'Sec-Fetch-Site' => 'cross-site' })->status, 403,
        'another site deletes nothing';
    is $me->request('POST', 'qsos', json => { entries => [$qso] },
        headers => { Origin => 'https://example.org' })->status,
        403, 'another site saves nothing';
    is_deeply $me->post('qsos', { entries => [] })->json->{error}{details},
        [{ field => 'entries', message => 'must be an array of 1 to 200 QSOs' }], 'a batch without QSOs is refused';
    is $service->request('POST', '', raw_path => '/profile/data/qsos', json => { entries => [$qso] },
        headers => { 'Sec-Fetch-Site' => 'same-origin' })->status, 401, 'nobody saves without a session';

    is $me->remove("qsos/$qso->{clientId}")->status, 204, 'a QSO is deleted';
    is stored($qso->{clientId}), undef, 'it is out of the log';
    is $me->remove("qsos/$qso->{clientId}")->status, 404, 'it is deleted once';
    my $undone = $me->post('undo', { deleted => JSON::PP::true(), ids => $saved->{id} })->json;
    is $undone->{restored}, 1, 'a deletion is taken back by the id';
    is stored($qso->{clientId})->{id}, $saved->{id}, 'the QSO is the same as before';
}

# The member's own locator.
is $me->post('locator', { locator => ' kp03AB ' })->status, 204, 'a member sets the own locator';
is $me->get('me')->json->{locator}, 'KP03ab', 'in its normal form';
is $service->request('GET', '/me', key => $service->read_key)->json->{locator}, 'KP03ab',
    'programs learn it by the API';
is $service->sqlite(q(SELECT locator FROM members WHERE callsign = '26AT101')), 'IO91wm', 'nobody else gets one';
is $me->post('locator', $_)->status, 400, 'what is not a locator is refused'
    for {}, { locator => '' }, { locator => 'KP03a' }, { locator => 'ZZ99' }, { locator => 5 };
is $me->post('locator', { locator => 'JO59' }, headers => { 'Sec-Fetch-Site' => 'cross-site' })->status, 403,
    'a page of another site sets none';
is $me->get('me')->json->{locator}, 'KP03ab', 'after that it is what it was';

done_testing;
