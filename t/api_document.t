use QSOsync::Test fronts => 'main';

# The API description agrees with the behaviour of the service.
use File::Temp qw(tempdir);
my $service = QSOsync::Service->start;
my $response = $service->request('GET', '/openapi.json');
is $response->status, 200, 'the description is returned without a key';
my $document = $response->json;
like $document->{openapi}, qr/\A3\.1\./, 'the description is OpenAPI 3.1';
is $document->{servers}[0]{url}, $service->base_url, 'the description names the address that the client requested';
my $etag = $response->header('ETag');
ok $etag, 'the description has an entity tag';
is $service->request('GET', '/openapi.json', headers => { 'If-None-Match' => $etag })->status, 304,
    'an unchanged description is answered with 304';
unlike $response->header('Cache-Control'), qr/no-store/, 'the description may be cached';
my $elsewhere = $service->request('GET', '/openapi.json', headers => { Host => 'log.example.org:8443' });
is $elsewhere->json->{servers}[0]{url}, 'http://log.example.org:8443/api/v1',
    'the address in the description has the requested host';
isnt $elsewhere->header('ETag'), $etag, 'a description with another address has another entity tag';

my %statuses = (
    'get /me' => '200 401 405 429 500 503', 'get /logs' => '200 400 401 405 429 500 503',
    'get /logs/ids' => '200 304 401 405 429 500 503', 'post /logs/batch' => '200 400 401 403 405 413 429 500 503',
    'delete /logs/{clientId}' => '204 400 401 403 404 405 429 500 503',
    'get /openapi.json' => '200 304 405 429 500 503');
my %found;
for my $path (sort keys %{$document->{paths}}) {
    for my $method (sort keys %{$document->{paths}{$path}}) {
        $found{"$method $path"} = join ' ', sort keys %{$document->{paths}{$path}{$method}{responses}};
    }
}
is_deeply \%found, \%statuses, 'the description has the expected paths, methods and statuses';
my $row = qr/^ROUTE\(\w+\) = \{\s+\.method = METHOD_(\w+),\s+\.path = "([^"]+)"/m;
my @rows = map { QSOsync::Front::read_file($_) =~ $row ? lc($1) . " $2" : () }
    glob "$QSOsync::Front::SOURCE/src/api/*.c";
is_deeply [sort keys %found], [sort @rows], 'exactly the endpoints of the service are described';
is_deeply [map { $_->{name} } @{$document->{paths}{'/logs'}{get}{parameters}}],
    [qw(updatedSince limit cursor includeDeleted ahead)],
    'every parameter of /logs is described';

my $schemas = $document->{components}{schemas};
my ($sent, $read) = map { $_->{properties} } @{$schemas}{qw(QsoEntry Qso)};
my %full = (%{full_qso()}, %{full_pmr_qso()}, sendSpot => 1);
is_deeply [sort keys %$sent], [sort qw(baseSyncedAt match program programId), keys %full],
    'every writable field and every other member of an entry is described';
$service->post_batch([qso()]);
my ($item) = $service->download;
is_deeply [sort keys %$read], [sort keys %$item], 'every returned field is described';

# The service enforces the described bounds.
sub accepted {
    my (%field) = @_;
    my $entry = exists $field{channel} ? qso(band => 'PMR446', channel => 8, %field) : qso(%field);
    return $service->post_batch([$entry])->json->{results}[0]{id} ? 1 : 0;
}
for my $field (grep { exists $full{$_} } sort keys %$sent) {
    my $schema = $sent->{$field};
    if (defined $schema->{maximum}) {
        is accepted($field => $schema->{$_}), 1,
            "the $_ of $field in the description is accepted" for qw(minimum maximum);
        is accepted($field => $schema->{minimum} - 1), 0, "a value below the described minimum of $field is rejected";
        is accepted($field => $schema->{maximum} + 1), 0, "a value above the described maximum of $field is rejected";
    }
    if (defined $schema->{maxLength}) {
        is accepted($field => 'x' x $schema->{maxLength}), 1, "the described length of $field is accepted";
        is accepted($field => 'x' x ($schema->{maxLength} + 1)), 0,
            "a text longer than the described length of $field is rejected";
    }
    if ($schema->{enum} && $field ne 'band') {
        is accepted($field => $_), 1, "the described choice " . (defined $_ ? $_ : 'null') . " of $field is accepted"
            for @{$schema->{enum}};
    }
}
for my $name (qw(QsoEntry)) {
    my %example = %{$schemas->{$name}{examples}[0]};
    $example{clientId} = uuid();
    is accepted(%example), 1, "the example of $name is accepted";
}

is_deeply [grep { exists $sent->{$_}{default} } sort keys %$sent], [],
    'no field of an entry has a default that a generated client would send';
is_deeply [sort @{$schemas->{Error}{properties}{error}{properties}{code}{enum}}],
    [qw(API_KEYS.INVALID API_KEYS.READ_ONLY GENERIC.INTERNAL_ERROR GENERIC.METHOD_NOT_ALLOWED GENERIC.NOT_FOUND
        GENERIC.RATE_LIMITED GENERIC.TOO_MANY_AT_ONCE VALIDATION.FAILED)], 'every error code is listed once';
is $document->{components}{responses}{Error413}{content}{'application/json'}{example}{error}{details}[0]{field}, 'body',
    'the example of a 413 answer names the body';
# Returns all objects of the description that are references.
sub references_in {
    my ($place) = @_;
    return map { references_in($_) } @$place if ref $place eq 'ARRAY';
    return () if ref $place ne 'HASH';
    return (exists $place->{'$ref'} ? $place : (), map { references_in($_) } values %$place);
}

# Sends a request, and returns the names of the headers in the answer that the description lacks.
sub undescribed_headers {
    my ($method, $path, $status, $query, $operation) = @_;
    my $answer = $service->request(uc $method, "$path$query", key => $service->read_key);
    is $answer->status, $status, uc($method) . " $path is answered with $status";
    my $described = $document->{paths}{$path}{$operation // $method}{responses}{$status};
    $described = $document->{components}{responses}{$1} if ($described->{'$ref'} // '') =~ m{(\w+)\z};
    my %usual = map { $_ => 1 } map { lc } qw(Date Server Connection Keep-Alive Transfer-Encoding Content-Type
        Content-Length Cache-Control Vary X-Content-Type-Options Access-Control-Allow-Origin
        Access-Control-Expose-Headers), keys %{$described->{headers}};
    return grep { !$usual{lc $_} } sort keys %{$answer->{headers}};
}
is $schemas->{Page}{examples}[0]{nextCursor}, undef, 'the example of a page is a last page';
is_deeply [grep { keys %$_ > 1 } references_in($document)], [],
    'no reference has other members, because generators would drop them';
is_deeply [undescribed_headers('get', '/logs', 200, '?includeDeleted=true&limit=1')], [],
    'every header of a page is described';
is_deeply [undescribed_headers('put', '/logs', 405, '', 'get')], [], 'every header of a refused method is described';
for my $path ('/logs/ids', '/openapi.json') {
    is_deeply [map { $_->{name} } @{$document->{paths}{$path}{get}{parameters}}], ['If-None-Match'],
        "the description of $path has the header If-None-Match";
}

my $text = $response->body;
my $references = () = $text =~ /"\$ref"/g;
my @broken;
while ($text =~ m{"\$ref": ?"#/([^"]+)"}g) {
    my ($place, $reference) = ($document, $1);
    $place = ref $place eq 'HASH' ? $place->{$_} : undef for split m{/}, $reference;
    push @broken, $reference unless $place;
}
is "@broken", '', "each of the $references references in the description resolves";

SKIP: {
    skip 'the linter needs npx', 1 if $ENV{QSOSYNC_NO_LINT} || system('npx --version >/dev/null 2>&1') != 0
        || $service->front ne 'nginx';
    my $folder = tempdir(CLEANUP => 1);
    open my $file, '>', "$folder/openapi.json" or die $!;
    print {$file} $response->body;
    close $file;
    my $output =
        `cd '$folder' && REDOCLY_TELEMETRY=off timeout 120 \\
            npx --yes \@redocly/cli\@2 lint --extends=recommended-strict openapi.json 2>&1`;
    skip 'the linter could not be fetched', 1 if $? != 0 && $output !~ /validat/i;
    is $?, 0, 'a strict linter finds no fault in the description' or diag $output;
}

done_testing;
