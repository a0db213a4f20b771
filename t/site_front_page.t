use QSOsync::Test fronts => 'essential';

# The front page and the health of the service.
my $service = QSOsync::Service->start(site => 1, environment => {
    QSOSYNC_CLUB => 'Club <b>11</b>', QSOSYNC_CLUB_TEXT => q(Wednesdays at eight, "27.555"),
    QSOSYNC_RATE_LIMIT => 40 });
$service->admin('station', 'add', '13HN0', '--locator', 'JO59');
sub page { return $service->request($_[0], $_[1], raw_path => $_[1], @_[2 .. $#_]) }

my $front = page('GET', '/');
is $front->status, 200, 'the front page is there';
is $front->header('Content-Type'), 'text/html; charset=utf-8', 'the front page says that it is HTML in UTF-8';
like $front->body, qr{<h1>Club &lt;b&gt;11&lt;/b&gt;</h1>}, 'the front page shows the name of the club, as text';
like $front->body, qr{Wednesdays at eight, &quot;27\.555&quot;},
    'the front page shows the line of text of the club, as text';
like $front->body, qr{<ul class="gains">(?:\n<li data-say>[^<]+</li>){3}\n</ul>},
    'three sentences say what members get';
like $front->body, qr{<a class="button main" href="#join" data-say>How to join</a>},
    'the front page has a button for guests';
like $front->body, qr{<a id="account" class="account" href="\./sign-in"[^>]*>Sign in</a>}, 'its head lets members in';
like $front->body, qr{<h2 id="join" data-say>How to join</h2>\n<p data-say>Ask the club},
    'the front page says how to join';
like $front->body, qr{ data-n="1">1 member</span> \xC2\xB7 <span data-say="\{n\} QSO\|\{n\} QSOs" data-n="0">0 QSOs<},
    'the front page tells how many members and QSOs there are, and a station is not a member';
like $front->body, qr{href="\./$_"}, "the front page leads to $_" for qw(docs/ cluster/ profile/ app/ welcome/);
unlike $front->body, qr{\{\{|\}\}}, 'the front page is filled in';
is page('GET', '/', headers => { 'Accept-Language' => 'de' })->body, $front->body,
    'the service sends it in English, and leaves other languages to its script';
unlike $front->header('Content-Security-Policy') // 'none', qr/none\z.*unsafe|unsafe/,
    'no policy of the front page allows what is unsafe';
like $front->header('Content-Security-Policy'), qr/default-src 'none';.*frame-ancestors 'none'/,
    'the front page loads nothing from elsewhere';
is $front->header('X-Frame-Options'), 'DENY', 'the front page is shown in no frame';
is $front->header('Access-Control-Allow-Origin'), undef, 'pages of other origins cannot read the front page';
is page('GET', '/', headers => { 'If-None-Match' => $front->header('ETag') })->status, 304,
    'a front page that is known is not sent again';
unlike page('GET', '/', headers => { Host => 'x"><script>' })->body, qr/<script>/,
    'a Host header that is none is not shown'
    if $service->front eq 'nginx';
is page('POST', '/')->status, 405, 'the front page takes no POST';
my $moved = page('GET', '/cluster', headers => { Host => 'log.example.org', 'X-Forwarded-Proto' => 'https' });
is $moved->status, 301, 'a path without its slash leads on';
like $moved->header('Location'), qr{\A(?:https://log\.example\.org|)/?cluster/\z},
    'by TLS, where a proxy has ended that';
my $first = $service->get('/me');
is $first->header('Access-Control-Allow-Origin'), '*', 'pages of other origins may read the API';
is $first->header('RateLimit-Remaining'), 39, 'what is asked of the pages leaves the API alone';

my $health = page('GET', '/healthz');
is $health->status, 200, 'a service that can read its logbook is healthy';
is $health->body, '{"status":"ok"}', 'the health tells nothing but that it is good';
is $health->header('Cache-Control'), 'no-store', 'no cache stores the health';
my $seen = $service->request('GET', '', raw_path => '/healthz?request',
    headers => { Host => 'log.example.org', 'X-Forwarded-For' => '192.0.2.1', Via => '1.1 somebody' });
is_deeply $seen->json, { status => 'ok', request => { address => 'http://log.example.org', client => '127.0.0.1',
    protocol => 'HTTP/1.1', headers => ['X-Forwarded-For', 'Via'] } },
    'the health tells who asks for that how a request has arrived, and nothing that its headers hold';
unlike page('GET', '/')->body, qr/data-accent/, 'pages are as the style sheet has them';
$service->admin('club', 'set', '--accent', 'green');
like page('GET', '/')->body, qr/<html lang="en" data-accent="green">/, 'pages have the colour that the club has chosen';
is page('GET', '/cluster/nothing')->status, 404, 'there is nothing at an unknown path of the cluster';

rename $service->db, $service->db . '.away' or die $!;
$service->expect_log(qr/is not a QSOsync logbook yet|qsosync-admin --db/);
is page('GET', '/healthz')->status, 503, 'a service without its logbook is not healthy';
is page('GET', '/healthz')->body, '{"status":"unavailable"}', 'the health tells nothing but that it is bad';
rename $service->db . '.away', $service->db or die $!;
is page('GET', '/healthz')->status, 200, 'a service that has its logbook again is healthy';

my $refused;
for (1 .. 60) {
    $refused = $service->get('/me');
    last if $refused->status == 429;
}
is $refused->status, 429, 'an address has used up its requests of the API';
is page('GET', '/healthz')->status, 200, 'what is asked of the API leaves the pages alone';
for (1 .. 60) {
    $refused = page('GET', '/healthz');
    last if $refused->status == 429;
}
is $refused->status, 429, 'an address that has used up its requests of pages gets none';

# To whom faults in its security are reported.
{
    my $service = QSOsync::Service->start(site => 1);
    my $ask = sub { $service->request('GET', '', raw_path => '/.well-known/security.txt') };
    is $ask->()->status, 404, 'a club that says nothing has no security.txt';
    for (['Board <board@club.example.org>, every Monday', 'mailto:board@club.example.org'],
        ['see https://club.example.org/security.', 'https://club.example.org/security'],
        ['(mailto:board@club.example.org)', 'mailto:board@club.example.org'],
        ["r\xc3\xa4t+50%/x\@club.example.org", 'mailto:r%C3%A4t+50%25%2Fx@club.example.org'],
        ['Tell the board.', 'https://club.example.org/']) {
        my ($contact, $address) = @$_;
        $service->admin('club', 'set', '--contact', $contact, '--link', 'https://club.example.org/');
        my $answer = $ask->();
        my $day = qr/20\d\d-\d\d-\d\d/;
        like $answer->body, qr{\AContact: \Q$address\E\nExpires: ${day}T00:00:00\.000Z\n\z},
            "security.txt names the club's address: $address";
        is $answer->header('Content-Type'), 'text/plain; charset=utf-8', 'security.txt is a text';
    }
    $service->admin('club', 'set', '--address', 'https://log.example.org');
    like $ask->()->body, qr{^Canonical: https://log\.example\.org/\.well-known/security\.txt\n\z}m,
        'security.txt says where it stands, if that is https';
}

done_testing;
