use QSOsync::Test fronts => 'main';

# When two QSOs of two members confirm each other, on both sides of each bound.
my $service = QSOsync::Service->start;
my $other = $service->add_member('26AT101');

# Saves a QSO of each member; whether they confirm each other.
sub confirmed {
    my ($mine, $theirs) = @_;
    my @sent = (qso(callsignWorked => '26AT101', %$mine), qso(callsignWorked => '21SD333', %$theirs));
    $service->post_batch([$sent[0]])->json->{results}[0]{id} or die 'not saved';
    $service->post_batch([$sent[1]], key => $other->{write_key})->json->{results}[0]{id} or die 'not saved';
    my ($a) = grep { $_->{clientId} eq $sent[0]{clientId} } $service->download;
    my ($b) = grep { $_->{clientId} eq $sent[1]{clientId} } $service->download(key => $other->{read_key});
    $service->delete_qso($sent[0]{clientId});
    $service->delete_qso($sent[1]{clientId}, key => $other->{write_key});
    is $a->{crossConfirmedAt}, $b->{crossConfirmedAt}, 'both or none' if $a->{crossConfirmedAt} || $b->{crossConfirmedAt};
    return defined $a->{crossConfirmedAt} ? 1 : 0;
}

my %pmr = (band => 'PMR446', channel => 8);
my @cases = (
    [1, {}, {}, 'the same contact from both ends'],
    [1, {}, { qsoAt => '2026-05-17T19:57:00.000Z' }, '15 minutes apart'],
    [0, {}, { qsoAt => '2026-05-17T19:57:00.001Z' }, 'a millisecond more'],
    [1, {}, { qsoAt => '2026-05-17T19:27:00.000Z' }, '15 minutes before'],
    [0, {}, { qsoAt => '2026-05-17T19:26:59.999Z' }, 'a millisecond less'],
    [1, { callsignWorked => '26-at 1.01' }, { callsignWorked => '21-SD-333' }, 'separators and case do not count'],
    [0, { callsignWorked => '26AT102' }, {}, 'another station worked'],
    [0, {}, { callsignWorked => '21SD334' }, 'the other one worked somebody else'],
    [0, {}, { callsignWorked => undef }, 'no station worked'],
    [0, {}, { callsignWorked => '- .' }, 'nothing but separators'],
    [1, { operatorCallsign => '21SD333/P' }, { callsignWorked => '21sd333/p' }, 'the operator callsign is the station'],
    [0, { operatorCallsign => '21SD333/P' }, {}, 'a suffix is part of the callsign'],
    [0, {}, { callsignWorked => '21SD333/P' }, 'on either side'],
    [0, {}, \%pmr, 'another band'],
    [1, \%pmr, \%pmr, 'the same channel'],
    [0, \%pmr, { %pmr, channel => 9 }, 'another channel'],
    [1, { frequencyMhz => '27.555' }, { frequencyMhz => '26.000' }, 'the frequency plays no part'],
    [1, { mode => 'USB' }, { mode => 'USB' }, 'one mode'],
    [1, { mode => 'USB' }, { mode => 'LSB' }, 'SSB, USB and LSB are one'],
    [1, { mode => 'SSB' }, { mode => 'LSB' }, 'in any pairing'],
    [0, { mode => 'USB' }, { mode => 'FM' }, 'two modes'],
    [0, { mode => 'AM' }, { mode => 'FM' }, 'two others'],
    [1, { mode => 'FM' }, {}, 'a mode that one of them does not give'],
    [0, { qsoStatus => 'HRD' }, {}, 'heard only'],
    [0, {}, { qsoStatus => 'HRD' }, 'heard only, the other way'],
    [1, { qsoStatus => 'WKD' }, { qsoStatus => 'CFM' }, 'worked and confirmed'],
);
for my $case (@cases) {
    my ($expected, $mine, $theirs, $name) = @$case;
    is confirmed($mine, $theirs), $expected, "$name: " . ($expected ? 'confirmed' : 'not confirmed');
    is confirmed($theirs, $mine), $expected, "$name, the other way round"
        unless exists $mine->{callsignWorked} || exists $theirs->{callsignWorked} || exists $mine->{operatorCallsign};
}

done_testing;
