use QSOsync::Test fronts => 'essential';

# The front page shows the club, and another address reports the health of the service.
my $service = QSOsync::Service->start(site => 1, environment => {
    QSOSYNC_CLUB => 'Club <b>11</b>', QSOSYNC_CLUB_TEXT => q(Wednesdays at eight, "27.555"),
    QSOSYNC_RATE_LIMIT => 40 });
$service->admin('station', 'add', '13HN0', '--locator', 'JO59');
sub page { return $service->request($_[0], $_[1], raw_path => $_[1], @_[2 .. $#_]) }

my $front = page('GET', '/');
is $front->status, 200, 'the front page is available';
is $front->header('Content-Type'), 'text/html; charset=utf-8', 'the front page is HTML in UTF-8';
like $front->body, qr{<h1>Club &lt;b&gt;11&lt;/b&gt;</h1>}, "the front page shows the club's name as text";
like $front->body, qr{Wednesdays at eight, &quot;27\.555&quot;},
    "the front page shows the club's line of text, as text";
like $front->body, qr{(?:<h2 data-say>[^<]+</h2>\n<p data-say>[^<]+</p>\n){2}<section aria-labelledby="join">},
    'two sentences describe what members get';
unlike $front->body, qr/Am I in the log/,
    'the front page has no link "Am I in the log?" if no station has a public page';
like $front->body, qr{<a class="button main" href="#join" data-say>How to join</a>},
    'the front page has a button for guests';
like $front->body, qr{<a id="account" class="account button" href="\./sign-in"[^>]*>Sign in</a>},
    'the front page links to the sign-in page';
like $front->body, qr{<h2 id="join" data-say>How to join</h2>\n<p data-say>Ask the club},
    'the front page explains how to join';
like $front->body, qr{ data-n="1">1 member</span> <span data-say="\{n\} QSO\|\{n\} QSOs" data-n="0">0 QSOs<},
    'the front page counts members and QSOs, and a station is not a member';
like $front->body, qr{href="\./$_"}, "the front page links to $_" for qw(docs/ cluster/ profile/ app/ welcome/);
unlike $front->body, qr{\{\{|\}\}}, 'the front page has no empty placeholder';
is page('GET', '/', headers => { 'Accept-Language' => 'de' })->body, $front->body,
    'the language of the browser does not change the front page that the service sends';
unlike $front->header('Content-Security-Policy') // 'none', qr/none\z.*unsafe|unsafe/,
    'the policy of the front page allows no unsafe sources';
like $front->header('Content-Security-Policy'), qr/default-src 'none';.*frame-ancestors 'none'/,
    'the front page loads nothing from other sites';
is $front->header('X-Frame-Options'), 'DENY', 'no other page can show the front page in a frame';
is $front->header('Access-Control-Allow-Origin'), undef, 'pages from other origins cannot read the front page';
is page('GET', '/', headers => { 'If-None-Match' => $front->header('ETag') })->status, 304,
    'an unchanged front page is not sent again';
unlike page('GET', '/', headers => { Host => 'x"><script>' })->body, qr/<script>/,
    'an invalid Host header is not shown'
    if $service->front eq 'nginx';
is page('POST', '/')->status, 405, 'the front page refuses POST';
my $moved = page('GET', '/cluster', headers => { Host => 'log.example.org', 'X-Forwarded-Proto' => 'https' });
is $moved->status, 301, 'a path without its final slash is redirected';
like $moved->header('Location'), qr{\A(?:https://log\.example\.org|)/?cluster/\z},
    'the redirect uses https behind a proxy that terminates TLS';
my $first = $service->get('/me');
is $first->header('Access-Control-Allow-Origin'), '*', 'pages from other origins may read the API';
is $first->header('RateLimit-Remaining'), 39, "requests for pages do not count towards the API's limit";

my $health = page('GET', '/healthz');
is $health->status, 200, 'a service that can read its logbook is healthy';
is $health->body, '{"status":"ok"}', 'the health of a working service contains only its status';
is $health->header('Cache-Control'), 'no-store', 'no cache stores the health';
my $seen = $service->request('GET', '', raw_path => '/healthz?request',
    headers => { Host => 'log.example.org', 'X-Forwarded-For' => '192.0.2.1', Via => '1.1 somebody' });
is_deeply $seen->json, { status => 'ok', request => { address => 'http://log.example.org', client => '127.0.0.1',
    protocol => 'HTTP/1.1', headers => ['X-Forwarded-For', 'Via'] } },
    'the health reports how a request arrived, without the values of its headers';
$service->admin('station', 'set', '13HN0', '--page', 'on');
like page('GET', '/')->body, qr{<a class="button" href="\./log/13HN0" data-say>Am I in the log\?</a>},
    "a button of the front page links to a station's public page";
$service->admin('station', 'add', '14/AT0', '--locator', 'JN03');
unlike page('GET', '/')->body, qr{14.AT0}, 'the front page does not name a station whose page is off';
$service->admin('station', 'set', '14/AT0', '--page', 'on');
my $heading = qr{<h2 id="logs" data-say>Am I in the log\?</h2>\n<ul class="logs">\n};
my ($one, $other) = map { qr{<li><a href="\./log/$_->[0]"><bdi>$_->[1]</bdi></a></li>\n} }
    ['13HN0', '13HN0'], ['14-AT0', '14/AT0'];
like page('GET', '/')->body, qr{href="\#logs" data-say>Am I in the log\?</a>.*$heading$one$other}s,
    "the front page lists several stations' public pages";
$service->admin('station', 'set', $_, '--page', 'off') for '13HN0', '14/AT0';
unlike page('GET', '/')->body, qr/Am I in the log/,
    'the front page does not link to a public page that is switched off';
unlike page('GET', '/')->body, qr/data-accent/, 'pages have no accent colour at first';
$service->admin('club', 'set', '--accent', 'green');
like page('GET', '/')->body, qr/<html lang="en" data-accent="green">/, "pages have the club's accent colour";
is page('GET', '/cluster/nothing')->status, 404, 'an unknown path of the cluster gives 404';

rename $service->db, $service->db . '.away' or die $!;
$service->expect_log(qr/is not a QSOsync logbook yet|qsosync-admin --db/);
is page('GET', '/healthz')->status, 503, 'a service without its logbook is not healthy';
is page('GET', '/healthz')->body, '{"status":"unavailable"}',
    'the health of a failing service contains only its status';
rename $service->db . '.away', $service->db or die $!;
is page('GET', '/healthz')->status, 200, 'a service that has its logbook again is healthy';

my $refused;
for (1 .. 60) {
    $refused = $service->get('/me');
    last if $refused->status == 429;
}
is $refused->status, 429, 'an address can use up its requests for the API';
is page('GET', '/healthz')->status, 200, 'requests for the API do not count towards the limit for pages';
for (1 .. 60) {
    $refused = page('GET', '/healthz');
    last if $refused->status == 429;
}
is $refused->status, 429, 'an address can use up its requests for pages';

done_testing;
