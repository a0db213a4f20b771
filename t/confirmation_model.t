use QSOsync::Test fronts => 'nginx', suite => 'all';
use Encode ();
use Unicode::Normalize 'NFC';

# After any sequence of writes, deletions and changes to members, the confirming pairs equal those of a simple model.
my $seed = $ENV{QSOSYNC_TEST_SEED} || 20260517;
my $rounds = $ENV{QSOSYNC_TEST_ROUNDS} || 1_500;
diag "seed $seed" if $ENV{QSOSYNC_TEST_SEED};
my $service = QSOsync::Service->start;
srand $seed;

# At some times, members have these callsigns as their own; at other times, other members log under them.
my @pool = (qw(21SD333 26AT101 13HN888 1XX1/P 9ZZ9), "\x{c4}1\x{416}");
my (%member, $members); # the model: number => {callsign, active, key}
my (%qso, $number, %uuid); # number => {member, minute, worked, operator, mode, status, channel, partner, stamp}
my $now = 0; # the stamp of the current transaction
$member{++$members} = { callsign => '21SD333', active => 1, key => $service->write_key };
new_member($_) for @pool[1, 2];

sub pick { $_[rand @_] }
sub normal { NFC(uc($_[0] // '')) =~ s/[ .-]//gr }
sub station { normal($_[0]{operator} // $member{$_[0]{member}}{callsign}) }

# A member's callsign belongs only to that member.
sub owner { my ($callsign) = @_; return (grep { normal($member{$_}{callsign}) eq $callsign } keys %member)[0] }
sub is_own {
    my ($qso) = @_;
    my $owner = owner(station($qso));
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
    return if !$member{$qso{$me}{member}}{active};
    my ($found) = sort { abs($qso{$a}{minute} - $qso{$me}{minute}) <=> abs($qso{$b}{minute} - $qso{$me}{minute})
            || $a <=> $b }
        grep { !$qso{$_}{partner} && $member{$qso{$_}{member}}{active} && matches($qso{$me}, $qso{$_}) } keys %qso;
    return unless $found;
    @{$qso{$me}}{qw(partner stamp)} = ($found, $now);
    @{$qso{$found}}{qw(partner stamp)} = ($me, $now);
}

# Re-evaluates a QSO. Its pair remains if the pair still meets the conditions.
sub decide {
    my ($id) = @_;
    my $partner = $qso{$id}{partner} or return pair($id);
    return if matches($qso{$id}, $qso{$partner});
    @{$qso{$_}}{qw(partner stamp)} = (undef, $now) for $id, $partner;
    pair($id);
    pair($partner);
}

sub model_write {
    my ($id, $new) = @_;
    $qso{$id} = { %$new, partner => $qso{$id} && $qso{$id}{partner}, stamp => $now };
    decide($id);
}

sub model_delete {
    my ($id) = @_;
    my $partner = (delete $qso{$id})->{partner} or return;
    @{$qso{$partner}}{qw(partner stamp)} = (undef, $now);
    pair($partner);
}

sub in_order { return sort { $qso{$a}{stamp} <=> $qso{$b}{stamp} || $a <=> $b } @_ }
sub log_of { my ($who) = @_; return in_order(grep { $qso{$_}{member} == $who } keys %qso) }
sub review_log { my ($who) = @_; $qso{$_}{stamp} < $now and decide($_) for log_of($who) }
sub review_callsign {
    my ($callsign) = @_;
    return if defined owner($callsign);
    for my $id (sort { $a <=> $b } keys %qso) {
        decide($id) if normal($qso{$id}{operator}) eq $callsign && !$qso{$id}{partner};
    }
}
sub admin { return $service->admin(map { Encode::encode('UTF-8', $_) } @_) }
sub unused { return grep { !defined owner(normal($_)) } @pool }

sub new_member {
    my ($callsign) = @_;
    my $keys = $service->add_member(Encode::encode('UTF-8', rand() < 0.5 ? lc $callsign : $callsign));
    $member{++$members} = { callsign => $callsign, active => 1, key => $keys->{write_key} };
}
sub add { new_member(pick(unused())) if keys %member < 4 }
sub turn {
    my $who = pick(sort keys %member);
    my $is_on = $member{$who}{active} = !$member{$who}{active};
    admin('member', $is_on ? 'enable' : 'disable', $member{$who}{callsign});
    $now++;
    review_log($who) if $is_on;
}
sub rename_one {
    my $who = pick(sort keys %member);
    my ($old, $new) = ($member{$who}{callsign}, pick(unused()));
    admin('member', 'rename', $old, $new);
    $member{$who}{callsign} = $new;
    $now++;
    review_log($who);
    review_callsign(normal($old));
}
sub delete_one {
    return if keys %member < 3;
    my $who = pick(sort keys %member);
    my $callsign = $member{$who}{callsign};
    admin('member', 'delete', $callsign, '--yes');
    $now++;
    $member{$who}{active} = 0;
    while (my ($id) = log_of($who)) { model_delete($id) }
    delete $member{$who};
    review_callsign(normal($callsign));
}

sub random_qso {
    my ($who) = @_;
    return { member => $who, minute => int rand 40,
        worked => pick((map { $member{$_}{callsign} } sort keys %member) x 2, '13-hn 888', '1xx1/P', '9ZZ9',
            "a\x{308}-1\x{436}", undef),
        operator => pick((undef) x 5, lc $member{$who}{callsign}, '1xx1/p', '9-zz-9', "\x{e4}1\x{436}", $pool[0]),
        mode => pick((undef) x 3, 'USB', 'LSB', 'FM'), status => pick((undef) x 7, 'HRD'),
        channel => pick((undef) x 5, 8) };
}

sub entry_of {
    my ($id, $new) = @_;
    return qso(clientId => $uuid{$id}, qsoAt => sprintf('2026-05-17T19:%02d:00Z', $new->{minute}),
        callsignWorked => $new->{worked}, operatorCallsign => $new->{operator}, mode => $new->{mode},
        qsoStatus => $new->{status}, $new->{channel} ? (band => 'PMR446', channel => $new->{channel}) : ());
}

sub erase {
    my ($id) = pick(sort { $a <=> $b } grep { $member{$qso{$_}{member}}{active} } keys %qso);
    return if !defined $id;
    $service->delete_qso($uuid{$id}, key => $member{$qso{$id}{member}}{key})->status == 204 or die 'not deleted';
    $now++;
    model_delete($id);
}

sub write_some {
    my $who = pick(sort grep { $member{$_}{active} } keys %member) // return;
    my @batch;
    $now++;
    for (1 .. 1 + int rand 5) {
        my @own = sort { $a <=> $b } grep { $qso{$_}{member} == $who } keys %qso;
        my $id = @own > 16 || (@own && rand() < 0.4) ? pick(@own) : ++$number;
        $uuid{$id} ||= uuid();
        my $new = random_qso($who);
        push @batch, entry_of($id, $new);
        model_write($id, $new);
    }
    $service->post_batch(\@batch, key => $member{$who}{key})->status == 200 or die 'not saved';
}

my @works = ((\&write_some) x 14, (\&erase) x 4, (\&turn) x 3, \&rename_one, \&add, \&delete_one);
my $number_of_pairs = 0;
for my $step (1 .. $rounds) {
    pick(@works)->();
    next if rand() < 0.7 && $step < $rounds;

    # The pairs are read from the database, because the keys of disabled members do not work.
    my %stored = map { my ($uuid, @row) = split /\|/; ($uuid => "@row") } split /\n/, $service->sqlite(
        'SELECT lower(hex(mine.client_id)), lower(hex(other.client_id)), mine.cross_confirmed_at IS NULL,
            other.cross_confirmed_at IS NOT mine.cross_confirmed_at
        FROM qsos AS mine LEFT JOIN qsos AS other ON other.id = mine.confirmed_by');
    my %expected = map { my $partner = $qso{$_}{partner};
        ($uuid{$_} =~ s/-//gr => $partner ? $uuid{$partner} =~ s/-//gr . ' 0 0' : ' 1 0') } keys %qso;
    $number_of_pairs += grep { /\A\S/ } values %expected;
    my @wrong = grep { ($stored{$_} // 'none') ne ($expected{$_} // 'none') } sort keys %{{%stored, %expected}};
    is "@wrong", '', "after $step steps, the confirmed pairs equal the model's pairs (seed $seed)" or last;
}
cmp_ok $number_of_pairs, '>', $rounds / 4, 'the steps create pairs';
is $service->admin('check'), '', 'the logbook passes the check after all steps';

done_testing;
