use QSOsync::Test fronts => 'all';
use QSOsync::Profile;

# A browser keeps the answers that are computed from a whole log, and revalidates an answer before each use. The tag of
# an answer changes with all data from which the answer is computed.
my $service = QSOsync::Service->start(site => 1);
my @PATHS = qw(statistics awards map worked);
my $them = $service->add_member('26AT101', locator => 'IO91wm');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $other = QSOsync::Profile->log_in($service, '26AT101');
my $key = $service->admin('key', 'add', '21SD333', '--name', 'tablet', '--scope', 'WRITE');
my %contact = (qsoAt => '2026-05-17T19:43:10Z', band => 'ELEVEN_METERS', mode => 'USB', operatorCallsign => undef);
my $mine = qso(%contact, callsignWorked => '26AT101');
$service->post_batch([$mine, map { qso() } 1 .. 20], key => $key);

sub ask {
    my ($browser, $path, $tag, %headers) = @_;
    return $browser->get($path, headers => { %headers, defined $tag ? ('If-None-Match' => $tag) : () });
}
sub vary { return join ', ', @{$_[0]->headers->{vary} || []} }

# The second view gets 304, even if the front server compresses the answer and marks its tag.
for my $path (@PATHS, 'statistics?year=2026&band=ELEVEN_METERS') {
    for my $encoding ('identity', 'gzip') {
        my %wanted = ('Accept-Encoding' => $encoding);
        my $first = ask($me, $path, undef, %wanted);
        is $first->status, 200, "$path, $encoding: the first view gets the answer";
        is $first->header('Cache-Control'), 'private, no-cache',
            "$path, $encoding: only the member's browser keeps the answer, and revalidates it";
        like vary($first), qr/\bCookie\b/, "$path, $encoding: the answer varies with the cookie";
        my $tag = $first->header('ETag') // '';
        is $first->header('Content-Encoding'), 'gzip', "$path: the front server compresses a large answer"
            if $encoding eq 'gzip' && $path eq 'awards';
        like $tag, qr/\AW\//, "$path, $encoding: the tag is weak";
        my $again = ask($me, $path, $tag, %wanted);
        is $again->status . $again->body, '304', "$path, $encoding: the second view gets 304";
        is $again->header('Cache-Control'), 'private, no-cache', "$path, $encoding: a 304 has the same Cache-Control";
        is ask($me, $path, $_, %wanted)->status, 304, "$path, $encoding: a request with $_ in If-None-Match gets 304"
            for "\"old\", $tag", $tag =~ s/\AW\///r, '*';
        is ask($me, $path, '"old"', %wanted)->status, 200,
            "$path, $encoding: a request with another tag gets the answer";
    }
}
is $me->request('HEAD', 'statistics', headers => { 'If-None-Match' => ask($me, 'statistics')->header('ETag') })->status,
    304, 'a HEAD request with the known tag gets 304';

# Each of these changes gives a new tag, and the new answer.
my %tag = map { $_ => ask($me, $_)->header('ETag') } @PATHS;
sub changes {
    my ($what, $change, @paths) = @_;
    $change->();
    for my $path (@paths ? @paths : @PATHS) {
        my $answer = ask($me, $path, $tag{$path});
        is $answer->status, 200, "$what: $path has a new tag";
        $tag{$path} = $answer->header('ETag');
        is ask($me, $path, $tag{$path})->status, 304, "$what: the second view of $path gets 304";
    }
    return;
}
sub post { return $service->post_batch(@_)->status == 200 || die 'not saved' }
my $added = qso(%contact, callsignWorked => '14FR7');
my $theirs = qso(%contact, callsignWorked => '21SD333');
changes('a new QSO', sub { post([$added], key => $key) });
changes('a changed QSO', sub { post([{ %$added, callsignWorked => '14FR8' }], key => $key) });
changes('a confirmation by another member', sub { post([$theirs], key => $them->{write_key}) });
is $me->get('statistics')->json->{confirmed}, 1, 'the statistics count the confirmation';
changes('the end of the confirmation',
    sub { $service->delete_qso($theirs->{clientId}, key => $them->{write_key})->status == 204 or die });
changes('a deleted QSO', sub { $service->delete_qso($added->{clientId}, key => $key)->status == 204 or die });
changes('an undo', sub { $service->admin('undo', '21SD333', '--by', 'tablet', '--since', '2020-01-01T00:00:00Z') });
changes("a change of the member's locator", sub { $service->admin('member', 'set', '21SD333', '--locator', 'JN58td') });
changes('another callsign', sub { $service->admin('member', 'rename', '21SD333', '21SD334') });
changes('a sync on the next day',
    sub { $service->sqlite('UPDATE api_keys SET last_used_day = last_used_day + 1 WHERE member_id = 1') },
    'statistics');
is ask($me, 'awards', $tag{awards})->status, 304, 'a sync without changes leaves the awards unchanged';
changes('a restored logbook', sub { $service->sqlite('UPDATE logbook SET log_epoch = log_epoch + 1') });

# A tag belongs to one member and one query.
for my $path (@PATHS) {
    my $answer = ask($other, $path, $tag{$path});
    is $answer->status, 200, "$path: a request with another member's tag gets the answer";
    isnt $answer->header('ETag'), $tag{$path}, "$path: the logs of two members have different tags";
    is ask($me, "$path?band=PMR446", $tag{$path})->status, 200,
        "$path: a request with the tag of another filter gets the answer";
    is ask($me, "$path?year=x", $tag{$path})->status, 400, "$path: an invalid filter is refused, whatever the tag";
    my $visitor = $service->request('GET', '', raw_path => "/profile/data/$path",
        headers => { 'If-None-Match' => $tag{$path} });
    is $visitor->status . $visitor->header('Cache-Control'), '401no-store',
        "$path: a visitor gets 401, which must not be cached";
}

# The operators of a station get the same tags for the station's log, as long as they may open this log.
$service->admin('station', 'add', '14/AT0', '--locator', 'JN03');
$service->admin('station', 'grant', '14/AT0', $_) for qw(21SD334 26AT101);
for my $path (@PATHS) {
    my $of_station = "$path?log=14%2FAT0";
    my $tag = ask($me, $of_station)->header('ETag');
    isnt $tag, $tag{$path}, "$path: the station's log has its own tag";
    is ask($other, $of_station, $tag)->status, 304, "$path: the station's other operator gets 304";
    is ask($me, $path, $tag)->status, 200,
        "$path: a request for the member's log with the station's tag gets the answer";
}
$service->admin('station', 'revoke', '14/AT0', '26AT101');
is ask($other, "$_?log=14%2FAT0", '*')->status, 403, "$_: an operator whose grant was revoked gets 403" for @PATHS;

# When a session ends, the browser removes the answers that it has kept.
my $end = $service->request('POST', '', raw_path => '/sign-out', json => {},
    headers => { Cookie => $me->cookie, 'Sec-Fetch-Site' => 'same-origin' });
is $end->status . $end->header('Clear-Site-Data'), '204"cache"', 'signing out empties the cache of the browser';
is ask($me, $_, $tag{$_})->status, 401, "$_: a browser that has signed out gets 401" for @PATHS;

done_testing;
