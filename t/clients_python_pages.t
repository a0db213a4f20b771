use QSOsync::Test fronts => 'none';

# qsosync.py asks for a page while the one before it arrives, and never for a third one; over connections that stay
# open, compressed. The service here is this test, which answers when it likes.
use File::Temp qw(tempdir);
use IO::Compress::Gzip ();
use IO::Select;
use IO::Socket::INET;
use QSOsync::Kit;
my $folder = tempdir(CLEANUP => 1);
my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 0, Listen => 8) or die "no free port: $!";
my $select = IO::Select->new($listener);
my $connections = 0;

# The next request, whose connection and target it answers; () where none comes so soon.
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

# A page with one QSO of that number, and another after it unless it is the last; compressed where it is whole.
sub page {
    my ($number, %option) = @_;
    my $cursor = $option{is_last} ? 'null' : '"after-' . $number . '"';
    my $text = qq({"items":[{"id":"$number"}],"nextCursor":$cursor,"serverTime":"2026-05-17T19:00:00.000Z"});
    IO::Compress::Gzip::gzip(\(my $plain = $text), \$text) if $option{is_compressed};
    return join("\r\n", 'HTTP/1.1 200 OK', 'Content-Type: application/json', 'Content-Length: ' . length $text,
        $option{is_compressed} ? 'Content-Encoding: gzip' : (),
        $option{is_last} ? () : qq(Link: <?limit=500&cursor=after-$number>; rel="next"), '', '') . $text;
}

QSOsync::Front::write_file("$folder/key", "qsosync_key\n");
my $pid = QSOsync::Kit::start("$folder/client.log", { http_proxy => '', no_proxy => '*' }, 'python3',
    QSOsync::Kit::client('qsosync.py'), '--url', 'http://127.0.0.1:' . $listener->sockport . '/api/v1', '--key-file',
    "$folder/key", 'pull', "$folder/log.json");

my ($first, $target) = take_request(60);
unlike $target, qr/cursor/, 'the first page is asked for';
my $page = page(1);
print {$first} substr $page, 0, -20;
$first->flush;
(my $second, $target) = take_request(60);
like $target, qr/cursor=after-1\b/, 'the second one is asked for while the first one arrives';
isnt fileno $second, fileno $first, 'it is, over another connection';
print {$second} page(2, is_compressed => 1);
$second->flush;
is_deeply [take_request(0.3)], [], 'no third one is on its way beside these two';
print {$first} substr $page, -20;
$first->flush;
(my $third, $target) = take_request(60);
like $target, qr/cursor=after-2\b/, 'the third one follows';
print {$third} "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n";
$third->flush;
(my $again, $target) = take_request(60);
like $target, qr/cursor=after-2\b/, 'what was limited is asked for again';
is $connections, 2, 'two connections are enough for all of these';
for ($first, $second) {
    $select->remove($_);
    close $_;
}
($again, $target) = take_request(60);
like $target, qr/cursor=after-2\b/, 'so is what met a connection that was closed';
print {$again} page(3, is_last => 1);
$again->flush;

waitpid $pid, 0;
is $? >> 8, 0, 'the download ends' or diag QSOsync::Front::read_file("$folder/client.log");
is_deeply [map { $_->{id} } @{JSON::PP::decode_json(QSOsync::Front::read_file("$folder/log.json"))}], [1, 2, 3],
    'each page is there, in order';

done_testing;
