use QSOsync::Test fronts => 'essential';
use Encode ();
use QSOsync::Profile;

# Members sign in by callsign and password or by an invitation, with and without JavaScript, and out again.
my $service = QSOsync::Service->start(site => 1);
$service->add_member('26AT101');
my $host = '127.0.0.1:' . $service->port;
sub ask {
    my ($path, %headers) = @_;
    return $service->request('GET', '', raw_path => $path, headers => \%headers);
}

# Nobody is signed in.
my $answer = ask('/profile/data/me');
is $answer->status . ' ' . $answer->code, '401 SIGN_IN.REQUIRED', 'data of a member is refused to a stranger';
is $answer->header('Cache-Control'), 'no-store', 'no cache stores the refusal';
$answer = ask('/profile/', Accept => 'text/html');
is $answer->status, 303, 'a browser that asks for the profile is sent away';
like $answer->header('Location'), qr{\A(?:\Qhttp://$host\E/|\.\./)sign-in\?next=profile/\z}, 'it is sent to sign in';
$answer = ask('/sign-in', Accept => 'text/html');
is $answer->status, 200, 'there is a page to sign in';
like $answer->header('Content-Type'), qr{\Atext/html; charset=utf-8\z}, 'it is a page';
like $answer->body, qr/<form[^>]*method="post"/, 'it works without JavaScript';
like $answer->body, qr/name="$_"/, "it asks for the $_" for qw(callsign password);
is $answer->header('Cache-Control'), 'no-store', 'no cache stores it';
is $answer->header('X-Frame-Options'), 'DENY', 'no other page shows it in a frame';
like $answer->header('Content-Security-Policy'), qr/form-action 'self'/, 'its form goes nowhere else';
is $answer->header('Access-Control-Allow-Origin'), undef, 'pages of other origins read nothing of it';
like ask('/welcome/')->body, qr/name="token"/, 'a link that was copied by hand can be typed into a page';

# By an invitation, with JSON.
my $secret = QSOsync::Profile::invite($service, '21SD333');
like $secret, qr/\Aqsosyncin_[0-9A-Za-z]{49}\z/, 'an invitation holds a secret of its own form';
$answer = QSOsync::Profile::send_json($service, '/welcome/', { token => $secret });
is $answer->status, 204, 'an invitation lets in';
like $answer->header('Set-Cookie'),
    qr/\Aqsosync=[0-9A-Za-z]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict\z/,
    'the browser gets a cookie that scripts and other sites have no use of, for 400 days';
my $me = QSOsync::Profile->from_answer($service, $answer);
$answer = $me->get('me');
is $answer->status, 200, 'a member who is signed in is let in';
is $answer->json->{callsign}, '21SD333', 'the member is the one who was invited';
is $answer->header('Cache-Control'), 'no-store', 'no cache stores what is personal';
is $answer->header('Set-Cookie'), undef, 'the cookie is not set again on the same day';
$answer = ask('/profile/', Cookie => $me->cookie);
is $answer->status, 200, 'the profile is shown to who is signed in';
is $answer->header('Cache-Control'), 'no-store', 'no cache stores the page';
is $me->get('nothing')->status, 404, 'an unknown path is nothing';
is QSOsync::Profile::send_json($service, '/welcome/', { token => $secret })->code, 'SIGN_IN.LINK_USED',
    'an invitation works once';
is $me->post('password', { password => 'correct horse' })->status, 204,
    'a member who came by an invitation sets a password without a former one';

# By callsign and password, as a form.
$answer = QSOsync::Profile::send_form($service, '/sign-in', { callsign => ' 21-sd-333 ', password => 'correct horse' });
is $answer->status, 303, 'callsign and password let in, the callsign in any spelling';
like $answer->header('Location'), qr{\A(?:\Qhttp://$host\E/)?profile/\z}, 'the browser is sent to the profile';
$service->add_member("\xc3\x84-1X");
my $other = QSOsync::Profile->log_in($service, "\xc3\xa4-1x");
ok(QSOsync::Profile->sign_in($service, Encode::decode('UTF-8', $_), $other->{password}), "$_ signs the same member in")
    for "\xc3\xa41x", "\xc3\x84-1X", "A\xcc\x881X";
$service->admin('member', 'delete', "\xc3\x84-1X", '--yes');
my $form = QSOsync::Profile->from_answer($service, $answer);
isnt $form->cookie, $me->cookie, 'each browser has a cookie of its own';
is $form->get('me')->json->{callsign}, '21SD333', 'the form signs the member in';
is $me->get('me')->status, 200, 'the other browser stays signed in';
is ask('/sign-in', Cookie => $form->cookie)->status, 303, 'a member who is signed in need not sign in';
$answer = QSOsync::Profile::send_form($service, '/sign-in', { callsign => '21SD333', password => 'wrong horse' });
is $answer->status, 401, 'a wrong password is refused';
like $answer->body, qr/<form/, 'the page is shown again';
like $answer->body, qr/21SD333/, 'with the callsign that was typed';
unlike $answer->body, qr/wrong horse/, 'without the password';
is $answer->header('Set-Cookie'), undef, 'no cookie comes with it';
is $answer->header('Cache-Control'), 'no-store', 'no cache stores it';

# The API, on whichever front, has no use of a cookie.
for my $case (map({ [GET => $_] } '/me', '/logs', '/logs/ids'), [POST => '/logs/batch'],
    [DELETE => '/logs/9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d']) {
    my ($method, $path) = @$case;
    my $answer = $service->request($method, $path, headers => { Cookie => $me->cookie, Origin => "http://$host",
        'Sec-Fetch-Site' => 'same-origin' }, $method eq 'POST' ? (json => { entries => [] }) : ());
    is $answer->status . ' ' . $answer->code, '401 API_KEYS.INVALID', "$method $path knows no cookie";
    is $answer->header('Set-Cookie'), undef, "$method $path sets none";
}
is $service->get('/me', headers => { Cookie => $me->cookie })->header('Set-Cookie'), undef,
    'the API sets no cookie for a key either';
is ask('/profile/data/me', Authorization => 'Bearer ' . $service->write_key)->status, 401, 'an API key signs nobody in';

# Out again.
$answer = QSOsync::Profile::send_form($service, '/sign-out', {}, headers => { Cookie => $form->cookie });
is $answer->status, 303, 'a form signs out';
like $answer->header('Set-Cookie'), qr/\Aqsosync=; Max-Age=0; Path=\//, 'the browser forgets its cookie';
my ($device) = $answer->header('Set-Cookie') =~ /(qsosync-device=\w+)/;
is $form->get('me', headers => { Cookie => $device })->status, 401,
    'the cookie that it keeps of the device opens nothing';
is $form->get('me')->status, 401, 'the cookie does not work any more';
like $form->get('me')->header('Set-Cookie'), qr/\Aqsosync=; Max-Age=0;/, 'whoever still sends it is told to forget it';
like ask('/profile/', Cookie => $form->cookie)->header('Set-Cookie'), qr/\Aqsosync=; Max-Age=0;/,
    'so is whoever sends it to the profile';
is ask('/', Cookie => $form->cookie)->header('Set-Cookie'), undef, 'pages for everybody set no cookie';
is $me->get('me')->status, 200, 'other browsers stay signed in';
is QSOsync::Profile::send_json($service, '/sign-out', {}, headers => { Cookie => $me->cookie })->status, 204,
    'a script signs out';
is $me->get('me')->status, 401, 'its cookie does not work any more either';
is QSOsync::Profile::send_json($service, '/sign-out', {})->status, 204, 'a browser that is not signed in may sign out';

# No log holds what lets somebody in.
my $logs = join '', map { QSOsync::Front::read_file($_) } glob $service->directory . '/*.log';
like $logs, qr{POST /sign-in}, 'requests to sign in are logged' if $service->front ne 'htaccess'; # it has no log
unlike $logs, qr/\Q$_\E/, 'no log holds a cookie, a password or the secret of a link'
    for $secret, 'correct horse', 'correct%20horse', map { $_->cookie =~ s/.*=//r } $me, $form;

# An old name that still leads here: pages lead to the new one, and programs are answered.
$service->sqlite("UPDATE club SET address = 'https://log.example.org:8443/api/v1'");
my @old = (Host => 'old.example.org', Accept => 'text/html');
for my $path ('/', '/sign-in?next=app/', '/profile/', '/cluster/', '/welcome/') {
    my $there = ask($path, @old);
    is $there->status . ' ' . $there->header('Location'), "303 https://log.example.org:8443$path",
        "$path at an old name leads to the service's own";
    is $there->header('Cache-Control'), 'no-store', "no cache stores where $path led";
}
$answer = QSOsync::Profile::send_form($service, '/sign-in', { callsign => '21SD333', password => 'correct horse' },
    headers => { Host => 'old.example.org', Origin => 'https://old.example.org' });
is $answer->status . ' ' . $answer->header('Location'), '303 https://log.example.org:8443/sign-in',
    'a form that was open at the old name leads to the new one';
my ($led) = ask('/', @old)->header('Set-Cookie') =~ /\A([^;]*)/;
is ask('/', @old, Cookie => $led)->status, 200, 'a browser that a proxy sends back at once is not led in circles';
is ask('/', Host => $_, Accept => 'text/html')->status, 200, "the page is shown at $_"
    for 'log.example.org', 'LOG.example.org:8443', $host, 'localhost', '[::1]:80', '192.0.2.7';
is ask('/healthz', Host => 'old.example.org')->status, 200, 'a program is answered at the old name';
is $service->request('GET', '/me', key => $service->read_key, headers => { @old })->status, 200,
    'the API goes on at the old name';
$service->sqlite('UPDATE club SET address = NULL');
is ask('/', @old)->status, 200, 'a service that knows no address of its own serves every name';

# Too many failures of an address: strangers are told to wait, by a page or by JSON.
QSOsync::Profile->sign_in($service, '21SD333', "wrong $_") for 1 .. 9;
$answer = QSOsync::Profile::send_json($service, '/sign-in', { callsign => '21SD333', password => 'correct horse' });
is $answer->status . ' ' . $answer->code, '429 GENERIC.RATE_LIMITED', 'after ten failures an address has to wait';
like $answer->header('Retry-After'), qr/\A(?:[1-5]?\d|60)\z/, 'Retry-After says how long, a minute at most';
$answer = QSOsync::Profile::send_form($service, '/sign-in', { callsign => '26AT101', password => 'x' });
is $answer->status, 429, 'that holds for every callsign';
like $answer->header('Content-Type'), qr{\Atext/html}, 'a person is told by a page';
like $answer->header('Retry-After'), qr/\A(?:[1-5]?\d|60)\z/, 'the page also comes with the time to wait';
is QSOsync::Profile::send_form($service, '/sign-in', { callsign => '21SD333', password => 'correct horse' },
    headers => { Cookie => $device })->status, 303, 'a browser that has signed in there before signs in';
is QSOsync::Profile::send_json($service, '/welcome/', { token => QSOsync::Profile::invite($service, '26AT101') })
    ->status, 204, 'an invitation signs in';
is $service->get('/me')->status, 200, 'the API is as it was';

done_testing;
