use QSOsync::Test fronts => 'all';
use QSOsync::Profile;
use QSOsync::Waiting;

# A station is a member that other members operate. A grant decides who may operate the station, and what they may do in
# the station's log.
my $service = QSOsync::Service->start(workers => 2, site => 1);
$service->admin('member', 'add', $_, '--locator', 'JO59') for qw(26AT101 1AT1);
$service->admin('station', 'add', '14/AT0', '--locator', 'JN03');
my %profile = map { $_ => QSOsync::Profile->log_in($service, $_) } qw(21SD333 26AT101);
my $log = 'log=14%2Fat0';

sub try_admin { $service->admin_try(@_) }
sub refused { my ($status, undef, $error) = try_admin(@_); return "$status $error" }
sub stations { JSON::PP::decode_json($service->admin('station', 'list', '--json')) }

# Only operators with a grant open the log.
is $profile{'21SD333'}->get("qsos?$log")->status, 403, 'a member without a grant cannot open the log';
is $profile{'21SD333'}->get("qsos?$log")->json->{error}{code}, 'PROFILE.LOG_NOT_GRANTED',
    'a missing grant has an error code';
is $profile{'21SD333'}->get('qsos?log=26AT101')->status, 403, "a member cannot open another member's log";
is $profile{'21SD333'}->get('qsos?log=21-sd-333')->status, 200, "the member's own callsign opens their own log";
$service->admin('station', 'grant', '14/AT0', $_) for qw(21SD333 26AT101);
is $profile{'21SD333'}->get("me?$log")->json->{callsign}, '14/AT0', "a grant opens the station's log";
is_deeply $profile{'21SD333'}->get('me')->json->{stations}, [{ callsign => '14/AT0', until => undef }],
    'the profile lists the stations that a member may operate';
is_deeply [map { "$_->{station} $_->{member}" } @{stations()}], ['14/AT0 21SD333', '14/AT0 26AT101'],
    'the command station list shows who may operate a station';

# Some functions work only for people, not for stations.
is $profile{'21SD333'}->request($_->[0], "$_->[1]?$log", json => {}, headers => { 'Sec-Fetch-Site' => 'same-origin' })
    ->status, 403, "$_->[0] $_->[1] works only for the member's own log"
    for ['GET', 'devices'], ['DELETE', 'devices'], ['POST', 'devices/link'], ['POST', 'password'], ['POST', 'prove'],
        ['POST', 'delete-log'], ['GET', 'everything.json'], ['POST', 'feed-code'];
like refused('member', 'invite', '14/AT0', '--address', 'https://log.example.org'),
    qr/\A1 .*is a station, and stations cannot sign in/, 'a station cannot be invited';
like refused('member', 'set', '14/AT0', '--operator', 'on'), qr/\A1 .*is a station/,
    'a station cannot become an operator';
like refused('station', 'grant', '21SD333', '26AT101'), qr/\A1 .*is not a station/,
    'a member who is not a station cannot be granted to other members';
like refused('station', 'grant', '14/AT0', '14/AT0'), qr/\A1 .*is a station; only members/,
    'a station cannot operate a station';
like refused('station', 'grant', '14/AT0', '1AT1', '--until', '2020-01-01'), qr/\A1 .*is in the past/,
    'a grant cannot end in the past';
like refused('station', 'revoke', '14/AT0', '1AT1'), qr/\A1 .*has no permission to operate/,
    'a missing grant cannot be revoked';
is QSOsync::Profile::send_json($service, '/sign-in', { callsign => '14/AT0', password => 'long enough, 1' })->status,
    401, 'nobody can sign in as a station';
my $operator = QSOsync::Operator->with_role($service, '1AT1');
is $operator->act('14/AT0', 'invite', {})->json->{error}{code}, 'OPERATOR.STATION',
    "the operator's page cannot invite a station";
is $operator->act('14/AT0', 'operator', { on => JSON::PP::true })->status, 409,
    "the operator's page cannot make a station an operator";

# Operators write to the log.
sub save { my ($who, $qso, $query) = @_; $profile{$who}->post('qsos' . ($query // "?$log"), { entries => [$qso] }) }
my @qsos = map { qso(callsignWorked => "2SD$_") } 1 .. 4;
is save('21SD333', $qsos[0])->status, 200, 'an operator can save a QSO';
save('26AT101', $_) for @qsos[1, 2];
my %key;
for my $who (sort keys %profile) {
    $key{$who} = $profile{$who}->post("keys?$log", { name => "phone of $who", scope => 'WRITE' })->json;
    is $service->get('/me', key => $key{$who}{key})->json->{callsign}, '14/AT0', "a key by $who belongs to the station";
}
is_deeply [map { $_->{madeBy} } @{$profile{'21SD333'}->get("keys?$log")->json->{items}}], ['21SD333', '26AT101'],
    'the list shows who created a key';
$profile{'26AT101'}->post("tokens?$log", { name => 'logger' });
is JSON::PP::decode_json($service->admin('upload-token', 'list', '14/AT0', '--json'))->[0]{madeBy}, '26AT101',
    'the list of upload tokens shows who created a token';
# Operators can revoke the keys that they created, but not keys that other operators or the command created.
my ($token) = @{$profile{'21SD333'}->get("tokens?$log")->json->{items}};
$service->admin('key', 'add', '14/AT0', '--name', 'of the club', '--scope', 'READ');
my ($of_club) = grep { $_->{name} eq 'of the club' } @{$profile{'21SD333'}->get("keys?$log")->json->{items}};
for ("keys/$key{'26AT101'}{number}", "tokens/$token->{number}", "keys/$of_club->{number}") {
    my $answer = $profile{'21SD333'}->post("$_/revoke?$log", {});
    is_deeply [$answer->status, $answer->code], [403, 'PROFILE.MADE_BY_OTHER'],
        "an operator cannot revoke another operator's $_";
}
is $profile{'21SD333'}->post("keys/999/revoke?$log", {})->status, 404, 'revoking an unknown key gives 404';
is $service->get('/me', key => $key{'26AT101'}{key})->status, 200, "the other operator's key still works";
is $profile{'26AT101'}->post("tokens/$token->{number}/revoke?$log", {})->status, 204,
    'an operator can revoke their own token';
is $profile{'26AT101'}->post("tokens/$token->{number}/revoke?$log", {})->status, 404,
    'a revoked token cannot be revoked again';
$service->admin('key', 'revoke', '14/AT0', $of_club->{number});
$service->post_batch([$qsos[3]], key => $key{'21SD333'}{key});
is scalar @{$profile{'21SD333'}->get('qsos')->json->{items}}, 0,
    "the member's own log has no QSO from the station's log";
is scalar @{$profile{'21SD333'}->get("qsos?$log")->json->{items}}, 4, "the station's log has all QSOs";
$profile{'26AT101'}->remove("qsos/$qsos[0]{clientId}?$log");
my $acts = $profile{'21SD333'}->get("history?$log")->json->{items};
is_deeply [map { $_->{writer}{operator} } @$acts], ['26AT101', '21SD333', '26AT101', '21SD333'],
    'the history names the operators';
is_deeply [map { $_->{operator} } @{JSON::PP::decode_json($service->admin('history', '14/AT0', '--json'))}],
    ['26AT101', '21SD333', '26AT101', '21SD333'], 'qsosync-admin history names the operators';
is $profile{'21SD333'}->post("undo?$log", { act => $acts->[0]{number}, include => '' })->status, 200,
    'an operator can undo an act of another operator';
is_deeply { map { $_->{callsign} => $_->{qsos} } @{$profile{'21SD333'}->get("statistics?$log")->json->{operators}} },
    { '21SD333' => 2, '26AT101' => 2 }, 'statistics count the QSOs of each operator, including a restored QSO';
my $adif = $profile{'21SD333'}->get("export.adi?$log")->body;
is_deeply [sort $adif =~ /<OPERATOR:\d+>(\w+)/g], [('21SD333') x 2, ('26AT101') x 2], 'ADIF names the operators';
is scalar(() = $adif =~ /<STATION_CALLSIGN:\d+>14\/AT0/g), 4, 'ADIF names the station';
is $profile{'21SD333'}->post("import?$log", { adif => "<CALL:5>26AT9<BAND:3>11m<FREQ:6>27.555<QSO_DATE:8>20260517"
    . '<TIME_ON:6>194310<MODE:3>SSB<STATION_CALLSIGN:6>14/AT0<OPERATOR:7>19AT777<EOR>' })->json->{imported}, 1,
    'an operator can import a file';
is_deeply [map { $_->{callsign} } grep { $_->{qsos} == 1 }
    @{$profile{'21SD333'}->get("statistics?$log")->json->{operators}}], ['19AT777'],
        'the statistics count an imported QSO for its OPERATOR';
is $profile{'21SD333'}->get("$_?$log")->status, 200, "$_ is available for the station's log"
    for qw(awards worked map revision near-matches tokens deleted export.csv awards.csv);
is $profile{'21SD333'}->post("keys?$log", { name => "key $_", scope => 'READ' })->status, $_ <= 9 ? 201 : 409,
    "an operator can have no more than ten keys: key $_" for 1 .. 10;
is $profile{'26AT101'}->post("keys?$log", { name => 'more', scope => 'READ' })->status, 201,
    'each operator can have ten keys';
is $service->admin('check'), '', 'the check accepts a station with more than ten keys';

# A grant ends at once, even for writes that wait.
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
    'a waiting write is refused if the grant ends';
$service->sqlite('UPDATE grants SET revoked_at = NULL');
is held(sub { $service->post_batch([qso()], key => $key{'26AT101'}{key}) }), '401 API_KEYS.INVALID',
    'a waiting write with a key of an operator whose grant ends is refused';
$service->sqlite('UPDATE grants SET revoked_at = NULL');
is held(sub { $profile{'26AT101'}->remove("qsos/$qsos[1]{clientId}?$log") }), '403 PROFILE.LOG_NOT_GRANTED',
    'a waiting deletion is refused if the grant ends';
$service->sqlite('UPDATE grants SET revoked_at = NULL');
is $count->(), $before, 'refused writes change nothing';
$service->admin('station', 'revoke', '14/AT0', '26AT101');
is save('26AT101', qso())->status, 403, 'nothing is saved after the end of a grant';
is $profile{'26AT101'}->get("revision?$log")->code, 'PROFILE.LOG_NOT_GRANTED',
    'a request from an open page is refused with an error code';
is $service->get('/me', key => $key{'26AT101'}{key})->status, 401, 'the end of the grant revokes its operator\'s keys';
is $service->get('/me', key => $key{'21SD333'}{key})->status, 200, "other operators' keys still work";
$service->admin('station', 'grant', '14/AT0', '26AT101');
is $service->get('/me', key => $key{'26AT101'}{key})->status, 401, 'a new grant does not revive keys';
is $profile{'26AT101'}->get("me?$log")->status, 200, 'a new grant opens the log again';

# A grant with a date ends automatically.
sub active_keys {
    my $members = JSON::PP::decode_json($service->admin('member', 'list', '--json'));
    return (grep { $_->{callsign} eq '14/AT0' } @$members)[0]{activeKeys};
}
my $counted = active_keys();
$service->admin('station', 'grant', '14/AT0', '26AT101', '--until', iso_time(time + 2));
my $short = $profile{'26AT101'}->post("keys?$log", { name => 'short', scope => 'WRITE' })->json->{key};
ok $service->get('/me', key => $short)->status == 200, 'a key works up to the end of the grant';
ok until_true(sub { $service->get('/me', key => $short)->status == 401 }),
    'a key stops working at the end of the grant';
is active_keys(), $counted, 'a key whose grant has ended is not counted as active';
is $profile{'26AT101'}->get("me?$log")->status, 403, 'an operator cannot open the log after the end of the grant';
$service->admin('station', 'grant', '14/AT0', '26AT101', '--until', '2999-12-31');
is $service->get('/me', key => $short)->status, 401, 'a new grant does not revive a key';
is $profile{'26AT101'}->get('me')->json->{stations}[0]{until}, '3000-01-01T00:00:00.000Z',
    'a grant until a date includes the whole day';

# The operator's page lists and ends grants.
my ($station) = @{$operator->get('stations')->json->{items}};
is_deeply [map { $_->{callsign} } @{$station->{operators}}], ['21SD333', '26AT101'],
    'operators can see who may operate a station';
is $operator->post("stations/$station->{number}/revoke", { member => '26AT101' })->status, 204,
    'operators can end a grant';
is $profile{'26AT101'}->get("me?$log")->status, 403, 'the end of a grant closes the log at once';
is $operator->post("stations/$station->{number}/grant", { member => '26at101', until => '2999-12-31' })->status, 204,
    'operators can renew a grant';
is $operator->post("stations/$station->{number}/grant", { member => $_ })->status, 400,
    "a station cannot be granted to '$_'" for 'NOBODY', '';
is $operator->post("stations/$station->{number}/grant", { member => '14/AT0' })->status, 409,
    'a station cannot be granted to a station';
is $operator->post('stations', { callsign => '21DX1', locator => 'JO59' })->status, 204, 'operators can add a station';
is $operator->post('stations', { callsign => '21-dx-1', locator => 'JO59' })->status, 409,
    'a callsign can be added only once';
like $service->admin('log'), qr/station grant +14\/AT0 +26AT101/, 'the activity log records the grants';

# A disabled member's grants do not work. Deleting a member ends their grants.
$service->admin('member', 'disable', '21SD333');
is $service->get('/me', key => $key{'21SD333'}{key})->status, 401, "a disabled operator's keys do not work";
$service->admin('member', 'enable', '21SD333');
is $service->get('/me', key => $key{'21SD333'}{key})->status, 200, "an enabled operator's keys work again";
my $backup = $service->db . '.backup';
$service->admin('backup', $backup);
$service->admin('station', 'revoke', '14/AT0', '21SD333');
$service->admin('station', 'set', '14/AT0', '--page', 'on');
$service->admin('restore', $backup);
is $service->get('/me', key => $key{'21SD333'}{key})->status, 401, 'a restore does not revive revoked keys';
is_deeply [map { "$_->{station} $_->{member}" } grep { $_->{member} } @{stations()}], ['14/AT0 26AT101'],
    'a restore does not revive ended grants';
ok stations()->[0]{page}, 'a page that was switched on since the backup stays on';
$service->sqlite('DELETE FROM made_by');
$profile{'26AT101'}->remove("qsos/$qsos[3]{clientId}?$log");
$service->admin('restore', $backup, '--member', '14/AT0');
is $service->sqlite('SELECT operator FROM made_by'), '21SD333', 'a QSO restored from a backup names its operator';
$service->admin('restore', $backup);
$service->admin('member', 'delete', '21SD333', '--yes');
$service->admin('check');
is $service->sqlite("SELECT count(*) FROM made_by WHERE operator = '21SD333'"), 2,
    "the station's QSOs still name a deleted operator";
$service->admin('member', 'disable', '14/AT0');
$service->admin('member', 'delete', '14/AT0', '--yes');
is $service->sqlite('SELECT (SELECT count(*) FROM made_by) + (SELECT count(*) FROM grants)'), 0,
    'a deleted station leaves no grants and no names of operators';
$service->admin('check');
unlink $backup;

done_testing;
