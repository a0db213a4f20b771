use QSOsync::Test;

# The app's files behind every front server: there, with types that browsers run, a strict policy, small; and its worker
# keeps all that its modules import.
my $service = QSOsync::Service->start(site => 1);
sub load { $service->request('GET', '', raw_path => $_[0], headers => { 'Accept-Encoding' => 'gzip' }) }
my $page = load('/app/');
is $page->status, 200, 'the app is there';
like $page->header('Content-Type'), qr{\Atext/html}, 'it is a page';
my $worker = load('/app/worker.js');
my $script = $worker->header('Content-Encoding') ? QSOsync::Front::read_file("$QSOsync::Front::BUILD/app/worker.js")
    : $worker->body;
my @files = $script =~ /^  "([^"]+)",$/mg;
cmp_ok scalar @files, '>=', 8, 'the worker keeps its files';
cmp_ok scalar(grep { /\.js\z/ && !/texts/ } @files), '<=', 4, 'the scripts are few, as each costs a slow line a wait';
my %type = (js => qr{\Atext/javascript}, css => qr{\Atext/css}, svg => qr{\Aimage/svg\+xml},
    webmanifest => qr{\Aapplication/manifest\+json}, '/' => qr{\Atext/html});
my $bytes = 0;
my $texts = 0; # one language is loaded: the longest one counts
for my $file (@files, 'worker.js') {
    my $path = $file =~ m{\A\.\./(.*)} ? "/$1" : $file eq './' ? '/app/' : "/app/$file";
    my $answer = load($path);
    is $answer->status, 200, "$file is there";
    my ($kind) = $file =~ m{([^.]+|/)\z};
    like $answer->header('Content-Type'), $type{$kind} // qr/\A\z/, "$file has its type";
    my $policy = $answer->header('Content-Security-Policy');
    like $policy, qr/default-src 'none'.*script-src 'self'.*manifest-src 'self'.*worker-src 'self'/,
        "$file is under the policy";
    unlike $policy, qr/unsafe/, "nothing unsafe is allowed to $file";
    like $answer->header('Cache-Control'), qr/no-cache/, "browsers ask whether $file has changed";
    my $length = length $answer->body;
    if ($file =~ /\btexts-/) { $texts = $length if $length > $texts }
    else { $bytes += $length }
}
$bytes += $texts;
cmp_ok $bytes, '<=', 88_000, 'the whole app is at most 88 kB over the wire';
# What a system takes when it installs the app.
my $manifest = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/src/app/manifest.webmanifest");
for my $icon ($manifest =~ /"src": "(icon-[^"]+\.png)"/g) {
    my $answer = load("/app/$icon");
    is $answer->status . ' ' . $answer->header('Content-Type'), '200 image/png', "$icon is there, as a picture";
    is substr($answer->body, 0, 8), "\x89PNG\r\n\x1a\n", "$icon holds a PNG picture";
}
diag "the app: $bytes bytes" if $ENV{HARNESS_IS_VERBOSE};

done_testing;
