use QSOsync::Test fronts => 'nginx';
use POSIX ();
use QSOsync::Profile;

# Forms from other sites change nothing, and nobody is redirected out of the service.
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

# Requests without an origin or from another origin are refused.
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

# Invalid bodies are refused.
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
    like $answer->body, qr/<form/, "the page after a form with $case->[0] contains the form again";
}
is send_body('/sign-in', $form, 'Content-Type' => $_)->status, 400, "a form with the type '$_' is refused"
    for 'text/plain', 'multipart/form-data; boundary=x', 'application/xml', '';
for my $json ('', '[]', '{', '{"callsign":"21SD333"}', '{"callsign":1,"password":2}',
    '{"callsign":"21SD333","password":"\u0000"}') {
    my $answer = send_body('/sign-in', $json, 'Content-Type' => 'application/json');
    is $answer->status . ' ' . $answer->code, '400 VALIDATION.FAILED', "the JSON body $json is refused";
}
is $service->sqlite('SELECT count(*) FROM sessions'), $count, 'refused forms sign nobody in';
is $service->request('PUT', '', raw_path => $_)->status, 405, "$_ refuses PUT" for '/sign-in',
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

# Signing in redirects only to pages of the service.
sub next_of {
    my ($next) = @_;
    my $answer = send_body('/sign-in', "$form&next=" . $next =~ s/([^A-Za-z0-9])/sprintf '%%%02X', ord $1/egr);
    is $answer->status, 303, "signing in with next=$next redirects" or diag $answer->body;
    return $answer->header('Location') // '';
}
is next_of($_), $_ =~ s{\A/}{}r,
    "signing in redirects to the next page $_" for 'profile/', '/operator/', 'app/', 'profile/#log',
    'operator/#members', 'app/#setup', "profile/#log?text=it's%20(via%20box)!", 'profile/?log=14%2FAT0',
    'profile/?log=14%2FAT0#history', 'profile/#profile/keys';
is next_of($_), 'profile/', "signing in redirects to the profile instead of to the next page '$_'"
    for '', '/', '//evil.example/', 'https://evil.example/', '/\\evil.example',
    'profile/../../evil', '/profile//evil', 'profile/?next=x', 'profile/?log=a&next=x', 'app/?log=a',
    'javascript:alert(1)', "profile/\r\nX: y", 'profile/#<b>', 'cluster/', 'profile', '//profile/';
like $service->request('GET', '', raw_path => '/sign-in?next=//evil.example/')->body, qr/value="profile\/"/,
    'the sign-in page replaces an invalid next page with the profile';
is $service->request('GET', '', raw_path => "/sign-in?next=$_")->status, 200, "next=$_ gives the sign-in page"
    for '%zz', '%ff', 'x&next=y', 'x' x 2000;

# A link on another site opens the profile, although browsers do not send the cookie with the first request.
sub open_profile {
    my ($query, %headers) = @_;
    return $service->request('GET', '', raw_path => "/profile/$query", headers => { Accept => 'text/html',
        %headers });
}
my $opening = open_profile('', 'Sec-Fetch-Site' => 'cross-site');
is $opening->status, 200, 'a link on another site does not redirect to the sign-in page';
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

done_testing;
