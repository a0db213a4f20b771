use QSOsync::Test fronts => 'essential';
use JSON::PP ();

# Through each front server, a member uses an invitation, signs in with a password, makes a change and signs out.
# Private answers are not cached, a forged cookie or header authenticates nobody, and no log contains a secret.
my $service = QSOsync::Service->start(site => 4);
my $address = 'http://127.0.0.1:' . $service->port;
$service->admin('club', 'set', '--address', $address);
my %ours = ('Sec-Fetch-Site' => 'same-origin');
my @secrets;

sub ask {
    my ($method, $path, $cookie, %option) = @_;
    my %headers = ($cookie ? (Cookie => $cookie) : (), %{delete $option{headers} || {}});
    if ($option{form}) {
        my $form = delete $option{form};
        $option{body} = join '&', map { "$_=" . $form->{$_} =~ s/([^A-Za-z0-9_-])/sprintf '%%%02X', ord $1/ger }
            sort keys %$form;
        $headers{'Content-Type'} = 'application/x-www-form-urlencoded';
    }
    return $service->request($method, '', %option, raw_path => $path, headers => \%headers);
}
sub cookie_of {
    my ($answer) = @_;
    my ($cookie, $value) = ($answer->header('Set-Cookie') // '') =~ /\A(qsosync=([^;]*))/;
    push @secrets, $value if length($value // '') > 10;
    return $cookie // '';
}
# Checks the headers of a private answer.
sub is_private {
    my ($answer, $what) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    is $answer->header('Cache-Control'), 'no-store', "$what forbids caching";
    is $answer->header('ETag'), undef, "$what has no entity tag";
    like $answer->header('Content-Security-Policy') // '', qr/default-src 'none'; script-src 'self';/,
        "$what allows only scripts of the service";
    unlike $answer->header('Content-Security-Policy') // '', qr/unsafe/, "$what allows no inline scripts";
    is $answer->header('X-Frame-Options'), 'DENY', "$what allows no frame";
    is $answer->header('Access-Control-Allow-Origin'), undef, "$what allows no other origin";
}

# Without a session, private pages are closed.
my $away = ask('GET', '/profile/');
is $away->status, 303, 'the profile redirects without a session';
like $away->header('Location'), qr{(?:\A|/)sign-in\?next=profile/\z}, "the redirect's target is the sign-in page";
is_private($away, 'the redirect');
my $page = ask('GET', '/sign-in');
is $page->status, 200, 'the sign-in page is served';
like $page->body, qr/name="password"/, 'the sign-in page has a password field';
is_private($page, 'the sign-in page');
for my $path ('me', 'keys', 'devices', 'export.adi') {
    is ask('GET', "/profile/data/$path")->status, 401, "/profile/data/$path requires a session";
}
is ask('GET', '/profile/data/me', "qsosync=$_")->status, 401, "the cookie '$_' is not a session"
    for '', 'x' x 43, '"; qsosync=', '%00';
my %forged = ('Remote-User' => '21SD333', 'REMOTE_USER' => '21SD333', 'QSOSYNC-LOGIN' => 1, 'QSOSYNC_LOGIN' => 1,
    Authorization => 'Basic MjFzZDMzMzp4');
is ask('GET', '/profile/data/me', undef, headers => \%forged)->status, 401,
    'no header other than Cookie authenticates a member';

# An invitation signs a member in.
my $link = $service->admin('member', 'invite', '21SD333');
like $link, qr{\A\Q$address\E/welcome/#qsosyncin_[0-9A-Za-z]+\z}, 'member invite prints only the link';
my ($token) = $link =~ /#(.*)/;
push @secrets, $token;
is ask('GET', '/welcome/')->status, 200, 'the page for an invitation is served';
is ask('POST', '/welcome/', undef, form => { token => $token })->status, 403,
    'an invitation form without an origin is refused';
my $welcome = ask('POST', '/welcome/', undef, form => { token => $token }, headers => \%ours);
is $welcome->status, 303, 'an invitation is accepted';
like $welcome->header('Location'), qr{profile/\z}, 'an invitation redirects to the profile';
is_private($welcome, 'the answer with the session');
my $first = cookie_of($welcome);
like $welcome->header('Set-Cookie'), qr/;\s*$_(?:;|\z)/i, "the session cookie is $_"
    for qw(HttpOnly SameSite=Strict Path=/);
is ask('POST', '/welcome/', undef, form => { token => $token }, headers => \%ours)->status, 401,
    'an invitation works only once';
my $password = 'three big antennas';
push @secrets, $password, $password =~ s/ /%20/gr, $password =~ s/ /+/gr;
is ask('POST', '/profile/data/password', $first, json => { password => $password }, headers => \%ours)->status, 204,
    'a member can set a password';

# The member signs in with the password, in another browser.
my %right = (callsign => '21-sd-333', password => $password);
is ask('POST', '/sign-in', undef, form => \%right)->status, 403, 'a sign-in form without an origin is refused';
is ask('POST', '/sign-in', undef, form => \%right, headers => { Origin => 'http://evil.example' })->status, 403,
    'a sign-in form from another origin is refused';
is ask('POST', '/sign-in', undef, form => { %right, password => 'three small antennas' }, headers => \%ours)->status,
    401, 'a wrong password is refused';
my $in = ask('POST', '/sign-in', undef, form => { %right, next => 'profile/' }, headers => { Origin => $address });
is $in->status, 303, 'callsign and password are accepted';
like $in->header('Location'), qr{profile/\z}, 'signing in redirects to the profile';
my $cookie = cookie_of($in);
isnt $cookie, $first, 'each browser has its own session';
my $profile = ask('GET', '/profile/', $cookie);
is $profile->status, 200, 'the profile is served to a session';
is_private($profile, 'the profile');
my $me = ask('GET', '/profile/data/me', "a=b; $cookie; c=d", headers => { 'Accept-Encoding' => 'gzip' });
is $me->status, 200, 'the session is found among other cookies';
is_private($me, 'the data of a member');
is ask('GET', '/profile/data/me', $cookie)->json->{callsign}, '21SD333', 'the session belongs to the member';
is ask('GET', '/profile/data/me', $cookie, headers => { 'If-None-Match' => '*', Range => 'bytes=0-1' })->status, 200,
    'private data is sent completely each time';
is ask('GET', '/profile/data/me', $cookie, headers => { 'Accept-Encoding' => 'gzip' })->header('Cache-Control'),
    'no-store', 'a compressed answer forbids caching';

# The member makes a change.
is ask('POST', '/profile/data/keys', $cookie, json => { name => 'Phone', scope => 'WRITE' })->status, 403,
    'a change without an origin is refused';
my $made = ask('POST', '/profile/data/keys', $cookie, json => { name => 'Phone', scope => 'WRITE' }, headers => \%ours);
is $made->status, 201, 'a session can create a key' or diag $made->body;
my ($key) = $made->body =~ /(qsosync_[0-9A-Za-z]+)/;
push @secrets, $key;
is $service->post_batch([qso()], key => $key)->status, 200, 'the created key saves a QSO';
is $service->request('GET', '/me', headers => { Cookie => $cookie })->status, 401, 'the API accepts no session';
is $service->request('GET', '/me', key => $key, headers => { Cookie => $cookie })->header('Set-Cookie'), undef,
    'the API sets no cookie';

# Oversized requests are refused.
{
    my $bomb = join '; ', map { "c$_=" . 'x' x 40 } 1 .. 60;
    is ask('GET', '/profile/data/me', "$bomb; $cookie")->status, 200, 'the session is found among many long cookies';
    my $answer = ask('GET', '/profile/data/me', $cookie . '; x=' . 'y' x 70000);
    like $answer->status, qr/\A(?:400|414|431)\z/, 'a cookie that is too long is refused';
    is ask('POST', '/sign-in', undef, body => 'x' x (8 * 1024 * 1024 + 1),
        headers => { %ours, 'Content-Type' => 'application/x-www-form-urlencoded' })->status, 413,
        'a form that is too long is refused';
    is ask('GET', '/profile/data/me', $cookie)->status, 200, 'the session remains valid after refused requests';
}

# The member signs out.
my $out = ask('POST', '/sign-out', $cookie, headers => \%ours, form => {});
is $out->status, 303, 'a member can sign out';
is_private($out, 'the answer to signing out');
like $out->header('Set-Cookie'), qr/\Aqsosync=;.*Max-Age=0/i, 'signing out deletes the cookie';
my $ended = ask('GET', '/profile/data/me', $cookie);
is $ended->status, 401, 'a session ends at sign-out';
like $ended->header('Set-Cookie') // '', qr/\Aqsosync=;.*Max-Age=0/i, "an ended session's cookie is deleted";
is ask('GET', '/profile/data/me', $first)->status, 200, 'another browser stays signed in';

# No log contains a secret.
my $logs = join '', map { QSOsync::Front::read_file($_) } grep { -e } map { $service->directory . "/$_.log" }
    qw(access front worker);
# On a shared host, the logs belong to the hosting provider.
cmp_ok length $logs, '>', 1000, 'the requests are in the logs' if $service->front ne 'htaccess';
my @told = grep { index($logs, $_) >= 0 } @secrets;
is "@told", '', 'no log contains a cookie, an invitation, a password or a key';
my @files = glob $service->db . '*';
my @kept = grep { my $text = QSOsync::Front::read_file($_); grep { index($text, $_) >= 0 } @secrets } @files;
is "@kept", '', 'no file of the logbook contains a secret';
ok !-e $service->db . '-logins', 'the service has no password file';

done_testing;
