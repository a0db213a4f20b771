use QSOsync::Test fronts => 'nginx', suite => 'all';
use QSOsync::Profile;
use QSOsync::Waiting;

# Random histories are compared with a model: grants and their ends, sign-outs, keys, held writes, and stations that are
# added, renamed, disabled, enabled and deleted. After the end of a grant, nothing is written with the grant. No log
# shows anything from another log, and no contact between a station and a member stays unconfirmed. QSOSYNC_TEST_ROUNDS
# is the number of histories.
my $rounds = $ENV{QSOSYNC_TEST_ROUNDS} || 40;
my $seed = $ENV{QSOSYNC_TEST_SEED} || time;
srand $seed;
diag "seed $seed";
my $service = QSOsync::Service->start(site => 4, workers => 2);
my @members = qw(21SD333 26AT101 1AT100);
$service->add_member($_) for @members[1, 2];
my @stations = qw(14/AT0 21DX1);
my @free = qw(14/AT9 21DX2 1XX1); # callsigns that a station can get or has had
$service->admin('station', 'add', $_, '--locator', 'JN03') for @stations;
my %session = map { $_ => QSOsync::Profile->log_in($service, $_) } @members;

sub pick { $_[rand @_] }
sub in_log { my ($station) = @_; '?log=' . ($station =~ s{/}{%2F}r) }

# The model contains the grants, the keys, the QSOs of each log, and the disabled stations.
my (%granted, @keys, %log, %disabled);
sub may { my ($member, $station) = @_; return $granted{$station}{$member} && !$disabled{$station} }
my @faults;
sub fault { push @faults, join ' ', @_ }

sub grant {
    my ($member, $station) = (pick(@members), pick(@stations));
    $service->admin('station', 'grant', $station, $member);
    $granted{$station}{$member} = 1;
}
sub end {
    my ($member, $station) = @_;
    my ($status) = $service->admin_try('station', 'revoke', $station, $member);
    fault("revoke $station $member gave $status") if !$status != !!$granted{$station}{$member};
    delete $granted{$station}{$member};
    @keys = grep { $_->{station} ne $station || $_->{member} ne $member } @keys;
}
my $made = 0;
sub add_key {
    my ($member, $station) = (pick(@members), pick(@stations));
    my $mine = grep { $_->{station} eq $station && $_->{member} eq $member } @keys;
    my $answer = $session{$member}->post('keys' . in_log($station), { name => "key " . ++$made, scope => 'WRITE' });
    my $expected = !may($member, $station) ? 403 : $mine >= 10 ? 409 : 201;
    fault("a key of $member for $station: ", $answer->status, "instead of $expected") if $answer->status != $expected;
    push @keys, { station => $station, member => $member, key => $answer->json->{key} } if $answer->status == 201;
}
sub sign_out {
    my $member = pick(@members);
    $session{$member}->remove('devices');
    $session{$member} = QSOsync::Profile->sign_in($service, $member, $session{$member}{password})
        ->with(%{$session{$member}}{qw(callsign password)});
}

sub turn_station {
    my $station = pick(@stations);
    $service->admin('member', $disabled{$station} ? 'enable' : 'disable', $station);
    $disabled{$station} = !$disabled{$station};
}
# Renames a station, which keeps its grants, keys and log.
sub rename_station {
    my ($place, $new) = (int rand @stations, shift @free);
    my $old = $stations[$place];
    $service->admin('member', 'rename', $old, $new);
    $stations[$place] = $new;
    push @free, $old;
    $_->{$new} = delete $_->{$old} // {} for \%granted, \%log;
    $disabled{$new} = delete $disabled{$old};
    $_->{station} eq $old and $_->{station} = $new for @keys;
}
sub replace_station {
    my ($place, $new) = (int rand @stations, shift @free);
    my $old = $stations[$place];
    $service->admin('member', 'delete', $old, '--yes');
    $service->admin('station', 'add', $new, '--locator', 'JN03');
    $stations[$place] = $new;
    push @free, $old;
    delete $_->{$old} for \%granted, \%log, \%disabled;
    @keys = grep { $_->{station} ne $old } @keys;
}
# Logs a member's contact with a station, or with a callsign that a station may have had.
sub log_contact {
    my ($member, $qso) = (pick(@members), contact(callsignWorked => pick(@stations, @free)));
    $session{$member}->post('qsos', { entries => [$qso] })->status == 200 or fault("$member cannot write");
    $log{$member}{$qso->{clientId}} = 1;
}
sub contact {
    return qso(mode => 'USB', qsoAt => sprintf('2026-05-17T19:%02d:00.000Z', int rand 30), @_);
}

# Returns a write with a session or a key: ($member, $station, whether the write is allowed, the QSO, the function that
# sends the QSO).
sub choose_write {
    my $qso = contact(callsignWorked => pick(@members));
    if (@keys && rand() < 0.5) {
        my $key = pick(@keys);
        return ($key->{member}, $key->{station}, !$disabled{$key->{station}}, $qso,
            sub { $service->post_batch([$qso], key => $key->{key})->status });
    }
    my ($member, $station) = (pick(@members), pick(@stations));
    return ($member, $station, may($member, $station), $qso,
        sub { $session{$member}->post('qsos' . in_log($station), { entries => [$qso] })->status });
}
sub write_one {
    my (undef, $station, $may, $qso, $send) = choose_write();
    my $status = $send->();
    fault('a write', $status, $may ? 'that is allowed' : 'that is not allowed') if ($status == 200) != !!$may;
    $log{$station}{$qso->{clientId}} = 1 if $status == 200;
}
# Begins a write, which waits for another writer while its grant ends.
sub write_held {
    my ($member, $station, $may, $qso, $send) = choose_write();
    return if !$may;
    my $revoke = sub { $service->sqlite("UPDATE grants SET revoked_at = 1
        WHERE member_id = (SELECT id FROM members WHERE callsign = '$member')
            AND station_id = (SELECT id FROM members WHERE callsign = '$station')") };
    my $status = QSOsync::Waiting::behind_writer($service, $send, $revoke);
    fault("a write that waited was answered $status") if $status !~ /\A40[13]\z/;
    delete $granted{$station}{$member};
    $service->admin('station', 'grant', $station, $member); # revokes the keys
    $granted{$station}{$member} = 1;
    end($member, $station);
}
sub count_unconfirmed {
    my $open = $service->sqlite("WITH contacts AS (SELECT qsos.id, callsign_key AS station, worked_key AS worked, qso_at
            FROM qsos JOIN members ON members.id = member_id WHERE active = 1 AND confirmed_by IS NULL)
        SELECT count(*) FROM contacts AS one JOIN contacts AS other ON other.station = one.worked
            AND other.worked = one.station AND abs(other.qso_at - one.qso_at) <= 900000");
    fault("$open contacts are not confirmed") if $open;
}
sub look {
    for my $station (@stations) {
        my $found = $service->sqlite("SELECT group_concat(lower(hex(client_id))) FROM (SELECT client_id FROM qsos
            WHERE member_id = (SELECT id FROM members WHERE callsign = '$station') ORDER BY hex(client_id))");
        my $expected = join ',', sort map { s/-//gr } keys %{$log{$station}};
        fault("the log of $station differs") if $found ne $expected;
    }
    for my $member (@members) {
        fault("$member has a QSO from a station")
            if grep { !$log{$member}{$_->{clientId}} } @{$session{$member}->get('qsos?limit=200')->json->{items}};
        for my $station (@stations) {
            my $answer = $session{$member}->get('qsos' . in_log($station) . '&limit=200');
            fault("$member and $station: ", $answer->status)
                if ($answer->status == 200) != !!may($member, $station);
            next if $answer->status != 200;
            my @others = grep { !$log{$station}{$_->{clientId}} } @{$answer->json->{items}};
            fault("$member sees QSOs from other logs in $station") if @others;
        }
    }
    for my $key (@keys) {
        my $me = $service->get('/me', key => $key->{key});
        my $is_disabled = $disabled{$key->{station}};
        fault("a key of $key->{member} for $key->{station} gave ", $me->status)
            if $me->status != ($is_disabled ? 401 : 200)
            || (!$is_disabled && $me->json->{callsign} ne $key->{station});
    }
}

sub QSOsync::Profile::with { my ($self, %more) = @_; @$self{keys %more} = values %more; return $self }
for my $round (1 .. $rounds) {
    for (1 .. 12) {
        my $step = pick((\&grant) x 2, (\&add_key) x 2, (\&write_one) x 4, (rand() < 0.1 ? \&sign_out : ()),
            (rand() < 0.2 ? \&write_held : ()), (\&log_contact) x 8,
            pick((\&turn_station) x 3, \&rename_station, \&replace_station),
            sub { end(pick(@members), pick(@stations)) });
        $step->();
    }
    count_unconfirmed();
    look() if $round % 5 == 0;
    last if @faults;
}
look();
is "@faults", '', "$rounds histories agree with the model";
$service->admin('check');
my $unnamed = $service->sqlite('SELECT count(*) FROM qsos JOIN members ON members.id = member_id
    WHERE is_station AND NOT EXISTS (SELECT 1 FROM made_by WHERE qso_id = qsos.id)');
is $unnamed, 0, "each QSO in a station's log names its operator";
cmp_ok scalar(map { keys %$_ } values %log), '>', 0, 'the histories contain QSOs';

done_testing;
