use QSOsync::Test fronts => 'main', slow => 15, suite => 'all';

# No incremental download ever misses a write or, where it asks for deletions, one of them, whatever runs at the same
# time.
use QSOsync::Race;
my $service = QSOsync::Service->start(workers => 4);
my $sum = QSOsync::Race::run($service, seconds => $ENV{QSOSYNC_TEST_SECONDS} || 4, writers => 8, readers => 8);
diag "$sum->{batches} batches, $sum->{downloads} downloads" if $ENV{QSOSYNC_TEST_SECONDS};
cmp_ok $sum->{batches}, '>', 20, 'the writers saved batches for the readers to miss';
is $sum->{lost}, 0, 'after the last download every replica equals the log';
is $sum->{left}, 0, 'after /logs/ids, or told of deletions, no replica holds what was deleted';
cmp_ok $sum->{deletions}, '>', 0, 'there were deletions to be told of';
is $sum->{unknown}, 0, 'all deletions were known all the time';
is $sum->{late}, 0, 'an incremental download delivers only what is newer than updatedSince';
is $sum->{disorder}, 0, 'an incremental download is in the order of the stamps';
is $service->admin('check'), '', 'the database is whole';

done_testing;
