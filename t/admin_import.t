use QSOsync::Test fronts => 'none';
use Encode ();
use QSOsync::Adif;

# qsosync-admin import: what becomes of the records of an ADIF file, and what is said about them.
my $service = QSOsync::Service->start;
my @when = (QSO_DATE => '20260517', TIME_ON => '194233');
sub counts { my ($imported, $updated, $unchanged, $rejected, $other) = @_;
    return { imported => $imported, updated => $updated, unchanged => $unchanged, repeated => 0,
        rejected => $rejected, 'other bands' => $other } }
sub details { my ($report, $kind) = @_; return [grep { /\A$kind: / } @{$report->{details}}] }

# One QSO with everything that ADIF has a field for.
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
    'a file with a QSO that fits is imported without a word more';
my ($qso) = $service->download;
my %expected = (band => 'ELEVEN_METERS', qsoAt => '2026-05-17T19:42:33.000Z', frequencyMhz => '27.555', mode => 'USB',
    callsignWorked => '26AT101', operatorCallsign => '21SD333/P', dxLocator => 'IO91wm', dxLat => 51.50735,
    dxLng => -0.12775, txPowerW => 12, myLocator => 'JO59jw', splitKhz => -5, path => 'SP', qsoStatus => 'WKD',
    rstSent => '59', rstReceived => '57', qslSent => JSON::PP::true(), qslReceived => JSON::PP::false(),
    qslVia => 'EQSL', notes => "Name: J\x{fc}rgen \x{20ac}\nQTH: Paris\nOne\ntwo",
    radio => 'Lincoln', antenna => '5/8', channel => undef, ctcssTone => undef, dcsCode => undef, spottedAt => undef);
is_deeply { map { $_ => $qso->{$_} } keys %expected }, \%expected,
    'every field of ADIF that has a place in a QSO finds it';
is $service->admin('spots'), '', 'an import publishes no spot, whatever the file says';

# A record is the contact that is stored already, although another program wrote it differently.
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
    'records that differ in the callsign worked are QSOs of their own, equal ones are one';
is import_b('194217', [CALL => '26AT101', FREQ => '27.555', STATION_CALLSIGN => '21SD333'])->{counts}{imported}, 0,
    'stations are compared without case and separators, times with tolerance';
is import_b('1942', [@{$named[1]}, FREQ => '27.555'])->{counts}{imported}, 1, 'the band makes another QSO';
is import_b('1944', $named[0])->{counts}{imported}, 1, 'without a frequency two minutes make another QSO';
is import_b('1942', [@{$named[0]}, STATION_CALLSIGN => '21SD334'])->{counts}{imported}, 1,
    'the station makes another QSO';
is_deeply [@{import_b('1942', @named)->{counts}}{qw(unchanged repeated)}], [2, 1],
    'the first file finds its QSOs among them';

# What is wrong costs its own record, or less.
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
is_deeply $said, [1, counts(4, 0, 0, 6, 1)], 'a dry run counts what would happen';
is $report->{details}[-1], 'nothing was saved', 'a dry run says that it saved nothing';
is scalar($service->download), 1, 'a dry run saves nothing';
$report = import_adif($service, '21SD333', $broken);
is_deeply [$report->{status}, $report->{counts}], $said, 'an import does what its dry run said';
is_deeply details($report, 'rejected'),
    ['rejected: line 2, record 2: RST_SENT has a negative length', 'rejected: line 3, record 3: CALL has no length',
    'rejected: line 4, record 4: CALL is longer than its record', 'rejected: line 5, record 5: TIME_ON is missing',
    'rejected: line 6, record 6: BAND is missing, and so is FREQ',
    'rejected: line 7, record 7: QSO_DATE and TIME_ON are not a date and time'],
    'each refused record is told with its line, the field and the reason';
is_deeply details($report, 'left out'),
    ['left out: line 8, record 8: FREQ_RX is not a frequency',
    'left out: line 8, record 8: GRIDSQUARE has only two characters',
    'left out: line 8, record 8: TX_PWR is not a number of watts'],
    'each value that does not fit is told, and its QSO is saved';
is_deeply details($report, 'changed'), ['changed: line 9, record 9: FREQ is rounded to three decimals'],
    'what was rounded is told';
is_deeply details($report, 'not a QSO field'), ['not a QSO field: CONTEST_ID 1', 'not a QSO field: CQ?Z 1'],
    'fields that have no place are counted by name, those of other bands not, and no control character is shown';
like $report->{errors}, qr/\Aqsosync-admin: 6 records were rejected\n\z/,
    'a file with refused records ends with one line on standard error';
is_deeply [sort map { $_->{callsignWorked} } $service->download], [qw(26AT101 BADPOWER FIRST LAST ROUNDED)],
    'a wrong record costs no neighbour';
is_deeply [map { $_->{frequencyMhz} } grep { $_->{callsignWorked} eq 'ROUNDED' } $service->download], ['27.267'],
    'halves are rounded up';

# For programs.
my $json = JSON::PP::decode_json(($service->admin_try('import', '21SD333', $broken, '--json', '--dry-run'))[1]);
is_deeply [@$json{qw(imported updated unchanged rejected otherBands newIds)}], [0, 0, 4, 6, 1, 0],
    '--json has the counts';
ok $json->{dryRun}, '--json says that it was a dry run';
is_deeply $json->{details}[0], { kind => 'rejected', line => 2, record => 2, field => 'RST_SENT',
    reason => 'has a negative length' }, '--json has the details';
is_deeply [$json->{noPlace}, $json->{more}], [{ CONTEST_ID => 1, 'CQ?Z' => 1 }, []],
    '--json has the fields without a place';

# However many are wrong, the report stays short.
$report = import_adif($service, '21SD333', adif_file($service, map { "<CALL:5>$_ <EOR>\n" } 10001 .. 11203));
is $report->{counts}{rejected}, 1203, 'every refused record is counted';
is scalar(@{$report->{details}}), 11, 'of each reason ten are told and how many more';
is $report->{details}[-1], 'rejected: 1193 more: is missing, and so is FREQ', 'how many more there are';

# Where the file comes from.
my ($status, $output, $errors) = $service->admin_try('import', '21SD333', $service->directory . '/none.adi');
is_deeply [$status, $output], [1, ''], 'a file that is not there is refused';
like $errors, qr/none\.adi: cannot read the file: No such file/, 'a file that is not there is named';
like +($service->admin_try('import', '21SD333', $service->directory))[2], qr/cannot read the file: Is a directory/,
    'a folder is no file';
like +($service->admin_try('import', '21SD333', adif_file($service, "\x89PNG\r\n\x1a\n<>")))[2], qr/contains no ADIF/,
    'what contains no ADIF is said';
is +($service->admin_try('import', '21SD333', adif_file($service, "x\n<EOH>\n")))[0], 0,
    'a file with a header alone is an empty log';
is +($service->admin_try('import', 'nobody', $full))[0], 1, 'a member who is not there has no log';
is +($service->admin_try('import', '21SD333'))[0], 2, 'import without a file is wrong usage';
my $program = "$QSOsync::Front::BUILD/qsosync-admin";
like `'$program' --db '@{[$service->db]}' import 21SD333 - < '$full'`, qr/\Aimported 0\nupdated 0\nunchanged 1\n/,
    'a hyphen is the standard input';
is $service->admin('check'), '', 'the logbook is in order afterwards';

# What is imported once more, or out of another program, adds nothing and takes nothing away.
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
        'a file of more than one transaction is imported';
    my %before = map { $_->{clientId} => $_ } $service->download;
    is scalar(keys %before), 602, 'two QSOs in one minute are two';
    my $since = $service->get('/logs?limit=1')->json->{serverTime};
    my $report = import_adif($service, '21SD333', $file);
    is_deeply [$report->{status}, word($report, 'unchanged')], [0, 602], 'the same file once more is unchanged';
    is_deeply { map { $_->{clientId} => $_ } $service->download }, \%before, 'the log is what it was, stamps included';
    is_deeply [updated_since($since)], [], 'nobody has to download anything again';

    # Another program knows less: no seconds, no sideband, a shorter locator, no notes.
    my ($id) = grep { $before{$_}{callsignWorked} eq '26AT101'
        && ($before{$_}{frequencyMhz} // '') eq '27.555' } keys %before;
    sub qso_now { my ($qso) = grep { $_->{clientId} eq $id } $service->download; return $qso }
    sub import_one { return import_adif($service, '21SD333', adif_file($service, adif_record(@_))) }
    is word(import_one(QSO_DATE => '20260517', TIME_ON => $_, CALL => '26-at-101', BAND => '11m', MODE => 'SSB',
        GRIDSQUARE => 'IO91'), 'unchanged'), 1,
        "what another program knows less of stays (TIME_ON $_)" for '1942', '194200';
    is_deeply qso_now(), $before{$id}, 'a poorer record takes nothing away';
    is word(import_one(QSO_DATE => '20260517', TIME_ON => '1942', CALL => '26AT101', BAND => '11m', QTH => 'Paris',
        RST_SENT => 59), 'updated'), 1,
        'what another program knows more of is added';
    is_deeply qso_now(), { %{$before{$id}}, rstSent => '59', notes => "Name: Bob\nQTH: Paris\nSporadic E",
        syncedAt => qso_now()->{syncedAt} },
        'what a file does not hold stays as it is stored';
    is_deeply [updated_since($since)], ['26AT101'], 'what was changed is downloaded again, alone';

    # A QSO that was edited through the API is found again.
    $service->post_batch([{ %{qso_now()}, radio => 'Lincoln' }]);
    is word(import_adif($service, '21SD333', $file), 'unchanged'), 602, 'the first file knows nothing new of it';
    is qso_now()->{radio}, 'Lincoln', 'what was added through the API stays';

    # With a clientId of our own it is the whole QSO.
    is word(import_one(APP_QSOSYNC_CLIENT_ID => uc $id, QSO_DATE => '20260517', TIME_ON => '194233', BAND => '11m'),
        'updated'), 1,
        'a record with a clientId updates that QSO';
    is_deeply [@{qso_now()}{qw(clientId callsignWorked frequencyMhz mode notes radio txPowerW)}], [$id, (undef) x 6],
        'a record with a clientId replaces the whole QSO';

    # Ids that cannot be kept.
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
        'records whose ids cannot be kept get others, and are counted';
    is word(import_adif($service, '26AT101', $foreign), 'unchanged'), 2, 'they get the same ones every time';
    is word(import_adif($service, '21SD333', $foreign), 'imported'), 1,
        'a record that another member has imported is imported';
    is word(import_adif($service, '21SD333', $foreign), 'unchanged'), 2,
        'a record that has got an id of its member is met again';
    is scalar(grep { $_->{callsignWorked} eq 'X' } $service->download(key => $read_key)), 1, 'each member has it once';

    # QSOs of two members that an import brings together confirm each other.
    import_adif($service, '26AT101',
        adif_file($service, adif_record(QSO_DATE => '20260518', TIME_ON => '0001', CALL => '21SD333', BAND => '11m',
        STATION_CALLSIGN => '26AT1')));
    my ($confirmed) = grep { $_->{callsignWorked} eq '26AT1' } $service->download;
    like $confirmed->{crossConfirmedAt}, qr/\A\d{4}-/, 'an imported QSO confirms that of another member';
    is $service->admin('check'), '', 'the logbook is in order afterwards';
}

# Files of ten programs, each imported into a log of its own and exported from it: every value comes back as it came,
# but those that are named here, with what they are then. (t/data/adif; written by hand after real ones.)
# Other programs would take such a value for a field.
{
    my %differs = (log4om => ['APP_L4ONG_CONTEST: {"A":"<b>"} becomes {"A":"(b>"}']);
    my $service = QSOsync::Service->start;
    my $folder = "$QSOsync::Front::SOURCE/t/data/adif";

    # In characters: Windows-1252 where it is no UTF-8; one program counts characters, the others bytes.
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
    cmp_ok scalar @files, '>=', 10, 'there are files of ten programs';
    my $number = 100;
    for my $name (@files) {
        my $member = '26AT' . ++$number;
        $service->admin('member', 'add', $member, '--locator', 'JO59');
        my $report = import_adif($service, $member, "$folder/$name.adi", '--encoding', 'CP1252');
        is $report->{counts}{rejected}, 0, "$name: no record is refused";
        my %in = records_of(QSOsync::Front::read_file("$folder/$name.adi"), $name eq 'log4om');
        my $text = $service->admin('export', $member);
        utf8::encode($text) if utf8::is_utf8($text);
        my %out = records_of($text);
        is join(' ', sort keys %out), join(' ', sort keys %in), "$name: every record comes back";
        my %changed;
        for my $call (sort keys %in) {
            for my $field (sort keys %{$in{$call}}) {
                my ($before, $after) = ($in{$call}{$field}, $out{$call}{$field} // 'nothing');
                $changed{"$field: $before becomes $after"} = 1 if $before ne $after;
            }
        }
        is_deeply [sort keys %changed], [sort @{$differs{$name} || []}],
            "$name: every value comes back but those that are named";
    }

    # An export of an earlier version,
    # from before serials had fields of their own (t/data/exports): this version makes the
    # same QSOs of it, and what it exports itself comes back into them.
    {
        my $service = QSOsync::Service->start;
        my $folder = "$QSOsync::Front::SOURCE/t/data/exports";
        my $before = JSON::PP->new->decode(QSOsync::Front::read_file("$folder/1.1.0-early.json"));
        my @own = qw(id createdAt syncedAt spottedAt crossConfirmedAt);
        sub log_now { return [sort { $a->{clientId} cmp $b->{clientId} } map { delete @$_{@own};
        $_ } $service->download] }

        my $report = import_adif($service, '21SD333', "$folder/1.1.0-early.adi");
        is_deeply [@{$report->{counts}}{qw(imported rejected)}, $report->{details}], [scalar @$before, 0, []],
            'every record of an old export is imported, without a word';
        my $expected = [sort { $a->{clientId} cmp $b->{clientId} } @$before];
        is_deeply log_now(), $expected, 'the QSOs are what they were in the earlier version';
        is import_adif($service, '21SD333', "$folder/1.1.0-early.adi")->{counts}{unchanged}, scalar @$before,
            'the old export again changes nothing';

        my $file = $service->directory . '/log.adi';
        $service->admin('export', '21SD333', $file, '--heard');
        is import_adif($service, '21SD333', $file)->{counts}{unchanged}, scalar @$before,
            'a new export changes nothing';
        $service->delete_qso($_->{clientId}) for @$before;
        is import_adif($service, '21SD333', $file)->{counts}{imported}, scalar @$before,
            'a new export brings a lost log back';
        is_deeply log_now(), $expected, 'the QSOs are still what they were in the earlier version';
    }
}

# Files as other programs write them, each with its quirks (t/data/adif; written by hand after real ones).
{
    my $service = QSOsync::Service->start;
    my $folder = "$QSOsync::Front::SOURCE/t/data/adif";
    sub log_of_programs { return { map { $_->{callsignWorked} => $_ } $service->download } }
    sub take { my ($name, %counts) = @_;
        my $report = import_adif($service, '21SD333', "$folder/$name.adi", '--encoding', 'CP1252');
        is_deeply { %{$report->{counts}}, status => $report->{status} },
            { imported => 0, updated => 0, unchanged => 0, repeated => 0, rejected => 0, 'other bands' => 0,
            status => 0, %counts },
            "$name: every record is counted right";
        return $report }

    # Seconds, no sideband, comments after values, a mark at the end.
    my $report = take('lotw', imported => 3);
    my $log = log_of_programs();
    is_deeply [map { [@{$log->{$_}}{qw(qsoAt frequencyMhz mode notes dxLocator)}] } qw(26AT101 161SD001 30RC010)],
        [['2026-05-17T19:42:33.000Z', '27.245', 'DIGITAL', 'Mode: FT8', 'IO91wm'],
        ['2026-05-17T19:49:00.000Z', '27.245', 'DIGITAL', 'Mode: FT4', 'JN58'],
        ['2026-05-17T19:51:00.000Z', '27.245', 'SSB', undef, undef]], 'LoTW: comments after values are no part of them';
    ok +(grep { $_ eq 'not a QSO field: STATE 3' } @{$report->{details}}), 'LoTW: what has no place is counted';

    # The same contacts out of other programs are the same QSOs.
    $report = take('log4om', updated => 3);
    $log = log_of_programs();
    is_deeply [map { [@{$log->{$_}}{qw(mode notes rstReceived qslSent qslVia)}] } qw(26AT101 161SD001 30RC010)],
        [map { ['USB', "Name: $_\nQTH: K\x{f6}ln", '+03', JSON::PP::false(), 'BUREAU'] } "J\x{fc}rgen",
        "\x{c5}sa \x{1f600}", 'Bob'], 'Log4OM: lengths in characters, a mark of UTF-8 and glued comments do no harm';
    is $log->{'26AT101'}{dxLocator}, 'IO91wm', 'what LoTW knew stays';

    $report = take('n3fjp', updated => 3);
    $log = log_of_programs();
    is_deeply [map { [@{$log->{$_}}{qw(qsoAt frequencyMhz mode)}] } qw(26AT101 161SD001 30RC010)],
        [['2026-05-17T19:42:33.000Z', '27.245', 'USB'], ['2026-05-17T19:49:00.000Z', '27.245', 'USB'],
        ['2026-05-17T19:51:00.000Z', '27.245', 'USB']],
        'N3FJP: without seconds, station and sideband they are the same QSOs';
    is $log->{'30RC010'}{notes}, "Name: Bob\nQTH: K\x{f6}ln\n5 \x{20ac} \x{2013} ok",
        'N3FJP: Windows-1252 is understood';
    ok +(grep { /changed: line \d+, record 3: FREQ is rounded to three decimals/ } @{$report->{details}}),
        'N3FJP: a frequency that was rounded is told';

    $report = take('qrz', updated => 3);
    is_deeply [@{log_of_programs()->{'26AT101'}}{qw(dxLocator myLocator dxLat splitKhz txPowerW)}],
        ['IO91wm', 'JO59jw', 51.50735, 0, 5],
        'QRZ: eight-character locators are cut, halves rounded up';
    is scalar(grep { /is cut to six characters/ } @{$report->{details}}), 6, 'QRZ: what was cut is told';
    ok +(grep { $_ eq 'not a QSO field: QSL_VIA 3' } @{$report->{details}}),
        'QRZ: the way to a QSL manager is not ours';
    is take('qrz', unchanged => 3)->{counts}{unchanged}, 3, 'QRZ: once more, unchanged';

    is scalar($service->download), 3, 'three contacts in four programs are three QSOs';

    $report = take('wsjt-cb', imported => 2);
    my ($live) = grep { $_->{callsignWorked} eq '26AT101' && $_->{mode} eq 'DIGITAL' } $service->download;
    is_deeply [@$live{qw(frequencyMhz rstSent dxLocator qsoAt)}], ['27.267', '-07', 'IO91', '2026-05-17T19:42:30.000Z'],
        'WSJT-CB: contacts on another frequency in another mode are QSOs of their own';

    # ADX is another format with the same contents.
    my $record =
        '<RECORD><CALL>26AT101</CALL><QSO_DATE>20260517</QSO_DATE><TIME_ON>194233</TIME_ON><BAND>11m</BAND></RECORD>';
    for my $adx ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- a log -->\n<ADX>\n<HEADER/>\n<RECORDS>"
        . $record x 30_000 . "</RECORDS></ADX>\n", "\xef\xbb\xbf<adx>$record</adx>") {
        $report = import_adif($service, '21SD333', adif_file($service, $adx));
        is_deeply [$report->{status}, $report->{counts}{rejected}, $report->{details}],
            [1, 1,
            ['rejected: line 1, record 1: '
                . 'is ADX, the XML form of ADIF, which is not supported: export the log as ADI (.adi)']],
            'a file in ADX is refused with one clear line';
    }
    is import_adif($service, '21SD333',
        adif_file($service, "about <ADX>\n<EOH>\n",
        adif_record(CALL => '26AT101', QSO_DATE => '20260517', TIME_ON => '194230',
            BAND => '11m')))->{counts}{unchanged},
        1, 'a file that only speaks of ADX is read';
}

# The clientIds that an import gives are random. What older releases named is found by its content.
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

    is_deeply counts_of([CALL => 'ONE'], [CALL => 'TWO']), only(imported => 2), 'a file is imported';
    my %ids = ids();
    like $ids{$_}, qr/\A[0-9a-f]{8}-[0-9a-f]{4}-4/, "the clientId of $_ is random" for qw(ONE TWO);

    # A clientId that became known, by an exported file, and is another member's now.
    $service->delete_qso($ids{ONE});
    $service->post_batch([qso(clientId => $ids{ONE})], key => $spy->{write_key});
    is_deeply counts_of([CALL => 'ONE']), only(imported => 1), 'a record of a QSO that was deleted is imported again';
    is_deeply counts_of([CALL => 'ONE']), only(unchanged => 1), 'it is that QSO from then on';

    # A log of an older release, with two QSOs of one contact and minute, whose clientIds were names.
    my @old = map { qso(clientId => "83fdf0e2-5a5f-554d-b0b7-f914dee37d8$_", callsignWorked => 'OLD', rstSent => "5$_",
        qsoAt => '2026-05-17T19:42:33Z', frequencyMhz => "27.55$_", mode => 'SSB') } 1, 9;
    $service->post_batch(\@old);
    my @records = map { [CALL => 'OLD', RST_SENT => "5$_", FREQ => "27.55$_"] } 9, 1;
    is_deeply counts_of(@records), only(unchanged => 2), 'QSOs that were named by an older release are found';
    $service->delete_qso($old[0]{clientId});
    is_deeply counts_of(@records), only(imported => 1, unchanged => 1),
        'if one of them was deleted, the other is not taken for it';
    is_deeply counts_of(@records), only(unchanged => 2), 'records of which one was imported again are all found';
    $service->post_batch([{ %{$old[1]}, callsignWorked => 'OLD/P' }]);
    is counts_of(@records)->{imported}, 0, 'a QSO whose callsign was corrected is found by what is remembered';
    is $service->admin('check'), '', 'the logbook is in order afterwards';
}

done_testing;
