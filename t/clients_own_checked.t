use QSOsync::Test fronts => 'none', slow => 60, suite => 'all';
use File::Copy qw(copy);
use File::Path qw(make_path);
use File::Temp;
use List::Util qw(min shuffle);
use QSOsync::Kit;

# qsosync-check-client.py checks our own clients: the Python kit, the read-only copy of qsosync.js, and the synchroniser
# of the app with qsosync-sync.js. Each client keeps all rules. For each mutant, the checker reports the rule that the
# mutant breaks. Each run draws QSOSYNC_TEST_MUTANTS mutants (2 by default).
plan skip_all => 'node is not installed' if system('node --version >/dev/null 2>&1') != 0;
my $folder = File::Temp->newdir;
my $at_once = 12;

my %rule = (
    page => qr/updatedSince is the serverTime of the first page/, next => qr/nextCursor is followed/,
    deletions => qr/deletions are requested/, ids => qr/all ids are requested/, wait => qr/waits for Retry-After/,
    same => qr/sent again under its clientId/,
    sure => qr/waiting QSOs are sent|(?:\(500\): the QSO|that is rejected for now) is sent again/,
    refused => qr/rejected for good/, later => qr/rejected for now is sent again/, key => qr/the program stops/,
    epoch => qr/the whole log is compared/, lacks => qr/that it lacks are sent again/, kept => qr/nothing is deleted/,
    older => qr/in an older version are sent again/, nameless => qr/without clientId is never sent/,
);

# Each client has files, commands and mutants. A mutant has the name of the broken rule, and one or more changes, each
# with the file, the original text and the replacement.
my %client = (
    python => {
        files => { map { $_ => "clients/$_" } 'qsosync.py' },
        sync => 'mkdir -p log; python3 %s/qsosync.py sync log',
        add => 'mkdir -p log; perl %s/add.pl log/mine.adi {callsign}',
        mutants => {
            page => ['qsosync.py', 'if server_time is None:', 'if True:'],
            next => ['qsosync.py', 'cursor = body["nextCursor"]', 'cursor = None'],
            deletions => ['qsosync.py', ', "includeDeleted": "true"}', '}',
                'qsosync.py', 'page.get("deletedComplete", False)', 'True'],
            ids => ['qsosync.py', 'page.get("deletedComplete", False)', 'True'],
            wait => ['qsosync.py', 'self.wait(retry_after(answer_headers.get("Retry-After")))', 'self.wait(0.05)'],
            same => ['qsosync.py', 'connection.request(method, target, data, headers)',
                q{connection.request(method, target, re.sub(b'(?<="clientId": ")[^"]*',}
                . ' lambda _: str(uuid.uuid4()).encode(), data or b""), headers)'],
            sure => ['qsosync.py', 'self.send_qsos(service, pending)',
                'waiting = dict(pending); pending.clear(); self.save(); self.send_qsos(service, waiting)',
                'qsosync.py', 'del state["pending"][client_id]', 'state["pending"].pop(client_id, None)',
                'qsosync.py', 'later.update(self.apply_result(qso, result))',
                'later.update(self.apply_result(qso, result), [qso["clientId"]])'], # otherwise, the loop would not end
            refused => ['qsosync.py', 'elif result.get("permanent"):', 'elif False:'],
            later => ['qsosync.py', 'elif result.get("permanent"):', 'elif True:'],
            key => ['qsosync.py', 'if status < 500 or attempt == ATTEMPTS:', 'if status < 400:',
                'qsosync.py', 'self.wait(attempt)', 'self.wait(0.05)'],
            epoch => ['qsosync.py', 'if state["serverTime"] is not None and epoch != state["epoch"]:', 'if False:'],
            lacks => ['qsosync.py', 'if newer and mine.get("clientId"):', 'if False:'],
            older => ['qsosync.py', qq{mine.get("syncedAt", "~") > theirs["syncedAt"] or \\\n}
                . '                self.is_former(key, theirs)', 'False'],
            nameless => ['qsosync.py', 'if newer and mine.get("clientId"):', 'if newer:'],
            kept => ['qsosync.py', "self.put_again(key)\n                items[key] = mine",
                "self.delete(key)\n                items[key] = mine"],
        },
    },
    page => {
        files => { 'qsosync.js' => 'clients/qsosync.js' },
        sync => 'node %s/page.js log.json',
        mutants => {
            page => ['qsosync.js', 'first ??= {', 'first = {'],
            next => ['qsosync.js', 'while (cursor !== null)', 'while (false)'],
            deletions => ['qsosync.js', ', includeDeleted: "true"', '', 'qsosync.js', 'deletedComplete ?? false',
                'deletedComplete ?? true'],
            ids => ['qsosync.js', 'if (copy.deletionsKnown) return copy;', 'return copy;'],
            wait => ['qsosync.js', 'this.wait(error.waitSeconds || 60)', 'this.wait(0.05)'],
            key => ['qsosync.js', '(error.status ?? 500) < 500 || attempt === ATTEMPTS', 'false',
                'qsosync.js', 'this.wait(attempt)', 'this.wait(0.05)'],
            epoch => ['qsosync.js', '!copy || changes.epoch === copy.epoch', 'true'],
        },
    },
    app => {
        files => {
            (map { $_ => "clients/$_" } map { "qsosync$_.js" } '', qw(-changes -fields -outbox -storage -sync)),
            'src/web/app/log/synchroniser.js' => 'src/web/app/log/synchroniser.js',
            (map { ("src/web/shared/$_.js" => "src/web/shared/$_.js") } qw(account language page)),
        },
        sync => 'node %s/app.js log.json',
        add => 'node %s/app.js log.json {callsign}',
        mutants => {
            page => ['qsosync-changes.js', 'if (download.cursor === null) Object.assign', 'Object.assign'],
            next => ['qsosync-changes.js', 'download.cursor = page.nextCursor;',
                'download.cursor = page.nextCursor = null;'],
            deletions => ['qsosync.js', ', includeDeleted: "true"', '',
                'qsosync-changes.js', 'deletedComplete ?? false', 'deletedComplete ?? true'],
            ids => ['qsosync-sync.js', 'if (deletionsKnown) return;', 'return;'],
            wait => ['src/web/app/log/synchroniser.js', '(this.app.log.trouble?.waitSeconds ?? 60) * 1000', '50'],
            same => ['qsosync-sync.js', '{ entries: qsos }',
                '{ entries: qsos.map((qso) => ({ ...qso, clientId: crypto.randomUUID() })) }'],
            sure => ['qsosync-sync.js', 'const qsos = entries.map',
                'await this.#changeBeside(run, async (_, records) => {'
                . ' for (const { key } of entries) await records.remove("outbox", key); }); const qsos = entries.map'],
            refused => ['qsosync-sync.js', 'else if (result.permanent)', 'else if (false)'],
            later => ['qsosync-sync.js', 'else if (result.permanent)', 'else'],
            key => ['qsosync-sync.js', '401: "no key"', '401: "failed"',
                'src/web/app/log/synchroniser.js', 'Math.min(LONGEST_WAIT_MS, 1000 * 2 ** this.failures)', '50'],
            epoch => ['qsosync-changes.js', 'epoch !== state.epoch || download.isRestored', 'false'],
            lacks => ['qsosync-changes.js', 'else await queueAgain(records, state, copy, null);', ''],
            older => ['qsosync-changes.js', 'else if (copy && (isRestored || isAgain) && !isKnown)', 'else if (false)'],
            nameless => ['qsosync-changes.js', 'if (copy.qso.clientId === null) return null;', ''],
            kept => ['qsosync-changes.js', 'else await queueAgain(records, state, copy, null);', 'else await'
                . ' records.put("outbox", { key: copy.key, kind: "delete", qso: copy.qso, base: copy.qso, sent: [],'
                . ' revision: 1, order: 0, state: "waiting" });'],
        },
    },
);
my %program = (
    python => { 'add.pl' => <<'END' },
my ($file, $callsign) = @ARGV;
open my $adif, '>>', $file or die $!;
print $adif '<CALL:', length $callsign, ">$callsign<QSO_DATE:8>20260517<TIME_ON:6>120000<BAND:3>11M<FREQ:6>27.555",
    "<MODE:3>SSB<SUBMODE:3>USB<EOR>\n";
END
    page => { 'page.js' => <<'END' },
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { openLog, synchronise } from "./qsosync.js";
const file = process.argv[2];
const log = await openLog(process.env.QSOSYNC_URL, process.env.QSOSYNC_KEY);
const stored = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
writeFileSync(file, JSON.stringify(await synchronise(log, stored)));
END
    # Runs the app's synchroniser without a page, with a file as storage.
    app => { 'src/web/shared/languages.js' => 'export const LANGUAGES = { en: "English" };', 'app.js' => <<'END' },
import { existsSync, readFileSync, writeFileSync } from "node:fs";
const nothing = () => {};
const node = () => ({ dataset: {}, replaceChildren: nothing, addEventListener: nothing });
globalThis.addEventListener = nothing;
globalThis.localStorage = { getItem: () => null };
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] } });
globalThis.document = { ...node(), documentElement: node(), querySelector: nothing,
  querySelectorAll: () => [], createElement: node, getElementById: (id) => (id === "state" ? node() : null) };
const { Synchroniser } = await import("./src/web/app/log/synchroniser.js");
const { Log } = await import("./qsosync.js");
const { LocalLog, readOutbox } = await import("./qsosync-sync.js");
const { MemoryStorage } = await import("./qsosync-storage.js");
const [, , file, callsignWorked] = process.argv;
class FileStorage extends MemoryStorage {
  kept = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { state: [], qsos: [], outbox: [] };
  load() {
    return super.change(async (records) => {
      for (const store in this.kept) for (const record of this.kept[store]) await records.put(store, record);
    });
  }
  async change(work) {
    const result = await super.change(work);
    await super.change(async (records) => {
      for (const store in this.kept) this.kept[store] = await records.after(store, "", Infinity);
    });
    writeFileSync(file, JSON.stringify(this.kept));
    return result;
  }
}
const storage = new FileStorage();
await storage.load();
let synchroniser;
const log = new LocalLog(storage, { progress: (...all) => synchroniser.progress(...all) });
if (callsignWorked) {
  const qsoAt = new Date().toISOString();
  await log.save({ band: "ELEVEN_METERS", frequencyMhz: "27.555", mode: "USB", callsignWorked, qsoAt });
  process.exit(0);
}
const app = {
  log, line: new Log(process.env.QSOSYNC_URL, process.env.QSOSYNC_KEY), outbox: new Map(),
  watch: nothing, tell: nothing, announce: nothing, announceRefused: nothing,
  download: { show: nothing, showAt: nothing }, setup: { showKeyTrouble: nothing, learn: nothing },
  storage: { state: () => storage.change((records) => records.get("state", "sync")), unpack: async () => false },
  async refresh() { this.outbox = new Map((await readOutbox(storage)).map((entry) => [entry.key, entry])); },
};
synchroniser = new Synchroniser(app);
await app.refresh();
synchroniser.run();
const hasEnded = () => !synchroniser.isRunning && ["done", "no key", "not kept"].includes(synchroniser.outcome);
while (!hasEnded()) await new Promise((goOn) => setTimeout(goOn, 20));
process.exit(synchroniser.outcome === "done" ? 0 : 1);
END
);

sub source_of {
    my ($path) = @_;
    my ($found) = grep { -e } map { "$_/$path" } $QSOsync::Front::BUILD, $QSOsync::Front::SOURCE;
    return $found // die "$path is not there";
}
# Starts a check: begin($kind, $name, [file, from, to...]). The caller reads the checker's result later.
sub begin {
    my ($kind, $name, @changes) = @_;
    my ($client, $place) = ($client{$kind}, "$folder/$kind-$name");
    my %file = map { $_ => QSOsync::Front::read_file(source_of($client->{files}{$_})) } keys %{$client->{files}};
    while (my ($file, $from, $to) = splice @changes, 0, 3) {
        my $at = index $file{$file}, $from;
        die "$kind, $name: $file has no $from" if $at < 0;
        substr $file{$file}, $at, length $from, $to;
    }
    %file = (%file, %{$program{$kind}}, 'package.json' => '{ "type": "module" }');
    for my $path (keys %file) {
        make_path("$place/$path" =~ s{/[^/]*\z}{}r);
        QSOsync::Front::write_file("$place/$path", $file{$path});
    }
    my @commands = map { $client->{$_} ? ("--$_", $client->{$_} =~ s/%s/$place/r) : () } qw(sync add);
    local $ENV{XDG_STATE_HOME} = "$place/state";
    return QSOsync::Kit::begin_check('--seconds', 60, @commands);
}

my @mutants;
for my $kind (sort keys %client) {
    my $mutants = $client{$kind}{mutants};
    push @mutants, map { [$kind, $_, @{$mutants->{$_}}] } sort keys %$mutants;
}
cmp_ok scalar(@mutants), '>=', 37, 'the three clients have at least 37 mutants';
drawn_seed();
my $drawn = $ENV{QSOSYNC_TEST_MUTANTS} || 2;
my @wanted = ((map { [$_, 'whole'] } sort keys %client), (shuffle(@mutants))[0 .. min($drawn, $#mutants + 1) - 1]);
while (my @some = splice @wanted, 0, $at_once) {
    my @begun = map { begin(@$_) } @some;
    for my $place (0 .. $#some) {
        my ($kind, $name) = @{$some[$place]};
        my ($status, $said) = QSOsync::Kit::end_check($begun[$place]);
        if ($name eq 'whole') {
            is_deeply [$status, $said], [0, "all rules kept\n"], "our client keeps all rules: $kind";
        } else {
            is $status, 1, "the checker fails a faulty client: $kind, $name";
            like $said, qr/^BROKEN .*$rule{$name}/m, "the checker names the broken rule: $kind, $name";
        }
    }
}

done_testing;
