use QSOsync::Test fronts => 'main';

# The page /docs/ links to the manual pages for authors of clients, and to every file of the client kit. Every front
# server serves these pages and files.
my $service = QSOsync::Service->start(site => 1);
my ($source, $build) = ($QSOsync::Front::SOURCE, $QSOsync::Front::BUILD);
sub load { my ($path, %headers) = @_; $service->request('GET', '', raw_path => $path, headers => \%headers) }
my $docs = load('/docs/')->body;

for my $name (qw(qsosync qsosync-adif qsosync-clients qsosync-programs)) {
    my ($link) = $docs =~ m{<a href="\.\./(docs/[^"]+)">\Q$name\E\(7\)</a>};
    ok $link, "the documentation links to $name(7)" or next;
    my $answer = load("/$link");
    is $answer->status, 200, "$name(7) is a page of the service";
    like $answer->header('Content-Type'), qr{\Atext/html}, "$name(7) is HTML";
    my $html = $answer->body;
    is scalar(() = $html =~ /<h1/g), 1, "$name(7) has one title";
    my %targets = map { ($_ => 1) } $html =~ /\sid="([^"]*)"/g;
    is scalar(keys %targets), scalar(() = $html =~ /\sid="/g), "no id occurs twice in $name(7)";
    for my $path ($html =~ m{<article.*?</article>}s ? $& =~ /href="([^"#]+)"/g : ()) {
        $path = $path =~ m{\A\.\./(.*)} ? "/$1" : "/docs/$path";
        like load($path)->status, qr/\A(?:200|303)\z/, "the link from $name(7) to $path works";
    }
}

# A manual page on the service has the words of its source.
# Returns the beginning of the first difference in each text.
sub difference {
    my @letters = map { s/\W+//gr } @_;
    my $same = ($letters[0] ^ $letters[1]) =~ /\A(\0*)/ ? length $1 : 0;
    return join ' | ', map { substr $_, $same, 40 } @letters;
}
for my $name (qw(qsosync qsosync-adif qsosync-clients)) {
    my ($article) = load("/docs/$name")->body =~ m{<article[^>]*>(.*?)</article>}s;
    (my $text = $article) =~ s/<[^>]*>//g;
    is_deeply [$text =~ /(?:\A|\n)(\.[A-Z]{1,2}\b.*)/g, $text =~ /(\\[-fe(&].)/g], [],
        "$name(7) contains no markup of roff";
    my %entities = (lt => '<', gt => '>', amp => '&');
    $text =~ s/&(lt|gt|amp);/$entities{$1}/g;
    my $roff = QSOsync::Front::read_file("$source/src/manual/$name.7");
    $roff =~ s/^\.(?:TH .*|PP|TP|IP\b.*|RS\b.*|RE|nf|fi)$//mg;
    $roff =~ s/^\.[A-Z]{1,2} //mg;
    $roff =~ s/\\f.|\\\(..|\\//g;
    is difference($text, $roff), ' | ', "$name(7) has the words of its source, in the same order";
}

# Each file of the kit is served as it is built.
my %type = (py => 'text/x-python', js => 'text/javascript', ts => 'text/plain', json => 'application/json');
my @kit = map { m{([^/]+)\z} } glob "$build/clients/*.py $build/clients/*.js $build/clients/*.ts $build/clients/*.json";
is join(' ', sort $docs =~ m{<a href="\.\./docs/clients/([^"]+)">\1</a>}g), join(' ', sort @kit),
    'the documentation links to every file of the kit';
for my $name (@kit) {
    my $answer = load("/docs/clients/$name");
    is $answer->status, 200, "$name can be downloaded";
    is $answer->header('Content-Type'), $type{$name =~ s/.*\.//r} . '; charset=utf-8', "$name has its type";
    like $answer->header('Content-Disposition'), qr/\Aattachment; filename="\Q$name\E"\z/, "$name keeps its name";
    ok $answer->body eq QSOsync::Front::read_file("$build/clients/$name"), "the service has every byte of $name";
    is load("/docs/clients/$name", 'If-None-Match' => $answer->header('ETag'))->status, 304,
        "$name is not sent twice to the same client";
}
is load("/docs/clients/$_")->status, 404, "there is no file $_ in the kit"
    for 'nothing.py', '', 'kit.inc', '..%2Fqsosync', 'QSOSYNC.PY';
is $service->request('POST', '', raw_path => '/docs/clients/qsosync.py')->status, 405,
    'a POST request for a file of the kit is refused';

# The files work in an otherwise empty folder.
my $folder = $service->directory . '/downloaded';
mkdir $folder or die;
QSOsync::Front::write_file("$folder/$_", load("/docs/clients/$_")->body) for @kit;
for my $name (grep { /\.py\z/ } @kit) {
    is system("cd '$folder' && python3 '$name' --help >/dev/null"), 0, "the downloaded $name runs";
}
SKIP: {
    skip 'node is not installed', 2 if system('node --version >/dev/null 2>&1') != 0;
    QSOsync::Front::write_file("$folder/package.json", '{"type": "module"}');
    is system("cd '$folder' && node -e 'import(\"./$_\")'"), 0, "the downloaded $_ can be imported"
        for 'qsosync.js', 'qsosync-sync.js';
}
$service->stop;

done_testing;
