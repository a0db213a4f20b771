use QSOsync::Test;
use File::Find ();

# A key exists only in its request: not in a file, not in an answer, and not in a worker's memory afterwards.
my $service = QSOsync::Service->start(workers => 1);
my ($read, $write) = ($service->read_key, $service->write_key);
(my $unknown = $read) =~ tr/a-y/b-z/;
my @keys = ($read, $write, substr($write, 0, -1), $unknown);
my $me = ['GET', '/me'];

# These requests contain a key, and have different outcomes.
my @requests = (
    (map { [@$me, key => $_] } @keys), (map { [@$me, headers => { 'X-API-Key' => $_ }] } @keys),
    [@$me, key => $read, headers => { 'X-API-Key' => $write }],
    [@$me, headers => { Authorization => "Basic $read" }], [@$me, headers => { Authorization => $read }],
    ['GET', '/logs', key => $read], ['GET', '/logs?limit=0', key => $read], ['GET', '/logs/ids', key => $read],
    ['GET', '/nothing', key => $read], ['PUT', '/me', key => $read, body => ''], ['GET', '/openapi.json',
        key => $read],
    ['POST', '/logs/batch', key => $write, json => { entries => [map { full_qso() } 1 .. 200] }],
    ['POST', '/logs/batch', key => $read, json => { entries => [qso()] }],
    ['POST', '/logs/batch', key => $write, body => '{', headers => { 'Content-Type' => 'application/json' }],
    ['DELETE', '/logs/' . uuid(), key => $write],
);

# Returns whether the text contains a key or a part of a key.
sub holds_key { my ($text) = @_; return scalar grep { index($text, substr $_, 12, 25) >= 0 } @keys }

my ($worker) = $service->worker_pids;
my $readable = $worker && !QSOsync::Front::is_instrumented() && defined $service->memory_of($worker);

# Waits until the worker's memory contains no key, because the answer can arrive before the worker finishes the request.
sub is_forgotten { until_true(sub { !holds_key($service->memory_of($worker)) }) }

my @kept;
for my $request (@requests) {
    my $response = $service->request(@$request);
    my $name = "$request->[0] $request->[1] $request->[2]";
    ok !holds_key(join '', $response->body, map { @$_ } values %{$response->headers}),
        "the answer to $name contains no key";
    push @kept, $name if $readable && !is_forgotten();
}
SKIP: {
    skip 'only root can read the memory of a worker that the test started', 2 unless $readable;
    like $service->memory_of($worker), qr/\Q@{[$service->db]}\E/, "the worker's memory can be read";
    is "@kept", '', "after a request, the worker's memory contains no part of a key";
}

my (@files, @holding);
File::Find::find({ no_chdir => 1, wanted => sub { push @files, $_ if -f $_ } }, $service->directory);
holds_key(QSOsync::Front::read_file($_)) and push @holding, $_ for @files;
for my $suffix ('', '-gate', '-limits') {
    ok scalar(grep { $_ eq $service->db . $suffix } @files), "the search for keys read logbook.db$suffix";
}
is "@holding", '', "none of the service's files contains a key or a part of a key";
$service->stop;

done_testing;
