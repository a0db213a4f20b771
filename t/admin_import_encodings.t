use QSOsync::Test fronts => 'none';
use Encode ();
use QSOsync::Adif;
use QSOsync::Kit;

# An import decodes files in encodings other than UTF-8. The encoding is named in the file, found from the file's
# content, or given by the operator. The client kit and the command decode each file alike.
my $service = QSOsync::Service->start;
my $folder = QSOsync::Kit::client('qsosync.py') =~ s{/[^/]+\z}{}r;
my $program = $service->directory . '/read.py';
QSOsync::Front::write_file($program, <<"END");
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, "$folder")
from qsosync import Refused, decoder, find_encoding, read_records, unfold
given = sys.argv[2] if len(sys.argv) > 2 else None
try:
    data = unfold(open(sys.argv[1], "rb").read(), given)
    decode = decoder(find_encoding(data, given, "21SD333"))
    print("; ".join(fields["QTH"] for _, fields, _ in read_records(data, decode=decode)
                    if "QTH" in fields))
except Refused as reason:
    print("refused:", reason)
END
my $minute = 1000;
sub record_of { my ($qth, %fields) = @_;
    return adif_record(QSO_DATE => '20260517', TIME_ON => ++$minute, CALL => "26AT$minute", BAND => '11m',
        length $qth ? (QTH => $qth) : (), %fields) }
sub file_of { return adif_file($service, @_) }
sub known { return { map { $_->{clientId} => 1 } $service->download } }

# Returns the command's result for a file: the towns (QTH) of the new QSOs, or the reason for refusing the file.
sub imported {
    my ($file, @options) = @_;
    my $before = known();
    my ($status, undef, $errors) = $service->admin_try('import', '21SD333', $file, @options);
    my @new = sort { $a->{qsoAt} cmp $b->{qsoAt} } grep { !$before->{$_->{clientId}} } $service->download;
    return $errors =~ s/\Aqsosync-admin: \S+ /refused: /r if $status;
    my @places = map { $_->{notes} ? $_->{notes} =~ s/\AQTH: //r : () } @new;
    return join('; ', @places) . "\n";
}
sub kit_reads {
    my ($file, @options) = @_;
    my $log = $service->directory . '/python.log';
    QSOsync::Kit::run($log, {}, 'python3', $program, $file, @options ? $options[1] : ());
    return Encode::decode('UTF-8', QSOsync::Front::read_file($log)) =~ s/refused: the file /refused: /r;
}
sub is_read {
    my ($rule, $file, $expected, @options) = @_;
    is Encode::decode('UTF-8', Encode::is_utf8($_->[1]) ? Encode::encode('UTF-8', $_->[1]) : $_->[1]), "$expected\n",
        "$rule: $_->[0]" for ['the command', imported($file, @options)], ['the kit', kit_reads($file, @options)];
}

my $refused = 'refused: is not in UTF-8 and does not name its encoding; specify it with --encoding';
is_read('possible encodings are listed with a sample', file_of(record_of("K\xf6ln")),
    "$refused: CP1250 (\"K\x{f6}ln\"), "
    . "CP1251 (\"K\x{446}ln\"), CP1252 (\"K\x{f6}ln\"), CP1253 (\"K\x{3c6}ln\"), CP850 (\"K\x{f7}ln\"), "
    . "KOI8-R (\"K\x{416}ln\")");
is_read('an encoding that cannot decode the file is not listed',
    file_of(record_of("K\xf6ln"), record_of("\x81"), record_of("\xc5 x")),
    "$refused: CP1251 (\"K\x{446}ln\")");
is_read('the refusal lists no encoding if none can decode the file',
    file_of(record_of("\x81\x98\xb0")), $refused);
is_read('--encoding states the encoding of the file',
    file_of(record_of("K\xf6ln")), "K\x{446}ln", '--encoding', 'CP1251');
is_read('--encoding accepts further encodings, such as ISO 8859-2', file_of(record_of("\xa1")), "\x{104}", '--encoding',
    'iso-8859-2');
is_read('a text in UTF-8 is read as UTF-8, whatever encoding --encoding names',
    file_of(record_of("K\xc3\xb6ln"), record_of("K\xf6ln")), "K\x{f6}ln; K\x{f6}ln", '--encoding', 'cp1252');
is_read('a field in the header names the encoding', file_of("x <ENCODING:12>windows-1251 <EOH>", record_of("K\xf6ln")),
    "K\x{446}ln");
is_read('an application field in the header names the encoding',
    file_of("x <APP_X_CHARSET:6:S>KOI8-R <EOH>", record_of("K\xf6ln")),
    "K\x{416}ln");
is_read('a line in the header names the encoding',
    file_of("Log of X\nEncoding: Windows-1253\n<EOH>", record_of("K\xf6ln")),
    "K\x{3c6}ln");
is_read('ISO 8859-1 is read as Windows-1252', file_of("charset=\"ISO-8859-1\"<EOH>", record_of("K\xf6ln \x80")),
    "K\x{f6}ln \x{20ac}");
is_read('a wrong encoding in the header is ignored', file_of("no encoding specified <ENCODING:5>UTF-8<EOH>",
    record_of("\x81\x98\xb0")), $refused);
is_read('the encoding is found from an _INTL field', file_of(record_of("\xcc\xee\xf1\xea\xe2\xe0", QTH_INTL =>
    "\xd0\x9c\xd0\xbe\xd1\x81\xd0\xba\xd0\xb2\xd0\xb0"), record_of("K\xf6ln")),
    "\x{41c}\x{43e}\x{441}\x{43a}\x{432}\x{430}; K\x{446}ln");
for my $form ('UTF-16LE', 'UTF-16BE') {
    for my $mark ('', "\x{feff}") {
        my $text = Encode::decode('UTF-8', record_of("K\xc3\xb6ln") . record_of("\xd0\x9c"));
        is_read("$form is read" . ($mark ? ' with a byte order mark' : ''),
            file_of(Encode::encode($form, "${mark}x<EOH>\n$text")),
            "K\x{f6}ln; \x{41c}");
    }
}
is_read('records on other bands can have any encoding', file_of(record_of('', FREQ => '27.555'),
    adif_record(QSO_DATE => '20260517', TIME_ON => '1942', BAND => '20m', NAME => "K\xf6ln")), '');

my $report = import_adif($service, '21SD333', file_of(adif_record(QSO_DATE => '20260518', TIME_ON => '1942',
    CALL => 'ODD', BAND => '11m', QTH => "\x81", NAME => "K\xf6ln")), '--encoding', 'cp1252');
is_deeply [$report->{status}, $report->{details}],
    [0, ['left out: line 1, record 1: QTH is not in the encoding of the file']],
    "a value that is invalid in the file's encoding is omitted and reported";
is +(grep { ($_->{callsignWorked} // '') eq 'ODD' } $service->download)[0]{notes}, "Name: K\x{f6}ln",
    'the other values of a record with an undecodable value are read';
my ($status, undef, $errors) = $service->admin_try('import', '21SD333', file_of(record_of('x')), '--encoding',
    'KLINGON');
is_deeply [$status, $errors], [1, 'qsosync-admin: the encoding KLINGON is not supported; '
    . "\"iconv -l\" lists the supported encodings\n"], 'an unknown encoding is refused';

done_testing;
