use QSOsync::Test fronts => 'nginx';

# Whose service this is: what the club says of itself, on the front page and in the foot of each page that the program
# makes. The logbook's row counts before the settings.
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
like $front, qr{<h1>Club of the settings</h1>.*><bdi>Text of the settings<}s, 'the settings say whose service this is';
unlike $front, qr{api/v1}, 'the address for programs stands where programs are connected';
unlike $front, qr/Whose service|Legal notice/, 
    'nothing is said of contact and legal notice where the club says nothing';
like page('/cluster/list'), qr{<footer><p><bdi>Club of the settings</bdi></p></footer>},
    'the foot of a page names the club';
like $front, qr/No spots yet\./, 'without a spot the front page says so';

set(name => 'Club 333', text => "Wednesdays\nat eight", link => 'https://club.example.org/?a=1&b=2',
    contact => 'chair at club.example.org', legal => "Someone\nStreet 1 <b>", address => 'https://log.example.org');
$front = page('/');
like $front, qr{<title>Club 333</title>.*<h1>Club 333</h1>.*><bdi>Wednesdays\nat eight<}s,
    'what the logbook says counts before the settings';
like $front, qr{<a rel="noreferrer" href="https://club\.example\.org/\?a=1&amp;b=2"><bdi>},
    'the link of the club leads there';
like $front, qr{Contact:</span> <bdi>chair at club\.example\.org<}, 'the contact stands on the front page';
like $front, qr{<h3 id="legal" data-say>Legal notice</h3>\n<p class="lines"><bdi>Someone\nStreet 1 &lt;b&gt;</bdi>},
    'a legal notice of text stands there, in its lines';
like $front, qr{<footer><p><bdi>Club 333</bdi> \xC2\xB7 <a href="\./#legal"},
    'the foot leads to a legal notice of text';
like page('/cluster/list'), qr{<a href="\.\./#legal" data-say>Legal notice</a>}, 'so does the foot of another page';

set(legal => 'https://club.example.org/imprint');
like page('/cluster/list/11m'), qr{<a href="https://club\.example\.org/imprint" data-say>Legal notice</a>},
    'a legal notice that is an address is what the foot leads to';

# Whatever is stored is text, and no link but one of http or https.
my @hostile = ('javascript:alert(1)', 'JavaScript:alert(1)', 'data:text/html,x', ' https://x', 'https://x y',
    "https://x\"onclick=\"x", 'https://x\'y', '//x', '<script>1</script>', '{{about}}', "\x{e2}\x{80}\x{ae}https://x");
for my $hostile (@hostile) {
    set(link => $hostile, legal => $hostile, contact => $hostile, name => $hostile);
    my $body = page('/');
    my @links = grep { !m{^(?:\./|#|https://x&)} } $body =~ /href="([^"]*)"/g;
    is "@links", '', "no link is made of $hostile";
    unlike $body, qr/<script>1|onclick="|\xE2\x80\xAE|<h1>\s*<section/, "no markup is made of $hostile";
}

like page('/'), qr/ data-n="1">1 member</, 'the front page tells how many members there are';
set(numbers => 'off');
unlike page('/'), qr/1 member/, 'the front page tells no numbers where the club does not want it';

set(name => undef, text => undef, link => undef, contact => undef, legal => undef, address => undef);
like page('/'), qr{<h1>Club of the settings</h1>}, 'what is taken away leaves the settings';

my $yes = JSON::PP::true();
$service->post_spots(map { full_qso(sendSpot => $yes, callsignWorked => "${_}AT100") } 1 .. 10);
is_deeply spots(), [map { "${_}AT100" } reverse 3 .. 10], 'the front page shows the eight newest spots';

rename $service->db, $service->db . '.away' or die $!;
$service->expect_log(qr/is not a QSOsync logbook yet|qsosync-admin --db/);
like page('/'), qr{<h1>Club of the settings</h1>.*No spots yet\.}s,
    'without its logbook the front page says what the settings say';
rename $service->db . '.away', $service->db or die $!;

done_testing;
