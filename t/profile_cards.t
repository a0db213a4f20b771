use QSOsync::Test fronts => 'main';
use QSOsync::Profile;

# Only members who have a confirmed QSO with a member can see the member's QSL card. Pictures are checked, and other
# members get the pictures without hidden content.
my $service = QSOsync::Service->start(site => 1);
$service->expect_log(qr/client intended to send too large body|exceeds|larger than/i);
my %other = map { $_ => $service->add_member($_) } qw(26AT101 13HN888);
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $you = QSOsync::Profile->log_in($service, '26AT101');
my $third = QSOsync::Profile->log_in($service, '13HN888');
sub put {
    my ($member, $path, $body, $type) = @_;
    return $member->request('PUT', $path, body => $body,
        headers => { 'Sec-Fetch-Site' => 'same-origin', 'Content-Type' => $type // 'image/jpeg' });
}
sub design { return put($_[0], 'card', JSON::PP->new->utf8->encode($_[1]), 'application/json') }

# Pictures are stored without metadata, or rejected.
sub segment { return pack 'C C n a*', 0xff, $_[0], 2 + length $_[1], $_[1] }
# Returns a JPEG picture of one grey square, whatever size its header states.
sub jpeg {
    my (%made) = @_;
    my ($width, $height) = @made{qw(width height)};
    my $table = chr(1) . chr(0) x 15 . chr(0);
    return "\xff\xd8" . ($made{first} // '') . segment(0xdb, chr(0) . chr(1) x 64)
        . segment($made{frame} // 0xc0, pack 'C n n C C3', 8, $height // 8, $width // 8, 1, 1, 0x11, 0)
        . segment(0xc4, chr(0) . $table) . segment(0xc4, chr(0x10) . $table) . ($made{middle} // '')
        . (segment(0xda, pack 'C C2 C3', 1, 1, 0, 0, 63, 0) . "\x3f") x ($made{scans} // 1)
        . ($made{end} // "\xff\xd9") . ($made{after} // '');
}
# Older releases accepted pictures of these types.
my $png = pack 'H*', '89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55'
    . '0000000a49444154789c636800000082008177cd72b60000000049454e44ae426082';
my $webp = 'RIFF' . pack('V', 26) . "WEBPVP8L" . pack('V', 14) . "\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0";
my $exif = "Exif\0\0II*\0GPS 59.91 10.75 SECRET";
my $svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>';

for (['JPEG', jpeg()], ['JPEG of 4,000 pixels', jpeg(width => 4000, height => 4000)]) {
    my ($name, $bytes) = @$_;
    is put($me, 'card/picture', $bytes)->status, 204, "a $name is accepted";
    my $answer = $me->get('card/picture');
    is_deeply [$answer->status, $answer->header('Content-Type'), $answer->body], [200, 'image/jpeg', $bytes],
        "a $name is returned unchanged, with its type";
}
for ([PNG => 'image/png', $png], [WebP => 'image/webp', $webp]) {
    my ($name, $type, $bytes) = @$_;
    my $refused = put($me, 'card/picture', $bytes, $type);
    is_deeply [$refused->status, $refused->json->{error}{details}[0]{message}], [400, 'must be a JPEG picture'],
        "a $name is refused";
    $service->sqlite("UPDATE cards SET content = x'" . unpack('H*', $bytes) . "', set_at = set_at + 1 WHERE part = 1");
    my $answer = $me->get('card/picture');
    is_deeply [$answer->status, $answer->header('Content-Type'), $answer->body], [200, $type, $bytes],
        "a $name from an older release is returned with its type";
}
put($me, 'card/picture', jpeg());
my $answer = $me->get('card/picture');
like $answer->header('Cache-Control'), qr/\Aprivate\b/, 'only browsers may cache a picture';
is $answer->header('X-Content-Type-Options'), 'nosniff', 'a browser must not guess another type for a picture';
like $answer->header('Content-Security-Policy') // "default-src 'none'", qr/default-src 'none'/,
    'a picture that is opened directly cannot load or run anything';
is $me->get('card/picture', headers => { 'If-None-Match' => $answer->header('ETag') })->status, 304,
    'a cached picture is not sent again';

# Each row has a name, the picture, and whether the picture is refused (1) or loses hidden content (0).
my @hostile = (
    ['an SVG', $svg, 1], ['an SVG with the beginning of a JPEG', "\xff\xd8\xff$svg", 1],
    ['HTML', "<html>$svg</html>", 1],
    ['a GIF', "GIF89a\1\0\1\0\0\0\0;", 1], ['a BMP', 'BM' . "\0
        " x 60, 1], ['the beginning of a JPEG', "\xff\xd8\xff", 1],
    ['a JPEG with coordinates in EXIF', jpeg(first => segment(0xe1, $exif)), 0],
    ['a JPEG with XMP', jpeg(first => segment(0xe1, "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>SECRET")), 0],
    ['a JPEG with IPTC', jpeg(first => segment(0xed, 'Photoshop 3.0SECRET')), 0],
    ['a JPEG with a comment', jpeg(first => segment(0xfe, "$svg SECRET")), 0],
    ['a JPEG with a thumbnail', jpeg(first => segment(0xe0, 'JFXX' . jpeg() . 'SECRET')), 0],
    ['a JPEG with EXIF before its scan', jpeg(middle => segment(0xe1, $exif)), 0],
    ['a JPEG with an ICC profile', jpeg(first => segment(0xe2, "ICC_PROFILE\0\1\1SECRET")), 0],
    ['a JPEG with an invalid colour segment', jpeg(first => segment(0xee, 'Adobe SECRET!!')), 0],
    ['a JPEG that is also a ZIP', jpeg(after => "PK\3\4" . 'x' x 100), 1],
    ['a JPEG that is also HTML', jpeg(after => "<script>alert(1)</script>"), 1],
    ['a JPEG followed by another JPEG', jpeg() . jpeg(), 1],
    ['a JPEG of 50,000 x 50,000 pixels', jpeg(width => 50_000, height => 50_000), 1],
    ['a JPEG of 4,001 pixels', jpeg(width => 4001), 1], ['a JPEG without height', jpeg(height => 0), 1],
    ['a JPEG with a thousand scans', jpeg(scans => 1000), 1], ['a JPEG without a scan', jpeg(scans => 0), 1],
    ['a JPEG without its end', jpeg(end => ''), 1], ['a lossless JPEG', jpeg(frame => 0xc3), 1],
    ['a JPEG with arithmetic coding', jpeg(frame => 0xc9), 1],
    ['a JPEG with text in its tables', jpeg(first => segment(0xdb, chr(0) . chr(1) x 64 . 'SECRET')), 1],
    ['a JPEG whose segment is too long', substr(jpeg(), 0, 20) . "\xff\xe1\xff\xff", 1],
    ['a WAV', 'RIFF' . pack('V', 20) . 'WAVEfmt ' . "\0" x 12, 1],
);
for (@hostile) {
    my ($name, $bytes, $is_refused) = @$_;
    my $answer = put($me, 'card/picture', $bytes);
    if ($is_refused) { is_deeply [$answer->status, $answer->code], [400, 'VALIDATION.FAILED'], "$name is refused" }
    else {
        is $answer->status, 204, "$name is accepted";
        unlike $me->get('card/picture')->body, qr/SECRET|Exif|alert/, "$name loses its hidden content";
    }
}
is put($me, 'card/picture', jpeg(middle => segment(0xfe, 'x' x 60_000) x 6))->status, 413,
    'a picture over 300 KB is refused';
is put($me, 'card/picture', jpeg(middle => segment(0xfe, 'x' x 60_000) x 5))->status, 204,
    'a picture below 300 KB is accepted';
is $me->request('PUT', 'card/picture', body => jpeg(), headers => { 'Sec-Fetch-Site' => 'cross-site' })->status, 403,
    'a page on another site cannot set a picture';
is $me->request('POST', 'card/picture', body => 'x')->header('Allow'), 'GET, HEAD, PUT, DELETE, OPTIONS',
    'a picture allows the methods GET, PUT and DELETE';

# Designs are stored as JSON.
is $me->get('card')->body, '{}', 'a new card has no design';
my $mine = { background => 'waves', lines => ["<script>\x{202e}", "'); DROP TABLE", 'Oslo'], fields => ['notes'] };
is design($me, $mine)->status, 204, 'a design is accepted';
is_deeply $me->get('card')->json, $mine, 'a design is returned unchanged';
is put($me, 'card', $_->[0], 'application/json')->status, $_->[1], "$_->[2] is refused as a design"
    for ['[]', 400, 'a list'], ['{"a":', 400, 'half of an object'], ['{}{}', 400, 'two objects'],
    ["{\"lines\":[\"\xff\"]}", 400, 'text that is not UTF-8'], ['{"lines":["' . 'x' x 4090 . '"]}', 413,
    'more than 4 KB'];
# Each field has its own error message.
my %says = (background => qr/\Amust be one of: waves compass/, paper => qr/\Amust be a colour/,
    ink => qr/\Amust be a colour/, lines => qr/\Amust be a list of at most 3 lines of 60 characters\z/,
    fields => qr/\Amust be a list of some of these, each once: frequency mode/);
for ([background => { toString => 1, valueOf => 1 }], [background => 'Waves'], [background => ['waves']],
    [background => undef], [background => ''], [paper => '#ff00000'], [paper => 'red'], [ink => '#12345g'], [ink => 7],
    [lines => 'one'], [lines => [1]], [lines => [['a']]], [lines => ['', '', '', '']], [lines => ['x' x 61]],
    [lines => ["two\nlines"]], [lines => ["\0"]], [lines => { 0 => 'a' }], [fields => 'notes'],
    [fields => ['toString']], [fields => ['notes', 'notes']], [fields => [undef]]) {
    my ($field, $value) = @$_;
    my $answer = design($me, { $field => $value });
    my $detail = $answer->json->{error}{details}[0];
    is_deeply [$answer->status, $detail->{field}], [400, $field],
        "$field is refused as " . JSON::PP->new->allow_nonref->ascii->encode($value);
    like $detail->{message}, $says{$field}, "the refusal states the rule for $field";
}
for my $name ('a', '__proto__', 'toString') {
    my $detail = design($me, { %$mine, $name => {} })->json->{error}{details}[0];
    is_deeply $detail, { field => $name, message => 'is not part of a design' }, "a field named $name is refused";
}
is_deeply $me->get('card')->json, $mine, 'a refused design changes nothing';

is put($me, 'card', '{"ink":"#000000","background":{},"background":"rays","ink":"#FFFFFF"}', 'application/json')
    ->status, 204, 'a design with duplicate field names is accepted';
is $me->get('card')->body, '{"background":"rays","ink":"#FFFFFF"}',
    'each duplicate field is stored once, with its last value';
my $whole = { background => 'picture', paper => '#abcdef', ink => '#012345', lines => ["\xc4" x 60, '', 'x'],
    fields => [qw(notes antenna radio power locator report mode frequency)] };
is design($me, $whole)->status, 204, 'a design within all limits is accepted';
is_deeply $me->get('card')->json, $whole, 'a design within all limits is returned unchanged';
design($me, $mine);

# Only members with a confirmed QSO see a card.
my $at = '2026-05-17T19:42:00.000Z';
my %mine = (callsignWorked => '26AT101', operatorCallsign => undef, qsoAt => $at, notes => 'private');
my $own = qso(%mine);
my ($saved) = @{$service->post_batch([$own, qso(%mine, qsoAt => '2026-01-01T00:00:00Z')])->json->{results}};
my $id = $me->get('qsos?limit=1')->json->{items}[0]{id};
sub seen { my ($member, $id) = @_; return join ' ', map { $member->get("cards/$id$_")->status } '', '/picture' }
is seen($me, $id), '404 404', 'an unconfirmed QSO has no card';
design($you, { lines => ['From 26AT101'] });
put($you, 'card/picture', jpeg());
my $yours = qso(callsignWorked => '21SD333', operatorCallsign => undef, qsoAt => $at, notes => 'theirs');
$service->post_batch([$yours], key => $other{'26AT101'}{write_key});
is seen($me, $id), '200 200', "a confirmed QSO has the other station's card";
my $card = $me->get("cards/$id")->json;
is_deeply [@{$card->{design}{lines}}, $card->{qso}{id}, $card->{qso}{notes}], ['From 26AT101', $id, 'private'],
    "a card has the other station's design and the member's own QSO";
is $me->get("cards/$id/picture")->body, jpeg(), "a card has the other station's picture";
like $me->get("cards/$id/picture")->header('Cache-Control'), qr/\Aprivate\b/, 'a shared cache must not store a picture';
my ($theirs) = map { $_->{id} } @{$you->get('qsos')->json->{items}};
is_deeply $you->get("cards/$theirs")->json->{design}, $mine, "the other station gets the member's design";
is seen($third, $id), '404 404', 'a third member gets no card';
is seen($me, $theirs), '404 404', "the other station's QSO has no card for the member";
is $service->request('GET', '', raw_path => "/profile/data/cards/$id/picture")->status, 401,
    'a visitor gets no picture';
is $me->get("cards/$_")->status, 404, "the card for QSO $_, which does not exist, gives 404" for 0, 'x', 999999;

# The gallery lists the cards that a member may see.
sub pair {
    my ($hour) = @_;
    my $at = sprintf '2026-06-01T%02d:00:00Z', $hour;
    $service->post_batch([qso(%mine, qsoAt => $at)]);
    $service->post_batch([qso(callsignWorked => '21SD333', operatorCallsign => undef, qsoAt => $at)],
        key => $other{'26AT101'}{write_key});
}
my $since = $me->get('cards')->json->{items}[0]{qso}{crossConfirmedAt};
pair($_) for 1 .. 4;
my (@ids, $after);
do {
    my $page = $me->get('cards?limit=2' . (defined $after ? "&after=$after" : "&since=$since"))->json;
    is $page->{newer}, 4, 'the gallery counts new cards since a time' if !defined $after;
    is $page->{count}, defined $after ? undef : 5, 'only the first page counts all cards';
    push @ids, map { $_->{qso}{qsoAt} =~ /T(\d\d)/ } @{$page->{items}};
    $after = $page->{nextCursor};
} while defined $after;
is "@ids", '04 03 02 01 19', 'the gallery contains each card once, latest confirmation first';
is $me->get("cards?$_")->status, 400, "$_ is refused" for 'after=x', 'limit=0', 'since=yesterday';
is scalar(uniq_pictures($me)), 1, 'equal pictures have the same name in all cards';
sub uniq_pictures { my %name = map { $_->{picture} => 1 } @{$_[0]->get('cards')->json->{items}}; return keys %name }

# A card can be seen only while a QSO with its station is confirmed.
$service->post_batch([{ %$yours, qsoAt => '2025-05-17T19:42:00Z' }], key => $other{'26AT101'}{write_key});
is seen($me, $id), '404 404', 'a card is not available after its confirmation has ended';
$service->post_batch([$yours], key => $other{'26AT101'}{write_key});
is seen($me, $id), '200 200', 'a card is available again after a new confirmation';

$service->admin('club', 'set', '--pictures', 'off');
is join(' ', seen($me, $id), $you->get('card/picture')->status, $me->get("cards/$id")->json->{picture} // 'none'),
    '200 404 404 none',
    'a club without pictures sends no pictures';
is_deeply [map { $_->status, $_->code } put($me, 'card/picture', jpeg())], [403, 'PROFILE.NO_PICTURES'],
    'a club without pictures refuses pictures';
$service->admin('club', 'set', '--pictures', 'on');
is seen($me, $id), '200 200', 'stored pictures are sent again after pictures are switched on';
is(($service->admin_try('club', 'set', '--pictures', 'perhaps'))[0], 1, 'a wrong value for the switch is refused');

my $everything = $you->get('everything.json')->json->{card};
require MIME::Base64;
is_deeply [$everything->{design}{lines}, MIME::Base64::decode_base64($everything->{picture})],
    [['From 26AT101'], jpeg()],
    "everything.json contains the card";
is_deeply [@{$third->get('everything.json')->json->{card}}{qw(design picture)}], [undef, undef],
    "everything.json of a member without a card contains no card";

my $backup = $service->directory . '/cards.db';
$service->admin('backup', $backup);
is $me->remove('card/picture')->status, 204, 'a member can remove the picture';
is $me->remove('card/picture')->status, 404, 'a removed picture cannot be removed again';
is_deeply $me->get('card')->json, $mine, 'removing the picture keeps the design';
$service->admin('card', 'remove', '26AT101');
is join(' ', $me->get("cards/$id")->json->{design} // 'none', $me->get("cards/$id/picture")->status,
    $you->get('card')->body), 'none 404 {}',
    'the command removes a card with its texts and picture';
is(($service->admin_try('card', 'remove', '26AT101'))[0], 1, 'a missing card cannot be removed');
like $service->admin('log'), qr/card remove +26AT101/, 'the removal of a card is logged';
design($third, { lines => ['later'] });
$service->admin('restore', $backup);
is join(' ', $me->get("cards/$id")->json->{design} // 'none', map { $_->get('card/picture')->status } $me, $you),
    'none 404 404',
    'a restore brings back neither a removed card nor a removed picture';
is_deeply $me->get('card')->json, $mine, 'a restore keeps other cards';
is put($you, 'card/picture', jpeg())->status, 204, 'a new picture is accepted after a removal';
is $me->get("cards/$id/picture")->body, jpeg(), 'other members get the new picture';
$service->admin('backup', "$backup.2");
$service->admin('restore', "$backup.2");
is $me->get("cards/$id/picture")->body, jpeg(), 'a restore keeps a picture that is newer than the removal';
$service->admin('member', 'disable', '26AT101');
$service->admin('member', 'delete', '26AT101', '--yes');
is $service->sqlite("SELECT count(*) FROM cards JOIN members ON id = member_id WHERE callsign = '26AT101'"), 0,
    'deleting a member deletes their card';
is $service->sqlite('SELECT count(*) FROM cards WHERE member_id NOT IN (SELECT id FROM members)'), 0,
    'each card belongs to a member';
is seen($me, $id), '404 404', 'other members cannot see the card of a deleted member';

done_testing;
