use QSOsync::Test fronts => 'nginx';
use QSOsync::Adif;

# The operator's command undoes an import and keeps QSOs that were edited later. Then the command undoes the undo.
# QSOSYNC_TEST_ROUNDS is the size of the log before the import, in hundreds of QSOs.
my $hundreds = $ENV{QSOSYNC_TEST_ROUNDS} || 5;
my $count = $hundreds * 100;
my $service = QSOsync::Service->start;
my $tablet = $service->admin('key', 'add', '21SD333', '--name', 'tablet', '--scope', 'WRITE');
sub log_of { return { map { my %q = %$_; delete $q{syncedAt}; ($q{id} => \%q) } $service->download } }
sub minute { my ($i) = @_; return sprintf '%02d%02d', int($i / 60) % 24, $i % 60 }
sub record { my ($i, @more) = @_; return adif_record(QSO_DATE => sprintf('2026%02d%02d', 1 + int($i / 40000), 1 +
    int($i / 1440) % 28), TIME_ON => minute($i), CALL => "26X$i", BAND => '11m', @more) }

# One half of the file matches existing QSOs, and the other half is new.
my $first = adif_file($service, map { record($_, RST_SENT => '59') } 1 .. $count);
is import_adif($service, '21SD333', $first)->{counts}{imported}, $count, 'the first import creates all QSOs';
my $before = log_of();
my $second = adif_file($service, map { record($_, NOTES => 'wrong') } 1 .. 2 * $count);
my $report = import_adif($service, '21SD333', $second);
is_deeply [@{$report->{counts}}{qw(imported updated)}], [$count, $count],
    'the wrong import updates one half of its QSOs and creates the other half';
my $imported = log_of();
my @edited = (grep { $imported->{$_}{callsignWorked} =~ /[05]\z/ }
    sort { $a <=> $b } keys %$imported)[0 .. $count / 25 - 1];
my @sent = map { +{ %{$imported->{$_}}, notes => 'mine' } } @edited;
$service->post_batch([splice @sent, 0, 100], key => $tablet) while @sent;
my $edited = log_of();
is scalar(grep { ($edited->{$_}{notes} // '') eq 'mine' } keys %$edited), scalar @edited,
    'some QSOs are edited after the import';

my ($act) = grep { $_->{work} eq 'IMPORT' && $_->{changed} }
    @{JSON::PP::decode_json($service->admin('history', '21SD333', '--json'))};
is_deeply [@{$act}{qw(by created changed)}], ['OPERATOR', $count, $count], 'an import is one act';
my $dry = $service->admin('undo', '21SD333', '--act', $act->{number}, '--dry-run');
is_deeply log_of(), $edited, 'a dry run changes nothing';
my $said = $service->admin('undo', '21SD333', '--act', $act->{number});
my ($number) = $said =~ /^number (\d+)$/m;
is $said =~ s/^number .*\n//mr, $dry, 'an undo and its dry run print the same report';
my $after = log_of();
is $service->sqlite("SELECT max(slice) <= 200 FROM (SELECT count(*) AS slice FROM qsos
    WHERE id IN (SELECT qso_id FROM former WHERE edit = $number) GROUP BY synced_at)"), 1,
    'a transaction undoes at most 200 QSOs, as many as a batch can write';
my %expected = (%$before, map { $_ => $edited->{$_} } @edited);
is_deeply $after, \%expected, 'an undo restores the previous log, except for QSOs that were edited later';
my @named = $said =~ /^skipped: QSO (\d+), .* changed later by key \d+, tablet$/mg;
is_deeply [sort { $a <=> $b } @named], [sort { $a <=> $b } @edited], 'an undo names the QSOs that were edited later';
my ($status) = $service->admin_try('undo', '21SD333', '--act', $act->{number}, '--over-others');
is $status, 0, '--over-others also undoes QSOs that were edited later';
is_deeply log_of(), $before, '--over-others restores the log from before the import';
my ($last) = @{JSON::PP::decode_json($service->admin('history', '21SD333', '--json'))};
is_deeply [@$last{qw(undoes takesBack restored revived)}], [($act->{number}) x 2, ($last->{restored}) x 2],
    "the history names the undone act, and repeats two fields under their previous names";
$service->admin('undo', '21SD333', '--act', $last->{number});
$service->admin('undo', '21SD333', '--act', $number);
is_deeply log_of(), $edited, 'undoing both undos restores the edited log';

# The operator selects a writer by name or number, the operator, or all members.
($status) = $service->admin_try('undo', '21SD333', '--act', 1);
is $status, 0, 'the first act, the import of the log, can be undone';
my $now = iso_time($service->sqlite('SELECT last_stamp + 1 FROM logbook') / 1000);
my $other = $service->add_member('26AT101');
my $bad = $service->admin('key', 'add', '26AT101', '--name', 'bad program', '--scope', 'WRITE');
my $worse = $service->admin('key', 'add', '21SD333', '--name', 'bad program', '--scope', 'WRITE');
$service->post_batch([qso(notes => 'bad')], key => $_) for $bad, $worse;
my $all = $service->admin('undo', '--all', '--by', 'bad program', '--since', $now);
is_deeply [$all =~ /^(\w+\d+)$/mg], ['21SD333', '26AT101'], '--all undoes the acts of all members';
is $service->sqlite(q(SELECT count(*) FROM qsos WHERE notes = 'bad')), 0, "--all deletes the bad program's QSOs";
# The deletion of a member during the command does not stop the command. A member without changes is not named.
$service->post_batch([qso(notes => 'bad')], key => $_) for $bad, $worse;
$service->admin('member', 'add', $_, '--locator', 'JO59') for '22XX1', '22XX2';
$service->sqlite(q(CREATE TRIGGER meanwhile AFTER DELETE ON qsos
    BEGIN DELETE FROM members WHERE callsign = '22XX1'; END));
$all = $service->admin('undo', '--all', '--by', 'bad program', '--since', $now);
is_deeply [$all =~ /^(\w+\d+)$/mg], ['21SD333', '26AT101'],
    '--all continues if a member is deleted during the command';
is $service->sqlite(q(DROP TRIGGER meanwhile; SELECT count(*) FROM members WHERE callsign = '22XX1')), 0,
    'a member who is deleted during --all stays deleted';
# An unknown writer or another member's key is refused.
my $stranger = $service->add_member('9WR1');
my ($foreign) = map { $_->{number} } @{JSON::PP::decode_json($service->admin('key', 'list', '9WR1', '--json'))};
for (['21SD333', 99999], ['21SD333', $foreign], ['21SD333', 'no such program'], ['--all', 'no such program']) {
    my ($whose, $by) = @$_;
    my ($refused, $output, $errors) = $service->admin_try('undo', $whose, '--by', $by, '--since', $now);
    is_deeply [$refused, $output], [1, ''], "undo $whose --by $by: an unknown writer is refused";
    like $errors, qr/\A[^\n]* has no key or writer \Q$by\E; choose one of: [^\n]*key \d+ \([^\n]*, operator\n\z/,
        "undo $whose --by $by: one line lists the existing writers";
}
is +($service->admin_try('undo', '9WR1', '--by', $foreign, '--since', $now))[0], 0,
    'undoing the writes of a key that wrote nothing succeeds';
for (['an unknown act', 'undo', '21SD333', '--act', 99999],
    ['an undone act', 'undo', '21SD333', '--act', $service->sqlite(
        q(SELECT max(number) FROM acts WHERE member_id = 1 AND work = 0))]) {
    my ($name, @command) = @$_;
    my ($status, $output, $errors) = $service->admin_try(@command);
    is $status, 1, "$name is refused";
    like $errors, qr/\A[^\n]+\n\z/, "$name is refused in one line";
    is $output, '', "$name prints no report";
}
for (['undo', '21SD333'], ['undo', '--all', '--act', 1], ['undo', '21SD333', '--by', 'x'],
    ['undo', '21SD333', '--act', 1, '--since', '2026-01-01'], ['undo', '--by', 'x', '--since', '2026-01-01']) {
    is +($service->admin_try(@$_))[0], 2, "@$_ is a usage error";
}
is $service->admin('check'), '', 'the logbook passes the check after all undos';

done_testing;
