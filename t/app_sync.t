use QSOsync::Test fronts => 'nginx', slow => 12;
use QSOsync::Kit;
use QSOsync::Proxy;
use File::Copy qw(copy);

# The synchronisation code of the app and of the client kit runs under node. Devices write to one log offline and
# synchronise with the real service, even if requests fail, answers are lost, or the log is restored.
plan skip_all => 'node is not installed' if system('node --version >/dev/null 2>&1') != 0;
my $json = JSON::PP->new->utf8->canonical;
my $service = QSOsync::Service->start;
my $folder = $service->directory;
copy(QSOsync::Kit::client($_), "$folder/$_") or die "$_: $!"
    for map { "qsosync$_.js" } '', qw(-changes -fields -outbox -storage -sync);
QSOsync::Front::write_file("$folder/package.json", '{"type":"module"}');
QSOsync::Front::write_file("$folder/device.js", <<'END');
// device.js FILE COMMANDS: runs the commands on the device whose records are in FILE. Prints outcomes and records.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Log } from "./qsosync.js";
import { LocalLog, readOutbox } from "./qsosync-sync.js";
import { MemoryStorage } from "./qsosync-storage.js";
const [file, commands] = process.argv.slice(2);
const storage = new MemoryStorage();
const log = new LocalLog(storage);
const line = new Log(process.env.QSOSYNC_URL, readFileSync(process.env.QSOSYNC_KEY_FILE, "utf8").trim());
const all = (store) => storage.change((records) => records.after(store, "", Infinity));
if (existsSync(file))
  for (const [store, records] of Object.entries(JSON.parse(readFileSync(file, "utf8"))))
    await storage.change(async ({ put }) => { for (const record of records) await put(store, record); });
const said = [];
for (const [command, ...values] of JSON.parse(commands))
  if (command === "sync")
    for (let pass = 0; pass < 40; pass++) {
      const outcome = await log.synchronise(line);
      said.push(outcome);
      if (outcome === "done" || outcome === "no key" || values[0] === "once") break;
      if (outcome === "limited") await new Promise((done) => setTimeout(done, 1000 * log.trouble.waitSeconds));
    }
  else await log[command](...values);
const [state, qsos, outbox] = [await all("state"), await all("qsos"), await readOutbox(storage)];
writeFileSync(file, JSON.stringify({ state, qsos, outbox }));
console.log(JSON.stringify({ said, qsos: qsos.map(({ qso }) => qso), outbox }));
END

sub device {
    my ($name, $commands, %option) = @_;
    my ($status, $output) = QSOsync::Kit::run("$folder/$name.log", QSOsync::Kit::environment($service, %option), 'node',
        "$folder/device.js", "$folder/$name.json", $json->encode($commands));
    is $status, 0, "$name runs its commands" or diag $output;
    return $json->decode($output);
}
sub by_id { return { map { $_->{clientId} => $_ } @_ } }
sub is_in_step {
    my ($rule, @names) = @_;
    for my $name (@names) {
        my $has = device($name, [['sync']]);
        is_deeply by_id(@{$has->{qsos}}), by_id($service->download), "$rule: $name has the log";
        is_deeply $has->{outbox}, [], "$rule: the outbox of $name is empty";
    }
}
my @qsos = map { full_qso(notes => "Nr $_") } 1 .. 250;
my %fate = (2 => 'cut', 3 => 'limited', 4 => 'broken', 5 => 'lost', 7 => 'cut', 9 => 'cut');
my $proxy = QSOsync::FaultyProxy->start($service, sub { $fate{$_[0]} || 'pass' });
my $has = device('telephone', [map({ ['save', $_] } @qsos), ['sync']], url => $proxy->url);
is $has->{said}[-1], 'done', 'a device syncs despite faults of all kinds' or diag "@{$has->{said}}";
like "@{$has->{said}}", qr/no answer.*limited/,
    'a lost answer and the rate limit each end a pass, and a later pass continues';
is_in_step 'QSOs logged offline', 'telephone', 'tablet';
is $service->sqlite('SELECT count(*) FROM qsos'), 250, 'each QSO is stored once';
is_deeply [grep { my $qso = $_; grep { ($qso->{$_} // '') ne ($qsos[0]{$_} // '') } qw(myLocator radio dxLocator) }
    $service->download], [], 'the locators and the radio of the QSOs are stored';

# Devices exchange changes and deletions, and report rejected QSOs.
my ($mine, $theirs, $deleted) = @qsos[0 .. 2];
device('telephone', [['save', { %$mine, notes => 'changed' }], ['delete', $deleted->{clientId}],
    ['save', { %$theirs, notes => 'telephone' }]]);
device('tablet', [['save', { %$theirs, notes => 'tablet' }], ['sync']]);
$has = device('telephone', [['sync']]);
is_deeply [map { [@$_{qw(state key)}, $_->{theirs}{notes}] } @{$has->{outbox}}],
    [['conflict', $theirs->{clientId}, 'tablet']],
    'only a QSO changed on two devices waits until the member chooses a version';
is $service->sqlite('SELECT count(*) FROM qsos'), 249, 'a deletion is sent despite a conflict';
device('telephone', [['resolve', $theirs->{clientId}, 'mine'], ['sync']]);
is_in_step 'after the member has chosen', 'telephone', 'tablet';
is by_id($service->download)->{$theirs->{clientId}}{notes}, 'telephone', "the version that the member chose is stored";
my $wrong = qso(frequencyMhz => '29.000');
$has = device('tablet', [['save', $wrong], ['sync'], ['sync']]);
is_deeply [map { @$_{qw(state error)} } @{$has->{outbox}}], ['refused', 'FREQUENCY_OUT_OF_BAND_11M'],
    'a rejected QSO stays in the outbox with the reason';
device('tablet', [['save', { %$wrong, frequencyMhz => '27.555' }]]);
is_in_step 'a corrected QSO', 'tablet', 'telephone';
my $other = $service->add_member('1AT100');
$service->post_batch([my $foreign = qso()], key => $other->{write_key});
device('tablet', [['save', { %$foreign, notes => 'ours' }]]);
is_in_step "a QSO with another member's id", 'tablet', 'telephone';
is scalar(grep { ($_->{notes} // '') eq 'ours' } $service->download), 1,
    "a QSO with another member's id is stored under a new id";

# A key can be revoked, and a log can be restored.
is device('tablet', [['save', my $late = qso(notes => 'late')], ['sync']], key => 'qsosync_wrong')->{said}[0], 'no key',
    'a refused key ends the pass with the outcome "no key"';
my $backup = "$folder/backup.db";
$service->admin('backup', $backup);
is_in_step 'a QSO that waited for a valid key', 'tablet', 'telephone';
device('telephone', [['save', my $lost = qso(notes => 'lost')], ['sync']]);
$service->admin('restore', $backup);
is_in_step 'after a restore', 'telephone', 'tablet', 'telephone';
is_deeply [map { my $id = $_->{clientId}; scalar grep { $_->{clientId} eq $id } $service->download } $late, $lost],
    [1, 1], 'QSOs lost by a restore are sent again once';
$service->delete_qso($qsos[8]{clientId});
$service->admin('backup', "$folder/later.db");
$service->admin('restore', "$folder/later.db");
is_in_step 'a deletion that survives a restore', 'telephone', 'tablet';
is scalar(grep { $_->{clientId} eq $qsos[8]{clientId} } $service->download), 0,
    'a QSO whose deletion survives a restore is not sent again';
$service->sqlite('UPDATE logbook SET deletions_since = last_stamp + 3600000');
$service->delete_qso($qsos[9]{clientId});
is_in_step 'a deletion that a restore could have lost', 'telephone', 'tablet';
$service->stop;

done_testing;
