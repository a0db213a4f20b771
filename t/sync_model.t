use QSOsync::Test fronts => 'none', slow => 110, suite => 'all';

# The rule by which no download misses a write (src/database/writer_lock.c) holds in every state that a model of it can
# reach: t/model/writer-lock.pml, all of whose interleavings Spin tries. QSOSYNC_TEST_WRITES=2 tries
# programs that settle, too, and 3 takes minutes and gigabytes.
use File::Temp ();
plan skip_all => 'spin is not installed' if system('spin -V >/dev/null 2>&1') != 0;
plan skip_all => 'there is no compiler' if system('cc --version >/dev/null 2>&1') != 0;
plan skip_all => 'the model is no program with sanitizers' if QSOsync::Front::is_sanitized();
my $model = "$QSOsync::Front::SOURCE/t/model/writer-lock.pml";
my $writes = $ENV{QSOSYNC_TEST_WRITES} || 2;

# What Spin says: errors, the states it has seen, whether it has seen all. Where it finds an error soon, the compiler
# would take longer to optimise the search than the search does (-O0).
sub verify {
    my ($macros, $way) = @_;
    my $folder = File::Temp->newdir;
    my $output = `cd '$folder' && spin $macros -a '$model' 2>&1 &&
        cc $way -w -DSAFETY -DNOREDUCE -DNOFAIR -DNOBOUNDCHECK -DMEMLIM=3800 -o pan pan.c 2>&1 &&
        ./pan -m1000000 -w24 -n 2>&1`;
    my ($errors) = $output =~ /, errors: (\d+)/ or diag $output;
    my ($states) = $output =~ /([\d.e+]+) states, stored/;
    return ($errors, $output =~ /Search not completed|max search depth too small/ ? 0 : 1, $states);
}

my ($errors, $whole, $states) = verify("-DWRITES=$writes" . ($ENV{QSOSYNC_TEST_WRITES} ? ' -DSETTLERS' : ''), '-O1');
is $errors, 0, "no state of $writes commits breaks the rule";
ok $whole, 'every state was tried';
diag "$states states" if $ENV{QSOSYNC_TEST_WRITES};

# A model that finds nothing has to be able to: without each part of the rule it does.
my %without = (
    OLD => 'a dead writer is believed to have written nothing',
    NO_SERVED => 'a stamp need not be above what was served',
    NO_CEILING => 'no ceiling is on the disk',
    TOLD_LATE => 'what other readers were told is read after the snapshot',
    NO_KEEPING => "the next writer replaces a dead one's time by its own",
    NO_WRITING_AGAIN => 'what a failed sync has left out is not written again',
    CHECKPOINT_ALWAYS => 'pages are moved into the database whose frames may not be on the disk',
    SHOW_ALWAYS => 'readers are shown what no sync has covered',
    CLEAR_ALWAYS => "a dead writer's time goes without a commit",
);
# The order in which the search finds these soonest: of processes, and of their steps, the last one first.
my %way = (NO_KEEPING => '-O1 -DREVERSE', NO_WRITING_AGAIN => '-O1 -DT_REVERSE');
for my $macro (sort keys %without) {
    ($errors) = verify("-DWRITES=2 -D$macro", $way{$macro} || '-O0');
    is $errors, 1, "the rule is broken where $without{$macro}";
}

done_testing;
