use QSOsync::Test fronts => 'nginx';
use QSOsync::Profile;
use utf8;

# The division of a callsign is found in all usual spellings. The service and the pages' JavaScript must find the
# division in t/data/divisions.tsv for each callsign.
my $service = QSOsync::Service->start(site => 1);
my $folder = $service->directory;
my $text = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/t/data/divisions.tsv");
utf8::decode($text) if !utf8::is_utf8($text);
my @cases = map { [split /\t/] } grep { !/\A#/ } split /\n/, $text;
cmp_ok scalar @cases, '>=', 500, 'there are at least 500 callsigns';
my %wanted = map { $_->[0] =~ s/\A\s+|\s+\z//gr => $_->[1] } @cases;

my $at = 1_767_225_600;
my @qsos = map { qso(callsignWorked => $_, qsoAt => iso_time($at++)) } sort keys %wanted;
while (my @batch = splice @qsos, 0, 200) {
    my $answer = $service->post_batch(\@batch)->json;
    is_deeply [grep { !$_->{ok} && $_->{error} } @{$answer->{results}}], [], 'the QSOs are saved';
}
my $me = QSOsync::Profile->log_in($service, '21SD333');
my (%said, $after);
do {
    my $page = $me->get('qsos?limit=200' . ($after ? "&after=$after" : ''))->json;
    $said{$page->{items}[$_]{callsignWorked}} = $page->{measures}[$_][0] // 0 for 0 .. $#{$page->{items}};
    $after = $page->{nextCursor};
} while $after;
is scalar(keys %said), scalar(keys %wanted), 'the log contains each callsign';
is_deeply [map { "$_ $said{$_}" } grep { $said{$_} != $wanted{$_} } sort keys %wanted], [],
    'the service finds the right division for each callsign';

SKIP: {
    skip 'needs node', 2 if system('node --version >/dev/null 2>&1') != 0;
    QSOsync::Front::write_file("$folder/cases.json", JSON::PP->new->utf8->encode([sort keys %wanted]));
    my $module = "$QSOsync::Front::BUILD/pages/callsigns.js";
    my $status = system('node', '--input-type=module', '-e', <<'END', $module, $folder);
import { readFileSync, writeFileSync } from "node:fs";
const [module, folder] = process.argv.slice(1);
const { numberOf } = await import(module);
const cases = JSON.parse(readFileSync(`${folder}/cases.json`, "utf8"));
const said = cases.map((callsign) => Number(numberOf(callsign) ?? 0));
writeFileSync(`${folder}/said.json`, JSON.stringify(said));
END
    is $status, 0, 'the JavaScript module runs';
    my $app = JSON::PP::decode_json(QSOsync::Front::read_file("$folder/said.json"));
    my @callsigns = sort keys %wanted;
    is_deeply [map { "$callsigns[$_] $app->[$_]" } grep { $app->[$_] != $wanted{$callsigns[$_]} }
            0 .. $#callsigns], [],
        'the JavaScript module finds the right division for each callsign';
}
$service->stop;

done_testing;
