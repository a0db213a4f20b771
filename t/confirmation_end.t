use QSOsync::Test fronts => 'nginx';

# A confirmation ends only when a change breaks one of its conditions or deletes a QSO. The QSOs then look for new
# partners in a fixed order.
my $service = QSOsync::Service->start;
my $other = $service->add_member('26AT101');
my %key = (mine => [$service->read_key, $service->write_key], theirs => [@{$other}{qw(read_key write_key)}]);

sub save_ends {
    my ($who, @qsos) = @_;
    my $results = $service->post_batch([@qsos], key => $key{$who}[1])->json->{results};
    $_->{id} or die "not saved: $_->{error}" for @$results;
    return $qsos[0];
}
sub item_ends {
    my ($who, $qso) = @_;
    return (grep { $_->{clientId} eq $qso->{clientId} } $service->download(key => $key{$who}[0]))[0];
}
sub confirmed_ends { my $item = item_ends(@_); return $item && $item->{crossConfirmedAt} }
sub wipe {
    for my $who (keys %key) {
        $service->delete_qso($_->{clientId}, key => $key{$who}[1]) for $service->download(key => $key{$who}[0]);
    }
}
sub at_ends { sprintf '2026-05-17T19:%02d:%02d.000Z', $_[0], ($_[1] || 0) }

# An update of either side can break a condition.
my @breaks = (
    [{ band => 'PMR446', channel => 8 }, 'another band'],
        [{ callsignWorked => '26AT102' }, 'another station worked'],
    [{ callsignWorked => undef }, 'no station worked'],
    [{ operatorCallsign => '21SD333/P' }, 'another station callsign'],
    [{ qsoAt => at_ends(57, 1) }, 'a time more than 15 minutes away'],
        [{ mode => 'CW' }, 'a mode of another family'],
    [{ qsoStatus => 'HRD' }, 'heard only'],
);
for my $side (qw(mine theirs)) {
    my $far = $side eq 'mine' ? 'theirs' : 'mine';
    for my $break (@breaks) {
        my %change = %{$break->[0]};
        next if $side eq 'theirs' && ($change{callsignWorked} || $change{operatorCallsign});
        my %qso = (mine => qso(callsignWorked => '26AT101', mode => 'USB'),
            theirs => qso(callsignWorked => '21SD333', mode => 'SSB'));
        save_ends($_, $qso{$_}) for qw(mine theirs);
        my ($time, $stamp) = (confirmed_ends($far => $qso{$far}), item_ends($far => $qso{$far})->{syncedAt});
        ok $time, "$break->[1] ($side): the QSOs are confirmed before the change";
        save_ends($side, { %{$qso{$side}}, %change });
        is confirmed_ends($_ => $qso{$_}), undef, "$break->[1] ($side): the confirmation ends ($_)"
            for qw(mine theirs);
        my $item = item_ends($far => $qso{$far});
        cmp_ok $item->{syncedAt}, 'gt', $stamp, "$break->[1] ($side): the change raises syncedAt on the other side";
        is $item->{syncedAt}, item_ends($side => $qso{$side})->{syncedAt},
            "$break->[1] ($side): both sides have the same syncedAt";
        wipe();
    }
}

# Other changes do not end the confirmation.
my ($mine, $theirs) = (qso(callsignWorked => '26AT101', mode => 'USB'), qso(callsignWorked => '21SD333'));
save_ends(mine => $mine);
save_ends(theirs => $theirs);
my $time = confirmed_ends(mine => $mine);
for my $change ({ frequencyMhz => '26.000' }, { mode => 'LSB' }, { mode => undef },
    { callsignWorked => '26-at-101' },
    { operatorCallsign => '21 sd 333' }, { operatorCallsign => undef }, { qsoAt => at_ends(57) },
        { qsoAt => at_ends(42) },
    { qsoStatus => 'CFM' },
    { qslSent => JSON::PP::true() }, { sendSpot => JSON::PP::true() }) {
    my $edit = join ' ', map { defined $_ ? $_ : 'null' } %$change;
    save_ends(mine => { %$mine, %$change });
    is confirmed_ends(mine => $mine), $time, "an edit with $edit keeps the time of the confirmation";
    is confirmed_ends(theirs => $theirs), $time,
        "an edit with $edit keeps the time of the confirmation on the other side";
}
my $stamp = item_ends(theirs => $theirs)->{syncedAt};
save_ends(mine => { %$mine, notes => 'mine alone' });
is item_ends(theirs => $theirs)->{syncedAt}, $stamp,
    "an edit that breaks no condition keeps the partner's syncedAt";

# A later, better candidate does not replace a partner. A write that keeps the match does not change the pair.
save_ends(mine => { %$mine, qsoAt => at_ends(50) });
my $nearer = save_ends(mine => qso(callsignWorked => '26AT101'));
is confirmed_ends(mine => $nearer), undef, 'a later, nearer candidate does not end a match';
save_ends(mine => { %$mine, qsoAt => at_ends(55) });
ok confirmed_ends(mine => $mine), 'a write keeps its match despite a nearer candidate';
save_ends(mine => { %$mine, qsoStatus => 'HRD' });
ok confirmed_ends(mine => $nearer), 'if a match ends, another match confirms the previous partner';
is confirmed_ends(theirs => $theirs), confirmed_ends(mine => $nearer),
    'a confirmation by a new partner has the same time on both sides';
is item_ends(mine => $nearer)->{syncedAt}, confirmed_ends(mine => $nearer),
    'the time of a confirmation equals syncedAt of the confirmed QSO';
wipe();

# The written QSO looks for a partner first, and its previous partner looks second.
($mine, $theirs) = map { qso(callsignWorked => $_, qsoAt => at_ends(10)) } '26AT101', '21SD333';
save_ends(mine => $mine);
save_ends(theirs => $theirs);
my $theirs_free = qso(callsignWorked => '21SD333', qsoAt => at_ends(30));
save_ends(theirs => $theirs_free);
my $mine_free = qso(callsignWorked => '26AT101', qsoAt => at_ends(2));
save_ends(mine => $mine_free);
is join('', map { defined $_ ? 1 : 0 } confirmed_ends(mine => $mine_free), confirmed_ends(theirs => $theirs_free)),
    '00',
    'two QSOs whose candidates are confirmed stay unconfirmed';
save_ends(mine => { %$mine, qsoAt => at_ends(30) });
is confirmed_ends(mine => $mine), confirmed_ends(theirs => $theirs_free),
    'a QSO that leaves its partner gets a new partner';
is confirmed_ends(theirs => $theirs), confirmed_ends(mine => $mine_free),
    'a QSO that loses its partner gets a new partner in the same write';
is confirmed_ends(theirs => $theirs), confirmed_ends(mine => $mine),
    'two confirmations from one write have the same time';
wipe();

# A deletion ends only the pair of the deleted QSO.
my @mine = map { qso(callsignWorked => '26AT101', qsoAt => at_ends($_)) } 10, 20, 30;
my @theirs = map { qso(callsignWorked => '21SD333', qsoAt => at_ends($_)) } 11, 21, 31;
save_ends(mine => @mine);
save_ends(theirs => @theirs);
is scalar(grep { $_->{crossConfirmedAt} } $service->download), 3,
    'three QSOs of each member confirm each other in pairs';
$service->delete_qso($mine[1]{clientId});
is confirmed_ends(theirs => $theirs[1]), undef, 'a deletion ends the pair of the deleted QSO';
ok confirmed_ends(theirs => $theirs[$_]), 'a deletion keeps all other pairs' for 0, 2;
save_ends(theirs => { %{$theirs[0]}, callsignWorked => '21SD334' });
my $pairs = join ' ', map { defined confirmed_ends(mine => $_) ? 1 : 0 } @mine[0, 2];
is $pairs, '1 1', 'a QSO that lost its partner is confirmed by the nearest free candidate';
is confirmed_ends(mine => $mine[0]), confirmed_ends(theirs => $theirs[1]),
    'two QSOs that lost their partners confirm each other';

# A disabled member keeps confirmations and gets no new confirmations. The member can be enabled again.
wipe();
save_ends(mine => $mine = qso(callsignWorked => '26AT101', qsoAt => at_ends(10)));
save_ends(theirs => $theirs = qso(callsignWorked => '21SD333', qsoAt => at_ends(10)),
    $theirs_free = qso(callsignWorked => '21SD333', qsoAt => at_ends(20)));
$service->admin('member', 'disable', '26AT101');
ok confirmed_ends(mine => $mine), 'disabling a member keeps confirmations';
save_ends(mine => { %$mine, notes => 'an edit' });
ok confirmed_ends(mine => $mine), "an edit keeps a confirmation of a disabled member's QSO";
save_ends(mine => my $late = qso(callsignWorked => '26AT101', qsoAt => at_ends(20)));
is confirmed_ends(mine => $late), undef, 'a QSO of a disabled member confirms nothing new';
$service->delete_qso($mine->{clientId});
is confirmed_ends(mine => $late), undef,
    'a QSO of a disabled member does not confirm a free candidate';
$service->admin('member', 'enable', '26AT101');
is confirmed_ends(theirs => $theirs), undef, 'enabling a member confirms only at the next write';
save_ends(mine => $late);
is confirmed_ends(mine => $late), confirmed_ends(theirs => $theirs_free),
    'after the member is enabled, a written QSO is confirmed by the nearest match';
is $service->admin('check'), '', 'the database passes the check after all edits';

done_testing;
