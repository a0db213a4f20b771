use QSOsync::Test fronts => 'nginx';

# qsosync-admin renames, changes and deletes members.
my $service = QSOsync::Service->start;
my %other = %{$service->add_member('26AT101')};
sub members { map { $_->{callsign} => $_ } @{JSON::PP::decode_json($service->admin('member', 'list', '--json'))} }
sub item { my ($sent, %option) = @_; (grep { $_->{clientId} eq $sent->{clientId} } $service->download(%option))[0] }
my %theirs = (key => $other{write_key});

sub is_refused {
    my ($pattern, @arguments) = @_;
    my ($status, $output, $errors) = $service->admin_try(@arguments);
    is $status, 1, "'@arguments' is refused";
    like $errors, qr/\Aqsosync-admin: $pattern\n\z/, "'@arguments': one line gives the reason";
}

# A member's locator and login name can be changed.
is $service->admin('member', 'set', '21sd333', '--locator', 'io91wm'), '', 'member set prints nothing to a program';
my %member = members();
is_deeply [@{$member{'21SD333'}}{qw(locator login)}], ['IO91wm', '21sd333'],
    'member set --locator changes the locator and keeps the login name';
is $service->get('/me')->json->{locator}, 'IO91wm', 'the next request shows the new locator';
$service->admin('member', 'set', '21SD333', '--login', 'bob');
%member = members();
is_deeply [@{$member{'21SD333'}}{qw(locator login)}], ['IO91wm', 'bob'],
    'member set --login changes the login name and keeps the locator';
is_refused(qr/another member already has the login name 26at101/, 'member', 'set', '21SD333', '--login', '26at101');
is_refused(qr/ZZ00 is not a Maidenhead locator.*/, 'member', 'set', '21SD333', '--locator', 'ZZ00');
is +($service->admin_try('member', 'set', '21SD333'))[0], 2, 'member set without a change is wrong usage';

# The command warns when it withdraws the operator's role from the last operator.
sub operators { my %member = members(); return join ' ', grep { $member{$_}{operator} } sort keys %member }
is operators(), '', 'a new member is not an operator';
$service->admin('member', 'set', $_, '--operator', 'on') for '21SD333', '26AT101';
is operators(), '21SD333 26AT101', 'member set --operator on grants the role';
is_deeply [$service->admin_try('member', 'set', '26AT101', '--operator', 'off')], [0, '', ''],
    'member set --operator off withdraws the role';
is_deeply [$service->admin_try('member', 'set', '21SD333', '--operator', 'off')],
    [0, '', "qsosync-admin: there is no longer an active operator\n"],
    'withdrawing the role from the last operator gives a warning';
is operators(), '', 'the last operator can lose the role';
is +($service->admin_try('member', 'set', '21SD333', '--operator', $_))[0], 2, "'--operator $_' is wrong usage"
    for 'yes', '', 'ON';

# The password belongs to the member, not to the login name.
my $set = "UPDATE members SET password_hash = '\$y\$x' WHERE callsign = '21SD333'";
$service->sqlite($set);
$service->admin('member', 'set', '21SD333', '--login', 'robert');
is $service->sqlite("SELECT password_hash FROM members WHERE login = 'robert'"), '$y$x',
    'a new login name keeps the password';
$service->admin('member', 'set', '21SD333', '--login', 'bob');
is +($service->admin_try('member', 'add', '35AT8', '--locator', 'JO59jw', '--login', '26at101'))[0], 1,
    "member add refuses another member's login name";
QSOsync::Front::write_file($service->db . '-logins', "bob:x\n");
like $service->admin('init'), qr/^removed \S+-logins, left by an older version$/m,
    'init removes the password file left by an older version';
ok !-e $service->db . '-logins', 'the password file no longer exists after init';
is $service->admin('init'), $service->db . ' is already a logbook; nothing was changed',
    'init on an existing logbook reports that nothing was changed';

# After a member is renamed, QSOs without their own station callsign count under the new callsign.
my ($mine, $theirs) = (qso(callsignWorked => '26AT101', sendSpot => JSON::PP::true()),
    qso(callsignWorked => '21SD333'));
my ($named, $worked) = (qso(callsignWorked => '26AT101', operatorCallsign => '21SD333',
    qsoAt => '2026-05-18T10:00:00Z'),
    qso(callsignWorked => '21SD333', qsoAt => '2026-05-18T10:00:00Z'));
my ($later, $expected) = (qso(callsignWorked => '26AT101', qsoAt => '2026-05-19T10:00:00Z'),
    qso(callsignWorked => '21-SD-777', qsoAt => '2026-05-19T10:00:00Z'));
$service->post_batch([$mine, $named, $later]);
$service->post_batch([$theirs, $worked, $expected], %theirs);
my %before = map { $_->{clientId} => $_ } $service->download(%theirs);
ok $before{$theirs->{clientId}}{crossConfirmedAt}, 'a contact between two members is confirmed before a rename';
ok !$before{$expected->{clientId}}{crossConfirmedAt},
    'a contact with the future callsign is not confirmed before a rename';
is_refused(qr/member 26AT101 already exists/, 'member', 'rename', '21SD333', '26at101');
is $service->admin('member', 'rename', '21sd333', ' 21sd777 '), '', 'member rename prints nothing to a program';
is $service->get('/me')->json->{callsign}, '21SD777', 'the next request shows the new callsign';
is {members()}->{'21SD777'}{login}, 'bob', 'a rename keeps a chosen login name';
my %after = map { $_->{clientId} => $_ } $service->download(%theirs);
is $after{$theirs->{clientId}}{crossConfirmedAt}, undef, 'a contact with the previous callsign loses its confirmation';
cmp_ok $after{$theirs->{clientId}}{syncedAt}, 'gt', $before{$theirs->{clientId}}{syncedAt},
    "a lost confirmation raises syncedAt of the partner's QSO";
is $after{$worked->{clientId}}{crossConfirmedAt}, $before{$worked->{clientId}}{crossConfirmedAt},
    'a QSO that names its station callsign stays confirmed after a rename';
ok $after{$expected->{clientId}}{crossConfirmedAt}, 'a contact with the new callsign is confirmed after a rename';
is item($later)->{crossConfirmedAt}, $after{$expected->{clientId}}{crossConfirmedAt},
    "both members' QSOs have the new confirmation with the same time";
is $service->admin('check'), '', 'the logbook passes the check after a rename';
$service->admin('member', 'add', '9RN1', '--locator', 'JO59', '--operator', 'on');
is {members()}->{'9RN1'}{operator}, JSON::PP::true(), 'member add --operator on adds an operator';
is $service->admin('member', 'rename', '9RN1', '9RN2'), '', 'a member with a default login name can be renamed';
is {members()}->{'9RN2'}{login}, '9rn2', 'a rename changes a default login name';
is $service->admin('member', 'add', '9RN1', '--locator', 'JO59'), '', 'another member can get the previous callsign';
$service->admin('member', 'set', '26AT101', '--login', '9rn4');
$service->admin('member', 'rename', '9RN2', '9RN4');
is {members()}->{'9RN4'}{login}, '9rn2',
    "a rename keeps the login name if the new callsign is another member's login name";
$service->admin('member', 'delete', $_, '--yes') for '9RN1', '9RN4';
$service->admin('member', 'set', '26AT101', '--login', '26at101');
$service->admin('member', 'disable', '21SD777');
$service->admin('member', 'rename', '21SD777', '21SD333');
ok !item($theirs, %theirs)->{crossConfirmedAt}, 'renaming a disabled member confirms nothing';
$service->admin('member', 'enable', '21SD333');
is $service->admin('check'), '', 'the logbook passes the check after renaming a disabled member';

# If an argument is another spelling of a callsign, the error suggests the member. A rename can change the spelling.
is_refused(qr/no member 21-SD-333; did you mean 21SD333\?/, 'member', 'disable', '21-SD-333');
is_refused(qr/no member 21 SD 333; did you mean 21SD333\?/, 'key', 'list', '21 sd 333');
is_refused(qr/no member 21SD334/, 'key', 'list', '21SD334');

is_refused(qr/member 21SD333 already exists/, 'member', 'add', '21-SD-333', '--locator', 'JO59');
is_refused(qr/member 21SD333 already exists/, 'member', 'rename', '26AT101', '21-sd-333');
is $service->admin('member', 'rename', '21SD333', '21-SD-333'), '',
    'a member can be renamed to another spelling of the callsign';
$service->admin('member', 'rename', '21-SD-333', '21SD333');

$service->admin('member', 'disable', '26AT101');
my ($status, $key, $warning) = $service->admin_try('key', 'add', '26AT101', '--name', 'x', '--scope', 'READ');
is $status, 0, 'a key for a disabled member is created';
like $key, qr/\Aqsosync_\w+\n\z/, "standard output has only the disabled member's key";
like $warning, qr/\Aqsosync-admin: 26AT101 is disabled; [^\n]* member enable 26AT101\n\z/,
    'a key for a disabled member gives a warning';
$service->admin('member', 'enable', '26AT101');

# A deletion removes the member's data.
$service->post_batch([$mine]); # a write that confirms the contact again
ok item($theirs, %theirs)->{crossConfirmedAt}, 'the next write confirms the contact again';
$service->post_batch([map { full_qso() } 1 .. 150]) for 1 .. 5;
my $file = $service->directory . '/21SD333.json';
is_refused(qr/cannot ask for confirmation without a terminal; member delete --yes skips the question/,
    'member', 'delete', '21SD333');
is_refused(qr{\Q@{[$service->db]}\E: cannot create the file: File exists}, 'member', 'delete', '21SD333', '--yes',
    '--export', $service->db);
is $service->get('/me')->status, 200, 'a failed export keeps the member active';
$service->admin('upload-token', 'add', '21SD333', '--name', 'my logger');
my @sent = $service->download;
my ($member) = {members()}->{'21SD333'};
my @keys = @{JSON::PP::decode_json($service->admin('key', 'list', '21SD333', '--json'))};
my ($link) = $service->admin_try('member', 'invite', '21SD333', '--address', 'https://example.org');
($status, my $output, $warning) = $service->admin_try('member', 'delete', '21sd333', '--export', $file, '--yes');
is_deeply [$status, $output], [0, ''], 'member delete --yes deletes without a question';
like $warning, qr/\Aqsosync-admin: backups still contain the log of 21SD333, [^\n]+\n\z/,
    'member delete warns that backups still contain the log';
is $service->get('/me')->status, 401, 'keys of a deleted member are refused';
is_deeply [sort keys %{{members()}}], ['26AT101'], 'a deleted member is not listed';
is $service->sqlite('SELECT (SELECT count(*) FROM qsos WHERE member_id = 1)
    + (SELECT count(*) FROM api_keys WHERE member_id = 1)
    + (SELECT count(*) FROM sign_in_links WHERE member_id = 1)
    + (SELECT count(*) FROM spots)'), 0, 'deleting a member deletes QSOs, keys, sign-in links and spots';
my $partner = item($theirs, %theirs);
is $partner->{crossConfirmedAt}, undef, "deleting a member ends the confirmation of another member's QSO";
is $service->admin('check'), '', 'the logbook passes the check after a deletion';

# The export contains everything that the logbook has about the member.
is sprintf('%o', (stat $file)[2] & 07777), '600', "a deleted member's export has mode 600";
my $export = JSON::PP::decode_json(QSOsync::Front::read_file($file));
is_deeply [sort keys %$export],
    [qw(acts card changes confirmationsByOtherClubs devices exportedAt formerCallsigns keys leftovers member passkeys
        polo qsoCount qsos signInLinks spots uploadTokens)],
    'the export of a member has all parts';
is_deeply $export->{member},
    { announcesSince => undef, channelPlan => undef, claims => JSON::PP::true, map { $_ => $member->{$_} }
        qw(callsign locator login active operator password createdAt) },
    'the export has the member as listed, with consents';
is_deeply $export->{keys}, [map { { lastUsedBy => undef, %$_ } } @keys], 'the export has the keys as listed';
is_deeply [map { $_->{name} } @{$export->{uploadTokens}}], ['my logger'], 'the export has the upload tokens by name';
is_deeply [map { [$_->{kind}, $_->{usedAt}] } @{$export->{signInLinks}}], [['INVITATION', undef]],
    'the export has the sign-in links with their kinds and times of use';
is_deeply $export->{qsos}, \@sent, 'the export has every QSO as returned by the API';
is_deeply [map { @$_{qw(spotter dxCallsign)} } @{$export->{spots}}], ['21SD333', '26AT101'],
    'the export has the spots as published';
unlike QSOsync::Front::read_file($file), qr/qsosync\w*_\w{20}/, 'the export contains no key';

# A new member can get a deleted member's callsign.
my $again = $service->add_member('21SD333');
is_deeply [$service->download(key => $again->{read_key})], [],
    "a new member with a deleted member's callsign has an empty log";
$service->stop;

done_testing;
