use QSOsync::Test fronts => 'nginx', slow => 15, suite => 'all';

# The race test finds what it looks for: a service that stamps before it waits, and whose readers take the
# clock as it is, loses updates.
use File::Temp qw(tempdir);
use QSOsync::Race;
use QSOsync::Variant;
plan skip_all => $_ for grep { $_ } QSOsync::Variant::missing();

my $folder = tempdir(CLEANUP => 1);
QSOsync::Variant::compile("$QSOsync::Front::SOURCE/t/naive/writer_lock.c", "$folder/writer_lock.o");
QSOsync::Variant::link_program('qsosync.fcgi', "$folder/naive.fcgi", "$folder/writer_lock.o");
ok -x "$folder/naive.fcgi", 'the naive variant builds';

$ENV{QSOSYNC_TEST_WORKER} = "$folder/naive.fcgi";
my $lost = 0;
for my $attempt (1 .. 5) {
    my $service = QSOsync::Service->start(workers => 4);
    my $sum = QSOsync::Race::run($service, seconds => 3, writers => 8, readers => 8);
    $lost += $sum->{lost} + $sum->{late} + $sum->{disorder};
    $service->stop;
    last if $lost;
}
cmp_ok $lost, '>', 0, 'replicas of the naive variant lose updates or get them out of order';

done_testing;
