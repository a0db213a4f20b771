use QSOsync::Test fronts => 'none', slow => 20;
use QSOsync::Callgrind;
use QSOsync::Profile;
use QSOsync::Worker;

# The second view of an answer about a whole log costs the same for every log, because only the member's row is read.
# The test compares the instructions for a small log and for a log four times as large.
plan skip_all => 'valgrind cannot run these programs' if !QSOsync::Callgrind::is_possible();
my @PATHS = qw(statistics awards map worked statistics?year=2012);

# For a log with this number of QSOs, returns the statuses and instructions of the first and the second view of each
# path.
sub views {
    my ($qsos) = @_;
    my $service = QSOsync::Service->start(site => 1);
    fill_log($service, $qsos);
    my $me = QSOsync::Profile->log_in($service, '21SD333');
    my $worker = QSOsync::Callgrind->start($service, QSOsync::Front::site_program());
    my %views;
    for my $path (@PATHS) {
        my ($query) = $path =~ /\?(.*)/;
        my %variables = (REQUEST_URI => "/profile/data/$path", QUERY_STRING => $query // '', HTTP_HOST => '127.0.0.1',
            HTTP_COOKIE => $me->cookie);
        my ($first, $first_work) = $worker->ask(\%variables);
        $variables{HTTP_IF_NONE_MATCH} = $first->header('ETag');
        $worker->ask(\%variables); # the worker prepares its statements
        my ($again, $again_work) = $worker->ask(\%variables);
        $views{$path} = { statuses => join(' ', map { $_->status } $first, $again), first => $first_work,
            again => $again_work };
    }
    $worker->stop;
    $service->stop;
    return %views;
}

my %small = views(2_000);
my %large = views(8_000);
for my $path (@PATHS) {
    is $large{$path}{statuses}, '200 304', "the second view of $path gets 304";
    cmp_ok $large{$path}{again}, '<=', 1.25 * $small{$path}{again} + 30_000,
        "the second view of $path takes at most about a quarter more work with four times as many QSOs";
    cmp_ok $large{$path}{again}, '<=', $large{$path}{first} / 10,
        "the second view of $path takes at most a tenth of the first view's work";
}

for my $path (qw(statistics awards)) {
    my $each = ($large{$path}{first} - $small{$path}{first}) / 6_000;
    cmp_ok $each, '<=', 6_500, "$path takes at most 6,500 instructions for each further QSO";
}

done_testing;
