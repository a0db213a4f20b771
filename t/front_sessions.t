use QSOsync::Test fronts => 'essential';
use JSON::PP ();

# A member's way through each front server: invited, signed in with a password, something changed, signed out. What
# depends on the session is kept by nobody, cookies make nobody a member who is none, and no log holds a secret.
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
# What holds for each answer that depends on who is signed in.
sub is_private {
    my ($answer, $what) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    is $answer->header('Cache-Control'), 'no-store', "$what: no cache keeps it";
    is $answer->header('ETag'), undef, "$what: it has no tag by which it could be kept";
    like $answer->header('Content-Security-Policy') // '', qr/default-src 'none'; script-src 'self';/,
        "$what: it runs no script of others";
    unlike $answer->header('Content-Security-Policy') // '', qr/unsafe/, "$what: it runs no script inside HTML";
    is $answer->header('X-Frame-Options'), 'DENY', "$what: it is shown in no frame";
    is $answer->header('Access-Control-Allow-Origin'), undef, "$what: no page of another origin reads it";
}

# Without a session.
my $away = ask('GET', '/profile/');
is $away->status, 303, 'the profile leads somewhere else without a session';
like $away->header('Location'), qr{(?:\A|/)sign-in\?next=profile/\z}, 'it leads to the sign-in page';
is_private($away, 'that answer');
my $page = ask('GET', '/sign-in');
is $page->status, 200, 'the sign-in page is there';
like $page->body, qr/name="password"/, 'it asks for a password';
is_private($page, 'the sign-in page');
for my $path ('me', 'keys', 'devices', 'export.adi') {
    is ask('GET', "/profile/data/$path")->status, 401, "/profile/data/$path is for those who are signed in";
}
is ask('GET', '/profile/data/me', "qsosync=$_")->status, 401, "the cookie '$_' is nobody's"
    for '', 'x' x 43, '"; qsosync=', '%00';
my %forged = ('Remote-User' => '21SD333', 'REMOTE_USER' => '21SD333', 'QSOSYNC-LOGIN' => 1, 'QSOSYNC_LOGIN' => 1,
    Authorization => 'Basic MjFzZDMzMzp4');
is ask('GET', '/profile/data/me', undef, headers => \%forged)->status, 401, 'no other header makes a member';

# The invitation.
my $link = $service->admin('member', 'invite', '21SD333');
like $link, qr{\A\Q$address\E/welcome/#qsosyncin_[0-9A-Za-z]+\z}, 'the command prints the link alone';
my ($token) = $link =~ /#(.*)/;
push @secrets, $token;
is ask('GET', '/welcome/')->status, 200, 'the page that the link opens is there';
is ask('POST', '/welcome/', undef, form => { token => $token })->status, 403,
    'a form that comes from no page of the service is refused';
my $welcome = ask('POST', '/welcome/', undef, form => { token => $token }, headers => \%ours);
is $welcome->status, 303, 'the invitation works';
like $welcome->header('Location'), qr{profile/\z}, 'it leads to the profile';
is_private($welcome, 'the answer with the session');
my $first = cookie_of($welcome);
like $welcome->header('Set-Cookie'), qr/;\s*$_(?:;|\z)/i, "the cookie is $_"
    for qw(HttpOnly SameSite=Strict Path=/);
is ask('POST', '/welcome/', undef, form => { token => $token }, headers => \%ours)->status, 401,
    'an invitation works once';
my $password = 'three big antennas';
push @secrets, $password, $password =~ s/ /%20/gr, $password =~ s/ /+/gr;
is ask('POST', '/profile/data/password', $first, json => { password => $password }, headers => \%ours)->status, 204,
    'the member chooses a password';

# Signed in with it, in another browser.
my %right = (callsign => '21-sd-333', password => $password);
is ask('POST', '/sign-in', undef, form => \%right)->status, 403, 'a form of no page of the service signs nobody in';
is ask('POST', '/sign-in', undef, form => \%right, headers => { Origin => 'http://evil.example' })->status, 403,
    'a form of another origin signs nobody in';
is ask('POST', '/sign-in', undef, form => { %right, password => 'three small antennas' }, headers => \%ours)->status,
    401, 'a wrong password signs nobody in';
my $in = ask('POST', '/sign-in', undef, form => { %right, next => 'profile/' }, headers => { Origin => $address });
is $in->status, 303, 'callsign and password sign in';
like $in->header('Location'), qr{profile/\z}, 'that leads to the profile';
my $cookie = cookie_of($in);
isnt $cookie, $first, 'each browser has a session of its own';
my $profile = ask('GET', '/profile/', $cookie);
is $profile->status, 200, 'the profile opens';
is_private($profile, 'the profile');
my $me = ask('GET', '/profile/data/me', "a=b; $cookie; c=d", headers => { 'Accept-Encoding' => 'gzip' });
is $me->status, 200, 'the session is found among other cookies';
is_private($me, 'what is shown of a member');
is ask('GET', '/profile/data/me', $cookie)->json->{callsign}, '21SD333', 'the session is that of the member';
is ask('GET', '/profile/data/me', $cookie, headers => { 'If-None-Match' => '*', Range => 'bytes=0-1' })->status, 200,
    'what is private is sent again each time, and whole';
is ask('GET', '/profile/data/me', $cookie, headers => { 'Accept-Encoding' => 'gzip' })->header('Cache-Control'),
    'no-store', 'no cache keeps what was compressed';

# Changes.
is ask('POST', '/profile/data/keys', $cookie, json => { name => 'Phone', scope => 'WRITE' })->status, 403,
    'a change that comes from no page of the service is refused';
my $made = ask('POST', '/profile/data/keys', $cookie, json => { name => 'Phone', scope => 'WRITE' }, headers => \%ours);
is $made->status, 201, 'a key is made' or diag $made->body;
my ($key) = $made->body =~ /(qsosync_[0-9A-Za-z]+)/;
push @secrets, $key;
is $service->post_batch([qso()], key => $key)->status, 200, 'the first QSO is synchronised with it';
is $service->request('GET', '/me', headers => { Cookie => $cookie })->status, 401, 'the API takes no session';
is $service->request('GET', '/me', key => $key, headers => { Cookie => $cookie })->header('Set-Cookie'), undef,
    'the API sets no cookie';

# What is too much.
{
    my $bomb = join '; ', map { "c$_=" . 'x' x 40 } 1 .. 60;
    is ask('GET', '/profile/data/me', "$bomb; $cookie")->status, 200, 'many other cookies hide no session';
    my $answer = ask('GET', '/profile/data/me', $cookie . '; x=' . 'y' x 70000);
    like $answer->status, qr/\A(?:400|414|431)\z/, 'a cookie that is too long is refused';
    is ask('POST', '/sign-in', undef, body => 'x' x (8 * 1024 * 1024 + 1),
        headers => { %ours, 'Content-Type' => 'application/x-www-form-urlencoded' })->status, 413,
        'a form that is too long is refused';
    is ask('GET', '/profile/data/me', $cookie)->status, 200, 'the session goes on';
}

# Signed out.
my $out = ask('POST', '/sign-out', $cookie, headers => \%ours, form => {});
is $out->status, 303, 'the member signs out';
is_private($out, 'the answer to that');
like $out->header('Set-Cookie'), qr/\Aqsosync=;.*Max-Age=0/i, 'the browser forgets the cookie';
my $ended = ask('GET', '/profile/data/me', $cookie);
is $ended->status, 401, 'the session has ended';
like $ended->header('Set-Cookie') // '', qr/\Aqsosync=;.*Max-Age=0/i, 'a browser that still has its cookie forgets it';
is ask('GET', '/profile/data/me', $first)->status, 200, 'the other browser stays signed in';

# Logs.
my $logs = join '', map { QSOsync::Front::read_file($_) } grep { -e } map { $service->directory . "/$_.log" }
    qw(access front worker);
# (On a shared host the log is the hoster's.)
cmp_ok length $logs, '>', 1000, 'the requests were logged' if $service->front ne 'htaccess';
my @told = grep { index($logs, $_) >= 0 } @secrets;
is "@told", '', 'no log holds a cookie, an invitation, a password or a key';
my @files = glob $service->db . '*';
my @kept = grep { my $text = QSOsync::Front::read_file($_); grep { index($text, $_) >= 0 } @secrets } @files;
is "@kept", '', 'no file of the logbook holds one';
ok !-e $service->db . '-logins', 'there is no file of passwords';

done_testing;
