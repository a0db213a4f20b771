use QSOsync::Test fronts => 'none';
use QSOsync::Adif;

# qsosync-admin import: what becomes of the records of an ADIF file, and what is said about them.
my $service = QSOsync::Service->start;
my @when = (QSO_DATE => '20260517', TIME_ON => '194233');
sub counts { my ($imported, $updated, $unchanged, $refused, $other) = @_;
    return { imported => $imported, updated => $updated, unchanged => $unchanged, refused => $refused,
        'other bands' => $other } }
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

# The id of a record that brings none is made of stations, band and minute.
$service->admin('member', 'add', 'B', '--locator', 'JO59');
my %key_of = (B => $service->admin('key', 'add', 'B', '--name', 'x', '--scope', 'READ'));
my @named = ([CALL => '26-at.101', BAND => '11m', STATION_CALLSIGN => '21 sd 333'],
    map { [CALL => '26AT101/P', FREQ => '446.0062',
    STATION_CALLSIGN => '21SD333', COMMENT => $_] } 1, 2);
sub import_b {
    my ($minute, @records) = @_;
    return import_adif($service, 'B',
        adif_file($service, map { adif_record(@when, TIME_ON => $minute, @$_) } @records));
}
is import_b('1942', @named)->{counts}{imported}, 3,
    'records that differ in the callsign worked, or in their number among equal ones, are QSOs of their own';
is import_b('194217', [CALL => '26AT101', FREQ => '27.555', STATION_CALLSIGN => '21SD333'])->{counts}{imported}, 0,
    'stations are compared without case and separators, times by the minute';
is import_b('1942', [@{$named[1]}, FREQ => '27.555'])->{counts}{imported}, 1, 'the band makes another QSO';
is import_b('1943', $named[0])->{counts}{imported}, 1, 'the minute makes another QSO';
is import_b('1942', [@{$named[0]}, STATION_CALLSIGN => '21SD334'])->{counts}{imported}, 1,
    'the station makes another QSO';
is import_b('1942', @named)->{counts}{unchanged}, 3, 'the first file finds its QSOs among them';

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
is_deeply details($report, 'refused'),
    ['refused: line 2, record 2: RST_SENT has a negative length', 'refused: line 3, record 3: CALL has no length',
    'refused: line 4, record 4: CALL is longer than its record', 'refused: line 5, record 5: TIME_ON is missing',
    'refused: line 6, record 6: BAND is missing, and FREQ too',
    'refused: line 7, record 7: QSO_DATE and TIME_ON are no date and time'],
    'each refused record is told with its line, the field and the reason';
is_deeply details($report, 'left out'),
    ['left out: line 8, record 8: FREQ_RX is no frequency',
    'left out: line 8, record 8: GRIDSQUARE has only two characters',
    'left out: line 8, record 8: TX_PWR is no number of watts'],
    'each value that does not fit is told, and its QSO is saved';
is_deeply details($report, 'changed'), ['changed: line 9, record 9: FREQ is rounded to three decimals'],
    'what was rounded is told';
is_deeply details($report, 'no place'), ['no place: CONTEST_ID 1', 'no place: CQ?Z 1'],
    'fields that have no place are counted by name, those of other bands not, and no control character is shown';
like $report->{errors}, qr/\Aqsosync-admin: 6 records were refused\n\z/,
    'a file with refused records ends with one line on standard error';
is_deeply [sort map { $_->{callsignWorked} } $service->download], [qw(26AT101 BADPOWER FIRST LAST ROUNDED)],
    'a wrong record costs no neighbour';
is_deeply [map { $_->{frequencyMhz} } grep { $_->{callsignWorked} eq 'ROUNDED' } $service->download], ['27.267'],
    'halves are rounded up';

# For programs.
my $json = JSON::PP::decode_json(($service->admin_try('import', '21SD333', $broken, '--json', '--dry-run'))[1]);
is_deeply [@$json{qw(imported updated unchanged refused otherBands newIds)}], [0, 0, 4, 6, 1, 0],
    '--json has the counts';
ok $json->{dryRun}, '--json says that it was a dry run';
is_deeply $json->{details}[0], { kind => 'refused', line => 2, record => 2, field => 'RST_SENT',
    reason => 'has a negative length' }, '--json has the details';
is_deeply [$json->{noPlace}, $json->{more}], [{ CONTEST_ID => 1, 'CQ?Z' => 1 }, []],
    '--json has the fields without a place';

# However many are wrong, the report stays short.
$report = import_adif($service, '21SD333', adif_file($service, map { "<CALL:5>$_ <EOR>\n" } 10001 .. 11203));
is $report->{counts}{refused}, 1203, 'every refused record is counted';
is scalar(@{$report->{details}}), 11, 'of each reason ten are told and how many more';
is $report->{details}[-1], 'refused: 1193 more: is missing, and FREQ too', 'how many more there are';

# Where the file comes from.
my ($status, $output, $errors) = $service->admin_try('import', '21SD333', $service->directory . '/none.adi');
is_deeply [$status, $output], [1, ''], 'a file that is not there is refused';
like $errors, qr/none\.adi: cannot read the file: No such file/, 'a file that is not there is named';
like +($service->admin_try('import', '21SD333', $service->directory))[2], qr/cannot read the file: Is a directory/,
    'a folder is no file';
like +($service->admin_try('import', '21SD333', adif_file($service, "\x89PNG\r\n\x1a\n<>")))[2], qr/holds no ADIF/,
    'what holds no ADIF is said';
is +($service->admin_try('import', '21SD333', adif_file($service, "x\n<EOH>\n")))[0], 0,
    'a file with a header alone is an empty log';
is +($service->admin_try('import', 'nobody', $full))[0], 1, 'a member who is not there has no log';
is +($service->admin_try('import', '21SD333'))[0], 2, 'import without a file is wrong usage';
my $program = "$QSOsync::Front::BUILD/qsosync-admin";
like `'$program' --db '@{[$service->db]}' import 21SD333 - < '$full'`, qr/\Aimported 0\nupdated 0\nunchanged 1\n/,
    'a hyphen is the standard input';
is $service->admin('check'), '', 'the logbook is in order afterwards';

done_testing;
