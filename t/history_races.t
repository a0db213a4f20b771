use QSOsync::Test fronts => 'nginx', suite => 'all';

# Two commands take back what one key wrote, and then a command takes back what each of them did, while other keys
# write, delete and send deleted QSOs again, and another member's QSOs confirm: each QSO that was touched is taken
# back, or named as left. QSOSYNC_TEST_ROUNDS: how often; QSOSYNC_TEST_SEED: another beginning.
my $seed = $ENV{QSOSYNC_TEST_SEED} || 3;
my $rounds = $ENV{QSOSYNC_TEST_ROUNDS} || 2;
my $service = QSOsync::Service->start;
srand $seed;

my ($member, $peer, %key);
sub entry {
    my ($i, $notes, $client) = @_;
    return qso(clientId => $client, notes => $notes, callsignWorked => $i % 3 ? "26X$i" : $peer,
        qsoAt => sprintf('2026-05-17T%02d:%02d:00Z', $i / 60, $i % 60));
}
sub send_all { my ($key, @entries) = @_; $service->post_batch([splice @entries, 0, 100], key => $key) while @entries }

# All at once; what each of them says.
sub together {
    my @running = map {
        my $work = $_;
        my $pid = open my $answer, '-|' // die "fork: $!";
        if (!$pid) { srand $$; print $work->(); close STDOUT; POSIX::_exit(0) }
        $answer;
    } @_;
    return map { local $/; scalar <$_> } @running;
}
sub take_back { my @options = @_; return sub { join "\n", $service->admin_try('undo', $member, @options) } }

# Of these QSOs, those that no command took back, and this report does not name. What was created by what is taken
# back, and somebody deleted, is what it was before.
sub unnamed {
    my ($numbers, $said, $touched) = @_;
    my %is_named = map { $_ => 1 } $said =~ /^left: QSO (\d+), /mg;
    my $done = join ',', map { $_ || 0 } @$numbers;
    my %is_done = map { $_ => 1 } split /\n/, $service->sqlite("SELECT qso_id FROM former WHERE edit IN ($done)");
    return grep { !$is_named{$_} && !$is_done{$_} } @$touched;
}

my ($left, @wrong) = (0);
for my $round (1 .. $rounds) {
    ($member, $peer) = ("26M$round", "26P$round");
    $service->admin('member', 'add', $_, '--locator', 'JO59') for $member, $peer;
    %key = map { $_->[0] => $service->admin('key', 'add', $_->[1], '--name', $_->[0], '--scope', 'WRITE') }
        ['bad', $member], ['good', $member], ['peer', $peer];
    my @client = map { uuid() } 0 .. 899;
    my @mine = map { entry($_, 'mine', $client[$_]) } 0 .. 599;
    send_all($key{good}, @mine);
    send_all($key{peer}, map { { %{entry(6 * $_, 'peer', uuid())}, callsignWorked => $member } } 0 .. 99);
    send_all($key{bad}, map { entry($_, "bad $_", $client[$_]) } 0 .. 499, 600 .. 899);
    $service->delete_qso($client[$_], key => $key{bad}) for 500 .. 549;
    my $id = $service->sqlite("SELECT id FROM members WHERE callsign = '$member'");
    my $acts = $service->sqlite("SELECT group_concat(number) FROM acts WHERE member_id = $id AND writer_number =
        (SELECT id FROM api_keys WHERE name = 'bad' AND member_id = $id)");
    my @changed = split /\n/, $service->sqlite("SELECT DISTINCT qso_id FROM former JOIN acts ON former.member_id =
        acts.member_id AND edit BETWEEN number AND last WHERE number IN ($acts) AND former.member_id = $id");
    my @created = split /\n/, $service->sqlite("SELECT id FROM qsos WHERE member_id = $id AND notes >= 'bad 600'
        AND notes < 'bae' AND length(notes) = 7");
    my $write = sub {
        for (1 .. 60) {
            my @some = map { int rand 900 } 1 .. 5;
            send_all($key{good}, map { entry($_, 'good ' . int rand 99, $client[$_]) } @some);
            $service->delete_qso($client[$_], key => $key{good}) for @some[0, 1];
        }
        return '';
    };
    my $confirm = sub {
        send_all($key{peer}, { %{entry(3 * int rand 200, 'peer', uuid())}, callsignWorked => $member }) for 1 .. 60;
        return '';
    };
    my @said = (together((take_back('--by', 'bad', '--since', '2026-01-01')) x 2, ($write) x 2, $confirm))[0, 1];
    my %is_there = map { $_ => 1 } split /\n/, $service->sqlite("SELECT id FROM qsos WHERE member_id = $id");
    my @numbers = map { /^number (\d+)/m } @said;
    for my $said (@said) {
        push @wrong, "round $round: $said" if $said !~ /\A0\n/;
        my @unnamed = unnamed(\@numbers, $said, [@changed, grep { $is_there{$_} } @created]);
        push @wrong, "round $round: not taken back, nor named: @unnamed" if @unnamed;
        $left += () = $said =~ /^left:/mg;
    }
    my @again = (together((map { take_back('--act', $_) } @numbers), $write, $confirm))[0 .. $#numbers];
    for my $i (0 .. $#numbers) {
        push @wrong, "round $round: $again[$i]" if $again[$i] !~ /\A0\n/;
        my @moved = split /\n/, $service->sqlite("SELECT qso_id FROM former WHERE edit = $numbers[$i]
            AND member_id = $id AND (state IS NOT NULL OR EXISTS (SELECT 1 FROM qsos WHERE qsos.id = qso_id))");
        my @unnamed = unnamed([$again[$i] =~ /^number (\d+)/m], $again[$i], \@moved);
        push @wrong, "round $round: undo, not taken back, nor named: @unnamed" if @unnamed;
    }
    my ($status, undef, $errors) = $service->admin_try('check');
    push @wrong, "round $round: check: $errors" if $status;
}
is join("\n", @wrong), '', "each QSO is taken back or named, and the logbook is whole (seed $seed)";
cmp_ok $left, '>', 0, "some were changed meanwhile ($left)";

done_testing;
