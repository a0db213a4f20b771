use QSOsync::Test fronts => 'nginx';
use QSOsync::Adif;
use QSOsync::Kit;

# The profile reads a file in the browser, the operator's import reads it itself: both find the same texts.
use File::Copy qw(copy);
plan skip_all => 'node is not there' if system('node --version >/dev/null 2>&1') != 0;
my $service = QSOsync::Service->start;
$service->add_member('26AT101');
my $folder = $service->directory;
copy("$QSOsync::Front::SOURCE/src/pages/log/adif-slices.js", "$folder/slices.mjs") or die $!;
QSOsync::Front::write_file("$folder/decode.mjs", <<'END');
import { readFileSync, writeFileSync } from "node:fs";
import { decodeAdif, sliceAdif } from "./slices.mjs";
const bytes = readFileSync(process.argv[2]);
const text = decodeAdif(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
writeFileSync(process.argv[3], sliceAdif(text).map((slice) => slice.text).join(""));
END

# A text in each encoding, in two at once, and without any; the lengths count bytes.
my @notes = ("K\xc3\xb6ln", "K\xf6ln", "K\xc3\xb6ln K\xf6ln \xe2\x82\xac \x80", "\x81\xc3", "\xed\xa0\x80x",
    "\xf0\x9f\x98\x80\xe4", 'plain', "\xe4" x 300);
my @records = map { adif_record(CALL => "26AT$_", QSO_DATE => '20260517', TIME_ON => '1942', BAND => '11m',
    NOTES => $notes[$_],
    MY_RIG => "\xe4\xc3\xa4") } 0 .. $#notes;
my $file = adif_file($service, "log of K\xf6ln\n<EOH>\n", @records);
is + (QSOsync::Kit::run("$folder/node.log", {}, 'node', "$folder/decode.mjs", $file, "$folder/decoded.adi"))[0], 0,
    'the page reads the file'
    or diag QSOsync::Front::read_file("$folder/node.log");
is import_adif($service, '21SD333', $file)->{counts}{imported}, @notes, 'the command imports each record';
is import_adif($service, '26AT101', "$folder/decoded.adi")->{counts}{imported}, @notes,
    'what the page makes of the file has each record';
my $texts = 'SELECT group_concat(hex(notes) || hex(radio)) FROM (
    SELECT q.* FROM qsos q JOIN members m ON m.id = q.member_id
    WHERE m.callsign = %s ORDER BY callsign_worked)';
my ($command, $page) = map { $service->sqlite(sprintf $texts, "'$_'") } '21SD333', '26AT101';
ok length $command, 'there are texts';
is $page, $command, 'texts in several encodings are the same by the command and in the page';

done_testing;
