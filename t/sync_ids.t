use QSOsync::Test fronts => 'all';
use IO::Uncompress::Gunzip ();

# GET /logs/ids: every id, streamed, with an entity tag for clients that poll.
my $service = QSOsync::Service->start;
is_deeply $service->get('/logs/ids')->json, { items => [] }, 'an empty log has no ids';
my @sent = map { qso() } 1 .. 200;
$service->post_batch(\@sent);
my $response = $service->get('/logs/ids');
is_deeply [sort map { $_->{clientId} } @{$response->json->{items}}], [sort map { $_->{clientId} } @sent],
    'the list contains the clientId of every QSO';
my %id_of = map { $_->{clientId} => $_->{id} } $service->download;
is_deeply { map { $_->{clientId} => $_->{id} } @{$response->json->{items}} }, \%id_of,
    'the list contains the id of every QSO';

my $etag = $response->header('ETag');
like $etag, qr{\AW/"[^"]+"\z}, 'the list has a weak entity tag';
my $same = $service->get('/logs/ids', headers => { 'If-None-Match' => $etag });
is $same->status, 304, 'the list of an unchanged log gives 304';
is $same->body, '', 'the 304 of an unchanged list has no body';
is $same->header('ETag'), $etag, 'the 304 of an unchanged list has the entity tag';
is $service->get('/logs/ids', headers => { 'If-None-Match' => '"other", ' . $etag })->status, 304,
    'If-None-Match matches if one of its tags matches';
is $service->get('/logs/ids', headers => { 'If-None-Match' => '"other"' })->status, 200,
    'another tag in If-None-Match gives the whole list';

for my $change ([created => sub { $service->post_batch([qso()]) }],
    [updated => sub { $service->post_batch([$sent[0]]) }],
    [deleted => sub { $service->delete_qso($sent[0]{clientId}) }]) {
    my $before = $service->get('/logs/ids')->header('ETag');
    $change->[1]->();
    isnt $service->get('/logs/ids')->header('ETag'), $before, "the tag of the list changes when a QSO is $change->[0]";
}
my $other = $service->add_member('26AT101');
my $tag = $service->get('/logs/ids')->header('ETag');
$service->post_batch([qso()], key => $other->{write_key});
is $service->get('/logs/ids')->header('ETag'), $tag,
    "another member's write does not change the entity tag of the list";

# A few very old QSOs have no clientId.
$service->sqlite('INSERT INTO qsos (member_id, synced_at, created_at, band, qso_at) VALUES (1, 1, 1, 0, 0)');
my @without = grep { !defined $_->{clientId} } @{$service->get('/logs/ids')->json->{items}};
is scalar(@without), 1, 'a QSO from before synchronisation is listed without a clientId';
is scalar(grep { !defined $_->{clientId} } $service->download), 1,
    'a QSO from before synchronisation is part of the log';

$etag = $service->get('/logs/ids')->header('ETag');
is $service->get('/logs/ids', headers => { 'If-None-Match' => $_ })->status, 304,
    "If-None-Match: $_ matches the current tag"
    for '*', substr($etag, 2);
is $service->get('/logs/ids', key => undef, headers => { 'If-None-Match' => $etag })->status, 401,
    'a matching tag without a key gives 401';
my $head = $service->request('HEAD', '/logs/ids', key => $service->read_key);
is $head->header('ETag'), $etag, 'HEAD /logs/ids has the entity tag';
is $head->body, '', 'HEAD /logs/ids has no body';
is scalar(@{$service->get('/logs/ids', key => $other->{read_key})->json->{items}}), 1,
    'a key lists only the log of its member';

# updatedSince: changes after a point in time.
{
    my $service = QSOsync::Service->start;
    $service->post_batch([my $qso = qso()]);
    my ($item) = $service->download;
    my $stamp = $item->{syncedAt};

    sub count_since {
        my ($since) = @_;
        my $response = $service->get("/logs?updatedSince=$since");
        return $response->status == 200 ? scalar @{$response->json->{items}} : $response->status;
    }

    my ($date, $hour, $rest, $ms) = $stamp =~ /\A(.*T)(\d\d):(\d\d:\d\d)\.(\d{3})Z\z/;
    is count_since($stamp), 0, 'a QSO stamped at updatedSince itself is not delivered';
    my $before = sprintf '%s%s:%s.%03dZ', $date, $hour, $rest, $ms - 1;
    is count_since($before), 1, 'a QSO stamped a millisecond after updatedSince is delivered' if $ms > 0;
    is count_since('2020-01-01T00:00:00Z'), 1, 'an updatedSince of long ago delivers everything';
    is count_since('9999-12-31T23:59:59.999Z'), 0, 'an updatedSince in the future delivers nothing';
    is count_since($_), 1, "updatedSince=$_ is accepted" for '2020-01-01T00:00Z', '2020-01-01t00:00:00z',
        '2020-01-01T00:00:00%2B02:00', '2020-01-01T00:00:00+02:00', '2020-01-01T00:00:00%20+02:00' =~ s/%20\+/%20/r,
        '2020-01-01T00:00:00+0200', '2020-01-01T00:00:00-02', '2020-01-01T00:00:00.123456789Z', '0001-01-01T00:00:00Z';
    is count_since($_), 400, "updatedSince=$_ is refused" for '', '2020-01-01', '2020-01-01T00:00:00',
        '2020-02-30T00:00:00Z',
        '1577836800', 'yesterday', '2020-01-01T24:00:00Z', '0001-01-01T00:00:00%2B01:00',
        '2020-01-01T00:00:00Zx', '2020-01-01T00:00:00%ff';

    my $time = $service->get('/logs')->json->{serverTime};
    is count_since($time), 0, 'the serverTime of a download as updatedSince delivers nothing';
    $service->post_batch([$qso]);
    is count_since($time), 1, 'sending the same QSO again is a change';
    my ($again) = $service->download;
    cmp_ok $again->{syncedAt}, 'gt', $stamp, 'sending the same QSO again raises syncedAt';
    is $again->{createdAt}, $item->{createdAt}, 'sending the same QSO again keeps createdAt';
    is $again->{id}, $item->{id}, 'sending the same QSO again keeps the id';
}
$service->stop;

# Clients that accept gzip get the same content as others, compressed once, by the front server.
{
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
    is $plain->header('Content-Encoding'), undef, 'a client that does not ask for compression gets none';
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
        # A serverTime with other digits may take some bytes more.
        my $length = $head->header('Content-Length') // length $page->body;
        cmp_ok abs($length - length $page->body), '<', 20, 'HEAD of a compressed page has its length';
    }

    # Pages one after another: a long body, then short ones in the same memory.
    my ($ids, $cursor) = ('', '');
    for my $limit (500, 1, 20, 3, 25, 30) {
        my $text = content($service->get("/logs?limit=$limit$cursor", headers => \%gzip));
        $ids .= join ' ', '', $text =~ /"id":"(\d+)"/g if $limit < 500;
        ($cursor) = $text =~ /"nextCursor":"([^"]+)"/ ? "&cursor=$1" : '';
    }
    is $ids, join(' ', '', map { $_->{id} } $service->download),
        'compressed pages follow one another like uncompressed ones';

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

    # Answers with an entity tag: each form of the tag gives 304.
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
}

done_testing;
