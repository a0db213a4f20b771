use QSOsync::Test fronts => 'nginx';

# The limit of fifteen minutes holds on any date, and a match ignores case and separators in callsigns. Each pair has
# its own worked callsign, so that all pairs can be saved at once.
my $service = QSOsync::Service->start;
my $other = $service->add_member('26AT101');

my (@mine, @theirs, @expected, @names);
sub pair {
    my ($expected, $name, $mine, $theirs) = @_;
    my $suffix = sprintf '%03d', scalar @names;
    my @stations = ("1MY$suffix", "2TH$suffix");
    push @mine, qso(operatorCallsign => $stations[0], callsignWorked => $stations[1], %$mine);
    push @theirs, qso(operatorCallsign => $stations[1], callsignWorked => $stations[0], %$theirs);
    push @expected, $expected;
    push @names, $name;
}

# Each row has a time, a time 15 minutes later, and a time one millisecond after that.
my @instants = (['2026-05-17T19:45:00.000Z', '2026-05-17T20:00:00.000Z', '2026-05-17T20:00:00.001Z'],
    ['2026-05-17T19:44:59.999Z', '2026-05-17T19:59:59.999Z', '2026-05-17T20:00:00.000Z'],
    ['2026-05-17T19:52:30.500Z', '2026-05-17T20:07:30.500Z', '2026-05-17T20:07:30.501Z'],
    ['1969-12-31T23:50:00.000Z', '1970-01-01T00:05:00.000Z', '1970-01-01T00:05:00.001Z'],
    ['1969-12-31T23:44:59.999Z', '1969-12-31T23:59:59.999Z', '1970-01-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00.000Z', '0001-01-01T00:15:00.000Z', '0001-01-01T00:15:00.001Z'],
    ['9999-12-31T23:44:59.999Z', '9999-12-31T23:59:59.999Z', undef],
    ['2024-02-28T23:50:00.000Z', '2024-02-29T00:05:00.000Z', '2024-02-29T00:05:00.001Z'],
    ['2026-12-31T23:50:00.000Z', '2027-01-01T00:05:00.000Z', '2027-01-01T00:05:00.001Z'],
    ['2026-05-17T23:50:00-02:00', '2026-05-18T04:05:00+02:00', '2026-05-18T04:05:00.001+02:00']);
for my $case (@instants) {
    my ($from, $fits, $exceeds) = @$case;
    pair(1, "$from and $fits", { qsoAt => $from }, { qsoAt => $fits });
    pair(1, "$fits and $from", { qsoAt => $fits }, { qsoAt => $from });
    next unless $exceeds;
    pair(0, "$from and $exceeds", { qsoAt => $from }, { qsoAt => $exceeds });
    pair(0, "$exceeds and $from", { qsoAt => $exceeds }, { qsoAt => $from });
}

# Each mode is paired with each mode.
my @modes = (undef, qw(FM AM SSB USB LSB CW DIGITAL));
for my $a (@modes) {
    for my $b (@modes) {
        my ($family_a, $family_b) = map { defined $_ ? s/[UL]SB/SSB/r : undef } $a, $b;
        my $same = !defined $a || !defined $b || $family_a eq $family_b;
        pair($same ? 1 : 0, join(' and ', map { defined $_ ? $_ : 'no mode' } $a, $b), { mode => $a },
            { mode => $b });
    }
}

# Channels and statuses differ in some pairs.
for my $channels ([1, 1], [16, 16], [1, 2], [16, 15], [1, 16]) {
    my ($a, $b) = map { { band => 'PMR446', channel => $_ } } @$channels;
    pair($a->{channel} == $b->{channel} ? 1 : 0, "channels @$channels", $a, $b);
}
my @states = (undef, qw(HRD WKD CFM));
for my $a (@states) {
    for my $b (@states) {
        my $heard = grep { defined $_ && $_ eq 'HRD' } $a, $b;
        pair($heard ? 0 : 1, join(' and ', map { defined $_ ? $_ : 'no status' } $a, $b), { qsoStatus => $a },
            { qsoStatus => $b });
    }
}
pair(1, 'tones and codes are not compared', { band => 'PMR446', channel => 3, ctcssTone => '88.5' },
    { band => 'PMR446', channel => 3, dcsCode => '023' });
pair(1, 'locators, power and split are not compared', { dxLocator => 'JO59', txPowerW => 4, splitKhz => 10 },
    { dxLocator => 'IO91', txPowerW => 400 });

# Some of these spellings are the same callsign.
my @spellings = ([1, 'abc123', 'ABC123'], [1, 'A-B-C', 'ABC'], [1, 'A B C', 'ABC'], [1, 'A.B.C.', 'abc'],
    [1, '-.A1. -', 'A1'],
    [1, 'ABC/P', 'abc/p'], [0, 'ABC/P', 'ABC'], [0, 'ABC/P', 'ABC/M'], [0, 'ABC_1', 'ABC1'], [0, 'ABCO', 'ABC0'],
    [0, 'ABC', 'ABCD']);
for my $case (@spellings) {
    my ($expected, $written, $station) = @$case;
    my $own = sprintf '9T%03d', scalar @names;
    pair($expected, "$written is " . ($expected ? '' : 'not ') . $station,
        { operatorCallsign => $own, callsignWorked => $written },
        { operatorCallsign => $station . "", callsignWorked => $own });
}

for my $batch ([\@mine, $service->write_key], [\@theirs, $other->{write_key}]) {
    my @qsos = @{$batch->[0]};
    while (my @part = splice @qsos, 0, 200) {
        my $results = $service->post_batch(\@part, key => $batch->[1])->json->{results};
        is scalar(grep { !$_->{id} } @$results), 0, 'every QSO in the pairs is accepted';
    }
}
my %time = map { $_->{clientId} => $_->{crossConfirmedAt} } $service->download,
    $service->download(key => $other->{read_key});
for (0 .. $#names) {
    my ($a, $b) = map { defined $_ ? $_ : 'not confirmed' } @time{$mine[$_]{clientId}, $theirs[$_]{clientId}};
    is $a, $b, "$names[$_]: a confirmation has the same time on both sides" if $a ne $b;
    is $a eq 'not confirmed' ? 0 : 1, $expected[$_], "$names[$_]: "
        . ($expected[$_] ? 'the QSOs confirm each other' : 'the QSOs do not confirm each other');
}
is $service->admin('check'), '', 'the logbook passes the check after all pairs';

done_testing;
