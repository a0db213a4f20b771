use QSOsync::Test fronts => 'main', slow => 1;

# No incremental download ever misses a write, whatever runs at the same time.
use QSOsync::Race;
my $service = QSOsync::Service->start(workers => 4);
my $sum = QSOsync::Race::run($service, seconds => $ENV{QSOSYNC_TEST_SECONDS} || 4, writers => 8, readers => 8);
diag "$sum->{batches} batches, $sum->{downloads} downloads" if $ENV{QSOSYNC_TEST_SECONDS};
cmp_ok $sum->{batches}, '>', 20, 'there was something to miss';
is $sum->{lost}, 0, 'after the last download every replica equals the log';
is $sum->{left}, 0, 'and holds nothing that was deleted';
is $sum->{late}, 0, 'nothing came that was not newer than updatedSince';
is $sum->{disorder}, 0, 'and nothing out of order';
is $service->admin('check'), '', 'the database is whole';

done_testing;
