use QSOsync::Test fronts => 'nginx';
use Encode ();
use Digest::SHA qw(sha256_hex);
use POSIX ();
use QSOsync::Profile;

# Links that sign a member in: each works once, for its own member. A link that no longer works gives the reason.
my $service = QSOsync::Service->start(site => 4);
$service->add_member($_) for '26AT101', '26AT102', '26AT103';
my $callsign = '26AT101';
sub send_token { return QSOsync::Profile::send_json($service, '/welcome/', { token => $_[0] }) }
sub invite { return QSOsync::Profile::invite($service, @_) }
sub sessions_of {
    return $service->sqlite("SELECT count(*) FROM sessions JOIN members ON members.id = member_id "
        . "WHERE callsign = '$_[0]'");
}

# A link that does not work gives the reason: to programs as a code, to people as a page.
sub is_refused {
    my ($secret, $code, $rule) = @_;
    my $before = sessions_of($callsign);
    my $answer = send_token($secret);
    is $answer->status . ' ' . ($answer->code // ''), "401 SIGN_IN.$code", $rule;
    is $answer->header('Set-Cookie'), undef, "$rule: no cookie is set";
    my $page = QSOsync::Profile::send_form($service, '/welcome/', { token => $secret });
    is $page->status, 401, "$rule: the page has the same status";
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
$pages{replaced} = is_refused($old, 'LINK_REPLACED', 'a link that a newer one replaced is refused');
$service->sqlite('UPDATE sign_in_links SET made_at = made_at - 864000000, expires_at = expires_at - 864000000 '
    . "WHERE fingerprint = x'" . sha256_hex($new) . "'");
$pages{expired} = is_refused($new, 'LINK_EXPIRED', 'an expired link is refused');
$pages{unknown} = is_refused('qsosyncin_' . 'a' x 49, 'LINK_UNKNOWN', 'an unknown link is refused');
my %texts = map { $_ => join ' ', $pages{$_} =~ /role="alert"[^>]*>([^<]*)</ } keys %pages;
is scalar(keys %{{ reverse %texts }}), 4, 'the page gives four different reasons' or diag explain \%texts;
my $disabled = invite($callsign);
$service->admin('member', 'disable', $callsign);
is_refused($disabled, 'LINK_' . (send_token($disabled)->code =~ /LINK_(\w+)/ ? $1 : 'UNKNOWN'),
    'a link of a disabled member is refused');
$service->admin('member', 'enable', $callsign);
is send_token($disabled)->status, 401, 'a link of a disabled member stays invalid when the member is enabled';
like send_token($_)->code, qr/\AVALIDATION|LINK_UNKNOWN\z/, 'an invalid secret is refused' for '', 'x', "\x{e5}";

# One link is used many times at once.
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
is_deeply \%count, { 204 => 1, 401 => 7 }, 'one of eight concurrent uses of a link signs in';
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

# The next device is signed in, and gets no other right.
$me = QSOsync::Profile->log_in($service, $callsign);
$answer = $me->post('devices/link');
is $answer->status, 200, 'a signed-in member gets a link for another device';
my ($address, $for_device) = split /#/, $answer->json->{link};
is $address, 'http://127.0.0.1:' . $service->port . '/welcome/', 'the link points to this service';
is $answer->json->{qr}{text}, $answer->json->{link}, 'the link also comes as a QR code';
like $answer->json->{qr}{path}, qr/\AM/, 'the QR code is a drawing path';
my $phone = QSOsync::Profile->use_link($service, $for_device,
    headers => { 'User-Agent' => 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0' });
is $phone->get('me')->json->{callsign}, $callsign, 'the link signs the other device in';
is send_token($for_device)->code, 'SIGN_IN.LINK_USED', 'the link for another device works once';
is $phone->post('password', { password => 'my own long one' })->status, 400,
    'a device that used such a link sets no password without the current one';
is_deeply [sort map { $_->{device} } @{$me->get('devices')->json->{items}}], ['A browser', 'Firefox on Android'],
    'the list contains both devices';
$me->post('devices/link');
my $second = $me->post('devices/link')->json->{link} =~ s/.*#//r;
$service->sqlite('UPDATE sign_in_links SET expires_at = 1 WHERE used_at IS NULL AND replaced_at IS NULL');
is send_token($second)->code, 'SIGN_IN.LINK_EXPIRED', 'a link for another device expires after ten minutes';

# The stored data signs nobody in.
my $dump = join '', map { $service->sqlite(".dump $_") } qw(sessions sign_in_links members);
my ($cookie) = $me->cookie =~ /=(.*)/;
my $open = invite($callsign);
unlike $dump, qr/\Q$_\E/, 'the logbook contains no secret' for $cookie, $for_device, $open, $me->{password};
my ($hash) = $service->sqlite("SELECT hex(fingerprint) FROM sessions LIMIT 1");
is $service->request('GET', '', raw_path => '/profile/data/me', headers => { Cookie => "qsosync=$_" })->status, 401,
    'a fingerprint in the logbook is not a valid cookie' for $hash, lc $hash, substr $hash, 0, 43;
is $service->admin('check'), '', 'the logbook passes the check';

# The signed-in browsers of a member: they are listed, signed out one by one or together, and expire when unused.
{
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
    is scalar(grep { $_->{isThis} } @{$list->{items}}), 1, 'one entry of the list is this browser';
    like $this->{createdAt}, qr/\A\d{4}-.*Z\z/, 'the list has the time of the sign-in';
    like $this->{lastUsedOn}, qr/\A\d{4}-\d\d-\d\d\z/, 'the list has the day of the last use';
    unlike $service->sqlite('.dump sessions'), qr/Mozilla|xxx/,
        'the text that a browser sends as its name is not stored';
    my ($cookie) = $me->cookie =~ /=(.*)/;
    unlike $me->get('devices')->body, qr/\Q$cookie\E/, 'the list contains no cookie';

    my $of_me = "WHERE member_id = (SELECT id FROM members WHERE callsign = '21SD333')";

    # One browser signs out another one.
    sub number_of {
        my ($name) = @_;
        return (grep { $_->{device} eq $name } @{$me->get('devices')->json->{items}})[0]{number};
    }
    my $number = number_of('Firefox on Android');
    is $other->remove("devices/$number")->status, 404, "another member cannot sign out a browser";
    is $device{phone}->get('me')->status, 200, "a browser stays signed in after another member's attempt";
    is $me->request('DELETE', "devices/$number")->code, 'PROFILE.CROSS_SITE',
        'a page of another site cannot sign out a browser';
    is $me->remove("devices/$number")->status, 204, 'a member signs out another of their browsers';
    is $device{phone}->get('me')->status, 401, 'the cookie of a signed-out browser is not valid';
    is $me->remove("devices/$number")->status, 404, 'a browser is signed out only once';
    is $me->remove("devices/$_")->status, 404, "$_ is not the number of a browser" for 0, -1, 'x', '9' x 30;
    my $link = $me->post('devices/link')->json->{link} =~ s/.*#//r;
    is $me->remove('devices')->status, 204, 'a member signs out all other browsers';
    is join(' ', map { $device{$_}->get('me')->status } qw(table odd)), '401 401', 'the other browsers are signed out';
    is $me->get('me')->status, 200, 'this browser stays signed in';
    is $other->get('me')->status, 200, 'other members stay signed in';
    ok !QSOsync::Profile->use_link($service, $link), 'an open link for another device is revoked with the browsers';
    my $again = QSOsync::Profile->sign_in($service, '21SD333', $me->{password});
    my $answer = $again->remove('devices/'
        . (grep { $_->{isThis} } @{$again->get('devices')->json->{items}})[0]{number});
    like $answer->header('Set-Cookie'), qr/\A\w+=; Max-Age=0;/, 'a browser that signs itself out forgets its cookie';

    # A new password ends all other sessions; a disabled member has no session.
    $again = QSOsync::Profile->sign_in($service, '21SD333', $me->{password});
    is $me->post('password', { password => 'a new long one', current => 'not it at all' })->status, 400,
        'a new password requires the current one';
    is $again->get('me')->status, 200, 'a rejected change of the password ends no session';
    is $me->post('password', { password => $_, current => $me->{password} })->status, 400, "password '$_' is rejected"
        for 'short', '21SD333', '21-sd-333', 'password123', 'x' x 201;
    is $me->post('password', { password => 'a new long one', current => $me->{password} })->status, 204,
        'a member sets another password';
    is $again->get('me')->status, 401, 'a new password signs out all other browsers';
    is $me->get('me')->status, 200, 'the browser where it was set stays signed in';
    ok !QSOsync::Profile->sign_in($service, '21SD333', $me->{password}), 'the previous password signs nobody in';
    $service->admin('member', 'disable', '26AT101');
    is $other->get('me')->status, 401, 'a disabled member is signed out';
    ok !QSOsync::Profile->sign_in($service, '26AT101', $other->{password}),
        'a disabled member cannot sign in with the password';
    $service->admin('member', 'enable', '26AT101');
    is $other->get('me')->status, 401, 'an enabled member does not get the session back';
    ok +QSOsync::Profile->sign_in($service, '26AT101', $other->{password}),
        'an enabled member signs in with the password';

    # The password once more, for requests that require a recent proof.
    sub proved_at { return $service->sqlite("SELECT group_concat(proved_at) FROM sessions $of_me") }
    $me->{password} = 'a new long one';
    $service->sqlite("UPDATE sessions SET proved_at = 0 $of_me");
    $answer = $me->post('prove', { password => 'not it at all' });
    is $answer->status . ' ' . $answer->json->{error}{details}[0]{message}, '400 is not valid',
        'a wrong password proves nothing';
    is $me->post('prove', $_)->status, 400, 'a missing password proves nothing' for {}, { password => 1 };
    is proved_at(), 0, 'a failed proof is not recorded';
    is $me->post('prove', { password => $me->{password} })->status, 204, 'the right password is accepted as a proof';
    cmp_ok abs(proved_at() - 1000 * time), '<', 60_000, 'the time of the proof is recorded';

    # A session lasts 400 days from its last day of use. The day is recorded once, and the cookie gets a new lifetime.
    my $today = int(time / 86400);
    sub last_day { return $service->sqlite("SELECT last_used_day FROM sessions $of_me") }
    sub set_day { $service->sqlite("UPDATE sessions SET last_used_day = $_[0] $of_me") }
    set_day($today - 1);
    $answer = $me->get('me');
    is $answer->header('Set-Cookie'), $me->cookie . '; Max-Age=34560000; Path=/; HttpOnly; SameSite=Strict',
        'on a later day the same cookie gets a new lifetime';
    ok until_true(sub { last_day() == $today }), 'the day of use is recorded';
    is $me->get('me')->header('Set-Cookie'), undef, 'the cookie gets a new lifetime once per day';
    set_day($today - 399);
    is $me->get('me')->status, 200, 'a browser is still signed in after 399 days';
    set_day($today - 401);
    is $me->get('me')->status, 401, 'a browser is signed out after 401 days';
    set_day($today + 1000);
    is $me->get('me')->status, 200, 'a clock that was set back signs nobody out';
    is $me->get('devices')->status, 200, 'a clock that was set back does not affect the list';

    # Five thousand sessions: an index finds each session, and a member has at most a hundred.
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
}
$service->stop;

# Forms from other sites change nothing, and nobody is redirected out of the service.
{
    my $service = QSOsync::Service->start(site => 1);
    my $me = QSOsync::Profile->log_in($service, '21SD333');
    my ($callsign, $password) = ('21SD333', $me->{password});
    my $form = "callsign=$callsign&password=" . $password =~ s/ /+/gr =~ s/,/%2C/gr;
    my $before = state();
    sub state {
        return $service->sqlite('SELECT (SELECT count(*) FROM sessions), (SELECT count(*) FROM sign_in_links), '
            . "(SELECT password_hash FROM members WHERE callsign = '$callsign')");
    }
    sub send_body {
        my ($path, $body, %headers) = @_;
        return $service->request('POST', '', raw_path => $path, body => $body,
            headers => { 'Content-Type' => 'application/x-www-form-urlencoded', 'Sec-Fetch-Site' => 'same-origin',
                %headers });
    }

    # The origin of a request.
    my $host = '127.0.0.1:' . $service->port;
    my %none = ('Sec-Fetch-Site' => '');
    for my $path ('/sign-in', '/welcome/', '/sign-out') {
        my $body = $path eq '/sign-in' ? $form : 'token=x';
        for my $case (['no origin', {}], map({ ["Sec-Fetch-Site: $_", { 'Sec-Fetch-Site' => $_ }] }
            'cross-site', 'same-site', 'none'), map { ["Origin: $_", { Origin => $_ }] } 'https://evil.example', 'null',
            "http://evil.example:80$host", "http://$host.evil.example", "http://$host/", "http://127.0.0.1") {
            my $answer = send_body($path, $body, %none, Cookie => $me->cookie, %{$case->[1]});
            is $answer->status, 403, "$path with $case->[0] is refused";
            is $answer->header('Set-Cookie'), undef, "$path with $case->[0] sets no cookie";
            next if $case->[0] !~ /cross-site/;
            like $answer->header('Content-Type'), qr{\Atext/html}, "$path: a browser gets the refusal as a page";
            is send_body($path, '{}', 'Content-Type' => 'application/json', %{$case->[1]})->code, 'PROFILE.CROSS_SITE',
                "$path: a program gets the refusal as a code";
        }
    }
    is state(), $before, 'refused requests change nothing';
    is send_body('/sign-in', $form, %none, Origin => "http://$host")->status, 303,
        "the service's own origin is sufficient";
    is send_body('/sign-in', $form, Origin => $_)->status, 303,
        "Sec-Fetch-Site decides even if a proxy or a policy changed the origin: $_"
        for 'null', 'https://log.example.org:8443';
    my $count = $service->sqlite('SELECT count(*) FROM sessions');

    # Fields that a browser extension adds are ignored.
    is send_body('/sign-in', "$form&admin=1")->status, 303, 'an unknown field of a form is ignored';
    is send_body('/sign-in', JSON::PP->new->encode({ callsign => $callsign, password => $password,
        role => 'operator' }),
        'Content-Type' => 'application/json')->status, 204, 'an unknown field of JSON is ignored';
    $count += 2;

    # Bodies.
    my $large = 'x' x 9000;
    my @bad = (
        ['no field', '', 400], ['no password', "callsign=$callsign", 400], ['no callsign', 'password=x', 400],
        ['a field twice', "$form&callsign=26AT101", 400],
        ['an invalid escape', 'callsign=%zz&password=x', 400],
        ['bytes that are not text', 'callsign=%ff&password=x', 400],
        ['a NUL', "callsign=$callsign&password=x%00", 400], ['many fields', join('&', map { "f$_=1" } 1 .. 1000), 400],
        ['a large field', "callsign=$large&password=x", 413], ['a large body', "$form&" . 'x=1&' x 100_000, 413],
    );
    for my $case (@bad) {
        my $answer = send_body('/sign-in', $case->[1]);
        is $answer->status, $case->[2], "a form with $case->[0] is refused";
        like $answer->header('Content-Type'), qr{\Atext/html}, "a form with $case->[0] gives a page";
        like $answer->body, qr/<form/, "the page after $case->[0] is complete";
    }
    is send_body('/sign-in', $form, 'Content-Type' => $_)->status, 400, "a form as $_ is refused"
        for 'text/plain', 'multipart/form-data; boundary=x', 'application/xml', '';
    for my $json ('', '[]', '{', '{"callsign":"21SD333"}', '{"callsign":1,"password":2}',
        '{"callsign":"21SD333","password":"\u0000"}') {
        my $answer = send_body('/sign-in', $json, 'Content-Type' => 'application/json');
        is $answer->status . ' ' . $answer->code, '400 VALIDATION.FAILED', "the JSON body $json is refused";
    }
    is $service->sqlite('SELECT count(*) FROM sessions'), $count, 'refused forms sign nobody in';
    is $service->request('PUT', '', raw_path => $_)->status, 405, "$_ refuses another method" for '/sign-in',
        '/welcome/',
        '/sign-out';
    is $service->request('GET', '', raw_path => '/sign-out')->status, 405, 'a link cannot sign anybody out';
    is $me->get('me')->status, 200, 'refused requests sign nobody out';
    like $service->request('PUT', '', raw_path => '/sign-in', headers => { Accept => 'text/html' })->body, qr/<form/,
        'a browser gets the page instead of a code';

    # Input is shown as text.
    my $page = send_body('/sign-in', 'callsign=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&password=x')->body;
    unlike $page, qr/<script>alert/, 'input does not become markup';
    like $page, qr/&quot;&gt;&lt;script&gt;/, 'input is shown as it was typed';

    # The page after signing in.
    sub next_of {
        my ($next) = @_;
        my $answer = send_body('/sign-in', "$form&next=" . $next =~ s/([^A-Za-z0-9])/sprintf '%%%02X', ord $1/egr);
        is $answer->status, 303, "signing in with next=$next redirects" or diag $answer->body;
        return $answer->header('Location') // '';
    }
    is next_of($_), $_ =~ s{\A/}{}r, "$_ is a valid next page" for 'profile/', '/operator/', 'app/', 'profile/#log',
        'operator/#members', 'app/#setup', "profile/#log?text=it's%20(via%20box)!", 'profile/?log=14%2FAT0',
        'profile/?log=14%2FAT0#history';
    is next_of($_), 'profile/', "$_ is not a valid next page"
        for '', '/', '//evil.example/', 'https://evil.example/', '/\\evil.example',
        'profile/../../evil', '/profile//evil', 'profile/?next=x', 'profile/?log=a&next=x', 'app/?log=a',
        'javascript:alert(1)', "profile/\r\nX: y", 'profile/#<b>', 'cluster/', 'profile', '//profile/';
    like $service->request('GET', '', raw_path => '/sign-in?next=//evil.example/')->body, qr/value="profile\/"/,
        'the sign-in page drops an invalid next page';
    is $service->request('GET', '', raw_path => "/sign-in?next=$_")->status, 200, "next=$_ does no harm"
        for '%zz', '%ff', 'x&next=y', 'x' x 2000;

    # A link on another site opens the profile, although browsers do not send the cookie then.
    sub open_profile {
        my ($query, %headers) = @_;
        return $service->request('GET', '', raw_path => "/profile/$query", headers => { Accept => 'text/html',
            %headers });
    }
    my $opening = open_profile('', 'Sec-Fetch-Site' => 'cross-site');
    is $opening->status, 200, 'a link on another site does not lead to the sign-in page';
    is $opening->header('Refresh'), '0; url=./?r', 'a page of this service repeats the request with the cookie';
    like $opening->body, qr{href="\./\?r"}, 'the page that repeats the request also has a link';
    is open_profile('?r', 'Sec-Fetch-Site' => 'same-origin')->status, 303,
        'a repeated request without a cookie redirects to the sign-in page';
    is open_profile('?r', 'Sec-Fetch-Site' => 'cross-site')->status, 303, 'a request is not repeated twice';
    is open_profile('', 'Sec-Fetch-Site' => 'cross-site', Cookie => 'qsosync=' . 'x' x 43)->status, 303,
        'a request with an invalid cookie is not repeated';
    is open_profile('', 'Sec-Fetch-Site' => 'same-origin')->status, 303,
        'a request from a page of this service is not repeated';
    is open_profile('?r', Cookie => $me->cookie)->status, 200, 'a repeated request with the cookie gets the profile';
    $service->stop;
}

done_testing;
