use QSOsync::Test fronts => 'nginx';

# The API's page contains all of openapi.json in plain HTML, and shell commands that work.
my $service = QSOsync::Service->start;
my $page = "$QSOsync::Front::BUILD/pages/docs.html";
my $html = QSOsync::Front::read_file($page);
my $api = $service->get('/openapi.json')->json;

sub plain {
    my ($text) = @_;
    return $text =~ s/<[^>]*>//gr =~ s/&lt;/</gr =~ s/&gt;/>/gr =~ s/&quot;/"/gr =~ s/&amp;/&/gr;
}
my $text = plain($html);
unlike $text, qr/\b(?:SCALAR|ARRAY|HASH)\(0x/, 'no value is written as a Perl reference';
like $text, qr/one of true false find\b/, 'choices of several types are listed';

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
            map { ($_, ($fields->{$_}{description} // '') =~ s/\.\z//r) } keys %$fields }
        $schema, map { $_->{items} || () } values %{$schema->{properties} || {}}), '',
        "$name is described with its fields and the fields of nested objects";
}
is join(' ', grep { index($text, $_) < 0 } map { $_->{description} } values %{$api->{components}{headers}}), '',
    'all headers are described';
my @order = ($html =~ /id="data-qsoentry">(.*?)<\/section>/s)[0]
    =~ /<th role="rowheader" scope="row"><code>(\w+)<\/code>/g;
is "@order[0 .. 3]", 'clientId band qsoAt frequencyMhz',
    'the first four fields have the order of openapi.json';

# Runs each shell command on the page.
my ($begin, @lines) = map { plain($_) } $html =~ /<pre tabindex="0"><code>((?:A=|curl ).*?)<\/code><\/pre>/gs;
is scalar(@lines), scalar(map { keys %$_ } values %{$api->{paths}}), 'every request has a shell command';
$begin =~ s/qsosync_\.\.\./$service->write_key/e;
$begin =~ s{https://log\.example\.org/api/v1}{$service->base_url}e;
for my $line (@lines) {
    QSOsync::Front::write_file($service->directory . '/line.sh',
        "$begin\n$line --silent --show-error --fail --output /dev/null\n");
    is system('sh', '-e', $service->directory . '/line.sh'), 0, 'a shell command works: '
        . ($line =~ /\A([^\n]*)/)[0];
}

done_testing;
