use QSOsync::Test fronts => 'none', suite => 'all';

# An import does work in proportion to its records, also where all of them are of one contact, and where the log is full
# of QSOs of it that other programs have named: eight times the records take at most twelve times the processor time.
my $service = QSOsync::Service->start(workers => 1);
my $record = '<call:7>26AT001<qso_date:8>20260517<time_on:4>1942<band:3>11m<mode:3>SSB';
my $members = 100;
sub named { sprintf '<APP_QSOSYNC_CLIENT_ID:36>%08x-0000-5000-8000-%012x', int rand 0xffffffff, $_[0] }

# Seconds of processor time for n records, in a log of its own, and the last line of what was said.
sub work {
    my ($n, $make) = @_;
    my $callsign = sprintf '26AT%d', $members++;
    my $path = $service->directory . '/records.adi';
    $service->admin('member', 'add', $callsign, '--locator', 'JO59');
    QSOsync::Front::write_file($path, join "\n", '<eoh>', map { $make->($_) } 1 .. $n);
    my $before = (times)[2];
    my ($status, $report) = $service->admin_try('import', $callsign, $path);
    my $seconds = (times)[2] - $before;
    is "$status " . ($report =~ /^imported (\d+)$/m ? $1 : $report), "0 $n", "$n records are imported";
    return $seconds;
}
my %shapes = (
    'records of one contact' => sub { "$record<eor>" },
    'records of one contact, every second of which has a clientId' => sub {
        $record . ($_[0] % 2 ? named($_[0]) : '') . '<eor>';
    },
);
for my $shape (sort keys %shapes) {
    my ($small, $large) = map { work($_, $shapes{$shape}) } 1000, 8000;
    cmp_ok $large, '<=', 12 * ($small < 0.05 ? 0.05 : $small),
        "$shape: eight times as many are at most twelve times the work";
    note sprintf '%s: %.2f s, %.2f s', $shape, $small, $large;
}

done_testing;
