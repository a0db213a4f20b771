use QSOsync::Test fronts => 'nginx', slow => 12;
use QSOsync::Kit;
use QSOsync::Proxy;
use File::Copy qw(copy);

# The engine of the app, and of the client kit: devices that write into one log without a network come in step with the
# real service, also where it limits, fails, loses answers, and is restored from a backup. Run by node.
plan skip_all => 'node is not there' if system('node --version >/dev/null 2>&1') != 0;
my $json = JSON::PP->new->utf8->canonical;
my $service = QSOsync::Service->start;
my $folder = $service->directory;
copy(QSOsync::Kit::client($_), "$folder/$_") or die "$_: $!"
    for map { "qsosync$_.js" } '', qw(-changes -fields -outbox -storage -sync);
QSOsync::Front::write_file("$folder/package.json", '{"type":"module"}');
QSOsync::Front::write_file("$folder/device.js", <<'END');
// device.js FILE COMMANDS: a device whose records are in FILE does what the commands say, and prints what it has.
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
    is $status, 0, "$name does what it is told" or diag $output;
    return $json->decode($output);
}
sub by_id { return { map { $_->{clientId} => $_ } @_ } }
sub is_in_step {
    my ($rule, @names) = @_;
    for my $name (@names) {
        my $has = device($name, [['sync']]);
        is_deeply by_id(@{$has->{qsos}}), by_id($service->download), "$rule: $name has the log";
        is_deeply $has->{outbox}, [], "$rule: nothing waits on $name";
    }
}
my @qsos = map { full_qso(notes => "Nr $_") } 1 .. 250;
my %fate = (2 => 'cut', 3 => 'limited', 4 => 'broken', 5 => 'lost', 7 => 'cut', 9 => 'cut');
my $proxy = QSOsync::FaultyProxy->start($service, sub { $fate{$_[0]} || 'pass' });
my $has = device('telephone', [map({ ['save', $_] } @qsos), ['sync']], url => $proxy->url);
is $has->{said}[-1], 'done', 'a device syncs despite faults of all kinds' or diag "@{$has->{said}}";
like "@{$has->{said}}", qr/no answer.*limited/, 'limits and lost answers end a pass, and the next one goes on';
is_in_step 'what was logged without a network', 'telephone', 'tablet';
is $service->sqlite('SELECT count(*) FROM qsos'), 250, 'each QSO is there once';
is_deeply [grep { my $qso = $_; grep { ($qso->{$_} // '') ne ($qsos[0]{$_} // '') } qw(myLocator radio dxLocator) }
    $service->download], [], 'all values arrived';

# Changes, deletions, and what the service refuses.
my ($mine, $theirs, $deleted) = @qsos[0 .. 2];
device('telephone', [['save', { %$mine, notes => 'changed' }], ['delete', $deleted->{clientId}],
    ['save', { %$theirs, notes => 'telephone' }]]);
device('tablet', [['save', { %$theirs, notes => 'tablet' }], ['sync']]);
$has = device('telephone', [['sync']]);
is_deeply [map { [@$_{qw(state key)}, $_->{theirs}{notes}] } @{$has->{outbox}}],
    [['conflict', $theirs->{clientId}, 'tablet']], 'what two devices changed waits for the member, alone';
is $service->sqlite('SELECT count(*) FROM qsos'), 249, 'the deletion that waited beside it was made';
device('telephone', [['resolve', $theirs->{clientId}, 'mine'], ['sync']]);
is_in_step 'after the member has chosen', 'telephone', 'tablet';
is by_id($service->download)->{$theirs->{clientId}}{notes}, 'telephone', 'what the member chose is stored';
my $wrong = qso(frequencyMhz => '29.000');
$has = device('tablet', [['save', $wrong], ['sync'], ['sync']]);
is_deeply [map { @$_{qw(state error)} } @{$has->{outbox}}], ['refused', 'FREQUENCY_OUT_OF_BAND_11M'],
    'what is refused is kept, with the reason';
device('tablet', [['save', { %$wrong, frequencyMhz => '27.555' }]]);
is_in_step 'what was corrected', 'tablet', 'telephone';
my $other = $service->add_member('1AT100');
$service->post_batch([my $foreign = qso()], key => $other->{write_key});
device('tablet', [['save', { %$foreign, notes => 'ours' }]]);
is_in_step 'another member has the id', 'tablet', 'telephone';
is scalar(grep { ($_->{notes} // '') eq 'ours' } $service->download), 1, 'the QSO was stored under another id';

# A key that is revoked; a log that is restored.
is device('tablet', [['save', my $late = qso(notes => 'late')], ['sync']], key => 'qsosync_wrong')->{said}[0], 'no key',
    'a key that does not work is told';
my $backup = "$folder/backup.db";
$service->admin('backup', $backup);
is_in_step 'what a revoked key kept back is sent with another one', 'tablet', 'telephone';
device('telephone', [['save', my $lost = qso(notes => 'lost')], ['sync']]);
$service->admin('restore', $backup);
is_in_step 'after a restored backup', 'telephone', 'tablet', 'telephone';
is_deeply [map { my $id = $_->{clientId}; scalar grep { $_->{clientId} eq $id } $service->download } $late, $lost],
    [1, 1], 'what the service lost is sent again, once';
$service->delete_qso($qsos[8]{clientId});
$service->admin('backup', "$folder/later.db");
$service->admin('restore', "$folder/later.db");
is_in_step 'a deletion that a restored backup knows', 'telephone', 'tablet';
is scalar(grep { $_->{clientId} eq $qsos[8]{clientId} } $service->download), 0, 'what it knows is not sent again';
$service->sqlite('UPDATE logbook SET deletions_since = last_stamp + 3600000');
$service->delete_qso($qsos[9]{clientId});
is_in_step 'a deletion where not all of them are known', 'telephone', 'tablet';
$service->stop;

# What the app saves as ADIF, because its key does not work any more, becomes the same QSOs by the service's import.
{
    my @serials = map { chomp; [split /\t/, $_, -1] } grep { !/\A#/ }
        split /^/, QSOsync::Front::read_file("$QSOsync::Front::SOURCE/t/data/serials.tsv");
    my $service = QSOsync::Service->start;
    my $folder = $service->directory;
    my @sent = (full_qso(notes => "two\nlines, 5\N{U+B0}"),
        full_qso(notes => "a <b> <EOR> and <CALL:3>1AT %41", antenna => '<EOH> 5/8'),
        full_pmr_qso(), full_qso(qslVia => 'ECARD', path => 'LP'),
        full_qso(mode => 'DIGITAL', callsignWorked => undef, splitKhz => undef, operatorCallsign => undef),
        map({ full_qso(mode => $_) } qw(FM AM SSB LSB CW)),
        map { full_qso(rstSent => $_->[3] || undef, rstReceived => $_->[3] || undef) } @serials);
    $service->post_batch(\@sent);
    my %stored = map { $_->{clientId} => $_ } $service->download;
    QSOsync::Front::write_file("$folder/qsos.json", JSON::PP->new->utf8->encode([values %stored]));
    my $written = system('node', '--input-type=module', '-e', <<'END', "$QSOsync::Front::BUILD/app/adif.js", $folder);
import { readFileSync, writeFileSync } from "node:fs";
const [module, folder] = process.argv.slice(1);
const { formatAdif } = await import(module);
writeFileSync(`${folder}/waiting.adi`, formatAdif(JSON.parse(readFileSync(`${folder}/qsos.json`, "utf8"))));
END
    is $written, 0, 'the app writes an ADIF file';
    my %fields = map { my %field = /<(\w+):\d+>(.*?)(?= <)/g; $field{APP_QSOSYNC_CLIENT_ID} => \%field }
        split /<EOR>\n/, QSOsync::Front::read_file("$folder/waiting.adi") =~ s/.*<EOH>\n//r;
    for my $index (0 .. $#serials) {
        my (undef, undef, undef, $joined, @apart) = @{$serials[$index]};
        my $field = $fields{$sent[@sent - @serials + $index]{clientId}};
        is_deeply [map { $field->{$_} // '' } qw(RST_SENT STX STX_STRING RST_RCVD SRX SRX_STRING)], [@apart, @apart],
            "'$joined' is written as the service's export has it";
    }
    $service->delete_qso($_) for keys %stored;
    my $report = $service->admin('import', '21SD333', "$folder/waiting.adi");
    like $report, qr/^imported ${\scalar @sent}$/m, 'all records are imported' or diag $report;
    my @own = qw(id createdAt syncedAt spottedAt crossConfirmedAt);
    for my $qso ($service->download) {
        my $before = $stored{$qso->{clientId}} || {};
        delete @$_{@own} for $qso, $before;
        is_deeply $qso, $before, 'a QSO is what it was on the device' or diag $qso->{mode};
    }
    $service->stop;
}

done_testing;
