use QSOsync::Test fronts => 'nginx';

# Every front server serves the papers below /docs/, and their links work. Each paper is also a manual page.
my $service = QSOsync::Service->start(site => 1);
my ($source, $build) = ($QSOsync::Front::SOURCE, $QSOsync::Front::BUILD);
sub load { $service->request('GET', '', raw_path => $_[0], headers => { Accept => 'text/html' }) }

my %title = map { m{([^/]+)\.txt\z} => QSOsync::Front::read_file($_) =~ /^title: (.+)$/m }
    glob "$source/src/manual/papers/*.txt";
is join(' ', sort keys %title), 'cloudlog design install log11dx members operators polo programs wsjtx',
    'there are nine papers';
my $list = load('/docs/')->body;
for my $name (sort keys %title) {
    like $list, qr{<a href="$name" data-say>\Q$title{$name}\E</a>}, "the page of documentation links to $name";
    my $answer = load("/docs/$name");
    is $answer->status, 200, "$name is available";
    my $page = $answer->body;
    like $page, qr{<h1 data-say>\Q$title{$name}\E</h1>\n<div class="beside">\n<article lang="en">},
        "$name has its title, and declares its language";
    my $prose = $page =~ s{<pre.*?</pre>}{}gsr;
    unlike $prose, qr/\{\{|`|<(?:p|li|h2)\b[^>]*><\//, "$name has no empty placeholder";
    for my $link ($page =~ /href="([^"#]*)[^"]*"/g) {
        my $path = $link =~ m{\A\.\./(.*)} ? "/$1" : $link eq './' ? '/docs/' : "/docs/$link";
        like load($path)->status, qr/\A(?:200|303)\z/, "the link from $name to $path works";
    }
    my $manual = QSOsync::Front::read_file("$build/man/qsosync-$name.7");
    like $manual, qr/^\.TH QSOSYNC-\U$name\E 7 \d{4}-\d\d-\d\d "QSOsync" "\Q$title{$name}\E"$/m,
        "$name is also a manual page with the same title";
    my @headings = map { uc } QSOsync::Front::read_file("$source/src/manual/papers/$name.txt")
        =~ /^## (.+?)(?: \| .+)?$/mg;
    is join('|', grep { index($manual, '.SH ' . s/-/\\-/gr . "\n") < 0 } @headings), '',
        "the manual page has all sections of $name";
}
my $missing = load('/docs/nothing');
is $missing->status, 404, 'an unknown paper gives 404';
like $missing->header('Content-Type'), qr{\Atext/html}, 'an unknown paper gives a page';
is load('/docs')->status, 301, 'the path /docs without its final slash is redirected';
$service->stop;

done_testing;
