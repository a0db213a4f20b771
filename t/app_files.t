use QSOsync::Test;

# Every front server serves the files that the app's service worker stores. Each file has a type that browsers accept
# and a strict content policy, and all files together are small.
my $service = QSOsync::Service->start(site => 1);
sub load { $service->request('GET', '', raw_path => $_[0], headers => { 'Accept-Encoding' => 'gzip' }) }
my $page = load('/app/');
is $page->status, 200, 'the app is served';
like $page->header('Content-Type'), qr{\Atext/html}, 'the app has the type text/html';
my $worker = load('/app/worker.js');
my $script = $worker->header('Content-Encoding') ? QSOsync::Front::read_file("$QSOsync::Front::BUILD/app/worker.js")
    : $worker->body;
my @files = $script =~ /^  "([^"]+)",$/mg;
cmp_ok scalar @files, '>=', 8, "the service worker stores at least eight files";
cmp_ok scalar(grep { /\.js\z/ && !/texts/ } @files), '<=', 13,
    'the app has at most thirteen scripts, because each script adds a round trip';
my %type = (js => qr{\Atext/javascript}, css => qr{\Atext/css}, svg => qr{\Aimage/svg\+xml},
    webmanifest => qr{\Aapplication/manifest\+json}, '/' => qr{\Atext/html});
my $bytes = 0;
my $texts = 0; # only one language is loaded, so only the largest file of texts counts
for my $file (@files, 'worker.js') {
    my $path = $file =~ m{\A\.\./(.*)} ? "/$1" : $file eq './' ? '/app/' : "/app/$file";
    my $answer = load($path);
    is $answer->status, 200, "$file is served";
    my ($kind) = $file =~ m{([^.]+|/)\z};
    like $answer->header('Content-Type'), $type{$kind} // qr/\A\z/, "$file has the right type";
    my $policy = $answer->header('Content-Security-Policy');
    like $policy, qr/default-src 'none'.*script-src 'self'.*manifest-src 'self'.*worker-src 'self'/,
        "$file has the content policy";
    unlike $policy, qr/unsafe/, "the policy of $file allows nothing unsafe";
    like $answer->header('Cache-Control'), qr/no-cache/, "browsers revalidate $file";
    my $length = length $answer->body;
    cmp_ok $length, '<=', 12_000, 'the style sheet of all pages takes at most 12 kB' if $file =~ /\bui\.css\z/;
    if ($file =~ /\btexts-/) { $texts = $length if $length > $texts }
    else { $bytes += $length }
}
$bytes += $texts;
cmp_ok $bytes, '<=', 179_000, 'the app takes at most 179 kB over the wire';
# An operating system shows an icon for the installed app.
my $manifest = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/src/web/app/manifest.webmanifest");
for my $icon ($manifest =~ /"src": "(icon-[^"]+\.png)"/g) {
    my $answer = load("/app/$icon");
    is $answer->status . ' ' . $answer->header('Content-Type'), '200 image/png', "$icon is served as a PNG picture";
    is substr($answer->body, 0, 8), "\x89PNG\r\n\x1a\n", "$icon contains a PNG picture";
}
diag "the app: $bytes bytes" if $ENV{HARNESS_IS_VERBOSE};

done_testing;
