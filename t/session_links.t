use QSOsync::Test fronts => 'nginx';
use Digest::SHA qw(sha256_hex);
use JSON::PP ();
use POSIX ();
use QSOsync::Profile;

# Each link signs its own member in once. A link that no longer works gives the reason.
my $service = QSOsync::Service->start(site => 4);
$service->add_member($_) for '26AT101', '26AT102', '26AT103';
my $callsign = '26AT101';
sub send_token { return QSOsync::Profile::send_json($service, '/welcome/', { token => $_[0] }) }
sub invite { return QSOsync::Profile::invite($service, @_) }
sub sessions_of {
    return $service->sqlite("SELECT count(*) FROM sessions JOIN members ON members.id = member_id "
        . "WHERE callsign = '$_[0]'");
}

# A link that does not work gives the reason, to programs as a code and to people as a page.
sub is_refused {
    my ($secret, $code, $rule) = @_;
    my $before = sessions_of($callsign);
    my $answer = send_token($secret);
    is $answer->status . ' ' . ($answer->code // ''), "401 SIGN_IN.$code", $rule;
    is $answer->header('Set-Cookie'), undef, "$rule: no cookie is set";
    my $page = QSOsync::Profile::send_form($service, '/welcome/', { token => $secret });
    is $page->status, 401, "$rule: the page has the status of the JSON answer";
    like $page->body, qr/role="alert"/, "$rule: the page gives the reason";
    is sessions_of($callsign), $before, "$rule: nobody is signed in";
    return $page->body;
}
my %pages;
my $used = invite($callsign);
my $answer = QSOsync::Profile::send_form($service, '/welcome/', { token => "  http://127.0.0.1/welcome/#$used\n" });
is $answer->status, 303, 'a whole link can be pasted into the page';
like $answer->header('Location'), qr{\A\.\./profile/\z}, 'the browser is redirected to the profile';
my $me = QSOsync::Profile->from_answer($service, $answer);
is $me->get('me')->json->{callsign}, $callsign, 'a pasted link signs its member in';
$pages{used} = is_refused($used, 'LINK_USED', 'a used link is refused');
my $old = invite($callsign);
my $new = invite($callsign);
$pages{replaced} = is_refused($old, 'LINK_REPLACED', 'a link that a newer link has replaced is refused');
$service->sqlite('UPDATE sign_in_links SET made_at = made_at - 864000000, expires_at = expires_at - 864000000 '
    . "WHERE fingerprint = x'" . sha256_hex($new) . "'");
$pages{expired} = is_refused($new, 'LINK_EXPIRED', 'an expired link is refused');
$pages{unknown} = is_refused('qsosyncin_' . 'a' x 49, 'LINK_UNKNOWN', 'an unknown link is refused');
my %texts = map { $_ => join ' ', $pages{$_} =~ /role="alert"[^>]*>([^<]*)</ } keys %pages;
is scalar(keys %{{ reverse %texts }}), 4, 'the page gives four different reasons' or diag explain \%texts;
my $disabled = invite($callsign);
$service->admin('member', 'disable', $callsign);
is_refused($disabled, 'LINK_' . (send_token($disabled)->code =~ /LINK_(\w+)/ ? $1 : 'UNKNOWN'),
    "a disabled member's link is refused");
$service->admin('member', 'enable', $callsign);
is send_token($disabled)->status, 401, "a disabled member's link stays invalid when the member is enabled";
like send_token($_)->code, qr/\AVALIDATION|LINK_UNKNOWN\z/, 'an invalid secret is refused' for '', 'x', "\x{e5}";

# A page can look at a link without using the link.
sub describe { return QSOsync::Profile::send_json($service, '/welcome/look', { token => $_[0] }) }
my $operator = QSOsync::Operator->with_role($service, '21SD333');
my ($sent) = $operator->act('26AT103', 'invite')->json->{link} =~ /#(.+)/;
for my $link ([invite('26AT102'), '26AT102', undef], [$sent, '26AT103', '21SD333']) {
    my $described = describe($link->[0])->json;
    ok delete $described->{expiresAt} gt iso_time(time + 6 * 86400),
        "a link for $link->[1] expires in more than six days";
    is_deeply $described, { callsign => $link->[1], sender => $link->[2], isInvitation => JSON::PP::true() },
        "a link for $link->[1] names the member, and the sender if an operator created the link on the page";
    is sessions_of($link->[1]), 0, "looking at a link for $link->[1] signs nobody in";
}
is describe($used)->code, 'SIGN_IN.LINK_USED', 'looking at a used link reports that the link was used';
is describe('x')->code, 'SIGN_IN.LINK_UNKNOWN', 'looking at an unknown link reports that the link is unknown';
is QSOsync::Profile::send_json($service, '/welcome/look', { token => $sent },
    headers => { 'Sec-Fetch-Site' => 'cross-site', Origin => 'https://elsewhere.example' })->status, 403,
    'a page of another site cannot look at links';

# Many requests use one link at once.
my @pids;
my $secret = invite('26AT102');
my $folder = $service->directory;
for my $number (1 .. 8) {
    my $pid = fork // die "fork: $!";
    if (!$pid) {
        QSOsync::Front::write_file("$folder/status-$number", send_token($secret)->status);
        POSIX::_exit(0);
    }
    push @pids, $pid;
}
waitpid $_, 0 for @pids;
my %count;
$count{QSOsync::Front::read_file("$folder/status-$_")}++ for 1 .. 8;
is_deeply \%count, { 204 => 1, 401 => 7 }, 'only one of eight concurrent uses of a link signs the member in';
is sessions_of('26AT102'), 1, 'concurrent uses of a link create one session';

# Nobody can choose another person's cookie (session fixation).
my $chosen = 'qsosync=' . 'A' x 43;
$answer = QSOsync::Profile::send_json($service, '/welcome/', { token => invite('26AT103') },
    headers => { Cookie => $chosen });
my $fixed = QSOsync::Profile->from_answer($service, $answer);
isnt $fixed->cookie, $chosen, 'a cookie that was planted in the browser is replaced';
is $service->request('GET', '', raw_path => '/profile/data/me', headers => { Cookie => $chosen })->status, 401,
    'a planted cookie signs nobody in';
$answer = QSOsync::Profile::send_json($service, '/welcome/', { token => invite('26AT102') },
    headers => { Cookie => $fixed->cookie });
is $fixed->get('me')->status, 401, 'a browser that signs in again ends its previous session';
my $other = QSOsync::Profile->from_answer($service, $answer);
is $other->get('me')->json->{callsign}, '26AT102', 'a browser that signs in again belongs to the new member';

# A link signs another device in, and gives that device no other right.
$me = QSOsync::Profile->log_in($service, $callsign);
$answer = $me->post('devices/link');
is $answer->status, 200, 'a signed-in member gets a link for another device';
my ($address, $for_device) = split /#/, $answer->json->{link};
is $address, 'http://127.0.0.1:' . $service->port . '/welcome/', 'the link points to this service';
is $answer->json->{qr}{text}, $answer->json->{link}, 'the link is also a QR code';
like $answer->json->{qr}{path}, qr/\AM/, 'the QR code is sent as the path of a drawing';
my $phone = QSOsync::Profile->use_link($service, $for_device,
    headers => { 'User-Agent' => 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0' });
is $phone->get('me')->json->{callsign}, $callsign, 'the link signs another device in';
is send_token($for_device)->code, 'SIGN_IN.LINK_USED', 'the link for another device works only once';
is $phone->post('password', { password => 'my own long one' })->status, 400,
    'a device that signed in by a device link cannot set a password without the current password';
is_deeply [sort map { $_->{device} } @{$me->get('devices')->json->{items}}], ['A browser', 'Firefox on Android'],
    'the list contains both devices';
$me->post('devices/link');
my $second = $me->post('devices/link')->json->{link} =~ s/.*#//r;
$service->sqlite('UPDATE sign_in_links SET expires_at = 1 WHERE used_at IS NULL AND replaced_at IS NULL');
is send_token($second)->code, 'SIGN_IN.LINK_EXPIRED', 'an expired link for another device is refused';

# Data in the logbook cannot be used to sign in.
my $dump = join '', map { $service->sqlite(".dump $_") } qw(sessions sign_in_links members);
my ($cookie) = $me->cookie =~ /=(.*)/;
my $open = invite($callsign);
unlike $dump, qr/\Q$_\E/, 'the logbook contains no secret' for $cookie, $for_device, $open, $me->{password};
my ($hash) = $service->sqlite("SELECT hex(fingerprint) FROM sessions LIMIT 1");
is $service->request('GET', '', raw_path => '/profile/data/me', headers => { Cookie => "qsosync=$_" })->status, 401,
    'a fingerprint in the logbook is not a valid cookie' for $hash, lc $hash, substr $hash, 0, 43;
is $service->admin('check'), '', 'the logbook passes the check';
$service->stop;

done_testing;
