use QSOsync::Test fronts => 'none';
use QSOsync::Adif;

# qsosync-admin import decides about each record of an ADIF file, and reports the outcomes.
my $service = QSOsync::Service->start;
my @when = (QSO_DATE => '20260517', TIME_ON => '194233');
sub counts { my ($imported, $updated, $unchanged, $rejected, $other) = @_;
    return { imported => $imported, updated => $updated, unchanged => $unchanged, repeated => 0,
        rejected => $rejected, 'other bands' => $other } }
sub details { my ($report, $kind) = @_; return [grep { /\A$kind: / } @{$report->{details}}] }

# This record has a value for most fields of a QSO.
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
    'the values of a full record are imported into the fields of the QSO';
is $service->admin('spots'), '', 'an import publishes no spot, even if the file requests one';

# A record matches the stored QSO of the same contact, even if another program wrote the record differently.
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
    'records of two contacts create two QSOs, and a second record of a contact is a repeat';
is import_b('194217', [CALL => '26AT101', FREQ => '27.555', STATION_CALLSIGN => '21SD333'])->{counts}{imported}, 0,
    'a match ignores separators in callsigns, and seconds within the minute';
is import_b('1942', [@{$named[1]}, FREQ => '27.555'])->{counts}{imported}, 1,
    'a record on another band creates another QSO';
is import_b('1944', $named[0])->{counts}{imported}, 1,
    'without a frequency, a record two minutes later creates another QSO';
is import_b('1942', [@{$named[0]}, STATION_CALLSIGN => '21SD334'])->{counts}{imported}, 1,
    'a record with another station callsign creates another QSO';
is_deeply [@{import_b('1942', @named)->{counts}}{qw(unchanged repeated)}], [2, 1],
    'importing the first file again matches the QSOs from its first import';

# If a record has a fault, the import rejects only that record, or omits only the faulty value.
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
is_deeply $said, [1, counts(4, 0, 0, 6, 1)], 'a dry run counts the outcomes of an import';
is $report->{details}[-1], 'nothing was saved', 'a dry run reports that nothing was saved';
is scalar($service->download), 1, 'a dry run saves nothing';
$report = import_adif($service, '21SD333', $broken);
is_deeply [$report->{status}, $report->{counts}], $said, 'an import has the same status and counts as its dry run';
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
    'each unusable value is reported';
is_deeply details($report, 'changed'), ['changed: line 9, record 9: FREQ is rounded to three decimals'],
    'a rounded value is reported';
is_deeply details($report, 'not a QSO field'), ['not a QSO field: CONTEST_ID 1', 'not a QSO field: CQ?Z 1'],
    'unknown fields are counted by name, except in records on other bands';
like $report->{errors}, qr/\Aqsosync-admin: 6 records were rejected\n\z/,
    'an import with rejected records ends with one line on standard error';
is_deeply [sort map { $_->{callsignWorked} } $service->download], [qw(26AT101 BADPOWER FIRST LAST ROUNDED)],
    'a rejected record does not affect neighbouring records';
is_deeply [map { $_->{frequencyMhz} } grep { $_->{callsignWorked} eq 'ROUNDED' } $service->download], ['27.267'],
    'half a kilohertz is rounded up';

# The import can print its report as JSON.
my $json = JSON::PP::decode_json(($service->admin_try('import', '21SD333', $broken, '--json', '--dry-run'))[1]);
is_deeply [@$json{qw(imported updated unchanged rejected otherBands newIds)}], [0, 0, 4, 6, 1, 0],
    '--json reports the counts';
ok $json->{dryRun}, '--json reports a dry run';
is_deeply $json->{details}[0], { kind => 'rejected', line => 2, record => 2, field => 'RST_SENT',
    reason => 'has a negative length' }, '--json reports the details';
is_deeply [$json->{noPlace}, $json->{more}], [{ CONTEST_ID => 1, 'CQ?Z' => 1 }, []],
    '--json reports the unknown fields';

# The report remains short, however many faults the file has.
$report = import_adif($service, '21SD333', adif_file($service, map { "<CALL:5>$_ <EOR>\n" } 10001 .. 11203));
is $report->{counts}{rejected}, 1203, 'every rejected record is counted';
is scalar(@{$report->{details}}), 11, 'each reason is reported for ten records at most';
is $report->{details}[-1], 'rejected: 1193 more: is missing, and so is FREQ',
    'the report counts the further records with the same reason';

# The import reads a file by its path, or standard input.
my ($status, $output, $errors) = $service->admin_try('import', '21SD333', $service->directory . '/none.adi');
is_deeply [$status, $output], [1, ''], 'importing a missing file fails';
like $errors, qr/none\.adi: cannot read the file: No such file/, 'the error names a missing file';
like +($service->admin_try('import', '21SD333', $service->directory))[2], qr/cannot read the file: Is a directory/,
    'importing a folder fails';
like +($service->admin_try('import', '21SD333', adif_file($service, "\x89PNG\r\n\x1a\n<>")))[2], qr/contains no ADIF/,
    'a file without ADIF is refused';
is +($service->admin_try('import', '21SD333', adif_file($service, "x\n<EOH>\n")))[0], 0,
    'a file with only a header is imported without an error';
is +($service->admin_try('import', 'nobody', $full))[0], 1, 'an import for an unknown member is refused';
is +($service->admin_try('import', '21SD333'))[0], 2, 'an import without a file is wrong usage';
my $program = "$QSOsync::Front::BUILD/qsosync-admin";
like `'$program' --db '@{[$service->db]}' import 21SD333 - < '$full'`, qr/\Aimported 0\nupdated 0\nunchanged 1\n/,
    'a hyphen as file reads standard input';
is $service->admin('check'), '', 'the logbook passes the check after imports';

done_testing;
