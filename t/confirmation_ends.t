use QSOsync::Test fronts => 'main';

# How a confirmation ends: by any change that breaks one of its conditions, and by nothing else; and who
# looks for a new partner, in which order.
my $service = QSOsync::Service->start;
my $other = $service->add_member('26AT101');
my %key = (mine => [$service->read_key, $service->write_key], theirs => [@{$other}{qw(read_key write_key)}]);

sub save {
    my ($who, @qsos) = @_;
    my $results = $service->post_batch([@qsos], key => $key{$who}[1])->json->{results};
    $_->{id} or die "not saved: $_->{error}" for @$results;
    return $qsos[0];
}
sub item {
    my ($who, $qso) = @_;
    return (grep { $_->{clientId} eq $qso->{clientId} } $service->download(key => $key{$who}[0]))[0];
}
sub confirmed { my $item = item(@_); return $item && $item->{crossConfirmedAt} }
sub wipe {
    for my $who (keys %key) {
        $service->delete_qso($_->{clientId}, key => $key{$who}[1]) for $service->download(key => $key{$who}[0]);
    }
}
sub at { sprintf '2026-05-17T19:%02d:%02d.000Z', $_[0], ($_[1] || 0) }

# Each condition, broken by an update of either side.
my @breaks = (
    [{ band => 'PMR446', channel => 8 }, 'another band'], [{ callsignWorked => '26AT102' }, 'another station worked'],
    [{ callsignWorked => undef }, 'no station worked'],
    [{ operatorCallsign => '21SD333/P' }, 'another station callsign'],
    [{ qsoAt => at(57, 1) }, 'a time more than 15 minutes off'], [{ mode => 'CW' }, 'a mode of another family'],
    [{ qsoStatus => 'HRD' }, 'heard only'],
);
for my $side (qw(mine theirs)) {
    my $far = $side eq 'mine' ? 'theirs' : 'mine';
    for my $break (@breaks) {
        my %change = %{$break->[0]};
        next if $side eq 'theirs' && ($change{callsignWorked} || $change{operatorCallsign});
        my %qso = (mine => qso(callsignWorked => '26AT101', mode => 'USB'),
            theirs => qso(callsignWorked => '21SD333', mode => 'SSB'));
        save($_, $qso{$_}) for qw(mine theirs);
        my ($time, $stamp) = (confirmed($far => $qso{$far}), item($far => $qso{$far})->{syncedAt});
        ok $time, "$break->[1] of $side: the QSOs are confirmed before the change";
        save($side, { %{$qso{$side}}, %change });
        is confirmed($_ => $qso{$_}), undef, "$break->[1] of $side ends the confirmation of $_" for qw(mine theirs);
        my $item = item($far => $qso{$far});
        cmp_ok $item->{syncedAt}, 'gt', $stamp, "$break->[1] of $side raises syncedAt on the other side";
        is $item->{syncedAt}, item($side => $qso{$side})->{syncedAt},
            "$break->[1] of $side gives both sides one syncedAt";
        wipe();
    }
}

# What is not a condition does not end it.
my ($mine, $theirs) = (qso(callsignWorked => '26AT101', mode => 'USB'), qso(callsignWorked => '21SD333'));
save(mine => $mine);
save(theirs => $theirs);
my $time = confirmed(mine => $mine);
for my $change ({ frequencyMhz => '26.000' }, { mode => 'LSB' }, { mode => undef }, { callsignWorked => '26-at-101' },
    { operatorCallsign => '21 sd 333' }, { operatorCallsign => undef }, { qsoAt => at(57) }, { qsoAt => at(42) },
    { qsoStatus => 'CFM' },
    { qslSent => JSON::PP::true() }, { sendSpot => JSON::PP::true() }) {
    my $edit = join ' ', map { defined $_ ? $_ : 'null' } %$change;
    save(mine => { %$mine, %$change });
    is confirmed(mine => $mine), $time, "an edit with $edit keeps the time of the confirmation";
    is confirmed(theirs => $theirs), $time, "an edit with $edit keeps the time of the confirmation on the other side";
}
my $stamp = item(theirs => $theirs)->{syncedAt};
save(mine => { %$mine, notes => 'mine alone' });
is item(theirs => $theirs)->{syncedAt}, $stamp, 'an edit that breaks no condition leaves syncedAt on the other side';

# A better candidate that comes later does not take a partner away, nor does a write that keeps its match.
save(mine => { %$mine, qsoAt => at(50) });
my $nearer = save(mine => qso(callsignWorked => '26AT101'));
is confirmed(mine => $nearer), undef, 'a nearer candidate that comes later leaves a match alone';
save(mine => { %$mine, qsoAt => at(55) });
ok confirmed(mine => $mine), 'a write that keeps its match keeps it, though another would be nearer';
save(mine => { %$mine, qsoStatus => 'HRD' });
ok confirmed(mine => $nearer), 'when a match ends, the former partner is confirmed by another one that fits';
is confirmed(theirs => $theirs), confirmed(mine => $nearer),
    'a confirmation by another partner has one time on both sides';
is item(mine => $nearer)->{syncedAt}, confirmed(mine => $nearer),
    'the time of a confirmation is the stamp of the write that made it';
wipe();

# The written QSO looks first, its former partner after it.
($mine, $theirs) = map { qso(callsignWorked => $_, qsoAt => at(10)) } '26AT101', '21SD333';
save(mine => $mine);
save(theirs => $theirs);
my $theirs_free = qso(callsignWorked => '21SD333', qsoAt => at(30));
save(theirs => $theirs_free);
my $mine_free = qso(callsignWorked => '26AT101', qsoAt => at(2));
save(mine => $mine_free);
is join('', map { defined $_ ? 1 : 0 } confirmed(mine => $mine_free), confirmed(theirs => $theirs_free)), '00',
    'two QSOs whose candidates are taken are not confirmed';
save(mine => { %$mine, qsoAt => at(30) });
is confirmed(mine => $mine), confirmed(theirs => $theirs_free), 'a QSO that leaves its partner finds a new one';
is confirmed(theirs => $theirs), confirmed(mine => $mine_free),
    'a QSO that is left by its partner finds a new one in the same write';
is confirmed(theirs => $theirs), confirmed(mine => $mine), 'the two confirmations of one write have one time';
wipe();

# A deletion among several pairs.
my @mine = map { qso(callsignWorked => '26AT101', qsoAt => at($_)) } 10, 20, 30;
my @theirs = map { qso(callsignWorked => '21SD333', qsoAt => at($_)) } 11, 21, 31;
save(mine => @mine);
save(theirs => @theirs);
is scalar(grep { $_->{crossConfirmedAt} } $service->download), 3,
    'three QSOs and three of the other member confirm each other in pairs';
$service->delete_qso($mine[1]{clientId});
is confirmed(theirs => $theirs[1]), undef, 'a deletion ends its own pair';
ok confirmed(theirs => $theirs[$_]), 'a deletion leaves the confirmations of other pairs' for 0, 2;
save(theirs => { %{$theirs[0]}, callsignWorked => '21SD334' });
my $pairs = join ' ', map { defined confirmed(mine => $_) ? 1 : 0 } @mine[0, 2];
is $pairs, '1 1', 'a QSO that was set free takes the nearest free candidate';
is confirmed(mine => $mine[0]), confirmed(theirs => $theirs[1]),
    'a QSO that lost its partner is confirmed by one that had lost its own';

# A member that is disabled keeps its confirmations, takes part in no new ones, and comes back.
wipe();
save(mine => $mine = qso(callsignWorked => '26AT101', qsoAt => at(10)));
save(theirs => $theirs = qso(callsignWorked => '21SD333', qsoAt => at(10)),
    $theirs_free = qso(callsignWorked => '21SD333', qsoAt => at(20)));
$service->admin('member', 'disable', '26AT101');
ok confirmed(mine => $mine), 'a confirmation stays when the member is disabled';
save(mine => { %$mine, notes => 'an edit' });
ok confirmed(mine => $mine), "a confirmation of a disabled member's QSO stays through an edit";
save(mine => my $late = qso(callsignWorked => '26AT101', qsoAt => at(20)));
is confirmed(mine => $late), undef, 'a QSO of a disabled member confirms nothing new';
$service->delete_qso($mine->{clientId});
is confirmed(mine => $late), undef, 'a QSO of a disabled member confirms nothing new when a candidate becomes free';
$service->admin('member', 'enable', '26AT101');
is confirmed(theirs => $theirs), undef, 'enabling a member confirms nothing by itself';
save(mine => $late);
is confirmed(mine => $late), confirmed(theirs => $theirs_free),
    'a write after the member is enabled again is confirmed by the nearest that fits';
is $service->admin('check'), '', 'the database is whole';

done_testing;
