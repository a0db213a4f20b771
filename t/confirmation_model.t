use QSOsync::Test fronts => 'nginx', suite => 'all';

# After any sequence of writes and deletions by three members the confirmed pairs are what a simple model says.
my $seed = $ENV{QSOSYNC_TEST_SEED} || 20260517;
my $rounds = $ENV{QSOSYNC_TEST_ROUNDS} || 500;
diag "seed $seed" if $ENV{QSOSYNC_TEST_SEED};
my $service = QSOsync::Service->start;
my @callsign = qw(21SD333 26AT101 13HN888);
my @key = ([$service->read_key, $service->write_key], map { [@{$service->add_member($_)}{qw(read_key write_key)}] }
    @callsign[1, 2]);
srand $seed;

my (%qso, $number, %uuid); # the model: number => {member, minute, worked, operator, mode, status, channel, partner}

sub normal { uc($_[0] // '') =~ s/[ .-]//gr }
sub station { normal($_[0]{operator} // $callsign[$_[0]{member}]) }

# A member's callsign stands for that member alone.
sub is_own {
    my ($qso) = @_;
    my ($owner) = grep { $callsign[$_] eq station($qso) } 0 .. $#callsign;
    return !defined $owner || $owner == $qso->{member};
}

sub matches {
    my ($a, $b) = @_;
    my $family = sub { my $mode = shift; !defined $mode ? undef : $mode =~ /SB\z/ ? 'SSB' : $mode };
    my ($mode_a, $mode_b) = map { $family->($_->{mode}) } $a, $b;
    return $a->{member} != $b->{member}
        && normal($a->{worked}) eq station($b) && normal($b->{worked}) eq station($a) && is_own($a) && is_own($b)
        && abs($a->{minute} - $b->{minute}) <= 15 && ($a->{channel} || 0) == ($b->{channel} || 0)
        && !(defined $mode_a && defined $mode_b && $mode_a ne $mode_b)
        && !grep { ($_->{status} || '') eq 'HRD' } $a, $b;
}

sub pair {
    my ($me) = @_;
    my ($found) = sort { abs($qso{$a}{minute} - $qso{$me}{minute}) <=> abs($qso{$b}{minute} - $qso{$me}{minute})
        || $a <=> $b } grep { !$qso{$_}{partner} && matches($qso{$me}, $qso{$_}) } keys %qso;
    return unless $found;
    $qso{$me}{partner} = $found;
    $qso{$found}{partner} = $me;
}

sub model_write {
    my ($id, $new) = @_;
    my $partner = $qso{$id} && $qso{$id}{partner};
    $qso{$id} = { %$new, partner => $partner };
    return pair($id) unless $partner;
    return if matches($qso{$id}, $qso{$partner});
    $qso{$_}{partner} = undef for $id, $partner;
    pair($id);
    pair($partner);
}

sub model_delete {
    my ($id) = @_;
    my $partner = (delete $qso{$id})->{partner} or return;
    $qso{$partner}{partner} = undef;
    pair($partner);
}

sub pick { $_[rand @_] }

sub random_qso {
    my ($member) = @_;
    return { member => $member, minute => int rand 40,
        worked => pick(@callsign[0, 0, 1, 1], '13-hn 888', '1XX1/P', undef),
        operator => pick((undef) x 5, lc $callsign[$member], '1xx1/p', $callsign[0]),
        mode => pick(undef, undef, 'USB', 'LSB', 'FM'), status => pick(undef, undef, undef, 'HRD'),
        channel => pick(undef, undef, 8) };
}

sub send_qso {
    my ($id, $new) = @_;
    my $member = $new->{member};
    my $entry = qso(clientId => $uuid{$id}, qsoAt => sprintf('2026-05-17T19:%02d:00Z', $new->{minute}),
        callsignWorked => $new->{worked}, operatorCallsign => $new->{operator}, mode => $new->{mode},
        qsoStatus => $new->{status}, $new->{channel} ? (band => 'PMR446', channel => $new->{channel}) : ());
    return $entry;
}

my $step = 0;
while ($step < $rounds) {
    my $member = int rand @callsign;
    if (rand() < 0.25 && %qso) {
        my $id = pick(sort { $a <=> $b } keys %qso);
        $service->delete_qso($uuid{$id}, key => $key[$qso{$id}{member}][1])->status == 204 or die 'not deleted';
        model_delete($id);
        $step++;
        next;
    }
    my @batch;
    for (1 .. 1 + int rand 5) {
        my @own = sort { $a <=> $b } grep { $qso{$_}{member} == $member } keys %qso;
        my $id = @own > 12 || (@own && rand() < 0.4) ? pick(@own) : ++$number;
        $uuid{$id} ||= uuid();
        my $new = random_qso($member);
        push @batch, send_qso($id, $new);
        model_write($id, $new);
        $step++;
    }
    $service->post_batch(\@batch, key => $key[$member][1])->status == 200 or die 'not saved';
    next if rand() < 0.7;

    my (%time_of, @wrong);
    for my $who (0 .. $#callsign) {
        $time_of{$_->{clientId}} = $_->{crossConfirmedAt} for $service->download(key => $key[$who][0]);
    }
    for my $id (keys %qso) {
        my $partner = $qso{$id}{partner};
        my ($time, $expected) = ($time_of{$uuid{$id}}, $partner && $time_of{$uuid{$partner}});
        push @wrong, $id if ($time || '') ne ($expected || '') || ($partner && !$time);
    }
    is "@wrong", '', "after $step writes the confirmed pairs are the model's (seed $seed)" or last;
}
is $service->admin('check'), '', 'the database is whole after all writes of the model';

done_testing;
