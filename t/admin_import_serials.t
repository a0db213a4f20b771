use QSOsync::Test fronts => 'nginx';
use QSOsync::Kit;
use QSOsync::Adif;

# ADIF has separate fields for contest serial numbers, but a QSO has the serial number in its signal report.
# qsosync-admin and the client kit convert the cases in t/data/serials.tsv in both directions.
my $service = QSOsync::Service->start;
my $folder = $service->directory;
my @cases = grep { $_->[0] !~ /\A#/ } map { chomp; [map { $_ // '' } (split /\t/, $_, -1)[0 .. 6]] }
    split /^/, QSOsync::Front::read_file("$QSOsync::Front::SOURCE/t/data/serials.tsv");
cmp_ok scalar @cases, '>', 30, 'the table of serials has cases';
my %names = (rstSent => [qw(RST_SENT STX STX_STRING)], rstReceived => [qw(RST_RCVD SRX SRX_STRING)]);
my @records = map {
    my ($number, $case) = ($_, $cases[$_]);
    adif_record(QSO_DATE => '20260517', TIME_ON => sprintf('%02d%02d', int $number / 60, $number % 60),
        FREQ => '27.555', MODE => 'FM', CALL => '26AT101',
        map { my $names = $_; map { ($names->[$_] => $case->[$_]) } 0 .. 2 } values %names)
        =~ s/<\w+:0> //gr;
} 0 .. $#cases;
my $path = adif_file($service, @records);
my $kit = $service->add_member('26AT102');
my $program = QSOsync::Kit::client('qsosync.py');
my %reads = (
    'qsosync-admin' => { callsign => '21SD333', key => $service->read_key,
        read => sub { import_adif($service, '21SD333', $path)->{details} },
        write => sub { [split /\n/, $service->admin('export', '21SD333', '--strict')] } },
    'qsosync.py' => { callsign => '26AT102', key => $kit->{read_key},
        read => sub { run_kit('push', $path) }, write => sub { run_kit('pull') } },
);
sub run_kit {
    my ($status, $output) = QSOsync::Kit::run("$folder/client.log",
        QSOsync::Kit::environment($service, key => $kit->{write_key}), 'python3', $program, @_);
    is $status, 0, "qsosync.py: $_[0] succeeds";
    return [split /\n/, $output];
}
sub fields_of_serials {
    my ($record) = @_;
    my %fields;
    while ($record =~ /<(\w+):(\d+)>/g) { $fields{$1} = substr $record, pos $record, $2 }
    return \%fields;
}

for my $who (sort keys %reads) {
    my $of = $reads{$who};
    my $told = join "\n", @{$of->{read}->()};
    my %by_minute = map { substr($_->{qsoAt}, 11, 5) => $_ } $service->download(key => $of->{key});
    my %written = map { $_->{TIME_ON} => $_ } map { fields_of_serials($_) } grep { /<TIME_ON/ } @{$of->{write}->()};
    @written{map { substr $_, 0, 4 } keys %written} = values %written;
    for my $number (0 .. $#cases) {
        my ($report, $rst, $stx, $string) = @{$cases[$number]}[3 .. 6];
        my $case = join '|', @{$cases[$number]}[0 .. 2];
        my $qso = $by_minute{sprintf '%02d:%02d', int $number / 60, $number % 60};
        my $record = $written{sprintf '%02d%02d', int $number / 60, $number % 60};
        for my $field (sort keys %names) {
            is $qso->{$field}, $report eq '' ? undef : $report, "$who: $case gives $field";
            is join('|', map { $record->{$_} // '' } @{$names{$field}}), "$rst|$stx|$string",
                "$who: $field of $case is split into the ADIF fields";
        }
    }
    like $told, qr/\bSTX_STRING makes the report too long|\bSTX makes the report too long/,
        "$who: a serial that makes the report too long is reported";
}

# With the extra fields, each record is exported as imported.
my @whole = map { fields_of_serials($_) } grep { /<TIME_ON/ } split /\n/, $service->admin('export', '21SD333');
my %came = map { fields_of_serials($_)->{TIME_ON} => fields_of_serials($_) } @records;
my @wrong = grep {
    my ($written, $came) = ($_, $came{substr $_->{TIME_ON}, 0, 4});
    grep { ($written->{$_} // '') ne ($came->{$_} // '') } map { @$_ } values %names;
} @whole;
is scalar @whole, scalar @cases, 'every record with a serial is exported';
is scalar @wrong, 0, 'qsosync-admin exports each serial as imported' or diag explain \@wrong;

my $poorer = adif_record(QSO_DATE => '20260517', TIME_ON => '0000', BAND => '11m', CALL => '26AT101',
    RST_SENT => '59');
is import_adif($service, '21SD333', adif_file($service, $poorer))->{counts}{unchanged}, 1,
    'a record without the serial keeps the stored serial';

done_testing;
