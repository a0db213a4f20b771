use QSOsync::Test fronts => 'none', slow => 21, suite => 'all';

# In two clubs, members write at random, are renamed (even to callsigns of the other club), disabled, added and deleted.
# Logbooks are restored, clocks differ, visits run in pairs or are killed, and messages are lost, late or duplicated.
# Whenever both clubs have asked each other, each club stores exactly the claims that a plain calculation finds in the
# other club's log. Every matching QSO is confirmed, and no other QSO. A QSO that remains confirmed keeps its time, no
# matter which club confirms it.
use File::Temp ();
use JSON::PP ();
use Time::HiRes qw(sleep time);
use QSOsync::Proxy;

my $seed = $ENV{QSOSYNC_TEST_SEED} || int rand 1e6;
my $end = time + ($ENV{QSOSYNC_TEST_SECONDS} || 20);
srand $seed;
note "seed $seed";

# The second club's clock is an hour ahead of or behind the first club's clock.
my $folder = File::Temp->newdir;
my $boot = QSOsync::Front::build_preload($folder, 't/powercut/boot.c');
my @clock_ms = (0, pick(-3_600_000, 3_600_000));
my $has_faults = "$folder/faults"; # exists while the network has faults

my @club = map { club($_) } 0, 1;
my $next = 10;
sub club {
    my ($number) = @_;
    # A sanitizer must be loaded first, so sanitized programs keep the machine's clock.
    my %clock = QSOsync::Front::is_sanitized()
        ? () : (LD_PRELOAD => $boot, BOOT_CLOCK_MS => $clock_ms[$number]);
    my $service = QSOsync::Service->start(site => 1, environment => { QSOSYNC_HISTORY_DAYS => 30, %clock });
    my $club = { service => $service, number => $number, clock => \%clock };
    $club->{proxy} = QSOsync::FaultyProxy->start($service, sub { fate($_[0] + 7919 * $number) });
    admin($club, 'club', 'set', '--address', address($club));
    $club->{members} = [map { new_member($club, ($number ? 26 : 14) . "AT$_") } 1 .. 3];
    return $club;
}
sub new_member {
    my ($club, $callsign) = @_;
    my $member = $club->{service}->add_member($callsign);
    $member->{id} = $club->{service}->sqlite("SELECT id FROM members WHERE callsign = '$callsign'");
    return $member;
}
sub address { return $_[0]{proxy}->url =~ s{/api/v1\z}{}r }
sub admin_try {
    my ($club, @command) = @_;
    local @ENV{keys %{$club->{clock}}} = values %{$club->{clock}};
    return $club->{service}->admin_try(@command);
}
sub admin {
    my ($club, @command) = @_;
    local @ENV{keys %{$club->{clock}}} = values %{$club->{clock}};
    return $club->{service}->admin(@command);
}
chomp(my $code = admin($club[0], 'peer', 'add', address($club[1])));
admin($club[1], 'peer', 'enter', $code);

# Decides the fate of a request while the network has faults.
sub fate {
    my ($number) = @_;
    return 'pass' if !-e $has_faults;
    srand $seed * 1009 + $number;
    return pick('pass', 'lost', 'cut', 'twice', 'late', 'late', 'broken');
}

sub pick { return $_[rand @_] }
sub stamp { sprintf '2026-05-%02dT%02d:%02d:00.000Z', 1 + int($_[0] / 1440), $_[0] / 60 % 24, $_[0] % 60 }
sub random_qso {
    my ($club) = @_;
    my $worked = pick(@{$club[rand() < 0.3 ? $club->{number} : 1 - $club->{number}]{members}})->{callsign};
    $worked = pick('14AT999', '26AT998', '1X1', '1X2', lc $worked, $worked =~ s/AT/-AT-/r) if rand() < 0.15;
    my $pmr = rand() < 0.15;
    return qso(qsoAt => stamp(int(rand 600)), callsignWorked => $worked,
        mode => $pmr ? 'FM' : pick('USB', 'LSB', 'FM', undef),
        band => $pmr ? 'PMR446' : 'ELEVEN_METERS', ($pmr ? (channel => pick(1, 2)) : ()),
        (rand() < 0.05 ? (qsoStatus => 'HRD') : ()),
        (rand() < 0.1 ? (operatorCallsign => pick('14AT1', '1X1', '1X2')) : ()));
}

# The functions below change logs and members.
sub active { return grep { !$_->{disabled} } @{$_[0]{members}} }
sub write_some {
    my ($club, $count) = @_;
    my $member = pick(active($club)) or return;
    my @known = grep { $_->{member} == $member } values %{$club->{qsos}};
    my @entries;
    for (1 .. $count) {
        my $qso = random_qso($club);
        $qso->{clientId} = pick(@known)->{qso}{clientId} if @known && rand() < 0.5;
        push @entries, $qso;
        $club->{qsos}{$qso->{clientId}} = { member => $member, qso => $qso };
    }
    $club->{service}->post_batch(\@entries, key => $member->{write_key});
}
sub erase {
    my ($club) = @_;
    my $known = pick(values %{$club->{qsos}}) or return;
    return if $known->{member}{disabled};
    $club->{service}->delete_qso($known->{qso}{clientId}, key => $known->{member}{write_key});
    delete $club->{qsos}{$known->{qso}{clientId}};
}
# Returns a callsign of the club, of the other club, or of neither.
sub any_callsign {
    my ($club) = @_;
    return pick(@{$club[1 - $club->{number}]{members}})->{callsign} if rand() < 0.2;
    return pick('1X1', '1X2') if rand() < 0.2;
    return ($club->{number} ? 26 : 14) . 'AT' . (rand() < 0.5 ? 1 + int rand 5 : $next++);
}
sub rename_one {
    my ($club) = @_;
    my $member = pick(@{$club->{members}});
    my $callsign = any_callsign($club);
    return if grep { $_->{callsign} eq $callsign } @{$club->{members}};
    admin($club, 'member', 'rename', $member->{callsign}, $callsign);
    $member->{callsign} = $callsign;
}
sub turn {
    my ($club) = @_;
    my $member = pick(@{$club->{members}});
    admin($club, 'member', $member->{disabled} ? 'enable' : 'disable', $member->{callsign});
    $member->{disabled} = !$member->{disabled};
}
sub add_one {
    my ($club) = @_;
    return if @{$club->{members}} > 4;
    my $callsign = any_callsign($club);
    return if grep { $_->{callsign} eq $callsign } @{$club->{members}};
    push @{$club->{members}}, new_member($club, $callsign);
}
sub delete_one {
    my ($club) = @_;
    return if @{$club->{members}} < 3;
    my $member = pick(@{$club->{members}});
    admin($club, 'member', 'delete', $member->{callsign}, '--yes');
    $club->{members} = [grep { $_ != $member } @{$club->{members}}];
    delete @{$club->{qsos}}{grep { $club->{qsos}{$_}{member} == $member } keys %{$club->{qsos}}};
}
sub refuse_one {
    my ($club) = @_;
    my $member = pick(@{$club->{members}});
    $club->{service}->sqlite("UPDATE members SET claims = 1 - claims WHERE callsign = '$member->{callsign}'");
}
sub undo_some {
    my ($club) = @_;
    my $member = pick(@{$club->{members}});
    admin_try($club, 'undo', $member->{callsign}, '--by', 'WRITE test', '--since', '2020-01-01');
}
sub keep { my ($club) = @_; unlink kept($club); admin($club, 'backup', kept($club)) }
sub kept { $_[0]{service}->directory . '/kept.db' }
sub restore {
    my ($club) = @_;
    return if !-e kept($club);
    admin($club, 'restore', kept($club));
    my %callsigns = map { split /\|/ } split /\n/, $club->{service}->sqlite('SELECT id, callsign FROM members');
    for my $member (@{$club->{members}}) { # members added since the backup are gone, and names are those of the backup
        $member->{callsign} = $callsigns{$member->{id}} // $member->{callsign};
    }
    read_members($club);
}
# Updates the club's list of members after a restore. Members who still exist are found by key or by callsign.
sub read_members {
    my ($club) = @_;
    my %rows = map { my ($callsign, $active) = split /\|/; ($callsign => $active) }
        split /\n/, $club->{service}->sqlite('SELECT callsign, active FROM members');
    my @kept;
    for my $member (@{$club->{members}}) {
        my $me = $club->{service}->get('/me', key => $member->{read_key});
        my ($callsign) = $me->status == 200 ? $me->json->{callsign} : grep { $_ eq $member->{callsign} } keys %rows;
        next if !defined $callsign || !exists $rows{$callsign};
        @$member{qw(callsign disabled)} = ($callsign, !$rows{$callsign});
        push @kept, $member;
    }
    $club->{members} = \@kept;
    $club->{qsos} = {};
}
sub begin_visit {
    my ($club) = @_;
    my $pid = fork // die $!;
    return $pid if $pid;
    @ENV{keys %{$club->{clock}}} = values %{$club->{clock}};
    open STDOUT, '>', '/dev/null';
    open STDERR, '>', '/dev/null';
    exec "$QSOsync::Front::BUILD/qsosync-admin", '--db', $club->{service}->db, 'peer', 'pull' or POSIX::_exit(1);
}
# Runs one visit, or two visits at once, while the network has faults. The second visit can overtake the first visit,
# and the first visit can be killed.
sub visit {
    my ($club) = @_;
    QSOsync::Front::write_file($has_faults, '');
    my @visits = map { begin_visit($club) } 1 .. 1 + int rand 2;
    if (rand() < 0.5) {
        sleep rand 0.06;
        kill KILL => $visits[0];
    }
    waitpid $_, 0 for @visits;
    unlink $has_faults;
}

# Asks for changes since another time, and ignores the answer.
sub ask_in_vain {
    my ($club) = @_;
    my $other = $club[1 - $club->{number}]{service};
    my $key = $club->{service}->sqlite('SELECT ask_key FROM peers WHERE removed_at IS NULL');
    $other->request('POST', '', raw_path => '/peers/v1/claims', key => $key,
        json => { members => [map { { callsign => $_->{callsign}, since => pick(undef, '2026-01-01T00:00:00Z') } }
            @{$club->{members}}], limit => 1 + int rand 50 });
}
my %works = (write => \&write_some, erase => \&erase, rename => \&rename_one, turn => \&turn, add => \&add_one,
    delete => \&delete_one,
    refuse => \&refuse_one, undo => \&undo_some, keep => \&keep, restore => \&restore, visit => \&visit,
    ask => \&ask_in_vain);
my @works = (('write') x 8, ('erase', 'visit') x 3, sort keys %works);

# The functions below compute the expected pairs.
sub rows_of {
    my ($service, $sql) = @_;
    return map { [map { $_ eq '' ? undef : $_ } split /\|/, $_, -1] }
        split /\n/, $service->sqlite($sql);
}
sub family { my ($mode) = @_; return defined $mode && ($mode == 3 || $mode == 4) ? 2 : $mode }

# Returns a club's QSOs that another club can confirm: id => [station, worked, band, channel, family, time, whether the
# member is active].
sub contacts {
    my ($club) = @_;
    my %found;
    for (rows_of($club->{service}, q{SELECT qsos.id, callsign_key, worked_key, band, ifnull(channel, 0), mode, qso_at,
            active, ifnull(operator_key, callsign_key), ifnull(qso_status, 1) FROM qsos
            JOIN members ON members.id = member_id WHERE claims = 1})) {
        my ($id, $station, $worked, $band, $channel, $mode, $at, $active, $operator, $status) = @$_;
        $found{$id} = [$station, $worked, $band, $channel, family($mode), $at, $active]
            if defined $worked && $worked ne '' && $operator eq $station && $status != 0;
    }
    return \%found;
}
sub matches {
    my ($mine, $theirs) = @_;
    return $mine->[0] eq $theirs->[1] && $mine->[1] eq $theirs->[0] && $mine->[2] == $theirs->[2]
        && $mine->[3] == $theirs->[3] && abs($mine->[5] - $theirs->[5]) <= 900_000
        && !(defined $mine->[4] && defined $theirs->[4] && $mine->[4] != $theirs->[4]);
}
sub spell { join ' ', map { $_ // '-' } @{$_[0]}[0 .. 5] }

# Returns faults in the pairs of a club's own QSOs, as texts. A new owner of a callsign does not end an existing pair.
sub faults_within {
    my ($service, $ours) = @_;
    my (@faults, %qso, %of_stations);
    for (rows_of($service, q{SELECT qsos.id, member_id, active, confirmed_by, ifnull(operator_key, callsign_key),
            worked_key, band, ifnull(channel, 0), mode, qso_at, ifnull(qso_status, 1)
            FROM qsos JOIN members ON members.id = member_id WHERE worked_key IS NOT NULL})) {
        my ($id, $member, $active, $partner, @side) = @$_;
        $qso{$id} = { id => $id, member => $member, active => $active, partner => $partner, status => $side[6],
            side => [@side[0 .. 3], family($side[4]), $side[5]] };
        push @{$of_stations{"$side[0] $side[1]"}}, $qso{$id};
    }
    for my $one (values %qso) {
        my ($station, $worked) = @{$one->{side}};
        my @others = grep { $_->{member} != $one->{member} && $_->{status} != 0 && matches($one->{side}, $_->{side}) }
            $one->{status} == 0 ? () : @{$of_stations{"$worked $station"} || []};
        push @faults, "QSO $one->{id} wrongly forms a pair with $one->{partner}"
            if $one->{partner} && !grep { $_->{id} == $one->{partner} } @others;
        my $may = sub { my ($qso) = @_; my $owner = $ours->{$qso->{side}[0]}; !$owner || $owner == $qso->{member} };
        my ($free) = grep { !$_->{partner} && $_->{active} && $may->($_) } @others;
        push @faults, "QSO $one->{id} is not confirmed by QSO $free->{id}"
            if $free && !$one->{partner} && $one->{active} && $may->($one);
    }
    return @faults;
}

# Returns faults in a club's confirmations, as texts.
sub faults {
    my ($club) = @_;
    my ($service, $other) = ($club->{service}, $club[1 - $club->{number}]);
    my ($mine, $theirs) = (contacts($club), contacts($other));
    my %ours = map { @$_ } rows_of($service, 'SELECT callsign_key, id FROM members');
    my %callsign = map { @$_ } rows_of($service, 'SELECT callsign_key, active FROM members WHERE claims = 1');
    my (@faults, %claim) = faults_within($service, \%ours);
    for (rows_of($service, 'SELECT number, station_key, worked_key, band, channel, mode, qso_at, qso_id FROM claims')) {
        my ($number, @claim) = @$_;
        my $of = pop @claim;
        $number =~ s/\A\d+\.//; # removes the member's id
        $claim{$number} = [\@claim, $of];
        my $there = $theirs->{$number};
        push @faults, "claim $number is @{[spell(\@claim)]} here, @{[$there ? spell($there) : 'none']} there"
            if !$there || spell($there) ne spell(\@claim);
        push @faults, "claim $number is of our $claim[0]" if $ours{$claim[0]};
        next if !defined $of;
        push @faults, "claim $number does not match QSO $of" if !$mine->{$of} || !matches($mine->{$of}, \@claim);
    }
    for my $number (keys %$theirs) {
        my $there = $theirs->{$number};
        push @faults, "their QSO $number is not a claim here: @{[spell($there)]}"
            if $there->[6] && $callsign{$there->[1]} && !$claim{$number} && !$ours{$there->[0]};
    }
    my %taken = map { $_->[1] => 1 } grep { defined $_->[1] } values %claim;
    for my $id (grep { $mine->{$_}[6] && !$taken{$_} } keys %$mine) {
        my ($free) = grep { !defined $claim{$_}[1] && matches($mine->{$id}, $claim{$_}[0]) } keys %claim;
        push @faults, "QSO $id is not confirmed by claim $free" if defined $free;
    }
    push @faults, 'a time of confirmation is wrong: ' . $_->[0] for rows_of($service, 'SELECT id FROM qsos
        WHERE (cross_confirmed_at IS NULL) <> (confirmed_by IS NULL
            AND NOT EXISTS (SELECT 1 FROM claims WHERE qso_id = qsos.id))');
    push @faults, "QSO $_->[0] stores a claim that does not confirm it" for rows_of($service, 'SELECT qsos.id FROM qsos
        LEFT JOIN claims ON qso_id = qsos.id WHERE claim_id IS NOT claims.id');
    push @faults, "peer $_->[0] does not count its claims" for rows_of($service, 'SELECT id FROM peers
        WHERE claims <> (SELECT count(*) FROM claims WHERE peer_id = peers.id)');
    return @faults;
}

# Returns the time and the source of each QSO's confirmation. A pair that replaces another has a new time.
sub times_of {
    my ($club) = @_;
    return { map { my ($id, @time) = @$_; ($id => \@time) } rows_of($club->{service},
        'SELECT id, cross_confirmed_at, confirmed_by, claim_id FROM qsos WHERE cross_confirmed_at NOT NULL') };
}
sub lost_times {
    my ($before, $after) = @_;
    return grep {
        my ($then, $now) = ($before->{$_}, $after->{$_});
        $now && $then->[0] != $now->[0]
            && (defined $then->[2] || defined $now->[2] || ($then->[1] // 0) == ($now->[1] // 0));
    } sort { $a <=> $b } keys %$before;
}

write_some($_, 200) for map { ($_) x 4 } @club; # creates more than a page of claims
my ($rests, $wrong, $confirmed) = (0, 0, 0);
while (time < $end && !$wrong) {
    my @done;
    for (1 .. 1 + int rand 6) {
        my ($club, $work) = (pick(@club), pick(@works));
        push @done, "$work $club->{number}";
        my $is_one_step = $work =~ /\A(?:write|erase|rename|turn|add)\z/ && rand() < 0.5;
        for (1 .. ($is_one_step && $work eq 'write' ? 8 : 1)) {
            my $before = $is_one_step && times_of($club);
            $works{$work}->($club, $is_one_step ? 1 : 1 + int rand 8);
            my @lost = $is_one_step ? lost_times($before, times_of($club)) : ();
            $wrong += @lost;
            diag "seed $seed: after $done[-1] these QSOs have lost their times: @lost" if @lost;
        }
    }
    for my $club (@club, $club[0]) {
        my ($status, undef, $said) = admin_try($club, 'peer', 'pull');
        $wrong++, diag "seed $seed: a visit failed: $said" if $status != 0;
    }
    for my $club (@club) {
        my @faults = faults($club);
        $wrong += @faults;
        diag "seed $seed, rest $rests, club $club->{number}: $_" for splice @faults, 0, 5;
        my $check = (admin_try($club, 'check'))[1];
        $wrong++, diag "seed $seed: $check" if $check ne '';
        $confirmed += $club->{service}->sqlite('SELECT count(*) FROM claims WHERE qso_id NOT NULL');
    }
    diag "before: @done" if $wrong;
    $rests++;
}
is $wrong, 0, "after both clubs have asked, confirmations match the model (seed $seed, $rests rests)";
cmp_ok $confirmed, '>', 0, 'the steps confirm QSOs';
$_->{proxy}->stop, $_->{service}->stop for @club;

done_testing;
