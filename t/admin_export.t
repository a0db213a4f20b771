use QSOsync::Test fronts => 'none';
use QSOsync::Adif;

# qsosync-admin export writes a log to a file. Another member who imports the file gets the same log.
my $service = QSOsync::Service->start;
$service->admin('member', 'add', '26AT101', '--locator', 'JO59');
my $other_key = $service->admin('key', 'add', '26AT101', '--name', 'x', '--scope', 'READ');
my @odd = ("Name: Bob\nQTH: Paris\nMode: FT8\n\nrest", 'Mode: FT8', "QTH: x\nName: y",
    "<eor><call:3>AAA<eoh> 1 < 2 \x{20ac}", "a\r\nb\tc", '%41', 'x' x 2000);
my @qsos = (full_qso(), full_pmr_qso(), full_qso(qsoAt => '2026-05-17T19:42:33.007Z', dxLat => -33.8675123,
    dxLng => 180, splitKhz => 99999, qslVia => 'ECARD'),
    qso(), qso(frequencyMhz => '28.000', mode => 'DIGITAL'),
    qso(callsignWorked => "\x{c5}<a>%", operatorCallsign => "\x{e9}", rstSent => '5<9'),
    full_pmr_qso(callsignWorked => undef, channel => 16, mode => undef), qso(qsoStatus => 'HRD', notes => 'heard'),
    map { full_qso(mode => 'DIGITAL', notes => $_) } @odd);
ok !(grep { $_->{error} } @{$service->post_batch(\@qsos)->json->{results}}), 'all QSOs to export are accepted';

sub without { my (@names) = @_; my %left_out = map { $_ => 1 } @names;
    return map { my $qso = $_; { map { $_ => $qso->{$_} } grep { !$left_out{$_} } keys %$qso } } @_[0 .. -1] }
my @own = qw(id clientId createdAt syncedAt spottedAt crossConfirmedAt);
sub sorted {
    my ($json, @items) = (JSON::PP->new->canonical->utf8, @_);
    delete @$_{@own} for @items;
    return [sort map { $json->encode($_) } @items];
}
sub export {
    my ($status, $output, $errors) = $service->admin_try('export', @_);
    return { status => $status, output => $output, errors => $errors }
}
sub records { my ($adif) = @_; return scalar(() = $adif =~ /<EOR>/g) }

my $file = $service->directory . '/log.adi';
is_deeply export('21SD333', $file, '--heard'), { status => 0, output => 'exported ' . @qsos . "\n", errors => '' },
    'an export to a file prints the number of QSOs';
is sprintf('%o', (stat $file)[2] & 07777), '600', 'an exported file has mode 600';
my $report = import_adif($service, '26AT101', $file);
is_deeply [$report->{status}, $report->{counts}{imported}, $report->{details}], [0, scalar @qsos, ['new ids ' . @qsos]],
    "another member's import of the file adds every QSO, with new ids";
is_deeply sorted($service->download(key => $other_key)),
    sorted(map { { %$_, operatorCallsign => $_->{operatorCallsign} // '21SD333' } } $service->download),
    'the imported QSOs equal the exported QSOs, with added station callsigns';
is import_adif($service, '21SD333', $file)->{counts}{unchanged}, scalar @qsos,
    'importing an export into the exported log changes no QSO';
my $bytes = QSOsync::Front::read_file($file);
like $bytes, qr/\A[^<]+<ADIF_VER:5>3\.1\.6<PROGRAMID:7>QSOsync.*<CREATED_TIMESTAMP:15>\d{8} \d{6}.*<EOH>/,
    'the header names the program and the time';
like $bytes, qr/<BAND:3>11m<FREQ:6>27\.555/, '11 m is exported as BAND 11m';
like $bytes, qr/<FREQ:9>446\.09375.*<APP_QSOSYNC_CHANNEL:1>8/,
    'PMR446 is exported as frequency and channel, without BAND';
like $bytes, qr/<NOTES:6>a\r\nb c</, 'CR LF in a text remains one line end';
unlike $bytes, qr/<eor>/, 'no text contains an end-of-record tag';
is records($bytes), scalar @qsos, 'the file has one end-of-record tag per QSO';

# If another program edits an exported log, the edited values are imported.
(my $edited = $bytes) =~ s/<FREQ:6>28\.000/<FREQ:6>27.005/;
is import_adif($service, '21SD333', adif_file($service, $edited))->{counts}{updated}, 1,
    'a frequency edited in another program updates its QSO';
ok +(grep { ($_->{frequencyMhz} // '') eq '27.005' } $service->download), 'the log has the edited frequency';

# An export reports the QSOs that it omits.
my $plain = export('21SD333');
is records($plain->{output}), @qsos - 1, 'an export without a file is written to standard output';
is $plain->{errors}, 'exported ' . (@qsos - 1) . "\nleft out, only heard: 1\n",
    'QSOs that were only heard are omitted and counted';
is_deeply [map { records(export('21SD333', '-', '--heard', '--band', $_)->{output}) } qw(11m pmr446 PMR446)],
    [@qsos - 2, 2, 2], '--band exports only that band';
my $strict = export('21SD333', '--strict', '--heard');
is $strict->{errors}, "exported 5\nleft out, no callsign: 5\nleft out, no mode: 5\n",
    '--strict omits and counts QSOs that strict readers reject';
unlike $strict->{output}, qr/<BAND:3>11m/, '--strict does not write the band 11m, which ADIF lacks';
unlike $strict->{output}, qr/<(?!\w+_INTL)\w+:\d+>[^<]*[\x80-\xff]/,
    '--strict writes non-ASCII texts only in _INTL fields';
like $strict->{output}, qr/<NOTES_INTL:\d+>/, '--strict writes non-ASCII notes as NOTES_INTL';

my $since = $service->get('/logs?limit=1')->json->{serverTime};
$service->post_batch([qso(callsignWorked => 'NEW')]);
is_deeply [map { records(export('21SD333', '--since', $_)->{output}) } $since, '2999-01-01', '2020-01-01'],
    [1, 0, scalar @qsos], '--since exports only QSOs written since that time';

# An export can be a table (CSV).
my @lines = split /\r\n/, export('21SD333', '--format', 'csv', '--heard')->{output};
like $lines[0], qr/\AclientId,band,qsoAt,frequencyMhz,channel,/, 'the CSV header has the field names';
like $lines[1],
    qr/\A$qsos[0]{clientId},ELEVEN_METERS,2026-05-17T19:42:00\.000Z,27\.555,,.*,"Sporadic\ E,\ \xc3\xa5\xe2\x82\xac"
        ,President\ Lincoln\ II,/x,
    'a CSV row has the values of the API';

# Texts that a spreadsheet would calculate are marked as texts; numbers are not marked.
my $sheet = $service->add_member('30RC030');
my %cells = (callsignWorked => '=1+1', radio => '=HYPERLINK("http://x","y")', antenna => '@SUM(1)', notes => '+1+cmd|x',
    rstSent => '-08', rstReceived => '+5',
    splitKhz => -5, dxLat => -12.5, dxLng => -1, operatorCallsign => '-2+3', path => undef);
$service->post_batch([qso(%cells)], key => $sheet->{write_key});
my ($names, $values) = split /\r\n/, export('30RC030', '--format', 'csv')->{output};
my @cells = $values =~ /\G(?:^|,)("(?:[^"]|"")*"|[^,]*)/g;
my %cell_of = map { $_ => shift @cells } split /,/, $names;
is_deeply { map { $_ => $cell_of{$_} } keys %cells },
    { callsignWorked => "'=1+1", radio => '"\'=HYPERLINK(""http://x"",""y"")"', antenna => "'\@SUM(1)",
    notes => "'+1+cmd|x", rstSent => '-08', rstReceived => '+5', splitKhz => '-5', dxLat => '-12.5', dxLng => '-1',
    operatorCallsign => "'-2+3", path => '' }, 'CSV cells contain no formulas, and numbers are unchanged';
is export('30RC030')->{output} =~ /<CALL:4>=1\+1/, 1, 'an ADIF file contains texts that look like formulas unchanged';

# An export never overwrites the content of a file.
is_deeply [@{export('21SD333', $file)}{qw(status output)}], [1, ''], 'an export refuses to overwrite a file';
is QSOsync::Front::read_file($file), $bytes, 'a refused export keeps the existing file';
is export('21SD333', adif_file($service, ''))->{status}, 0, 'an export fills an existing empty file';
is export('21SD333', '/nowhere/x.adi')->{status}, 1, 'an export into a missing folder fails';
is export('21SD333', @$_)->{status}, 2, "'@$_' is wrong usage" for ['--since', 'yesterday'], ['--band', '20m'],
    ['--format', 'xml'], ['--format', 'xls'], ['--since', '2026-02-30'];
my $program = "$QSOsync::Front::BUILD/qsosync-admin";
isnt system("'$program' --db '@{[$service->db]}' export 21SD333 > /dev/full 2> /dev/null") >> 8, 0,
    'an export to a full disk fails';

done_testing;
