use QSOsync::Test fronts => 'none', slow => 70, suite => 'all';
use List::Util qw(shuffle uniq);
use QSOsync::PowerCut;

# A power cut can leave any part of a write on the disk. Afterwards the logbook has every acknowledged change, no
# refused change and no partial change. New stamps are later than every time that a client was given. If the disk failed
# within the commit, the refused change can exist, unless a reader was given a time at or after the change's stamp. Each
# run draws eight kinds of work. QSOSYNC_POWER_CUT_STATES (50 by default) and QSOSYNC_TEST_SEED change the choice.
# t/powercut/run tests all kinds by hand and documents the seeds.
SKIP: {
    skip $_, 1 for grep { $_ } QSOsync::PowerCut::missing();
    # A killed recorder leaves a partial entry, and all other entries are read.
    my @entries = map { QSOsync::PowerCut::Disk::entry('M', 'x' x $_) } 0, 5, 600, 33;
    my @misread = grep {
        my $record = join '', @entries[0, 1], substr($entries[2], 0, $_), $entries[3];
        join(' ', map { length $_->[4] } @{QSOsync::PowerCut::Disk::read_record($record)}) ne '0 5 33';
    } 0 .. length($entries[2]) - 1;
    is "@misread", '', 'a partial entry is ignored and hides no other entry';

    my $states = $ENV{QSOSYNC_POWER_CUT_STATES} || 50;
    my $seed = drawn_seed();
    my $folder = File::Temp::tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);
    my $cut = QSOsync::PowerCut->new("$folder/cut");

    my @again = qw(fastcgi hours killed); # also used below
    $cut->record($seed, (uniq @again, shuffle(QSOsync::PowerCut::Workload::names()))[0 .. 7]);
    my %all = (seconds => 300, states => $states, seed => $seed, jobs => 2);
    my $found = $cut->run(%all);
    my $summary = QSOsync::PowerCut::summary($found);
    note "seed $seed\n$summary";
    cmp_ok $found->{states}, '>', 20, 'the recorded work gives more than 20 states';
    if (!is scalar @{$found->{faults}}, 0, 'the logbook survives every state that a power cut leaves') {
        my $kept = File::Temp::tempdir('qsosync-power-cut-XXXXXXXX', TMPDIR => 1);
        system 'cp', '-a', "$folder/cut", $kept;
        diag "seed $seed\n$summary", "look again: t/powercut/run --in $kept/cut --state NAME",
            "all of them: t/powercut/run --in $kept/cut --seed $seed --states $states --seconds 300";
    }
    my %few = (%all, jobs => 1, names => [qw(fastcgi killed)], states => 10, unjudged => 1);
    my @digests = map { $cut->run(%few)->{digest} } 1, 2;
    is $digests[0], $digests[1], 'a record and a seed always give the same states';
    isnt $cut->run(%few, seed => $seed + 1)->{digest}, $digests[0], 'another seed gives other states';

    # The judge must be able to find faults. The same work is judged as if no program had synced a file, or without the
    # page of the writer lock.
    my %careless = (fastcgi => 'SFY', hours => 'Y');
    for my $name (sort keys %careless) {
        $found = $cut->run(seconds => 120, seed => $seed, jobs => 1, names => [$name], without => $careless{$name},
            faults => 1);
        cmp_ok scalar @{$found->{faults}}, '>', 0, "the judge finds faults in the work $name without its safeguards";
    }
}

done_testing;
