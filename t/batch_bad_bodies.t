use QSOsync::Test fronts => 'nginx';
use JSON::PP ();

# Hundreds of bad bodies: each gets its answer, the worker continues, and its memory does not grow.
# QSOSYNC_TEST_REQUESTS is their number (600).
my $requests = $ENV{QSOSYNC_TEST_REQUESTS} || 600;
my $service = QSOsync::Service->start(workers => 1);
my ($worker) = $service->worker_pids;

sub memory { $service->memory_kib($worker, 'RssAnon') }

my $max = 8 * 1024 * 1024;
my $entry = JSON::PP::encode_json(full_qso());
my $long = 'x' x 1_000_000;
my %bad = (
    'wrong UTF-8' => [400, "{\"entries\":[{\"notes\":\"\xc3\x28\"}]}"],
    '201 entries' => [400, '{"entries":[' . join(',', ($entry) x 201) . ']}'],
    'nesting of 10,000' => [400, '{"entries":' . '[' x 10_000 . ']' x 10_000 . '}'],
    'a lone {' => [400, '{'],
    'a string that never ends' => [400, "{\"entries\":[\"$long"],
    'a number of a million digits' => [400, '{"entries":' . '9' x 1_000_000 . '}'],
    'ten thousand names' => [400, '{' . join(',', map { qq("n$_":$_) } 1 .. 10_000) . '}'],
    'a million wrong literals' => [400, '{"entries":[' . 'nul,' x 200_000 . ']}'],
    '8 MiB that are not JSON' => [400, '{"entries":["' . 'x' x ($max - 15) . '"}'],
    '8 MiB and one byte' => [413, ' ' x ($max + 1)],
);
my @names = sort keys %bad;
my %wrong;
sub send_bad {
    my ($name) = @_;
    my ($status, $body) = @{$bad{$name}};
    my $response = $service->request('POST', '/logs/batch', key => $service->write_key, body => $body,
        headers => { 'Content-Type' => 'application/json' });
    my $got = !$response ? 'no answer' : $response->status . ' ' . ($response->code || '');
    $wrong{"$name: $got"}++ if $got ne "$status VALIDATION.FAILED";
}
send_bad($_) for @names, @names, @names;
my $before = memory();
for (1 .. $requests) {
    my $name = $names[$_ % @names];
    send_bad($name) if length $bad{$name}[1] < 4_000_000 || $_ <= 60;
}
is join(', ', sort keys %wrong), '', 'every bad body gets the specified answer';
my $may_grow = QSOsync::Front::is_instrumented() ? 1 << 20 : 1024;
cmp_ok memory() - $before, '<', $may_grow, "$requests bad bodies cost the worker less than 1 MiB of memory";
is $service->post_batch([qso()])->json->{results}[0]{error}, undef,
    'the same worker saves a valid body after the bad ones';
is scalar($service->download), 1, 'bad bodies save no QSO';

# An update can change every field of the published schema, individually and together, and the changed values are
# returned.
{
    my $service = QSOsync::Service->start;
    my $document = $service->request('GET', '/openapi.json')->json;
    my $properties = $document->{components}{schemas}{QsoEntry}{properties};
    my $json = JSON::PP->new->canonical->allow_nonref;

    # Values other than those of full_qso and full_pmr_qso, for fields without choices.
    my %other = (qsoAt => '2026-05-18T20:43:01.500Z', frequencyMhz => '26.285', channel => 16, ctcssTone => '254.1',
        dcsCode => '754', callsignWorked => '13HN888', operatorCallsign => '21SD7', dxLocator => 'JP99', dxLat => -33.5,
        dxLng => 151.25, txPowerW => 4, myLocator => 'KO01aa', splitKhz => 10, rstSent => '41', rstReceived => '33',
        notes => 'Ground wave', radio => 'Albrecht AE 5890', antenna => 'Dipole');

    sub other_value {
        my ($name, $present) = @_;
        my $property = $properties->{$name};
        return (grep { defined && $_ ne $present } @{$property->{enum}})[0] if $property->{enum};
        return $present ? JSON::PP::false() : JSON::PP::true() if $json->encode($property->{type}) =~ /boolean/;
        return $other{$name} // "other $name";
    }

    sub stored {
        my ($entry, $name) = @_;
        my $result = $service->post_batch([$entry])->json->{results}[0];
        ok $result->{id}, "the entry with another $name is accepted" or diag explain $result;
        my ($qso) = grep { $_->{clientId} eq $entry->{clientId} } $service->download;
        return { map { $_ => $qso->{$_} } grep { exists $entry->{$_} } keys %$qso };
    }

    my %tried;
    for my $qso (full_qso(), full_pmr_qso()) {
        my $band = $qso->{band};
        my %all = %$qso;
        for my $name (grep { !/\A(?:clientId|band)\z/ } sort keys %$qso) {
            $tried{$name}++;
            my $value = other_value($name, $qso->{$name});
            isnt $json->encode($value), $json->encode($qso->{$name}), "$name has another valid value";
            $service->post_batch([$qso]);
            my $changed = { %$qso, $name => $value };
            is $json->encode(stored($changed, $name)), $json->encode($changed),
                "an update of $name in $band changes only that field";
            $all{$name} = $value;
        }
        $service->post_batch([$qso]);
        is $json->encode(stored(\%all, 'value of all fields')), $json->encode(\%all),
            "an update of all fields in $band changes all of them";
    }

    my ($here, $there) = (full_qso(), full_pmr_qso());
    $service->post_batch([$here]);
    my $moved = { %$there, clientId => $here->{clientId} };
    is $json->encode(stored($moved, 'band')), $json->encode($moved),
        'an update of the band changes it and the dependent fields';
    is join(' ', sort keys %tried), join(' ', grep { !/\A(?:clientId|band|sendSpot)\z/ } sort keys %$properties),
        'every field of the published schema is updated';
}

done_testing;
