use QSOsync::Test fronts => 'none';
use Encode ();
use QSOsync::Adif;

# qsosync-admin import: the outcome of each record of an ADIF file, and the report.
my $service = QSOsync::Service->start;
my @when = (QSO_DATE => '20260517', TIME_ON => '194233');
sub counts { my ($imported, $updated, $unchanged, $rejected, $other) = @_;
    return { imported => $imported, updated => $updated, unchanged => $unchanged, repeated => 0,
        rejected => $rejected, 'other bands' => $other } }
sub details { my ($report, $kind) = @_; return [grep { /\A$kind: / } @{$report->{details}}] }

# One QSO with every field that ADIF has a place for.
my $full = adif_file($service, "by hand\n<ADIF_VER:5>3.1.6<EOH>\n", adif_record(@when, CALL => '26AT101', BAND => '10m',
    FREQ => '27.555', FREQ_RX => '27.560', MODE => 'SSB', SUBMODE => 'USB', STATION_CALLSIGN => '21SD333/P',
    OPERATOR => '21SD333/P', GRIDSQUARE => 'io91WM', MY_GRIDSQUARE => 'JO59jw', LAT => 'N051 30.441',
    LON => 'W000 07.665', TX_PWR => '12', ANT_PATH => 'S', RST_SENT => '59', RST_RCVD => '57', QSL_SENT => 'Y',
    QSL_RCVD => 'R', QSL_SENT_VIA => 'E', NAME => "J\x{fc}rgen \x{20ac}",
    QTH => 'Paris', NOTES => "One\r\ntwo", MY_RIG => 'Lincoln', MY_ANTENNA => '5/8', APP_QSOSYNC_QSO_STATUS => 'WKD',
    APP_QSOSYNC_SEND_SPOT => 'true'));
my $report = import_adif($service, '21sd333', $full);
is_deeply [$report->{status}, $report->{counts}, $report->{details}, $report->{errors}],
    [0, counts(1, 0, 0, 0, 0), [], ''],
    'a valid file is imported without remarks';
my ($qso) = $service->download;
my %expected = (band => 'ELEVEN_METERS', qsoAt => '2026-05-17T19:42:33.000Z', frequencyMhz => '27.555', mode => 'USB',
    callsignWorked => '26AT101', operatorCallsign => '21SD333/P', dxLocator => 'IO91wm', dxLat => 51.50735,
    dxLng => -0.12775, txPowerW => 12, myLocator => 'JO59jw', splitKhz => -5, path => 'SP', qsoStatus => 'WKD',
    rstSent => '59', rstReceived => '57', qslSent => JSON::PP::true(), qslReceived => JSON::PP::false(),
    qslVia => 'EQSL', notes => "Name: J\x{fc}rgen \x{20ac}\nQTH: Paris\nOne\ntwo",
    radio => 'Lincoln', antenna => '5/8', channel => undef, ctcssTone => undef, dcsCode => undef, spottedAt => undef);
is_deeply { map { $_ => $qso->{$_} } keys %expected }, \%expected,
    'every ADIF field with a place in a QSO is imported';
is $service->admin('spots'), '', 'an import publishes no spot, even if the file asks for it';

# A record matches a stored contact, even if another program wrote it differently.
$service->admin('member', 'add', 'B', '--locator', 'JO59');
my %key_of = (B => $service->admin('key', 'add', 'B', '--name', 'x', '--scope', 'READ'));
my @named = ([CALL => '26-at.101', BAND => '11m', STATION_CALLSIGN => '21 sd 333'],
    map { [CALL => '26AT101/P', FREQ => '446.0062',
    STATION_CALLSIGN => '21SD333', COMMENT => $_] } 1, 2);
sub import_b {
    my ($minute, @records) = @_;
    return import_adif($service, 'B',
        adif_file($service, map { adif_record(QSO_DATE => '20260517', TIME_ON => $minute, @$_) } @records));
}
is_deeply [@{import_b('1942', @named)->{counts}}{qw(imported repeated)}], [2, 1],
    'records with different worked callsigns are two QSOs, equal records are one';
is import_b('194217', [CALL => '26AT101', FREQ => '27.555', STATION_CALLSIGN => '21SD333'])->{counts}{imported}, 0,
    'a match ignores case and separators of stations, and tolerates seconds';
is import_b('1942', [@{$named[1]}, FREQ => '27.555'])->{counts}{imported}, 1, 'another band makes another QSO';
is import_b('1944', $named[0])->{counts}{imported}, 1,
    'without a frequency, a difference of two minutes makes another QSO';
is import_b('1942', [@{$named[0]}, STATION_CALLSIGN => '21SD334'])->{counts}{imported}, 1,
    'another station makes another QSO';
is_deeply [@{import_b('1942', @named)->{counts}}{qw(unchanged repeated)}], [2, 1],
    'the first file still matches its own QSOs';

# A fault rejects only its own record, or only its value.
my $broken = adif_file($service, adif_record(@when, CALL => 'FIRST', BAND => '11m'),
    "<CALL:7>TOOLONG <BAND:3>11m <RST_SENT:-3>59 <EOR>\n", "<CALL:>NOLENGTH <EOR>\n",
    "<CALL:99999>BEYOND <BAND:3>11m<EOR>\n", adif_record(CALL => 'NOTIME', QSO_DATE => '20260517', BAND => '11m'),
    adif_record(@when, CALL => 'NOBAND'), adif_record(CALL => 'BADTIME', QSO_DATE => '20260230', TIME_ON => '1942',
    BAND => '11m'), adif_record(@when, CALL => 'BADPOWER', BAND => '11m', TX_PWR => 'much', GRIDSQUARE => 'ZZ',
    FREQ_RX => 'x'), adif_record(@when, CALL => 'ROUNDED', FREQ => '27.266500', CONTEST_ID => 'x', "CQ\xffZ" => 14),
    adif_record(@when, CALL => 'OTHER', BAND => '20m', CONTEST_ID => 'x'),
    adif_record(@when, CALL => 'LAST', BAND => '11m'));
$report = import_adif($service, '21SD333', $broken, '--dry-run');
my $said = [$report->{status}, $report->{counts}];
is_deeply $said, [1, counts(4, 0, 0, 6, 1)], 'a dry run counts what an import would do';
is $report->{details}[-1], 'nothing was saved', 'a dry run says that it saved nothing';
is scalar($service->download), 1, 'a dry run saves nothing';
$report = import_adif($service, '21SD333', $broken);
is_deeply [$report->{status}, $report->{counts}], $said, 'an import gives the result of its dry run';
is_deeply details($report, 'rejected'),
    ['rejected: line 2, record 2: RST_SENT has a negative length', 'rejected: line 3, record 3: CALL has no length',
    'rejected: line 4, record 4: CALL is longer than its record', 'rejected: line 5, record 5: TIME_ON is missing',
    'rejected: line 6, record 6: BAND is missing, and so is FREQ',
    'rejected: line 7, record 7: QSO_DATE and TIME_ON are not a date and time'],
    'each rejected record is reported with its line, field and reason';
is_deeply details($report, 'left out'),
    ['left out: line 8, record 8: FREQ_RX is not a frequency',
    'left out: line 8, record 8: GRIDSQUARE has only two characters',
    'left out: line 8, record 8: TX_PWR is not a number of watts'],
    'each unusable value is reported, and its QSO is saved';
is_deeply details($report, 'changed'), ['changed: line 9, record 9: FREQ is rounded to three decimals'],
    'a rounded value is reported';
is_deeply details($report, 'not a QSO field'), ['not a QSO field: CONTEST_ID 1', 'not a QSO field: CQ?Z 1'],
    'unknown fields are counted by name, except on other bands, and without control characters';
like $report->{errors}, qr/\Aqsosync-admin: 6 records were rejected\n\z/,
    'an import with rejected records ends with one line on standard error';
is_deeply [sort map { $_->{callsignWorked} } $service->download], [qw(26AT101 BADPOWER FIRST LAST ROUNDED)],
    'a rejected record does not affect the records next to it';
is_deeply [map { $_->{frequencyMhz} } grep { $_->{callsignWorked} eq 'ROUNDED' } $service->download], ['27.267'],
    'half a kilohertz is rounded up';

# The report as JSON.
my $json = JSON::PP::decode_json(($service->admin_try('import', '21SD333', $broken, '--json', '--dry-run'))[1]);
is_deeply [@$json{qw(imported updated unchanged rejected otherBands newIds)}], [0, 0, 4, 6, 1, 0],
    '--json reports the counts';
ok $json->{dryRun}, '--json reports a dry run';
is_deeply $json->{details}[0], { kind => 'rejected', line => 2, record => 2, field => 'RST_SENT',
    reason => 'has a negative length' }, '--json reports the details';
is_deeply [$json->{noPlace}, $json->{more}], [{ CONTEST_ID => 1, 'CQ?Z' => 1 }, []],
    '--json reports the unknown fields';

# The report stays short with any number of faults.
$report = import_adif($service, '21SD333', adif_file($service, map { "<CALL:5>$_ <EOR>\n" } 10001 .. 11203));
is $report->{counts}{rejected}, 1203, 'every rejected record is counted';
is scalar(@{$report->{details}}), 11, 'each reason is reported for ten records at most';
is $report->{details}[-1], 'rejected: 1193 more: is missing, and so is FREQ',
    'the report counts the further records of a reason';

# Sources of the file.
my ($status, $output, $errors) = $service->admin_try('import', '21SD333', $service->directory . '/none.adi');
is_deeply [$status, $output], [1, ''], 'importing a missing file fails';
like $errors, qr/none\.adi: cannot read the file: No such file/, 'the error names a missing file';
like +($service->admin_try('import', '21SD333', $service->directory))[2], qr/cannot read the file: Is a directory/,
    'importing a folder fails';
like +($service->admin_try('import', '21SD333', adif_file($service, "\x89PNG\r\n\x1a\n<>")))[2], qr/contains no ADIF/,
    'a file without ADIF is refused';
is +($service->admin_try('import', '21SD333', adif_file($service, "x\n<EOH>\n")))[0], 0,
    'a file with only a header is an empty log';
is +($service->admin_try('import', 'nobody', $full))[0], 1, 'an import for an unknown member is refused';
is +($service->admin_try('import', '21SD333'))[0], 2, 'import without a file is wrong usage';
my $program = "$QSOsync::Front::BUILD/qsosync-admin";
like `'$program' --db '@{[$service->db]}' import 21SD333 - < '$full'`, qr/\Aimported 0\nupdated 0\nunchanged 1\n/,
    'a hyphen as file reads standard input';
is $service->admin('check'), '', 'the logbook passes the check after imports';

# Importing a file again, or the same contacts from another program, adds no QSO and removes no value.
{
    my $service = QSOsync::Service->start;
    my @first = (QSO_DATE => '20260517', TIME_ON => '194233', CALL => '26AT101', BAND => '11m', FREQ => '27.555',
        MODE => 'SSB', SUBMODE => 'USB',
        GRIDSQUARE => 'IO91wm', NAME => 'Bob', NOTES => 'Sporadic E', TX_PWR => 12);
    my $file = adif_file($service, adif_record(@first), adif_record(@first, FREQ => '27.6'),
        map { adif_record(QSO_DATE => '20260518', TIME_ON => sprintf('%02d%02d', $_ / 60, $_ % 60), CALL => "26AT$_",
        BAND => '11m') } 1 .. 600);
    sub word { my ($report, $word) = @_; return $report->{counts}{$word} }
    sub updated_since {
        my ($since) = @_;
        return map { $_->{callsignWorked} } @{$service->get("/logs?limit=500&updatedSince=$since")->json->{items}}
    }

    is word(import_adif($service, '21SD333', $file), 'imported'), 602,
        'a file larger than one transaction is imported';
    my %before = map { $_->{clientId} => $_ } $service->download;
    is scalar(keys %before), 602, 'two QSOs on two frequencies in one minute stay two';
    my $since = $service->get('/logs?limit=1')->json->{serverTime};
    my $report = import_adif($service, '21SD333', $file);
    is_deeply [$report->{status}, word($report, 'unchanged')], [0, 602], 'importing the same file again changes no QSO';
    is_deeply { map { $_->{clientId} => $_ } $service->download }, \%before,
        'importing the same file again keeps the log and its stamps';
    is_deeply [updated_since($since)], [], 'an import without changes gives clients nothing to download';

    # Another program writes less: no seconds, no sideband, a shorter locator, no notes.
    my ($id) = grep { $before{$_}{callsignWorked} eq '26AT101'
        && ($before{$_}{frequencyMhz} // '') eq '27.555' } keys %before;
    sub qso_now { my ($qso) = grep { $_->{clientId} eq $id } $service->download; return $qso }
    sub import_one { return import_adif($service, '21SD333', adif_file($service, adif_record(@_))) }
    is word(import_one(QSO_DATE => '20260517', TIME_ON => $_, CALL => '26-at-101', BAND => '11m', MODE => 'SSB',
        GRIDSQUARE => 'IO91'), 'unchanged'), 1,
        "a record with less detail changes no QSO (TIME_ON $_)" for '1942', '194200';
    is_deeply qso_now(), $before{$id}, 'a record with less detail removes no value';
    is word(import_one(QSO_DATE => '20260517', TIME_ON => '1942', CALL => '26AT101', BAND => '11m', QTH => 'Paris',
        RST_SENT => 59), 'updated'), 1,
        'a record with further values updates its QSO';
    is_deeply qso_now(), { %{$before{$id}}, rstSent => '59', notes => "Name: Bob\nQTH: Paris\nSporadic E",
        syncedAt => qso_now()->{syncedAt} },
        'values that the record lacks stay as they were';
    is_deeply [updated_since($since)], ['26AT101'], 'clients download only the updated QSO again';

    # A QSO edited through the API still matches its record.
    $service->post_batch([{ %{qso_now()}, radio => 'Lincoln' }]);
    is word(import_adif($service, '21SD333', $file), 'unchanged'), 602,
        'a QSO edited through the API still matches its record';
    is qso_now()->{radio}, 'Lincoln', 'a value added through the API survives an import';

    # A record with our clientId is the whole QSO.
    is word(import_one(APP_QSOSYNC_CLIENT_ID => uc $id, QSO_DATE => '20260517', TIME_ON => '194233', BAND => '11m'),
        'updated'), 1,
        'a record with a clientId updates that QSO';
    is_deeply [@{qso_now()}{qw(clientId callsignWorked frequencyMhz mode notes radio txPowerW)}], [$id, (undef) x 6],
        'a record with a clientId replaces the whole QSO';

    # Unusable ids.
    $service->admin('member', 'add', '26AT101', '--locator', 'JO59');
    my $read_key = $service->admin('key', 'add', '26AT101', '--name', 'x', '--scope', 'READ');
    my $foreign = adif_file($service, adif_record(QSO_DATE => '20260517', TIME_ON => '1942',
        STATION_CALLSIGN => '21SD333',
        CALL => 'X', BAND => '11m',
        APP_QSOSYNC_CLIENT_ID => $id), adif_record(QSO_DATE => '20260517', TIME_ON => '1942', CALL => 'Y',
            BAND => '11m',
        APP_QSOSYNC_CLIENT_ID => 'no UUID'));
    $report = import_adif($service, '26AT101', $foreign);
    is_deeply [$report->{status}, word($report, 'imported'), $report->{details}], [0, 2, ['new ids 2']],
        'records with unusable ids get new ids and are counted';
    is word(import_adif($service, '26AT101', $foreign), 'unchanged'), 2, 'the records match the QSOs with new ids';
    is word(import_adif($service, '21SD333', $foreign), 'imported'), 1,
        "a record without a usable id is imported into each member's log";
    is word(import_adif($service, '21SD333', $foreign), 'unchanged'), 2,
        'a record matches its QSO by the new id of the member';
    is scalar(grep { $_->{callsignWorked} eq 'X' } $service->download(key => $read_key)), 1,
        'each member has such a QSO once';

    # Imported QSOs of two members confirm each other.
    import_adif($service, '26AT101',
        adif_file($service, adif_record(QSO_DATE => '20260518', TIME_ON => '0001', CALL => '21SD333', BAND => '11m',
        STATION_CALLSIGN => '26AT1')));
    my ($confirmed) = grep { $_->{callsignWorked} eq '26AT1' } $service->download;
    like $confirmed->{crossConfirmedAt}, qr/\A\d{4}-/, "an imported QSO confirms another member's QSO";
    is $service->admin('check'), '', 'the logbook passes the check after confirming imports';
}

# Files of ten programs (t/data/adif, written by hand after real ones), each imported into its own log and exported
# again. Every value must return unchanged, except for the listed values that other programs would read as a field.
{
    my %differs = (log4om => ['APP_L4ONG_CONTEST: {"A":"<b>"} becomes {"A":"(b>"}']);
    my $service = QSOsync::Service->start;
    my $folder = "$QSOsync::Front::SOURCE/t/data/adif";

    # Decodes a text as UTF-8, or else as Windows-1252. One program counts characters in its lengths, the others bytes.
    sub text_of {
        my ($bytes) = @_;
        return eval { Encode::decode('UTF-8', "$bytes", 1) } // Encode::decode('cp1252', $bytes);
    }
    sub records_of {
        my ($bytes, $counts_characters) = @_;
        my (@records, %fields);
        $bytes =~ s/\A.*?<EOH>//si;
        $bytes = text_of($bytes) if $counts_characters;
        while ($bytes =~ /<(?:(EOR)|(\w+):(\d+)(?::\w)?)>/gi) {
            if ($1) { push @records, {%fields}; %fields = () }
            else {
                my ($name, $value) = (uc $2, substr $bytes, pos $bytes, $3);
                pos($bytes) += $3;
                $fields{$name} = $counts_characters ? $value : text_of($value) if $3;
            }
        }
        return map { $_->{CALL} => $_ } @records;
    }

    my @files = sort map { m{([^/]+)\.adi\z} } glob "$folder/*.adi";
    cmp_ok scalar @files, '>=', 10, 'at least ten programs have a file';
    my $number = 100;
    for my $name (@files) {
        my $member = '26AT' . ++$number;
        $service->admin('member', 'add', $member, '--locator', 'JO59');
        my $report = import_adif($service, $member, "$folder/$name.adi", '--encoding', 'CP1252');
        is $report->{counts}{rejected}, 0, "$name: no record is rejected";
        my %in = records_of(QSOsync::Front::read_file("$folder/$name.adi"), $name eq 'log4om');
        my $text = $service->admin('export', $member);
        utf8::encode($text) if utf8::is_utf8($text);
        my %out = records_of($text);
        is join(' ', sort keys %out), join(' ', sort keys %in), "$name: every record is exported again";
        my %changed;
        for my $call (sort keys %in) {
            for my $field (sort keys %{$in{$call}}) {
                my ($before, $after) = ($in{$call}{$field}, $out{$call}{$field} // 'nothing');
                $changed{"$field: $before becomes $after"} = 1 if $before ne $after;
            }
        }
        is_deeply [sort keys %changed], [sort @{$differs{$name} || []}],
            "$name: only the expected values change between import and export";
    }

    # An export of an earlier version, before serials had their own fields (t/data/exports). This version reads the same
    # QSOs from it, and its own export matches them.
    {
        my $service = QSOsync::Service->start;
        my $folder = "$QSOsync::Front::SOURCE/t/data/exports";
        my $before = JSON::PP->new->decode(QSOsync::Front::read_file("$folder/1.1.0-early.json"));
        my @own = qw(id createdAt syncedAt spottedAt crossConfirmedAt);
        sub log_now { return [sort { $a->{clientId} cmp $b->{clientId} } map { delete @$_{@own};
        $_ } $service->download] }

        my $report = import_adif($service, '21SD333', "$folder/1.1.0-early.adi");
        is_deeply [@{$report->{counts}}{qw(imported rejected)}, $report->{details}], [scalar @$before, 0, []],
            'every record of an old export is imported without remarks';
        my $expected = [sort { $a->{clientId} cmp $b->{clientId} } @$before];
        is_deeply log_now(), $expected, 'an old export gives the QSOs of the earlier version';
        is import_adif($service, '21SD333', "$folder/1.1.0-early.adi")->{counts}{unchanged}, scalar @$before,
            'importing the old export again changes nothing';

        my $file = $service->directory . '/log.adi';
        $service->admin('export', '21SD333', $file, '--heard');
        is import_adif($service, '21SD333', $file)->{counts}{unchanged}, scalar @$before,
            'importing a new export changes nothing';
        $service->delete_qso($_->{clientId}) for @$before;
        is import_adif($service, '21SD333', $file)->{counts}{imported}, scalar @$before,
            'importing a new export restores a deleted log';
        is_deeply log_now(), $expected, 'the restored QSOs are those of the earlier version';
    }
}

# Files with the quirks of other programs (t/data/adif; written by hand after real ones).
{
    my $service = QSOsync::Service->start;
    my $folder = "$QSOsync::Front::SOURCE/t/data/adif";
    sub log_of_programs { return { map { $_->{callsignWorked} => $_ } $service->download } }
    sub take { my ($name, %counts) = @_;
        my $report = import_adif($service, '21SD333', "$folder/$name.adi", '--encoding', 'CP1252');
        is_deeply { %{$report->{counts}}, status => $report->{status} },
            { imported => 0, updated => 0, unchanged => 0, repeated => 0, rejected => 0, 'other bands' => 0,
            status => 0, %counts },
            "$name: the counts of the report are correct";
        return $report }

    # Seconds, no sideband, comments after values, a text after the last record.
    my $report = take('lotw', imported => 3);
    my $log = log_of_programs();
    is_deeply [map { [@{$log->{$_}}{qw(qsoAt frequencyMhz mode notes dxLocator)}] } qw(26AT101 161SD001 30RC010)],
        [['2026-05-17T19:42:33.000Z', '27.245', 'DIGITAL', 'Mode: FT8', 'IO91wm'],
        ['2026-05-17T19:49:00.000Z', '27.245', 'DIGITAL', 'Mode: FT4', 'JN58'],
        ['2026-05-17T19:51:00.000Z', '27.245', 'SSB', undef, undef]], 'LoTW: comments after values are ignored';
    ok +(grep { $_ eq 'not a QSO field: STATE 3' } @{$report->{details}}), 'LoTW: unknown fields are counted';

    # The same contacts from other programs match the same QSOs.
    $report = take('log4om', updated => 3);
    $log = log_of_programs();
    is_deeply [map { [@{$log->{$_}}{qw(mode notes rstReceived qslSent qslVia)}] } qw(26AT101 161SD001 30RC010)],
        [map { ['USB', "Name: $_\nQTH: K\x{f6}ln", '+03', JSON::PP::false(), 'BUREAU'] } "J\x{fc}rgen",
        "\x{c5}sa \x{1f600}", 'Bob'], 'Log4OM: character lengths, a byte order mark and glued comments are read';
    is $log->{'26AT101'}{dxLocator}, 'IO91wm', 'Log4OM: the locator from LoTW is kept';

    $report = take('n3fjp', updated => 3);
    $log = log_of_programs();
    is_deeply [map { [@{$log->{$_}}{qw(qsoAt frequencyMhz mode)}] } qw(26AT101 161SD001 30RC010)],
        [['2026-05-17T19:42:33.000Z', '27.245', 'USB'], ['2026-05-17T19:49:00.000Z', '27.245', 'USB'],
        ['2026-05-17T19:51:00.000Z', '27.245', 'USB']],
        'N3FJP: records without seconds, station and sideband match';
    is $log->{'30RC010'}{notes}, "Name: Bob\nQTH: K\x{f6}ln\n5 \x{20ac} \x{2013} ok",
        'N3FJP: Windows-1252 is decoded';
    ok +(grep { /changed: line \d+, record 3: FREQ is rounded to three decimals/ } @{$report->{details}}),
        'N3FJP: a rounded frequency is reported';

    $report = take('qrz', updated => 3);
    is_deeply [@{log_of_programs()->{'26AT101'}}{qw(dxLocator myLocator dxLat splitKhz txPowerW)}],
        ['IO91wm', 'JO59jw', 51.50735, 0, 5],
        'QRZ: locators are cut to six characters, halves are rounded up';
    is scalar(grep { /is cut to six characters/ } @{$report->{details}}), 6, 'QRZ: cut locators are reported';
    ok +(grep { $_ eq 'not a QSO field: QSL_VIA 3' } @{$report->{details}}),
        'QRZ: QSL_VIA is reported as unknown';
    is take('qrz', unchanged => 3)->{counts}{unchanged}, 3, 'QRZ: importing the file again changes nothing';

    is scalar($service->download), 3, 'three contacts in files of four programs are three QSOs';

    $report = take('wsjt-cb', imported => 2);
    my ($live) = grep { $_->{callsignWorked} eq '26AT101' && $_->{mode} eq 'DIGITAL' } $service->download;
    is_deeply [@$live{qw(frequencyMhz rstSent dxLocator qsoAt)}], ['27.267', '-07', 'IO91', '2026-05-17T19:42:30.000Z'],
        'WSJT-CB: contacts on another frequency and in another mode are new QSOs';

    # ADX is another format for the same content.
    my $record =
        '<RECORD><CALL>26AT101</CALL><QSO_DATE>20260517</QSO_DATE><TIME_ON>194233</TIME_ON><BAND>11m</BAND></RECORD>';
    for my $adx ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- a log -->\n<ADX>\n<HEADER/>\n<RECORDS>"
        . $record x 30_000 . "</RECORDS></ADX>\n", "\xef\xbb\xbf<adx>$record</adx>") {
        $report = import_adif($service, '21SD333', adif_file($service, $adx));
        is_deeply [$report->{status}, $report->{counts}{rejected}, $report->{details}],
            [1, 1,
            ['rejected: line 1, record 1: '
                . 'is ADX, the XML form of ADIF, which is not supported: export the log as ADI (.adi)']],
            'a file in ADX is refused with one line';
    }
    is import_adif($service, '21SD333',
        adif_file($service, "about <ADX>\n<EOH>\n",
        adif_record(CALL => '26AT101', QSO_DATE => '20260517', TIME_ON => '194230',
            BAND => '11m')))->{counts}{unchanged},
        1, 'an ADI file that mentions ADX is read';
}

# Imported QSOs get random clientIds. QSOs named by older releases match by their content.
{
    my $service = QSOsync::Service->start;
    my $spy = $service->add_member('26AT101');
    my @contact = (QSO_DATE => '20260517', TIME_ON => '194233', BAND => '11m', FREQ => '27.555', MODE => 'SSB');
    sub counts_of {
        my (@records) = @_;
        my $file = adif_file($service, map { adif_record(@contact, @$_) } @records);
        return import_adif($service, '21SD333', $file)->{counts};
    }
    sub only {
        my (%counts) = @_;
        return { imported => 0, updated => 0, unchanged => 0, repeated => 0, rejected => 0, 'other bands' => 0,
            %counts };
    }
    sub ids { return map { $_->{callsignWorked} => $_->{clientId} } $service->download }

    is_deeply counts_of([CALL => 'ONE'], [CALL => 'TWO']), only(imported => 2),
        'two records of one minute are imported';
    my %ids = ids();
    like $ids{$_}, qr/\A[0-9a-f]{8}-[0-9a-f]{4}-4/, "the clientId of $_ is random" for qw(ONE TWO);

    # A clientId that an exported file has revealed, and that another member uses now.
    $service->delete_qso($ids{ONE});
    $service->post_batch([qso(clientId => $ids{ONE})], key => $spy->{write_key});
    is_deeply counts_of([CALL => 'ONE']), only(imported => 1), 'the record of a deleted QSO is imported again';
    is_deeply counts_of([CALL => 'ONE']), only(unchanged => 1), 'the record then matches the new QSO';

    # A log of an older release: two QSOs of one contact and minute, with clientIds derived from their content.
    my @old = map { qso(clientId => "83fdf0e2-5a5f-554d-b0b7-f914dee37d8$_", callsignWorked => 'OLD', rstSent => "5$_",
        qsoAt => '2026-05-17T19:42:33Z', frequencyMhz => "27.55$_", mode => 'SSB') } 1, 9;
    $service->post_batch(\@old);
    my @records = map { [CALL => 'OLD', RST_SENT => "5$_", FREQ => "27.55$_"] } 9, 1;
    is_deeply counts_of(@records), only(unchanged => 2), 'records match QSOs named by an older release';
    $service->delete_qso($old[0]{clientId});
    is_deeply counts_of(@records), only(imported => 1, unchanged => 1),
        'the record of a deleted QSO does not match the other QSO of its minute';
    is_deeply counts_of(@records), only(unchanged => 2), 'both records match after the deleted QSO was imported again';
    $service->post_batch([{ %{$old[1]}, callsignWorked => 'OLD/P' }]);
    is counts_of(@records)->{imported}, 0, 'a record matches by memory after its callsign was corrected';
    is $service->admin('check'), '', 'the logbook passes the check after matching';
}

done_testing;
