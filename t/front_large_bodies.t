use QSOsync::Test fronts => 'nginx';
use Time::HiRes qw(sleep);

# These bodies of 8 MiB are designed to be expensive. No request exhausts the memory, and the test reports the processor
# time.
my $service = QSOsync::Service->start(workers => 1);
my ($worker) = $service->worker_pids;
my $max = 8 << 20;
my $entry = JSON::PP::encode_json(qso());

# Returns a body with as many pieces as fit between head and tail.
sub filled {
    my ($head, $piece, $tail) = @_;
    return $head . $piece x (($max - length "$head$tail") / length $piece) . $tail;
}
sub names {
    my $body = '{';
    for (my $i = 0; length $body < $max - 40 - length $entry; $i++) { $body .= sprintf '"%x":1,', $i }
    return "$body\"entries\":[$entry]}";
}
my $good = "{\"entries\":[$entry],\"x\":[0";
my %body = (
    'a million names' => [400, names()],
    'one name a million times' => [400, filled('{', '"a":1,', "\"entries\":[$entry]}")],
    'empty objects' => [400, filled($good, ',{}', ']}')],
    'empty arrays' => [400, filled($good, ',[]', ']}')],
    'objects of one member' => [400, filled($good, ',{"":1}', ']}')],
    'all the empty objects that are accepted' => [200, $good . ',{}' x 262_100 . ']}'],
    'all the empty objects in a known field' => [200, "{\"entries\":[{\"notes\":[0" . ',{}' x 262_100 . ']}]}'],
    'all the known fields that are accepted' => [200, '{"entries":[{"notes":{}' . ',"notes":{}' x 131_000 . '}]}'],
    'all the names with escapes that are accepted' => [200, '{"entries":[{"notes":{}' . ',"\u0061b":{}' x 131_000
    . '}]}'], 'numbers' => [400, filled($good, ',1', ']}')],
    'texts' => [400, filled($good, ',""', ']}')],
    'a text of 8 MiB' => [200, filled("{\"entries\":[$entry],\"x\":\"", 'x', '"}')],
    'a text of escapes' => [200, filled("{\"entries\":[$entry],\"x\":\"", '\\u00e4', '"}')],
    'a name of 8 MiB' => [200, filled("{\"entries\":[$entry],\"", 'x', '":1}')],
    'a number of 8 MiB' => [200, filled('{"entries":[', '9', ']}')],
    'brackets' => [400, '[' x $max],
    'braces' => [400, filled('', '{"a":', '')],
    'digits' => [400, '9' x $max],
    'white space' => [400, ' ' x $max],
    '10 MB' => [413, filled("{\"entries\":[$entry]", ' ', '}') . ' ' x 2_000_000],
);

sub memory_mib { $service->memory_kib($worker, $_[0]) / 1024 }

$service->get('/me');
my ($instrumented, $before) = (QSOsync::Front::is_instrumented(), memory_mib('RssAnon'));
for my $name (sort keys %body) {
    my ($status, $body) = @{$body{$name}};
    my $started = $service->cpu_seconds($worker);
    my $response = $service->request('POST', '/logs/batch', key => $service->write_key, body => $body,
        headers => { 'Content-Type' => 'application/json' }, timeout => 120);
    is $response ? $response->status . ' ' . ($response->code || '') : 'no answer',
        $status == 200 ? '200 ' : "$status VALIDATION.FAILED", "this body gets a clear answer: $name";
    note sprintf '%s: %.2f s of processor time', $name, $service->cpu_seconds($worker) - $started;
}
SKIP: {
    skip 'a sanitizer keeps what is freed', 2 if $instrumented;
    cmp_ok memory_mib('VmHWM'), '<', 256, 'a worker uses less than 256 MiB for any body';
    for (1 .. 100) {
        last if memory_mib('RssAnon') < $before + 3;
        sleep 0.05;
    }
    cmp_ok memory_mib('RssAnon'), '<', $before + 3,
        "after the bodies, a worker holds only the database's cache";
}
is_deeply [$service->worker_pids], [$worker], 'no body ends the worker';
is waitpid($worker, POSIX::WNOHANG()), 0, 'the worker is alive after all bodies';
is scalar($service->download), 1, 'the accepted bodies save one QSO';

# Real clients stay far below the limit on names and values.
is $service->post_batch([map { { %{full_qso()}, map { ("unknown$_" => $_) } 1 .. 100 } } 1 .. 200])->status, 200,
    '200 full QSOs with 100 unknown fields each are accepted';

done_testing;
