use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use Time::HiRes qw(sleep time);
use QSOsync::Case;
use QSOsync::Race;
use QSOsync::Service;

# No incremental download ever misses a write, whatever runs at the same time: clients that follow the
# procedure of the API to the letter end with the log, whoever wrote meanwhile and in whichever worker.
# QSOSYNC_TEST_SECONDS: how long (5). QSOSYNC_TEST_WORKER: another worker, such as one without barrier.
my $seconds = $ENV{QSOSYNC_TEST_SECONDS} || 5;
my $service = QSOsync::Service->start(workers => 4);
plan skip_all => 'a process for each request is too slow for a race' if $service->front eq 'cgi';

# Two members confirm each other's QSOs all the time, which changes both logs in one write.
my $second = $service->add_member('26AT101');
my %key = (mine => [$service->read_key, $service->write_key],
    theirs => [@{$second}{qw(read_key write_key)}]);
my %worked = (mine => '26AT101', theirs => '21SD333');
my @writers = map { ("mine", "theirs") } 1 .. 4;
my @readers = map { ("mine", "theirs") } 1 .. 4;

my $directory = tempdir(CLEANUP => 1);
mkdir "$directory/$_" for qw(results writing);
my $end = time + $seconds;
my $seed = $ENV{QSOSYNC_TEST_SEED} || 20260517;
my $nobody_writes = sub { time > $end && !glob "$directory/writing/*" };

my $number = 0;
my @tasks = map {
    my ($who, $mark, $own_seed) = ($_, "$directory/writing/" . ++$number, $seed + $number);
    open my $file, '>', $mark or die $!;
    sub {
        srand $own_seed;
        my $text = eval { write_for_a_while($service, $key{$who}[1], $worked{$who}, $end) };
        my $error = $@;
        unlink $mark;
        return defined $text ? $text : die $error;
    }
} @writers;
my @limits = (20, 500, 7, 100);
push @tasks, map {
    my ($who, $limit) = ($_, $limits[$number++ % @limits]);
    sub {
        my $replica = new_replica();
        my $times = follow_until($service, $key{$who}[0], $replica, $limit, $nobody_writes);
        return join "\n", $times, scalar(@{$replica->{wrong}}), @{$replica->{wrong}},
            map { $replica->{items}{$_} } sort keys %{$replica->{items}};
    }
} @readers;

my @results = in_parallel("$directory/results", @tasks);

my %truth = map { $_ => replica_of_download($service, $key{$_}[0])->{items} } keys %key;
my %should;
for my $who (@writers) {
    my $text = shift @results;
    unlike $text, qr/^died/, 'every write is answered' or diag $text;
    $should{$who}{$1} = $2 while $text =~ /^(\S+) (\d+)$/mg;
}
for my $who (sort keys %truth) {
    my %is = map { /"clientId":"([^"]*)".*"notes":"(\d+)"/ ? ($1 => $2) : () } values %{$truth{$who}};
    is_deeply \%is, $should{$who}, scalar(keys %is) . ' QSOs: the log is what was acknowledged, no more and no less';
}
my $deliveries = 0;
for my $reader (0 .. $#readers) {
    my ($times, $wrong, @lines) = split /\n/, $results[$reader];
    if ($times !~ /\A\d+\z/) {
        fail "reader $reader: $results[$reader]";
        next;
    }
    my @complaints = splice @lines, 0, $wrong;
    my $truth = $truth{$readers[$reader]};
    my @expected = map { $truth->{$_} } sort keys %$truth;
    my %have = map { $_ => 1 } @lines;
    my $missed = grep { !$have{$_} } @expected;
    is "@complaints", '', "reader $reader: every page is in order, and everything in it after updatedSince";
    is $missed, 0, "reader $reader: no update is lost in $times downloads";
    is scalar(@lines), scalar(@expected), "reader $reader: what was deleted is gone";
    $deliveries += $times;
}
cmp_ok $deliveries, '>', @readers * 5, "the readers did follow ($deliveries downloads)";
is $service->admin('check'), '', 'and the database is whole';

done_testing;
