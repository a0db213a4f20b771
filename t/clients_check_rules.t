use QSOsync::Test fronts => 'none', slow => 5;
use QSOsync::Kit;

# The checker of clients accepts a request or an entry if and only if the service does. The service and the checker
# decide about the same requests: hand-written entries, and entries with random values in every field.
my $service = QSOsync::Service->start;
my $json = JSON::PP->new->canonical->allow_nonref->utf8;
drawn_seed();

# Calls a function of the checker with each list of arguments. Returns for each call whether the checker found no fault.
sub ask_checker {
    my ($function, $arguments) = @_;
    my $path = $service->directory . '/asked.json';
    QSOsync::Front::write_file($path, $json->encode($arguments));
    my $program = "import json, sys\nfrom importlib.machinery import SourceFileLoader\nsys.dont_write_bytecode = True\n"
        . "checker = SourceFileLoader('checker', sys.argv[1]).load_module()\n"
        . "print(json.dumps([checker.$function(*one) is None for one in json.load(open(sys.argv[2]))]))\n";
    my $checker = QSOsync::Kit::client('qsosync-check-client.py');
    open my $output, '-|', 'python3', '-W', 'ignore', '-c', $program, $checker, $path or die "python3: $!";
    my $text = do { local $/; <$output> };
    close $output or die 'the checker failed';
    return @{$json->decode($text)};
}

sub compare {
    my ($name, $function, $arguments, @by_service) = @_;
    my @by_checker = ask_checker($function, $arguments);
    my @differing = grep { !!$by_checker[$_] ne !!$by_service[$_] } 0 .. $#by_service;
    is_deeply [map { $json->encode($arguments->[$_]) } @differing], [],
        "the checker accepts $name if and only if the service does";
}

my @queries = ({}, map { my $name = $_->[0]; map { { $name => $_ } } @{$_->[1]} }
    ['limit', [qw(1 500 501 0 1000 -1 x 1.0 +5 05), '', ' 5']], ['ahead', [qw(0 8 9 -1 x)]],
    ['includeDeleted', [qw(true false TRUE 1), '']],
    ['updatedSince', ['11/28/2026 00:31:58', '2026-11-28T00:31:58', '2026-11-28T00:31:58Z', '2026-11-28t00:31:58z',
        '2026-11-28T00:31:58.1234567Z', '2026-11-28T00:31Z', '2026-11-28T00:31:58+01:00', '2026-11-28T00:31:58 01:00',
        '2026-11-28T00:31:58+0100', '2026-11-28T00:31:58+01', '2026-11-28', '2026-02-30T00:00:00Z',
        '2024-02-29T00:00:00Z',
        '2026-11-28T24:00:00Z', '2026-11-28T23:59:60Z', '2026-11-28T23:59:61Z', '2026-11-28T00:31:58,5Z',
        '2026-11-28T00:31:58.Z', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59-01:00',
        '20261128T003158Z', '1795825918', '']]);
compare('a query', 'fault_of_query', [map { [$_] } @queries], map {
    my %query = %$_;
    my $text = join '&', map { "$_=" . $query{$_} =~ s/([^\w.:-])/sprintf '%%%02X', ord $1/ger } keys %query;
    $service->get("/logs?$text")->status == 200;
} @queries);

my @values = (undef, JSON::PP::true(), JSON::PP::false(), 0, 1, 16, 17, -5, 1.5, 5.0, 1e300, '', ' ', 'x', ' 27.555 ',
    '27.555', '27.55', '28.000', '28.001', '025.000', 'USB', 'usb', 'PMR446', 'ELEVEN_METERS', 'JO59jw', 'jo59JW',
    'JO59',
    'JO5', '88.5', '254.1', 'D023N', '023', 'd023', uuid(), uc uuid(), uuid() =~ s/-//gr, '2026-05-17T19:42:00Z',
    '2026-05-17T19:42', 'SHORT', 'SP', 'WKD', 'DIRECT', 'x' x 10, 'x' x 11, 'x' x 20, 'x' x 21, 'x' x 2001,
    "a\0b", "\x{2003}é\x{1F600}",
    [], {}, ['x'], 'find', 'WSJT-X', 'w' x 33, '000', '42');
my @names = (keys %{full_qso()}, keys %{full_pmr_qso()}, qw(baseSyncedAt match program programId inventedLater));
my @entries = (5, 'x', [], undef, {}, qso(), full_qso(), full_pmr_qso());
for my $name (@names) {
    for my $entry (full_qso(), full_pmr_qso(), qso()) {
        push @entries, map { { %$entry, clientId => uuid(), $name => $_ } } @values;
        my %without = (%$entry, clientId => uuid());
        delete $without{$name};
        push @entries, \%without;
    }
}
for (1 .. 300) {
    my %entry = (%{(full_qso(), full_pmr_qso(), qso())[rand 3]}, clientId => uuid());
    $entry{$names[rand @names]} = $values[rand @values] for 1 .. 3;
    push @entries, \%entry;
}
my @accepted;
for (my $at = 0; $at < @entries; $at += 200) {
    my @some = @entries[$at .. ($at + 199 < $#entries ? $at + 199 : $#entries)];
    push @accepted, map { !$_->{permanent} } @{$service->post_batch(\@some)->json->{results}};
}
compare('an entry', 'fault_of_entry', [map { [$_] } @entries], @accepted);

done_testing;
