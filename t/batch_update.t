use QSOsync::Test fronts => 'nginx';

# A write with a known clientId updates the QSO: some omitted fields are cleared, and the others keep their values.
my $service = QSOsync::Service->start;
my $full = full_qso();

sub stored {
    my ($entry) = @_;
    my $result = $service->post_batch([$entry])->json->{results}[0];
    ok $result->{id}, 'the entry is accepted' or diag explain $result;
    return (grep { $_->{clientId} eq $entry->{clientId} } $service->download)[0];
}

my $before = stored($full);
my $after = stored(qso(clientId => $full->{clientId}));
is $after->{$_}, undef, "an update without $_ clears $_"
    for qw(frequencyMhz mode callsignWorked dxLocator myLocator splitKhz path qsoStatus rstSent rstReceived qslVia
    notes);
is $after->{$_}, $full->{$_}, "an update without $_ keeps the stored value"
    for qw(operatorCallsign dxLat dxLng txPowerW radio antenna);
ok !$after->{qslSent} && defined $after->{qslSent}, 'an update without qslSent sets qslSent to false';
is $after->{$_}, $before->{$_}, "an update keeps $_" for qw(id createdAt);
cmp_ok $after->{syncedAt}, 'gt', $before->{syncedAt}, 'an update raises syncedAt';

$after = stored(qso(clientId => $full->{clientId},
    map { $_ => undef } qw(operatorCallsign dxLat dxLng txPowerW radio antenna)));
is $after->{$_}, undef, "an update with null clears $_" for qw(operatorCallsign dxLat dxLng txPowerW radio antenna);

$after = stored(qso(clientId => $full->{clientId}, band => 'PMR446', channel => 16));
is $after->{band}, 'PMR446', 'an update can change the band';
$after = stored(qso(id => '999', createdAt => '2001-01-01T00:00:00Z', syncedAt => 'x', spottedAt => 5,
    crossConfirmedAt => {}, unknown => [1], sendSpot => undef));
isnt $after->{id}, '999', 'a write ignores a read-only field';
is $after->{spottedAt}, undef, 'a write ignores a read-only field with any value';
ok !exists $after->{sendSpot}, 'sendSpot is never returned';
is stored(qso(notes => "  a\x{a0}b \x{feff}\n"))->{notes}, "a\x{a0}b",
    'a text is trimmed and keeps its inner white space';
is stored(qso(notes => " \x{2003} "))->{notes}, undef, 'a text of only white space is stored as null';

# A change of the band clears fields that the new band does not have.
my $pmr = full_pmr_qso();
stored($pmr);
$after = stored(qso(clientId => $pmr->{clientId}, frequencyMhz => '27.555'));
is $after->{$_}, undef, "an update to 11 m clears $_" for qw(channel ctcssTone dcsCode);
is $after->{frequencyMhz}, '27.555', 'an update to 11 m stores the frequency';
is $after->{$_}, $pmr->{$_}, "an update of the band keeps $_"
    for qw(operatorCallsign dxLat dxLng txPowerW radio antenna);
$after = stored(qso(clientId => $pmr->{clientId}, band => 'PMR446', channel => 1));
is $after->{frequencyMhz}, undef, 'an update to PMR446 clears the frequency';
$after = stored(qso(clientId => $pmr->{clientId}, operatorCallsign => ' ', radio => '', antenna => 'new'));
is $after->{$_}, undef, "an update with an empty text clears $_" for qw(operatorCallsign radio);
is $after->{antenna}, 'new', 'an update with a new antenna changes the antenna';
is $after->{txPowerW}, $pmr->{txPowerW}, 'an update of other fields keeps txPowerW';
$service->stop;

done_testing;
