use QSOsync::Test fronts => 'nginx';
use QSOsync::Faults;
use Encode ();

# Renaming, enabling or deleting a member re-evaluates confirmations without a write to the QSOs. This happens at once
# or, for many QSOs, in parts, even if processes are killed in between.
my $service = QSOsync::Service->start(workers => 1);
my %key = map { $_ => $service->add_member($_) } qw(26AT101 14FR014);
$key{'21SD333'} = { read_key => $service->read_key, write_key => $service->write_key };
my $day = 0;

sub save {
    my ($who, %fields) = @_;
    my $qso = qso(%fields);
    my $result = $service->post_batch([$qso], key => $key{$who}{write_key})->json->{results}[0];
    die "not saved: $result->{error}" unless $result->{id};
    return $qso;
}
sub stored {
    my ($who, $qso) = @_;
    return (grep { $_->{clientId} eq $qso->{clientId} } $service->download(key => $key{$who}{read_key}))[0];
}
sub confirmed { stored(@_)->{crossConfirmedAt} }
sub another_day { return (qsoAt => sprintf('2026-05-%02dT10:00:00.000Z', ++$day)) }
sub are_confirmed {
    my ($rule, $who, $one, $other, $two) = @_;
    ok confirmed($who => $one), $rule;
    is confirmed($other => $two), confirmed($who => $one), "$rule: the confirmation has the same time on both sides";
}

# Enabling a member confirms QSOs.
my %at = another_day();
$service->admin('member', 'disable', '26AT101');
my $mine = save('21SD333', %at, callsignWorked => '26AT101');
is confirmed('21SD333' => $mine), undef, 'a disabled member confirms no QSO';
$service->admin('member', 'enable', '26AT101');
my $theirs = save('26AT101', %at, callsignWorked => '21SD333');
$service->delete_qso($mine->{clientId});
$service->admin('member', 'disable', '26AT101');
$mine = save('21SD333', %at, callsignWorked => '26AT101');
is confirmed('21SD333' => $mine), undef, 'disabling a member prevents new confirmations';
my $before = stored('21SD333' => $mine)->{syncedAt};
$service->admin('member', 'enable', '26AT101');
are_confirmed('enabling a member confirms QSOs that were stored while the member was disabled',
    '21SD333', $mine, '26AT101', $theirs);
cmp_ok stored('21SD333' => $mine)->{syncedAt}, 'gt', $before,
    'a new confirmation raises syncedAt, so clients download the QSO';
my $since = confirmed('21SD333' => $mine);
$service->admin('member', $_, '26AT101') for qw(disable enable);
is confirmed('21SD333' => $mine), $since, 'earlier confirmations keep their time';

# If a callsign becomes free, QSOs of any member under this callsign can confirm QSOs.
for my $case (['deleted', 'member', 'delete', '13HN9', '--yes'], ['renamed', 'member', 'rename', '13HN9', '13HN10']) {
    my ($what, @command) = @$case;
    my %at = another_day();
    $service->admin('member', 'add', '13HN9', '--locator', 'JO59');
    my $under = save('26AT101', %at, callsignWorked => '21SD333', operatorCallsign => '13-hn-9');
    my $worked = save('21SD333', %at, callsignWorked => '13HN9');
    is confirmed('21SD333' => $worked), undef, "a callsign belongs only to its member until that member is $what";
    $service->admin(@command);
    are_confirmed("a callsign is free when its member is $what", '21SD333', $worked, '26AT101', $under);
}
$service->admin('member', 'delete', '13HN10', '--yes');

# When a callsign gets a member, existing pairs under the callsign remain until one side is written.
{
    my %at = another_day();
    my $under = save('26AT101', %at, callsignWorked => '21SD333', operatorCallsign => '13HN11');
    my $worked = save('21SD333', %at, callsignWorked => '13HN11');
    are_confirmed('any member can confirm a callsign that nobody has', '21SD333', $worked, '26AT101', $under);
    $key{'13HN11'} = $service->add_member('13HN11');
    ok confirmed('21SD333' => $worked), 'adding a member with the callsign of a pair keeps the pair';
    save('26AT101', %$under, notes => 'written');
    is confirmed('21SD333' => $worked), undef, 'a pair ends at the next write to one side';
    my $own = save('13HN11', %at, callsignWorked => '21SD333');
    are_confirmed("the callsign's new member confirms the QSO", '21SD333', $worked, '13HN11', $own);
    $service->admin('member', 'rename', '13HN11', '13HN12');
    are_confirmed('when a callsign is free again, its earlier user confirms the QSO again', '21SD333', $worked,
        '26AT101', $under);
    $service->admin('member', 'rename', '13HN12', '13HN11');
    is confirmed('13HN11' => $own), undef, 'a pair from the time when the callsign was free remains';
}

# In a restored backup, the member is disabled or not yet deleted.
{
    my %at = another_day();
    $service->admin('member', 'add', '13HN13', '--locator', 'JO59');
    my $under = save('26AT101', %at, callsignWorked => '21SD333', operatorCallsign => '13HN13');
    my $theirs = save('14FR014', %at, callsignWorked => '21SD333');
    $service->admin('member', 'disable', '14FR014');
    my @mine = map { save('21SD333', %at, callsignWorked => $_) } '13HN13', '14FR014';
    $service->admin('backup', my $backup = $service->directory . '/backup.db');
    $service->admin('member', 'enable', '14FR014');
    $service->admin('member', 'delete', '13HN13', '--yes');
    $service->admin('restore', $backup);
    are_confirmed('a member enabled since the backup confirms QSOs', '21SD333', $mine[1], '14FR014', $theirs);
    are_confirmed('a callsign freed since the backup stays free', '21SD333', $mine[0], '26AT101', $under);
    is $service->admin('check'), '', 'the restored logbook passes the check';
}

# Comparisons of callsigns ignore case in every alphabet, and whether letters are composed or decomposed.
{
    my $decomposed = "a\x{308}1x";
    my @spellings = map { Encode::encode('UTF-8', $_) } "\x{e4}1x", "\x{c4}-1X", $decomposed, "\x{c4}1x";
    my ($small, $large) = @spellings;
    my $with = $service->add_member($small);
    is $service->get('/me', key => $with->{read_key})->json->{callsign}, "\x{c4}1X",
        "a member's callsign is in upper case in every alphabet";
    like +($service->admin_try('member', 'add', $_, '--locator', 'JO59'))[2], qr/already exists/,
        'two callsigns cannot differ only in case' for @spellings;
    is +($service->admin_try('member', 'rename', '14FR014', $large))[0], 1,
        'a rename cannot create callsigns that differ only in case';
    is +($service->admin_try('key', 'list', $_))[0], 0, 'a command finds a member by a callsign in upper or lower case'
        for @spellings[0, 3];
    $key{"\x{c4}1X"} = $with;
    for my $spelling (@spellings) {
        my %at = another_day();
        my $worked = save('21SD333', %at, callsignWorked => Encode::decode('UTF-8', $spelling));
        my $own = save("\x{c4}1X", %at, callsignWorked => '21sd333');
        are_confirmed("a QSO with $spelling is confirmed", '21SD333', $worked, "\x{c4}1X", $own);
    }
    my %at = another_day();
    my $under = save('26AT101', %at, callsignWorked => '21SD333', operatorCallsign => "\x{f6}2y/p");
    my $worked = save('21SD333', %at, callsignWorked => "\x{d6}2Y/P");
    are_confirmed('a QSO under a callsign with letters beyond ASCII is confirmed', '21SD333', $worked,
        '26AT101', $under);
    is_deeply [map { $_->{callsignWorked} } grep { $_->{clientId} eq $worked->{clientId} } $service->download],
        ["\x{d6}2Y/P"], 'a worked callsign is stored as sent';
    is $service->admin('check'), '', 'the logbook passes the check with letters beyond ASCII';
}

# With many QSOs, each transaction evaluates a part. If the command is killed, the workers do the rest.
SKIP: {
    my $missing = QSOsync::Faults::missing();
    skip $missing, 1 if $missing;
    my $count = 1_200;
    my @entries = map { { qsoAt => sprintf('2025-%02d-%02dT%02d:00:00.000Z', 1 + $_ / 600, 1 + $_ / 24 % 25, $_ % 24),
        mode => 'USB' } } 0 .. $count - 1;
    $service->admin('member', 'enable', '26AT101');
    for my $at (map { 200 * $_ } 0 .. $count / 200 - 1) {
        $service->post_batch([map { qso(%$_, callsignWorked => '21SD333') } @entries[$at .. $at + 199]],
            key => $key{'26AT101'}{write_key});
    }
    $service->admin('member', 'disable', '26AT101');
    for my $at (map { 200 * $_ } 0 .. $count / 200 - 1) {
        $service->post_batch([map { qso(%$_, callsignWorked => '26AT101') } @entries[$at .. $at + 199]]);
    }
    my $open = sub { return $service->sqlite("SELECT count(*) FROM qsos JOIN members ON members.id = member_id
        WHERE callsign = '21SD333' AND qso_at < 1767225600000 AND confirmed_by IS NULL") };
    is $open->(), $count, 'many QSOs wait for a disabled member';
    my $copy = $service->directory . '/many.db';
    $service->admin('backup', $copy);

    my $faults = QSOsync::Faults->new;
    my $enable = sub {
        my (%strike) = @_;
        local @ENV{'QSOSYNC_DB', keys %{$faults->environment}} = ($service->db, values %{$faults->environment});
        $faults->strike('sync', %strike);
        my ($status) = $service->admin_try('member', 'enable', '26AT101');
        return ($status, $faults->lift);
    };
    my ($status, $syncs) = $enable->();
    is $open->(), 0, 'the command confirms all waiting QSOs before it ends';
    cmp_ok $syncs, '>=', 3, 'confirming many QSOs takes several transactions';
    is $service->sqlite('SELECT count(*) FROM reviews'), 0, 'no work remains after the command';
    my @left;
    for my $at (1 .. $syncs) {
        $service->admin('restore', $copy);
        $service->admin('member', 'disable', '26AT101');
        $service->sqlite("UPDATE qsos SET confirmed_by = NULL, paired_at = NULL WHERE qso_at < 1767225600000");
        $enable->(at => $at);
        push @left, $open->();
        $service->restart_workers;
        my $is_active = $service->sqlite("SELECT active FROM members WHERE callsign = '26AT101'");
        $service->get('/me') for 1 .. 5; # after each request, the worker evaluates one part
        is $open->(), $is_active ? 0 : $count, "workers finish the work of a command that was killed at sync $at";
        is $service->sqlite('SELECT count(*) FROM reviews'), 0, 'no work remains after the workers';
    }
    cmp_ok scalar(grep { $_ > 0 && $_ < $count } @left), '>', 0, 'some kills happen between the parts';
    is $service->admin('check'), '', 'the logbook passes the check after all kills';
}

done_testing;
