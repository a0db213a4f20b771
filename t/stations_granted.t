use QSOsync::Test fronts => 'all';
use QSOsync::Profile;
use QSOsync::Waiting;

# A station is a member that others operate: who may, what they may do in its log, and what ends with it.
my $service = QSOsync::Service->start(workers => 2, site => 1);
$service->admin('member', 'add', $_, '--locator', 'JO59') for qw(26AT101 1AT1);
$service->admin('station', 'add', '14/AT0', '--locator', 'JN03');
my %profile = map { $_ => QSOsync::Profile->log_in($service, $_) } qw(21SD333 26AT101);
my $log = 'log=14%2Fat0';

sub try_admin { $service->admin_try(@_) }
sub refused { my ($status, undef, $error) = try_admin(@_); return "$status $error" }
sub stations { JSON::PP::decode_json($service->admin('station', 'list', '--json')) }

# -- who may ----------------------------------------------------------------------------------------
is $profile{'21SD333'}->get("qsos?$log")->status, 403, 'without a grant a log is not opened';
is $profile{'21SD333'}->get("qsos?$log")->json->{error}{code}, 'PROFILE.LOG_NOT_GRANTED', 'the refusal has its code';
is $profile{'21SD333'}->get('qsos?log=26AT101')->status, 403, 'the log of a member is not opened';
is $profile{'21SD333'}->get('qsos?log=21-sd-333')->status, 200, 'the own callsign is the own log';
$service->admin('station', 'grant', '14/AT0', $_) for qw(21SD333 26AT101);
is $profile{'21SD333'}->get("me?$log")->json->{callsign}, '14/AT0', 'a grant opens the log of the station';
is_deeply $profile{'21SD333'}->get('me')->json->{stations}, [{ callsign => '14/AT0', until => undef }],
    'the profile tells which stations a member may operate';
is_deeply [map { "$_->{station} $_->{member}" } @{stations()}], ['14/AT0 21SD333', '14/AT0 26AT101'],
    'station list tells who may operate it';

# -- what is a person's, and what a station is not --------------------------------------------------
is $profile{'21SD333'}->request($_->[0], "$_->[1]?$log", json => {}, headers => { 'Sec-Fetch-Site' => 'same-origin' })
    ->status, 403, "$_->[0] $_->[1] is of the own log alone"
    for ['GET', 'devices'], ['DELETE', 'devices'], ['POST', 'devices/link'], ['POST', 'password'], ['POST', 'prove'],
        ['POST', 'delete-log'], ['GET', 'everything.json'], ['POST', 'feed-code'];
like refused('member', 'invite', '14/AT0', '--address', 'https://log.example.org'),
    qr/\A1 .*is a station, and stations do not sign in/, 'a station is not invited';
like refused('member', 'set', '14/AT0', '--operator', 'on'), qr/\A1 .*is a station/, 'a station is no operator';
like refused('station', 'grant', '21SD333', '26AT101'), qr/\A1 .*is not a station/, 'only stations are operated';
like refused('station', 'grant', '14/AT0', '14/AT0'), qr/\A1 .*is a station; only members/, 'by members';
like refused('station', 'grant', '14/AT0', '1AT1', '--until', '2020-01-01'), qr/\A1 .*is in the past/,
    'a grant does not end in the past';
like refused('station', 'revoke', '14/AT0', '1AT1'), qr/\A1 .*may not operate/, 'what was not granted is not revoked';
is QSOsync::Profile::send_json($service, '/sign-in', { callsign => '14/AT0', password => 'long enough, 1' })->status,
    401, 'nobody signs in as a station';
my $operator = QSOsync::Operator->with_role($service, '1AT1');
is $operator->act('14/AT0', 'invite', {})->json->{error}{code}, 'OPERATOR.STATION',
    'the page of operators does not invite it either';
is $operator->act('14/AT0', 'operator', { on => JSON::PP::true })->status, 409, 'the page makes it no operator';

# -- writing ----------------------------------------------------------------------------------------
sub save { my ($who, $qso, $query) = @_; $profile{$who}->post('qsos' . ($query // "?$log"), { entries => [$qso] }) }
my @qsos = map { qso(callsignWorked => "2SD$_") } 1 .. 4;
is save('21SD333', $qsos[0])->status, 200, 'an operator saves a QSO';
save('26AT101', $_) for @qsos[1, 2];
my %key;
for my $who (sort keys %profile) {
    $key{$who} = $profile{$who}->post("keys?$log", { name => "phone of $who", scope => 'WRITE' })->json;
    is $service->get('/me', key => $key{$who}{key})->json->{callsign}, '14/AT0', "a key of $who is the station's";
}
is_deeply [map { $_->{madeBy} } @{$profile{'21SD333'}->get("keys?$log")->json->{items}}], ['21SD333', '26AT101'],
    'the list tells who made a key';
$profile{'26AT101'}->post("tokens?$log", { name => 'logger' });
is JSON::PP::decode_json($service->admin('upload-token', 'list', '14/AT0', '--json'))->[0]{madeBy}, '26AT101',
    'so does that of upload tokens';
# Each operator revokes what they made themselves; not what others or the command made.
my ($token) = @{$profile{'21SD333'}->get("tokens?$log")->json->{items}};
$service->admin('key', 'add', '14/AT0', '--name', 'of the club', '--scope', 'READ');
my ($of_club) = grep { $_->{name} eq 'of the club' } @{$profile{'21SD333'}->get("keys?$log")->json->{items}};
for ("keys/$key{'26AT101'}{number}", "tokens/$token->{number}", "keys/$of_club->{number}") {
    my $answer = $profile{'21SD333'}->post("$_/revoke?$log", {});
    is_deeply [$answer->status, $answer->code], [403, 'PROFILE.MADE_BY_OTHER'],
        "an operator does not revoke what another one made: $_";
}
is $profile{'21SD333'}->post("keys/999/revoke?$log", {})->status, 404, 'a key that nobody made is not found';
is $service->get('/me', key => $key{'26AT101'}{key})->status, 200, 'the key of the other operator works';
is $profile{'26AT101'}->post("tokens/$token->{number}/revoke?$log", {})->status, 204,
    'an operator revokes a token that they made';
is $profile{'26AT101'}->post("tokens/$token->{number}/revoke?$log", {})->status, 404,
    'a token is revoked once';
$service->admin('key', 'revoke', '14/AT0', $of_club->{number});
$service->post_batch([$qsos[3]], key => $key{'21SD333'}{key});
is scalar @{$profile{'21SD333'}->get('qsos')->json->{items}}, 0, 'the own log has nothing of it';
is scalar @{$profile{'21SD333'}->get("qsos?$log")->json->{items}}, 4, 'that of the station has all';
$profile{'26AT101'}->remove("qsos/$qsos[0]{clientId}?$log");
my $acts = $profile{'21SD333'}->get("history?$log")->json->{items};
is_deeply [map { $_->{writer}{operator} } @$acts], ['26AT101', '21SD333', '26AT101', '21SD333'],
    'the history names the operators';
is_deeply [map { $_->{operator} } @{JSON::PP::decode_json($service->admin('history', '14/AT0', '--json'))}],
    ['26AT101', '21SD333', '26AT101', '21SD333'], 'the command history names them as well';
is $profile{'21SD333'}->post("undo?$log", { act => $acts->[0]{number}, include => '' })->status, 200,
    'an operator undoes what another one did';
is_deeply { map { $_->{callsign} => $_->{qsos} } @{$profile{'21SD333'}->get("statistics?$log")->json->{operators}} },
    { '21SD333' => 2, '26AT101' => 2 }, 'statistics tell who made how many, also of a QSO that came back';
my $adif = $profile{'21SD333'}->get("export.adi?$log")->body;
is_deeply [sort $adif =~ /<OPERATOR:\d+>(\w+)/g], [('21SD333') x 2, ('26AT101') x 2], 'ADIF names the operators';
is scalar(() = $adif =~ /<STATION_CALLSIGN:\d+>14\/AT0/g), 4, 'ADIF names the station';
is $profile{'21SD333'}->post("import?$log", { adif => "<CALL:5>26AT9<BAND:3>11m<FREQ:6>27.555<QSO_DATE:8>20260517"
    . '<TIME_ON:6>194310<MODE:3>SSB<STATION_CALLSIGN:6>14/AT0<OPERATOR:7>19AT777<EOR>' })->json->{imported}, 1,
    'an operator imports a file';
is_deeply [map { $_->{callsign} } grep { $_->{qsos} == 1 }
    @{$profile{'21SD333'}->get("statistics?$log")->json->{operators}}], ['19AT777'], 'its OPERATOR made the QSO';
is $profile{'21SD333'}->get("$_?$log")->status, 200, "$_ is there for the station's log"
    for qw(awards worked map revision near-matches tokens deleted export.csv awards.csv);
is $profile{'21SD333'}->post("keys?$log", { name => "key $_", scope => 'READ' })->status, $_ <= 9 ? 201 : 409,
    "key $_ of an operator" for 1 .. 10;
is $profile{'26AT101'}->post("keys?$log", { name => 'more', scope => 'READ' })->status, 201,
    'each operator has ten keys';
is $service->admin('check'), '', 'a station may have more than ten';

# -- the end ----------------------------------------------------------------------------------------
sub text_of { join ' ', $_[0]->status, $_[0]->code // '' }
sub held {
    my ($request) = @_;
    return QSOsync::Waiting::behind_writer($service, sub { text_of($request->()) },
        sub { $service->sqlite("UPDATE grants SET revoked_at = 1 WHERE member_id = "
            . "(SELECT id FROM members WHERE callsign = '26AT101')") });
}
my $count = sub {
    $service->sqlite('SELECT count(*) FROM qsos JOIN members ON members.id = member_id WHERE is_station');
};
my $before = $count->();
is held(sub { save('26AT101', qso()) }), '403 PROFILE.LOG_NOT_GRANTED',
    'a write that waited when the grant ended is refused';
$service->sqlite('UPDATE grants SET revoked_at = NULL');
is held(sub { $service->post_batch([qso()], key => $key{'26AT101'}{key}) }), '401 API_KEYS.INVALID',
    'so is one with a key of that operator';
$service->sqlite('UPDATE grants SET revoked_at = NULL');
is held(sub { $profile{'26AT101'}->remove("qsos/$qsos[1]{clientId}?$log") }), '403 PROFILE.LOG_NOT_GRANTED',
    'so is a deletion';
$service->sqlite('UPDATE grants SET revoked_at = NULL');
is $count->(), $before, 'nothing was written';
$service->admin('station', 'revoke', '14/AT0', '26AT101');
is save('26AT101', qso())->status, 403, 'after the end nothing is saved';
is $profile{'26AT101'}->get("revision?$log")->code, 'PROFILE.LOG_NOT_GRANTED', 'an open page learns it';
is $service->get('/me', key => $key{'26AT101'}{key})->status, 401, 'the keys of that operator have ended';
is $service->get('/me', key => $key{'21SD333'}{key})->status, 200, 'those of others have not';
$service->admin('station', 'grant', '14/AT0', '26AT101');
is $service->get('/me', key => $key{'26AT101'}{key})->status, 401, 'a new grant revives no key';
is $profile{'26AT101'}->get("me?$log")->status, 200, 'a new grant opens the log again';

# One with a date ends by itself.
sub active_keys {
    my $members = JSON::PP::decode_json($service->admin('member', 'list', '--json'));
    return (grep { $_->{callsign} eq '14/AT0' } @$members)[0]{activeKeys};
}
my $counted = active_keys();
$service->admin('station', 'grant', '14/AT0', '26AT101', '--until', iso_time(time + 2));
my $short = $profile{'26AT101'}->post("keys?$log", { name => 'short', scope => 'WRITE' })->json->{key};
ok $service->get('/me', key => $short)->status == 200, 'a key works up to the end of the grant';
ok until_true(sub { $service->get('/me', key => $short)->status == 401 }), 'a key ends with the grant';
is active_keys(), $counted, 'a key whose grant has ended is not counted as active';
is $profile{'26AT101'}->get("me?$log")->status, 403, 'the log is closed with it';
$service->admin('station', 'grant', '14/AT0', '26AT101', '--until', '2999-12-31');
is $service->get('/me', key => $short)->status, 401, 'a key that has ended stays so';
is $profile{'26AT101'}->get('me')->json->{stations}[0]{until}, '3000-01-01T00:00:00.000Z', 'a day counts as a whole';

# -- the page of operators --------------------------------------------------------------------------
my ($station) = @{$operator->get('stations')->json->{items}};
is_deeply [map { $_->{callsign} } @{$station->{operators}}], ['21SD333', '26AT101'], 'operators see who may';
is $operator->post("stations/$station->{number}/revoke", { member => '26AT101' })->status, 204, 'operators end a grant';
is $profile{'26AT101'}->get("me?$log")->status, 403, 'the log is closed at once';
is $operator->post("stations/$station->{number}/grant", { member => '26at101', until => '2999-12-31' })->status, 204,
    'operators grant it again';
is $operator->post("stations/$station->{number}/grant", { member => $_ })->status, 400, "not to $_" for 'NOBODY', '';
is $operator->post("stations/$station->{number}/grant", { member => '14/AT0' })->status, 409, 'not to a station';
is $operator->post('stations', { callsign => '21DX1', locator => 'JO59' })->status, 204, 'operators add a station';
is $operator->post('stations', { callsign => '21-dx-1', locator => 'JO59' })->status, 409, 'a callsign is added once';
like $service->admin('log'), qr/station grant +14\/AT0 +26AT101/, 'what they did is noted';

# -- members who go ---------------------------------------------------------------------------------
$service->admin('member', 'disable', '21SD333');
is $service->get('/me', key => $key{'21SD333'}{key})->status, 401, 'keys of a disabled operator do not work';
$service->admin('member', 'enable', '21SD333');
is $service->get('/me', key => $key{'21SD333'}{key})->status, 200, 'they work again with the operator';
my $backup = $service->db . '.backup';
$service->admin('backup', $backup);
$service->admin('station', 'revoke', '14/AT0', '21SD333');
$service->admin('station', 'set', '14/AT0', '--page', 'on');
$service->admin('restore', $backup);
is $service->get('/me', key => $key{'21SD333'}{key})->status, 401, 'after a restore keys that ended stay ended';
is_deeply [map { "$_->{station} $_->{member}" } grep { $_->{member} } @{stations()}], ['14/AT0 26AT101'],
    'grants that ended stay ended';
ok stations()->[0]{page}, 'the page stays as it was decided';
$service->sqlite('DELETE FROM made_by');
$profile{'26AT101'}->remove("qsos/$qsos[3]{clientId}?$log");
$service->admin('restore', $backup, '--member', '14/AT0');
is $service->sqlite('SELECT operator FROM made_by'), '21SD333', 'a QSO that comes back from a backup names who made it';
$service->admin('restore', $backup);
$service->admin('member', 'delete', '21SD333', '--yes');
$service->admin('check');
is $service->sqlite("SELECT count(*) FROM made_by WHERE operator = '21SD333'"), 2,
    'the log of the station keeps the QSOs';
$service->admin('member', 'disable', '14/AT0');
$service->admin('member', 'delete', '14/AT0', '--yes');
is $service->sqlite('SELECT (SELECT count(*) FROM made_by) + (SELECT count(*) FROM grants)'), 0,
    'with a station goes all that is its own';
$service->admin('check');
unlink $backup;

# /log/STATION: "Am I in the log?" tells bands, modes and days, to few questions, and nothing else.
{
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

    is ask("14-AT0$_")->status, 404, "the page is off: $_" for '', '/worked?call=21SD333', '/summary';
    $service->admin('station', 'set', '14/AT0', '--page', 'on');
    my $page = ask('14-AT0');
    is $page->status, 200, 'the page is on';
    like $page->body, qr{<bdi id="station">14/AT0</bdi>}, 'it has the callsign';
    is $page->header('X-Robots-Tag'), 'noindex', 'it is not for search engines';
    like $page->header('Content-Security-Policy'), qr/default-src 'none'/, 'it has the rules of all pages';
    is ask($_)->status, 200, "it has the address $_" for '14AT0', '14at0', '14/AT0', '14/at0';
    # Apache refuses an encoded slash itself; .htaccess cannot allow it.
    is ask('14%2FAT0')->status, $service->front eq 'htaccess' ? 404 : 200, 'an encoded slash is a slash';
    like ask('14/AT0')->body, qr{href="(?:\./)?\.\./\.\./pages/}, 'with a stroke, its links lead to the same files';
    is ask("14/AT0$_")->status, 200, "with a stroke, it has $_" for '/summary', '/worked?call=X';
    is ask($_)->status, 404, "there is no $_" for '14/AT0/', '14//AT0', '14/AT0/DX', '14/AT0/worked/x', '/14/AT0',
        join('/', (1) x 20);
    is ask('21SD333')->status, 404, 'a member has no such page';
    my $found = ask('14-AT0/worked?call=21-sd-333');
    is_deeply $found->json, { worked => [{ band => 'ELEVEN_METERS', mode => 'USB', day => '2026-05-17' },
        { band => 'ELEVEN_METERS', mode => undef, day => '2026-05-18' }] }, 'days, each once, and no time';
    is_deeply ask("14-AT0/worked?call=$_")->json, { worked => [] }, "nothing for $_" for '21SD', '26AT101', '%25', '1';
    is ask("14-AT0/worked$_")->status, 400, "refused: $_" for '', '?call=', '?call=' . 'A' x 21, '?call=A&call=B';
    my $summary = ask('14-AT0/summary')->json;
    is_deeply [@$summary{qw(callsign qsos divisions)}], ['14/AT0', 6, 2], 'the numbers of the log';
    my $tag = ask('14-AT0/summary')->header('ETag');
    is ask('14-AT0/summary', headers => { 'If-None-Match' => $tag })->status, 304,
        'a browser that has them gets them once';
    $service->post_batch([qso(callsignWorked => '21SD333', qsoAt => '2026-05-21T10:00:00Z',
        sendSpot => JSON::PP::true())], key => $key);
    my $changed = ask('14-AT0/summary', headers => { 'If-None-Match' => $tag });
    is_deeply [$changed->status, $changed->json->{qsos}, scalar @{$changed->json->{spots}}], [200, 7, 1],
        'a log that has changed is sent again';

    # 30 questions an hour and address.
    is ask('14-AT0/worked?call=X1')->status, 200, "question $_" for 7 .. 30;
    my $refused = ask('14-AT0/worked?call=21SD333');
    is $refused->status, 429, 'the 31st has to wait';
    ok $refused->header('Retry-After') > 3000 && $refused->header('Retry-After') <= 3600, 'nearly an hour'
        or diag $refused->header('Retry-After');
    is ask('14-AT0/summary')->status, 200, 'the page itself does not';
    $service->admin('member', 'disable', '14/AT0');
    is ask('14-AT0')->status, 404, 'a disabled station has none';
}

done_testing;
