use QSOsync::Test fronts => 'nginx';
use QSOsync::Adif;

# An import over a log, of which somebody has used some since, is taken back by the operator's command, and taken
# back again. QSOSYNC_TEST_ROUNDS: in hundreds of QSOs that the log has before.
my $hundreds = $ENV{QSOSYNC_TEST_ROUNDS} || 5;
my $count = $hundreds * 100;
my $service = QSOsync::Service->start;
my $tablet = $service->admin('key', 'add', '21SD333', '--name', 'tablet', '--scope', 'WRITE');
sub log_of { return { map { my %q = %$_; delete $q{syncedAt}; ($q{id} => \%q) } $service->download } }
sub minute { my ($i) = @_; return sprintf '%02d%02d', int($i / 60) % 24, $i % 60 }
sub record { my ($i, @more) = @_; return adif_record(QSO_DATE => sprintf('2026%02d%02d', 1 + int($i / 40000), 1 +
    int($i / 1440) % 28), TIME_ON => minute($i), CALL => "26X$i", BAND => '11m', @more) }

# Half of the file joins QSOs that are there, half is new.
my $first = adif_file($service, map { record($_, RST_SENT => '59') } 1 .. $count);
is import_adif($service, '21SD333', $first)->{counts}{imported}, $count, 'the log has its QSOs';
my $before = log_of();
my $second = adif_file($service, map { record($_, NOTES => 'wrong') } 1 .. 2 * $count);
my $report = import_adif($service, '21SD333', $second);
is_deeply [@{$report->{counts}}{qw(imported updated)}], [$count, $count], 'the wrong file joins half and adds half';
my $imported = log_of();
my @edited = (grep { $imported->{$_}{callsignWorked} =~ /[05]\z/ }
    sort { $a <=> $b } keys %$imported)[0 .. $count / 25 - 1];
my @sent = map { +{ %{$imported->{$_}}, notes => 'mine' } } @edited;
$service->post_batch([splice @sent, 0, 100], key => $tablet) while @sent;
my $edited = log_of();
is scalar(grep { ($edited->{$_}{notes} // '') eq 'mine' } keys %$edited), scalar @edited, 'some were edited since';

my ($act) = grep { $_->{work} eq 'IMPORT' && $_->{changed} }
    @{JSON::PP::decode_json($service->admin('history', '21SD333', '--json'))};
is_deeply [@{$act}{qw(by created changed)}], ['OPERATOR', $count, $count], 'the import is one act';
my $dry = $service->admin('undo', '21SD333', '--act', $act->{number}, '--dry-run');
is_deeply log_of(), $edited, 'a dry run changes nothing';
my $said = $service->admin('undo', '21SD333', '--act', $act->{number});
my ($number) = $said =~ /^number (\d+)$/m;
is $said =~ s/^number .*\n//mr, $dry, 'what is done is what the dry run said';
my $after = log_of();
is $service->sqlite("SELECT max(slice) <= 200 FROM (SELECT count(*) AS slice FROM qsos
    WHERE id IN (SELECT qso_id FROM former WHERE edit = $number) GROUP BY synced_at)"), 1,
    'a transaction takes back 200 QSOs at most, as many as a batch may write';
my %expected = (%$before, map { $_ => $edited->{$_} } @edited);
is_deeply $after, \%expected, 'the log is the former one but for what was edited since';
my @named = $said =~ /^skipped: QSO (\d+), .* changed later by key \d+, tablet$/mg;
is_deeply [sort { $a <=> $b } @named], [sort { $a <=> $b } @edited], 'what was edited since is named';
my ($status) = $service->admin_try('undo', '21SD333', '--act', $act->{number}, '--over-others');
is $status, 0, 'those can be taken back, too, where that is said';
is_deeply log_of(), $before, 'the log is as it was before the import';
my ($last) = @{JSON::PP::decode_json($service->admin('history', '21SD333', '--json'))};
is_deeply [@$last{qw(undoes takesBack restored revived)}], [($act->{number}) x 2, ($last->{restored}) x 2],
    'the act names the act that it undoes and repeats its fields under their previous names';
$service->admin('undo', '21SD333', '--act', $last->{number});
$service->admin('undo', '21SD333', '--act', $number);
is_deeply log_of(), $edited, 'all of it taken back again, the log is as it was';

# By name, by number, by operator, for all members.
($status) = $service->admin_try('undo', '21SD333', '--act', 1);
is $status, 0, 'the first act, the import of the log, can be taken back';
my $now = iso_time($service->sqlite('SELECT last_stamp + 1 FROM logbook') / 1000);
my $other = $service->add_member('26AT101');
my $bad = $service->admin('key', 'add', '26AT101', '--name', 'bad program', '--scope', 'WRITE');
my $worse = $service->admin('key', 'add', '21SD333', '--name', 'bad program', '--scope', 'WRITE');
$service->post_batch([qso(notes => 'bad')], key => $_) for $bad, $worse;
my $all = $service->admin('undo', '--all', '--by', 'bad program', '--since', $now);
is_deeply [$all =~ /^(\w+\d+)$/mg], ['21SD333', '26AT101'], 'all members are taken back at once';
is $service->sqlite(q(SELECT count(*) FROM qsos WHERE notes = 'bad')), 0, 'nothing is left of the bad program';
# A member who is deleted meanwhile stops nothing, and one of whose log nothing is undone is not named.
$service->post_batch([qso(notes => 'bad')], key => $_) for $bad, $worse;
$service->admin('member', 'add', $_, '--locator', 'JO59') for '22XX1', '22XX2';
$service->sqlite(q(CREATE TRIGGER meanwhile AFTER DELETE ON qsos
    BEGIN DELETE FROM members WHERE callsign = '22XX1'; END));
$all = $service->admin('undo', '--all', '--by', 'bad program', '--since', $now);
is_deeply [$all =~ /^(\w+\d+)$/mg], ['21SD333', '26AT101'],
    'all others are taken back if a member is deleted meanwhile';
is $service->sqlite(q(DROP TRIGGER meanwhile; SELECT count(*) FROM members WHERE callsign = '22XX1')), 0,
    'a member who is deleted while all logs are taken back is gone';
# A writer who is not there, or another member's key.
my $stranger = $service->add_member('9WR1');
my ($foreign) = map { $_->{number} } @{JSON::PP::decode_json($service->admin('key', 'list', '9WR1', '--json'))};
for (['21SD333', 99999], ['21SD333', $foreign], ['21SD333', 'no such program'], ['--all', 'no such program']) {
    my ($whose, $by) = @$_;
    my ($refused, $output, $errors) = $service->admin_try('undo', $whose, '--by', $by, '--since', $now);
    is_deeply [$refused, $output], [1, ''], "undo $whose --by $by: a writer who is not there is refused";
    like $errors, qr/\A[^\n]* has no key or writer \Q$by\E; those that exist: [^\n]*key \d+ \([^\n]*, operator\n\z/,
        "undo $whose --by $by: one line has the names that there are";
}
is +($service->admin_try('undo', '9WR1', '--by', $foreign, '--since', $now))[0], 0,
    'a key that wrote nothing is no error';
for (['an act that is not there', 'undo', '21SD333', '--act', 99999],
    ['an act that was taken back', 'undo', '21SD333', '--act', $service->sqlite(
        q(SELECT max(number) FROM acts WHERE member_id = 1 AND work = 0))]) {
    my ($name, @command) = @$_;
    my ($status, $output, $errors) = $service->admin_try(@command);
    is $status, 1, "$name is refused";
    like $errors, qr/\A[^\n]+\n\z/, "$name is refused in a line";
    is $output, '', "$name leaves nothing else to say";
}
for (['undo', '21SD333'], ['undo', '--all', '--act', 1], ['undo', '21SD333', '--by', 'x'],
    ['undo', '21SD333', '--act', 1, '--since', '2026-01-01'], ['undo', '--by', 'x', '--since', '2026-01-01']) {
    is +($service->admin_try(@$_))[0], 2, "the form of @$_ is wrong";
}
is $service->admin('check'), '', 'the logbook is whole after all of it';

# What is kept of a log's former states, by whom it was written, and how it goes.
{
    my $service = QSOsync::Service->start;
    sub rows { return $service->sqlite($_[0]) }
    sub states { rows('SELECT count(*) FROM former') }

    my @qso = map { full_qso(callsignWorked => "26AT$_") } 1 .. 4;
    $service->post_batch(\@qso);
    is states(), 0, 'new QSOs leave no former state';
    is rows('SELECT count(*), min(created), min(writer), min(writer_number) FROM acts'), '1|4|1|2',
        'new QSOs are known by who made them';
    $service->post_batch(\@qso);
    is states(), 0, 'equal content, sent again, leaves none';
    is rows('SELECT count(*) FROM acts WHERE changed'), 0, 'sent again, it is no change of the act';
    $service->post_batch([{ %{$qso[0]}, sendSpot => JSON::PP::true() }]);
    is states(), 0, 'a spot is no change of the content';
    $service->post_batch([map { +{ %$_, notes => 'changed' } } @qso[0, 1]]);
    is states(), 2, 'each change keeps the former state';
    $service->post_batch([map { +{ %$_, notes => 'changed again' } } @qso[0, 0]]);
    is states(), 3, 'a second change keeps another one; what is sent twice in one batch is changed once';
    $service->delete_qso($qso[0]{clientId});
    is states(), 4, 'so does a deletion';
    is rows('SELECT count(*) FROM gone'), 1, 'it is known what is gone';
    is rows('SELECT count(*), sum(created), sum(changed), sum(deleted) FROM acts'), '1|4|3|1',
        'all that one writer wrote in a row is one act';
    $service->admin('import', '21SD333', adif_file($service, adif_record(QSO_DATE => '20260517', TIME_ON => '1200',
        CALL => '26AT9', BAND => '11m')));
    is rows('SELECT count(*) FROM acts WHERE writer = 0 AND work = 1 AND subject IS NOT NULL AND created = 1'), 1,
        'an import is an act of its own, which knows its file';
    is $service->admin('check'), '', 'all of it is consistent';

    # The state before the change is small.
    cmp_ok rows('SELECT max(length(state)) FROM former'), '<', 300,
        'a former state of a QSO with all fields takes less than 300 bytes';

    # With age: nothing is removed in one go, and QSOs stay.
    rows('UPDATE acts SET began_at = began_at - 181 * 86400000');
    my $before = states();
    $service->post_batch([qso()]);
    is states(), 0, 'what is older than 180 days is removed with later writes';
    is rows('SELECT count(*) FROM gone'), 0, 'with what is known of deleted QSOs';
    is rows('SELECT count(*) FROM qsos'), 5, 'the QSOs themselves stay';
    is $service->admin('check'), '', 'after the removal all is consistent';

    # More states than are kept.
    $service->stop;
    $service = QSOsync::Service->start(environment => { QSOSYNC_HISTORY_STATES => 30 });
    @qso = map { qso() } 1 .. 20;
    $service->post_batch(\@qso);
    for my $round (1 .. 4) {
        $service->post_batch([map { +{ %$_, notes => "round $round" } } @qso],
            key => $service->admin('key', 'add', '21SD333', '--name', "round $round", '--scope', 'WRITE'));
    }
    cmp_ok states(), '<=', 30, 'at most as many states are kept for a member as the setting says';
    is $service->admin('check'), '', 'what is left below the bound is consistent';
    $service->stop;

    $service = QSOsync::Service->start(environment => { QSOSYNC_HISTORY_DAYS => 0 });
    my $qso = qso();
    $service->post_batch([{ %$qso, notes => $_ }]) for 'one', 'two';
    $service->delete_qso($qso->{clientId});
    is rows('SELECT (SELECT count(*) FROM acts) + (SELECT count(*) FROM former) + (SELECT count(*) FROM gone)'), 0,
        'with 0 days nothing is kept';
    is $service->admin('check'), '', 'a logbook without history is consistent';

    # Who leaves takes the history along.
    $service->stop;
    $service = QSOsync::Service->start;
    $service->post_batch([map { qso() } 1 .. 3]);
    $service->delete_qso(($service->download)[0]{clientId});
    $service->admin('member', 'delete', '21SD333', '--yes');
    is rows('SELECT (SELECT count(*) FROM acts) + (SELECT count(*) FROM former) + (SELECT count(*) FROM gone)'), 0,
        'with a member goes the history of the log';
}

done_testing;
