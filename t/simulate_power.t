use QSOsync::Test fronts => 'none', suite => 'all';
use QSOsync::Faults;

# In the simulation, a request that is sent while the power is off is answered after the power has returned.
plan skip_all => $_ for grep { $_ } QSOsync::Faults::missing();
require QSOsync::Simulation::World;
my $world = QSOsync::Simulation::World->new(power => 1);
$world->command('member', 'add', '21SD001', '--locator', 'JO59jw')->{status} == 0 or die 'member';
my $key = $world->command('key', 'add', '21SD001', '--name', 'program', '--scope', 'WRITE')->{output};
my %ask = (method => 'GET', path => '/me', key => $key, done => sub { });
$world->send(%ask);
my $late;
$world->after(0, sub { $late = $world->send(%ask) });
$world->cut_power(0);
my ($cut) = grep { $_->{what} eq 'cut' } @{$world->{history}};
$world->pump(sub { $late->{end} });
is $late->{status}, 200, 'a request that is sent while the power is off is answered after the power returns';
cmp_ok $late->{start}, '>', $cut->{end}, 'a request that is sent while the power is off counts as later than the cut';
$world->stop;

done_testing;
