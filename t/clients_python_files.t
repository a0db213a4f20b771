use QSOsync::Test fronts => 'nginx', suite => 'all';
use Encode ();
use QSOsync::Adif;
use QSOsync::Kit;

# qsosync.py push reads ADIF files as logging programs write them. qsosync.py pull writes ADIF and JSON files.
my $service = QSOsync::Service->start;
my $folder = $service->directory;
my $program = QSOsync::Kit::client('qsosync.py');

sub run { QSOsync::Kit::run("$folder/client.log", QSOsync::Kit::environment($service), 'python3', $program, @_) }

sub record {
    my (%fields) = (qso_date => '20260517', time_on => '194211', band => '11m', freq => '27.555', mode => 'SSB',
        submode => 'USB', call => '26AT101', station_callsign => '21SD333', @_);
    return adif_record(map { defined $fields{$_} ? ($_ => $fields{$_}) : () } sort keys %fields);
}

# Pushes a file. Returns a hash of the report's counts, the exit status under "status", and the whole output under
# "details".
sub push_file_adif {
    my ($content, @options) = @_;
    QSOsync::Front::write_file("$folder/log.adi", $content);
    my ($status, $output) = run('push', "$folder/log.adi", @options ? @options : ('--encoding', 'cp1252'));
    my %report = (status => $status, details => $output,
        $output =~ /^(imported|updated|unchanged|repeated|rejected|other bands) (\d+)$/mg);
    return \%report;
}
sub counts {
    my ($report) = @_;
    return join ' ', map { $report->{$_} // '-' } 'imported', 'updated', 'unchanged', 'rejected', 'other bands';
}
sub pushed {
    my ($rule, $content, $expected) = @_;
    my $report = push_file_adif($content);
    is counts($report), $expected, $rule or diag $report->{details};
    return $report;
}
my $unclear = push_file_adif(record(name => "\xe4"), '--url', $service->base_url);
is_deeply [$unclear->{status}, Encode::decode('UTF-8', $unclear->{details})],
    [1, 'qsosync.py: the file is not in UTF-8 and does not name its encoding; specify it with --encoding: '
    . "CP1250 (\"\x{e4}\"), CP1251 (\"\x{434}\"), CP1252 (\"\x{e4}\"), CP1253 (\"\x{3b4}\"), "
    . "CP850 (\"\x{f5}\"), KOI8-R (\"\x{414}\")\n"], 'a file in an unknown encoding is rejected as a whole';
my %known;
sub newest { # Returns the QSOs that were added since the last call.
    my @new = grep { !$known{$_->{clientId}}++ } $service->download;
    return wantarray ? @new : $new[0];
}

# If a record is pushed again, the kit recognises the record.
my $report = pushed('a record becomes a QSO', "made by hand\n<adif_ver:5>3.1.4<EOH>\n" . record(), '1 0 0 0 0');
is $report->{status}, 0, 'pushing a valid file gives exit status 0';
my $qso = newest();
like $qso->{clientId}, qr/^\w{8}-\w{4}-4\w{3}-/, 'a pushed QSO gets a random clientId';
is_deeply {map { $_ => $qso->{$_} } qw(band qsoAt frequencyMhz mode callsignWorked operatorCallsign notes)},
    { band => 'ELEVEN_METERS', qsoAt => '2026-05-17T19:42:11.000Z', frequencyMhz => '27.555', mode => 'USB',
        callsignWorked => '26AT101', operatorCallsign => '21SD333', notes => undef },
        'a pushed QSO has the values of its record';
my $synced = $qso->{syncedAt};
pushed('pushing the same file again changes nothing', record(), '0 0 1 0 0');
is +($service->download)[0]{syncedAt}, $synced, 'pushing the same file again keeps syncedAt';
pushed("another program's seconds, mode and spelling match the same QSO",
    record(time_on => '1942', mode => 'FT8', submode => undef, call => '26-at-101'), '0 1 0 0 0');
$qso = ($service->download)[0];
is $qso->{qsoAt}, '2026-05-17T19:42:11.000Z', 'a time without seconds does not replace a time with seconds';
is $qso->{notes}, 'Mode: FT8', 'the name of a digital mode is stored in the notes';
pushed('two records of the same contact are one QSO', record() . record(rst_sent => '59'), '0 1 0 0 0');
is +($service->download)[0]{rstSent}, '59', 'if a contact has several records, the last record is used';
pushed('two contacts in one minute are two QSOs', record() . record(freq => '27.265', mode => 'CW'), '1 0 1 0 0');
newest();
pushed("without a station callsign, the member's callsign is used", record(station_callsign => undef), '0 0 1 0 0');

# Notes are read correctly in every encoding, and with lengths in any unit.
my @texts = (
    ['lengths in bytes', "<notes:5>\xc3\xa4\xc3\xb6u ", "\x{e4}\x{f6}u"],
    ['lengths in characters', "<notes:3>\xc3\xa4\xc3\xb6u<rst_sent:2>59", "\x{e4}\x{f6}u"],
    ['ISO 8859-1', "<notes:3>\xe4\xf6u ", "\x{e4}\x{f6}u"],
    ['Windows-1252', "<notes:2>\x80\x84 ", "\x{20ac}\x{201e}"],
    ['comments between fields', "<notes:2>WI // Wisconsin <rst_sent:2>59 and so on ", 'WI'],
    ['lengths of longer line ends', "<notes:7>ab\ncde <rst_sent:2>59", "ab\ncde"],
    ['lengths in UTF-16', "<notes:4>\xf0\x9f\x98\x80\xc3\xa4u ", "\x{1f600}\x{e4}u"],
    ['a comment directly after a value', '<notes:2>WI//Wisconsin <rst_sent:2>59', 'WI'],
    ['a wrong length of an unknown field', '<notes:2>hi<address:3>Road 7 <rst_sent:2>59', 'hi'],
    ['a type in the tag', '<NOTES:3:S>abc', 'abc'],
    ['upper and lower case', '<NoTeS:3>abc', 'abc'],
    ['name, place and text', '<name:3>Bob<qth:4>Bath<notes:5>hello', "Name: Bob\nQTH: Bath\nhello"],
    ['a comment without notes', '<comment:5>hello', 'hello'],
    ['notes and a comment', '<comment:2>ho<notes:2>hi', "hi\n\nho"],
    ['other scripts', "<name:1>?<name_intl:2>\xd0\xaf", "Name: \x{42f}"],
);
my $minute = 0;
for (@texts) {
    my ($rule, $fields, $notes) = @$_;
    pushed("the record is accepted: $rule", record(call => '30RC' . ++$minute) =~ s/<EOR>/$fields<EOR>/r, '1 0 0 0 0');
    is newest()->{notes}, $notes, "the notes are read: $rule";
}
pushed('a byte order mark and a header are accepted', "\xef\xbb\xbfLog of 11 m\r\n<PROGRAMID:3>abc\r\n<EOH>\r\n"
    . record(time_on => '2101'), '1 0 0 0 0');
newest();
my $good = record(call => '30RC100', time_on => '2102');
my %broken = ('negative' => '<rst_rcvd:-16>', 'missing' => '<x>', 'beyond the end' => '<notes:30>abc',
    'short' => '<notes:1>abc',
    'absurd' => '<notes:999999999>abc', 'endless' => '<notes:' . '0' x 300 . '3>abc',
        'not a number' => '<notes:abc>');
for my $kind (sort keys %broken) {
    my $report = pushed("a length that is $kind rejects only its record",
        record(time_on => '2103') =~ s/<EOR>/$broken{$kind} <eor>/r
        . $good, $kind eq 'absurd' ? '1 0 0 1 0' : '0 0 1 1 0');
    like $report->{details}, qr/^line 1: rejected: \S/m, "a length that is $kind is reported with its line";
    is $report->{status}, 1, "a length that is $kind gives exit status 1";
}
newest();

# Bands and values are converted.
my @values = (
    [ { band => '10m', freq => '27.2665' }, frequencyMhz => '27.267',
    'FREQ overrules BAND, and halves are rounded up' ],
    [ { freq => '27,555' }, frequencyMhz => '27.555', 'a decimal comma' ],
    [ { freq => undef }, frequencyMhz => undef, '11 m without a frequency' ],
    [ { band => undef, freq => '446.006', mode => 'FM', submode => undef }, channel => 1,
        'a PMR446 channel, roughly' ],
    [ { band => '70cm', freq => '446.09375', mode => 'FM', submode => undef }, channel => 8,
    'a PMR446 channel, exactly' ],
    [ { mode => 'MFSK', submode => 'FT4' }, mode => 'DIGITAL', 'a digital mode' ],
    [ { gridsquare => 'io91WM12' }, dxLocator => 'IO91wm', 'a long locator' ],
    [ { lat => 'S048 15.000', lon => 'W001 30.000' }, dxLat => -48.25, 'a latitude' ],
    [ { tx_pwr => '4.5' }, txPowerW => 5, 'a power' ],
    [ { freq_rx => '27.560' }, splitKhz => -5, 'a split' ],
    [ { ant_path => 'L' }, path => 'LP', 'a path' ],
    [ { qsl_rcvd => 'V' }, qslReceived => JSON::PP::true(), 'a QSL that was verified' ],
    [ { qsl_sent_via => 'B' }, qslVia => 'BUREAU', 'the method of sending QSLs' ],
    [ { my_rig => 'Lincoln', my_antenna => '5/8' }, radio => 'Lincoln', 'a radio' ],
    [ { station_callsign => undef, operator => '21SD333/P' }, operatorCallsign => '21SD333/P', 'an operator' ],
);
for (@values) {
    my ($fields, $name, $value, $rule) = @$_;
    pushed("the record is accepted: $rule", record(call => '30RC' . ++$minute, %$fields), '1 0 0 0 0');
    is newest()->{$name}, $value, "$name has the expected value: $rule";
}
is counts(push_file_adif(join '', map { record(band => $_->[0], freq => $_->[1]) } ['10m', '28.000'],
    ['10m', undef],
    ['20m', '14.074'],
    ['70cm', '446.1787'])), '0 0 0 0 4', 'records on other bands are counted';
is counts(push_file_adif(record(band => '11m', freq => '29.6'))), '0 0 0 1 0',
    'a record with contradictory band and frequency is rejected';
$report = pushed("an invalid value is reported, and the record's other values are saved",
    record(time_on => '2300', gridsquare => 'IO', tx_pwr => 'much', freq => '27.2665',
    darc_dok => 'F01'), '1 0 0 0 0');
like $report->{details}, qr/line 1: $_->[0] $_->[1]/, "the report names $_->[0] and the fault or change"
    for ['GRIDSQUARE', 'is not a locator'], ['TX_PWR', 'is not a power'],
    ['FREQ', 'was rounded to 27.267'];
like $report->{details}, qr/^fields that are not stored: DARC_DOK 1$/m, 'fields without a place in a QSO are named';
pushed('records without a time or with an invalid date are rejected',
    record(time_on => undef) . record(qso_date => '20260230'), '0 0 0 2 0');
pushed('a last record without an end tag is read', record(time_on => '2330') =~ s/<EOR>\n//r, '1 0 0 0 0');
like pushed('a file in ADX is rejected',
    "<?xml version=\"1.0\"?>\n<ADX><RECORDS><RECORD><CALL>26AT1</CALL></RECORD></RECORDS></ADX>",
    '0 0 0 1 0')->{details}, qr/^line 1: rejected: the file is ADX, .*export the log as ADI/m,
    'the message names the format to export instead';

# The kit reads the files that the kit writes.
my $other = $service->add_member('26AT101');
my @full = (full_qso(notes => "Name: Bob\n<b:3>x", dxLat => 51.50735, qsoAt => '2026-05-17T19:42:11.123Z'),
    full_pmr_qso(operatorCallsign => undef, notes => "a\r\nb"),
    qso(mode => 'DIGITAL', splitKhz => 7, qslVia => 'ECARD', qsoStatus => 'HRD', radio => '50%<b>'));
$service->post_batch(\@full);
my %log = map { $_->{clientId} => $_ } $service->download;
is + (run('pull', "$folder/all.adi"))[0], 0, 'pull downloads the log';
is counts(push_file_adif(QSOsync::Front::read_file("$folder/all.adi"))), '0 0 ' . keys(%log) . ' 0 0',
    'pushing a pulled file changes nothing';
$service->delete_qso($_) for keys %log;
is counts(push_file_adif(QSOsync::Front::read_file("$folder/all.adi"))), keys(%log) . ' 0 0 0 0',
    'pushing a pulled file restores all deleted QSOs';
for my $qso ($service->download) {
    delete @{$_}{qw(id createdAt syncedAt spottedAt)} for $qso, $log{$qso->{clientId}};
    is_deeply $qso, $log{$qso->{clientId}}, "a QSO restored from a pulled file is unchanged: $qso->{clientId}";
}
my ($status) = QSOsync::Kit::run("$folder/client.log",
    QSOsync::Kit::environment($service, key => $other->{write_key}),
    'python3', $program,
    'push', "$folder/all.adi");
is $status, 0, "a member can push another member's file";
is scalar($service->download(key => $other->{read_key})), keys(%log),
    "QSOs from another member's file get new clientIds";
is_deeply [sort map { $_->{operatorCallsign} } $service->download(key => $other->{read_key})],
    [sort map { $_->{operatorCallsign} // '21SD333' } values %log],
    "QSOs from another member's file keep the station callsigns";
is counts(push_file_adif(QSOsync::Front::read_file("$folder/all.adi") =~ s/<NOTES:4>a\r\nb/<NOTES:5>a \r\nb/r)),
    '0 0 ' . keys(%log) . ' 0 0',
    'a file from an older kit, with a space before a line end, changes nothing';
run('pull', "$folder/all.json");
is scalar(@{JSON::PP::decode_json(QSOsync::Front::read_file("$folder/all.json"))}), keys(%log),
    'pull writes JSON to a .json file';
like +(run('pull'))[1], qr/^<STATION_CALLSIGN:.*<EOR>$/m, 'pull without a file writes ADIF to standard output';
is + (run('push'))[0], 2, 'wrong usage gives exit status 2';
is + (run('push', "$folder/nothing.adi"))[0], 1, 'a missing file gives exit status 1';

done_testing;
