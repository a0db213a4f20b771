use QSOsync::Test fronts => 'all';

# The spots as a plain page, for browsers without JavaScript: what members typed is text in it, never markup.
my $service = QSOsync::Service->start(site => 1);
sub page { my ($path, %option) = @_; return $service->request('GET', $path, raw_path => "/cluster/$path", %option) }
sub rows { return page($_[0])->body =~ m{<tr role="row">\n<th role="rowheader"(.*?)</tr>}sg }
my $yes = JSON::PP::true();

my $empty = page('list');
is $empty->status, 200, 'the list is there without a spot';
is $empty->header('Content-Type'), 'text/html; charset=utf-8', 'the list is HTML in UTF-8';
like $empty->body, qr/No spots\./, 'a list without spots says so';
unlike $empty->body, qr/\{\{|\}\}/, 'the list is filled in';
like $empty->header('Content-Security-Policy'), qr/default-src 'none'/, 'the list loads nothing from elsewhere';
is $empty->header('Cache-Control'), 'no-cache', 'a cache asks before it shows the list';

my $far = full_qso(sendSpot => $yes, notes => 'secret');
my $near = full_pmr_qso(sendSpot => $yes, callsignWorked => undef, operatorCallsign => undef, dcsCode => undef,
    ctcssTone => '88.5');
$service->post_batch([$_]) for full_qso(callsignWorked => '1AT999'), $far, $near;
my ($pmr, $eleven, @others) = rows('list');
is scalar(@others), 0, 'the list holds what was spotted and nothing else';
like $eleven, qr{<bdi class="call">26AT101</bdi> <small><bdi>IO91wm</bdi> \xC2\xB7 <bdi>England</bdi></small>},
    'a row has the station, its locator and country';
like $eleven, qr{<time datetime="\d{4}-\d\d-\d\dT[\d:.]+Z">\d{4}-\d\d-\d\d \d\d:\d\d</time>}, 'a row has the time';
like $eleven, qr{>27\.555 MHz</td>.*>USB</td>.*Heard by"><bdi class="call">21SD333/P</bdi> <small><bdi>JO59jw}s,
    'a row has frequency, mode and who heard it';
like $pmr, qr{no callsign}, 'a station without a callsign is shown as such';
like $pmr, qr{446\.09375 MHz <small><span [^>]*>channel 8</span> \xC2\xB7 <bdi>88\.5</bdi></small>},
    'a row of PMR446 has channel and tone';
unlike page('list')->body, qr/secret|51\.50|1AT999/, 'the list tells nothing that a spot may not tell';
like page('list')->body, qr/>2 spots\./, 'the list says how many there are';
is scalar(() = rows("list/$_")), $_ eq '20m' ? 0 : 1, "the list of the band $_ holds that band" for 'pmr446', '11m',
    '20m';
for my $path ('list', 'list/11m') {
    my %links = map { $_ => 1 } page($path)->body =~ /(?:href|src)="([^"#]+)"/g;
    for my $link (sort keys %links) {
        my $target = URI_of("/cluster/$path", $link);
        next if $target =~ m{^/(?:profile|docs)/}; # asks for a sign-in; is made by make
        is $service->request('GET', '', raw_path => $target)->status, 200, "/cluster/$path leads to $target";
    }
}

# A relative link, resolved.
sub URI_of {
    my ($from, $link) = @_;
    my $path = $from =~ s{[^/]*\z}{}r . $link;
    1 while $path =~ s{[^/.]+/\.\./}{};
    return $path;
}

my $tag = page('list')->header('ETag');
is page('list', headers => { 'If-None-Match' => $tag })->status, 304, 'a list that has not changed is not sent again';
$service->delete_qso($near->{clientId});
is page('list', headers => { 'If-None-Match' => $tag })->status, 200, 'a list that a spot has left is sent again';
is $service->request('POST', '', raw_path => '/cluster/list')->status, 405, 'the list takes no POST';

# Hostile texts.
my @hostile = ('<script>1</script>', '"><img src=x>', "'onclick='x", '&lt;b&gt;', '{{rows}}', "<b>\x{202e}1",
    "a\x{2066}b\x{200f}", '<!--', "\x{85}x", "x\x{9f}");
$service->post_batch([map { full_qso(sendSpot => $yes, callsignWorked => $_, operatorCallsign => $_) } @hostile]);
my $body = page('list')->body;
is scalar(() = rows('list')), 1 + @hostile, 'each hostile text has its row';
unlike $body, qr/<(?:script>|img src=x|b>|!--)/, 'no text of a member becomes markup';
like $body, qr/<bdi class="call">\Q$_\E<\/bdi>/, "written as text: $_"
    for '&lt;script&gt;1&lt;/script&gt;', '&quot;&gt;&lt;img src=x&gt;', '&#39;onclick=&#39;x', '&amp;lt;b&amp;gt;',
    '{{rows}}', '&lt;b&gt;[U+202E]1', "a[U+2066]b\xE2\x80\x8F", '&lt;!--';
unlike $body, qr/\xE2\x80\xAE|\xE2\x81\xA6|\xC2[\x85\x9F]/, 'controls that turn a text around are shown by their names';
is page('list/' . '%3Cscript%3E')->status, 200, 'a band that is none has an empty list';
unlike page('list/' . '%3Cscript%3E')->body, qr/<script>|%3Cscript/, 'what a path says is not repeated';

$service->post_spots(map { full_qso(sendSpot => $yes) } 1 .. 150);
is scalar(() = rows('list')), 100, 'the list holds at most 100 spots';
like page('list')->body, qr/The newest 100 spots\./, 'a full list says so';

done_testing;
