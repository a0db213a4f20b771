use QSOsync::Test fronts => 'nginx', suite => 'all', slow => 110;
use File::Temp;

# The API's page has an example of each request in several languages, from src/clients/examples. Each example works as
# printed. An example reports a refused key, and fails.
my $service = QSOsync::Service->start;
my $folder = File::Temp->newdir;
my $examples = "$QSOsync::Front::SOURCE/src/clients/examples";
my $api = $service->get('/openapi.json')->json;
my @names = map { $_->{operationId} } map { values %$_ } values %{$api->{paths}};

# Each language has the end of the file's name, a program that must be installed, and two commands. The first command
# builds the program NAME from FILE; the second command runs the program.
my %language = (
    c => ['c', 'cc', 'cc -Wall -Wextra -Werror -o NAME FILE -lcurl -luuid', './NAME'],
    csharp => ['cs', 'mcs', 'mcs -r:System.Net.Http.dll -out:NAME.exe FILE', 'mono NAME.exe'],
    go => ['go', 'go', 'HOME=$PWD GO111MODULE=off go build -o NAME FILE', './NAME'],
    javascript => ['mjs', 'node', '', 'node FILE'],
    pascal => ['pas', 'fpc', 'fpc -v0 -FE. -oNAME FILE', './NAME'],
    php => ['php', 'php', '', 'php FILE'],
    python => ['py', 'python3', '', 'python3 FILE'],
);
is_deeply [map { m{([^/]+)\z} } glob "$examples/*"], [sort keys %language],
    'this test has every language of the examples';

# Runs an example. Returns the exit status and the output.
sub run_example {
    my ($language, $name, %option) = @_;
    my ($end, undef, undef, $run) = @{$language{$language}};
    $run =~ s/NAME/$language-$name/;
    $run =~ s/FILE/$examples\/$language\/$name.$end/;
    local $ENV{QSOSYNC_URL} = $service->base_url;
    local $ENV{QSOSYNC_KEY} = $option{key} || $service->write_key;
    my $said = `cd '$folder' && $run @{$option{arguments} || []} 2>&1`;
    return ($? >> 8, $said);
}
for my $language (sort keys %language) {
    my ($end, $program, $build) = @{$language{$language}};
    my @files = map { m{([^/]+)\.$end\z} } glob "$examples/$language/*";
    is_deeply [sort @files], [sort @names], "$language has one example of each request";
    SKIP: {
        skip "$program is not installed", 1 if system("command -v $program >/dev/null 2>&1") != 0;
        for my $name ($build ? @names : ()) {
            my $line = $build =~ s/NAME/$language-$name/r =~ s/FILE/$examples\/$language\/$name.$end/r;
            my $said = `cd '$folder' && $line 2>&1`;
            is $?, 0, "$language: $name is built" or diag $said;
        }
        my %output;
        my $see = sub {
            my ($name, $pattern, @arguments) = @_;
            (my $status, $output{$name}) = run_example($language, $name, arguments => \@arguments);
            ok $status == 0 && $output{$name} =~ $pattern, "$language: $name works" or diag "$status $output{$name}";
            note "$language: $name: " . substr $output{$name}, 0, 100;
        };
        $see->('saveQsos', qr/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/);
        my ($qso) = $service->download;
        my $id = $qso->{clientId};
        is "@{$qso}{qw(callsignWorked frequencyMhz mode band)}", '26AT101 27.555 USB ELEVEN_METERS',
            "$language: the log has the QSO";
        $see->('getMember', qr/21SD333/);
        $see->('listQsos', qr/$id.*26AT101.*\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/s);
        $see->('listIds', qr/$id/);
        $see->('getDescription', qr/\A1\s|openapi/);
        $see->('deleteQso', qr/\A\s*\z/, $id);
        is scalar($service->download), 0, "$language: the log no longer has the QSO";
        my ($again) = run_example($language, 'deleteQso', arguments => [$id]);
        is $again, 0, "$language: a second deletion counts as done";
        for my $name (grep { $_ ne 'getDescription' } @names) {
            my ($status, $said) = run_example($language, $name, key => 'qsosync_wrong', arguments => [$id]);
            isnt $status, 0, "$language: $name fails with a wrong key";
            like $said, qr/API_KEYS\.INVALID/, "$language: $name names the fault"
                if $language =~ /\A(?:php|python)\z/ && $name ne 'deleteQso';
        }
    }
}
$service->stop;

done_testing;
