use QSOsync::Test fronts => 'nginx';

# Two members' QSOs confirm each other under certain conditions. The tests check both sides of each limit.
my $service = QSOsync::Service->start;
my $other = $service->add_member('26AT101');

# Saves a QSO of each member, and returns whether the QSOs confirm each other.
sub confirmed {
    my ($mine, $theirs) = @_;
    my @sent = (qso(callsignWorked => '26AT101', %$mine), qso(callsignWorked => '21SD333', %$theirs));
    $service->post_batch([$sent[0]])->json->{results}[0]{id} or die 'not saved';
    $service->post_batch([$sent[1]], key => $other->{write_key})->json->{results}[0]{id} or die 'not saved';
    my ($a) = grep { $_->{clientId} eq $sent[0]{clientId} } $service->download;
    my ($b) = grep { $_->{clientId} eq $sent[1]{clientId} } $service->download(key => $other->{read_key});
    $service->delete_qso($sent[0]{clientId});
    $service->delete_qso($sent[1]{clientId}, key => $other->{write_key});
    is $a->{crossConfirmedAt}, $b->{crossConfirmedAt}, 'a confirmation has the same time on both sides'
        if $a->{crossConfirmedAt} || $b->{crossConfirmedAt};
    return defined $a->{crossConfirmedAt} ? 1 : 0;
}

my %pmr = (band => 'PMR446', channel => 8);
my @cases = (
    [1, {}, {}, 'the same contact from both ends'],
    [1, {}, { qsoAt => '2026-05-17T19:57:00.000Z' }, '15 minutes apart'],
    [0, {}, { qsoAt => '2026-05-17T19:57:00.001Z' }, '15 minutes and a millisecond apart'],
    [1, {}, { qsoAt => '2026-05-17T19:27:00.000Z' }, '15 minutes earlier'],
    [0, {}, { qsoAt => '2026-05-17T19:26:59.999Z' }, '15 minutes and a millisecond earlier'],
    [1, { callsignWorked => '26-at 1.01' }, { callsignWorked => '21-SD-333' },
    'worked callsigns in another case and with separators'],
    [0, { callsignWorked => '26AT102' }, {}, "a worked callsign that is not the other member's"],
    [0, {}, { callsignWorked => '21SD334' }, 'the other member worked somebody else'],
    [0, {}, { callsignWorked => undef }, 'no worked callsign'],
    [0, {}, { callsignWorked => '- .' }, 'a worked callsign of only separators'],
    [1, { operatorCallsign => '21SD333/P' }, { callsignWorked => '21sd333/p' },
    'the operator callsign as the station that the other member worked'],
    [0, { operatorCallsign => '21SD333/P' }, {}, 'an operator callsign with a suffix, worked without the suffix'],
    [0, {}, { callsignWorked => '21SD333/P' }, 'a worked callsign with a suffix that the station lacks'],
    [0, {}, \%pmr, 'another band'],
    [1, \%pmr, \%pmr, 'the same channel'],
    [0, \%pmr, { %pmr, channel => 9 }, 'another channel'],
    [1, { frequencyMhz => '27.555' }, { frequencyMhz => '26.000' }, 'another frequency on 11 m'],
    [1, { mode => 'USB' }, { mode => 'USB' }, 'the same mode'],
    [1, { mode => 'USB' }, { mode => 'LSB' }, 'USB and LSB'],
    [1, { mode => 'SSB' }, { mode => 'LSB' }, 'SSB and LSB'],
    [0, { mode => 'USB' }, { mode => 'FM' }, 'USB and FM'],
    [0, { mode => 'AM' }, { mode => 'FM' }, 'AM and FM'],
    [1, { mode => 'FM' }, {}, 'a mode on one side only'],
    [0, { qsoStatus => 'HRD' }, {}, 'heard only, by the first member'],
    [0, {}, { qsoStatus => 'HRD' }, 'heard only, by the second member'],
    [1, { qsoStatus => 'WKD' }, { qsoStatus => 'CFM' }, 'the statuses worked and confirmed'],
);
for my $case (@cases) {
    my ($expected, $mine, $theirs, $name) = @$case;
    is confirmed($mine, $theirs), $expected,
        "$name: " . ($expected ? 'the QSOs confirm each other' : 'the QSOs do not confirm each other');
    is confirmed($theirs, $mine), $expected, "$name, with the members exchanged: "
        . ($expected ? 'the QSOs confirm each other' : 'the QSOs do not confirm each other')
        unless exists $mine->{callsignWorked} || exists $theirs->{callsignWorked} || exists $mine->{operatorCallsign};
}

done_testing;
