use QSOsync::Test fronts => 'nginx';
use QSOsync::Adif;
use QSOsync::Faults;
use Errno qw(EIO);
use POSIX ();

# A killed import has saved whole transactions, and the next import completes the killed import. Another member writes
# in the meantime.
use constant QSOS => 3000;
my $service = QSOsync::Service->start;
$service->admin('member', 'add', '26AT101', '--locator', 'JO59');
my $file = adif_file($service,
    map { adif_record(CALL => "26AT$_", QSO_DATE => '20260517',
        TIME_ON => sprintf('%02d%02d', $_ / 60 % 24, $_ % 60),
    BAND => '11m', NOTES => 'x' x 200) } 1 .. QSOS);

sub count_of {
    my ($callsign) = @_;
    return $service->sqlite("SELECT count(*) FROM qsos JOIN members ON members.id = member_id WHERE callsign = "
        . "'$callsign'");
}
sub begin_import {
    my ($callsign) = @_;
    my $pid = fork // die "fork: $!";
    return $pid if $pid;
    open STDOUT, '>', '/dev/null' or POSIX::_exit(127);
    exec "$QSOsync::Front::BUILD/qsosync-admin", '--db', $service->db, 'import', $callsign, $file
        or POSIX::_exit(127);
}

my ($killed_midway, @written) = (0);
for my $round (1 .. 8) {
    my $pid = begin_import('26AT101');
    my $qso = qso();
    push @written, $qso->{clientId} if !$service->post_batch([$qso])->json->{results}[0]{error};
    select undef, undef, undef, 0.01 * $round;
    kill 'KILL', $pid;
    waitpid $pid, 0;
    my $count = count_of('26AT101');
    is $count % 500, 0, "a kill leaves whole transactions (round $round)";
    $killed_midway++ if $count > 0 && $count < QSOS;
}
my $before = count_of('26AT101');
my $report = import_adif($service, '26AT101', $file);
is_deeply [@{$report->{counts}}{qw(imported unchanged updated rejected)}], [QSOS - $before, $before, 0, 0],
    'the next import completes a killed import';
is count_of('26AT101'), QSOS, 'the log is complete after the next import';
is scalar(@written), 8, 'another member can write during imports';
is count_of('21SD333'), 8, "another member's QSOs are saved during imports";
is $service->admin('check'), '', 'the logbook passes the check after killed imports';

# Two commands import the same file at once.
$service->admin('member', 'add', 'B', '--locator', 'JO59');
my @pids = map { begin_import('B') } 1, 2;
waitpid $_, 0 for @pids;
is count_of('B'), QSOS, 'two concurrent imports of one file add each QSO once';
# The disk fails at any write or sync. A command that reports success has saved the change and a line in the activity
# log.
SKIP: {
    my $missing = QSOsync::Faults::missing();
    skip $missing, 1 if $missing;
    my $faults = QSOsync::Faults->new;
    my $small = adif_file($service, adif_record(CALL => '26AT1', QSO_DATE => '20260517', TIME_ON => '1200',
        BAND => '11m'));
    my $backup = 0;
    my %command = (
        import => sub { ('import', 'C', $small) },
        backup => sub { ('backup', $service->directory . '/' . ++$backup . '.db') },
        'club set' => sub { ('club', 'set', '--name', 'Club ' . rand) },
    );
    $service->admin('member', 'add', 'C', '--locator', 'JO59');
    my %environment = (QSOSYNC_DB => $service->db, %{$faults->environment});
    my $run = sub {
        local @ENV{keys %environment} = values %environment;
        return $service->admin_try($command{$_[0]}->());
    };
    for my $act (sort keys %command) {
        for my $kind (qw(write sync)) {
            $faults->strike($kind);
            $run->($act);
            my $calls = $faults->lift;
            cmp_ok $calls, '>', 0, "$act makes $kind calls that can fail";
            my ($told, $noted) = ('', '');
            for my $at (1 .. $calls) {
                my $sql = "SELECT count(*) FROM operator_log WHERE act = '$act'";
                my $acts = $service->sqlite($sql);
                $faults->strike($kind, at => $at, error => EIO);
                my ($status, undef, $errors) = $run->($act);
                $faults->lift;
                $told .= " $at" if $status == 0 && $errors ne '';
                $noted .= " $at" if $status == 0 && $service->sqlite($sql) == $acts;
            }
            is $told, '', "$act: a command that prints an error after a failing $kind does not exit with status 0";
            is $noted, '', "$act: exit status 0 despite a failing $kind means that the act is recorded";
        }
    }
    is $service->admin('check'), '', 'the logbook passes the check after failures of the disk';
}
diag "$killed_midway of 8 imports were killed midway" if $ENV{TEST_VERBOSE};

done_testing;
