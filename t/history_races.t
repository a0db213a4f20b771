use QSOsync::Test fronts => 'nginx', suite => 'all';
use QSOsync::Adif;
use QSOsync::Faults;
use File::Copy qw(copy);

# Two commands undo the writes of one key, and then a command undoes each of these undos. Meanwhile other keys write,
# delete and send deleted QSOs again, and another member's QSOs confirm QSOs. Each touched QSO is undone or named as
# skipped. QSOSYNC_TEST_ROUNDS is the number of rounds, and QSOSYNC_TEST_SEED is the random seed.
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

# Runs all commands at once, and returns the output of each command.
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

# Returns the touched QSOs that no command undid and that this report does not name. A QSO that the act created and that
# somebody else deleted is already in its previous state.
sub unnamed {
    my ($numbers, $said, $touched) = @_;
    my %is_named = map { $_ => 1 } $said =~ /^skipped: QSO (\d+), /mg;
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
        push @wrong, "round $round: neither undone nor named: @unnamed" if @unnamed;
        $left += () = $said =~ /^skipped:/mg;
    }
    my @again = (together((map { take_back('--act', $_) } @numbers), $write, $confirm))[0 .. $#numbers];
    for my $i (0 .. $#numbers) {
        push @wrong, "round $round: $again[$i]" if $again[$i] !~ /\A0\n/;
        my @moved = split /\n/, $service->sqlite("SELECT qso_id FROM former WHERE edit = $numbers[$i]
            AND member_id = $id AND (state IS NOT NULL OR EXISTS (SELECT 1 FROM qsos WHERE qsos.id = qso_id))");
        my @unnamed = unnamed([$again[$i] =~ /^number (\d+)/m], $again[$i], \@moved);
        push @wrong, "round $round: undo of an undo: neither undone nor named: @unnamed" if @unnamed;
    }
    my ($status, undef, $errors) = $service->admin_try('check');
    push @wrong, "round $round: check: $errors" if $status;
}
is join("\n", @wrong), '', "each QSO is undone or named, and the logbook passes the check (seed $seed)";
cmp_ok $left, '>', 0, "commands skip QSOs that other clients changed in the meantime ($left)";

# An undo that is killed at any write has finished whole slices. A second run does the rest, and nothing twice.
# QSOSYNC_TEST_ROUNDS is the number of kills, spread over all writes.
SKIP: {
    my $missing = QSOsync::Faults::missing();
    skip $missing, 1 if $missing;
    my $rounds = $ENV{QSOSYNC_TEST_ROUNDS} || 10;
    my $faults = QSOsync::Faults->new;
    my $service = QSOsync::Service->start;

    # An import changes all 300 QSOs and adds 200 QSOs. Later, somebody else deletes 20 of the 500 QSOs and changes
    # another 20.
    sub record { my ($i, @more) = @_; return adif_record(QSO_DATE => '20260517',
        TIME_ON => sprintf('%02d%02d', int($i / 60), $i % 60), CALL => "26X$i", BAND => '11m', @more) }
    import_adif($service, '21SD333', adif_file($service, map { record($_) } 1 .. 300));
    import_adif($service, '21SD333', adif_file($service, map { record($_, NOTES => 'wrong') } 1 .. 500));
    my @some = ($service->download)[0 .. 39];
    $service->delete_qso($_->{clientId}) for @some[0 .. 19];
    $service->post_batch([map { +{ %$_, notes => 'mine' } } @some[20 .. 39]]);
    my $act = $service->sqlite('SELECT number FROM acts WHERE work = 1 AND changed');
    my $whole = $service->directory . '/whole.db';
    $service->admin('backup', $whole);

    my $broken = $service->directory . '/broken.db';
    sub rows { my ($sql) = @_; my $rows = `sqlite3 '$broken' "$sql"`; chomp $rows; return $rows }
    sub content { rows('SELECT id, hex(client_id), notes, callsign_worked, edit FROM qsos ORDER BY id') }
    sub undone { rows('SELECT ifnull(sum(changed + deleted + revived), 0) FROM acts WHERE work = 2') }
    sub undo {
        my ($environment) = @_;
        local %ENV = (%ENV, %{$environment || {}}, QSOSYNC_DB => $broken);
        return $service->admin_try('--db', $broken, 'undo', '21SD333', '--act', $act);
    }
    sub begin_anew { unlink glob "$broken*"; copy $whole, $broken or die "$broken: $!" }

    begin_anew();
    $faults->strike('write');
    my ($status, $said) = undo($faults->environment);
    my $writes = $faults->lift;
    is $status, 0, 'undo succeeds if nothing fails';
    my ($expected, $count) = (content(), undone());
    is $count, 460, 'undo covers all changes to QSOs that nobody changed later';
    cmp_ok $writes, '>', 20, 'undo has several writes at which the test can kill the command';

    my ($midway, @wrong) = (0);
    for my $round (1 .. $rounds) {
        my $at = 1 + int(($writes - 1) * ($round - 1) / ($rounds - 1 || 1));
        begin_anew();
        $faults->strike('write', at => $at);
        undo($faults->environment);
        $faults->lift;
        my ($check, $problems) = $service->admin_try('--db', $broken, 'check');
        my $first = undone();
        $midway++ if $first > 0 && $first < $count;
        my ($second) = undo();
        my @found = ($check, $second == 0 || $first == $count ? 0 : $second,
            content() eq $expected ? 'equal' : 'different',
            undone());
        push @wrong, "killed at write $at of $writes: @found $problems" if "@found" ne "0 0 equal $count";
    }
    is join("\n", @wrong), '',
        'after a kill at any write, the logbook passes the check and a second run completes the undo once';
    cmp_ok $midway, '>', 0, 'at least one kill is between two slices';

    # On a full disk, undo reports what is saved.
    begin_anew();
    $faults->strike('write', at => int($writes / 2), error => 28, forever => 1);
    my ($full, undef, $errors) = undo($faults->environment);
    $faults->lift;
    is $full, 1, 'undo fails on a full disk';
    my $saved = undone();
    my ($restored, $deleted) = $errors =~ /(\d+) restored, (\d+) deleted/;
    is(($restored // 0) + ($deleted // 0), $saved, 'undo on a full disk reports the saved changes');
    undo();
    is content(), $expected, 'undo completes after space is available again';
}

done_testing;
