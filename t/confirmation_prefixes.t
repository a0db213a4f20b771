use QSOsync::Test fronts => 'nginx';
use QSOsync::Profile;

# A prefix or suffix makes a different station, so such QSOs do not confirm each other. Both members get the reason,
# unless it reveals more of the other's log than a QSO with equal callsigns would.
my $seed = $ENV{QSOSYNC_TEST_SEED} || 20261122;
diag "seed $seed" if $ENV{QSOSYNC_TEST_SEED};
srand $seed;
my $service = QSOsync::Service->start(site => 1);
my @callsign = qw(21SD333 26AT101 13HN888);
my @member = ({ read_key => $service->read_key, write_key => $service->write_key },
    map { $service->add_member($_) } @callsign[1, 2]);
my @page = map { QSOsync::Profile->log_in($service, $_) } @callsign;
my $day = 0;

sub save {
    my ($who, @qsos) = @_;
    my $answer = $service->post_batch(\@qsos, key => $member[$who]{write_key});
    $_->{id} or die 'not saved' for @{$answer->json->{results}};
}
sub near {
    my ($who) = @_;
    return { map { $_->{qso}{clientId} => $_->{reason} } @{$page[$who]->get('near-matches')->json->{items}} };
}
sub confirmed {
    my ($who) = @_;
    return { map { $_->{crossConfirmedAt} ? ($_->{clientId} => 1) : () }
        $service->download(key => $member[$who]{read_key}) };
}
sub logged {
    my ($operator, $worked, %more) = @_;
    return qso(qsoAt => iso_time(1_780_000_000 + 3 * 86_400 * $day), mode => 'USB', callsignWorked => $worked,
        operatorCallsign => $operator, %more);
}

# The QSOs of the first two members, and the reason that each gets.
my @cases = (
    ['161/21SD333', '26AT101', undef, '21SD333', 'CALLSIGN'],
    [undef, '26AT101', undef, '161/21SD333', 'CALLSIGN'],
    ['21-SD-333/p', '26AT101', undef, '21SD333', 'CALLSIGN'],
    [undef, '26AT101/QRP', undef, '21SD333', 'CALLSIGN'],
    ['161/21SD333/M', '26AT101', '1/26AT101', '21SD333', 'CALLSIGN'],
    ['161/21SD333', '26AT101', undef, '161/21SD333', undef], # confirmed
    ['161/21SD333', '26AT101', undef, '161/21SD334', undef],
    ['161/21SD333', '26AT101', undef, 'SP/21SD333', undef],
    ['21SD333/P', '26AT101', '13HN888', '21SD333', undef],
);
for my $case (@cases) {
    my ($operator_a, $worked_a, $operator_b, $worked_b, $reason) = @$case;
    $day++;
    my ($mine, $theirs) = (logged($operator_a, $worked_a), logged($operator_b, $worked_b));
    save(0, $mine);
    save(1, $theirs);
    my $name = join ' ', map { $_ // '-' } @$case[0 .. 3];
    is near(0)->{$mine->{clientId}}, $reason, "$name: the first member gets the reason";
    is near(1)->{$theirs->{clientId}}, $reason, "$name: the second member gets the reason";
    is +(grep { $_->{$mine->{clientId}} } confirmed(0)) ? 1 : 0, $day == 6 ? 1 : 0,
        "$name: only equal callsigns are confirmed";
}
my ($mine, $theirs) = (logged('161/21SD333', '26AT101', mode => 'AM'), logged(undef, '21SD333'));
save(0, $mine);
save(1, $theirs);
is near(0)->{$mine->{clientId}}, undef, 'a QSO that also differs in the mode gets no reason';

# Any number of QSOs under all kinds of callsigns: a member gets a reason for a QSO if and only if it would be confirmed
# with the callsigns that the partner has written.
my (%qso, @wrong, $told);
sub pick { $_[rand @_] }
sub of { my ($who) = @_; my $call = $callsign[$who]; return pick($call, $call, "161/$call", "$call/P", "14/$call/M") }
sub base { my ($call) = @_; $call =~ s{\A\d+/|/[PM]\z}{}g; return $call }
for (1 .. 120) {
    my $who = int rand 3;
    $day = 20 + int rand 18;
    my $entry = logged(pick(undef, of($who), of($who), of(int rand 3)), of(int rand 3));
    save($who, $entry);
    $qso{$entry->{clientId}} = { %$entry, who => $who, station => $entry->{operatorCallsign} // $callsign[$who] };
}
for my $who (0 .. 2) {
    my ($near, $confirmed) = (near($who), confirmed($who));
    for my $id (sort grep { ($near->{$_} // '') eq 'CALLSIGN' && $qso{$_} } keys %$near) {
        my $own = $qso{$id};
        $told++;
        my @others = grep { $_->{who} != $who && $_->{qsoAt} eq $own->{qsoAt}
            && $callsign[$_->{who}] eq base($_->{station})
            && $callsign[$who] eq base($_->{callsignWorked}) } values %qso;
        my @try = map { +{ %$own, clientId => uuid(), operatorCallsign => $_->{callsignWorked},
            callsignWorked => $_->{station} } } @others;
        delete @$_{qw(who station)} for @try;
        save($who, @try) if @try;
        my $now = confirmed($who);
        push @wrong, "$own->{station} with $own->{callsignWorked}" if !grep { $now->{$_->{clientId}} } @try;
        $service->delete_qso($_->{clientId}, key => $member[$who]{write_key}) for @try;
        push @wrong, "$own->{station} is not $callsign[$who]" if base($own->{station}) ne $callsign[$who];
    }
    my @confirmed = map { confirmed($_) } 0 .. 2; # including those confirmed in the meantime
    for my $own (grep { $_->{who} == $who && !$confirmed->{$_->{clientId}} && !$near->{$_->{clientId}}
        && base($_->{station}) eq $callsign[$who] } values %qso) {
        push @wrong, "$own->{station} with $own->{callsignWorked} is not told" if grep { $_->{who} != $who
            && $_->{qsoAt} eq $own->{qsoAt} && !$confirmed[$_->{who}]{$_->{clientId}}
            && base($own->{callsignWorked}) eq $callsign[$_->{who}] && base($_->{station}) eq $callsign[$_->{who}]
            && base($_->{callsignWorked}) eq $callsign[$who] } values %qso;
    }
}
cmp_ok $told // 0, '>', 5, "some QSOs are almost confirmed (seed $seed)";
is_deeply \@wrong, [], "exactly the QSOs that equal callsigns would confirm get a reason (seed $seed)";
is $service->admin('check'), '', 'the logbook passes the check after random QSOs';

# Later entries of a batch find a freed QSO. Earlier entries found no QSO that logged this station under a callsign
# without a member.
{
    my $service = QSOsync::Service->start(workers => 1);
    my $other = $service->add_member('26AT101');
    my %contact = (qsoAt => '2026-05-17T19:42:00.000Z', mode => 'USB');

    my $theirs = qso(%contact, operatorCallsign => '1XX001', callsignWorked => '21SD333');
    my $mine = qso(%contact, callsignWorked => '1XX001');
    $service->post_batch([$theirs], key => $other->{write_key});
    $service->post_batch([$mine]);
    sub are_confirmed {
        my %found = map { $_->{clientId} => defined $_->{crossConfirmedAt} ? 1 : 0 } $service->download;
        return map { $found{$_->{clientId}} } @_;
    }
    is_deeply [are_confirmed($mine)], [1], 'a QSO under a callsign without a member confirms another';

    my ($nobody, $again) = (qso(%contact, callsignWorked => '9ZZ999'), qso(%contact, callsignWorked => '1XX001'));
    is $service->post_batch([$nobody, { %$mine, callsignWorked => '9ZZ998' }, $again])->status, 200,
        'a batch that frees and claims a partner succeeds';
    is_deeply [are_confirmed($nobody, $mine, $again)], [0, 0, 1],
        'the entry after the freeing one gets the partner';

    my ($own, $late) = (qso(%contact, operatorCallsign => '1XX002', callsignWorked => '21SD333'),
        qso(%contact, callsignWorked => '1XX002'));
    $service->post_batch([$nobody, $own, $late]);
    is_deeply [are_confirmed($late)], [0], "a member's own QSO does not confirm";
    $service->stop;
}

# A disabled member's log gets no new confirmation by any write, including the operator's import.
{
    my $service = QSOsync::Service->start;
    $service->add_member('26AT101');
    $service->admin('import', '26AT101', write_adif('21SD333'));
    $service->admin('member', 'disable', '21SD333');
    sub write_adif {
        my ($worked) = @_;
        my $path = $service->directory . "/$worked.adi";
        QSOsync::Front::write_file($path,
            "<call:7>$worked<qso_date:8>20260517<time_on:6>194200<band:3>11m<freq:6>27.555<mode:3>USB<eor>\n");
        return $path;
    }
    sub count_confirmed { $service->sqlite('SELECT count(*) FROM qsos WHERE confirmed_by IS NOT NULL') }
    $service->admin('import', '21SD333', write_adif('26AT101'));
    is $service->sqlite('SELECT count(*) FROM qsos'), 2, 'both members have the contact';
    is count_confirmed(), 0, 'an import into the log of a disabled member confirms nothing';
    $service->admin('member', 'enable', '21SD333');
    my $again = $service->directory . '/again.adi';
    QSOsync::Front::write_file($again, QSOsync::Front::read_file(write_adif('26AT101')) =~ s/<eor>/<comment:1>x<eor>/r);
    $service->admin('import', '21SD333', $again);
    is count_confirmed(), 2, 'after enabling the member, the next write confirms the contact';
    $service->stop;
}

done_testing;
