use QSOsync::Test fronts => 'nginx';

# Conditions under which two members' QSOs confirm each other, on both sides of each bound.
my $service = QSOsync::Service->start;
my $other = $service->add_member('26AT101');

# Saves a QSO of each member; returns whether they confirm each other.
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
    [0, { operatorCallsign => '21SD333/P' }, {}, 'an operator callsign with a suffix, worked without it'],
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
    [1, { qsoStatus => 'WKD' }, { qsoStatus => 'CFM' }, 'the states worked and confirmed'],
);
for my $case (@cases) {
    my ($expected, $mine, $theirs, $name) = @$case;
    is confirmed($mine, $theirs), $expected, "$name: " . ($expected ? 'confirmed' : 'not confirmed');
    is confirmed($theirs, $mine), $expected, "$name, told by the other member: "
        . ($expected ? 'confirmed' : 'not confirmed')
        unless exists $mine->{callsignWorked} || exists $theirs->{callsignWorked} || exists $mine->{operatorCallsign};
}

# A member's callsign belongs only to that member: nobody else can use it to confirm a QSO or to learn of one.
{
    my $service = QSOsync::Service->start;
    my $bram = $service->add_member('26AT101');
    my $carl = $service->add_member('13HN888');
    my $at = '2026-05-17T19:42:00.000Z';

    # Saves it with a member's key (undef: 21SD333), and returns it.
    sub save {
        my ($member, %fields) = @_;
        my $qso = qso(qsoAt => $at, %fields);
        my $result = $service->post_batch([$qso], $member ? (key => $member->{write_key}) : ())->json->{results}[0];
        $result->{id} or die 'not saved';
        return $qso;
    }
    sub is_confirmed {
        my ($member, $qso, $expected, $name) = @_;
        my ($stored) = grep { $_->{clientId} eq $qso->{clientId} }
            $service->download($member ? (key => $member->{read_key}) : ());
        is defined $stored->{crossConfirmedAt} ? 1 : 0, $expected, $name;
    }
    sub again { my ($member, $qso) = @_; $service->post_batch([$qso], $member ? (key => $member->{write_key}) : ()) }

    my $mine = save(undef, callsignWorked => '26AT101');
    my $forged = save($carl, operatorCallsign => '26-at-101', callsignWorked => '21SD333');
    is_confirmed($carl, $forged, 0,
        "a QSO with another member's callsign as operatorCallsign is not confirmed");
    is_confirmed(undef, $mine, 0, "a QSO with another member's callsign confirms no QSO with that member");
    again(undef, $mine);
    is_confirmed(undef, $mine, 0, "a QSO with another member's callsign confirms no later QSO");
    my $true = save($bram, callsignWorked => '21SD333');
    is_confirmed(undef, $mine, 1, "the callsign's own member confirms the QSO");
    is_confirmed($bram, $true, 1, "the QSO of our member is confirmed too");

    $mine = save(undef, callsignWorked => '26AT101', qsoAt => '2026-05-18T08:00:00Z');
    $true = save($bram, operatorCallsign => '26-AT-101', callsignWorked => '21SD333', qsoAt => '2026-05-18T08:00:00Z');
    is_confirmed(undef, $mine, 1, "a member's own callsign as operatorCallsign changes nothing");

    # A callsign without a member, until one gets it.
    my $free = save(undef, callsignWorked => '1QQ1', qsoAt => '2026-05-19T08:00:00Z');
    my $guest = save($carl, operatorCallsign => '1QQ1', callsignWorked => '21SD333', qsoAt => '2026-05-19T08:00:00Z');
    my $later = save($carl, operatorCallsign => '1QQ1', callsignWorked => '21SD333', qsoAt => '2026-05-20T08:00:00Z');
    is_confirmed(undef, $free, 1, 'any member may use a callsign without a member');
    my $dora = $service->add_member('1QQ1');
    is_confirmed(undef, $free, 1, 'adding a member with that callsign keeps an existing pair');
    my $late = save(undef, callsignWorked => '1QQ1', qsoAt => '2026-05-20T08:00:00Z');
    is_confirmed(undef, $late, 0, "other members' QSOs under that callsign no longer confirm");
    again(undef, $free);
    is_confirmed(undef, $free, 0, 'an existing pair ends at the next write to one side');
    is_confirmed($carl, $guest, 0, 'an existing pair ends on both sides');
    save($dora, callsignWorked => '21SD333', qsoAt => '2026-05-20T08:00:00Z');
    is_confirmed(undef, $late, 1, "the new member's QSO confirms one with its callsign");

    # Callsigns that differ only in spelling.
    for my $callsign ('21-SD-333', '21 sd 333', '21.SD333') {
        my ($status, undef, $errors) = $service->admin_try('member', 'add', $callsign, '--locator', 'JO59', '--login',
            'new');
        is $status, 1, "a second member cannot be added as $callsign";
        like $errors, qr/member 21SD333 already exists/, "the error names the existing member for $callsign";
    }
    my ($status) = $service->admin_try('member', 'rename', '13HN888', '21-SD-333');
    is $status, 1, 'a member cannot be renamed to another spelling of an existing callsign';
    is $service->admin('check'), '', 'the logbook passes the check after renames';
}

# Fifteen minutes are the same anywhere in the calendar, and a callsign is the same in any spelling. Each pair has its
# own worked callsign, so that all pairs can be saved at once.
{
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

    # Times: pairs 15 minutes apart, and a millisecond more.
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

    # Modes: every pair of modes.
    my @modes = (undef, qw(FM AM SSB USB LSB CW DIGITAL));
    for my $a (@modes) {
        for my $b (@modes) {
            my ($family_a, $family_b) = map { defined $_ ? s/[UL]SB/SSB/r : undef } $a, $b;
            my $same = !defined $a || !defined $b || $family_a eq $family_b;
            pair($same ? 1 : 0, join(' and ', map { defined $_ ? $_ : 'no mode' } $a, $b), { mode => $a },
                { mode => $b });
        }
    }

    # Channels and states.
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
    pair(1, 'locators, power and split play no part', { dxLocator => 'JO59', txPowerW => 4, splitKhz => 10 },
        { dxLocator => 'IO91', txPowerW => 400 });

    # Callsigns as operators write them.
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
            is scalar(grep { !$_->{id} } @$results), 0, 'every QSO of the pairs is accepted';
        }
    }
    my %time = map { $_->{clientId} => $_->{crossConfirmedAt} } $service->download,
        $service->download(key => $other->{read_key});
    for (0 .. $#names) {
        my ($a, $b) = map { defined $_ ? $_ : 'not confirmed' } @time{$mine[$_]{clientId}, $theirs[$_]{clientId}};
        is $a, $b, "$names[$_]: a confirmation has the same time on both sides" if $a ne $b;
        is $a eq 'not confirmed' ? 0 : 1, $expected[$_], "$names[$_]: "
            . ($expected[$_] ? 'confirmed' : 'not confirmed');
    }
    is $service->admin('check'), '', 'the logbook passes the check after all pairs';
}

done_testing;
