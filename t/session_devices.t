use QSOsync::Test fronts => 'nginx';
use Encode ();
use QSOsync::Profile;

# The browsers of a member that are signed in: listed, signed out one by one or all, for as long as they are used.
my $service = QSOsync::Service->start(site => 2);
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
    'Firefox on Android'], 'all browsers that are signed in are listed, in words';
my ($this) = grep { $_->{isThis} } @{$list->{items}};
is scalar(grep { $_->{isThis} } @{$list->{items}}), 1, 'one of them is this one';
like $this->{createdAt}, qr/\A\d{4}-.*Z\z/, 'the list says since when';
like $this->{lastUsedOn}, qr/\A\d{4}-\d\d-\d\d\z/, 'the list says when it was used last';
unlike $service->sqlite('.dump sessions'), qr/Mozilla|xxx/, 'nothing that a browser says of itself is stored as it is';
my ($cookie) = $me->cookie =~ /=(.*)/;
unlike $me->get('devices')->body, qr/\Q$cookie\E/, 'the list holds no cookie';

my $of_me = "WHERE member_id = (SELECT id FROM members WHERE callsign = '21SD333')";

# One is signed out from another one.
sub number_of {
    my ($name) = @_;
    return (grep { $_->{device} eq $name } @{$me->get('devices')->json->{items}})[0]{number};
}
my $number = number_of('Firefox on Android');
is $other->remove("devices/$number")->status, 404, 'the browsers of another member are nobody else\'s';
is $device{phone}->get('me')->status, 200, 'it stays signed in';
is $me->request('DELETE', "devices/$number")->code, 'PROFILE.CROSS_SITE', 'no page of another site signs a browser out';
is $me->remove("devices/$number")->status, 204, 'a member signs out another of his browsers';
is $device{phone}->get('me')->status, 401, 'its cookie does not work any more';
is $me->remove("devices/$number")->status, 404, 'it is signed out once';
is $me->remove("devices/$_")->status, 404, "$_ is no browser" for 0, -1, 'x', '9' x 30;
my $link = $me->post('devices/link')->json->{link} =~ s/.*#//r;
is $me->remove('devices')->status, 204, 'a member signs out all other browsers';
is join(' ', map { $device{$_}->get('me')->status } qw(table odd)), '401 401', 'none of the others is signed in';
is $me->get('me')->status, 200, 'this one is';
is $other->get('me')->status, 200, 'other members are';
ok !QSOsync::Profile->use_link($service, $link), 'a link for another device that was open lets nobody in then';
my $again = QSOsync::Profile->sign_in($service, '21SD333', $me->{password});
my $answer = $again->remove('devices/' . (grep { $_->{isThis} } @{$again->get('devices')->json->{items}})[0]{number});
like $answer->header('Set-Cookie'), qr/\A\w+=; Max-Age=0;/, 'a browser that signs itself out forgets its cookie';

# A new password ends the others; a disabled member has none.
$again = QSOsync::Profile->sign_in($service, '21SD333', $me->{password});
is $me->post('password', { password => 'a new long one', current => 'not it at all' })->status, 400,
    'no new password without the present one';
is $again->get('me')->status, 200, 'a password that was not changed ends nothing';
is $me->post('password', { password => $_, current => $me->{password} })->status, 400, "'$_' is no password"
    for 'short', '21SD333', '21-sd-333', 'password123', 'x' x 201;
is $me->post('password', { password => 'a new long one', current => $me->{password} })->status, 204,
    'a member sets another password';
is $again->get('me')->status, 401, 'a new password signs out all other browsers';
is $me->get('me')->status, 200, 'the browser where it was set stays signed in';
ok !QSOsync::Profile->sign_in($service, '21SD333', $me->{password}), 'the former password lets nobody in';
$service->admin('member', 'disable', '26AT101');
is $other->get('me')->status, 401, 'a member who was disabled is signed out';
ok !QSOsync::Profile->sign_in($service, '26AT101', $other->{password}), 'no password helps a disabled member';
$service->admin('member', 'enable', '26AT101');
is $other->get('me')->status, 401, 'the session does not come back with the member';
ok +QSOsync::Profile->sign_in($service, '26AT101', $other->{password}), 'the password does';

# The password once more, for what wants it to have been given a short while ago.
sub proved_at { return $service->sqlite("SELECT group_concat(proved_at) FROM sessions $of_me") }
$me->{password} = 'a new long one';
$service->sqlite("UPDATE sessions SET proved_at = 0 $of_me");
$answer = $me->post('prove', { password => 'not it at all' });
is $answer->status . ' ' . $answer->json->{error}{details}[0]{message}, '400 is wrong',
    'a wrong password proves nothing';
is $me->post('prove', $_)->status, 400, 'no password proves nothing' for {}, { password => 1 };
is proved_at(), 0, 'nothing was noted';
is $me->post('prove', { password => $me->{password} })->status, 204, 'the password is taken';
cmp_ok abs(proved_at() - 1000 * time), '<', 60_000, 'its time is noted';

# Four hundred days from the last day of use; the day is noted once, and the cookie moved on.
my $today = int(time / 86400);
sub last_day { return $service->sqlite("SELECT last_used_day FROM sessions $of_me") }
sub set_day { $service->sqlite("UPDATE sessions SET last_used_day = $_[0] $of_me") }
set_day($today - 1);
$answer = $me->get('me');
is $answer->header('Set-Cookie'), $me->cookie . '; Max-Age=34560000; Path=/; HttpOnly; SameSite=Strict',
    'on a later day the same cookie gets its time again';
ok until_true(sub { last_day() == $today }), 'the day of use is noted';
is $me->get('me')->header('Set-Cookie'), undef, 'that is done once a day';
set_day($today - 399);
is $me->get('me')->status, 200, 'after 399 days a browser is signed in';
set_day($today - 401);
is $me->get('me')->status, 401, 'after 401 days it is not';
set_day($today + 1000);
is $me->get('me')->status, 200, 'a clock that was set back signs nobody out';
is $me->get('devices')->status, 200, 'the list is shown all the same';

# Five thousand sessions: one is found by its index, and a member has a hundred at most.
set_day($today);
$service->sqlite("INSERT INTO sessions (member_id, fingerprint, device, created_at, last_used_day, proved_at,
        may_set_password)
    SELECT (SELECT id FROM members WHERE callsign = '26AT102'), randomblob(32), 'A browser', value, $today - 1, 0, 0
    FROM generate_series(1, 5000)");
is $me->get('me')->status, 200, 'among five thousand sessions one is found';
is scalar @{$me->get('devices')->json->{items}}, 1, 'a list holds the own ones alone';
my $third = QSOsync::Profile->log_in($service, '26AT102');
QSOsync::Profile->sign_in($service, '26AT102', $third->{password}) for 1 .. 3;
cmp_ok scalar(@{$third->get('devices')->json->{items}}), '<=', 100, 'a member has a hundred sessions at most';
is $service->admin('check'), '', 'the logbook is whole';

done_testing;
