use QSOsync::Test fronts => 'nginx';

# Every field is accepted at its bounds and rejected just beyond its bounds, as the rows of t/data/fields.tsv specify.
use utf8;
use JSON::PP ();

my $service = QSOsync::Service->start;
my $json = JSON::PP->new->allow_nonref->canonical;
binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);

my (@entries, @checks);
for my $row (field_rows()) {
    my ($band, $field, $value, $expected) = @$row;
    my $entry = $band eq 'P' ? qso(band => 'PMR446', channel => 8) : qso();
    delete $entry->{$field};
    my $text = $json->encode($entry);
    $text =~ s/\}\z/sprintf ',"%s":%s}', $field, $value/e unless $value eq '-';
    utf8::encode($text);
    push @entries, $text;
    push @checks, [$entry->{clientId}, "$field: " . substr($value, 0, 40) . " on $band", $field, $expected];
}

my @results;
while (my @part = splice @entries, 0, 200) {
    my $response = $service->request('POST', '/logs/batch', key => $service->write_key,
        headers => { 'Content-Type' => 'application/json' }, body => '{"entries":[' . join(',', @part) . ']}');
    is $response->status, 200, 'a batch with invalid entries gets 200' or diag $response->body;
    push @results, @{$response->json->{results}};
}
my %stored = map { $_->{clientId} => $_ } $service->download;

for my $check (@checks) {
    my ($client_id, $name, $field, $expected) = @$check;
    my $result = shift @results;
    if ($expected =~ s/\A=//) {
        my $item = $client_id && $stored{$client_id};
        ok $item, "$name is accepted" or diag explain $result;
        my ($is, $should) = map { defined $_ ? $_ : 'null' } $item->{$field}, $json->decode($expected);
        is $is, $should, "$name is returned as " . substr($expected, 0, 40);
    }
    else {
        my $error = defined $result->{error} ? $result->{error} : 'accepted';
        $expected =~ s/\A~// ? like($error, qr/$expected/, "$name is rejected with the expected sentence")
            : is($error, $expected, "$name is rejected with the expected text");
        ok $result->{permanent} && !defined $result->{id} && !($client_id && $stored{$client_id}),
            "$name is rejected permanently and not stored";
    }
}

# A field or choice that the table lacks would not be tested.
my %cases;
push @{$cases{$_->[1]}}, $_ for field_rows();
my $schemas = $service->get('/openapi.json')->json->{components}{schemas};
my ($described) = grep { $_->{properties}{sendSpot} } values %$schemas;
delete @{$described->{properties}}{qw(baseSyncedAt match program programId)}; # not fields of a QSO
for my $field (sort keys %{$described->{properties}}) {
    ok $cases{$field}, "t/data/fields.tsv has cases for $field";
    next if $field eq 'band'; # every case has a band
    my %has = map { $_->[2] => 1 } @{$cases{$field}};
    my @missing = grep { !$has{"\"$_\""} } grep { defined } @{$described->{properties}{$field}{enum} || []};
    is "@missing", '', "t/data/fields.tsv has every choice of $field" if $described->{properties}{$field}{enum};
}

done_testing;
