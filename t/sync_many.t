use QSOsync::Test fronts => 'nginx';
use POSIX ();
use Time::HiRes ();

# Three readers and two writers work at once.
my $service = QSOsync::Service->start(workers => 12, environment => { QSOSYNC_RATE_LIMIT => 0 });
my (@readers, @writers, @answers);
my $path = $service->directory . '/answers';
for my $number (1 .. 3) {
    my $pid = fork // die "fork: $!";
    push(@readers, $pid), next if $pid;
    open my $log, '>', "$path.$number" or die $!;
    for (1 .. 150) {
        my $began = Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC());
        my $page = $service->get('/logs?limit=500&includeDeleted=true')->json;
        my $ended = Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC());
        my ($latest) = sort { $b cmp $a } '', map({ $_->{syncedAt} } @{$page->{items}}),
            map { $_->{deletedAt} } @{$page->{deleted}};
        print $log "$began $ended $page->{serverTime} $latest\n";
    }
    close $log;
    POSIX::_exit(0);
}
for my $number (1 .. 2) {
    my $pid = fork // die "fork: $!";
    push(@writers, $pid), next if $pid;
    srand $number;
    my @own = map { qso() } 1 .. 5;
    while (1) { $service->post_batch([$own[rand @own]]) }
}
waitpid $_, 0 for @readers;
kill KILL => @writers;
waitpid $_, 0 for @writers;
for my $number (1 .. 3) {
    push @answers, map { [split / /] } split /\n/, QSOsync::Front::read_file("$path.$number");
}
is scalar(grep { $_->[2] lt ($_->[3] // '') } @answers), 0, 'no page has a stamp above its serverTime';
my ($back, $greatest) = (0, '');
my @by_end = sort { $a->[1] <=> $b->[1] } @answers;
# Each answer is compared with the answers that ended before the answer's request began.
for my $answer (sort { $a->[0] <=> $b->[0] } @answers) {
    while (@by_end && $by_end[0][1] < $answer->[0]) {
        my $told = (shift @by_end)->[2];
        $greatest = $told if $told gt $greatest;
    }
    $back++ if $answer->[2] lt $greatest;
}
is $back, 0, 'no serverTime is below the serverTime of an earlier answer to any client';
$service->stop;

done_testing;
