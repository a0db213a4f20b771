use QSOsync::Test fronts => 'all';

# The spots are on a plain page for browsers without JavaScript. Texts by members are shown as text, never as markup.
my $service = QSOsync::Service->start(site => 1);
sub page { my ($path, %option) = @_; return $service->request('GET', $path, raw_path => "/cluster/$path", %option) }
sub rows { return page($_[0])->body =~ m{<tr role="row">\n<th role="rowheader"(.*?)</tr>}sg }
my $yes = JSON::PP::true();

my $empty = page('list');
is $empty->status, 200, 'the list is available before the first spot';
is $empty->header('Content-Type'), 'text/html; charset=utf-8', 'the list is HTML in UTF-8';
like $empty->body, qr/No spots\./, 'an empty list reports that there are no spots';
unlike $empty->body, qr/\{\{|\}\}/, 'the list has no empty placeholder';
like $empty->header('Content-Security-Policy'), qr/default-src 'none'/, 'the list loads nothing from other sites';
is $empty->header('Cache-Control'), 'no-cache', 'a cache must revalidate the list before each use';

my $far = full_qso(sendSpot => $yes, notes => 'secret');
my $near = full_pmr_qso(sendSpot => $yes, callsignWorked => undef, operatorCallsign => undef, dcsCode => undef,
    ctcssTone => '88.5');
$service->post_batch([$_]) for full_qso(callsignWorked => '1AT999'), $far, $near;
my ($pmr, $eleven, @others) = rows('list');
is scalar(@others), 0, 'the list contains only QSOs that were spotted';
like $eleven, qr{<bdi class="call">26AT101</bdi> <small><bdi>IO91wm</bdi> \xC2\xB7 <bdi>England</bdi></small>},
    'a row has the station, its locator and country';
like $eleven, qr{<time datetime="\d{4}-\d\d-\d\dT[\d:.]+Z">\d{4}-\d\d-\d\d \d\d:\d\d</time>}, 'a row has the time';
like $eleven, qr{>27\.555 MHz</td>.*>USB</td>.*Heard by"><bdi class="call">21SD333/P</bdi> <small><bdi>JO59jw}s,
    'a row has frequency, mode and spotter';
like $pmr, qr{no callsign}, 'a spot without a callsign shows "no callsign"';
like $pmr, qr{446\.09375 MHz <small><span [^>]*>channel 8</span> \xC2\xB7 <bdi>8 \(88\.5 Hz\)</bdi></small>},
    'a row for PMR446 has the channel and the tone';
unlike page('list')->body, qr/secret|51\.50|1AT999/, 'the list contains no private data';
like page('list')->body, qr/>2 spots\./, 'the list has the number of spots';
is scalar(() = rows("list/$_")), $_ eq '20m' ? 0 : 1, "the list for the band $_ contains only that band"
    for 'pmr446', '11m', '20m';
for my $path ('list', 'list/11m') {
    my %links = map { $_ => 1 } page($path)->body =~ /(?:href|src)="([^"#]+)"/g;
    for my $link (sort keys %links) {
        my $target = URI_of("/cluster/$path", $link);
        next if $target =~ m{^/(?:profile|docs)/}; # needs a sign-in, or is built by make
        is $service->request('GET', '', raw_path => $target)->status, 200, "/cluster/$path links to $target";
    }
}

# Resolves a relative link.
sub URI_of {
    my ($from, $link) = @_;
    my $path = $from =~ s{[^/]*\z}{}r . $link;
    1 while $path =~ s{[^/.]+/\.\./}{};
    return $path;
}

my $tag = page('list')->header('ETag');
is page('list', headers => { 'If-None-Match' => $tag })->status, 304, 'an unchanged list is not sent again';
$service->delete_qso($near->{clientId});
is page('list', headers => { 'If-None-Match' => $tag })->status, 200, 'a list that has lost a spot is sent again';
is $service->request('POST', '', raw_path => '/cluster/list')->status, 405, 'the list refuses POST';

# Hostile texts stay texts.
my @hostile = ('<script>1</script>', '"><img src=x>', "'onclick='x", '&lt;b&gt;', '{{rows}}', "<b>\x{202e}1",
    "a\x{2066}b\x{200f}", '<!--', "\x{85}x", "x\x{9f}");
$service->post_batch([map { full_qso(sendSpot => $yes, callsignWorked => $_, operatorCallsign => $_) } @hostile]);
my $body = page('list')->body;
is scalar(() = rows('list')), 1 + @hostile, 'each hostile text has its row';
unlike $body, qr/<(?:script>|img src=x|b>|!--)/, 'no text by a member becomes markup';
like $body, qr/<bdi class="call">\Q$_\E<\/bdi>/, "a hostile text is shown as text: $_"
    for '&lt;script&gt;1&lt;/script&gt;', '&quot;&gt;&lt;img src=x&gt;', '&#39;onclick=&#39;x', '&amp;lt;b&amp;gt;',
    '{{rows}}', '&lt;b&gt;[U+202E]1', "a[U+2066]b\xE2\x80\x8F", '&lt;!--';
unlike $body, qr/\xE2\x80\xAE|\xE2\x81\xA6|\xC2[\x85\x9F]/, 'controls that reverse a text are shown by their names';
is page('list/' . '%3Cscript%3E')->status, 200, 'the list for an unknown band is available';
unlike page('list/' . '%3Cscript%3E')->body, qr/<script>|%3Cscript/, 'the page does not repeat the text of a path';

$service->post_spots(map { full_qso(sendSpot => $yes) } 1 .. 150);
is scalar(() = rows('list')), 100, 'the list contains at most 100 spots';
like page('list')->body, qr/The newest 100 spots\./, 'a full list states that it has only the newest spots';

done_testing;
