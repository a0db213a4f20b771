use QSOsync::Test fronts => 'nginx', slow => 25, suite => 'all';
use QSOsync::Bench;

# make bench: which rows it measures, what it tells of each, and what it writes as JSON.
QSOsync::Front::end_leak_detector(); # what is measured is not to be looked into meanwhile
my $folder = File::Temp::tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);

# Runs it with these settings: its exit status, what it printed, and the JSON.
sub bench {
    my (%setting) = @_;
    my $path = "$folder/bench.json";
    unlink $path;
    my %settings = (JSON => $path, LOG_QSOS => 1000, ROUNDS => 2, %setting);
    my ($status, $text) = QSOsync::Bench::run_program(\%settings, 'run');
    return ($status, $text, -e $path ? QSOsync::Bench::read_document($path) : undef);
}

my @rows = QSOsync::Bench::rows();
my %count;
$count{$_->{name}}++ for @rows;
is_deeply [grep { $count{$_} > 1 } sort keys %count], [], 'no two rows have the same name';
is_deeply [map { $_->{name} } grep { $_->{rounds} !~ /\A\d+\z/ || $_->{what} eq '' || $_->{unit} eq ''
    || $_->{goal} !~ /\A(?:[<>]= [\d.]+)?\z/ } @rows], [], 'each row says what it measures, its unit and its goal';

my ($status, $text, $run) = bench(MINUTES => 0);
is $status, 0, 'without time nothing is measured' or diag $text;
is_deeply [map { $_->{name} } @{$run->{rows}}], [map { $_->{name} } grep { $_->{rounds} } @rows],
    'every row that is not left for ROWS stands in the JSON, in the order of the table';
is_deeply [grep { $_ ne 'MINUTES=0 were over' } map { $_->{notMeasured} // 'nothing' } @{$run->{rows}}], [],
    'each says that it was not measured, and why';
my $told = () = $text =~ /not measured: MINUTES=0 were over$/mg;
is $told, scalar @{$run->{rows}}, 'the table says so of each of them';

($status, $text) = bench(ROWS => 'profile nonsense');
isnt $status, 0, 'a row that does not exist is refused';
like $text, qr/^ROWS: there is no row or measurement nonsense$/m, 'the message names it';

($status, $text, $run) = bench(ROWS => 'profile.first profile.again', SEED => 5);
is $status, 0, 'two rows are measured' or diag $text;
is_deeply [map { $_->{name} } @{$run->{rows}}], [qw(profile.first profile.again)], 'the others are left out';
is_deeply [grep { !defined } @{$run}{qw(format measuredAt version commit seconds)}], [], 'the JSON tells the run';
is_deeply [$run->{seed}, $run->{quick} ? 1 : 0], [5, 0], 'its seed and its size stand there';
is_deeply [grep { !$run->{machine}{$_} } qw(processor cores kernel system architecture memoryMiB sqlite)], [],
    'the facts of the machine stand there';
for my $row (@{$run->{rows}}) {
    is scalar @{$row->{rounds}}, 2, "$row->{name} has two rounds";
    my @numbers = map { @{$_}{qw(value seconds others stolen)} } @{$row->{rounds}};
    is scalar(grep { defined && /\A[\d.e-]+\z/ } @numbers), 8,
        "each round of $row->{name} tells how busy others kept the machine";
    ok $row->{least} <= $row->{median} && $row->{median} <= $row->{greatest}, "$row->{name} has a range";
    ok $row->{reached} == ($row->{median} <= 30), "$row->{name} says whether it reaches its goal";
    like $text, qr/^\Q$row->{what}\E/m, "$row->{name} is a line of the table";
}

($status, $text, $run) = bench(ROWS => 'batches cgi.hash', ROUNDS => 1);
is $status, 0, 'rows beside programs of the bench are measured' or diag $text;
is_deeply [map { $_->{notMeasured} // () } @{$run->{rows}}], [], 'the programs know the schema of today';
is_deeply [grep { !defined $_->{rounds}[0]{ours} || !defined $_->{rounds}[0]{limit} } @{$run->{rows}}], [],
    'a ratio tells both of its sides';

# What a row says of its rounds.
my %row = (name => 'made', measurement => 'made', what => 'made', against => 'limit', unit => 'ratio', goal => '<= 2');
my @rounds = map { { value => $_, seconds => 1, others => 0.01, stolen => 0.01 } } 3, 1, 2, 1.5;
my $summary = QSOsync::Bench::summary(\%row, @rounds);
is_deeply [@{$summary}{qw(least median greatest)}], [1, 1.75, 3], 'least, median and greatest of the rounds';
ok $summary->{reached} && !$summary->{othersUsedMachine}, 'a goal is reached by the median, on a quiet machine';
unlike QSOsync::Bench::line($summary), qr/others|missed/, 'the line says no more';
$rounds[1]{others} = 0.2;
$summary = QSOsync::Bench::summary({ %row, goal => '>= 2' }, @rounds);
ok !$summary->{reached} && $summary->{othersUsedMachine}, 'one busy round marks the row';
like QSOsync::Bench::line($summary), qr/missed; others used the machine \(21 %\)$/, 'the line says that, and the share';

# Whose work it is. A process that works until it has used 0.3 s of the processor, and then waits for $held.
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
cmp_ok $during - $before, '>=', 25, 'the work of a program that was started is not that of others';
syswrite $release, 'x';
waitpid $pid, 0;
cmp_ok QSOsync::Bench::Others::ticks_below($$), '>=', $during, 'it is counted on after its end';

$before = QSOsync::Bench::Others::ticks_below($$);
my $middle = fork // die "fork: $!";
if (!$middle) { # its child is nobody's here as soon as it has ended itself
    my $orphan = fork // POSIX::_exit(1);
    POSIX::_exit(0) if $orphan;
    close $release;
    sysread $held, my $text, 1; # until the one in the middle is gone
    work($writer, $held);
}
waitpid $middle, 0;
syswrite $release, 'x';
<$reader>;
cmp_ok QSOsync::Bench::Others::ticks_below($$) - $before, '<', 25, 'the work of a program of others is theirs';
syswrite $release, 'x';

done_testing;
