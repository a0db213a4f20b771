use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/lib";
use QSOsync::Case;
use QSOsync::FastCgi;
use QSOsync::Service;

# What comes over a worker's socket: records of any size, connections that stay, and ones that break off.
use Time::HiRes qw(sleep);
plan skip_all => 'no front server plays a part' if QSOsync::Service::default_front() ne 'nginx';
$SIG{PIPE} = 'IGNORE';
alarm 120;
my $service = QSOsync::Service->start(workers => 1);
my ($worker) = $service->worker_pids;
my %read = (HTTP_AUTHORIZATION => 'Bearer ' . $service->read_key);
my %batch = (REQUEST_METHOD => 'POST', REQUEST_URI => '/api/v1/logs/batch', CONTENT_TYPE => 'application/json',
    HTTP_AUTHORIZATION => 'Bearer ' . $service->write_key);

sub body { return JSON::PP::encode_json({ entries => \@_ }) }
sub send_bytes {
    my ($bytes) = @_;
    my $socket = QSOsync::FastCgi::connect($service);
    print {$socket} $bytes;
    $socket->flush;
    return $socket;
}
sub is_served {
    my ($name) = @_;
    my $response = QSOsync::FastCgi::answer(send_bytes(QSOsync::FastCgi::request({ %read, REQUEST_URI => '/api/v1/me' })));
    is $response && $response->status, 200, "$name: the next one is served";
    is kill(0, $worker), 1, "$name: by the same worker";
}
# What the worker meets as one, however fast it is.
sub at_once {
    my ($work) = @_;
    kill 'STOP', $worker;
    my @result = $work->();
    kill 'CONT', $worker;
    return @result;
}

for my $size (1, 7, 8, 100, 65535) {
    my $response = QSOsync::FastCgi::answer(send_bytes(QSOsync::FastCgi::request(\%batch, record_bytes => $size,
        padding => $size % 8, body => body(map { full_qso() } 1 .. 3))));
    is scalar(grep { $_->{id} } @{$response->json->{results}}), 3, "records of $size bytes make a request";
}
$service->post_batch([map { full_qso() } 1 .. 200]) for 1 .. 10;

# One connection, several requests.
my $kept = QSOsync::FastCgi::connect($service);
for my $path ('/me', '/logs?limit=500', '/nothing', '/logs/ids') {
    my ($before, $query) = split /\?/, $path;
    print {$kept} QSOsync::FastCgi::request({ %read, REQUEST_URI => "/api/v1$path", QUERY_STRING => $query || '' }, keep => 1);
    $kept->flush;
    my $response = QSOsync::FastCgi::answer($kept);
    ok $response && $response->complete && $response->json, "a kept connection answers $path";
}
close $kept;
is_served('a kept connection that is closed');

# Broken off: in the head, in the variables, in the body, before the answer, in the answer.
my $count = @{$service->get('/logs/ids')->json->{items}};
my $whole = QSOsync::FastCgi::request(\%batch, body => body(map { qso() } 1 .. 20));
for my $part (4, 30, 200, length($whole) - 300, length($whole) - 9) {
    close send_bytes(substr $whole, 0, $part);
    is_served("broken off after $part of " . length($whole) . ' bytes');
}
is @{$service->get('/logs/ids')->json->{items}}, $count, 'and nothing of what was broken off is saved';
$service->expect_log(qr/the response could not be finished/);
for my $path ('/logs', '/logs/ids') {
    at_once(sub {
        close send_bytes(QSOsync::FastCgi::request({ %read, REQUEST_URI => "/api/v1$path", QUERY_STRING => 'limit=500' }));
    });
    is_served("nobody reads $path");
    my $socket = send_bytes(QSOsync::FastCgi::request({ %read, REQUEST_URI => "/api/v1$path", QUERY_STRING => 'limit=500' }));
    sysread $socket, my $some, 1000;
    close $socket;
    is_served("nobody reads the rest of $path");
}

# A reader that is slow, and a worker that is stopped and goes on while it writes.
my ($slow) = at_once(sub {
    send_bytes(QSOsync::FastCgi::request({ %read, REQUEST_URI => '/api/v1/logs', QUERY_STRING => 'limit=500' }))
});
for (1 .. 5) {
    sleep 0.05;
    at_once(sub { sleep 0.01 });
}
my $page = QSOsync::FastCgi::answer($slow);
ok $page && $page->complete, 'a slow reader gets as many bytes as were announced';
is @{$page->json->{items}}, 500, 'and the whole page';

# A worker whose one client keeps its connection ends at once when it is asked to.
$kept = QSOsync::FastCgi::connect($service);
print {$kept} QSOsync::FastCgi::request({ %read, REQUEST_URI => '/api/v1/me' }, keep => 1);
$kept->flush;
is QSOsync::FastCgi::answer($kept)->status, 200, 'a connection is kept';
$service->end_worker($worker);
is $?, 0, 'and its worker ends well when it is asked to';
is sysread($kept, my $rest, 1), 0, 'and closes it';

done_testing;
