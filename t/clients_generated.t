use QSOsync::Test fronts => 'nginx', suite => 'all', slow => 120;
use File::Copy qw(copy);
use File::Temp;
use QSOsync::Kit;

# Programs generate clients from openapi.json. The generated code is valid under strict types, and a client that uses it
# keeps all rules of the API. redocly and spectral find no fault in openapi.json, and newman runs the collection for
# Postman. t/generators/package.json has the versions.
my $generators = "$QSOsync::Front::SOURCE/t/generators";
plan skip_all => 'the generators are installed by ./bootstrap --browser'
    if !-d "$generators/node_modules/orval" || system('node --version >/dev/null 2>&1') != 0;
my $service = QSOsync::Service->start;
my $folder = File::Temp->newdir;
copy $_, "$folder" or die "$_: $!" for glob "$generators/*.ts $generators/*.cjs $generators/*.json $generators/*.yaml";
symlink "$generators/node_modules", "$folder/node_modules" or die "symlink: $!";
QSOsync::Front::write_file("$folder/openapi.json", $service->request('GET', '/openapi.json')->body);

# Returns the output of a tool, and tests that the tool succeeds.
sub run_tool {
    my ($rule, $line) = @_;
    my $said = `cd '$folder' && DO_NOT_TRACK=1 node_modules/.bin/$line 2>&1`;
    is $?, 0, $rule or diag $said;
    return $said;
}

# Both checkers also succeed with warnings, which they print.
$ENV{REDOCLY_TELEMETRY} = 'off';
$ENV{REDOCLY_SUPPRESS_UPDATE_NOTICE} = 'true';
for my $tool ('redocly lint openapi.json --extends recommended',
    'spectral lint openapi.json --ruleset spectral.yaml --fail-severity hint') {
    my ($name) = $tool =~ /\A(\w+)/;
    unlike run_tool("$name accepts openapi.json", $tool), qr/warning/i, "$name has no warning about openapi.json";
}

my %line = (
    'openapi-typescript' => 'openapi-typescript openapi.json -o made/openapi-typescript.ts',
    'hey-api' => 'openapi-ts -i openapi.json -o made/hey-api -c @hey-api/client-fetch',
    'orval' => 'orval --config orval.config.cjs',
    'swagger-typescript-api' => 'swagger-typescript-api -p openapi.json -o made -n swagger-typescript-api.ts',
);
run_tool("$_ generates a client", $line{$_}) for sort keys %line;
run_tool('every generated client is valid under strict types', 'tsc -p .');

# Each client has its own folder for its log. The checks wait most of the time, so they run at once.
my %checks;
for my $name (sort keys %line) {
    run_tool("the client of $name becomes one file",
        "esbuild $name.ts --bundle --platform=node --format=esm --log-level=warning --outfile=made/$name.mjs");
    my $client = "node '$folder/made/$name.mjs'";
    $checks{$name} = QSOsync::Kit::begin_check('--seconds', 60, '--sync', "$client sync", '--add',
        "$client add {callsign}", '--list', "$client list", '--edit', "$client edit {clientId} {notes}", '--delete',
        "$client delete {clientId}");
}
is_deeply [QSOsync::Kit::end_check($checks{$_})], [0, "all rules kept\n"], "the client of $_ keeps all rules"
    for sort keys %checks;

# The collection for Postman saves a QSO, reads the log, and deletes the QSO.
my $collection = "$QSOsync::Front::BUILD/clients/qsosync.postman_collection.json";
for my $run (1, 2) {
    my $said = run_tool("newman runs the collection for Postman (run $run)", "newman run '$collection' --color off "
        . '--env-var baseUrl=' . $service->base_url . ' --env-var key=' . $service->write_key);
    is scalar(() = $said =~ /\[(?:200 OK|204 No Content), /g), 6, 'every request of the collection succeeds';
}
is scalar($service->download), 0, 'the collection leaves no QSO';
my $base = $service->base_url;
isnt system("cd '$folder' && node_modules/.bin/newman run '$collection' --env-var baseUrl=$base >/dev/null 2>&1"), 0,
    'without a key, newman reports a failure';
$service->stop;

done_testing;
