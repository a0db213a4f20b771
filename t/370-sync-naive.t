use QSOsync::Test fronts => 'nginx', slow => 1;

# The race test finds what it looks for: a service that stamps before it waits, and whose readers take the
# clock as it is, loses updates.
use File::Temp qw(tempdir);
use QSOsync::Front;
use QSOsync::Race;
my ($source, $build) = ($QSOsync::Front::SOURCE, $QSOsync::Front::BUILD);
plan skip_all => 'there is no compiler' if system('cc --version >/dev/null 2>&1') != 0;

my $folder = tempdir(CLEANUP => 1);
my @sources = grep { !m{/writer_lock\.c\z|/admin/} } glob "$source/src/*/*.c";
push @sources, "$build/schema/embedded.c";
my $output = `cc -std=gnu11 -O1 -D_GNU_SOURCE \\
    -I'$source/src' -I'$build' -o '$folder/naive.fcgi' @sources '$source/t/naive/writer_lock.c' \\
    -lfcgi -ljson-c -lsqlite3 -lcrypto -luuid -lm 2>&1`;
is $?, 0, 'the naive variant builds' or diag $output;

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
