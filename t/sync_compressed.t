use QSOsync::Test fronts => 'all';
use IO::Uncompress::Gunzip ();

# Clients that accept gzip get the same content as other clients. The front server compresses the content once.
my $service = QSOsync::Service->start;
my %gzip = ('Accept-Encoding' => 'gzip');
$service->post_batch([map { full_qso() } 1 .. 50]);

# Returns the body, decompressed if the answer is compressed.
sub content {
    my ($response) = @_;
    return $response->body unless defined $response->header('Content-Encoding');
    IO::Uncompress::Gunzip::gunzip(\$response->body, \my $text) or return;
    return $text;
}
sub without_time { $_[0] =~ s/"serverTime":"[^"]+"//r }
sub values_of { return @{$_[0]->headers->{lc $_[1]} || []} }

my $plain = $service->get('/logs');
is $plain->header('Content-Encoding'), undef, 'a client that does not ask for compression gets an uncompressed page';
is scalar(@{$plain->json->{items}}), 50, 'a client that does not ask for compression can read the page';

my $page;
for my $said ('gzip', 'gzip, deflate, br', 'br;q=1.0, gzip;q=0.8', 'deflate, gzip;q=1.0, *;q=0.5') {
    $page = $service->get('/logs', headers => { 'Accept-Encoding' => $said });
    is_deeply [values_of($page, 'Content-Encoding')], ['gzip'], "Accept-Encoding: $said gives gzip, once";
    is_deeply [values_of($page, 'Vary')], ['Accept-Encoding'], "Accept-Encoding: $said gives one Vary header";
    is without_time(content($page)), without_time($plain->body), "Accept-Encoding: $said gives the same page";
    cmp_ok length $page->body, '<', length($plain->body) / 5, "Accept-Encoding: $said gives a small page";
    ok $page->complete, "Accept-Encoding: $said gives a page of the announced length";
    is join('|', $page->status, map { $page->header($_) // '' } qw(Content-Type Cache-Control X-Log-Epoch)),
        join('|', $plain->status, map { $plain->header($_) // '' } qw(Content-Type Cache-Control X-Log-Epoch)),
        "Accept-Encoding: $said keeps the other headers";
}
my $identity = $service->get('/logs', headers => { 'Accept-Encoding' => 'identity' });
is $identity->header('Content-Encoding'), undef, 'Accept-Encoding: identity gives no compression';
is without_time($identity->body), without_time($plain->body), 'Accept-Encoding: identity gives the same page';

my $head = $service->request('HEAD', '/logs', key => $service->read_key, headers => \%gzip);
is $head->status . $head->body, '200', 'HEAD of a compressed page gives no body';
SKIP: {
    skip 'Apache does not compress answers to HEAD', 3
        if $service->front ne 'nginx';
    is_deeply [values_of($head, 'Content-Encoding')], ['gzip'],
        'HEAD of a compressed page has its Content-Encoding';
    is_deeply [values_of($head, 'Vary')], ['Accept-Encoding'], 'HEAD of a compressed page has its Vary';
    # A serverTime with other digits can take some more bytes.
    my $length = $head->header('Content-Length') // length $page->body;
    cmp_ok abs($length - length $page->body), '<', 20, 'HEAD of a compressed page has its length';
}

# Pages follow one another: a long body, then short bodies in the same memory.
my ($ids, $cursor) = ('', '');
for my $limit (500, 1, 20, 3, 25, 30) {
    my $text = content($service->get("/logs?limit=$limit$cursor", headers => \%gzip));
    $ids .= join ' ', '', $text =~ /"id":"(\d+)"/g if $limit < 500;
    ($cursor) = $text =~ /"nextCursor":"([^"]+)"/ ? "&cursor=$1" : '';
}
is $ids, join(' ', '', map { $_->{id} } $service->download),
    'compressed pages follow one another like uncompressed pages';

my @entries = map { { clientId => uuid() } } 1 .. 200;
my ($results, $compressed) = map {
    content($service->request('POST', '/logs/batch', key => $service->write_key, json => { entries => \@entries },
        headers => $_))
} {}, \%gzip;
is $compressed, $results, 'the results of a batch are the same with and without compression';

for my $wrong (['/logs?limit=0', 400], ['/nothing', 404]) {
    my ($path, $status) = @$wrong;
    my ($error, $with) = map { $service->get($path, headers => $_) } {}, \%gzip;
    is $with->status . content($with), $status . $error->body, "a $status is the same for clients that accept gzip";
}

# In answers with an entity tag, each form of the tag gives 304.
for my $path ('/logs/ids', '/openapi.json') {
    my @answers = map { $service->get($path, headers => $_) } {}, \%gzip;
    is content($answers[1]), $answers[0]->body, "$path is the same with and without compression";
    is_deeply [values_of($answers[1], 'Content-Encoding')], ['gzip'], "$path is compressed once";
    for my $tag (map { $_->header('ETag') } @answers) {
        is $service->get($path, headers => { %$_, 'If-None-Match' => $tag })->status, 304,
            "$path with the tag $tag, " . (%$_ ? 'compressed' : 'not compressed') . ', is not sent again'
            for {}, \%gzip;
    }
}
$service->stop;

done_testing;
