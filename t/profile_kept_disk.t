use QSOsync::Test fronts => 'nginx';
use POSIX ();
use QSOsync::Faults;
use QSOsync::Profile;

# What is counted of a large log is answered before it is kept, so that nobody waits for the disk, and also where it
# cannot be kept.
plan skip_all => $_ for grep { $_ } QSOsync::Faults::missing();
my $faults = QSOsync::Faults->new;
my $service = QSOsync::Service->start(site => 1, environment => $faults->environment);
fill_log($service, 1_100);
my $me = QSOsync::Profile->log_in($service, '21SD333');
my @paths = qw(statistics awards map worked);
my ($worker) = $service->site_pids;

sub kept { return $service->sqlite('SELECT count(*) FROM kept_answers') }
sub is_stopped { QSOsync::Front::read_file("/proc/$worker/stat") =~ /\) T / }

$me->get('me'); # the day of the session's last use is noted
my %counted;
for my $path (@paths) {
    $service->sqlite('DELETE FROM kept_answers');
    $faults->strike('sync', at => 1, stop => 1);
    my $response = $me->get($path, timeout => 30);
    is $response && $response->status, 200, "$path is answered";
    $counted{$path} = $response && $response->body;
    ok until_true(\&is_stopped), 'while the worker waits for the disk to keep it';
    is kept(), 0, "$path is not kept yet";
    kill 'CONT', $worker;
    ok until_true(sub { kept() > 0 }), 'it is kept when the disk has it';
    $faults->lift;
}

$service->sqlite('DELETE FROM kept_answers');
$service->expect_log(qr/: cannot /);
$faults->strike('write', at => 1, error => POSIX::ENOSPC(), forever => 1);
is $me->get($_)->body, $counted{$_}, "on a full disk $_ is answered" for @paths, @paths;
$faults->lift;
is kept(), 0, 'nothing is kept there';

done_testing;
