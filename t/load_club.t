use QSOsync::Test fronts => 'nginx', slow => 50, suite => 'all';

# A club's month: phones and loggers that follow the recommended procedure have in the end what the service holds, and
# the service holds what it acknowledged, whatever happened meanwhile. QSOSYNC_TEST_SEED does it again,
# QSOSYNC_TEST_SECONDS takes longer. QSOSYNC_TEST_OLDER, a folder with the programs of an older version, has it begin
# with them and go on with these after a third of the time.
use QSOsync::Club;
my $missing = QSOsync::Faults::missing();
plan skip_all => $missing if $missing;

my $seed = drawn_seed();
my $club = QSOsync::Club->new(seed => $seed, members => $ENV{QSOSYNC_TEST_MEMBERS} || 20,
    older => $ENV{QSOSYNC_TEST_OLDER});
$club->run($ENV{QSOSYNC_TEST_SECONDS} || 45);
$club->finish;
note "events: ", join ', ', map { "$club->{events}{$_} $_" } sort keys %{$club->{events}};
is join("\n", @{$club->{problems}}), '', 'every client has the log that the service must hold';
is $club->{service}->admin('check'), '', 'after the month the logbook is whole';
cmp_ok $club->{events}{requests}, '>', 500, 'there was something to go wrong';

done_testing;
