use QSOsync::Test fronts => 'main';
use QSOsync::Schema;
use JSON::PP ();

# Answers match their description in status, type, headers and body. The schema and the service accept the same entries.
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
        my ($schema, $is_required) = @{$schemas->resolve($described->{headers}{$header})}{qw(schema required)};
        my $value = $response->header($header);
        next if $header eq 'X-Request-Id' && $response->status == 413; # nginx's own answer
        if (defined $value) {
            $value += 0 if ($schema->{type} || '') eq 'integer' && $value =~ /\A\d+\z/;
            is join(', ', $schemas->errors($schema, $value)), '',
                "the header $header of $name matches its description";
        }
        elsif ($is_required) {
            fail "$name has the described header $header";
        }
    }
    my $content = $described->{content};
    is $response->header('Content-Type'), $content ? (keys %$content)[0] : undef,
        "the content type of $name matches its description";
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
is_described('get', '/logs', $service->get('/logs?limit=1'), 'a page other than the last');
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

is_deeply [sort map { keys %$_ } @{$document->{security}}], [qw(apiKey bearer)],
    'the description accepts a key in either header';
is_deeply $document->{paths}{'/openapi.json'}{get}{security}, [], 'openapi.json is described as needing no key';
my $ways = $document->{components}{securitySchemes};
is join(' ', @{$ways->{apiKey}}{qw(type in name)}), 'apiKey header X-API-Key',
    'X-API-Key is described as a key header';
is join(' ', @{$ways->{bearer}}{qw(type scheme)}), 'http bearer', 'a bearer token is described as a key';

# For each row of the field table, the schema accepts an entry if and only if the service does. Rows are skipped if the
# description cannot express their rule: times, client ids, mixed case, U+0000, trimming and huge numbers.
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
        or diag @errors ? "@errors" : 'the schema accepts an entry that the service rejects';
    $compared++;
}
cmp_ok $compared, '>', 200, 'more than 200 values are compared with the schema';

done_testing;
