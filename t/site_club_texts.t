use QSOsync::Test fronts => 'nginx';

# The club's texts are on the front page, and its name is in the head of each page that the program creates. Texts in
# the logbook take precedence over the settings.
my $service = QSOsync::Service->start(site => 1, environment => {
    QSOSYNC_CLUB => 'Club of the settings', QSOSYNC_CLUB_TEXT => 'Text of the settings',
    QSOSYNC_ADDRESS => 'https://settings.example.org/log/api/v1' });
sub page { return $service->request('GET', '', raw_path => $_[0])->body }
sub spots { return [page('/') =~ m{<bdi class="call">(\d+AT\d+)</bdi> <small><bdi>IO91wm}g] }
sub set {
    my (%values) = @_;
    my $text = sub { defined $_[0] ? "'" . $_[0] =~ s/'/''/gr . "'" : 'NULL' };
    $service->sqlite('UPDATE club SET ' . join ', ', map { "$_ = " . $text->($values{$_}) } sort keys %values);
}

my $front = page('/');
like $front, qr{<h1>Club of the settings</h1>.*><bdi>Text of the settings<}s,
    'the front page shows the club from the settings';
unlike $front, qr{api/v1}, 'the front page does not show the address for programs';
unlike $front, qr/About this club|Legal notice/,
    'a page without a contact and a legal notice has no headings for them';
like page('/cluster/list'), qr{<a class="brand" href="\.\./"><svg .*</svg><bdi>Club of the settings</bdi></a>},
    'the head of a page names the club';
like page('/cluster/list'), qr{<footer><p><span data-say>Runs on QSOsync</span> \xC2\xB7 <a href="\.\./docs/"},
    'the footer of a page names the program';
like $front, qr/No spots yet\./, 'a front page without spots reports that there are no spots';

set(name => 'Club 333', text => "Wednesdays\nat eight", link => 'https://club.example.org/?a=1&b=2',
    contact => 'chair at club.example.org', legal => "Someone\nStreet 1 <b>", address => 'https://log.example.org');
$front = page('/');
like $front, qr{<title>Club 333</title>.*<h1>Club 333</h1>.*><bdi>Wednesdays\nat eight<}s,
    'texts in the logbook take precedence over the settings';
like $front, qr{<a rel="noreferrer" href="https://club\.example\.org/\?a=1&amp;b=2"><bdi>},
    "the front page has the club's link";
like $front, qr{Contact:</span> <bdi>chair at club\.example\.org<}, 'the front page has the contact';
like $front, qr{<h3 id="legal" data-say>Legal notice</h3>\n<p class="lines"><bdi>Someone\nStreet 1 &lt;b&gt;</bdi>},
    'the front page shows a legal notice with its line breaks';
like $front, qr{<footer><p><span data-say>Runs on QSOsync</span> \xC2\xB7 <a href="\./#legal"},
    'the footer links to the legal notice';
like page('/cluster/list'), qr{<a href="\.\./#legal" data-say>Legal notice</a>},
    'the footer of another page links to the legal notice';

set(legal => 'https://club.example.org/imprint');
like page('/cluster/list/11m'), qr{<a href="https://club\.example\.org/imprint" data-say>Legal notice</a>},
    'the footer links to a legal notice that is an address';

# Each stored value is text. Only http and https addresses become links.
my @hostile = ('javascript:alert(1)', 'JavaScript:alert(1)', 'data:text/html,x', ' https://x', 'https://x y',
    "https://x\"onclick=\"x", 'https://x\'y', '//x', '<script>1</script>', '{{about}}',
        "\x{e2}\x{80}\x{ae}https://x");
for my $hostile (@hostile) {
    set(link => $hostile, legal => $hostile, contact => $hostile, name => $hostile);
    my $body = page('/');
    my @links = grep { !m{^(?:\./|#|https://x&)} } $body =~ /href="([^"]*)"/g;
    is "@links", '', "$hostile does not become a link";
    unlike $body, qr/<script>1|onclick="|\xE2\x80\xAE|<h1>\s*<section/, "$hostile does not become markup";
}

like page('/'), qr/ data-n="1">1 member</, 'the front page has the number of members';
like page('/'), qr/>0 QSOs</, 'the front page counts the QSOs';
$service->post_batch([qso()]);
like page('/'), qr/>1 QSO</, 'the front page counts the first QSO at once';
set(numbers => 'off');
unlike page('/'), qr/1 member/, 'a club can hide its numbers';

set(name => undef, text => undef, link => undef, contact => undef, legal => undef, address => undef);
like page('/'), qr{<h1>Club of the settings</h1>}, 'the settings apply again if the texts are removed';

my $yes = JSON::PP::true();
$service->post_spots(map { full_qso(sendSpot => $yes, callsignWorked => "${_}AT100") } 1 .. 10);
is_deeply spots(), [map { "${_}AT100" } reverse 3 .. 10], 'the front page shows the eight newest spots';

rename $service->db, $service->db . '.away' or die $!;
$service->expect_log(qr/is not a QSOsync logbook yet|qsosync-admin --db/);
like page('/'), qr{<h1>Club of the settings</h1>.*No spots yet\.}s,
    'the front page shows the settings if the logbook is missing';
rename $service->db . '.away', $service->db or die $!;

done_testing;
