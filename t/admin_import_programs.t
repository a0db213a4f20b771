use QSOsync::Test fronts => 'none';
use QSOsync::Adif;

# Files as other programs write them, each with its quirks (t/data/adif; written by hand after real ones).
my $service = QSOsync::Service->start;
my $folder = "$QSOsync::Front::SOURCE/t/data/adif";
sub log_now { return { map { $_->{callsignWorked} => $_ } $service->download } }
sub take { my ($name, %counts) = @_;
    my $report = import_adif($service, '21SD333', "$folder/$name.adi");
    is_deeply { %{$report->{counts}}, status => $report->{status} },
        { imported => 0, updated => 0, unchanged => 0, refused => 0, 'other bands' => 0, status => 0, %counts },
        "$name: every record is counted right";
    return $report }

# Seconds, no sideband, comments after values, a mark at the end.
my $report = take('lotw', imported => 3);
my $log = log_now();
is_deeply [map { [@{$log->{$_}}{qw(qsoAt frequencyMhz mode notes dxLocator)}] } qw(26AT101 161SD001 30RC010)],
    [['2026-05-17T19:42:33.000Z', '27.245', 'DIGITAL', 'Mode: FT8', 'IO91wm'],
    ['2026-05-17T19:49:00.000Z', '27.245', 'DIGITAL', 'Mode: FT4', 'JN58'],
    ['2026-05-17T19:51:00.000Z', '27.245', 'SSB', undef, undef]], 'LoTW: comments after values are no part of them';
ok +(grep { $_ eq 'no place: STATE 3' } @{$report->{details}}), 'LoTW: what has no place is counted';

# The same contacts out of other programs are the same QSOs.
$report = take('log4om', updated => 3);
$log = log_now();
is_deeply [map { [@{$log->{$_}}{qw(mode notes rstReceived qslSent qslVia)}] } qw(26AT101 161SD001 30RC010)],
    [map { ['USB', "Name: $_\nQTH: K\x{f6}ln", '+03', JSON::PP::false(), 'BUREAU'] } "J\x{fc}rgen",
    "\x{c5}sa \x{1f600}", 'Bob'], 'Log4OM: lengths in characters, a mark of UTF-8 and glued comments do no harm';
is $log->{'26AT101'}{dxLocator}, 'IO91wm', 'what LoTW knew stays';

$report = take('n3fjp', updated => 3);
$log = log_now();
is_deeply [map { [@{$log->{$_}}{qw(qsoAt frequencyMhz mode)}] } qw(26AT101 161SD001 30RC010)],
    [['2026-05-17T19:42:33.000Z', '27.245', 'USB'], ['2026-05-17T19:49:00.000Z', '27.245', 'USB'],
    ['2026-05-17T19:51:00.000Z', '27.245', 'USB']],
    'N3FJP: without seconds, station and sideband they are the same QSOs';
is $log->{'30RC010'}{notes}, "Name: Bob\nQTH: K\x{f6}ln\n5 \x{20ac} \x{2013} ok", 'N3FJP: Windows-1252 is understood';
ok +(grep { /changed: line \d+, record 3: FREQ is rounded to three decimals/ } @{$report->{details}}),
    'N3FJP: a frequency that was rounded is told';

$report = take('qrz', updated => 3);
is_deeply [@{log_now()->{'26AT101'}}{qw(dxLocator myLocator dxLat splitKhz txPowerW)}],
    ['IO91wm', 'JO59jw', 51.50735, 0, 5],
    'QRZ: eight-character locators are cut, halves rounded up';
is scalar(grep { /is cut to six characters/ } @{$report->{details}}), 6, 'QRZ: what was cut is told';
ok +(grep { $_ eq 'no place: QSL_VIA 3' } @{$report->{details}}), 'QRZ: the way to a QSL manager is not ours';
is take('qrz', unchanged => 3)->{counts}{unchanged}, 3, 'QRZ: once more, unchanged';

$report = take('wsjt-cb', updated => 2);
is_deeply [@{log_now()->{'26AT101'}}{qw(frequencyMhz mode rstSent dxLocator qsoAt)}],
    ['27.267', 'DIGITAL', '-07', 'IO91wm', '2026-05-17T19:42:30.000Z'],
    'WSJT-CB: the live log of a QSO';
is scalar(keys %{log_now()}), 3, 'three contacts in five programs are three QSOs';

# ADX is another format with the same contents.
my $record =
    '<RECORD><CALL>26AT101</CALL><QSO_DATE>20260517</QSO_DATE><TIME_ON>194233</TIME_ON><BAND>11m</BAND></RECORD>';
for my $adx ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- a log -->\n<ADX>\n<HEADER/>\n<RECORDS>"
    . $record x 30_000 . "</RECORDS></ADX>\n", "\xef\xbb\xbf<adx>$record</adx>") {
    $report = import_adif($service, '21SD333', adif_file($service, $adx));
    is_deeply [$report->{status}, $report->{counts}{refused}, $report->{details}],
        [1, 1,
        ['refused: line 1, record 1: is ADX, the XML form of ADIF, which is not read: export the log as ADI (.adi)']],
        'a file in ADX is refused with one clear line';
}
is import_adif($service, '21SD333',
    adif_file($service, "about <ADX>\n<EOH>\n",
    adif_record(CALL => '26AT101', QSO_DATE => '20260517', TIME_ON => '194230', BAND => '11m')))->{counts}{unchanged},
    1, 'a file that only speaks of ADX is read';

done_testing;
