use QSOsync::Test fronts => 'nginx';

# How confirmations begin and end.
my $service = QSOsync::Service->start;
my $other = $service->add_member('26AT101');
my $third = $service->add_member('14FR014');
my %key = (mine => [$service->read_key, $service->write_key], map { $_->[0] => [@{$_->[1]}{qw(read_key write_key)}] }
    [theirs => $other], [third => $third]);

sub save {
    my ($who, $qso) = @_;
    my $result = $service->post_batch([$qso], key => $key{$who}[1])->json->{results}[0];
    die "not saved: $result->{error}" unless $result->{id};
    return $qso;
}

sub item {
    my ($who, $qso) = @_;
    return (grep { $_->{clientId} eq $qso->{clientId} } $service->download(key => $key{$who}[0]))[0];
}
sub confirmed { item(@_)->{crossConfirmedAt} }
sub at { sprintf '2026-05-17T19:%02d:00.000Z', $_[0] }

my $mine = save(mine => qso(callsignWorked => '26AT101'));
my $before = item(mine => $mine)->{syncedAt};
my $tag = $service->get('/logs/ids')->header('ETag');
my $theirs = save(theirs => qso(callsignWorked => '21SD333'));
is confirmed(mine => $mine), confirmed(theirs => $theirs), 'a confirmation has one time on both sides';
cmp_ok item(mine => $mine)->{syncedAt}, 'gt', $before, "a confirmation raises syncedAt of the other member's QSO";
isnt $service->get('/logs/ids')->header('ETag'), $tag, "a confirmation changes the other member's tag of /logs/ids";
my $since = $service->get("/logs?updatedSince=$before")->json;
is scalar(@{$since->{items}}), 1, "an incremental download brings the other member's QSO that was confirmed";

my $time = confirmed(mine => $mine);
save(mine => { %$mine, notes => 'an edit' });
is confirmed(mine => $mine), $time, 'an edit of the notes keeps the confirmation and its time';
save(mine => { %$mine, qsoStatus => 'HRD' });
is confirmed($_->[0] => $_->[1]), undef, "an edit that ends the match ends the confirmation of $_->[0]"
    for [mine => $mine], [theirs => $theirs];
save(mine => $mine);
ok confirmed(theirs => $theirs), 'an edit that makes the QSOs match again confirms both';
cmp_ok confirmed(theirs => $theirs), 'gt', $time, 'a confirmation that comes back has a new time';

my $rival = save(mine => qso(callsignWorked => '26AT101', qsoAt => '2026-05-17T19:42:00.000Z'));
is confirmed(mine => $rival), undef, 'a second QSO that fits a confirmed one is not confirmed';
$service->delete_qso($mine->{clientId});
ok confirmed(mine => $rival), 'when the partner of a QSO is deleted, the next one that fits is confirmed';
ok confirmed(theirs => $theirs), 'when the partner of a QSO is deleted, it is confirmed by the next one that fits';
$service->delete_qso($rival->{clientId});
is confirmed(theirs => $theirs), undef, 'when the last partner of a QSO is deleted, it is not confirmed any longer';
$service->delete_qso($theirs->{clientId}, key => $key{theirs}[1]);

my @candidates = map { save(mine => qso(callsignWorked => '26AT101', qsoAt => at($_))) } 10, 22, 18, 20, 20;
save(theirs => $theirs = qso(callsignWorked => '21SD333', qsoAt => at(20)));
is join('', map { defined confirmed(mine => $_) ? 1 : 0 } @candidates), '00010',
    'of several that fit the nearest in time is confirmed, of equally near ones the oldest';
$service->delete_qso($candidates[3]{clientId});
is join('', map { defined confirmed(mine => $_) ? 1 : 0 } @candidates[0, 1, 2, 4]), '0001',
    'when the nearest one is deleted, the next nearest is confirmed';
$service->delete_qso($_->{clientId}) for @candidates[0, 1, 2, 4];
$service->delete_qso($theirs->{clientId}, key => $key{theirs}[1]);

# Inside one batch, and with a third member at the same station.
save(theirs => $theirs = qso(callsignWorked => '21SD333', operatorCallsign => '26CLUB'));
my $club = save(third => qso(callsignWorked => '21SD333', operatorCallsign => '26-club', qsoAt => at(43)));
$service->post_batch([map { qso(callsignWorked => '26CLUB') } 1 .. 3]);
is scalar(grep { $_->{crossConfirmedAt} } $service->download), 2,
    'of three QSOs in a batch two find the two partners that there are';
ok confirmed(third => $club) && confirmed(theirs => $theirs),
    'the partners of a batch can belong to two members at one station';

save(third => qso(callsignWorked => '21SD333'));
$service->admin('member', 'disable', '14FR014');
save(mine => my $late = qso(callsignWorked => '14FR014'));
is confirmed(mine => $late), undef, 'a QSO of a disabled member confirms nothing';
my $own = save(mine => qso(callsignWorked => '21SD333'));
save(mine => qso(callsignWorked => '21SD333'));
is confirmed(mine => $own), undef, 'two QSOs of one member do not confirm each other';
is $service->admin('check'), '', 'the database is whole';

# How a confirmation ends: by any change that breaks one of its conditions, and by nothing else; and who
# looks for a new partner, in which order.
{
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

    # Each condition, broken by an update of either side.
    my @breaks = (
        [{ band => 'PMR446', channel => 8 }, 'another band'],
            [{ callsignWorked => '26AT102' }, 'another station worked'],
        [{ callsignWorked => undef }, 'no station worked'],
        [{ operatorCallsign => '21SD333/P' }, 'another station callsign'],
        [{ qsoAt => at_ends(57, 1) }, 'a time more than 15 minutes off'],
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
            ok $time, "$break->[1] of $side: the QSOs are confirmed before the change";
            save_ends($side, { %{$qso{$side}}, %change });
            is confirmed_ends($_ => $qso{$_}), undef, "$break->[1] of $side ends the confirmation of $_"
                for qw(mine theirs);
            my $item = item_ends($far => $qso{$far});
            cmp_ok $item->{syncedAt}, 'gt', $stamp, "$break->[1] of $side raises syncedAt on the other side";
            is $item->{syncedAt}, item_ends($side => $qso{$side})->{syncedAt},
                "$break->[1] of $side gives both sides one syncedAt";
            wipe();
        }
    }

    # What is not a condition does not end it.
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
        'an edit that breaks no condition leaves syncedAt on the other side';

    # A better candidate that comes later does not take a partner away, nor does a write that keeps its match.
    save_ends(mine => { %$mine, qsoAt => at_ends(50) });
    my $nearer = save_ends(mine => qso(callsignWorked => '26AT101'));
    is confirmed_ends(mine => $nearer), undef, 'a nearer candidate that comes later leaves a match alone';
    save_ends(mine => { %$mine, qsoAt => at_ends(55) });
    ok confirmed_ends(mine => $mine), 'a write that keeps its match keeps it, though another would be nearer';
    save_ends(mine => { %$mine, qsoStatus => 'HRD' });
    ok confirmed_ends(mine => $nearer), 'when a match ends, the former partner is confirmed by another one that fits';
    is confirmed_ends(theirs => $theirs), confirmed_ends(mine => $nearer),
        'a confirmation by another partner has one time on both sides';
    is item_ends(mine => $nearer)->{syncedAt}, confirmed_ends(mine => $nearer),
        'the time of a confirmation is the stamp of the write that made it';
    wipe();

    # The written QSO looks first, its former partner after it.
    ($mine, $theirs) = map { qso(callsignWorked => $_, qsoAt => at_ends(10)) } '26AT101', '21SD333';
    save_ends(mine => $mine);
    save_ends(theirs => $theirs);
    my $theirs_free = qso(callsignWorked => '21SD333', qsoAt => at_ends(30));
    save_ends(theirs => $theirs_free);
    my $mine_free = qso(callsignWorked => '26AT101', qsoAt => at_ends(2));
    save_ends(mine => $mine_free);
    is join('', map { defined $_ ? 1 : 0 } confirmed_ends(mine => $mine_free), confirmed_ends(theirs => $theirs_free)),
        '00',
        'two QSOs whose candidates are taken are not confirmed';
    save_ends(mine => { %$mine, qsoAt => at_ends(30) });
    is confirmed_ends(mine => $mine), confirmed_ends(theirs => $theirs_free),
        'a QSO that leaves its partner finds a new one';
    is confirmed_ends(theirs => $theirs), confirmed_ends(mine => $mine_free),
        'a QSO that is left by its partner finds a new one in the same write';
    is confirmed_ends(theirs => $theirs), confirmed_ends(mine => $mine),
        'the two confirmations of one write have one time';
    wipe();

    # A deletion among several pairs.
    my @mine = map { qso(callsignWorked => '26AT101', qsoAt => at_ends($_)) } 10, 20, 30;
    my @theirs = map { qso(callsignWorked => '21SD333', qsoAt => at_ends($_)) } 11, 21, 31;
    save_ends(mine => @mine);
    save_ends(theirs => @theirs);
    is scalar(grep { $_->{crossConfirmedAt} } $service->download), 3,
        'three QSOs and three of the other member confirm each other in pairs';
    $service->delete_qso($mine[1]{clientId});
    is confirmed_ends(theirs => $theirs[1]), undef, 'a deletion ends its own pair';
    ok confirmed_ends(theirs => $theirs[$_]), 'a deletion leaves the confirmations of other pairs' for 0, 2;
    save_ends(theirs => { %{$theirs[0]}, callsignWorked => '21SD334' });
    my $pairs = join ' ', map { defined confirmed_ends(mine => $_) ? 1 : 0 } @mine[0, 2];
    is $pairs, '1 1', 'a QSO that was set free takes the nearest free candidate';
    is confirmed_ends(mine => $mine[0]), confirmed_ends(theirs => $theirs[1]),
        'a QSO that lost its partner is confirmed by one that had lost its own';

    # A member that is disabled keeps its confirmations, takes part in no new ones, and comes back.
    wipe();
    save_ends(mine => $mine = qso(callsignWorked => '26AT101', qsoAt => at_ends(10)));
    save_ends(theirs => $theirs = qso(callsignWorked => '21SD333', qsoAt => at_ends(10)),
        $theirs_free = qso(callsignWorked => '21SD333', qsoAt => at_ends(20)));
    $service->admin('member', 'disable', '26AT101');
    ok confirmed_ends(mine => $mine), 'a confirmation stays when the member is disabled';
    save_ends(mine => { %$mine, notes => 'an edit' });
    ok confirmed_ends(mine => $mine), "a confirmation of a disabled member's QSO stays through an edit";
    save_ends(mine => my $late = qso(callsignWorked => '26AT101', qsoAt => at_ends(20)));
    is confirmed_ends(mine => $late), undef, 'a QSO of a disabled member confirms nothing new';
    $service->delete_qso($mine->{clientId});
    is confirmed_ends(mine => $late), undef,
        'a QSO of a disabled member confirms nothing new when a candidate becomes free';
    $service->admin('member', 'enable', '26AT101');
    is confirmed_ends(theirs => $theirs), undef, 'enabling a member confirms nothing by itself';
    save_ends(mine => $late);
    is confirmed_ends(mine => $late), confirmed_ends(theirs => $theirs_free),
        'a write after the member is enabled again is confirmed by the nearest that fits';
    is $service->admin('check'), '', 'the database is whole';
}

done_testing;
