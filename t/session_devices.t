use QSOsync::Test fronts => 'essential';
use QSOsync::Profile;

# A browser and the app in it are one device. The device is one entry in the list of devices, and loses all access at
# once.
my $service = QSOsync::Service->start(site => 1);
my ($true, $false) = (JSON::PP::true(), JSON::PP::false());
my $me = QSOsync::Profile->log_in($service, '21SD333');
my %agent = (phone => 'Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile',
    tablet => 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0');
sub sign_in {
    my ($name) = @_;
    return QSOsync::Profile->sign_in($service, '21SD333', $me->{password},
        headers => { 'User-Agent' => $agent{$name} });
}
sub devices { $_[0]->get('devices')->json->{items} }
sub device { my ($who, $name) = @_; (grep { ($_->{device} // '') eq $name } @{devices($who)})[0] }
sub works { $service->get('/me', key => $_[0]{key})->status == 200 }
sub make_app {
    my ($who, $name, $where, $log) = @_;
    my $answer = $who->post('keys' . ($log ? "?log=$log" : ''), { name => $name, scope => 'WRITE', app => $where });
    return $answer->status == 201 ? $answer->json : die $answer->body;
}

my ($phone, $tablet) = map { sign_in($_) } qw(phone tablet);
my $app = make_app($phone, 'Pixel 8', 'here');
my $program = $phone->post('keys', { name => 'Logger', scope => 'WRITE' })->json;
is $me->post('keys', { name => 'x', scope => 'WRITE', app => $_ })->status, 400,
    "a key with the place '$_' for its app is refused"
    for 'there', '';

# The list of devices includes the apps of each browser.
my $entry = device($me, 'Chrome on Android');
is_deeply [map { { %$_, createdAt => 1, lastUsedOn => undef } } @{$entry->{apps}}],
    [{ number => $app->{number}, name => 'Pixel 8', log => '21SD333', createdAt => 1, lastUsedOn => undef }],
    'the entry of a browser contains the key of its app';
is scalar(grep { @{$_->{apps}} } @{devices($me)}), 1, "another program's key is not a device";
is_deeply [map { $_->{isApp} } grep { $_->{name} =~ /Pixel|Logger/ } @{$me->get('keys')->json->{items}}],
    [$true, $false], 'the list of keys marks the key of the app';

# If another device or the command revokes a key of an app, the app's browser is also signed out.
{
    my $browser = sign_in('phone');
    my ($log, $other) = map { make_app($browser, "key $_", 'here') } 1, 2;
    is $browser->post("keys/$log->{number}/revoke")->status, 204, 'a browser can revoke a key of its app';
    is $browser->get('me')->status, 200, 'a browser that revokes a key of its app stays signed in';
    ok works($other), 'another key of the app still works';
    $log = make_app($browser, 'key 3', 'here');
    is $tablet->post("keys/$other->{number}/revoke")->status, 204, 'another browser can revoke a key of the app';
    is $browser->get('me')->status, 401, 'a browser is signed out when another device revokes a key of its app';
    ok !works($log), 'all keys of an app are revoked when its browser is signed out';
    $browser = sign_in('phone');
    my $last = make_app($browser, 'key 4', 'here');
    $service->admin('key', 'revoke', '21SD333', $last->{number});
    is $browser->get('me')->status, 401, 'a browser is signed out when the command revokes a key of its app';
}
is $tablet->remove("devices/$entry->{number}")->status, 204, 'a member can sign out a device';
is $phone->get('me')->status, 401, 'the browser of the device loses access';
ok !works($app), 'the app of the device loses access';
ok works($program), "another program's key keeps working";
is device($me, 'Chrome on Android'), undef, 'a device that was signed out is not listed';
is $me->remove("devices/$entry->{number}")->status, 404, 'a device that was signed out cannot be signed out again';

# A member can sign out all other devices.
($phone, $app) = (sign_in('phone'));
$app = make_app($phone, 'Pixel 8', 'here');
my $linked = make_app($tablet, 'by a link', 'elsewhere');
my $own = make_app($tablet, 'own', 'here');
my ($alone) = grep { !defined $_->{number} } @{devices($me)};
is_deeply [@{$alone}{qw(number device isThis)}, $alone->{apps}[0]{name}], [undef, undef, $false, 'by a link'],
    'an app on a device that is not signed in is a separate entry';
is $tablet->remove('devices')->status, 204, 'a member can sign out all other devices';
is_deeply [map { works($_) ? 1 : 0 } $app, $linked, $own, $program], [0, 0, 1, 1],
    "other apps lose access; the browser's own app and other programs do not";
is_deeply [map { $_->{device} } @{devices($tablet)}], ['Firefox on Linux'], 'one device is left';

# An app can be without a browser.
$linked = make_app($tablet, 'by a link', 'elsewhere');
is $tablet->remove("devices/apps/$linked->{number}")->status, 204, 'an app without a browser can be signed out';
ok !works($linked), 'an app that is signed out loses access';
is $tablet->remove("devices/apps/$_")->status, 404, 'only an app with a valid key can be signed out'
    for $linked->{number}, $program->{number}, 0, 'x', 99999;
ok works($program), "another program's key is not signed out as an app";

# When a browser signs out, its app keeps access. After the next sign-in, the browser reports the key of its app, and
# both are one device again.
QSOsync::Profile::send_json($service, '/sign-out', {}, headers => { Cookie => $tablet->cookie });
ok works($own), 'the app keeps access when its browser signs out';
$tablet = sign_in('tablet');
is_deeply [map { scalar @{$_->{apps}} } grep { $_->{number} } @{devices($tablet)}], [0],
    'after the next sign-in, browser and app are two devices';
is $tablet->post("devices/apps/$own->{number}")->status, 204, 'a browser can report which key its app has';
is device($tablet, 'Firefox on Linux')->{apps}[0]{name}, 'own', 'browser and app are one entry again';
is $tablet->post("devices/apps/$_")->status, 404, 'a browser can report only a valid key of an app'
    for $linked->{number}, 4711, 'x';
my $again = QSOsync::Profile->sign_in($service, '21SD333', $me->{password},
    headers => { 'User-Agent' => $agent{tablet}, Cookie => $tablet->cookie });
is $tablet->get('me')->status, 401, 'signing in again ends the previous session';
is device($again, 'Firefox on Linux')->{apps}[0]{name}, 'own', 'the app belongs to the new session';
ok works($own), 'the key of the app works in the new session';

# Other members' devices stay signed in.
{
    $service->add_member('26AT101');
    my $other = QSOsync::Profile->log_in($service, '26AT101');
    my $number = device($again, 'Firefox on Linux')->{number};
    is $other->remove($_)->status, 404, "another member cannot sign out $_"
        for "devices/$number", "devices/apps/$own->{number}";
    is $other->post("devices/apps/$own->{number}")->status, 404, "another member's app cannot be claimed";
    $other->remove('devices');
    ok works($own), "another member's devices are not signed out";
    my $stranger = QSOsync::Profile->sign_in($service, '26AT101', $other->{password},
        headers => { Cookie => $again->cookie });
    is scalar(map { @{$_->{apps}} } @{devices($stranger)}), 0,
        'another member who signs in next in the browser does not get the app';
    ok works($own), 'the app still belongs to the first member';
}

# A key for a station's log belongs to the same device, but revoking this key does not sign the browser out.
{
    $service->admin('station', 'add', '14/AT0', '--locator', 'JN03');
    $service->admin('station', 'grant', '14/AT0', '21SD333');
    $phone = sign_in('phone');
    my $station = make_app($phone, 'Pixel 8', 'here', '14%2FAT0');
    $app = make_app($phone, 'Pixel 8', 'here');
    is_deeply [sort map { $_->{log} } @{device($phone, 'Chrome on Android')->{apps}}], ['14/AT0', '21SD333'],
        'an entry names the logs of its app';
    my $tablet = sign_in('tablet');
    $tablet->remove('devices/' . device($phone, 'Chrome on Android')->{number});
    ok !works($_), 'removing a device revokes each key of its app' for $station, $app;
    $phone = sign_in('phone');
    $station = make_app($phone, 'Pixel 8', 'here', '14%2FAT0');
    $service->admin('key', 'revoke', '14/AT0', $station->{number});
    is $phone->get('me')->status, 200, "a browser stays signed in when a station's key is revoked";
}

# The operator and the command can sign out devices.
{
    my $operator = QSOsync::Operator->with_role($service, '26AT101');
    my $member = $operator->member('21SD333')->{number};
    my @browsers = map { sign_in('phone') } 1, 2;
    my ($first, $second) = map { make_app($browsers[$_ - 1], "app $_", 'here') } 1, 2;
    my $list = $operator->get("members/$member/devices")->json->{items};
    is_deeply [sort map { map { $_->{name} } @{$_->{apps}} } @$list], ['app 1', 'app 2', 'own'],
        'an operator sees the same list';
    my ($number) = map { $_->{number} } grep { @{$_->{apps}} && $_->{apps}[0]{name} eq 'app 1' } @$list;
    is $operator->post("members/$member/devices/$number/sign-out")->status, 204, 'an operator can sign out a device';
    is_deeply [works($first) ? 1 : 0, works($second) ? 1 : 0], [0, 1],
        'signing out a device ends only the app on that device';
    my $alone = make_app($browsers[1], 'alone', 'elsewhere');
    is $operator->post("members/$member/devices/apps/$alone->{number}/sign-out")->status, 204,
        'an operator can sign out an app without a browser';
    ok !works($alone), 'an app that an operator signs out loses access';
    is $operator->post("members/$member/devices/apps/$program->{number}/sign-out")->status, 404,
        "an operator cannot sign out a program's key as an app";
    is $operator->post("members/$member/sign-out")->status, 204, 'an operator can sign out all devices';
    ok !works($second), 'signing out all devices ends the access of all apps';
    my $third = make_app(sign_in('phone'), 'app 3', 'here');
    $service->admin('member', 'sign-out', '21SD333');
    ok !works($third), "the command ends the access of a member's apps";
    ok works($program), 'programs keep access when all devices are signed out';
}

# Acts that end sessions also revoke the keys of the sessions' apps. Disabling a member revokes no key, because the
# member can be enabled again.
{
    my ($browser, $other) = map { sign_in($_) } qw(phone tablet);
    my ($here, $there, $alone) = (make_app($browser, 'here', 'here'), make_app($other, 'there', 'here'),
        make_app($browser, 'alone', 'elsewhere'));
    my $access = sub { [map { works($_) ? 1 : 0 } $here, $there, $alone, $program] };
    my $new = 'another long password';
    is $browser->post('password', { current => $me->{password}, password => $new })->status, 204, 'a password is set';
    $me->{password} = $new;
    is_deeply $access->(), [1, 0, 0, 1], 'a new password signs out the apps of all other devices';

    $other = sign_in('tablet');
    ($there, $alone) = (make_app($other, 'there', 'here'), make_app($browser, 'alone', 'elsewhere'));
    $service->sqlite("INSERT INTO passkeys (member_id, credential, point, name, sign_count, challenged_at, created_at)
        SELECT id, x'00', zeroblob(64), 'key', 0, 0, 5 FROM members WHERE callsign = '21SD333'");
    my $passkey = $browser->get('passkeys')->json->{items}[0]{number};
    is $browser->remove("passkeys/$passkey")->status, 204, 'a passkey is removed';
    is_deeply $access->(), [1, 0, 0, 1], 'a removed passkey signs out the apps of all other devices';

    $service->admin('member', 'disable', '21SD333');
    is_deeply $access->(), [0, 0, 0, 0], 'no key of a disabled member works';
    $service->admin('member', 'enable', '21SD333');
    is_deeply $access->(), [1, 0, 0, 1], "an enabled member's keys work again, including the app's keys";
    is_deeply [map { [$_->{number}, $_->{apps}[0]{name}] } @{devices(sign_in('tablet'))}[1]], [[undef, 'here']],
        'the app of a member who is enabled again is a device without a session';

    QSOsync::Profile::invite($service, '21SD333', '--new');
    is_deeply $access->(), [0, 0, 0, 1], '"member invite --new" signs out all apps';
    $me = QSOsync::Profile->log_in($service, '21SD333');
}

# The service recognises keys of earlier versions by the name that the app suggested.
{
    my $old = $service->directory . '/old.db';
    my $session = sign_in('tablet');
    my $key = $session->post('keys', { name => 'App, Android', scope => 'WRITE' })->json;
    $service->admin('backup', $old);
    system('sqlite3', $old, 'DROP INDEX api_keys_by_session; ALTER TABLE api_keys DROP COLUMN session_id; '
        . 'ALTER TABLE api_keys DROP COLUMN last_program; ALTER TABLE club DROP COLUMN sandbox; '
        . 'ALTER TABLE club DROP COLUMN sandbox_set_at; ALTER TABLE upload_tokens DROP COLUMN last_program; '
        . 'ALTER TABLE members DROP COLUMN channel_plan; '
        . 'ALTER TABLE club DROP COLUMN alerts; ALTER TABLE club DROP COLUMN alerts_set_at; '
        . join('', map { "DROP TABLE $_; " }
            qw(alert_deliveries alerts alert_ways alert_mutes alert_names alert_rules alert_settings alert_state))
        . 'PRAGMA user_version = 37') == 0 or die 'sqlite3';
    $service->admin('--db', $old, 'init');
    is `sqlite3 '$old' 'SELECT name, session_id FROM api_keys WHERE session_id IS NOT NULL'`, "App, Android|0\n",
        'a key of the app from an earlier version becomes a device';
}

# The command names devices as the page does.
{
    $service->add_member('26AT102');
    my $member = QSOsync::Profile->log_in($service, '26AT102');
    my $list = sub { JSON::PP::decode_json($service->admin(@_, '26AT102', '--json')) };
    $member->post('keys', { name => 'Logger', scope => 'WRITE' });
    is scalar(grep { exists $_->{device} } @{$list->('key', 'list')}), 0,
        'a list without keys of an app names no devices';
    my @browsers = ($member, map { QSOsync::Profile->sign_in($service, '26AT102', $member->{password},
        headers => { 'User-Agent' => $agent{$_} }) } qw(phone tablet));
    $member->post('keys', { name => 'Notebook', scope => 'WRITE', app => 'elsewhere' });
    $browsers[1]->post('keys', { name => 'Pixel 8', scope => 'WRITE', app => 'here' });
    $browsers[2]->post('keys', { name => 'App, Linux', scope => 'WRITE', app => 'here' });
    is_deeply [grep { defined } map { $_->{device} } @{$list->('key', 'list')}],
        ['Notebook, app', 'Pixel 8, app and browser', 'Firefox on Linux, app and browser'],
        '"key list" names the devices of the app';
    is_deeply [sort map { $_->{device} } @{$list->('member', 'devices')}],
        ['A browser', 'Firefox on Linux, app and browser', 'Notebook, app', 'Pixel 8, app and browser'],
        '"member devices" lists browsers and apps by the same names';
}

done_testing;
