use QSOsync::Test fronts => 'all';

# /log/STATION answers "Am I in the log?" with bands, modes and days, and nothing else. The number of answers per
# address is limited.
my $service = QSOsync::Service->start(site => 1);
$service->admin('station', 'add', '14/AT0', '--locator', 'JN03');
my $key = $service->admin('key', 'add', '14/AT0', '--name', 'x', '--scope', 'WRITE');
sub ask { my ($path, %option) = @_; return $service->request('GET', '', raw_path => "/log/$path", %option) }
my @qsos = map { qso(%$_) } { callsignWorked => '21-SD-333', qsoAt => '2026-05-17T19:43:10Z', mode => 'USB' },
    { callsignWorked => '21sd333', qsoAt => '2026-05-17T23:59:59Z', mode => 'USB' },
    { callsignWorked => '21SD333', qsoAt => '2026-05-18T00:00:00Z', mode => undef },
    { callsignWorked => '21SD333/P', qsoAt => '2026-05-19T10:00:00Z' },
    { callsignWorked => '21SD33', qsoAt => '2026-05-20T10:00:00Z' },
    { callsignWorked => '26AT101', qsoAt => '2026-05-21T10:00:00Z', qsoStatus => 'HRD' };
$service->post_batch(\@qsos, key => $key);

is ask("14-AT0$_")->status, 404, "a page that is off gives 404: $_" for '', '/worked?call=21SD333', '/summary';
$service->admin('station', 'set', '14/AT0', '--page', 'on');
my $page = ask('14-AT0');
is $page->status, 200, 'the page can be switched on';
like $page->body, qr{<bdi id="station">14/AT0</bdi>}, 'the page has the callsign';
is $page->header('X-Robots-Tag'), 'noindex', 'search engines do not index the page';
like $page->header('Content-Security-Policy'), qr/default-src 'none'/, 'the page loads nothing from other sites';
is ask($_)->status, 200, "$_ is an address of the page" for '14AT0', '14at0', '14/AT0', '14/at0';
# Apache itself refuses an encoded slash, and .htaccess cannot allow it.
is ask('14%2FAT0')->status, $service->front eq 'htaccess' ? 404 : 200, 'an encoded slash is accepted as a slash';
like ask('14/AT0')->body, qr{href="(?:\./)?\.\./\.\./pages/}, 'an address with a slash has links to the same files';
is ask("14/AT0$_")->status, 200, "an address with a slash also has $_" for '/summary', '/worked?call=X';
is ask($_)->status, 404, "$_ is not an address of the page"
    for '14/AT0/', '14//AT0', '14/AT0/DX', '14/AT0/worked/x', '/14/AT0', join('/', (1) x 20);
is ask('21SD333')->status, 404, 'a member who is not a station has no page';
my $found = ask('14-AT0/worked?call=21-sd-333');
is_deeply $found->json, { worked => [{ band => 'ELEVEN_METERS', mode => 'USB', day => '2026-05-17' },
    { band => 'ELEVEN_METERS', mode => undef, day => '2026-05-18' }] },
    'the answer lists each day once, without times';
is_deeply ask("14-AT0/worked?call=$_")->json, { worked => [] }, "no QSO is found for $_"
    for '21SD', '26AT101', '%25', '1';
is ask("14-AT0/worked$_")->status, 400, "an invalid question is refused: $_"
    for '', '?call=', '?call=' . 'A' x 21, '?call=A&call=B';
my $summary = ask('14-AT0/summary')->json;
is_deeply [@$summary{qw(callsign qsos divisions)}], ['14/AT0', 6, 2], 'the summary has the numbers of the log';
my $tag = ask('14-AT0/summary')->header('ETag');
is ask('14-AT0/summary', headers => { 'If-None-Match' => $tag })->status, 304,
    'an unchanged summary is not sent again';
$service->post_batch([qso(callsignWorked => '21SD333', qsoAt => '2026-05-21T10:00:00Z',
    sendSpot => JSON::PP::true())], key => $key);
my $changed = ask('14-AT0/summary', headers => { 'If-None-Match' => $tag });
is_deeply [$changed->status, $changed->json->{qsos}, scalar @{$changed->json->{spots}}], [200, 7, 1],
    'a changed summary is sent again';

# Each address gets 30 answers per hour.
is ask('14-AT0/worked?call=X1')->status, 200, "question $_ is answered" for 7 .. 30;
my $refused = ask('14-AT0/worked?call=21SD333');
is $refused->status, 429, 'the 31st question must wait';
ok $refused->header('Retry-After') > 3000 && $refused->header('Retry-After') <= 3600, 'the wait is nearly an hour'
    or diag $refused->header('Retry-After');
is ask('14-AT0/summary')->status, 200, 'requests for the page are not limited';
$service->admin('member', 'disable', '14/AT0');
is ask('14-AT0')->status, 404, 'a disabled station has no page';

done_testing;
