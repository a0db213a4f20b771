use QSOsync::Test fronts => 'nginx';

# The page of the API contains all of openapi.json in plain HTML, and lines for the shell that work.
my $service = QSOsync::Service->start;
my $page = "$QSOsync::Front::BUILD/pages/docs.html";
my $html = QSOsync::Front::read_file($page);
my $api = $service->get('/openapi.json')->json;

sub plain {
    my ($text) = @_;
    return $text =~ s/<[^>]*>//gr =~ s/&lt;/</gr =~ s/&gt;/>/gr =~ s/&quot;/"/gr =~ s/&amp;/&/gr;
}
my $text = plain($html);
unlike $text, qr/\b(?:SCALAR|ARRAY|HASH)\(0x/, 'every value is written as JSON has it';
like $text, qr/one of true false find\b/, 'choices of several types are listed';

# Structure.
is system('python3', '-c', 'import sys, xml.etree.ElementTree as e; e.parse(sys.argv[1])', $page), 0,
    'every element of the page is closed';
my (%times, %ids);
$times{$_}++ for $html =~ /\sid="([^"]*)"/g;
is join(' ', grep { $times{$_} > 1 } sort keys %times), '', 'no id occurs twice in the page';
is join(' ', grep { !$times{$_} } map { substr $_, 1 } $html =~ /href="(#[^"]*)"/g), '',
    'every link within the page has a target';
is join(' ', grep { !/\A(?:#|\.\.\/)/ } $html =~ /(?:href|src)="([^"]*)"/g), '',
    'the page loads nothing from other sites, and works under a longer prefix';
unlike $html, qr/<script|\son\w+=|javascript:|\sstyle=|<style/i, 'the page has no script and no style of its own';
like $html, qr/<html lang="en">/, 'the page declares its language';
like $html, qr/<main\b/, 'the page marks its main part';
is scalar(() = $html =~ /<h1/g), 1, 'the page has one heading of the first level';
is scalar(() = $html =~ /<table[^>]*>\n<caption>/g), scalar(() = $html =~ /<table/g), 'every table has a caption';
unlike $html, qr/<t[hd]>\s*<th\b|<th\b(?![^>]*\sscope=)[^>]*>/,
    'every heading of a table has a scope';

# Content.
for my $path (sort keys %{$api->{paths}}) {
    for my $method (sort keys %{$api->{paths}{$path}}) {
        my $operation = $api->{paths}{$path}{$method};
        my $heading = qr{<span class="method">\U$method\E</span> <code>\Q$path\E</code>};
        my ($section) = $html =~ m{(<section[^>]*>\n<h3[^>]*>$heading.*?</section>)}s;
        ok $section, "\U$method\E $path is on the page" or next;
        my $content = plain($section);
        is join(' ', grep { index($content, $_) < 0 } $operation->{summary}, $operation->{description},
            (map { ($_->{name}, $_->{description}) } @{$operation->{parameters}}), keys %{$operation->{responses}}), '',
            "\U$method\E $path is described with its parameters and answers";
    }
}
for my $name (sort keys %{$api->{components}{schemas}}) {
    my $schema = $api->{components}{schemas}{$name};
    my ($section) = $html =~ /(<section[^>]*>\n<h3 id="data-\L$name\E">.*?<\/section>)/s;
    ok $section, "$name is on the page" or next;
    my $content = plain($section);
    is join(' ', grep { index($content, $_) < 0 }
        map { my $fields = $_->{properties} || {};
            map { ($_, ($fields->{$_}{description} // '') =~ s/\.\z//r) } keys %$fields }
        $schema, map { $_->{items} || () } values %{$schema->{properties} || {}}), '',
        "$name is described with its fields, and those of the objects in them";
}
is join(' ', grep { index($text, $_) < 0 } map { $_->{description} } values %{$api->{components}{headers}}), '',
    'all headers are described';
my @order = ($html =~ /id="data-qsoentry">(.*?)<\/section>/s)[0]
    =~ /<th role="rowheader" scope="row"><code>(\w+)<\/code>/g;
is "@order[0 .. 3]", 'clientId band qsoAt frequencyMhz',
    'fields have the order of the description';

# The lines for the shell, one after another.
my ($begin, @lines) = map { plain($_) } $html =~ /<pre tabindex="0"><code>((?:A=|curl ).*?)<\/code><\/pre>/gs;
is scalar(@lines), scalar(map { keys %$_ } values %{$api->{paths}}), 'every request has a line for the shell';
$begin =~ s/qsosync_\.\.\./$service->write_key/e;
$begin =~ s{https://log\.example\.org/api/v1}{$service->base_url}e;
for my $line (@lines) {
    QSOsync::Front::write_file($service->directory . '/line.sh',
        "$begin\n$line --silent --show-error --fail --output /dev/null\n");
    is system('sh', '-e', $service->directory . '/line.sh'), 0, 'a line for the shell works: '
        . ($line =~ /\A([^\n]*)/)[0];
}

# The club's texts are on the front page, and in the footer of each page that the program makes. The logbook's row takes
# precedence over the settings.
{
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
        'contact and legal notice are left out if the club has none';
    like page('/cluster/list'), qr{<footer><p><bdi>Club of the settings</bdi> \xC2\xB7 <a href="\.\./docs/"},
        'the footer of a page names the club';
    like $front, qr/No spots yet\./, 'the front page reports the lack of spots';

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
    like $front, qr{<footer><p><bdi>Club 333</bdi> \xC2\xB7 <a href="\./#legal"},
        'the footer links to the legal notice';
    like page('/cluster/list'), qr{<a href="\.\./#legal" data-say>Legal notice</a>},
        'the footer of another page links to the legal notice';

    set(legal => 'https://club.example.org/imprint');
    like page('/cluster/list/11m'), qr{<a href="https://club\.example\.org/imprint" data-say>Legal notice</a>},
        'the footer links to a legal notice that is an address';

    # Each stored value is text. Only http and https become links.
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
}

done_testing;
