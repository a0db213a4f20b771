use QSOsync::Test fronts => 'none', slow => 44, suite => 'all';
use QSOsync::Adif;

# A log of 100,000 QSOs is exported and imported completely, in bounded memory. With sanitizers, which keep freed
# memory, a tenth of the QSOs suffices.
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

# Runs qsosync-admin. Returns the command's output and the peak of its anonymous memory in KiB; mapped files do not
# count.
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
        my $has_begun = (readlink "/proc/$pid/exe" // '') =~ /qsosync-admin\z/; # the child now runs the command
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
    cmp_ok $most, '<=', $bound * 1024, "'$_->[0]' of a large log uses at most $bound MiB";
}
my $differ = $service->sqlite("SELECT count(*) FROM (
    SELECT qso_at, frequency, mode, callsign_worked, ifnull(operator_callsign, '21SD333'), notes, rst_sent FROM qsos
    GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING count(*) <> 2)");
is $differ, 0, 'the exported and imported QSOs have equal values';
is $service->sqlite('SELECT count(*) FROM qsos'), 2 * QSOS, 'both large logs are complete';

# A terminal shows the progress of work that takes more than a second, so the test gives a faster machine more work.
my $screen;
for (1 .. 4) {
    (undef, $screen) = $service->admin_on_terminal('', 'import', '26AT101', $export, @keep);
    last if $screen =~ /%/;
    my ($head, $records) = split /(?<=<EOH>)/i, QSOsync::Front::read_file($export), 2;
    QSOsync::Front::write_file($export, $head . $records . $records);
}
like $screen, qr/\rimporting: \d+ % \[#* *\] *\r/, 'a long import shows a progress bar on a terminal';
like $screen, qr/\r *\rimported \d+\n/, 'the progress bar is erased before the report';

done_testing;
