use QSOsync::Test fronts => 'nginx', slow => 30;
use QSOsync::Evenings;

# A member has random evenings with several programs. The app, a growing file, a Cloudlog upload, a phone, and datagrams
# log the same and other contacts. Contacts arrive early, late, twice, corrected, under a new callsign, or at the same
# moment as another contact. After each step every contact is in the log exactly once, with its last values.
# QSOSYNC_TEST_ROUNDS is the number of evenings.
my $rounds = $ENV{QSOSYNC_TEST_ROUNDS} || 40;
my $first = drawn_seed();
my $service = QSOsync::Service->start(workers => 4, site => 4);
$service->admin('uploads', 'on');
my ($member, $wrong, $steps) = (undef, '', 0);
for my $evening (1 .. $rounds) {
    $member = QSOsync::Evenings->new($service) if !$member || $evening % 8 == 1;
    srand $first + $evening; # the random numbers of an evening do not depend on earlier evenings
    $member->next_evening;
    for (1 .. 12 + int rand 12) {
        $wrong = $member->step;
        $steps++;
        last if $wrong ne '';
    }
    $wrong ||= $member->end;
    next if $wrong eq '';
    diag "evening $evening:\n", join "\n", @{$member->{trace}};
    last;
}
is $wrong, '', "after each of $steps steps every contact is in the log once, with its last values";
is $service->admin('check'), '', 'the logbook passes the check';
done_testing;
