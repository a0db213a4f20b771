use QSOsync::Test fronts => 'main';

# A write with a known clientId replaces the QSO.
my $service = QSOsync::Service->start;
my $full = full_qso();

sub stored {
    my ($entry) = @_;
    my $result = $service->post_batch([$entry])->json->{results}[0];
    ok $result->{id}, 'accepted' or diag explain $result;
    return (grep { $_->{clientId} eq $entry->{clientId} } $service->download)[0];
}

my $before = stored($full);
my $after = stored(qso(clientId => $full->{clientId}));
is $after->{$_}, undef, "$_ is emptied when omitted"
    for qw(frequencyMhz mode callsignWorked dxLocator myLocator splitKhz path qsoStatus rstSent rstReceived qslVia notes);
is $after->{$_}, $full->{$_}, "$_ keeps its value when omitted"
    for qw(operatorCallsign dxLat dxLng txPowerW radio antenna);
ok !$after->{qslSent} && defined $after->{qslSent}, 'qslSent becomes false';
is $after->{$_}, $before->{$_}, "$_ stays" for qw(id createdAt);
cmp_ok $after->{syncedAt}, 'gt', $before->{syncedAt}, 'syncedAt moves';

$after = stored(qso(clientId => $full->{clientId},
    map { $_ => undef } qw(operatorCallsign dxLat dxLng txPowerW radio antenna)));
is $after->{$_}, undef, "$_ is emptied by null" for qw(operatorCallsign dxLat dxLng txPowerW radio antenna);

$after = stored(qso(clientId => $full->{clientId}, band => 'PMR446', channel => 16));
is $after->{band}, 'PMR446', 'the band may change';
$after = stored(qso(id => '999', createdAt => '2001-01-01T00:00:00Z', syncedAt => 'x', spottedAt => 5,
    crossConfirmedAt => {}, unknown => [1], sendSpot => undef));
isnt $after->{id}, '999', 'read-only fields are ignored';
is $after->{spottedAt}, undef, 'whatever they hold';
ok !exists $after->{sendSpot}, 'sendSpot is never returned';
is stored(qso(notes => "  a\x{a0}b \x{feff}\n"))->{notes}, "a\x{a0}b", 'texts are trimmed, outside only';
is stored(qso(notes => " \x{2003} "))->{notes}, undef, 'a text of white space is no text';

# From one band to the other: what the new band does not know is gone.
my $pmr = full_pmr_qso();
stored($pmr);
$after = stored(qso(clientId => $pmr->{clientId}, frequencyMhz => '27.555'));
is $after->{$_}, undef, "$_ is gone with its band" for qw(channel ctcssTone dcsCode);
is $after->{frequencyMhz}, '27.555', 'the other band has its own';
is $after->{$_}, $pmr->{$_}, "$_ is kept across bands" for qw(operatorCallsign dxLat dxLng txPowerW radio antenna);
$after = stored(qso(clientId => $pmr->{clientId}, band => 'PMR446', channel => 1));
is $after->{frequencyMhz}, undef, 'and so the other way round';
$after = stored(qso(clientId => $pmr->{clientId}, operatorCallsign => ' ', radio => '', antenna => 'new'));
is $after->{$_}, undef, "$_ is emptied by an empty text" for qw(operatorCallsign radio);
is $after->{antenna}, 'new', 'a kept field takes a new value';
is $after->{txPowerW}, $pmr->{txPowerW}, 'one at a time';

done_testing;
