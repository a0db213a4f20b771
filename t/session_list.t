use QSOsync::Test fronts => 'nginx';
use Encode ();
use POSIX ();
use QSOsync::Profile;

# A member's signed-in browsers are listed, can be signed out one by one or together, and expire when unused.
my $service = QSOsync::Service->start(site => 4);
$service->add_member($_) for '26AT101', '26AT102';
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $other = QSOsync::Profile->log_in($service, '26AT101');
my %agent = (phone => 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
    table => 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 '
        . 'Safari/537.36', odd => "<b>\x{e5}" . 'x' x 5000);
my %device = map { $_ => QSOsync::Profile->sign_in($service, '21SD333', $me->{password},
    headers => { 'User-Agent' => Encode::encode('UTF-8', $agent{$_}) }) } keys %agent;

my $list = $me->get('devices')->json;
is_deeply [sort map { $_->{device} } @{$list->{items}}], ['A browser', 'A browser', 'Chrome on Windows',
    'Firefox on Android'], 'all signed-in browsers are listed, with readable names';
my ($this) = grep { $_->{isThis} } @{$list->{items}};
is scalar(grep { $_->{isThis} } @{$list->{items}}), 1, 'one entry in the list is this browser';
like $this->{createdAt}, qr/\A\d{4}-.*Z\z/, 'the list has the time of the sign-in';
like $this->{lastUsedOn}, qr/\A\d{4}-\d\d-\d\d\z/, 'the list has the day of the last use';
unlike $service->sqlite('.dump sessions'), qr/Mozilla|xxx/,
    'the User-Agent of a browser is not stored';
my ($cookie) = $me->cookie =~ /=(.*)/;
unlike $me->get('devices')->body, qr/\Q$cookie\E/, 'the list contains no cookie';

my $of_me = "WHERE member_id = (SELECT id FROM members WHERE callsign = '21SD333')";

# One browser signs out another browser.
sub number_of {
    my ($name) = @_;
    return (grep { $_->{device} eq $name } @{$me->get('devices')->json->{items}})[0]{number};
}
my $number = number_of('Firefox on Android');
is $other->remove("devices/$number")->status, 404, "another member cannot sign out a browser";
is $device{phone}->get('me')->status, 200, "a browser stays signed in after another member's attempt";
is $me->request('DELETE', "devices/$number")->code, 'PROFILE.CROSS_SITE',
    'a page on another site cannot sign out a browser';
is $me->remove("devices/$number")->status, 204, 'a member can sign out another of their browsers';
is $device{phone}->get('me')->status, 401, 'the cookie of a signed-out browser is not valid';
is $me->remove("devices/$number")->status, 404, 'a signed-out browser cannot be signed out again';
is $me->remove("devices/$_")->status, 404,
    "signing out browser $_, which does not exist, gives 404" for 0, -1, 'x', '9' x 30;
my $link = $me->post('devices/link')->json->{link} =~ s/.*#//r;
is $me->remove('devices')->status, 204, 'a member can sign out all other browsers';
is join(' ', map { $device{$_}->get('me')->status } qw(table odd)), '401 401', 'the other browsers are signed out';
is $me->get('me')->status, 200, 'this browser stays signed in';
is $other->get('me')->status, 200, 'other members stay signed in';
ok !QSOsync::Profile->use_link($service, $link),
    'an unused link for another device is revoked when all other browsers are signed out';
my $again = QSOsync::Profile->sign_in($service, '21SD333', $me->{password});
my $answer = $again->remove('devices/'
    . (grep { $_->{isThis} } @{$again->get('devices')->json->{items}})[0]{number});
like $answer->header('Set-Cookie'), qr/\A\w+=; Max-Age=0;/, 'a browser that signs itself out loses its cookie';

# A new password ends all other sessions. A disabled member has no session.
$again = QSOsync::Profile->sign_in($service, '21SD333', $me->{password});
is $me->post('password', { password => 'a new long one', current => 'not it at all' })->status, 400,
    'a new password requires the current password';
is $again->get('me')->status, 200, 'a rejected change of the password ends no session';
is $me->post('password', { password => $_, current => $me->{password} })->status, 400, "password '$_' is rejected"
    for 'short', '21SD333', '21-sd-333', 'password123', 'x' x 201;
is $me->post('password', { password => 'a new long one', current => $me->{password} })->status, 204,
    'a member can set another password';
is $again->get('me')->status, 401, 'a new password signs out all other browsers';
is $me->get('me')->status, 200, 'the browser that sets a password stays signed in';
ok !QSOsync::Profile->sign_in($service, '21SD333', $me->{password}), 'the previous password signs nobody in';
$service->admin('member', 'disable', '26AT101');
is $other->get('me')->status, 401, 'a disabled member is signed out';
ok !QSOsync::Profile->sign_in($service, '26AT101', $other->{password}),
    'a disabled member cannot sign in with the password';
$service->admin('member', 'enable', '26AT101');
is $other->get('me')->status, 401, 'enabling a member does not restore the session';
ok +QSOsync::Profile->sign_in($service, '26AT101', $other->{password}),
    'a member who is enabled again can sign in with the password';

# For requests that require a recent proof, a member enters the password again.
sub proved_at { return $service->sqlite("SELECT group_concat(proved_at) FROM sessions $of_me") }
$me->{password} = 'a new long one';
$service->sqlite("UPDATE sessions SET proved_at = 0 $of_me");
$answer = $me->post('prove', { password => 'not it at all' });
is $answer->status . ' ' . $answer->json->{error}{details}[0]{message}, '400 is not valid',
    'a wrong password is not accepted as a proof';
is $me->post('prove', $_)->status, 400, 'a missing password is not accepted as a proof' for {}, { password => 1 };
is proved_at(), 0, 'a failed proof is not recorded';
is $me->post('prove', { password => $me->{password} })->status, 204, 'the right password is accepted as a proof';
cmp_ok abs(proved_at() - 1000 * time), '<', 60_000, 'the time of the proof is recorded';

# A session lasts 400 days from its last day of use. The first use on a day is recorded, and the cookie gets a new
# lifetime.
my $today = int(time / 86400);
sub last_day { return $service->sqlite("SELECT last_used_day FROM sessions $of_me") }
sub set_day { $service->sqlite("UPDATE sessions SET last_used_day = $_[0] $of_me") }
set_day($today - 1);
$answer = $me->get('me');
is $answer->header('Set-Cookie'), $me->cookie . '; Max-Age=34560000; Path=/; HttpOnly; SameSite=Strict',
    'on a later day, the same cookie gets a new lifetime';
ok until_true(sub { last_day() == $today }), 'the day of use is recorded';
is $me->get('me')->header('Set-Cookie'), undef, 'the cookie gets a new lifetime only once per day';
set_day($today - 399);
is $me->get('me')->status, 200, 'a browser is still signed in after 399 days';
set_day($today - 401);
is $me->get('me')->status, 401, 'a browser is signed out after 401 days';
set_day($today + 1000);
is $me->get('me')->status, 200, 'a clock that was set back signs nobody out';
is $me->get('devices')->status, 200, 'a clock that was set back does not affect the list';

# A session is found among thousands, and a member has at most a hundred sessions.
set_day($today);
$service->sqlite("INSERT INTO sessions (member_id, fingerprint, device, created_at, last_used_day, proved_at,
        may_set_password)
    SELECT (SELECT id FROM members WHERE callsign = '26AT102'), randomblob(32), 'A browser', value, $today - 1, 0, 0
    FROM generate_series(1, 5000)");
is $me->get('me')->status, 200, 'a session is found among five thousand';
is scalar @{$me->get('devices')->json->{items}}, 1, "the list contains only the member's own sessions";
my $third = QSOsync::Profile->log_in($service, '26AT102');
QSOsync::Profile->sign_in($service, '26AT102', $third->{password}) for 1 .. 3;
cmp_ok scalar(@{$third->get('devices')->json->{items}}), '<=', 100, 'a member has at most a hundred sessions';
is $service->admin('check'), '', 'the logbook passes the check with many sessions';

done_testing;
