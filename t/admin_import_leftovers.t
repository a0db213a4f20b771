use QSOsync::Test fronts => 'nginx';
use QSOsync::Kit;
use File::Copy qw(copy);

# Fields of a record without a place in a QSO are stored as extra fields. They return in exports, follow the content
# through undo and deletion, and never appear in the API.
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
my @odd; # records of other minutes
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

# Import and export.
is counts(import_of(\%record)), '1 0 0 0', 'a record with extra fields is imported';
my ($out) = exported();
is $out->{$_}, $record{$_}, "$_ is exported as it was imported" for grep { $record{$_} ne '' } sort keys %record;
ok !(grep { !exists $record{$_} && !/^APP_QSOSYNC_/ } keys %$out), 'an export has no field that the record did not have'
    or diag join ' ', sort keys %$out;
my ($qso) = $service->download;
ok !(grep { ($_ // '') =~ /EU-005|11M-CUP|LOGGER/ } values %$qso), 'the API returns no extra field';
is counts(import_of(\%record)), '0 0 1 0', 'importing extra fields again changes nothing';
is counts(import_adif($service, '21SD333', adif_file($service, $service->admin('export', '21SD333')))), '0 0 1 0',
    'importing our own export with extra fields changes nothing';
is +($service->download)[0]{syncedAt}, $qso->{syncedAt}, 'an import without changes keeps syncedAt';
my ($strict) = exported('--strict');
ok !exists $strict->{IOTA}, 'a strict export omits extra fields';

# Values changed by an app are exported as changed, all others as imported.
$service->post_batch([{ %$qso, frequencyMhz => '27.555', mode => 'AM', notes => 'mine' }]);
($out) = exported();
is_deeply [@$out{qw(MODE NOTES COMMENT IOTA FREQ)}], ['AM', 'mine', undef, 'EU-005', '27.555000'],
    'an export has the values changed by an app, and the extra fields';
$service->admin('undo', '21SD333', '--act', (history())[0]{number});
is_deeply +(exported())[0], { %{+(exported())[0]}, map { $_ => $record{$_} } grep { $record{$_} ne '' } keys %record },
    'an undo restores the values and the extra fields';
sub history { return @{JSON::PP::decode_json($service->admin('history', '21SD333', '--json'))} }

# Another record of the contact.
is counts(import_of({ %record, (map { $_ => '' } qw(IOTA CONTEST_ID ADDRESS)), SIG => 'CB' })), '0 1 0 0',
    'a record with other extra fields updates its QSO';
is_deeply [@{(exported())[0]}{qw(IOTA SIG)}], [undef, 'CB'], "the record's extra fields replace the stored ones";
is_deeply [map { $_->{changed} } (history())[0]], [1], 'replacing extra fields is an act';
$service->admin('undo', '21SD333', '--act', (history())[0]{number});
is_deeply [@{(exported())[0]}{qw(IOTA SIG)}], ['EU-005', undef], 'an undo restores the previous extra fields';
my $undone = (history())[0]{number};
$service->post_batch([{ %$qso, notes => 'later' }]);
is_deeply [@{(exported())[0]}{qw(IOTA SIG)}], ['EU-005', undef],
    'a later write does not bring undone extra fields back';
$service->admin('undo', '21SD333', '--act', (history())[0]{number});
$service->admin('undo', '21SD333', '--act', $undone);
is_deeply [@{(exported())[0]}{qw(IOTA SIG)}], [undef, 'CB'], 'undoing the undo restores the later extra fields';
my %poor = ((map { $_ => $record{$_} } qw(QSO_DATE CALL STATION_CALLSIGN)), TIME_ON => '194200', BAND => '11m');
is counts(import_of(\%poor)), '0 0 1 0', 'a record without extra fields keeps the stored ones';
$service->delete_qso($qso->{clientId});
is_deeply [exported()], [], 'a deleted QSO is not exported';
$service->admin('undo', '21SD333', '--act', (history())[0]{number});
is +(exported())[0]{SIG}, 'CB', 'undoing a deletion restores the extra fields';

# A dry run.
my @twice = ({ %record, TIME_ON => '0101' }, { %record, TIME_ON => '0101', IOTA => 'AF-001',
    APP_QSOSYNC_CLIENT_ID => uuid() });
my $file = adif_file($service, map { record_of(%$_) } @twice, $twice[0], $twice[1], { %{$twice[1]}, IOTA => 'AF-002' });
my $dry = import_adif($service, '21SD333', $file, '--dry-run');
is counts($dry), counts(import_adif($service, '21SD333', $file)),
    'a dry run with extra fields reports what the import reports';

# Too many extra fields.
my $report = import_of({ %record, TIME_ON => '0202', map { ("APP_X_$_" => 'y' x 900) } 1 .. 5 });
is counts($report), '1 0 0 0', 'a record with too many extra fields is imported';
like join("\n", @{$report->{details}}), qr/left out: line \d+, record 1: \w+ exceeds the 4,000 bytes/,
    'extra fields above 4,000 bytes are reported';
cmp_ok $service->sqlite('SELECT max(length(fields)) FROM leftovers'), '<=', 4000,
    'extra fields above 4,000 bytes are not stored';
ok +(grep { ($_->{TIME_ON} // '') eq '0202' && ($_->{APP_X_1} // '') eq 'y' x 900 } exported()),
    'extra fields below 4,000 bytes are stored';

# Texts that other programs would read as fields.
my $before = () = exported();
import_of({ %record, TIME_ON => '0303', ADDRESS => 'a <eor> b </eor> c', SIG => 'a <CALL:3>XXX b' });
is scalar(exported()), $before + 1, 'an extra field cannot add a record to an export';
is_deeply [map { @$_{qw(ADDRESS SIG)} } grep { ($_->{TIME_ON} // '') eq '0303' } exported()],
    ['a (eor> b (/eor> c', 'a (CALL:3>XXX b'], 'an exported extra field contains no tag';

# An upload replaces the extra fields of its own earlier upload.
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
    'an upload replaces extra fields of an earlier upload by its token';

# The member's export; backup, restore, and restoring one member's log.
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
is $service->admin('check'), $service->admin('check'), 'the restored logbook passes the check';
$service->sqlite("INSERT INTO leftovers VALUES (1, 999999, 1, CAST('<A:1>b' AS BLOB))");
like +($service->admin_try('check'))[1] . ($service->admin_try('check'))[2], qr/stored for QSO 999999/,
    'the check reports extra fields without a QSO';
$service->sqlite('DELETE FROM leftovers WHERE qso_id = 999999');

# Without history, no extra fields are stored that cannot be restored.
$service->admin('member', 'add', '26AT199', '--locator', 'JO59');
{
    local $ENV{QSOSYNC_HISTORY_DAYS} = 0;
    my $none = sub { import_adif($service, '26AT199', adif_file($service, map { record_of(%$_) } @_)) };
    $none->({ %record, IOTA => "EU-$_" }) for 1 .. 3;
    is $service->sqlite('SELECT count(*) FROM leftovers WHERE member_id = 2'), 1,
        'without history only the latest extra fields are stored';
}
$service->admin('member', 'delete', '26AT199', '--yes', '--export', "$folder/gone.json");
is $service->sqlite('SELECT count(*) FROM leftovers WHERE member_id = 2'), 0,
    'deleting a member deletes the extra fields';
like QSOsync::Front::read_file("$folder/gone.json"), qr/EU-3/,
    'the export of a deleted member contains the extra fields';

# Serial numbers of contests: ADIF has its own fields for them, a QSO has them in the report. qsosync-admin and the
# client kit convert the cases of data/serials.tsv in both directions.
{
    my $service = QSOsync::Service->start;
    my $folder = $service->directory;
    my @cases = grep { $_->[0] !~ /\A#/ } map { chomp; [map { $_ // '' } (split /\t/, $_, -1)[0 .. 6]] }
        split /^/, QSOsync::Front::read_file("$QSOsync::Front::SOURCE/t/data/serials.tsv");
    cmp_ok scalar @cases, '>', 30, 'the table of serials has cases';
    my %names = (rstSent => [qw(RST_SENT STX STX_STRING)], rstReceived => [qw(RST_RCVD SRX SRX_STRING)]);
    my @records = map {
        my ($number, $case) = ($_, $cases[$_]);
        adif_record(QSO_DATE => '20260517', TIME_ON => sprintf('%02d%02d', int $number / 60, $number % 60),
            FREQ => '27.555', MODE => 'FM', CALL => '26AT101',
            map { my $names = $_; map { ($names->[$_] => $case->[$_]) } 0 .. 2 } values %names)
            =~ s/<\w+:0> //gr;
    } 0 .. $#cases;
    my $path = adif_file($service, @records);
    my $kit = $service->add_member('26AT102');
    my $program = QSOsync::Kit::client('qsosync.py');
    my %reads = (
        'qsosync-admin' => { callsign => '21SD333', key => $service->read_key,
            read => sub { import_adif($service, '21SD333', $path)->{details} },
            write => sub { [split /\n/, $service->admin('export', '21SD333', '--strict')] } },
        'qsosync.py' => { callsign => '26AT102', key => $kit->{read_key},
            read => sub { run_kit('push', $path) }, write => sub { run_kit('pull') } },
    );
    sub run_kit {
        my ($status, $output) = QSOsync::Kit::run("$folder/client.log",
            QSOsync::Kit::environment($service, key => $kit->{write_key}), 'python3', $program, @_);
        is $status, 0, "qsosync.py: $_[0] succeeds";
        return [split /\n/, $output];
    }
    sub fields_of_serials {
        my ($record) = @_;
        my %fields;
        while ($record =~ /<(\w+):(\d+)>/g) { $fields{$1} = substr $record, pos $record, $2 }
        return \%fields;
    }

    for my $who (sort keys %reads) {
        my $of = $reads{$who};
        my $told = join "\n", @{$of->{read}->()};
        my %by_minute = map { substr($_->{qsoAt}, 11, 5) => $_ } $service->download(key => $of->{key});
        my %written = map { $_->{TIME_ON} => $_ } map { fields_of_serials($_) } grep { /<TIME_ON/ } @{$of->{write}->()};
        @written{map { substr $_, 0, 4 } keys %written} = values %written;
        for my $number (0 .. $#cases) {
            my ($report, $rst, $stx, $string) = @{$cases[$number]}[3 .. 6];
            my $case = join '|', @{$cases[$number]}[0 .. 2];
            my $qso = $by_minute{sprintf '%02d:%02d', int $number / 60, $number % 60};
            my $record = $written{sprintf '%02d%02d', int $number / 60, $number % 60};
            for my $field (sort keys %names) {
                is $qso->{$field}, $report eq '' ? undef : $report, "$who: $case gives $field";
                is join('|', map { $record->{$_} // '' } @{$names{$field}}), "$rst|$stx|$string",
                    "$who: $case is split again, $field";
            }
        }
        like $told, qr/\bSTX_STRING makes the report too long|\bSTX makes the report too long/,
            "$who: a serial that makes the report too long is reported";
    }

    # With the extra fields, each record is exported as imported.
    my @whole = map { fields_of_serials($_) } grep { /<TIME_ON/ } split /\n/, $service->admin('export', '21SD333');
    my %came = map { fields_of_serials($_)->{TIME_ON} => fields_of_serials($_) } @records;
    my @wrong = grep {
        my ($written, $came) = ($_, $came{substr $_->{TIME_ON}, 0, 4});
        grep { ($written->{$_} // '') ne ($came->{$_} // '') } map { @$_ } values %names;
    } @whole;
    is scalar @whole, scalar @cases, 'every record with a serial is exported';
    is scalar @wrong, 0, 'qsosync-admin: each serial is exported as it was imported' or diag explain \@wrong;

    # A record with less detail.
    my $poorer = adif_record(QSO_DATE => '20260517', TIME_ON => '0000', BAND => '11m', CALL => '26AT101',
        RST_SENT => '59');
    is import_adif($service, '21SD333', adif_file($service, $poorer))->{counts}{unchanged}, 1,
        'a record without the serial keeps the stored serial';
}

# The profile page decodes a file in the browser, the operator's import decodes it itself. Both find the same texts.
SKIP: {
    skip 'node is not installed', 1 if system('node --version >/dev/null 2>&1') != 0;
    my $service = QSOsync::Service->start;
    $service->add_member('26AT101');
    my $folder = $service->directory;
    copy("$QSOsync::Front::SOURCE/src/pages/log/$_.js", "$folder/$_.js") or die $!
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

    # Texts in UTF-8, in another encoding, in both, and in ASCII; the lengths count bytes.
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
        "the page's version of the file has each record";
    my $texts = 'SELECT group_concat(hex(notes) || hex(radio)) FROM (
        SELECT q.* FROM qsos q JOIN members m ON m.id = q.member_id
        WHERE m.callsign = %s ORDER BY callsign_worked)';
    my ($command, $page) = map { $service->sqlite(sprintf $texts, "'$_'") } '21SD333', '26AT101';
    ok length $command, 'the imported QSOs have texts';
    is $page, $command, 'the command and the page decode mixed encodings alike';
}

done_testing;
