use QSOsync::Test fronts => 'nginx', suite => 'all';
use QSOsync::Adif;
use QSOsync::Kit;

# For any file, qsosync.py push gives the same log as the operator's import. QSOSYNC_TEST_SEED selects other files, and
# QSOSYNC_TEST_ROUNDS sets the number of files.
my $seed = $ENV{QSOSYNC_TEST_SEED} || 1;
srand $seed;
my ($imported, $pushed) = map { QSOsync::Service->start } 1 .. 2;
sub one_of { return $_[rand @_] }
sub maybe { my ($chance, @fields) = @_; return rand() < $chance ? @fields : () }

# These pieces of text make lengths and encodings difficult: several encodings, line ends, tags, records.
my @pieces = ('a', 'Bob', ' ', '  ', "\xc3\xa4", "\xf0\x9f\x98\x80", "\xe4", "\x80", "\x81", "\xc3", "\r\n", "\n", "\r",
    "\t", '<', '<b', '<x:1>y', '<call:6>N0CALL',
    '<eor>', '<EOR>', '<eoh>', '//', ';', '%41', '<>', '>', ':', "\0", 'Name: x', "Mode: FT8\n", "\xe2\x80\x83");
sub soup { my ($most) = @_; return join '', map { one_of(@pieces) } 1 .. rand $most }

# In some records, the length in a tag can differ from the number of bytes.
my $odd;
sub field {
    my ($name, $value) = @_;
    return "<$name:" . length($value) . ">$value " if !$odd;
    my $length = length $value;
    $length = () = $value =~ /[^\x80-\xbf]/g if rand() < 0.1;
    $length += one_of(-1, 1, 2, 5, 40) if rand() < 0.03;
    $length = one_of('', 'x', '-3', '99999999', " $length ", "0$length") if rand() < 0.02;
    $name = one_of($name, lc $name, ucfirst lc $name);
    return "<$name:$length" . one_of('', '', '', ':S') . ">$value" . one_of('', ' ', "\n", "\r\n", ' // comment ',
        '//comment ', ('') x 9, 'x');
}
sub random_record {
    $odd = rand() < 0.3;
    my @fields;
    # Some records have a clientId, and a callsign that only records with this clientId have.
    my $own = rand() < 0.1 ? int rand 9 : undef;
    my $station = int rand 40;
    my @pairs = (QSO_DATE => one_of(('20260517') x 8, '20260230', '2026', ''),
        TIME_ON => one_of('1942', '194200', '194233', '1943', '2359', '19:42'),
        maybe(defined $own ? 1 : 0.9, CALL => defined $own ? "19OWN$own" : one_of(
            ("26AT$station", "26-at-$station", "26 AT $station", "161SD$station/P") x 5, "\xc5", 'x' x 21, '')),
        maybe(0.6, BAND => one_of('11m', '11M', '11m', '10m', '70cm', 'x')),
        maybe(0.8, FREQ => one_of('27.555', '27.2665', '27,5', '28.000', '26', '28.0001',
            '446.00625', '446.006', '446.1', '0', 'x', '-1', '+27.1')),
            maybe(0.3, FREQ_RX => one_of('27.560', '27.555', '14', 'x', '446.00625')),
        maybe(0.7, MODE => one_of(qw(SSB USB FM FT8 ft4 MFSK PSK DATA DIGITAL XYZ CW))),
        maybe(0.3, SUBMODE => one_of(qw(USB lsb FT4 JS8 PCW PSK31 x))),
        maybe(0.5, STATION_CALLSIGN => one_of('21SD333', '21sd333', '21-SD-333', 'OTHER')),
        maybe(0.3, OPERATOR => one_of('21SD333', 'Bob')),
        maybe(0.5, GRIDSQUARE => one_of('JO59', 'jo59JW', 'JO59jw12', 'JO', 'x')),
        maybe(0.3, LAT => one_of('N048 08.800', 'N000 00.000', 'S000 00.0', 's48 8', 'N091 00.000', 'N048 60.0', 'x')),
        maybe(0.3, LON => one_of('E002 21.130', 'E000 00.000', 'W000 00.0004', 'W180 00.000', 'E181 00')),
        maybe(0.3, TX_PWR => one_of('12', '4.5', '-1', '1e3', '100001', '0,5')),
        maybe(0.2, ANT_PATH => one_of('S', 'l', 'G')), maybe(0.3, QSL_SENT => one_of('Y', 'n', 'Q', 'x')),
        maybe(0.3, QSL_RCVD => one_of('Y', 'V', 'I', '')), maybe(0.2, QSL_SENT_VIA => one_of('D', 'b', 'E', 'M')),
        maybe(0.2, EQSL_QSL_SENT => one_of('Y', 'y', 'N')), maybe(0.1, SRX => '9'),
        maybe(0.3, RST_SENT => one_of('59', '+03', '599', 'x' x 11)),
        maybe(0.2, STX => one_of('12', '007', '0', '1234567')),
        maybe(0.2, STX_STRING => one_of('007', 'A7', 'DL', '12')),
        maybe(0.3, NAME => soup(3)), maybe(0.2, NAME_INTL => soup(3)), maybe(0.2, QTH => soup(3)),
        maybe(0.5, NOTES => soup(7)), maybe(0.4, COMMENT => soup(7)), maybe(0.1, COMMENT => 'x' x 1990),
        maybe(0.2, MY_RIG => soup(4)), maybe(0.1, MY_ANTENNA_INTL => soup(4)), maybe(0.2, CNTY => soup(4)),
        maybe(0.1, APP_QSOSYNC_MODE => one_of('DIGITAL', 'USB', 'x', '')),
        maybe(0.1, APP_QSOSYNC_NOTES => one_of('%41', soup(3))),
        maybe(0.1, APP_QSOSYNC_CHANNEL => one_of(1, 17, '+1', '01', '1 ', '1_0')),
        maybe(0.1, APP_QSOSYNC_BAND => one_of('PMR446', 'ELEVEN_METERS')),
        defined $own ? (APP_QSOSYNC_CLIENT_ID => sprintf '00000000-0000-4000-8000-%012d', $own) : (),
        maybe(0.1, APP_QSOSYNC_SPLIT_KHZ => one_of(5, -5, '', '+5', ' 5', '-05')));
    push @fields, [splice @pairs, 0, 2] while @pairs;
    @fields = map { $_->[1] } sort { $a->[0] <=> $b->[0] } map { [rand, $_] } @fields if rand() < 0.3;
    return join('', map { field(@$_) } @fields) . one_of('<EOR>', '<eor>', '<eor>') . one_of('', "\n", "\r\n")
        . one_of(('') x 40, "<EOF>\n");
}
# Returns the sorted contents of QSOs, without the random clientIds that the service creates. The test's own clientIds
# begin with zeros.
my $json = JSON::PP->new->canonical;
sub contents {
    my (@qsos) = @_;
    delete @{$_}{qw(id createdAt syncedAt crossConfirmedAt)} for @qsos;
    $_->{clientId} =~ s/\A(?!00000000-).*//s for @qsos;
    return [sort map { $json->encode($_) } @qsos];
}
sub push_file {
    my ($path) = @_;
    my (undef, $output) = QSOsync::Kit::run($pushed->directory . '/client.log', QSOsync::Kit::environment($pushed),
        'python3',
        QSOsync::Kit::client('qsosync.py'), 'push', $path, '--encoding', 'cp1252');
    return { $output =~ /^(imported|updated|unchanged|repeated|rejected|other bands) (\d+)$/mg };
}

my $rounds = $ENV{QSOSYNC_TEST_ROUNDS} || 4;
for my $round (1 .. $rounds) {
    my @records = map { random_record() } 1 .. 250;
    my $header = one_of('<PROGRAMID:3>RND<EOH>', "by hand\n<ADIF_VER:5>3.1.6\n<ProgramId:3>RND<EOH>\n",
        "\xef\xbb\xbfhead<programid:3>RND<eoh>", "\n\n<PROGRAMID:3:S>RND\n<EOH>");
    my $path = adif_file($imported, $header, @records);
    my $counts = import_adif($imported, '21SD333', $path, '--encoding', 'cp1252')->{counts};
    my $sent = push_file($path);
    # Only an import stores fields without a place in a QSO, so updated and unchanged QSOs are counted together.
    $_->{known} = delete($_->{updated}) + delete($_->{unchanged}) for $counts, $sent;
    is_deeply $sent, $counts, "a push gives the counts of an import ($round)";
    is_deeply contents($pushed->download), contents($imported->download),
        "a push saves the same QSOs as an import ($round)"
        or last;
}

done_testing;
