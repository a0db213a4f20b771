use QSOsync::Test fronts => 'none', slow => 70, suite => 'all';
use List::Util qw(shuffle uniq);
use QSOsync::PowerCut;

# Cut off at any write, whatever part of it the disk has kept, the logbook has every acknowledged change, none that
# was refused, none by halves, and goes on above every time that a client was told. Where the disk failed in the commit
# itself, what was refused may be there, if no reader was told a time at or above its stamp. Of the kinds of work eight
# are drawn. QSOSYNC_POWER_CUT_STATES (50) and QSOSYNC_TEST_SEED choose otherwise; t/powercut/run does the same with all
# kinds by hand, and says what a seed repeats.
SKIP: {
    skip $_, 1 for grep { $_ } QSOsync::PowerCut::missing();
    # Who is killed while it records leaves a part of an entry, and all others are read.
    my @entries = map { QSOsync::PowerCut::Disk::entry('M', 'x' x $_) } 0, 5, 600, 33;
    my @misread = grep {
        my $record = join '', @entries[0, 1], substr($entries[2], 0, $_), $entries[3];
        join(' ', map { length $_->[4] } @{QSOsync::PowerCut::Disk::read_record($record)}) ne '0 5 33';
    } 0 .. length($entries[2]) - 1;
    is "@misread", '', 'a part of an entry is none, and hides no other';

    my $states = $ENV{QSOSYNC_POWER_CUT_STATES} || 50;
    my $seed = drawn_seed();
    my $folder = File::Temp::tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);
    my $cut = QSOsync::PowerCut->new("$folder/cut");

    my @again = qw(fastcgi hours killed); # looked at below, too
    $cut->record($seed, (uniq @again, shuffle(QSOsync::PowerCut::Workload::names()))[0 .. 7]);
    my %all = (seconds => 300, states => $states, seed => $seed, jobs => 2);
    my $found = $cut->run(%all);
    my $summary = QSOsync::PowerCut::summary($found);
    note "seed $seed\n$summary";
    cmp_ok $found->{states}, '>', 20, 'the recorded work gives more than 20 states';
    if (!is scalar @{$found->{faults}}, 0, 'whatever state a power cut leaves, the logbook in it is whole') {
        my $kept = File::Temp::tempdir('qsosync-power-cut-XXXXXXXX', TMPDIR => 1);
        system 'cp', '-a', "$folder/cut", $kept;
        diag "seed $seed\n$summary", "look again: t/powercut/run --in $kept/cut --state NAME",
            "all of them: t/powercut/run --in $kept/cut --seed $seed --states $states --seconds 300";
    }
    my %few = (%all, jobs => 1, names => [qw(fastcgi killed)], states => 10, unjudged => 1);
    my @digests = map { $cut->run(%few)->{digest} } 1, 2;
    is $digests[0], $digests[1], 'a record and a seed make the same states each time';
    isnt $cut->run(%few, seed => $seed + 1)->{digest}, $digests[0], 'another seed makes others';

    # A judge who finds nothing has to be able to: the same work, had no program ever synced a file, or only the page of
    # the writer lock been left out.
    my %careless = (fastcgi => 'SFY', hours => 'Y');
    for my $name (sort keys %careless) {
        $found = $cut->run(seconds => 120, seed => $seed, jobs => 1, names => [$name], without => $careless{$name},
            faults => 1);
        cmp_ok scalar @{$found->{faults}}, '>', 0, "without its syncs the work called $name does not survive";
    }
}

done_testing;
