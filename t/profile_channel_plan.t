use QSOsync::Test;
use QSOsync::Profile;

# The plan by which a member numbers the CB channels. The pages and the app read the plan from the service, so all
# devices of a member agree.
my $service = QSOsync::Service->start(workers => 1, site => 1);
$service->admin('station', 'add', '14/AT0', '--locator', 'JN03');
$service->admin('station', 'grant', '14/AT0', '21SD333');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $log = 'log=14%2Fat0';
sub plan_of { return $me->get('me' . ($_[0] // ''))->json->{channelPlan} }

is plan_of(), undef, 'at first, no plan is set';
is_deeply [sort keys %{$service->get('/me')->json}], [qw(callsign locator scope)],
    'the API returns no plan if none is set';
is $me->post('channel-plan', { channelPlan => 'uk' })->status, 204, 'members can set their plan';
is plan_of(), 'uk', 'the profile returns the plan';
is $service->get('/me')->json->{channelPlan}, 'uk', 'the API returns the plan to programs';
is $me->get('everything.json')->json->{member}{channelPlan}, 'uk', 'a copy of all data contains the plan';
is $me->post('channel-plan', $_)->status, 400, 'an invalid plan is refused'
    for {}, { channelPlan => undef }, { channelPlan => 'a' }, { channelPlan => 41 }, { channelPlan => "uk\n" },
    { channelPlan => ['uk'] };
is $me->post('channel-plan', { channelPlan => 'de' }, headers => { 'Sec-Fetch-Site' => 'cross-site' })->status, 403,
    'another site cannot set the plan';
is plan_of(), 'uk', 'a refused request changes nothing';

is plan_of("?$log"), undef, "a station's log has its own plan";
is $me->post("channel-plan?$log", { channelPlan => 'DE' })->status, 204, "an operator can set the station's plan";
is_deeply [plan_of(), plan_of("?$log")], ['uk', 'de'], "a member's plan and a station's plan are separate";

my $backup = $service->directory . '/plans.db';
$service->admin('backup', $backup);
is $me->post('channel-plan', { channelPlan => '' })->status, 204, 'members can remove their plan';
is plan_of(), undef, 'no plan is set after the removal';
is scalar `sqlite3 '$backup' "SELECT group_concat(channel_plan) FROM members"`, "uk,de\n",
    'a backup contains the plans';

done_testing;
