use QSOsync::Test fronts => 'nginx', slow => 30;
use QSOsync::Adif;
use QSOsync::Doctor;
use QSOsync::Polo;
use QSOsync::Profile;

# Everything stored in addition to a member's QSOs shares one limit. At the limit, the oldest history is dropped first,
# and then new data are refused. QSOs are always saved.
my $mib = 1 << 20;
my $service = QSOsync::Service->start(site => 1, environment => { QSOSYNC_MEMBER_MIB => 1 });
$ENV{QSOSYNC_MEMBER_MIB} = 1; # used by qsosync-admin
my $me = QSOsync::Profile->log_in($service, '21SD333');
$service->add_member('13HN888');
my $operator = QSOsync::Operator->with_role($service, '13HN888');
my %used;
sub storage {
    my ($callsign) = @_;
    $callsign //= '21SD333';
    @used{qw(history leftovers polo cards known)} = split /\|/, $service->sqlite("SELECT history, leftovers, polo,
        cards, known FROM storage JOIN members ON members.id = member_id WHERE callsign = '$callsign'");
    return $used{history} + $used{leftovers} + $used{polo} + $used{cards} + $used{known};
}
sub is_whole { my ($name) = @_; is $service->admin('check'), '', "the counters are right $name" }

# History counts towards the limit, and the oldest states are dropped first.
is storage(), 0, 'a new member has nothing stored in addition to QSOs';
my @qsos = map { qso(notes => 'a' x 1900, radio => 'first') } 1 .. 200;
$service->post_batch(\@qsos);
is storage(), 150, 'QSOs do not count towards the limit, but the act that saved them does';
$service->post_batch([{ %{$qsos[0]}, radio => 'other' }]);
my ($counted, $length) = split /\|/, $service->sqlite('SELECT history, length(state) FROM storage
    JOIN former USING (member_id)');
is $counted, 150 + $length + 40, 'an earlier state counts as its length plus 40 bytes';
$service->sqlite('UPDATE acts SET began_at = began_at - 7200000, ended_at = ended_at - 7200000'); # starts a new act
for my $round (1 .. 8) {
    $service->post_batch([map { { %$_, notes => chr(97 + $round) x 1900 } } @qsos]);
    cmp_ok storage(), '<=', $mib, "history stays within the limit in round $round";
}
cmp_ok $used{history}, '>', $mib / 4, 'history within the limit is kept';
is_whole('after history was dropped');
my @acts = @{$me->get('history')->json->{items}};
cmp_ok scalar @acts, '>=', 1, 'the newest history is kept';
is scalar(grep { $_->{number} == 1 } @acts), 0, 'the oldest history is dropped first';
is $service->sqlite('SELECT count(*) FROM qsos'), 200, 'no QSO is lost when the limit is reached';

# The last round can be undone, and the undo can be undone.
$service->sqlite('UPDATE acts SET began_at = began_at - 7200000, ended_at = ended_at - 7200000');
$service->post_batch([map { { %$_, notes => 'last' } } @qsos[0 .. 49]]);
my $last = $me->get('history')->json->{items}[0]{number};
is $me->post('undo', { act => $last, include => '' })->json->{restored}, 50, 'the newest act can be undone';
my $undo = $me->get('history')->json->{items}[0]{number};
is $me->post('undo', { act => $undo, include => '' })->json->{restored}, 50, 'an undo can be undone';
$service->post_batch([{ %{$qsos[0]}, notes => 'now' }]);
cmp_ok storage(), '<=', $mib, 'the write after an undo reduces the history to the limit';
is_whole('after undo');

# If an act is larger than the limit, its QSOs are saved, and as much of its history as fits is kept.
for my $letter (qw(w x y z)) { $service->post_batch([map { { %$_, notes => $letter x 2000 } } @qsos]) }
$service->post_batch([map { { %$_, notes => 'z' x 1999 } } @qsos]);
cmp_ok storage(), '<=', $mib, 'after an act larger than the limit, storage is within the limit';
is scalar(grep { $_->{notes} eq 'z' x 1999 } $service->download), 200,
    'the QSOs in an act larger than the limit are saved';
is_whole('after a large act');

# Extra fields count towards the limit.
sub adif { # returns `count` records from a minute on, each with a text in a field that QSOsync lacks
    my ($first, $count, $bytes) = @_;
    return map {
        adif_record(QSO_DATE => '20260601', TIME_ON => sprintf('%02d%02d', int $_ / 60, $_ % 60), BAND => '11m',
            FREQ => '27.555', MODE => 'SSB', CALL => "26AT$_", APP_LOGGER_TEXT => 'e' x $bytes)
    } $first .. $first + $count - 1;
}
my $file = adif_file($service, adif(0, 200, 3000));
my $report = import_adif($service, '21SD333', $file);
is $report->{counts}{imported}, 200, 'records with extra fields are imported';
cmp_ok storage(), '<=', $mib, 'extra fields stay within the limit';
cmp_ok $used{leftovers}, '>=', 200 * 3030, 'history is dropped to make space for extra fields';
is $used{leftovers}, $service->sqlite('SELECT sum(30 + length(fields)) FROM leftovers'),
    'the extra fields of a QSO count as their length plus 30 bytes';
$file = adif_file($service, adif(300, 200, 3000));
$report = import_adif($service, '21SD333', $file);
is $report->{counts}{imported}, 200, 'records whose extra fields do not fit are imported';
cmp_ok storage(), '<=', $mib, 'extra fields that do not fit are not stored';
my $kept = $service->sqlite('SELECT count(*) FROM leftovers') - 200;
cmp_ok $kept, '>', 100, 'extra fields within the limit are stored';
cmp_ok $kept, '<', 200, 'extra fields above the limit are omitted';
my ($line) = grep { /extra fields/ } @{$report->{details}};
like $line, qr/no space for the record's extra fields: the member's storage is full\z/,
    'the report states that extra fields were omitted';
like join("\n", @{$report->{details}}),
    qr/no space to remember the record: the member's storage is full/,
    'the report states that records are not remembered';
my $revision = $service->sqlite('SELECT log_revision FROM members');
$report = import_adif($service, '21SD333', $file);
is "$report->{counts}{imported} $report->{counts}{updated} $report->{counts}{unchanged}", '0 0 200',
    'importing the same file again changes nothing';
is $service->sqlite('SELECT log_revision FROM members'), $revision,
    'a record whose extra fields do not fit does not change the log';
is_whole('after extra fields');

# Pictures count towards the limit.
sub put {
    my ($path, $body, $type) = @_;
    return $me->request('PUT', $path, body => $body,
        headers => { 'Sec-Fetch-Site' => 'same-origin', 'Content-Type' => $type });
}
sub segment { return pack 'C C n a*', 0xff, $_[0], 2 + length $_[1], $_[1] }
my $table = chr(1) . chr(0) x 16;
my $picture = "\xff\xd8" . segment(0xdb, chr(0) . chr(1) x 64) x 3000
    . segment(0xc0, pack 'C n n C C3', 8, 8, 8, 1, 1, 0x11, 0) . segment(0xc4, chr(0) . $table)
    . segment(0xc4, chr(0x10) . $table) . segment(0xda, pack 'C C2 C3', 1, 1, 0, 0, 63, 0) . "\x3f\xff\xd9";
my $refused = put('card/picture', $picture, 'image/jpeg');
is_deeply [$refused->status, $refused->code], [409, 'PROFILE.STORAGE_FULL'], 'a picture that does not fit is refused';
is $me->get('card/picture')->status, 404, 'a refused picture is not stored';
is_whole('after a picture was refused');

$service->add_member('26AT101');
my $other = QSOsync::Profile->log_in($service, '26AT101');
$me = $other;
is put('card/picture', $picture, 'image/jpeg')->status, 204, 'another member has a separate limit';
is put('card/picture', $picture, 'image/jpeg')->status, 204, 'a second picture replaces the first';
is storage('26AT101'), length($picture) + 40, 'a replaced picture does not count towards the limit';
is put('card', '{"ink":"#000000"}', 'application/json')->status, 204, "a card's design is stored within the limit";
is storage('26AT101'), length($picture) + 40 + 40 + length '{"ink":"#000000"}',
    "a card's design counts towards the limit";
is $other->remove('card/picture')->status, 204, 'a picture can be removed';
is storage('26AT101'), 40 + length '{"ink":"#000000"}', 'a removed picture does not count towards the limit';
$service->admin('card', 'remove', '26AT101');
is storage('26AT101'), 0, 'a removed card does not count towards the limit';

# The status command, the operator's page and the doctor report each member's bytes.
put('card', '{"ink":"#000000"}', 'application/json');
$me = QSOsync::Profile->log_in($service, '21SD333');
my $status = JSON::PP::decode_json($service->admin('status', '--json'));
storage();
is_deeply $status->{storage}[0], { callsign => '21SD333', historyBytes => 0 + $used{history},
    extraFieldsBytes => 0 + $used{leftovers}, poloBytes => 0, cardsBytes => 0, knownRecordsBytes => 0 + $used{known},
    bytes => $used{history} + $used{leftovers} + $used{known}, maxBytes => $mib },
    'status --json lists the bytes of each member by kind';
is $status->{storage}[1]{callsign}, '26AT101', 'status --json lists the member with the most bytes first';
is $status->{extraFieldsBytes}, $used{leftovers}, 'status --json has the sums over all members';
my $heads = 'CALLSIGN +HISTORY +EXTRA FIELDS +POLO +CARDS +KNOWN +BYTES +MAXIMUM';
like $service->admin('status'),
    qr/^$heads\n21SD333 +$used{history} +$used{leftovers} +0 +0 +$used{known} /m,
    'status prints a table of bytes per member';
my $health = $operator->get('health')->json;
is $health->{storageMax}, $mib, "the operator's page has the limit";
is_deeply $health->{storage}[0], { callsign => '21SD333', history => 0 + $used{history},
    extraFields => 0 + $used{leftovers}, polo => 0, cards => 0, knownRecords => 0 + $used{known},
    bytes => $used{history} + $used{leftovers} + $used{known} },
    "the operator's page has the bytes of each member by kind";
my ($code, $found) = QSOsync::Doctor::run(undef, 'doctor', '--db', $service->db);
QSOsync::Doctor::finds('a member without room', 'warning', 'storage',
    qr{\A21SD333\ has\ no\ room\ for\ more\ history.*:\ 1\.0\ of\ 1\ MiB
        \ \(history\ 0\.0,\ extra\ fields\ 1\.0,\ PoLo\ 0\.0,\ QSL\ cards\ 0\.0,\ known\ records\ 0\.0\)\z}x,
    qr/\Araise QSOSYNC_MEMBER_MIB/, $code, $found);
{
    local $ENV{QSOSYNC_MEMBER_MIB} = 64;
    my (undef, $found) = QSOsync::Doctor::run(undef, 'doctor', '--db', $service->db);
    my ($ok) = grep { $_->{check} eq 'storage' } @{$found->{checks}};
    is $ok->{level}, 'ok', 'the doctor accepts a member who has room';
    like $ok->{message}, qr/\Athe member with the most data in addition to QSOs is 21SD333: 1\.0 of 64 MiB/,
        'the doctor names the member with the most bytes';
}
$service->sqlite('UPDATE storage SET cards = cards + 1 WHERE member_id = 1');
my ($failed, $problem) = $service->admin_try('check');
is $failed, 1, 'check fails on a wrong counter';
like $problem, qr/1 bytes of QSL cards are counted for member 21SD333, but 0 are stored/,
    'check names the wrong counter';
$service->sqlite('UPDATE storage SET cards = cards - 1 WHERE member_id = 1');

# A restore keeps the counts, and a deletion removes them.
my $backup = $service->directory . '/backup.db';
$service->admin('backup', $backup);
$service->admin('restore', $backup);
is_whole('after a restore');
$service->admin('restore', $backup, '--member', '21SD333');
is_whole('after a restore of one log');
$service->admin('member', 'disable', '26AT101');
$service->admin('member', 'delete', '26AT101', '--yes');
is $service->sqlite('SELECT count(*) FROM storage'), 2, 'deleting a member deletes their counters';
is $me->post('delete-log', { callsign => '21SD333', password => $me->{password} })->status, 200,
    'a member can delete their log';
until_true(sub { storage() == 0 });
is storage(), 0, 'deleting a log deletes everything that was stored for the log';
is_whole('at the end');
$service->stop;

# PoLo's records count towards the limit.
{
    my $service = QSOsync::Service->start(site => 1, environment => { QSOSYNC_MEMBER_MIB => 1 });
    my $me = QSOsync::Profile->log_in($service, '21SD333');
    $service->admin('uploads', 'on');
    my $made = $me->post('tokens', { name => 'My phone', isPolo => JSON::PP::true() })->json;
    my $phone = QSOsync::Polo->new($service, 'http://127.0.0.1:' . $service->port . "/lofi/$made->{token}");
    $phone->sign_in;
    my $size = sub { $service->sqlite('SELECT page_count * 4096 FROM pragma_page_count') };
    my $before = $size->();
    for my $round (1 .. 12) {
        $phone->add_qso(their => { call => "26AT$round$_" }, extra => 'p' x 60_000) for 1 .. 20;
        ok $phone->rest, "PoLo sends 20 QSOs of 60 KB in round $round";
    }
    is $service->sqlite('SELECT count(*) FROM qsos'), 240, 'each QSO from PoLo is in the log';
    cmp_ok $service->sqlite('SELECT polo FROM storage'), '<=', $mib,
        "the fields that only PoLo has stay within the member's limit";
    cmp_ok $size->() - $before, '<', 4 * $mib, '240 QSOs of 60 KB make the logbook less than 4 MiB larger';
    my ($reason) = @{$me->get('tokens')->json->{poloRejections}};
    is $reason->{reason}, 'the storage has no room for the details that only PoLo uses',
        'the profile gives the reason why a QSO from PoLo is not stored completely';
    is $reason->{count} + $service->sqlite("SELECT count(*) FROM polo_records WHERE kind = 1 AND body <> ''"), 240,
        'the profile counts the QSOs that are not stored completely';
    is $service->admin('check'), '', 'the counters are right after PoLo';
    my $more = $phone->add_qso(their => { call => '19AT1' }, extra => 'small');
    ok $phone->rest, 'PoLo can send a QSO at the limit';
    is $service->sqlite("SELECT count(*) FROM qsos WHERE callsign_worked = '19AT1'"), 1,
        'a QSO that PoLo sends at the limit is in the log';
    $phone->edit(qsos => $more, notes => 'edited');
    ok $phone->rest, 'PoLo can send a change at the limit';
    is $service->sqlite("SELECT notes FROM qsos WHERE callsign_worked = '19AT1'"), 'edited',
        'a change that PoLo sends at the limit is in the log';
}

done_testing;
