use QSOsync::Test fronts => 'nginx';
use Encode ();
use Digest::SHA qw(sha256_hex);
use POSIX ();
use QSOsync::Profile;

# Links that sign a member in: each works once, for the member it was made for, and what it cannot do any more it says.
my $service = QSOsync::Service->start(site => 4);
$service->add_member($_) for '26AT101', '26AT102', '26AT103';
my $callsign = '26AT101';
sub send_token { return QSOsync::Profile::send_json($service, '/welcome/', { token => $_[0] }) }
sub invite { return QSOsync::Profile::invite($service, @_) }
sub sessions_of {
    return $service->sqlite("SELECT count(*) FROM sessions JOIN members ON members.id = member_id "
        . "WHERE callsign = '$_[0]'");
}

# A link that does not work says why: to programs by a code, to people by a page.
sub is_refused {
    my ($secret, $code, $rule) = @_;
    my $before = sessions_of($callsign);
    my $answer = send_token($secret);
    is $answer->status . ' ' . ($answer->code // ''), "401 SIGN_IN.$code", $rule;
    is $answer->header('Set-Cookie'), undef, "$rule: no cookie comes with it";
    my $page = QSOsync::Profile::send_form($service, '/welcome/', { token => $secret });
    is $page->status, 401, "$rule: the page says so with the same status";
    like $page->body, qr/role="alert"/, "$rule: the page says what is wrong";
    is sessions_of($callsign), $before, "$rule: nobody is signed in";
    return $page->body;
}
my %pages;
my $used = invite($callsign);
my $answer = QSOsync::Profile::send_form($service, '/welcome/', { token => "  http://127.0.0.1/welcome/#$used\n" });
is $answer->status, 303, 'a whole link that was pasted into the page counts as well';
like $answer->header('Location'), qr{\A\.\./profile/\z}, 'the browser is sent to the profile';
my $me = QSOsync::Profile->from_answer($service, $answer);
is $me->get('me')->json->{callsign}, $callsign, 'the member is signed in';
$pages{used} = is_refused($used, 'LINK_USED', 'a link that was used');
my $old = invite($callsign);
my $new = invite($callsign);
$pages{replaced} = is_refused($old, 'LINK_REPLACED', 'a link that a newer one has replaced');
$service->sqlite('UPDATE sign_in_links SET made_at = made_at - 864000000, expires_at = expires_at - 864000000 '
    . "WHERE fingerprint = x'" . sha256_hex($new) . "'");
$pages{expired} = is_refused($new, 'LINK_EXPIRED', 'a link whose time is over');
$pages{unknown} = is_refused('qsosyncin_' . 'a' x 49, 'LINK_UNKNOWN', 'a link that never was');
my %texts = map { $_ => join ' ', $pages{$_} =~ /role="alert"[^>]*>([^<]*)</ } keys %pages;
is scalar(keys %{{ reverse %texts }}), 4, 'people are told which of the four it is' or diag explain \%texts;
my $disabled = invite($callsign);
$service->admin('member', 'disable', $callsign);
is_refused($disabled, 'LINK_' . (send_token($disabled)->code =~ /LINK_(\w+)/ ? $1 : 'UNKNOWN'),
    'a link of a member who was disabled meanwhile');
$service->admin('member', 'enable', $callsign);
is send_token($disabled)->status, 401, 'it does not work again when the member is back';
like send_token($_)->code, qr/\AVALIDATION|LINK_UNKNOWN\z/, 'what is no secret is none' for '', 'x', "\x{e5}";

# Many at once with one link.
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
is_deeply \%count, { 204 => 1, 401 => 7 }, 'of eight who use a link at once, one gets in';
is sessions_of('26AT102'), 1, 'there is one session';

# Nobody can choose the cookie of another (session fixation).
my $chosen = 'qsosync=' . 'A' x 43;
$answer = QSOsync::Profile::send_json($service, '/welcome/', { token => invite('26AT103') },
    headers => { Cookie => $chosen });
my $fixed = QSOsync::Profile->from_answer($service, $answer);
isnt $fixed->cookie, $chosen, 'a cookie that was put into the browser beforehand is replaced';
is $service->request('GET', '', raw_path => '/profile/data/me', headers => { Cookie => $chosen })->status, 401,
    'the one put there signs nobody in';
$answer = QSOsync::Profile::send_json($service, '/welcome/', { token => invite('26AT102') },
    headers => { Cookie => $fixed->cookie });
is $fixed->get('me')->status, 401, 'a browser that signs in again ends the session that it had';
my $other = QSOsync::Profile->from_answer($service, $answer);
is $other->get('me')->json->{callsign}, '26AT102', 'it is the new member then';

# The next device: signed in, and nothing else.
$me = QSOsync::Profile->log_in($service, $callsign);
$answer = $me->post('devices/link');
is $answer->status, 200, 'a member who is signed in gets a link for another device';
my ($address, $for_device) = split /#/, $answer->json->{link};
is $address, 'http://127.0.0.1:' . $service->port . '/welcome/', 'it leads to this service';
is $answer->json->{qr}{text}, $answer->json->{link}, 'the link also comes as a QR code';
like $answer->json->{qr}{path}, qr/\AM/, 'the QR code is a drawing';
my $phone = QSOsync::Profile->use_link($service, $for_device,
    headers => { 'User-Agent' => 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0' });
is $phone->get('me')->json->{callsign}, $callsign, 'it signs the other device in';
is send_token($for_device)->code, 'SIGN_IN.LINK_USED', 'it works once';
is $phone->post('password', { password => 'my own long one' })->status, 400,
    'a device that came by such a link sets no password without the present one';
is_deeply [sort map { $_->{device} } @{$me->get('devices')->json->{items}}], ['A browser', 'Firefox on Android'],
    'both are in the list';
$me->post('devices/link');
my $second = $me->post('devices/link')->json->{link} =~ s/.*#//r;
$service->sqlite('UPDATE sign_in_links SET expires_at = 1 WHERE used_at IS NULL AND replaced_at IS NULL');
is send_token($second)->code, 'SIGN_IN.LINK_EXPIRED', 'its ten minutes end';

# What is stored lets nobody in.
my $dump = join '', map { $service->sqlite(".dump $_") } qw(sessions sign_in_links members);
my ($cookie) = $me->cookie =~ /=(.*)/;
my $open = invite($callsign);
unlike $dump, qr/\Q$_\E/, 'the logbook holds no secret' for $cookie, $for_device, $open, $me->{password};
my ($hash) = $service->sqlite("SELECT hex(fingerprint) FROM sessions LIMIT 1");
is $service->request('GET', '', raw_path => '/profile/data/me', headers => { Cookie => "qsosync=$_" })->status, 401,
    'nothing that the logbook holds is a cookie' for $hash, lc $hash, substr $hash, 0, 43;
is $service->admin('check'), '', 'the logbook is whole';

# The browsers of a member that are signed in: listed, signed out one by one or all, for as long as they are used.
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
        'Firefox on Android'], 'all browsers that are signed in are listed, in words';
    my ($this) = grep { $_->{isThis} } @{$list->{items}};
    is scalar(grep { $_->{isThis} } @{$list->{items}}), 1, 'one of them is this one';
    like $this->{createdAt}, qr/\A\d{4}-.*Z\z/, 'the list says since when';
    like $this->{lastUsedOn}, qr/\A\d{4}-\d\d-\d\d\z/, 'the list says when it was used last';
    unlike $service->sqlite('.dump sessions'), qr/Mozilla|xxx/,
        'nothing that a browser says of itself is stored as it is';
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
    is $me->request('DELETE', "devices/$number")->code, 'PROFILE.CROSS_SITE',
        'no page of another site signs a browser out';
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
    my $answer = $again->remove('devices/'
        . (grep { $_->{isThis} } @{$again->get('devices')->json->{items}})[0]{number});
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
    is $answer->status . ' ' . $answer->json->{error}{details}[0]{message}, '400 is not valid',
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
}
$service->stop;

# Forms that are not ours change nothing, and nobody is sent out of the service.
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

    # Where a request comes from.
    my $host = '127.0.0.1:' . $service->port;
    my %none = ('Sec-Fetch-Site' => '');
    for my $path ('/sign-in', '/welcome/', '/sign-out') {
        my $body = $path eq '/sign-in' ? $form : 'token=x';
        for my $case (['no sign at all', {}], map({ ["Sec-Fetch-Site: $_", { 'Sec-Fetch-Site' => $_ }] }
            'cross-site', 'same-site', 'none'), map { ["Origin: $_", { Origin => $_ }] } 'https://evil.example', 'null',
            "http://evil.example:80$host", "http://$host.evil.example", "http://$host/", "http://127.0.0.1") {
            my $answer = send_body($path, $body, %none, Cookie => $me->cookie, %{$case->[1]});
            is $answer->status, 403, "$path with $case->[0] is refused";
            is $answer->header('Set-Cookie'), undef, "$path with $case->[0] sets no cookie";
            next if $case->[0] !~ /cross-site/;
            like $answer->header('Content-Type'), qr{\Atext/html}, "$path: a person is told by a page";
            is send_body($path, '{}', 'Content-Type' => 'application/json', %{$case->[1]})->code, 'PROFILE.CROSS_SITE',
                "$path: a program is told by a code";
        }
    }
    is state(), $before, 'none of these did anything';
    is send_body('/sign-in', $form, %none, Origin => "http://$host")->status, 303, 'the own origin alone is enough';
    is send_body('/sign-in', $form, Origin => $_)->status, 303,
        "what the browser says of the two sites counts, whatever a proxy or a policy made of the origin: $_"
        for 'null', 'https://log.example.org:8443';
    my $count = $service->sqlite('SELECT count(*) FROM sessions');

    # What an extension of a browser adds is ignored.
    is send_body('/sign-in', "$form&admin=1")->status, 303, 'a field that is none of the form is ignored';
    is send_body('/sign-in', JSON::PP->new->encode({ callsign => $callsign, password => $password,
        role => 'operator' }),
        'Content-Type' => 'application/json')->status, 204, 'so is one of JSON';
    $count += 2;

    # Bodies.
    my $large = 'x' x 9000;
    my @bad = (
        ['no field', '', 400], ['no password', "callsign=$callsign", 400], ['no callsign', 'password=x', 400],
        ['a field twice', "$form&callsign=26AT101", 400],
        ['an escape that is none', 'callsign=%zz&password=x', 400],
        ['bytes that are no text', 'callsign=%ff&password=x', 400],
        ['a NUL', "callsign=$callsign&password=x%00", 400], ['many fields', join('&', map { "f$_=1" } 1 .. 1000), 400],
        ['a large field', "callsign=$large&password=x", 413], ['a large body', "$form&" . 'x=1&' x 100_000, 413],
    );
    for my $case (@bad) {
        my $answer = send_body('/sign-in', $case->[1]);
        is $answer->status, $case->[2], "a form with $case->[0] is refused";
        like $answer->header('Content-Type'), qr{\Atext/html}, "a person is told by a page of $case->[0]";
        like $answer->body, qr/<form/, "the page after $case->[0] is complete";
    }
    is send_body('/sign-in', $form, 'Content-Type' => $_)->status, 400, "a form as $_ is refused"
        for 'text/plain', 'multipart/form-data; boundary=x', 'application/xml', '';
    for my $json ('', '[]', '{', '{"callsign":"21SD333"}', '{"callsign":1,"password":2}',
        '{"callsign":"21SD333","password":"\u0000"}') {
        my $answer = send_body('/sign-in', $json, 'Content-Type' => 'application/json');
        is $answer->status . ' ' . $answer->code, '400 VALIDATION.FAILED', "JSON of $json is refused";
    }
    is $service->sqlite('SELECT count(*) FROM sessions'), $count, 'none of these signed anybody in';
    is $service->request('PUT', '', raw_path => $_)->status, 405, "$_ takes no other method" for '/sign-in',
        '/welcome/',
        '/sign-out';
    is $service->request('GET', '', raw_path => '/sign-out')->status, 405, 'no link signs anybody out';
    is $me->get('me')->status, 200, 'nobody was signed out';
    like $service->request('PUT', '', raw_path => '/sign-in', headers => { Accept => 'text/html' })->body, qr/<form/,
        'a person is shown the page in place of a code';

    # What was typed is shown as text.
    my $page = send_body('/sign-in', 'callsign=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&password=x')->body;
    unlike $page, qr/<script>alert/, 'what was typed becomes no markup';
    like $page, qr/&quot;&gt;&lt;script&gt;/, 'it is shown as it was typed';

    # Where to after that.
    sub next_of {
        my ($next) = @_;
        my $answer = send_body('/sign-in', "$form&next=" . $next =~ s/([^A-Za-z0-9])/sprintf '%%%02X', ord $1/egr);
        is $answer->status, 303, "signed in, with next=$next" or diag $answer->body;
        return $answer->header('Location') // '';
    }
    is next_of($_), $_ =~ s{\A/}{}r, "$_ is a page to go to" for 'profile/', '/operator/', 'app/', 'profile/#log',
        'operator/#members', 'app/#setup', "profile/#log?text=it's%20(via%20box)!", 'profile/?log=14%2FAT0',
        'profile/?log=14%2FAT0#history';
    is next_of($_), 'profile/', "$_ is none" for '', '/', '//evil.example/', 'https://evil.example/', '/\\evil.example',
        'profile/../../evil', '/profile//evil', 'profile/?next=x', 'profile/?log=a&next=x', 'app/?log=a',
        'javascript:alert(1)', "profile/\r\nX: y", 'profile/#<b>', 'cluster/', 'profile', '//profile/';
    like $service->request('GET', '', raw_path => '/sign-in?next=//evil.example/')->body, qr/value="profile\/"/,
        'the page passes on no other one';
    is $service->request('GET', '', raw_path => "/sign-in?next=$_")->status, 200, "next=$_ is no trouble"
        for '%zz', '%ff', 'x&next=y', 'x' x 2000;

    # A link of another site opens the profile, although browsers leave the cookie out.
    sub open_profile {
        my ($query, %headers) = @_;
        return $service->request('GET', '', raw_path => "/profile/$query", headers => { Accept => 'text/html',
            %headers });
    }
    my $opening = open_profile('', 'Sec-Fetch-Site' => 'cross-site');
    is $opening->status, 200, 'a browser that follows a link of another site is not sent to sign in';
    is $opening->header('Refresh'), '0; url=./?r', 'a page of ours sends it once more, with its cookie then';
    like $opening->body, qr{href="\./\?r"}, 'the page that sends it once more also has a link';
    is open_profile('?r', 'Sec-Fetch-Site' => 'same-origin')->status, 303, 'whoever has no cookie then has to sign in';
    is open_profile('?r', 'Sec-Fetch-Site' => 'cross-site')->status, 303, 'nobody is sent round and round';
    is open_profile('', 'Sec-Fetch-Site' => 'cross-site', Cookie => 'qsosync=' . 'x' x 43)->status, 303,
        'a cookie that works no more came all the same';
    is open_profile('', 'Sec-Fetch-Site' => 'same-origin')->status, 303, 'from our own pages it would have come';
    is open_profile('?r', Cookie => $me->cookie)->status, 200, 'with the cookie it is the profile';
    $service->stop;
}

done_testing;
