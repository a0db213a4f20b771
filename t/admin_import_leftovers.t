use QSOsync::Test fronts => 'nginx';
use QSOsync::Kit;
use File::Copy qw(copy);

# The import stores fields without a place in a QSO as extra fields. Exports contain the extra fields, an undo restores
# them with the QSO's values, and the API never returns them.
use QSOsync::Adif;
use QSOsync::Profile;
my $service = QSOsync::Service->start(site => 1);
my $folder = $service->directory;
my %record = (QSO_DATE => '20260517', TIME_ON => '1942', TIME_OFF => '195001', BAND => '11M', FREQ => '27.555000',
    FREQ_RX => '27.555', MODE => 'SSB', SUBMODE => 'usb', CALL => '26at101', STATION_CALLSIGN => '21SD333',
    OPERATOR => 'Bob', RST_SENT => '59', STX => '12', STX_STRING => '012', RST_RCVD => '59', SRX_STRING => 'DL',
    GRIDSQUARE => 'io91wm45', MY_GRIDSQUARE => 'x', TX_PWR => '4.5', QSL_SENT => 'Q', QSL_RCVD => 'N',
    QSL_SENT_VIA => 'M', NAME => " Ann", NAME_INTL => "\xc3\x85nn", COMMENT => "two\nlines",
    ADDRESS => "Road 1\r\nTown",
    CONTEST_ID => '11M-CUP', IOTA => 'EU-005', APP_LOGGER_X => '{"a": [1]}', MY_OWN_FIELD => "\xc3\xa4", LAT => 'here',
    EQSL_QSLRDATE => '20260601', EMPTY => '');
my %sent = %record;
sub record_of { my (%of) = @_; return adif_record(map { $_ => $of{$_} } sort keys %of) }
sub import_of { return import_adif($service, '21SD333', adif_file($service, map { record_of(%$_) } @_)) }
sub counts { my ($report) = @_; return join ' ', map { $report->{counts}{$_} } qw(imported updated unchanged rejected) }
sub fields_of {
    my ($text) = @_;
    my (@records, %fields);
    $text =~ s/\A.*?<EOH>//s;
    utf8::encode($text) if utf8::is_utf8($text);
    while ($text =~ /<(?:(EOR)|(\w+):(\d+))>/g) {
        if ($1) { push @records, {%fields}; %fields = () }
        else { $fields{$2} = substr $text, pos $text, $3; pos($text) += $3 }
    }
    return @records;
}
sub exported { return fields_of(scalar $service->admin('export', '21SD333', @_)) }

# An export returns the extra fields of an import.
is counts(import_of(\%record)), '1 0 0 0', 'a record with extra fields is imported';
my ($out) = exported();
is $out->{$_}, $record{$_}, "an export returns $_ as imported" for grep { $record{$_} ne '' } sort keys %record;
ok !(grep { !exists $record{$_} && !/^APP_QSOSYNC_/ } keys %$out),
    'an export adds only APP_QSOSYNC fields to an imported record'
    or diag join ' ', sort keys %$out;
my ($qso) = $service->download;
ok !(grep { ($_ // '') =~ /EU-005|11M-CUP|LOGGER/ } values %$qso), 'the API returns no extra field';
is counts(import_of(\%record)), '0 0 1 0', 'importing extra fields again changes nothing';
is counts(import_adif($service, '21SD333', adif_file($service, $service->admin('export', '21SD333')))), '0 0 1 0',
    'importing our own export with extra fields changes nothing';
is +($service->download)[0]{syncedAt}, $qso->{syncedAt}, 'an import without changes keeps syncedAt';
my ($strict) = exported('--strict');
ok !exists $strict->{IOTA}, 'a strict export omits extra fields';

# Values that an app has changed are exported as changed, and all other values as imported.
$service->post_batch([{ %$qso, frequencyMhz => '27.555', mode => 'AM', notes => 'mine' }]);
($out) = exported();
is_deeply [@$out{qw(MODE NOTES COMMENT IOTA FREQ)}], ['AM', 'mine', undef, 'EU-005', '27.555000'],
    'an export has the values that an app changed, and the extra fields';
$service->admin('undo', '21SD333', '--act', (history())[0]{number});
is_deeply +(exported())[0], { %{+(exported())[0]}, map { $_ => $record{$_} } grep { $record{$_} ne '' } keys %record },
    'an undo restores the values and the extra fields';
sub history { return @{JSON::PP::decode_json($service->admin('history', '21SD333', '--json'))} }

# Another record of the contact replaces the stored extra fields.
is counts(import_of({ %record, (map { $_ => '' } qw(IOTA CONTEST_ID ADDRESS)), SIG => 'CB' })), '0 1 0 0',
    'a record with other extra fields updates its QSO';
is_deeply [@{(exported())[0]}{qw(IOTA SIG)}], [undef, 'CB'],
    "the record's extra fields replace the stored extra fields";
is_deeply [map { $_->{changed} } (history())[0]], [1], 'replacing extra fields is recorded as an act';
$service->admin('undo', '21SD333', '--act', (history())[0]{number});
is_deeply [@{(exported())[0]}{qw(IOTA SIG)}], ['EU-005', undef], 'an undo restores the previous extra fields';
my $undone = (history())[0]{number};
$service->post_batch([{ %$qso, notes => 'later' }]);
is_deeply [@{(exported())[0]}{qw(IOTA SIG)}], ['EU-005', undef],
    'a later write does not restore undone extra fields';
$service->admin('undo', '21SD333', '--act', (history())[0]{number});
$service->admin('undo', '21SD333', '--act', $undone);
is_deeply [@{(exported())[0]}{qw(IOTA SIG)}], [undef, 'CB'], 'undoing the undo restores the later extra fields';
my %poor = ((map { $_ => $record{$_} } qw(QSO_DATE CALL STATION_CALLSIGN)), TIME_ON => '194200', BAND => '11m');
is counts(import_of(\%poor)), '0 0 1 0', 'a record without extra fields keeps the stored extra fields';
$service->delete_qso($qso->{clientId});
is_deeply [exported()], [], 'a deleted QSO is not exported';
$service->admin('undo', '21SD333', '--act', (history())[0]{number});
is +(exported())[0]{SIG}, 'CB', 'undoing a deletion restores the extra fields';

my @twice = ({ %record, TIME_ON => '0101' }, { %record, TIME_ON => '0101', IOTA => 'AF-001',
    APP_QSOSYNC_CLIENT_ID => uuid() });
my $file = adif_file($service, map { record_of(%$_) } @twice, $twice[0], $twice[1], { %{$twice[1]}, IOTA => 'AF-002' });
my $dry = import_adif($service, '21SD333', $file, '--dry-run');
is counts($dry), counts(import_adif($service, '21SD333', $file)),
    'with extra fields, a dry run and the import report the same counts';

# Extra fields beyond the limit are omitted and reported.
my $report = import_of({ %record, TIME_ON => '0202', map { ("APP_X_$_" => 'y' x 900) } 1 .. 5 });
is counts($report), '1 0 0 0', 'a record with too many extra fields is imported';
like join("\n", @{$report->{details}}), qr/left out: line \d+, record 1: \w+ exceeds the 4,000 bytes/,
    'extra fields beyond 4,000 bytes are reported';
cmp_ok $service->sqlite('SELECT max(length(fields)) FROM leftovers'), '<=', 4000,
    'extra fields beyond 4,000 bytes are not stored';
ok +(grep { ($_->{TIME_ON} // '') eq '0202' && ($_->{APP_X_1} // '') eq 'y' x 900 } exported()),
    'extra fields within 4,000 bytes are stored';

# A CB channel by a plan is exported while the QSO is on its frequency.
my $channels = adif_file($service, map { adif_record(QSO_DATE => '20260518', TIME_ON => $_->[0], BAND => '11m',
    FREQ => $_->[1], CALL => '26AT404', MODE => 'FM', APP_QSOSYNC_CB_CHANNEL => $_->[2]) }
    ['0401', '27.781', 'UK 19'], ['0402', '26.565', 'DE 41'], ['0403', '27.195', '19A'], ['0404', '27.555', 'mine']);
is counts(import_adif($service, '21SD333', $channels)), '4 0 0 0', 'records with channels of plans are imported';
sub channels { join ' ', map { $_->{APP_QSOSYNC_CB_CHANNEL} // '-' } grep { $_->{CALL} eq '26AT404' } exported() }
is channels(), 'UK 19 DE 41 19A mine', 'an export contains the plan and the number of each channel';
my $again = $service->directory . '/again.adi';
$service->admin('export', '21SD333', $again);
like counts(import_adif($service, '21SD333', $again)), qr/\A0 0 \d+ 0\z/,
    'an import of the exported channels changes nothing';
my ($british) = grep { $_->{frequencyMhz} && $_->{frequencyMhz} == 27.781 } @{$service->get('/logs')->json->{items}};
$service->post_batch([{ map({ $_ => $british->{$_} } qw(clientId qsoAt band mode callsignWorked)),
    frequencyMhz => '27.791' }]);
is channels(), 'DE 41 19A mine -', 'a QSO on another frequency is exported without the channel';

# Texts that other programs would read as fields are not exported.
my $before = () = exported();
import_of({ %record, TIME_ON => '0303', ADDRESS => 'a <eor> b </eor> c', SIG => 'a <CALL:3>XXX b' });
is scalar(exported()), $before + 1, 'an extra field cannot add a record to an export';
is_deeply [map { @$_{qw(ADDRESS SIG)} } grep { ($_->{TIME_ON} // '') eq '0303' } exported()],
    ['a (eor> b (/eor> c', 'a (CALL:3>XXX b'], 'an exported extra field contains no tag';

$service->admin('uploads', 'on');
my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'programs');
sub upload {
    my $body = JSON::PP->new->utf8->encode({ key => $token, station_profile_id => 1, type => 'adif', string => $_[0] });
    return $service->request('POST', '', raw_path => '/cloudlog/api/qso', body => $body,
        headers => { 'Content-Type' => 'application/json' })->status;
}
my %plain = (QSO_DATE => '20260601', TIME_ON => '101112', BAND => '11m', CALL => '26AT102');
$service->post_batch([qso(qsoAt => '2026-06-01T10:11:12Z', callsignWorked => '26AT103', band => 'ELEVEN_METERS')]);
upload(record_of(%plain, SOTA_REF => 'G/LD-001'));
upload(record_of(%plain, SOTA_REF => 'G/LD-002', SIG => 'x'));
is_deeply [map { [@$_{qw(SOTA_REF SIG)}] } grep { ($_->{CALL} // '') eq '26AT102' } exported()], [['G/LD-002', 'x']],
    'an upload replaces the extra fields of an earlier upload with the same token';

# A member's export and a backup contain extra fields, and the restore of one member's log restores extra fields.
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $everything = $me->get('everything.json')->json;
my @named = map { @{$_->{fields}} } @{$everything->{leftovers}};
ok +(grep { $_->{name} eq 'SOTA_REF' && $_->{value} eq 'G/LD-001' } @named),
    "everything.json contains the member's extra fields";
$service->admin('backup', "$folder/backup.db");
my @all = exported();
$service->delete_qso($_->{clientId}) for $service->download;
$service->admin('restore', "$folder/backup.db", '--member', '21SD333');
is scalar(grep { ($_->{SOTA_REF} // '') eq 'G/LD-002' } exported()), 1,
    "restoring one member's log restores extra fields";
is scalar(exported()), scalar @all, "restoring one member's log restores all QSOs";
is +($service->admin_try('check'))[0], 0, 'the restored logbook passes the check';
$service->sqlite("INSERT INTO leftovers VALUES (1, 999999, 1, CAST('<A:1>b' AS BLOB))");
like +($service->admin_try('check'))[1] . ($service->admin_try('check'))[2], qr/stored for QSO 999999/,
    'the check reports extra fields without a QSO';
$service->sqlite('DELETE FROM leftovers WHERE qso_id = 999999');

# Without history, extra fields that could not be restored are not stored.
$service->admin('member', 'add', '26AT199', '--locator', 'JO59');
{
    local $ENV{QSOSYNC_HISTORY_DAYS} = 0;
    my $none = sub { import_adif($service, '26AT199', adif_file($service, map { record_of(%$_) } @_)) };
    $none->({ %record, IOTA => "EU-$_" }) for 1 .. 3;
    is $service->sqlite('SELECT count(*) FROM leftovers WHERE member_id = 2'), 1,
        'without history, only the latest extra fields are stored';
}
$service->admin('member', 'delete', '26AT199', '--yes', '--export', "$folder/gone.json");
is $service->sqlite('SELECT count(*) FROM leftovers WHERE member_id = 2'), 0,
    'deleting a member deletes the extra fields';
like QSOsync::Front::read_file("$folder/gone.json"), qr/EU-3/,
    'the export of a deleted member contains the extra fields';

# The profile page decodes a file in the browser, and qsosync-admin import decodes a file on the server. Both find the
# same texts.
SKIP: {
    skip 'node is not installed', 1 if system('node --version >/dev/null 2>&1') != 0;
    my $service = QSOsync::Service->start;
    $service->add_member('26AT101');
    my $folder = $service->directory;
    copy("$QSOsync::Front::SOURCE/src/web/pages/log/$_.js", "$folder/$_.js") or die $!
        for qw(adif-slices adif-reader adif-encodings);
    QSOsync::Front::write_file("$folder/package.json", '{ "type": "module" }');
    QSOsync::Front::write_file("$folder/decode.js", <<'END');
import { readFileSync, writeFileSync } from "node:fs";
import { readAdif } from "./adif-reader.js";
import { sliceAdif } from "./adif-slices.js";
const bytes = new Uint8Array(readFileSync(process.argv[2]));
const slices = sliceAdif(bytes, [...readAdif(bytes)], process.argv[4]);
writeFileSync(process.argv[3], slices.map((slice) => slice.text).join(""));
END

    # The texts are in UTF-8, in another encoding, in both, or in ASCII; the lengths count bytes.
    my @notes = ("K\xc3\xb6ln", "K\xf6ln", "\xf0\x9f\x98\x80", 'plain', "\xe4" x 300, "K\xc3\xb6ln K\xf6ln");
    my @records = map { adif_record(CALL => "26AT$_", QSO_DATE => '20260517', TIME_ON => '1942', BAND => '11m',
        NOTES => $notes[$_], MY_RIG => "\xe4") } 0 .. $#notes;
    my $file = adif_file($service, "log of K\xf6ln\n<EOH>\n", @records);
    is + (QSOsync::Kit::run("$folder/node.log", {}, 'node', "$folder/decode.js", $file, "$folder/decoded.adi",
        'cp1251'))[0], 0, 'the page reads the file'
        or diag QSOsync::Front::read_file("$folder/node.log");
    is import_adif($service, '21SD333', $file, '--encoding', 'cp1251')->{counts}{imported}, @notes,
        'the command imports each record of mixed encodings';
    is import_adif($service, '26AT101', "$folder/decoded.adi")->{counts}{imported}, @notes,
        'the page decodes each record of the file';
    my $texts = 'SELECT group_concat(hex(notes) || hex(radio)) FROM (
        SELECT q.* FROM qsos q JOIN members m ON m.id = q.member_id
        WHERE m.callsign = %s ORDER BY callsign_worked)';
    my ($command, $page) = map { $service->sqlite(sprintf $texts, "'$_'") } '21SD333', '26AT101';
    ok length $command, 'the imported QSOs have notes and radios';
    is $page, $command, 'the command and the page decode mixed encodings alike';
}

done_testing;
