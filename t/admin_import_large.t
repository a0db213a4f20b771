use QSOsync::Test fronts => 'none', slow => 55, suite => 'all';
use QSOsync::Adif;

# A log of 100,000 QSOs is exported and imported completely, in bounded memory. With sanitizers, which keep freed
# memory, a tenth of the QSOs suffices.
use List::Util qw(max);
use POSIX ();
use constant QSOS => QSOsync::Front::is_instrumented() ? 10_000 : 100_000;
my $service = QSOsync::Service->start;
$service->admin('member', 'add', '26AT101', '--locator', 'JO59');
my $file = adif_file($service, map { my @at = gmtime(1_700_000_000 + 97 * $_);
    adif_record(CALL => sprintf('%dAT%03d', $_ % 300 + 1, $_ % 1000), QSO_DATE => POSIX::strftime('%Y%m%d', @at),
        TIME_ON => POSIX::strftime('%H%M%S', @at),
        FREQ => sprintf('27.%03d', $_ % 1000), BAND => '11m', MODE => 'SSB', SUBMODE => 'USB', NAME => "Bob $_",
        COMMENT => "Sporadic E \x{105}", RST_SENT => '59') }
    1 .. QSOS);

# Runs the command; returns its output and its peak memory in KiB, without the mapped file of the logbook.
sub run_watched {
    my (@arguments) = @_;
    my $output = $service->directory . '/watched';
    my $pid = fork // die "fork: $!";
    if (!$pid) {
        open STDOUT, '>', $output or POSIX::_exit(127);
        exec "$QSOsync::Front::BUILD/qsosync-admin", '--db', $service->db, @arguments or POSIX::_exit(127);
    }
    my $most = 0;
    until (waitpid $pid, POSIX::WNOHANG()) {
        my $has_begun = (readlink "/proc/$pid/exe" // '') =~ /qsosync-admin\z/; # no longer our copy
        my $now = $service->memory_kib($pid, 'RssAnon');
        $most = $now if $has_begun && $now > $most;
        select undef, undef, undef, 0.01;
    }
    is $?, 0, "'$arguments[0]' of a large log succeeds";
    return (QSOsync::Front::read_file($output), $most);
}

my $export = $service->directory . '/export.adi';
my $bound = QSOsync::Front::is_instrumented() ? 1024 : 32; # MiB
my @keep = ('--station-callsign', 'keep');
for (['import', '21SD333', $file], ['export', '21SD333', $export], ['import', '26AT101', $export, @keep]) {
    my ($output, $most) = run_watched(@$_);
    like $output, qr/\A(?:im|ex)ported @{[QSOS]}\n/, "'$_->[0]' counts every QSO";
    cmp_ok $most, '<=', $bound * 1024, "'$_->[0]' of a large log stays within 32 MiB";
}
my $differ = $service->sqlite("SELECT count(*) FROM (
    SELECT qso_at, frequency, mode, callsign_worked, ifnull(operator_callsign, '21SD333'), notes, rst_sent FROM qsos
    GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING count(*) <> 2)");
is $differ, 0, 'the exported and imported logs are equal';
is $service->sqlite('SELECT count(*) FROM qsos'), 2 * QSOS, 'both large logs are complete';

# A terminal shows the progress of work of more than a second. A faster machine gets more work.
my $screen;
for (1 .. 4) {
    (undef, $screen) = $service->admin_on_terminal('', 'import', '26AT101', $export, @keep);
    last if $screen =~ /%/;
    my ($head, $records) = split /(?<=<EOH>)/i, QSOsync::Front::read_file($export), 2;
    QSOsync::Front::write_file($export, $head . $records . $records);
}
like $screen, qr/\rimporting: \d+ % \[#* *\] *\r/, 'a long import shows a progress bar on a terminal';
like $screen, qr/\r *\rimported \d+\n/, 'the bar is erased before the report';

# The work of an import is proportional to its records, even if all of them are one contact, or could be any other.
{
    my $service = QSOsync::Service->start(workers => 1);
    my $record = '<call:7>26AT001<qso_date:8>20260517<band:3>11m<mode:3>SSB';
    my $members = 100;
    sub named { sprintf '<APP_QSOSYNC_CLIENT_ID:36>%08x-0000-5000-8000-%012x', int rand 0xffffffff, $_[0] }

    # Returns the seconds of processor time for n records in a new log, and the last line of the output.
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
            "$n records are imported";
        return $seconds;
    }
    my %shapes = (
        'records of one contact' => [sub { "$record<time_on:4>1942<eor>" }, sub { 1 }],
        'records of one contact, every second of them with a clientId' => [sub {
            "$record<time_on:4>1942" . ($_[0] % 2 ? named($_[0]) : '') . '<eor>';
        }, sub { $_[0] / 2 + 1 }],
        'records of one station and time' => [sub {
            sprintf "$record<time_on:6>1942%02d<freq:6>27.%03d<eor>", $_[0] % 60, $_[0] / 60;
        }, sub { $_[0] }],
    );
    for my $shape (sort keys %shapes) {
        work_is_linear((map { max(0.05, work($_, @{$shapes{$shape}})) } 1000, growth() * 1000), $shape);
    }
}

done_testing;
