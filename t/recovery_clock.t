use QSOsync::Test fronts => 'none', slow => 12;
use QSOsync::Doctor;

# A jump of the clock removes nothing: backups, history, tombstones, links and the activity log stay. The newest backup
# is found by its content, whatever its name, and an operator can confirm the clock.
plan skip_all => 'a sanitizer must be loaded first' if QSOsync::Front::is_sanitized();
my $library = QSOsync::Front::build_preload(File::Temp->newdir(CLEANUP => 0), 't/powercut/boot.c');
my ($hour, $day, $year) = (3600, 86_400, 365 * 86_400);
my $service;

# Sets the clock of all programs this many seconds ahead. The option "boot" is the id of another boot, and "passed" is
# the uptime in seconds.
my %moved;
sub move {
    my ($seconds, %option) = @_;
    %moved = (%moved, LD_PRELOAD => $library, BOOT_CLOCK_MS => $seconds * 1000,
        BOOT_UPTIME_S => $option{passed} // 0, $option{boot} ? (BOOT_ID => $option{boot}) : ());
    return if !$service;
    @{$service->{environment}}{keys %moved} = values %moved;
    $service->restart_workers;
}
sub admin_try { local @ENV{keys %moved} = values %moved; return $service->admin_try(@_) }
sub admin {
    my ($status, $output, $errors) = admin_try(@_);
    is "$status $errors", '0 ', "'@_' succeeds";
    return $output;
}
sub clock_finding {
    local @ENV{keys %moved} = values %moved;
    my (undef, $report) = QSOsync::Doctor::run([], '--db', $service->db, 'doctor');
    my ($found) = grep { $_->{check} eq 'clock' } @{$report->{checks}};
    return $found // { level => 'ok', message => '', fix => '' };
}
sub begin {
    %moved = ();
    move($_[0] // 0);
    local @ENV{keys %moved} = values %moved;
    $service = QSOsync::Service->start(workers => 1, environment => {%moved});
    $service->expect_log(qr/answered with GENERIC/);
}
sub rows { return $service->sqlite("SELECT $_[0]") }
my @qso = map { qso() } 1 .. 3;
sub change { $service->post_batch([map { +{ %$_, notes => $_[0] } } @qso]) }
my %count = (history => '(SELECT count(*) FROM former)', tombstones => '(SELECT count(*) FROM tombstones)',
    activity => '(SELECT count(*) FROM operator_log)', links => '(SELECT count(*) FROM sign_in_links)');
sub counts { return { map { $_ => rows($count{$_}) } keys %count } }

# A jump of the clock removes no backup.
begin(-6 * $hour);
my $folder = $service->directory . '/backups';
mkdir $folder or die;
sub files { [map { m{([^/]+)\z} } sort glob "$folder/*"] }
sub back_up { admin_try('backup', '--to', $folder, '--thin') }
for my $hours (5, 4, 3, 2, 1, 0) {
    move(-$hours * $hour);
    change("$hours hours ago");
    is join('', back_up()), '0', 'an hourly backup succeeds and prints nothing';
}
my @right = @{files()};
is scalar @right, 6, 'the folder has six backups';

move(2 * $year);
is join('', back_up()), '0', 'a backup succeeds while the clock is two years ahead';
for my $round (1 .. 8) {
    change("future $round");
    move(2 * $year + $round * 60);
    is +(back_up())[0], 0, 'the next backup after a write succeeds';
}
my @left = @{files()};
is_deeply [@left[0 .. 5]], \@right, 'each backup from before the jump remains';
cmp_ok scalar(@left), '>=', 6 + 5,
    'at least the newest five backups by content remain, even from the same ten minutes';

# The clock is set back to the right time.
move($hour);
change('right again');
my ($status, undef, $warning) = back_up();
my ($newest) = grep { my $name = $_; !grep { $_ eq $name } @left } @{files()};
is scalar(@{files()}), @left + 1, 'a backup after the clock was set back removes nothing';
is $status, 0, 'a backup after the clock was set back succeeds';
ok $newest && $newest lt $left[-1], 'the name of the new backup sorts before names from the future';
like clock_finding()->{message}, qr/^the last write is 7\d\d days ahead of this machine's clock/,
    'the doctor reports that the last write is ahead of the clock';
like clock_finding()->{fix},
    qr/^if date shows the right time: runuser \S+ \S+ -- qsosync-admin --db \S+ clock confirm - otherwise: timedatectl/,
    'the doctor names a command for a right clock and a command for a wrong clock';
my $restored = $service->directory . '/restored.db';
my @restored = $service->admin_try('--db', $restored, 'restore', '--newest', $folder);
like $restored[1], qr/\Athe newest backup by content: \Q$folder\E\/\Q$newest\E, last write \S+Z\n/,
    'restore --newest names the chosen backup';
is `sqlite3 '$restored' 'SELECT group_concat(DISTINCT notes) FROM qsos'`, "right again\n",
    'restore --newest chooses the backup with the newest content';

is +(admin_try('clock', 'check'))[0], 1, 'clock check fails while the clock is in doubt';

# When the clock is confirmed, backups are removed by their times again.
is admin('clock', 'confirm'), '', 'an operator can confirm the clock';
is clock_finding()->{level}, 'ok', 'the doctor accepts a confirmed clock';
is +(admin_try('clock', 'check'))[0], 0, 'clock check succeeds with a confirmed clock';
like admin('log', '--limit', '1'), qr/clock confirm/, 'the activity log records the confirmation';
for my $round (1 .. 7) {
    move($hour + 60 * $round);
    change("round $round");
    is join('', back_up()), '0', 'a backup after the confirmation succeeds and prints nothing';
}
my @again = @{files()};
is_deeply [grep { my $name = $_; !grep { $_ eq $name } @again } @right], [],
    'hourly backups from before the jump remain';
cmp_ok scalar(@again), '<', @left + 8, 'other backups from the same ten minutes are removed';
ok((grep { $_ eq $again[-1] } @left), 'a backup from the future remains');

# An unreadable file is never restored, and a folder without a backup is refused.
QSOsync::Front::write_file("$folder/qsosync-2031-01-01T000000Z.db", 'no backup');
unlink $restored;
@restored = $service->admin_try('--db', $restored, 'restore', '--newest', $folder);
like $restored[1], qr/by content: \Q$folder\E\/qsosync-20(?!31)/,
    'restore --newest ignores a file that is not a backup';
for (['restore takes either FILE or --newest FOLDER', 2], ['restore takes either FILE or --newest FOLDER', 2,
        "$folder/$newest", '--newest', $folder], ['contains no readable backup', 1, '--newest',
        $service->directory]) {
    my ($message, $expected, @arguments) = @$_;
    my ($exit, undef, $said) = $service->admin_try('restore', @arguments);
    is $exit, $expected, "'restore @arguments' is refused";
    like $said, qr/\Aqsosync-admin: [^\n]*\Q$message\E[^\n]*\n\z/, "'restore @arguments' prints the reason in one line";
}
my ($left) = $service->admin_try('restore', '--newest', $folder, '--member', '21SD333');
is $left, 0, 'a single log can be restored from the newest backup';
$service->stop;

# After a pause, the first run finds only old backups and removes nothing. The next run removes backups again.
begin(-10 * $day);
$folder = $service->directory . '/rested';
mkdir $folder or die;
my $minutes = int((time - 10 * $day) / $hour) * $hour - (time - 10 * $day) + $hour; # until the next full hour
for my $round (0 .. 5) {
    move(-10 * $day + $minutes + 600 * $round, passed => $minutes + 600 * $round);
    change("before $round");
    back_up();
}
is scalar(@{files()}), 6, 'the folder has six backups from one hour';
move(0, passed => 10 * $day);
change('after the rest');
(undef, undef, $warning) = back_up();
is scalar(@{files()}), 7, 'the first backup after ten days without a write removes nothing';
like $warning, qr/\Aqsosync-admin: no backup was removed from \Q$folder\E: the clock differs from the newest write/,
    'the first backup after a pause reports in one line that it removed nothing';
move(60, passed => 10 * $day + 60);
is join('', back_up()), '0', 'the second backup after a pause prints nothing';
is scalar(@{files()}), 5, 'the second backup after a pause keeps only the newest five by content';
$service->stop;

# A jump of the clock removes nothing from the logbook.
begin();
my $gone = qso();
$service->post_batch([@qso, $gone, my $other = qso(), my $third = qso()]);
change($_) for 'one', 'two';
$service->delete_qso($gone->{clientId});
admin('member', 'invite', '21SD333', '--address', 'https://log.example.org');
my $before = counts();
is_deeply $before, { history => 7, tombstones => 1, activity => rows($count{activity}), links => 1 },
    'a logbook has history, a tombstone, acts and a link';
move(3 * $year);
change($_) for 'three', 'four', 'five';
$service->delete_qso($other->{clientId});
admin('member', 'invite', '21SD333', '--address', 'https://log.example.org');
my $after = counts();
is_deeply $after, { history => 7 + 9 + 1, tombstones => 2, activity => $before->{activity} + 1, links => 2 },
    'nothing expires while the clock is three years ahead, despite many writes';
like clock_finding()->{message}, qr/^nothing was written for more than a week before 20\S+Z, or .* clock jumped/,
    'the doctor reports that the clock is in doubt';
move(3 * $year + 6 * $day);
change('six');
is rows($count{history}), 20, 'nothing expires after a second jump';
move(0);
change('seven');
is rows($count{history}), 23, 'after the clock is set right, nothing has expired';
like clock_finding()->{fix}, qr/ clock confirm - otherwise/, 'the doctor names the command that confirms the clock';
admin('clock', 'confirm');
$service->sqlite('UPDATE acts SET began_at = began_at - 181 * 86400000 WHERE ended_at < '
    . (time + $day) * 1000);
my $young = rows('sum(states) FROM acts WHERE began_at > ' . (time - $day) * 1000);
change($_) for 'eight', 'nine', 'ten';
is rows($count{history}), $young + 9, 'old history expires after the clock is confirmed';
is +(admin_try('check'))[0], 0, 'the logbook passes the check after the jumps';
$service->stop;

# A month passes without a write.
for my $case (['a month of uptime', 0, passed => 30 * $day],
    ['a month and a restart of the machine', 1, boot => '01234567-89ab-cdef-0123-456789abcdef']) {
    my ($name, $is_doubted, %how) = @$case;
    begin();
    $service->post_batch(\@qso);
    change('old');
    $service->sqlite('UPDATE acts SET began_at = began_at - 179 * 86400000');
    move(30 * $day, %how);
    change('new');
    is rows($count{history}), 6, "after $name, the first write removes nothing";
    change('newer');
    is rows($count{history}), $is_doubted ? 9 : 6, "after $name, the second write "
        . ($is_doubted ? 'keeps old history, as the clock could have jumped' : 'removes old history');
    is clock_finding()->{level}, $is_doubted ? 'warning' : 'ok', "after $name, the doctor"
        . ($is_doubted ? ' doubts the clock' : ' accepts the clock');
    next if !$is_doubted;
    move(37 * $day, %how, passed => 7 * $day);
    change($_) for 'a week later', 'once more';
    is rows($count{history}), 12, "after $name and a week without a jump, old history is removed";
} continue {
    $service->stop;
}

done_testing;
