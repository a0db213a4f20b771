use QSOsync::Test fronts => 'nginx';
use JSON::PP ();

# An update can change every field of the published schema, individually and together. The service returns the changed
# values.
my $service = QSOsync::Service->start;
my $document = $service->request('GET', '/openapi.json')->json;
my $properties = $document->{components}{schemas}{QsoEntry}{properties};
delete @$properties{qw(baseSyncedAt match program programId)}; # not fields of a QSO
my $json = JSON::PP->new->canonical->allow_nonref;

# These values differ from those of full_qso and full_pmr_qso, and belong to fields without choices.
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
        isnt $json->encode($value), $json->encode($qso->{$name}), "the test has another value for $name";
        $service->post_batch([$qso]);
        my $changed = { %$qso, $name => $value };
        is $json->encode(stored($changed, $name)), $json->encode($changed),
            "an update of $name in $band changes only that field";
        $all{$name} = $value;
    }
    $service->post_batch([$qso]);
    is $json->encode(stored(\%all, 'value of all fields')), $json->encode(\%all),
        "an update of all fields in $band changes every field";
}

my ($here, $there) = (full_qso(), full_pmr_qso());
$service->post_batch([$here]);
my $moved = { %$there, clientId => $here->{clientId} };
is $json->encode(stored($moved, 'band')), $json->encode($moved),
    'an update of the band changes the band and its dependent fields';
is join(' ', sort keys %tried), join(' ', grep { !/\A(?:clientId|band|sendSpot)\z/ } sort keys %$properties),
    'the test updates every field of the published schema, except clientId and sendSpot';

done_testing;
