use QSOsync::Test fronts => 'none';
use QSOsync::Adif;

# The import accepts the quirks of other programs' files (t/data/adif, written by hand after real files).
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

# The file from LoTW has comments after values, and a field after the last record.
my $report = take('lotw', imported => 3);
my $log = log_of_programs();
is_deeply [map { [@{$log->{$_}}{qw(qsoAt frequencyMhz mode notes dxLocator)}] } qw(26AT101 161SD001 30RC010)],
    [['2026-05-17T19:42:33.000Z', '27.245', 'DIGITAL', 'Mode: FT8', 'IO91wm'],
    ['2026-05-17T19:49:00.000Z', '27.245', 'DIGITAL', 'Mode: FT4', 'JN58'],
    ['2026-05-17T19:51:00.000Z', '27.245', 'SSB', undef, undef]], 'LoTW: comments after values are ignored';
ok +(grep { $_ eq 'not a QSO field: STATE 3' } @{$report->{details}}), 'LoTW: unknown fields are counted';

# Files from other programs with the same contacts match the same QSOs.
$report = take('log4om', updated => 3);
$log = log_of_programs();
is_deeply [map { [@{$log->{$_}}{qw(mode notes rstReceived qslSent qslVia)}] } qw(26AT101 161SD001 30RC010)],
    [map { ['USB', "Name: $_\nQTH: K\x{f6}ln", '+03', JSON::PP::false(), 'BUREAU'] } "J\x{fc}rgen",
    "\x{c5}sa \x{1f600}", 'Bob'],
    'Log4OM: lengths in characters, a byte order mark and comments after values are accepted';
is $log->{'26AT101'}{dxLocator}, 'IO91wm', 'Log4OM: the locator from LoTW is kept';

$report = take('n3fjp', updated => 3);
$log = log_of_programs();
is_deeply [map { [@{$log->{$_}}{qw(qsoAt frequencyMhz mode)}] } qw(26AT101 161SD001 30RC010)],
    [['2026-05-17T19:42:33.000Z', '27.245', 'USB'], ['2026-05-17T19:49:00.000Z', '27.245', 'USB'],
    ['2026-05-17T19:51:00.000Z', '27.245', 'USB']],
    'N3FJP: records without seconds, station or sideband match';
is $log->{'30RC010'}{notes}, "Name: Bob\nQTH: K\x{f6}ln\n5 \x{20ac} \x{2013} ok",
    'N3FJP: Windows-1252 is decoded';
ok +(grep { /changed: line \d+, record 3: FREQ is rounded to three decimals/ } @{$report->{details}}),
    'N3FJP: a rounded frequency is reported';

$report = take('qrz', updated => 3);
is_deeply [@{log_of_programs()->{'26AT101'}}{qw(dxLocator myLocator dxLat splitKhz txPowerW)}],
    ['IO91wm', 'JO59jw', 51.50735, 0, 5],
    'QRZ: locators are cut to six characters, and half a watt is rounded up';
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
            . 'is ADX, the XML format of ADIF, which is not supported: export the log as ADI (.adi)']],
        'a file in ADX is refused with one line';
}
is import_adif($service, '21SD333',
    adif_file($service, "about <ADX>\n<EOH>\n",
    adif_record(CALL => '26AT101', QSO_DATE => '20260517', TIME_ON => '194230',
        BAND => '11m')))->{counts}{unchanged},
    1, 'an ADI file that mentions ADX is read';

done_testing;
