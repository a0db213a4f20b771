use QSOsync::Test fronts => 'none';

# qsosync.py requests pages while earlier pages arrive, over persistent compressed connections. This test acts as the
# service, and decides when to answer.
use File::Temp qw(tempdir);
use IO::Compress::Gzip ();
use IO::Select;
use IO::Socket::INET;
use QSOsync::Kit;
my $folder = tempdir(CLEANUP => 1);
my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 0, Listen => 8) or die "no free port: $!";
my $select = IO::Select->new($listener);
my $connections = 0;

# Returns the connection and the target of the next request, or an empty list if no request arrives in the given time.
sub take_request {
    my ($seconds) = @_;
    while (my @ready = $select->can_read($seconds)) {
        my $socket = shift @ready;
        if ($socket == $listener) {
            $select->add($listener->accept);
            $connections++;
            next;
        }
        my ($head) = QSOsync::FaultyProxy::read_request($socket);
        return ($socket, $head =~ /\A(GET \S+)/) if defined $head;
        $select->remove($socket);
    }
    return;
}

# Returns an answer with a page of one QSO. The QSO's id is the given id, or the number of the page. Unless this page is
# the last, the header Link names the next pages.
sub page {
    my ($number, %option) = @_;
    my @names = map { "<?limit=500&cursor=after-$_>; rel=\"" . ($_ == $number ? 'next"' : 'section"') }
        $number .. $number + ($option{names} || 1) - 1;
    my $cursor = $option{is_last} ? 'null' : '"after-' . $number . '"';
    my $id = $option{id} || $number;
    my $text = qq({"items":[{"id":"$id","page":$number}],"nextCursor":$cursor,"serverTime":"2026-05-17T19:00:00.000Z"});
    IO::Compress::Gzip::gzip(\(my $plain = $text), \$text) if $option{is_compressed};
    return join("\r\n", 'HTTP/1.1 200 OK', 'Content-Type: application/json', 'Content-Length: ' . length $text,
        $option{is_compressed} ? 'Content-Encoding: gzip' : (),
        $option{is_last} ? () : join(', ', 'Link: ' . shift @names, @names), '', '') . $text;
}

QSOsync::Front::write_file("$folder/key", "qsosync_key\n");
sub start_pull {
    return QSOsync::Kit::start("$folder/client.log", { http_proxy => '', no_proxy => '*' }, 'python3',
        QSOsync::Kit::client('qsosync.py'), '--url', 'http://127.0.0.1:' . $listener->sockport . '/api/v1',
        '--key-file', "$folder/key", 'pull', "$folder/log.json");
}
my $pid = start_pull();

# Waits for the request with this cursor, and returns the connection. Requests can arrive in any order.
my %waiting;
sub wait_for_request {
    my ($cursor) = @_;
    while (!$waiting{$cursor}) {
        my ($socket, $target) = take_request(60) or die "the client does not request $cursor";
        $waiting{$1} = $socket if $target =~ /cursor=([\w-]+)/;
    }
    return delete $waiting{$cursor};
}
sub answer {
    my ($socket, $text) = @_;
    print {$socket} $text;
    return $socket->flush;
}

my ($first, $target) = take_request(60);
unlike $target, qr/cursor/, 'the client requests the first page';
like $target, qr/[?&]ahead=8\b/, 'the first request asks for the names of the next eight pages';
my $page = page(1, names => 3);
answer($first, substr $page, 0, -20);
my $second = wait_for_request('after-1');
isnt fileno $second, fileno $first,
    'the second page is requested while the first arrives, over another connection';
is_deeply [take_request(0.3)], [], 'no third page is requested before the time per page is known';
answer($first, substr $page, -20);
my $third = wait_for_request('after-2');
pass 'the third page is requested before the second arrives';
answer($third, "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n");
$third = wait_for_request('after-2');
pass 'a page refused with 429 is requested again';
answer($third, "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n");
$third = wait_for_request('after-2');
pass 'a page refused with 503 is requested again';
answer($third, page(3));
answer($second, page(2, is_compressed => 1));
for ($second, $third) {
    $select->remove($_);
    close $_;
}
answer(wait_for_request('after-3'), page(4));
answer(wait_for_request('after-4'), page(5, id => 2, is_last => 1));
cmp_ok $connections, '<=', 6, 'the download needs at most six connections, although two were closed';

waitpid $pid, 0;
is $? >> 8, 0, 'the download succeeds' or diag QSOsync::Front::read_file("$folder/client.log");
my $written = QSOsync::Front::read_file("$folder/log.json");
is_deeply [map { "$_->{id} of page $_->{page}" } @{JSON::PP::decode_json($written)}],
    ['1 of page 1', '3 of page 3', '4 of page 4', '2 of page 5'],
    'the copy has every page in order, and a changed QSO once, in its last state';
is scalar(split /\n/, $written), 6, 'the JSON has one QSO per line';

$pid = start_pull();
($first) = take_request(60);
answer($first, page(1));
answer(wait_for_request('after-1'), "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n");
waitpid $pid, 0;
is $? >> 8, 1, 'a refused download fails';
is QSOsync::Front::read_file("$folder/log.json"), $written, 'a failed download leaves the file unchanged';
is_deeply [glob "$folder/log.json?*"], [], 'a failed download leaves no other file';

# The paging is also tested without sockets, with an artificial clock and a log that changes during the download.
QSOsync::Front::write_file("$folder/pages.py", <<'END');
import email.message
import random
import threading
import time
import urllib.parse
from qsosync_service import Pages, ServiceError


class Log:
    """Numbers that stand for QSOs, in the order of their stamps."""

    def __init__(self, draw, size, limit, ahead):
        self.draw, self.limit, self.ahead = draw, limit, ahead
        self.stamps = {number: number + 1 for number in range(size)}
        self.last = size
        self.lock = threading.Lock()
        self.on_the_way = self.most = self.asked = 0
        self.took = self.changes = 0.0
        self.fails_at = None
        self.times = threading.local()
        self.is_full = threading.Event() # while this is clear, only the first page is answered
        self.is_full.set()

    def clock(self):
        self.times.now = getattr(self.times, "now", 0) + self.took
        return self.times.now

    def ask(self, cursor, ahead, on_headers):
        with self.lock:
            self.asked += 1
            self.on_the_way += 1
            self.most = max(self.most, self.on_the_way)
            if self.on_the_way == 6:
                self.is_full.set()
            if self.asked == self.fails_at:
                self.on_the_way -= 1
                raise ServiceError("refused")
            pause, change = self.draw.random() * 0.003, self.draw.random() < self.changes
            moved = self.draw.randrange(len(self.stamps))
        if cursor:
            self.is_full.wait(60)
        time.sleep(pause)
        with self.lock:
            if change:
                self.last += 1
                self.stamps[moved] = self.last
            rest = sorted((stamp, number) for number, stamp in self.stamps.items()
                          if stamp > int(cursor or 0))
        ends = [str(stamp) for stamp, _ in rest[self.limit - 1:-1:self.limit]]
        headers = email.message.Message()
        if ends:
            headers["Link"] = ", ".join(
                "<?" + urllib.parse.urlencode({"limit": 1, "cursor": end}) + '>; rel="%s"' % rel
                for end, rel in zip(ends[:max(1, min(ahead, self.ahead))],
                                    ["next"] + ["section"] * len(ends)))
        on_headers(200, headers)
        time.sleep(pause)
        with self.lock:
            self.on_the_way -= 1
        return [number for _, number in rest[:self.limit]], (ends or [None])[0]

    def download(self):
        pages, cursor, got = Pages(self.ask, self.clock), None, []
        while True:
            items, cursor = pages.take(cursor)
            got += items
            if cursor is None:
                return got


for seed in range(1, 41):
    draw = random.Random(seed)
    size = draw.randrange(1, 80)
    log = Log(draw, size, draw.randrange(1, 6), draw.randrange(1, 9))
    log.changes = draw.random() / 2
    before = dict(log.stamps)
    got = log.download()
    assert set(got) == set(before), (seed, set(before) - set(got))
    unchanged = [number for number in before if log.stamps[number] == before[number]]
    assert all(got.count(number) == 1 for number in unchanged), seed
    assert log.most <= 6, (seed, log.most)
for took, most in (0, 6), (5, 2), (11, 2):
    log = Log(random.Random(1), 200, 2, 8)
    log.took = took
    if most == 6:
        log.is_full.clear()
    assert log.download() == list(range(200))
    assert log.most == most, (took, log.most)
    assert log.asked == 100, log.asked
log.fails_at = 30
log.took = log.asked = 0
try:
    log.download()
    raise SystemExit("the program reports the failure")
except ServiceError:
    assert log.asked <= 36, log.asked
print("as promised")
END
my ($status, $output) = QSOsync::Kit::run("$folder/pages.log",
    { PYTHONPATH => "$QSOsync::Front::SOURCE/src/clients", PYTHONDONTWRITEBYTECODE => 1 },
    'python3', "$folder/pages.py");
is $output, "as promised\n",
    'a changing log arrives complete, with at most six requests at once, or two on a slow connection';

done_testing;
