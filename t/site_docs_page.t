use QSOsync::Test fronts => 'nginx';
use QSOsync::QrCode;

# The API's page contains all of openapi.json in plain HTML, and shell commands that work.
my $service = QSOsync::Service->start(site => 1);
$service->admin('club', 'set', '--sandbox', 'on');
my $page = "$QSOsync::Front::BUILD/pages/docs.html";
my $html = QSOsync::Front::read_file($page);
my $api = $service->get('/openapi.json')->json;

sub plain {
    my ($text) = @_;
    return $text =~ s/<[^>]*>//gr =~ s/&lt;/</gr =~ s/&gt;/>/gr =~ s/&quot;/"/gr =~ s/&amp;/&/gr;
}
my $text = plain($html);
unlike $text, qr/\b(?:SCALAR|ARRAY|HASH)\(0x/, 'no value is written as a Perl reference';
like $text, qr/boolean or string or null.*\bthe only string is find\b/is, 'choices of several types are listed';

# The page is valid HTML that loads nothing from elsewhere.
is system('python3', '-c', 'import sys, xml.etree.ElementTree as e; e.parse(sys.argv[1])', $page), 0,
    'every element of the page is closed';
my (%times, %ids);
$times{$_}++ for $html =~ /\sid="([^"]*)"/g;
is join(' ', grep { $times{$_} > 1 } sort keys %times), '', 'no id occurs twice in the page';
is join(' ', grep { !$times{$_} } map { substr $_, 1 } $html =~ /href="(#[^"]*)"/g), '',
    'every link within the page has a target';
is join(' ', grep { !/\A(?:#|\.\.\/)/ } $html =~ /(?:href|src)="([^"]*)"/g), '',
    'the page loads nothing from other sites, and works under a longer prefix';
unlike $html, qr/<script|\son\w+=|javascript:|\sstyle=|<style/i, 'the page has no scripts and no inline styles';
like $html, qr/<html lang="en">/, 'the page declares its language';
like $html, qr/<main\b/, 'the page marks its main part';
is scalar(() = $html =~ /<h1/g), 1, 'the page has one heading of the first level';
is scalar(() = $html =~ /<table[^>]*>\n<caption>/g), scalar(() = $html =~ /<table/g), 'every table has a caption';
unlike $html, qr/<t[hd]>\s*<th\b|<th\b(?![^>]*\sscope=)[^>]*>/,
    'every heading of a table has a scope';

# The page describes every path, schema and header.
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
            map { ($_, ($fields->{$_}{description} // '') =~ s/\.\z//r) }
                grep { $name ne 'Qso' || !$api->{components}{schemas}{QsoEntry}{properties}{$_} } keys %$fields }
        $schema, map { $_->{items} || () } values %{$schema->{properties} || {}}), '',
        "$name is described with its fields and the fields of nested objects";
}
is join(' ', grep { index($text, $_) < 0 } map { $_->{description} } values %{$api->{components}{headers}}), '',
    'all headers are described';
my @order = ($html =~ /id="data-qsoentry">(.*?)<\/section>/s)[0]
    =~ /<th role="rowheader" scope="row"><code>(\w+)<\/code>/g;
is "@order[0 .. 3]", 'clientId band qsoAt frequencyMhz',
    'the first four fields have the order of openapi.json';

# The page begins with the model, the steps of a synchronisation, and what to do after each status.
my @parts = $html =~ /<h2 id="([^"]+)">/g;
is "@parts", 'model sync statuses begin requests headers data error-codes config changes reading',
    'the page has its parts in this order';
my %section = map { /\A<h2 id="([^"]+)"/ ? ($1 => $_) : () } split /(?=<h2 )/, $html;
is_deeply [map { plain($_) } $section{model} =~ /<dt>(.*?)<\/dt>/g], [qw(Log QSO clientId syncedAt Epoch)],
    'the model explains five terms';
is scalar(() = $section{sync} =~ /<li>/g), 7, 'a synchronisation has seven steps';
my %status = map { ($_ => 1) } map { keys %{$_->{responses}} } map { values %$_ } values %{$api->{paths}};
is join(' ', sort map { /\d+/g } $section{statuses} =~ /scope="row">(.*?)<\/th>/g), join(' ', sort keys %status),
    'the page explains each status exactly once';
my @rows = $section{requests} =~ /<th role="rowheader" scope="row">(\d+)<\/th>/g;
is join(' ', grep { /\A(?:401|405|429|500|503)\z/ } @rows), '', 'no table repeats the statuses that every request has';
is scalar(() = $html =~ /scope="row"><code>qsoStatus<\/code>/g), 1, 'the fields of a QSO are in one table';
is $api->{paths}{'/logs'}{get}{parameters}[-1]{name}, 'ahead', 'ahead is the last parameter of GET /logs';

# Each error code has one entry, which names the statuses of the code.
my @failures = @{$api->{components}{schemas}{Error}{properties}{error}{properties}{code}{enum}};
my @rejections = @{$api->{components}{schemas}{BatchResult}{properties}{error}{'x-codes'}};
my %entry = $section{'error-codes'} =~ /<dt id="error-[a-z0-9-]+"><code>(.*?)<\/code><\/dt>\n<dd>(.*?)<\/dd>/gs;
my %once = map { ($_ => 1) } @failures, @rejections;
is join(' ', sort keys %entry), join(' ', sort keys %once), 'each error code has one entry';
for my $name (sort keys %{$api->{components}{responses}}) {
    my ($status) = $name =~ /(\d+)/;
    my $code = $api->{components}{responses}{$name}{content}{'application/json'}{example}{error}{code};
    like $entry{$code}, qr/\b$status\b/, "the entry of $code names the status $status";
}

# The test vector of qsosync://config has a valid key, and the service creates the same link for its own key.
my ($address, $key, $link) = map { plain($_) } $section{config} =~ /<dd><code>(.*?)<\/code><\/dd>/g;
(my $encoded = $address) =~ s/([^A-Za-z0-9._~-])/sprintf '%%%02X', ord $1/ge;
is $link, "qsosync://config?v=1&url=$encoded&key=$key", 'the link of the test vector follows the grammar';
my $digits = join '', 0 .. 9, 'A' .. 'Z', 'a' .. 'z';
my ($sum, $checksum) = (`python3 -c 'import zlib; print(zlib.crc32(b"${\substr $key, 0, -6}"))'`, '');
for (1 .. 6) {
    $checksum = substr($digits, $sum % 62, 1) . $checksum;
    $sum = int $sum / 62;
}
is substr($key, -6), $checksum, 'the key of the test vector has a valid checksum';
my (undef, $screen) = $service->admin_on_terminal('', 'key', 'add', '21SD333', '--name', 'phone', '--scope', 'READ',
    '--qr', '--address', $address);
my ($created) = $screen =~ /^(qsosync_[0-9A-Za-z]{49})$/m;
is QSOsync::QrCode::text_of(QSOsync::QrCode::rows_of_terminal($screen)), $link =~ s/\Q$key\E/$created/r,
    'the service creates the link of the test vector for its own key';

# The changes are sorted by their dates.
my @days = $section{changes} =~ /<time datetime="(\d{4}-\d\d-\d\d)">\1<\/time>/g;
is "@days", join(' ', reverse sort @days), 'the newest change is the first';

# Each request has an example in each language of src/clients/examples, which t/clients_examples.t runs.
my $label = qr{<label[^>]*>[^<]*</label>};
my %example = $html =~ m{id="code-(\w+-\w+)"[^>]*/>$label\n<pre tabindex="0"><code>(.*?)</code></pre>}gs;
for my $folder (glob "$QSOsync::Front::SOURCE/src/clients/examples/*") {
    my ($language) = $folder =~ m{([^/]+)\z};
    my %file = map { m{([^/]+)\.\w+\z} ? ("$1-$language" => QSOsync::Front::read_file($_)) : () } glob "$folder/*";
    is_deeply { map { $_ => plain($example{$_} // '') . "\n" } keys %file }, \%file,
        "the page contains the examples in $language as they are run";
}
is scalar(keys %example), 8 * keys %{{ map { $_->{operationId} => 1 } map { values %$_ } values %{$api->{paths}} }},
    'each request has examples in eight languages';

# On a service, the commands have the service's own address.
like $service->request('GET', '', raw_path => '/docs/')->body, qr/^U=\Q@{[$service->base_url]}\E$/m,
    "the page of a service contains the service's address";

# Runs each shell command on the page.
my ($begin, @lines) = map { plain($_) } $html =~ /<pre tabindex="0"><code>((?:A=|curl ).*?)<\/code><\/pre>/gs;
is scalar(@lines), 1 + (map { keys %$_ } values %{$api->{paths}}), 'every request, and a sandbox, has a shell command';
$begin =~ s/qsosync_\.\.\./$service->write_key/e;
$begin =~ s{https://log\.example\.org/api/v1}{$service->base_url}e;
for my $line (@lines) {
    QSOsync::Front::write_file($service->directory . '/line.sh',
        "$begin\n$line --silent --show-error --fail --output /dev/null\n");
    is system('sh', '-e', $service->directory . '/line.sh'), 0, 'a shell command works: '
        . ($line =~ /\A([^\n]*)/)[0];
}

done_testing;
