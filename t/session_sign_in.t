use QSOsync::Test fronts => 'essential';
use Encode ();
use QSOsync::Profile;

# Members sign in with callsign and password or with an invitation, with and without JavaScript, and sign out again.
my $service = QSOsync::Service->start(site => 1);
$service->add_member('26AT101');
my $host = '127.0.0.1:' . $service->port;
sub ask {
    my ($path, %headers) = @_;
    return $service->request('GET', '', raw_path => $path, headers => \%headers);
}

# Pages redirect or refuse a browser that is not signed in.
my $answer = ask('/profile/data/me');
is $answer->status . ' ' . $answer->code, '401 SIGN_IN.REQUIRED', 'a stranger gets no data about a member';
is $answer->header('Cache-Control'), 'no-store', 'no cache stores the refusal';
$answer = ask('/profile/', Accept => 'text/html');
is $answer->status, 303, 'the profile redirects a browser that is not signed in';
like $answer->header('Location'), qr{\A(?:\Qhttp://$host\E/|\.\./)sign-in\?next=profile/\z},
    'the profile redirects to the sign-in page';
$answer = ask('/sign-in', Accept => 'text/html');
is $answer->status, 200, 'the sign-in page is available';
like $answer->header('Content-Type'), qr{\Atext/html; charset=utf-8\z}, 'the sign-in page is HTML';
like $answer->body, qr/<form[^>]*method="post"/, 'the sign-in page works without JavaScript';
like $answer->body, qr/name="$_"/, "the sign-in page has a field for the $_" for qw(callsign password);
is $answer->header('Cache-Control'), 'no-store', 'no cache stores the sign-in page';
is $answer->header('X-Frame-Options'), 'DENY', 'no other page can show the sign-in page in a frame';
like $answer->header('Content-Security-Policy'), qr/form-action 'self'/, 'the form sends nothing to other sites';
is $answer->header('Access-Control-Allow-Origin'), undef, 'pages from other origins cannot read the sign-in page';
like ask('/welcome/')->body, qr/name="token"/, 'a link that was copied by hand can be typed into a page';

# A JSON request with an invitation signs a member in.
my $secret = QSOsync::Profile::invite($service, '21SD333');
like $secret, qr/\Aqsosyncin_[0-9A-Za-z]{49}\z/, 'the secret of an invitation has its own prefix';
$answer = QSOsync::Profile::send_json($service, '/welcome/', { token => $secret });
is $answer->status, 204, 'an invitation signs the member in';
like $answer->header('Set-Cookie'),
    qr/\Aqsosync=[0-9A-Za-z]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict\z/,
    'the browser gets a cookie for 400 days that scripts and other sites cannot use';
my $me = QSOsync::Profile->from_answer($service, $answer);
$answer = $me->get('me');
is $answer->status, 200, 'a signed-in member gets their own data';
is $answer->json->{callsign}, '21SD333', 'the signed-in member is the invited member';
is $answer->header('Cache-Control'), 'no-store', 'no cache stores personal data';
is $answer->header('Set-Cookie'), undef, 'a second request on one day does not set the cookie again';
$answer = ask('/profile/', Cookie => $me->cookie);
is $answer->status, 200, 'a signed-in member gets the profile';
is $answer->header('Cache-Control'), 'no-store', 'no cache stores the profile';
is $me->get('nothing')->status, 404, 'an unknown path gives 404';
is QSOsync::Profile::send_json($service, '/welcome/', { token => $secret })->code, 'SIGN_IN.LINK_USED',
    'an invitation works only once';
is $me->post('password', { password => 'correct horse' })->status, 204,
    'a member who has used an invitation can set a password without the previous password';

# The sign-in form accepts a callsign and a password.
$answer = QSOsync::Profile::send_form($service, '/sign-in', { callsign => ' 21-sd-333 ', password => 'correct horse' });
is $answer->status, 303, 'callsign and password sign the member in, with the callsign in any spelling';
like $answer->header('Location'), qr{\A(?:\Qhttp://$host\E/)?profile/\z}, 'the form redirects to the profile';
$service->add_member("\xc3\x84-1X");
my $other = QSOsync::Profile->log_in($service, "\xc3\xa4-1x");
ok(QSOsync::Profile->sign_in($service, Encode::decode('UTF-8', $_), $other->{password}),
    "the spelling $_ signs the same member in")
    for "\xc3\xa41x", "\xc3\x84-1X", "A\xcc\x881X";
$service->admin('member', 'delete', "\xc3\x84-1X", '--yes');
my $form = QSOsync::Profile->from_answer($service, $answer);
isnt $form->cookie, $me->cookie, 'each browser has its own cookie';
is $form->get('me')->json->{callsign}, '21SD333', 'the form signs the member in';
is $me->get('me')->status, 200, 'the other browser stays signed in';
is ask('/sign-in', Cookie => $form->cookie)->status, 303, 'the sign-in page redirects a signed-in member';
$answer = QSOsync::Profile::send_form($service, '/sign-in', { callsign => '21SD333', password => 'wrong horse' });
is $answer->status, 401, 'a wrong password is refused';
like $answer->body, qr/<form/, 'the page is shown again after a wrong password';
like $answer->body, qr/21SD333/, 'the page after a wrong password contains the callsign';
unlike $answer->body, qr/wrong horse/, 'the page after a wrong password does not contain the password';
is $answer->header('Set-Cookie'), undef, 'a wrong password sets no cookie';
is $answer->header('Cache-Control'), 'no-store', 'no cache stores the page after a wrong password';

# The API ignores cookies, on every front server.
for my $case (map({ [GET => $_] } '/me', '/logs', '/logs/ids'), [POST => '/logs/batch'],
    [DELETE => '/logs/9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d']) {
    my ($method, $path) = @$case;
    my $answer = $service->request($method, $path, headers => { Cookie => $me->cookie, Origin => "http://$host",
        'Sec-Fetch-Site' => 'same-origin' }, $method eq 'POST' ? (json => { entries => [] }) : ());
    is $answer->status . ' ' . $answer->code, '401 API_KEYS.INVALID', "$method $path ignores a cookie";
    is $answer->header('Set-Cookie'), undef, "$method $path sets no cookie";
}
is $service->get('/me', headers => { Cookie => $me->cookie })->header('Set-Cookie'), undef,
    'the API sets no cookie in the answer to a request with a key';
is ask('/profile/data/me', Authorization => 'Bearer ' . $service->write_key)->status, 401, 'an API key signs nobody in';

# The member signs out.
$answer = QSOsync::Profile::send_form($service, '/sign-out', {}, headers => { Cookie => $form->cookie });
is $answer->status, 303, 'a form signs the browser out';
like $answer->header('Set-Cookie'), qr/\Aqsosync=; Max-Age=0; Path=\//,
    'signing out removes the cookie from the browser';
my ($device) = $answer->header('Set-Cookie') =~ /(qsosync-device=\w+)/;
is $form->get('me', headers => { Cookie => $device })->status, 401,
    'the remaining cookie of the device gives no access';
is $form->get('me')->status, 401, 'the cookie of a signed-out browser is not valid';
like $form->get('me')->header('Set-Cookie'), qr/\Aqsosync=; Max-Age=0;/,
    'a request with the old cookie removes that cookie from the browser';
like ask('/profile/', Cookie => $form->cookie)->header('Set-Cookie'), qr/\Aqsosync=; Max-Age=0;/,
    'the profile also removes the old cookie';
is ask('/', Cookie => $form->cookie)->header('Set-Cookie'), undef, 'public pages set no cookie';
is $me->get('me')->status, 200, 'other browsers stay signed in';
is QSOsync::Profile::send_json($service, '/sign-out', {}, headers => { Cookie => $me->cookie })->status, 204,
    'a script can sign its browser out';
is $me->get('me')->status, 401, 'the cookie is not valid after a script signed out';
is QSOsync::Profile::send_json($service, '/sign-out', {})->status, 204, 'a browser that is not signed in can sign out';

# No log contains data that would sign anybody in.
my $logs = join '', map { QSOsync::Front::read_file($_) } glob $service->directory . '/*.log';
like $logs, qr{POST /sign-in}, 'requests to sign in are logged' if $service->front ne 'htaccess'; # this host has no log
unlike $logs, qr/\Q$_\E/, 'no log contains a cookie, a password or the secret of a link'
    for $secret, 'correct horse', 'correct%20horse', map { $_->cookie =~ s/.*=//r } $me, $form;

# Requests can still name the machine's previous host. Pages redirect to the service's own address, and programs get an
# answer.
$service->sqlite("UPDATE club SET address = 'https://log.example.org:8443/api/v1'");
my @old = (Host => 'old.example.org', Accept => 'text/html');
for my $path ('/', '/sign-in?next=app/', '/profile/', '/cluster/', '/welcome/') {
    my $there = ask($path, @old);
    is $there->status . ' ' . $there->header('Location'), "303 https://log.example.org:8443$path",
        "$path at the old name redirects to the service's own name";
    is $there->header('Cache-Control'), 'no-store', "no cache stores the redirect of $path";
}
$answer = QSOsync::Profile::send_form($service, '/sign-in', { callsign => '21SD333', password => 'correct horse' },
    headers => { Host => 'old.example.org', Origin => 'https://old.example.org' });
is $answer->status . ' ' . $answer->header('Location'), '303 https://log.example.org:8443/sign-in',
    'a form that was open at the old name redirects to the new name';
my ($led) = ask('/', @old)->header('Set-Cookie') =~ /\A([^;]*)/;
is ask('/', @old, Cookie => $led)->status, 200, 'a browser that a proxy redirects back is not redirected again';
is ask('/', Host => $_, Accept => 'text/html')->status, 200, "the page is shown at $_"
    for 'log.example.org', 'LOG.example.org:8443', $host, 'localhost', '[::1]:80', '192.0.2.7';
is ask('/healthz', Host => 'old.example.org')->status, 200, 'a program gets an answer at the old name';
is $service->request('GET', '/me', key => $service->read_key, headers => { @old })->status, 200,
    'the API works at the old name';
$service->sqlite('UPDATE club SET address = NULL');
is ask('/', @old)->status, 200, 'a service without its own address serves every name';

# After too many failures from an address, strangers must wait. A form is refused with a page, and JSON with JSON.
QSOsync::Profile->sign_in($service, '21SD333', "wrong $_") for 1 .. 9;
$answer = QSOsync::Profile::send_json($service, '/sign-in', { callsign => '21SD333', password => 'correct horse' });
is $answer->status . ' ' . $answer->code, '429 GENERIC.RATE_LIMITED', 'an address must wait after ten failures';
like $answer->header('Retry-After'), qr/\A(?:[1-5]?\d|60)\z/, 'Retry-After gives the wait, at most one minute';
$answer = QSOsync::Profile::send_form($service, '/sign-in', { callsign => '26AT101', password => 'x' });
is $answer->status, 429, 'the wait applies to every callsign';
like $answer->header('Content-Type'), qr{\Atext/html}, 'a browser gets the refusal as a page';
like $answer->header('Retry-After'), qr/\A(?:[1-5]?\d|60)\z/, 'the page also has Retry-After';
is QSOsync::Profile::send_form($service, '/sign-in', { callsign => '21SD333', password => 'correct horse' },
    headers => { Cookie => $device })->status, 303, 'a browser that has signed in before can sign in during the wait';
is QSOsync::Profile::send_json($service, '/welcome/', { token => QSOsync::Profile::invite($service, '26AT101') })
    ->status, 204, 'an invitation signs the member in during the wait';
is $service->get('/me')->status, 200, 'the API works during the wait';

done_testing;
