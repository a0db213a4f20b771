use QSOsync::Test fronts => 'nginx';
use QSOsync::Profile;

# A member sets up alerts: rules, ways, muted stations and limits. Only the member can see and change them.
my $service = QSOsync::Service->start(site => 1);
$service->add_member('26AT101');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $other = QSOsync::Profile->log_in($service, '26AT101');
my ($yes, $no) = (JSON::PP::true(), JSON::PP::false());
my %rule = (name => 'A division', subject => 'DIVISION', need => 'BAND', source => 'HERE', band => 'ELEVEN_METERS',
    mode => 'USB', from => 420, to => 1380, days => 96, pause => 360, isOn => $yes);

my $empty = $me->get('alerts')->json;
is_deeply [map { scalar @{$empty->{$_}} } qw(rules ways mutes latest)], [0, 0, 0, 0], 'a new member has no alerts';
is $empty->{isSending}, $no, 'the page says that nothing sends alerts here';
is $service->request('GET', '', raw_path => '/profile/data/alerts')->status, 401, 'a stranger sees no alerts';

is $me->post('alerts', \%rule)->status, 204, 'a rule is added';
my ($stored) = @{$me->get('alerts')->json->{rules}};
my $number = delete $stored->{number};
is_deeply $stored, { %rule, callsigns => [] }, 'the rule comes back unchanged';
is $me->post("alerts/$number", { %rule, subject => 'CALLSIGNS', callsigns => ['26AT101', '19 CT*'], band => undef,
    mode => undef, from => undef, to => undef })->status, 204, 'the rule is changed';
($stored) = @{$me->get('alerts')->json->{rules}};
is_deeply [@{$stored}{qw(callsigns band mode from to)}], [['26AT101', '19CT*'], undef, undef, undef, undef],
    'the rule names callsigns, without limits';
is $me->post("alerts/$number/on", { on => $no })->status, 204, 'the rule is switched off';
is $me->get('alerts')->json->{rules}[0]{isOn}, $no, 'the rule is off';

for my $wrong ([subject => 'EVERYTHING'], [name => ''], [days => 0], [days => 'all'], [pause => 2000], [from => 1440],
    [to => undef], [band => '2M'], [mode => 'FM4'], [source => 1], [need => []], [isOn => 'yes']) {
    my $answer = $me->post('alerts', { %rule, $wrong->[0] => $wrong->[1] });
    is $answer->status, 400, "a rule with a wrong $wrong->[0] is refused";
    like $answer->json->{error}{details}[0]{field}, $wrong->[0] eq 'to' ? qr/\A(?:from|to)\z/ : qr/\A$wrong->[0]\z/,
        "the answer names $wrong->[0]";
}
is $me->post('alerts', { %rule, subject => 'CALLSIGNS', callsigns => [] })->status, 400, 'a rule needs callsigns';

# Other members and other sites.
is $other->post("alerts/$number", \%rule)->status, 404, 'another member cannot change the rule';
is $other->post("alerts/$number/on", { on => $yes })->status, 404, 'another member cannot switch the rule on';
is $other->remove("alerts/$number")->status, 404, 'another member cannot delete the rule';
is_deeply $other->get('alerts')->json->{rules}, [], 'another member does not see the rule';
is $me->post('alerts', \%rule, headers => { 'Sec-Fetch-Site' => 'cross-site' })->status, 403,
    'another site cannot add a rule';
is $me->post('alerts', \%rule)->status, 204, "rule $_ is added" for 2 .. $empty->{maxRules};
is_deeply [$me->post('alerts', \%rule)->status, $me->post('alerts', \%rule)->json->{error}{code}],
    [409, 'ALERTS.TOO_MANY'], 'the number of rules is limited';
is $me->remove("alerts/$number")->status, 204, 'a rule is deleted';

# The ways: a web address, and a browser.
my %ntfy = (kind => 'WEB', name => 'ntfy', address => 'https://ntfy.sh/secret-topic', format => 'TEXT',
    body => '{text}');
is $me->post('alerts/ways', \%ntfy)->status, 204, 'a web address is added';
my @ways = @{$me->get('alerts')->json->{ways}};
unlike $me->get('everything.json')->{body}, qr/secret-topic/, 'a copy of all data omits the path of an address';
is_deeply [map { [@{$_}{qw(kind name address hasFailed)}] } @ways],
    [['WEB', 'ntfy', 'ntfy.sh', $no]], 'the list hides the path of an address';
for my $address (qw(http://ntfy.sh/a https://127.0.0.1/a https://localhost/ https://192.168.1.1/ https://[::1]/
    ftp://ntfy.sh file:///etc/passwd ntfy.sh https://10.0.0.1:8443/), 'https://ntfy.sh/a b', '') {
    my $answer = $me->post('alerts/ways', { %ntfy, address => $address });
    is_deeply [$answer->status, $answer->json->{error}{details}[0]{field}], [400, 'address'], "\"$address\" is refused";
}
is $me->post('alerts/ways', { %ntfy, @$_ })->status, 400, "a way with a wrong $_->[0] is refused"
    for [kind => 'PUSH'], [kind => 'MAIL'], [format => 'XML'], [body => ''], [headers => "Host: example.org"],
        [headers => "no colon"], [name => ''];
is length $me->post('alert-key', {})->json->{key}, 87, 'the browser gets the public key of 65 bytes';
is $me->post('alert-key', {})->json->{key}, $other->post('alert-key', {})->json->{key}, 'all members get the same key';
my $point = $me->post('alert-key', {})->json->{key};
my %push = (name => 'Browser', endpoint => 'https://push.example.org/1', p256dh => $point, auth => 'A' x 22);
is $me->post('alerts/push', \%push)->status, 204, 'a browser subscribes';
is $me->post('alerts/push', \%push)->status, 204, 'a browser subscribes again';
is_deeply [map { $_->{kind} } @{$me->get('alerts')->json->{ways}}], [qw(WEB PUSH)], 'a browser is added only once';
is $me->post('alerts/push', { %push, @$_ })->status, 400, "a subscription with a wrong $_->[0] is refused"
    for [p256dh => 'A' x 87], [p256dh => ''], [auth => 'A'], [endpoint => 'https://127.0.0.1/'];
is $other->remove("alerts/ways/$ways[0]{number}")->status, 404, "another member cannot remove the way";
is $other->post("alerts/ways/$ways[0]{number}/try", {})->status, 404, 'another member cannot try the way';

# Trials.
is $me->post("alerts/ways/$ways[0]{number}/try", {})->status, 204, 'a way is tried';
is $me->post('alerts/try', { %rule, subject => 'CALLSIGNS', callsigns => ['19CT512'] })->status, 204, 'a rule is tried';
my @latest = @{$me->get('alerts')->json->{latest}};
is_deeply [map { [@{$_}{qw(callsign rule state held)}] } @latest],
    [(['19CT512', undef, 'WAITING', undef]) x 2, ['26AT101', undef, 'WAITING', undef]], 'the trials wait to be sent';
is $service->sqlite('SELECT group_concat(DISTINCT due_at) FROM alert_deliveries'), 0,
    'trials are due at once, even if the clock is then set back';
is $me->remove("alerts/ways/$ways[0]{number}")->status, 204, 'a way is removed';
is $me->remove('alerts/ways/0')->status, 404, 'a way that does not exist is not found';

# Limits and muted stations.
is $me->post('alerts/settings', { quietFrom => 1380, quietTo => 420, zone => 'Europe/Berlin',
    offsets => '1700000000:60 1711846800:120' })->status, 204, 'quiet hours are set';
is $me->post('alerts/settings', { hourly => 3 })->status, 204, 'the maximum is set';
is $me->post('alerts/settings', { mutedUntil => '2099-01-01T00:00:00Z' })->status, 204, 'all alerts are muted';
is_deeply [@{$me->get('alerts')->json}{qw(quietFrom quietTo zone hourly mutedUntil)}],
    [1380, 420, 'Europe/Berlin', 3, '2099-01-01T00:00:00.000Z'], 'a change keeps the other settings';
is $me->post('alerts/settings', { mutedUntil => undef })->status, 204, 'the mute ends';
is $me->get('alerts')->json->{mutedUntil}, undef, 'alerts are not muted';
is $me->post('alerts/settings', { @$_ })->status, 400, "settings with a wrong $_->[0] are refused"
    for [hourly => 0], [hourly => 1000], [quietFrom => 5000], [quietTo => undef], [mutedUntil => 'tomorrow'],
        [zone => ''], [offsets => 'x', zone => 'x'];
is $me->post('alerts/mutes', { callsign => '2CO777' })->status, 204, 'a station is muted';
is_deeply $me->get('alerts')->json->{mutes}, ['2CO777'], 'the list contains the station';
is $me->post('alerts/mutes', { callsign => ' ' })->status, 400, 'a mute needs a callsign';
is $me->post('alerts/mutes/remove', { callsign => '2-co-777' })->status, 204, 'the mute ends in any spelling';
is_deeply $me->get('alerts')->json->{mutes}, [], 'no station is muted';
is $me->post('alerts/mutes/remove', { callsign => '2CO777' })->status, 404, 'only a muted station can be unmuted';
is $service->admin('check'), '', 'the logbook passes the check';

# The operator's switch.
$service->admin('club', 'set', '--alerts', 'off');
is $me->get('alerts')->json->{isOn}, $no, 'the page says that alerts are off';
$service->stop;

done_testing;
