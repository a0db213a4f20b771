use QSOsync::Test fronts => 'none', suite => 'all';
use QSOsync::Kit;
use QSOsync::Profile;
use Encode ();

# A member downloads the log as a workbook (XLSX), edits it in a spreadsheet program, and reads it on the page Import.
my $service = QSOsync::Service->start(site => 1);
my $me = QSOsync::Profile->log_in($service, '21SD333');
my @qsos = (full_qso(callsignWorked => '14E10', notes => "J\x{fc}rgen <&> \"x\"\nsecond line ]]>"),
    qso(callsignWorked => '26AT101', frequencyMhz => '27.560', radio => '=HYPERLINK("http://x","y")',
    notes => '+1+cmd|x', rstSent => '059', splitKhz => -5, dxLat => -12.5, dxLng => 7),
    full_pmr_qso(callsignWorked => '13RC1', antenna => 'two  spaces'),
    qso(callsignWorked => '26AT6', qsoAt => '2026-05-17T19:42:11.123Z', frequencyMhz => '26.965', mode => 'DIGITAL',
    qslReceived => JSON::PP::true()));
$service->post_batch([@qsos]);
my $workbook = $me->get('export.xlsx');
is_deeply [$workbook->status, map { $workbook->header($_) } qw(Content-Type Content-Disposition)],
    [200, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'attachment; filename="qsosync.xlsx"'],
    'the log can be downloaded as a workbook';
is $me->request('HEAD', 'export.xlsx')->body, '', 'HEAD sends no workbook';
unlike $workbook->body, qr/<f[ >]/, 'a workbook has no formulas';
like $workbook->body, qr{ s="1" t="inlineStr"><is><t xml:space="preserve">=HYPERLINK\(&quot;http://x},
    'a text that looks like a formula is a text';
like $workbook->body, qr{<xf numFmtId="49"[^>]*quotePrefix="1"}, 'a text stays a text if it is edited';
like $workbook->body, qr{<c r="L3" s="0"><v>-12\.5</v></c>}, 'a number is a number';
my $one = $me->get('export.xlsx?callsign=26AT101')->body;
is_deeply [scalar(() = $workbook->body =~ /<row /g), scalar(() = $one =~ /<row /g)], [5, 2],
    'a workbook contains the QSOs of the filter, below the names of the fields';
my $folder = $service->directory;
QSOsync::Front::write_file("$folder/log.xlsx", $workbook->body);
is QSOsync::Front::read_file("$folder/log.xlsx"),
    $service->admin('export', '21SD333', '--heard', '--format', 'xlsx'),
    "the operator's command writes the same workbook";

SKIP: {
    skip 'node is not installed', 3 if system('node --version >/dev/null 2>&1') != 0;
    QSOsync::Front::write_file("$folder/package.json", '{ "type": "module" }');
    QSOsync::Front::write_file("$folder/read.js", <<"END");
import { readFileSync, writeFileSync } from "node:fs";
const pages = "$QSOsync::Front::BUILD/pages";
const { readBook } = await import(`\${pages}/sheet-book.js`);
const { recognise } = await import(`\${pages}/sheet-columns.js`);
const { questionsOf } = await import(`\${pages}/sheet-questions.js`);
const { formatRecords, readRecords } = await import(`\${pages}/sheet-records.js`);
const { inSteps } = await import(`\${pages}/sheet-rows.js`);
const { survey } = await import(`\${pages}/sheet-survey.js`);
const [sheet] = await readBook(new Uint8Array(readFileSync(process.argv[2])));
const table = recognise(sheet);
const facts = await inSteps(survey(table, Date.now()));
const questions = questionsOf(table, facts, {}, { zone: "Europe/Berlin", now: Date.now() });
const answers = Object.fromEntries(questions.map(({ id, chosen }) => [id, chosen]));
const { records, remarks } = await inSteps(readRecords(table, facts, answers));
const open = questions.filter(({ chosen }) => chosen === null);
writeFileSync(process.argv[3], formatRecords(records).bytes);
console.log(JSON.stringify({ rows: sheet.rows, open, remarks }));
END

    # The rows of a workbook, as the page reads them. With a rule, the workbook's records are imported, and the rule is
    # about the changed values.
    my $rows_of = sub {
        my ($path, $rule, @changes) = @_;
        my ($status, $output) = QSOsync::Kit::run("$folder/read.log", {}, 'node', "$folder/read.js", $path,
            "$folder/records.adi");
        is $status, 0, 'the page reads the workbook' or diag $output;
        my $read = JSON::PP->new->utf8->decode($output);
        is_deeply [@$read{qw(open remarks)}], [[], []], 'the page asks nothing about the workbook';
        my $adif = Encode::decode('UTF-8', QSOsync::Front::read_file("$folder/records.adi"));
        my $report = $me->post('import', { adif => $adif })->json;
        is_deeply [@$report{qw(imported updated unchanged)}], [0, scalar @changes, @qsos - @changes], $rule;
        return $read->{rows};
    };
    my $rows = $rows_of->("$folder/log.xlsx", 'importing an export changes nothing');
    my $table = Encode::decode('UTF-8', $me->get('export.csv')->body);
    my @cells = $table =~ /\G("(?:[^"]|"")*"|[^,\r\n]*)(?:,|\r\n)/g;
    my $width = @{$rows->[0]};
    my @expected;
    while (my @row = splice @cells, 0, $width) {
        push @expected, [map { s/\A"(.*)"\z/$1/sr =~ s/""/"/gr =~ s/\A'(?=[=+\-@])//r } @row];
    }
    for (@$rows, @expected) {
        $_->[3] =~ s/0+\z//; # a number has no zeros at its end
        pop @$_ while @$_ && $_->[-1] eq '';
    }
    is_deeply $rows, \@expected, 'the page reads each value that the table contains';

    # LibreOffice edits two cells: it converts the workbook to a text, and the edited text to a workbook.
    skip 'LibreOffice is not installed', 1 if system('command -v soffice >/dev/null 2>&1') != 0;
    my $convert = sub { system("cd '$folder' && HOME='$folder' soffice --headless --convert-to $_[1] $_[0] "
        . '>/dev/null 2>&1') };
    $convert->('log.xlsx', 'fods');
    my $text = QSOsync::Front::read_file("$folder/log.fods");
    is $text =~ s{<text:p>059</text:p>}{<text:p>057</text:p>} + $text =~ s{>Sporadic E, }{>Aurora, }, 2,
        'two cells are edited'
        or diag $text;
    QSOsync::Front::write_file("$folder/edited.fods", $text);
    $convert->('edited.fods', 'xlsx');
    skip 'this version of node cannot unpack ZIP files as browsers do', 1
        if system(q{node -e 'new DecompressionStream("deflate-raw")' 2>/dev/null}) != 0;
    $rows_of->("$folder/edited.xlsx", 'after LibreOffice has edited two cells, the import corrects two QSOs', 1, 2);
    my %now = map { $_->{callsignWorked} => $_ } $service->download;
    is_deeply [$now{'26AT101'}{rstSent}, $now{'13RC1'}{notes}], ['057', "Aurora, \x{e5}\x{20ac}"],
        'the corrections are those of the two cells';
}

done_testing;
