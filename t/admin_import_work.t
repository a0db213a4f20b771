use QSOsync::Test fronts => 'none', slow => 16, suite => 'all';
use List::Util qw(max);
use POSIX ();
use constant QSOS => QSOsync::Front::is_instrumented() ? 10_000 : 100_000;

# The work of an import is proportional to the number of records, even if all records are one contact or could match
# each other.
my $service = QSOsync::Service->start(workers => 1);
my $record = '<call:7>26AT001<qso_date:8>20260517<band:3>11m<mode:3>SSB';
my $members = 100;
sub named { sprintf '<APP_QSOSYNC_CLIENT_ID:36>%08x-0000-5000-8000-%012x', int rand 0xffffffff, $_[0] }

# Imports n records into a new log. Returns the processor time in seconds.
sub work {
    my ($n, $make, $qsos) = @_;
    my $callsign = sprintf '26AT%d', $members++;
    my $path = $service->directory . '/records.adi';
    $service->admin('member', 'add', $callsign, '--locator', 'JO59');
    QSOsync::Front::write_file($path, join "\n", '<eoh>', map { $make->($_) } 1 .. $n);
    my $before = (times)[2];
    my ($status, $report) = $service->admin_try('import', $callsign, $path);
    my $seconds = (times)[2] - $before;
    is "$status " . ($report =~ /^imported (\d+)$/m ? $1 : $report), "0 " . $qsos->($n),
        "$n records create the expected number of QSOs";
    return $seconds;
}
my %shapes = (
    'records of one contact' => [sub { "$record<time_on:4>1942<eor>" }, sub { 1 }],
    'records of one contact, every second record with a clientId' => [sub {
        "$record<time_on:4>1942" . ($_[0] % 2 ? named($_[0]) : '') . '<eor>';
    }, sub { $_[0] / 2 + 1 }],
    'records of one station and time' => [sub {
        sprintf "$record<time_on:6>1942%02d<freq:6>27.%03d<eor>", $_[0] % 60, $_[0] / 60;
    }, sub { $_[0] }],
);
for my $shape (sort keys %shapes) {
    work_is_linear((map { max(0.05, work($_, @{$shapes{$shape}})) } 1000, growth() * 1000), $shape);
}

done_testing;
