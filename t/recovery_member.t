use QSOsync::Test fronts => 'nginx';
use QSOsync::Faults;

# restore FILE --member makes one member's log equal to the backup, with ordinary writes that clients receive. The
# member's keys, tokens, password and state stay unchanged, and so do all other logs.
my $missing = QSOsync::Faults::missing();
plan skip_all => $missing if $missing;
my $service = QSOsync::Service->start;
my ($db, $folder) = ($service->db, $service->directory);
my %other = %{$service->add_member('26AT101')};
my %theirs = (key => $other{write_key});
sub content {
    map { my %qso = %$_; delete @qso{qw(id syncedAt spottedAt crossConfirmedAt)}; ($qso{clientId} => \%qso) } @_;
}
# Returns a log without the QSOs whose notes begin with "old", which have no clientId.

sub log_of { return {content(grep { ($_->{notes} // '') !~ /^old/ } $service->download(@_))} }
sub item {
    my ($sent, %option) = @_;
    (grep { ($_->{clientId} // '') eq $sent->{clientId} } $service->download(%option))[0];
}
sub server_time { select undef, undef, undef, 0.003; $service->get('/logs?limit=1')->json->{serverTime} }
sub changes { $service->get("/logs?limit=500&includeDeleted=true&updatedSince=$_[0]")->json }
sub restore { $service->admin_try('restore', $_[0], '--member', $_[1] // '21SD333') }

my @sent = map { full_qso() } 1 .. 30;
my ($mine, $spotted) = (qso(callsignWorked => '26AT101'),
    qso(callsignWorked => '26AT102', sendSpot => JSON::PP::true()));
my $named = qso(callsignWorked => '26AT101', qsoAt => '2026-05-19T10:00:00Z');
$service->post_batch([@sent, $mine, $spotted, $named]);
$service->post_batch([my $partner = qso(callsignWorked => '21SD333'), qso()], %theirs);
$service->sqlite("INSERT INTO qsos (member_id, synced_at, created_at, band, qso_at, notes) SELECT 1, synced_at, n, 0, "
    . "n, 'old ' || n FROM (SELECT min(synced_at) AS synced_at FROM qsos), "
    . "(SELECT 1 AS n UNION SELECT 2 UNION SELECT 3)");
ok item($partner, %theirs)->{crossConfirmedAt}, 'a contact of two members is confirmed';
$service->admin('key', 'add', '21SD333', '--name', 'a lost phone', '--scope', 'READ');
my $backup = "$folder/backup.db";
$service->admin('backup', $backup);
my $before = log_of();
my $others_before = log_of(%theirs);

# Since the backup, QSOs were changed, a key was revoked, and the password was replaced.
sub damage {
    $service->delete_qso($_->{clientId}) for @sent[0 .. 9], $mine, $spotted;
    $service->post_batch([map({ { %$_, notes => 'wrong' } } @sent[10 .. 14]), my @new = map { qso() } 1 .. 5]);
    $service->sqlite("DELETE FROM qsos WHERE notes = 'old 1'; UPDATE qsos SET notes = 'wrong' WHERE notes = 'old 2'");
    return @new;
}
my @new = damage();
$service->post_batch([qso(callsignWorked => '26AT109')], %theirs);
my ($phone) = grep { $_->{name} eq 'a lost phone' }
    @{JSON::PP::decode_json($service->admin('key', 'list', '21SD333', '--json'))};
$service->admin('key', 'revoke', '21SD333', $phone->{number});
$service->sqlite("UPDATE members SET password_hash = '\$y\$x' WHERE callsign = '21SD333'");
my %kept = map { $_ => $service->sqlite("SELECT * FROM $_") } qw(api_keys upload_tokens);
my $password = $service->sqlite('SELECT password_hash FROM members WHERE id = 1');
my $others = log_of(%theirs);
my $spots = $service->sqlite('SELECT count(*) FROM spots');
my $epoch = $service->get('/me')->header('X-Log-Epoch') // '';
my $since = server_time();
ok !item($partner, %theirs)->{crossConfirmedAt}, 'a confirmation ends with its QSO';

my ($status, $report, $errors) = restore($backup);
is_deeply [$status, $errors], [0, ''], 'the log of one member is restored';
like $report, qr/\Arestored 13\nchanged back 6\ndeleted 5\nunchanged 17\na copy [^\n]* is kept as (\S+)\n\z/,
    'the report counts the changes';
my ($kept) = $report =~ /kept as (\S+)/;
is_deeply log_of(), $before, 'the log equals the backup, including createdAt';
is $service->sqlite("SELECT group_concat(notes, ' ') FROM "
    . "(SELECT notes FROM qsos WHERE notes LIKE 'old%' ORDER BY notes)"), 'old 1 old 2 old 3',
    'QSOs without a clientId equal the backup';
is_deeply log_of(%theirs), $others, "another member's log is unchanged";
is_deeply { map { $_ => $service->sqlite("SELECT * FROM $_") } qw(api_keys upload_tokens) }, \%kept,
    'keys and tokens are unchanged';
is $service->sqlite('SELECT password_hash FROM members WHERE id = 1'), $password, 'the password is unchanged';
ok item($partner, %theirs)->{crossConfirmedAt} && item($mine)->{crossConfirmedAt}, 'a restored QSO is confirmed again';
is $service->sqlite('SELECT count(*) FROM spots'), $spots, 'no spot is published a second time';
is item($spotted)->{spottedAt}, undef, 'a restored QSO has no spot';
is $service->admin('check'), '', 'the logbook passes the check after one log was restored';

# A client that was up to date before receives the changes.
my $page = changes($since);
ok $page->{deletedComplete}, 'the list of deletions stays complete';
is_deeply [sort map { $_->{clientId} } @{$page->{deleted}}], [sort map { $_->{clientId} } @new],
    'a client receives deletions of QSOs that the backup lacks';
my %news = map { ($_->{clientId} // '') => 1 } @{$page->{items}};
is join(' ', grep { !$news{$_->{clientId}} } @sent[0 .. 14], $mine, $spotted), '',
    'a client receives restored and changed QSOs with new stamps';
ok !$news{$sent[20]{clientId}}, 'an unchanged QSO keeps its syncedAt';
is $service->get('/me')->header('X-Log-Epoch') // '', $epoch, 'the log epoch stays the same';

# A second restore changes nothing. The kept copy undoes the first restore.
like +(restore($backup))[1], qr/\Arestored 0\nchanged back 0\ndeleted 0\nunchanged 36\n\z/,
    'repeating the restore changes nothing and keeps no copy';
like +(restore($kept))[1], qr/\Arestored 5\nchanged back 6\ndeleted 13\nunchanged 17\n/,
    'the kept copy undoes the restore';
restore($backup);
unlink glob "$db.before-restore-*";

# The member is disabled and renamed.
damage();
$service->admin('member', 'rename', '21SD333', '21SD777');
$service->admin('member', 'disable', '21SD777');
is +(restore($backup, '21sd777'))[0], 0, "a disabled and renamed member's log is restored";
$service->admin('member', 'enable', '21SD777');
$service->admin('member', 'rename', '21SD777', '21SD333');
is_deeply log_of(), $before, "a renamed member's log equals the backup";
is $service->admin('check'), '', "the logbook passes the check after a renamed member's log was restored";

# A long log is restored in slices while the member continues to log.
$service->post_batch([map { qso() } 1 .. 150]) for 1 .. 9;
my $longer = "$folder/longer.db";
$service->admin('backup', $longer);
restore($backup);
is_deeply log_of(), $before, 'a restore deletes the QSOs in a long log that the backup lacks';
my $pid = fork // die;
if (!$pid) {
    $service->post_batch([qso(notes => 'meanwhile')]) for 1 .. 20;
    POSIX::_exit(0);
}
restore($longer);
waitpid $pid, 0;
my $whole = 36 + 9 * 150;
is scalar(grep { ($_->{notes} // '') ne 'meanwhile' } $service->download), $whole,
    'a long log is restored while the member logs QSOs';
is $service->admin('check'), '', 'the logbook passes the check after a long log was restored';

# If a restore is killed halfway, whether it adds or deletes QSOs, the next run finishes the restore.
my $faults = QSOsync::Faults->new;
my $halfway = 0;
sub is_finished_after_a_kill {
    my ($from, $at) = @_;
    {
        local @ENV{'QSOSYNC_DB', keys %{$faults->environment}} = ($db, values %{$faults->environment});
        $faults->strike('write', at => $at);
        isnt +(restore($from))[0], 0, "a restore is killed at write $at";
        $faults->lift;
    }
    my $qsos = $service->sqlite('SELECT count(*) FROM qsos WHERE member_id = 1');
    $halfway++ if $qsos > 36 && $qsos < $whole;
    is $service->admin('check'), '', "the logbook passes the check after a kill at write $at";
    is +(restore($from))[0], 0, "the next run finishes the restore that was killed at write $at";
    is $service->sqlite('SELECT count(*) FROM qsos WHERE member_id = 1'), $from eq $backup ? 36 : $whole,
        'the log equals the backup after the next run';
    is join(' ', glob "$db-restore-*"), '', 'a killed restore leaves no copy after the next run';
    unlink glob "$db.before-restore-*";
}
restore($longer);
my %writes;
for my $from ($backup, $longer) {
    local @ENV{'QSOSYNC_DB', keys %{$faults->environment}} = ($db, values %{$faults->environment});
    $faults->strike('write');
    restore($from);
    $writes{$from} = $faults->lift;
}
for my $share (0.1, 0.8, 0.9) { # kills in the private copy, and between slices
    is_finished_after_a_kill($_, int($writes{$_} * $share)) for $backup, $longer;
}
cmp_ok $halfway, '>=', 2, 'some restores were killed halfway';
restore($backup);
is_deeply log_of(), $before, 'the log equals the backup after all kills';
unlink glob "$db.before-restore-*";

# Each refusal has a message of one line.
sub is_refused {
    my ($pattern, @arguments) = @_;
    my ($status, undef, $errors) = $service->admin_try('restore', @arguments);
    is $status, 1, "'@arguments' is refused";
    like $errors, qr/\Aqsosync-admin: $pattern\n\z/, "'@arguments' gives the reason in one line";
}
is_refused(qr/no member 26AT199/, $backup, '--member', '26AT199');
$service->admin('member', 'add', '26AT199', '--locator', 'JO59');
is_refused(qr/\Q$backup\E contains no log for 26AT199; nothing was restored/, $backup, '--member', '26AT199');
$service->admin('member', 'rename', '26AT101', '26AT777');
$service->admin('member', 'rename', '26AT199', '26AT101');
is_refused(qr/\Q$backup\E contains no log for 26AT101; nothing was restored/, $backup, '--member', '26AT101');
is_refused(qr/\Q$db\E-gate is not a QSOsync backup; nothing was restored/, "$db-gate", '--member', '21SD333');
is +(glob "$db.before-restore-*")[0], undef, 'a refused restore keeps no copy';

# A check of pages finds neither changed bits in a text nor an impossible time.
my %rotten = ('with invalid UTF-8' => "notes = CAST(x'6e6fff7465' AS TEXT)",
    'with a NUL' => "notes = 'a' || char(0) || 'b'", 'with an impossible time' => 'created_at = -9000000000000000');
for my $what (sort keys %rotten) {
    my $bad = "$folder/rotten.db";
    $service->admin('backup', $bad);
    my $hex = $sent[0]{clientId} =~ tr/-//dr;
    open my $shell, '|-', 'sqlite3', $bad or die $!;
    print {$shell} "UPDATE qsos SET $rotten{$what} WHERE client_id = x'$hex';";
    close $shell or die 'sqlite3';
    $service->post_batch([{ %{$sent[0]}, notes => 'as it is now' }]);
    my ($status, $report) = restore($bad);
    is_deeply [$status, $report =~ /^skipped, because they are damaged in the backup: 1$/m ? 'skipped' : $report],
        [0, 'skipped'],
        "a QSO $what is omitted and reported";
    is item($sent[0])->{notes}, 'as it is now', "a QSO $what changes nothing";
    unlink $bad, glob "$db.before-restore-*";
}

# A member who was deleted by mistake is added again, with the log from the backup. Another member keeps a clientId that
# they have used since then.
$service->admin('member', 'delete', '26AT101', '--yes');
$service->admin('member', 'delete', '26AT777', '--yes');
my %again = %{$service->add_member('26AT101')};
my ($taken) = values %$others_before;
$service->post_batch([qso(clientId => $taken->{clientId})]);
($status, $report, $errors) = restore($backup, '26AT101');
is_deeply [$status, $report =~ /^(restored 1\n.*^skipped, [^\n]*: 1$)/ms ? 'reported' : $report], [0, 'reported'],
    'a clientId that another member uses now is omitted and reported';
$service->delete_qso($taken->{clientId});
restore($backup, '26AT101');
is_deeply log_of(key => $again{read_key}), $others_before, 'a member who was added again has the log from the backup';
is $service->admin('check'), '', 'the logbook passes the check after all restores';

done_testing;
