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

# ADX is the XML form of the same records.
my $member = $service->add_member('30RC031');
my $record = '<RECORD><CALL>26AT101</CALL><QSO_DATE>20260517</QSO_DATE><TIME_ON>194233</TIME_ON><BAND>11m</BAND>'
    . '<NAME>J&#xfc;rgen &amp; Co</NAME><APP PROGRAMID="LOGGER" FIELDNAME="TEAM" TYPE="S">blue</APP>'
    . '<USERDEF FIELDNAME="DOK 2">F01</USERDEF></RECORD>';
sub adx { return adif_file($service, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- a log -->\n<ADX>\n"
    . qq{<HEADER><PROGRAMID>Logger</PROGRAMID><USERDEF FIELDID="1" TYPE="S">DOK 2</USERDEF></HEADER>\n}
    . "<RECORDS>\n$_[0]\n</RECORDS></ADX>\n") }
is_deeply [@{import_adif($service, '30RC031', adx($record))->{counts}}{qw(imported rejected)}], [1, 0],
    'a file in ADX is imported';
my ($read) = $service->download(key => $member->{read_key});
is_deeply [@$read{qw(callsignWorked qsoAt band notes)}],
    ['26AT101', '2026-05-17T19:42:33.000Z', 'ELEVEN_METERS', "Name: J\xfcrgen & Co"],
    'the values of a file in ADX are read as in ADI';
is import_adif($service, '30RC031', adx($record))->{counts}{unchanged}, 1, 'importing ADX again changes nothing';
is import_adif($service, '30RC031', adif_file($service, "\xef\xbb\xbf<adx><records>$record</records></adx>"))
    ->{counts}{unchanged}, 1, 'ADX needs no declaration';
$report = import_adif($service, '30RC031', adx("$record\n<RECORD><CALL>26AT102</CALL></RECORD>"));
is_deeply [@{$report->{counts}}{qw(unchanged rejected)}, $report->{details}[0]],
    [1, 1, 'rejected: line 7, record 2: BAND is missing, and so is FREQ'],
    'a wrong record in ADX is reported with its line';
my $written = $service->admin('export', '30RC031', '--format', 'adx');
like $written, qr{\A<\?xml version="1\.0" encoding="UTF-8"\?>\n<ADX>\n<HEADER>}, 'an export in ADX is XML';
like $written, qr{<APP PROGRAMID="LOGGER" FIELDNAME="TEAM" TYPE="S">blue</APP>},
    'an export in ADX has the fields of programs';
like $written, qr{<USERDEF FIELDID="1" TYPE="G">DOK 2</USERDEF></HEADER>.*<USERDEF FIELDNAME="DOK 2">F01</USERDEF>}s,
    'an export in ADX has user-defined fields, and names them in its header';
is import_adif($service, '30RC031', adif_file($service, $written))->{counts}{unchanged}, 1,
    'an export in ADX is imported without a change';
for ([$record x 30_000, 'unfinished', 6], ["<!DOCTYPE x>$record", 'with a document type inside', 6],
    ["$record<RECORD><CALL>&x;</CALL></RECORD>", 'with an unknown entity', 6]) {
    my ($records, $what, $line) = @$_;
    my $file = adx($records);
    truncate $file, (-s $file) - 20 if $what eq 'unfinished';
    $report = import_adif($service, '30RC031', $file);
    is_deeply [$report->{status}, $report->{counts}{imported}, $report->{counts}{rejected}, @{$report->{details}}],
        [1, 0, 1, "rejected: line $line, record 1: is ADX that is not well-formed XML"],
        "a file in ADX $what is refused with one line";
}
my $bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE ADX [<!ENTITY a \"" . 'x' x 1000 . '">'
    . join('', map { my $inner = chr(ord($_) - 1); qq{<!ENTITY $_ "} . "&$inner;" x 100 . '">' } 'b' .. 'f')
    . "]><ADX><RECORDS><RECORD><CALL>&f;</CALL></RECORD></RECORDS></ADX>";
is_deeply [@{import_adif($service, '30RC031', adif_file($service, $bomb))->{counts}}{qw(imported rejected)}], [0, 1],
    'entities that would need terabytes are refused';
like import_adif($service, '30RC031', adif_file($service, "<?xml version=\"1.0\"?>\n<!DOCTYPE ADX [<!ENTITY a \"b\">]>"
    . '<ADX><RECORDS><RECORD><CALL>&a;</CALL></RECORD></RECORDS></ADX>'))->{details}[0],
    qr/line 2, record 1: is ADX with a document type/, 'a document type is refused';

# WSJT-X writes a table, wsjtx.log, in addition to its ADIF file.
my $digital = $service->add_member('30RC032');
my @lines = ("2026-05-17,19:42:30,2026-05-17,19:43:15,26AT101,JO59,27.265432,FT8,-10,-05,5,strong,J\xc3\xbcrgen",
    '2026-05-17,19:45:00,2026-05-17,19:46:15,SM5ABC,JO59,14.075432,FT8,-10,-05,,,', 'cut,off', '',
    '2015-Jan-02,09:08,26AT102,JO60,27.265,JT65,-12,-15,25W,,');
for my $end ("\n", "\r\n") {
    $report = import_adif($service, '30RC032', adif_file($service, join $end, @lines));
    my $counts = $report->{counts};
    is_deeply [$counts->{imported} + $counts->{unchanged}, @$counts{'other bands', 'rejected'}], [2, 1, 1],
        'each line of wsjtx.log is a record';
}
ok +(grep { /^rejected: line 3, record 3: / } @{$report->{details}}),
    'a wrong line in wsjtx.log is reported with its number';
is_deeply [map { [@$_{qw(callsignWorked qsoAt frequencyMhz mode rstSent rstReceived dxLocator txPowerW notes)}] }
    sort { $a->{callsignWorked} cmp $b->{callsignWorked} } $service->download(key => $digital->{read_key})],
    [['26AT101', '2026-05-17T19:42:30.000Z', '27.265', 'DIGITAL', '-10', '-05', 'JO59', 5,
    "Name: J\xfcrgen\nMode: FT8\nstrong"],
    ['26AT102', '2015-01-02T09:08:00.000Z', '27.265', 'DIGITAL', '-12', '-15', 'JO60', 25, 'Mode: JT65']],
    'wsjtx.log of new and old versions is read';

# Only the page reads workbooks.
for my $begin ("PK\x03\x04", "\xd0\xcf\x11\xe0") {
    $report = import_adif($service, '21SD333', adif_file($service, $begin . "\0" x 100));
    is $report->{status}, 1, 'a workbook is refused';
    like $report->{errors}, qr/is a workbook, such as XLSX or ODS; .* as CSV/,
        'the message names the ways to import it';
}

is import_adif($service, '21SD333',
    adif_file($service, "about <ADX>\n<EOH>\n",
    adif_record(CALL => '26AT101', QSO_DATE => '20260517', TIME_ON => '194230',
        BAND => '11m')))->{counts}{unchanged},
    1, 'an ADI file that mentions ADX is read';

done_testing;
