use QSOsync::Test fronts => 'none';
use QSOsync::Profile;

# The page of a station counts QSOs, divisions and squares without reading the log. After any write, the page's numbers
# equal those in the operators' statistics, which are counted from the whole log.
my $service = QSOsync::Service->start(site => 1);
my $seed = drawn_seed();
$service->admin('station', 'add', '14/AT0', '--locator', 'JN03');
$service->admin('station', 'set', '14/AT0', '--page', 'on');
$service->admin('station', 'grant', '14/AT0', '21SD333');
my $key = $service->admin('key', 'add', '14/AT0', '--name', 'x', '--scope', 'WRITE');
my $member = QSOsync::Profile->log_in($service, '21SD333');
sub ask { return $service->request('GET', '', raw_path => "/log/14-AT0/$_[0]")->json }

# These callsigns and places are at the limits of the counts.
my @callsigns = (undef, '26AT101', '26 at-1', '26-', '2-6.AT', '161/21SD333', '26/1', '26/A', '/26AT', 'AT26', '0AT1',
    '00AT1', '026AT1', '26AT', '999ZZ1', '1234AT', "26\x{e4}T", '351AT9', '1', '15SD1/P');
my @degrees = (0, -90, 90, 89.999999, -89.99999, 45, 0.000001, -0.000001, 59.958333, 10.708333);
sub place {
    my $kind = int rand 4;
    return $kind == 0 ? () : $kind == 1 ? (dxLocator => ('JO59jw', 'JN58', 'AA00', 'RR99xx')[rand 4])
        : (dxLat => $degrees[rand @degrees], dxLng => 2 * $degrees[rand @degrees],
            $kind == 3 ? (dxLocator => 'KP03') : ());
}
sub drawn { return qso(callsignWorked => $callsigns[rand @callsigns], place(), @_) }

sub agree {
    my ($when) = @_;
    my ($summary, $statistics) = (ask('summary'), $member->get('statistics?log=14/AT0')->json);
    is_deeply [@$summary{qw(qsos divisions squares)}],
        [$statistics->{qsos}, scalar @{$statistics->{divisions}}, $statistics->{squareCount}], "the numbers agree $when"
        or diag "QSOSYNC_TEST_SEED=$seed";
    return;
}
agree('in an empty log');
my @qsos = map { drawn() } 1 .. 150;
is $service->post_batch(\@qsos, key => $key)->status, 200, 'QSOs are saved';
agree('after QSOs were added');
for my $round (1 .. 5) {
    $service->post_batch([map { drawn(clientId => $qsos[rand @qsos]{clientId}) } 1 .. 40], key => $key);
    agree("after QSOs were changed ($round)");
    $service->delete_qso($_->{clientId}, key => $key) for splice @qsos, rand @qsos, 8;
    agree("after QSOs were deleted ($round)");
}
my $act = $member->get('history?log=14/AT0&limit=1')->json->{items}[0]{number};
$member->post('undo?log=14/AT0', { act => "$act" });
is ask('summary')->{qsos}, 0, 'undoing the newest act leaves no QSO in the log';
agree('after an act was undone');
$service->post_batch([map { drawn() } 1 .. 100], key => $key);
agree('after QSOs were added again');
is +($service->admin_try('check'))[0], 0, 'check accepts the counts of every log';

# The next write counts a log without counts. Until then, the page still finds stations in that log.
$service->sqlite('DELETE FROM page_counts; DELETE FROM page_worked');
ok scalar @{ask('worked?call=26AT')->{worked}}, 'a station is found in a log without counts';
$service->post_batch([drawn()], key => $key);
agree('after a write to a log without counts');
ok scalar @{ask('worked?call=26AT')->{worked}}, 'a station is found in a log with counts';
is $service->sqlite('SELECT count(*) FROM page_counts WHERE member_id = 1'), 0,
    'the log of a member who is not a station has no counts';
is +($service->admin_try('check'))[0], 0, 'the logbook passes the check';
$service->admin('station', 'revoke', '14/AT0', '21SD333');
$service->admin('member', 'disable', '14/AT0');
$service->admin('member', 'delete', '14/AT0', '--yes');
is $service->sqlite('SELECT (SELECT count(*) FROM page_counts) + (SELECT count(*) FROM page_worked)'), 0,
    'a deleted station leaves no counts';
$service->stop;

done_testing;
