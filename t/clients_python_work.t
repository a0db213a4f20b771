use QSOsync::Test fronts => 'nginx', suite => 'all';
use QSOsync::Kit;

# The work of the kit's ADIF reader is proportional to the number of bytes. The number of bytes that a synchronisation
# writes is nearly proportional to the number of QSOs.
my $program = <<'PYTHON';
import sys, time
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import qsosync_text
def measure(part, length):
    data = part * (length // len(part))
    start = time.process_time_ns()
    for _ in qsosync_text.read_records(data):
        pass
    return time.process_time_ns() - start
small, growth = 8000, int(sys.argv[2])
for part in sys.argv[3:]:
    part = part.encode()
    print(*(min(measure(part, length) for _ in range(2)) for length in (small, growth * small)))
PYTHON
my @parts = ('<', '<a', '<a:1>', '<a:1>x', '<a:-1><EOH>', '<a:-1><EOR>', '<a:1>x<EOH>', '<a:999>x<EOH>', '<EOH>',
    '<EOR>', '<a>', '<a:1>x<EOR>',
    '<notes:16>x<EOR><call:1>yz<b:1>x', '<call:5>26AT1<eor>');
open my $measured, '-|', 'python3', '-c', $program, "$QSOsync::Front::SOURCE/src/clients", growth(), @parts
    or die "python3: $!";
my @times = map { [split] } <$measured>;
ok close $measured, 'the reader reads every kind of text';
is scalar @times, scalar @parts, 'every kind of text is measured';
work_is_linear(@{$times[$_]}, $parts[$_]) for 0 .. $#parts;

# A first synchronisation saves its state occasionally, not after each batch. For eight times as many QSOs, the
# synchronisation writes at most twelve times as many bytes. The test's service has no request limit.
$program = <<'PYTHON';
import os, sys, tempfile
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import qsosync
class Service:
    def __init__(self):
        self.items, self.deleted, self.requests = {}, [], 0
    def now(self):
        return str(self.requests).zfill(9)
    def pages(self, since=None):
        self.requests += 1
        items = [qso for qso in self.items.values() if since is None or qso["syncedAt"] >= since]
        yield {"items": items, "deleted": self.deleted, "deletedComplete": True, "serverTime": self.now()}, "epoch"
    def send(self, entries):
        for entry in entries:
            number = str(len(self.items) + 1)
            self.items[entry["clientId"]] = {**entry, "id": number, "syncedAt": self.now()}
        return [{"id": self.items[entry["clientId"]]["id"]} for entry in entries]
    def delete(self, client_id):
        del self.items[client_id]
written, replace_file = [], qsosync.replace_file
def counting(path, data):
    written.append(len(data))
    replace_file(path, data)
qsosync.replace_file = counting
def measure(count):
    with tempfile.TemporaryDirectory() as folder:
        log, service = qsosync.LocalLog(folder), Service()
        for number in range(count):
            log.put({"band": "ELEVEN_METERS", "qsoAt": "2026-05-17T19:42:00.000Z", "notes": str(number)})
        written.clear()
        log.sync(service)
        sums = [sum(written)]
        for client_id in list(log.qsos())[::2]:
            log.delete(client_id)
        written.clear()
        log.sync(service)
        sums.append(sum(written))
        assert log.qsos() == service.items
        written.clear()
        log.sync(service)
        del log
        sums.append(len(written))
        log = qsosync.LocalLog(folder)
        log.sync(service)
        sums.append(len(written) - sums[2])
        return sums
print(*measure(1000), *measure(8000))
PYTHON
my $modules = QSOsync::Kit::client('qsosync.py') =~ s{/[^/]*\z}{}r;
open $measured, '-|', 'python3', '-c', $program, $modules or die "python3: $!";
my @sums = split ' ', <$measured>;
ok close $measured, 'logs of two sizes are synchronised';
cmp_ok $sums[4], '<=', 12 * $sums[0],
    'a sync of eight times as many QSOs writes at most twelve times as many bytes of state';
cmp_ok $sums[5], '<=', 12 * $sums[1],
    'a sync of eight times as many deletions writes at most twelve times as many bytes of state';
is "@sums[2, 3]", '0 0', 'a synchronisation without changes writes nothing, even in a new process';

done_testing;
