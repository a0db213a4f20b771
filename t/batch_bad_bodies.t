use QSOsync::Test fronts => 'nginx';
use JSON::PP ();

# Each of hundreds of bad bodies gets the specified answer. The worker continues, and its memory hardly grows.
# QSOSYNC_TEST_REQUESTS sets the number of bodies (600 by default).
my $requests = $ENV{QSOSYNC_TEST_REQUESTS} || 600;
my $service = QSOsync::Service->start(workers => 1);
my ($worker) = $service->worker_pids;

sub memory { $service->memory_kib($worker, 'RssAnon') }

my $max = 8 * 1024 * 1024;
my $entry = JSON::PP::encode_json(full_qso());
my $long = 'x' x 1_000_000;
my %bad = (
    'wrong UTF-8' => [400, "{\"entries\":[{\"notes\":\"\xc3\x28\"}]}"],
    '201 entries' => [400, '{"entries":[' . join(',', ($entry) x 201) . ']}'],
    'nesting of 10,000' => [400, '{"entries":' . '[' x 10_000 . ']' x 10_000 . '}'],
    'a lone {' => [400, '{'],
    'a string that never ends' => [400, "{\"entries\":[\"$long"],
    'a number with a million digits' => [400, '{"entries":' . '9' x 1_000_000 . '}'],
    'ten thousand names' => [400, '{' . join(',', map { qq("n$_":$_) } 1 .. 10_000) . '}'],
    '200,000 wrong literals' => [400, '{"entries":[' . 'nul,' x 200_000 . ']}'],
    '8 MiB that are not JSON' => [400, '{"entries":["' . 'x' x ($max - 15) . '"}'],
    '8 MiB and one byte' => [413, ' ' x ($max + 1)],
);
my @names = sort keys %bad;
my %wrong;
sub send_bad {
    my ($name) = @_;
    my ($status, $body) = @{$bad{$name}};
    my $response = $service->request('POST', '/logs/batch', key => $service->write_key, body => $body,
        headers => { 'Content-Type' => 'application/json' });
    my $got = !$response ? 'no answer' : $response->status . ' ' . ($response->code || '');
    $wrong{"$name: $got"}++ if $got ne "$status VALIDATION.FAILED";
}
send_bad($_) for @names, @names, @names;
my $before = memory();
for (1 .. $requests) {
    my $name = $names[$_ % @names];
    send_bad($name) if length $bad{$name}[1] < 4_000_000 || $_ <= 60;
}
is join(', ', sort keys %wrong), '', 'every bad body gets the specified answer';
my $may_grow = QSOsync::Front::is_instrumented() ? 1 << 20 : 1024;
cmp_ok memory() - $before, '<', $may_grow, "$requests bad bodies cost the worker less than $may_grow KiB of memory";
is $service->post_batch([qso()])->json->{results}[0]{error}, undef,
    'the same worker saves a valid body after bad bodies';
is scalar($service->download), 1, 'bad bodies save no QSO';

done_testing;
