use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/lib";
use QSOsync::Case;
use QSOsync::Service;

# Workers that are killed at any moment: every acknowledged batch is whole, every other one whole or absent.
use POSIX ();
use Time::HiRes qw(sleep);
my $service = QSOsync::Service->start(workers => 4);
plan skip_all => 'the front starts workers itself' unless $service->has_socket;
my $kills = $ENV{QSOSYNC_TEST_KILLS} || 40;
my $other = $service->add_member('26AT101');
$service->expect_log(qr/upstream|recv\(\) failed|prematurely closed|AH\d+/);

# Writers send batches of QSOs that name their batch, with spots and partners, and note what was acknowledged.
my @writers;
for my $number (1 .. 4) {
    my $pid = fork;
    if (!$pid) {
        srand $$;
        open my $file, '>', $service->directory . "/acknowledged-$number" or POSIX::_exit(1);
        my $stop;
        $SIG{TERM} = sub { $stop = 1 };
        my $key = $number % 2 ? $service->write_key : $other->{write_key};
        for (my $batch = 1; !$stop; $batch++) {
            my $name = "$number-$batch";
            my @entries = map { qso(notes => $name, sendSpot => JSON::PP::true(), frequencyMhz => '27.555',
                callsignWorked => $number % 2 ? '26AT101' : '21SD333') } 1 .. 20;
            my $response = $service->post_batch(\@entries, key => $key);
            syswrite $file, "$name\n" if $response && $response->status == 200 && $response->complete;
        }
        POSIX::_exit(0);
    }
    push @writers, $pid;
}
for (1 .. $kills) {
    sleep 0.01 + rand 0.06;
    my @pids = $service->worker_pids;
    $service->end_worker($pids[rand @pids], 'KILL');
    $service->start_worker;
}
kill 'TERM', @writers;
waitpid $_, 0 for @writers;

my %count;
$count{$_->{notes}}++ for $service->download, $service->download(key => $other->{read_key});
my @half = grep { $count{$_} != 20 } keys %count;
is "@half", '', 'no batch is there in half';
my @acknowledged = map { open my $file, '<', $_ or die $!; map { chomp; $_ } <$file> }
    glob $service->directory . '/acknowledged-*';
my @lost = grep { !$count{$_} } @acknowledged;
is "@lost", '', 'every acknowledged batch is there';
cmp_ok scalar(@acknowledged), '>', 5, 'and there were some';
is $service->sqlite('SELECT count(*) FROM qsos WHERE (spotted_at IS NOT NULL) <> EXISTS (SELECT 1 FROM spots WHERE qso_id = qsos.id)'),
    0, 'no spot without its QSO, no QSO without its spot';
is $service->admin('check'), '', 'the database is whole';
is $service->get('/me')->status, 200, 'and the service goes on';

done_testing;
