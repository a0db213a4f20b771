use QSOsync::Test fronts => 'nginx', slow => 25, suite => 'all';
use QSOsync::Bench::Document;
use QSOsync::Bench::Others;
use QSOsync::Bench::Rows;
use QSOsync::Bench::Summary;
use QSOsync::Bench;

# make bench measures its rows, reports each row, and writes JSON.
QSOsync::Front::end_leak_detector(); # the leak detector would distort the measurements
my $folder = File::Temp::tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);

# Runs the bench with these settings. Returns the exit status, the output, and the JSON.
sub bench {
    my (%setting) = @_;
    my $path = "$folder/bench.json";
    unlink $path;
    my %settings = (JSON => $path, LOG_QSOS => 1000, ROUNDS => 2, %setting);
    my ($status, $text) = QSOsync::Bench::run_program(\%settings, 'run');
    return ($status, $text, -e $path ? QSOsync::Bench::Document::read_document($path) : undef);
}

my @rows = QSOsync::Bench::Rows::rows();
my %count;
$count{$_->{name}}++ for @rows;
is_deeply [grep { $count{$_} > 1 } sort keys %count], [], 'the names of rows are unique';
is_deeply [map { $_->{name} } grep { $_->{rounds} !~ /\A\d+\z/ || $_->{what} eq '' || $_->{unit} eq ''
    || $_->{goal} !~ /\A(?:[<>]= [\d.]+)?\z/ } @rows], [],
    'each row has a number of rounds, a subject, a unit and a valid goal';

my ($status, $text, $run) = bench(MINUTES => 0);
is $status, 0, 'a bench that has no time for any row succeeds' or diag $text;
is_deeply [map { $_->{name} } @{$run->{rows}}], [map { $_->{name} } grep { $_->{rounds} } @rows],
    'the JSON lists all standard rows in the order of the table';
is_deeply [grep { $_ ne 'MINUTES=0 had passed' } map { $_->{notMeasured} // 'nothing' } @{$run->{rows}}], [],
    'an unmeasured row has the reason in the JSON';
my $told = () = $text =~ /not measured: MINUTES=0 had passed$/mg;
is $told, scalar @{$run->{rows}}, 'the printed table has the reason for each unmeasured row';

($status, $text) = bench(ROWS => 'profile nonsense');
isnt $status, 0, 'an unknown row is refused';
like $text, qr/^ROWS: nonsense is not a row or measurement$/m, 'the message names the unknown row';

($status, $text, $run) = bench(ROWS => 'profile.first profile.again', SEED => 5);
is $status, 0, 'a bench of two rows succeeds' or diag $text;
is_deeply [map { $_->{name} } @{$run->{rows}}], [qw(profile.first profile.again)],
    'rows that are not named in ROWS are omitted';
is_deeply [grep { !defined } @{$run}{qw(format measuredAt version commit seconds)}], [], 'the JSON describes the run';
is_deeply [$run->{seed}, $run->{quick} ? 1 : 0], [5, 0], 'the JSON has the seed, and whether the run was quick';
is_deeply [grep { !$run->{machine}{$_} } qw(processor cores kernel system architecture memoryMiB sqlite)], [],
    'the JSON describes the machine';
for my $row (@{$run->{rows}}) {
    is scalar @{$row->{rounds}}, 2, "$row->{name} has two rounds";
    my @numbers = map { @{$_}{qw(value seconds others stolen)} } @{$row->{rounds}};
    is scalar(grep { defined && /\A[\d.e-]+\z/ } @numbers), 8,
        "each round of $row->{name} has a value, a duration and the load of other programs";
    ok $row->{least} <= $row->{median} && $row->{median} <= $row->{greatest},
        "the median of $row->{name} is within the range";
    ok $row->{reached} == ($row->{median} <= 30), "$row->{name} states whether its goal is reached";
    like $text, qr/^\Q$row->{what}\E/m, "$row->{name} is a line of the printed table";
}

($status, $text, $run) = bench(ROWS => 'batches cgi.hash', ROUNDS => 1);
is $status, 0, "rows that use the bench's own programs are measured" or diag $text;
is_deeply [map { $_->{notMeasured} // () } @{$run->{rows}}], [], "the bench's programs use the current schema";
is_deeply [grep { !defined $_->{rounds}[0]{ours} || !defined $_->{rounds}[0]{limit} } @{$run->{rows}}], [],
    'a round of a ratio has both values';

# A summary describes a row's rounds.
my %row = (name => 'made', measurement => 'made', what => 'made', against => 'limit', unit => 'ratio', goal => '<= 2');
my @rounds = map { { value => $_, seconds => 1, others => 0.01, stolen => 0.01 } } 3, 1, 2, 1.5;
my $summary = QSOsync::Bench::Summary::summary(\%row, @rounds);
is_deeply [@{$summary}{qw(least median greatest)}], [1, 1.75, 3],
    'a summary has the least, the median and the greatest value';
ok $summary->{reached} && !$summary->{othersUsedMachine},
    'the median decides whether the goal is reached, and a quiet machine is not marked';
unlike QSOsync::Bench::Summary::line($summary), qr/others|missed/, 'a reached goal gets no remark';
$rounds[1]{others} = 0.2;
$summary = QSOsync::Bench::Summary::summary({ %row, goal => '>= 2' }, @rounds);
ok !$summary->{reached} && $summary->{othersUsedMachine}, 'one busy round marks the whole row';
like QSOsync::Bench::Summary::line($summary), qr/missed; others used the machine \(21 %\)$/,
    'the line has the missed goal and the share of other load';

# Processor time counts as the bench's own work or as other programs' work. This process uses 0.3 s of processor time,
# writes to $done, and waits for $held.
sub work {
    my ($done, $held) = @_;
    while ((times)[0] + (times)[1] < 0.3) { QSOsync::Bench::Others::ticks_below($$) }
    syswrite $done, "done\n";
    sysread $held, my $text, 1;
    POSIX::_exit(0);
}
pipe my $reader, my $writer or die $!;
pipe my $held, my $release or die $!;
my $before = QSOsync::Bench::Others::ticks_below($$);
my $pid = fork // die "fork: $!";
if (!$pid) { close $release; work($writer, $held) }
<$reader>;
my $during = QSOsync::Bench::Others::ticks_below($$);
cmp_ok $during - $before, '>=', 25, "a child process's work does not count as other programs' work";
syswrite $release, 'x';
waitpid $pid, 0;
cmp_ok QSOsync::Bench::Others::ticks_below($$), '>=', $during, "a child process's work counts after the process ends";

$before = QSOsync::Bench::Others::ticks_below($$);
my $middle = fork // die "fork: $!";
if (!$middle) { # this process ends at once, so its child becomes an orphan
    my $orphan = fork // POSIX::_exit(1);
    POSIX::_exit(0) if $orphan;
    close $release;
    sysread $held, my $text, 1; # waits until the middle process has ended
    work($writer, $held);
}
waitpid $middle, 0;
syswrite $release, 'x';
<$reader>;
cmp_ok QSOsync::Bench::Others::ticks_below($$) - $before, '<', 25,
    "an unrelated program's work counts as other programs' work";
syswrite $release, 'x';

done_testing;
