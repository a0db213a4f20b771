use QSOsync::Test fronts => 'nginx', suite => 'all';
use QSOsync::Kit;
use QSOsync::Proxy;
use File::Copy qw(copy);

# A program with qsosync.js keeps a read-only copy of the log, as a page would. The program runs under node.
plan skip_all => 'node is not installed' if system('node --version >/dev/null 2>&1') != 0;
my $json = JSON::PP->new->utf8->canonical;
my $service = QSOsync::Service->start;
my $folder = $service->directory;
copy(QSOsync::Kit::client('qsosync.js'), "$folder/qsosync.mjs") or die $!; # node reads .mjs files as modules
QSOsync::Front::write_file("$folder/page.mjs", <<'END');
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { listQsos, openLog, synchronise } from "./qsosync.mjs";
const key = readFileSync(process.env.QSOSYNC_KEY_FILE, "utf8").trim();
try {
  const log = await openLog(process.env.QSOSYNC_URL, key);
  const stored = existsSync(process.argv[2]) ? JSON.parse(readFileSync(process.argv[2], "utf8")) : null;
  const copy = await synchronise(log, stored);
  writeFileSync(process.argv[2], JSON.stringify(copy));
  console.log(listQsos(copy).map((qso) => qso.qsoAt).join(" "));
} catch (error) {
  console.log(`${error.name}: ${error.message}`);
  process.exitCode = 1;
}
END

sub page {
    my (%option) = @_;
    return QSOsync::Kit::run("$folder/page.log", QSOsync::Kit::environment($service, key => $service->read_key,
        %option), 'node',
        "$folder/page.mjs", "$folder/copy.json");
}
sub stored { $json->decode(QSOsync::Front::read_file("$folder/copy.json")) }
sub is_in_step {
    my ($rule, %option) = @_;
    my ($status, $output) = page(%option);
    is $status, 0, "a synchronisation succeeds: $rule" or diag $output;
    is_deeply stored()->{items}, { map { $_->{clientId} => $_ } $service->download }, "$rule: the copy equals the log";
    return $output;
}

my @stored = map { full_qso(notes => "Nr $_", qsoAt => sprintf '2026-05-17T%02d:%02d:00.000Z', $_ / 60, $_ % 60) }
    1 .. 510;
$service->post_batch([splice @{[@stored]}, $_ * 200, 200]) for 0 .. 2;
my $list = is_in_step 'the first download fetches all pages';
is $list, join(' ', map { $_->{qsoAt} } reverse @stored) . "\n", 'the newest QSO is listed first';
$service->post_batch([{ %{$stored[3]}, notes => 'changed' }, full_pmr_qso()]);
$service->delete_qso($stored[5]{clientId});
is_in_step 'changes and deletions are downloaded';
QSOsync::Kit::test_deletions($service, sub {
    is_in_step($_[0], url => $_[1]);
}, map { $_->{clientId} } @stored[500 .. 509]);
my %fate = (1 => 'limited', 2 => 'cut', 4 => 'limited', 5 => 'broken', 7 => 'lost');
my $proxy = QSOsync::FaultyProxy->start($service, sub { $fate{$_[0]} || 'pass' });
$service->post_batch([qso()]);
is_in_step 'limits, errors and broken connections', url => $proxy->url;
my @journal = $proxy->journal;
for my $place (grep { $journal[$_]{fate} eq 'limited' } 0 .. $#journal) {
    cmp_ok $journal[$place + 1]{time} - $journal[$place]{time}, '>=', 0.99, 'the page obeys Retry-After';
}
is join(' ', grep { $_ ne 'GET' } map { $_->{method} } @journal), '', 'the read-only copy sends no write';
my $before = QSOsync::Front::read_file("$folder/copy.json");
$proxy = QSOsync::FaultyProxy->start($service, sub { $_[0] > 1 ? 'broken' : 'pass' });
is + (page(url => $proxy->url))[0], 1, 'a failing service is reported as an error';
is QSOsync::Front::read_file("$folder/copy.json"), $before, 'a failing service leaves the copy unchanged';
like +(page(key => $service->write_key))[1], qr/must hold a READ key only/, 'the read-only copy refuses a WRITE key';
like +(page(key => 'qsosync_wrong'))[1], qr/401 API_KEYS\.INVALID/, 'a wrong key is reported as an error';

my $backup = "$folder/backup.db";
$service->admin('backup', $backup);
$service->post_batch([my $after = full_qso(), { %{$stored[20]}, notes => 'changed after the backup' }]);
is_in_step 'before the restore, the copy is up to date';
$service->admin('restore', $backup);
is_in_step 'after a restore, the whole log is downloaded';
is join(' ', sort keys %{stored()->{lost}}), join(' ', sort $after->{clientId}, $stored[20]{clientId}),
    'QSOs that a restore lost are kept';
$service->post_batch([$after, $stored[20]]);
is_in_step 'a lost QSO sent again by another program is downloaded';
is_deeply stored()->{lost}, {}, 'a QSO sent again is no longer listed as lost';
$service->stop;

done_testing;
