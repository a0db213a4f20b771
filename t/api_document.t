use QSOsync::Test fronts => 'main';
use QSOsync::Schema;
use JSON::PP ();

# The API description agrees with the behaviour of the service.
use File::Temp qw(tempdir);
my $service = QSOsync::Service->start;
my $response = $service->request('GET', '/openapi.json');
is $response->status, 200, 'the description needs no key';
my $document = $response->json;
like $document->{openapi}, qr/\A3\.1\./, 'the description is OpenAPI 3.1';
is $document->{servers}[0]{url}, '/api/v1', 'the server of the description is /api/v1';
my $etag = $response->header('ETag');
ok $etag, 'the description has an entity tag';
is $service->request('GET', '/openapi.json', headers => { 'If-None-Match' => $etag })->status, 304,
    'an unchanged description is answered with 304';
unlike $response->header('Cache-Control'), qr/no-store/, 'the description may be cached';

my %statuses = (
    'get /me' => '200 401 429 500 503', 'get /logs' => '200 400 401 429 500 503',
    'get /logs/ids' => '200 304 401 429 500 503', 'post /logs/batch' => '200 400 401 403 413 429 500 503',
    'delete /logs/{clientId}' => '204 400 401 403 404 429 500 503',
    'get /openapi.json' => '200 304 429 500 503');
my %found;
for my $path (sort keys %{$document->{paths}}) {
    for my $method (sort keys %{$document->{paths}{$path}}) {
        $found{"$method $path"} = join ' ', sort keys %{$document->{paths}{$path}{$method}{responses}};
    }
}
is_deeply \%found, \%statuses, 'every path, method and status is described';
my $row = qr/^ROUTE\(\w+\) = \{\s+\.method = METHOD_(\w+),\s+\.path = "([^"]+)"/m;
my @rows = map { QSOsync::Front::read_file($_) =~ $row ? lc($1) . " $2" : () }
    glob "$QSOsync::Front::SOURCE/src/api/*.c";
is_deeply [sort keys %found], [sort @rows], 'exactly the endpoints of the service are described';
is_deeply [map { $_->{name} } @{$document->{paths}{'/logs'}{get}{parameters}}],
    [qw(updatedSince limit cursor ahead includeDeleted)],
    'every parameter of /logs is described';

my $schemas = $document->{components}{schemas};
my ($sent, $read) = map { $_->{properties} } @{$schemas}{qw(QsoEntry Qso)};
my %full = (%{full_qso()}, %{full_pmr_qso()}, sendSpot => 1);
is_deeply [sort keys %$sent], [sort keys %full], 'every writable field is described';
$service->post_batch([qso()]);
my ($item) = $service->download;
is_deeply [sort keys %$read], [sort keys %$item], 'every returned field is described';

# The described bounds are the actual bounds.
sub accepted {
    my (%field) = @_;
    my $entry = exists $field{channel} ? qso(band => 'PMR446', channel => 8, %field) : qso(%field);
    return $service->post_batch([$entry])->json->{results}[0]{id} ? 1 : 0;
}
for my $field (sort keys %$sent) {
    my $schema = $sent->{$field};
    if (defined $schema->{maximum}) {
        is accepted($field => $schema->{$_}), 1, "the described $_ of $field is accepted" for qw(minimum maximum);
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

# Defaults that would confuse generated clients.
is_deeply [grep { exists $sent->{$_}{default} } sort keys %$sent], [],
    'no field of an entry has a default that a generator would send';
is_deeply [sort @{$schemas->{Error}{properties}{error}{properties}{code}{enum}}],
    [qw(API_KEYS.INVALID API_KEYS.READ_ONLY GENERIC.INTERNAL_ERROR GENERIC.METHOD_NOT_ALLOWED GENERIC.NOT_FOUND
        GENERIC.RATE_LIMITED GENERIC.TOO_MANY_AT_ONCE VALIDATION.FAILED)], 'every error code is listed once';
is $document->{components}{responses}{Error413}{content}{'application/json'}{example}{error}{details}[0]{field}, 'body',
    'the example of 413 names the body';
is $schemas->{Page}{examples}[0]{nextCursor}, undef, 'the example of a page is the last page';
for my $path ('/logs/ids', '/openapi.json') {
    is_deeply [map { $_->{name} } @{$document->{paths}{$path}{get}{parameters}}], ['If-None-Match'],
        "$path describes If-None-Match";
}

my $text = $response->body;
my $references = () = $text =~ /"\$ref"/g;
my @broken;
while ($text =~ m{"\$ref": ?"#/([^"]+)"}g) {
    my ($place, $reference) = ($document, $1);
    $place = ref $place eq 'HASH' ? $place->{$_} : undef for split m{/}, $reference;
    push @broken, $reference unless $place;
}
is "@broken", '', "each of the $references references of the description resolves";

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

# Answers match their description: status, type, headers and body. The schema accepts what the service accepts.
{
    my $service = QSOsync::Service->start;
    my $document = $service->request('GET', '/openapi.json')->json;
    my $schemas = QSOsync::Schema->new($document);
    my $other = $service->add_member('26AT101');

    sub is_described {
        my ($method, $path, $response, $name) = @_;
        my $operation = $document->{paths}{$path}{$method};
        my $described = $schemas->resolve($operation->{responses}{$response->status});
        ok $described, "the status " . $response->status . " of $name is described" or return;
        for my $header (sort keys %{$described->{headers} || {}}) {
            my $schema = $schemas->resolve($described->{headers}{$header})->{schema};
            my $value = $response->header($header);
            next if $header =~ /\ARateLimit-/; # the limit is off here
            next if $header eq 'X-Request-Id' && $response->status == 413; # nginx's own answer
            if (defined $value) {
                $value += 0 if ($schema->{type} || '') eq 'integer' && $value =~ /\A\d+\z/;
                is join(', ', $schemas->errors($schema, $value)), '',
                    "the header $header of $name matches its description";
            }
            else {
                fail "$name has the described header $header";
            }
        }
        my $content = $described->{content};
        is $response->header('Content-Type'), $content ? (keys %$content)[0] : undef,
            "the type of $name matches its description";
        return is $response->body, '', "$name has no body, as described" unless $content;
        is join("\n", $schemas->errors($content->{'application/json'}{schema}, $response->json)), '',
            "the body of $name matches its schema";
    }

    my @full = (full_qso(sendSpot => JSON::PP::true()), full_pmr_qso(), qso());
    is_described('post', '/logs/batch', $service->post_batch([@full, qso(band => 'x'), 5]), 'a batch');
    $service->post_batch([qso(callsignWorked => '21SD333', operatorCallsign => '26AT101')], key => $other->{write_key});
    $service->post_batch([qso(callsignWorked => '26AT101')]);
    $service->sqlite('INSERT INTO qsos (member_id, synced_at, created_at, band, qso_at) VALUES (1, 1, 1, 0, 0)');
    is_described('get', '/me', $service->get('/me'), '/me');
    is_described('get', '/logs', $service->get('/logs'), 'a page');
    is_described('get', '/logs', $service->get('/logs?limit=1'), 'a page before the last');
    my $ids = $service->get('/logs/ids');
    is_described('get', '/logs/ids', $ids, 'the ids');
    is_described('get', '/logs/ids', $service->get('/logs/ids', headers => { 'If-None-Match' => $ids->header('ETag') }),
        'unchanged ids');
    my $description = $service->request('GET', '/openapi.json');
    is_described('get', '/openapi.json', $description, 'the description');
    is_described('get', '/openapi.json', $service->request('GET', '/openapi.json',
        headers => { 'If-None-Match' => $description->header('ETag') }), 'an unchanged description');
    is_described('delete', '/logs/{clientId}', $service->delete_qso($full[2]{clientId}), 'a deletion');
    is_described('delete', '/logs/{clientId}', $service->delete_qso($full[2]{clientId}), 'a second deletion');
    is_described('delete', '/logs/{clientId}', $service->delete_qso('x'), 'a deletion with an invalid UUID');
    is_described('get', '/logs', $service->get('/logs?limit=0'), 'a bad parameter');
    is_described('post', '/logs/batch', $service->post_batch([]), 'an empty batch');
    is_described('post', '/logs/batch', $service->request('POST', '/logs/batch', key => $service->write_key,
        headers => { 'Content-Type' => 'application/json' }, body => ' ' x (8 * 1024 * 1024 + 1)),
        'a body that is too large');
    is_described(@$_[0, 1], $service->request(uc $_->[0], $_->[2]), "$_->[1] without a key")
        for ['get', '/me', '/me'], ['get', '/logs', '/logs'], ['get', '/logs/ids', '/logs/ids'],
        ['post', '/logs/batch', '/logs/batch'], ['delete', '/logs/{clientId}', '/logs/' . uuid()];
    is_described('post', '/logs/batch', $service->post_batch([qso()], key => $service->read_key),
        'a batch with a READ key');
    is_described('delete', '/logs/{clientId}', $service->delete_qso(uuid(), key => $service->read_key),
        'a deletion with a READ key');

    # The description requires keys in either header, as the service does.
    is_deeply [sort map { keys %$_ } @{$document->{security}}], [qw(apiKey bearer)],
        'every operation accepts either key header in its description';
    is_deeply $document->{paths}{'/openapi.json'}{get}{security}, [], 'the description itself needs no key';
    my $ways = $document->{components}{securitySchemes};
    is join(' ', @{$ways->{apiKey}}{qw(type in name)}), 'apiKey header X-API-Key',
        'X-API-Key is described as a key header';
    is join(' ', @{$ways->{bearer}}{qw(type scheme)}), 'http bearer', 'a bearer token is described as a key';

    # The rows of the field table: the schema accepts an entry if and only if the service does. The description cannot
    # express dates missing from the calendar, U+0000 and trimming, so these rows are skipped.
    my $json = JSON::PP->new->allow_nonref->canonical;
    binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);
    my $compared;
    for my $row (field_rows()) {
        my ($band, $field, $value, $expected) = @$row;
        next if $field =~ /\A(?:qsoAt|clientId)\z/ || $value =~ /\\u0000|" |1e999|\A"jo59|e300|99999999999999999999/i;
        next if $value eq '""'; # an empty text counts as null
        my $entry = $band eq 'P' ? qso(band => 'PMR446', channel => 8) : qso();
        delete $entry->{$field};
        $entry->{$field} = $json->decode($value) if $value ne '-';
        my @errors = $schemas->errors($document->{components}{schemas}{QsoEntry}, $entry);
        my $accepts = $expected =~ /\A=/ ? 1 : 0;
        is @errors ? 0 : 1, $accepts, "$field: " . substr($value, 0, 40)
            . " on $band is accepted by the schema if and only if the service accepts it"
            or diag @errors ? "@errors" : 'the schema accepts the same entries as the service';
        $compared++;
    }
    cmp_ok $compared, '>', 200, 'more than 200 values are compared with the schema';
}

done_testing;
