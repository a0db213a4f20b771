use QSOsync::Test fronts => 'none', slow => 110, suite => 'all';

# The rule by which no download misses a write (src/database/writer_lock.c) holds in every state that a model can reach.
# Spin tries all interleavings of the model, t/model/writer-lock.pml. QSOSYNC_TEST_WRITES=2 also tries programs that
# settle another program's unfinished write. The value 3 takes minutes and gigabytes.
use File::Temp ();
plan skip_all => 'spin is not installed' if system('spin -V >/dev/null 2>&1') != 0;
plan skip_all => 'the compiler is not installed' if system('cc --version >/dev/null 2>&1') != 0;
plan skip_all => 'the model does not use sanitizers' if QSOsync::Front::is_sanitized();
my $model = "$QSOsync::Front::SOURCE/t/model/writer-lock.pml";
my $writes = $ENV{QSOSYNC_TEST_WRITES} || 2;

# Returns Spin's result: the errors, whether it has seen all states, and their number. If Spin finds an error soon, an
# optimised search would take longer to compile than it saves (-O0).
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

# If any part of the rule is missing, the search must find an error.
my %without = (
    OLD => 'a dead writer is believed to have written nothing',
    NO_SERVED => 'a stamp need not be above the times that were served',
    NO_CEILING => 'the disk has no upper bound for the times that were served',
    TOLD_LATE => 'the answers to other readers are read after the snapshot',
    NO_KEEPING => "the next writer replaces a dead writer's time with its own",
    NO_WRITING_AGAIN => 'data that a failed sync left out is not written again',
    CHECKPOINT_ALWAYS => 'pages are moved into the database before their frames are on the disk',
    SHOW_ALWAYS => 'readers see data that no sync has covered',
    CLEAR_ALWAYS => "a dead writer's time is removed without a commit",
);
# The search finds these errors fastest if it begins with the last process or with the last step.
my %way = (NO_KEEPING => '-O1 -DREVERSE', NO_WRITING_AGAIN => '-O1 -DT_REVERSE');
for my $macro (sort keys %without) {
    ($errors) = verify("-DWRITES=2 -D$macro", $way{$macro} || '-O0');
    is $errors, 1, "the rule is broken if $without{$macro}";
}

done_testing;
