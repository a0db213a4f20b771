use QSOsync::Test fronts => 'none';

# qsosync-admin: members are renamed, changed and deleted.
my $service = QSOsync::Service->start;
my %other = %{$service->add_member('26AT101')};
sub members { map { $_->{callsign} => $_ } @{JSON::PP::decode_json($service->admin('member', 'list', '--json'))} }
sub item { my ($sent, %option) = @_; (grep { $_->{clientId} eq $sent->{clientId} } $service->download(%option))[0] }
my %theirs = (key => $other{write_key});

sub is_refused {
    my ($pattern, @arguments) = @_;
    my ($status, $output, $errors) = $service->admin_try(@arguments);
    is $status, 1, "'@arguments' is refused";
    like $errors, qr/\Aqsosync-admin: $pattern\n\z/, "'@arguments': one line says why";
}

# Locator and login name.
is $service->admin('member', 'set', '21sd333', '--locator', 'io91wm'), '', 'a change says nothing to a program';
my %member = members();
is_deeply [@{$member{'21SD333'}}{qw(locator login)}], ['IO91wm', '21sd333'],
    'member set --locator changes the locator alone';
is $service->get('/me')->json->{locator}, 'IO91wm', 'a program sees the new locator at its next request';
$service->admin('member', 'set', '21SD333', '--login', 'bob');
%member = members();
is_deeply [@{$member{'21SD333'}}{qw(locator login)}], ['IO91wm', 'bob'],
    'member set --login changes the login name alone';
is_refused(qr/another member has the login name 26at101 already/, 'member', 'set', '21SD333', '--login', '26at101');
is_refused(qr/ZZ00 is not a Maidenhead locator.*/, 'member', 'set', '21SD333', '--locator', 'ZZ00');
is +($service->admin_try('member', 'set', '21SD333'))[0], 2, 'member set without a change is wrong usage';

# The role. The command takes it from the last one, too, and says so.
sub operators { my %member = members(); return join ' ', grep { $member{$_}{operator} } sort keys %member }
is operators(), '', 'a new member is no operator';
$service->admin('member', 'set', $_, '--operator', 'on') for '21SD333', '26AT101';
is operators(), '21SD333 26AT101', 'member set --operator on gives the role';
is_deeply [$service->admin_try('member', 'set', '26AT101', '--operator', 'off')], [0, '', ''],
    'member set --operator off takes it away';
is_deeply [$service->admin_try('member', 'set', '21SD333', '--operator', 'off')],
    [0, '', "qsosync-admin: no active member is an operator now\n"], 'the command may take it from the last one';
is operators(), '', 'the last operator is none any more';
is +($service->admin_try('member', 'set', '21SD333', '--operator', $_))[0], 2, "'--operator $_' is wrong usage"
    for 'yes', '', 'ON';

# A login name is a second name, and the password is the member's.
my $set = "UPDATE members SET password_hash = '\$y\$x' WHERE callsign = '21SD333'";
$service->sqlite($set);
$service->admin('member', 'set', '21SD333', '--login', 'robert');
is $service->sqlite("SELECT password_hash FROM members WHERE login = 'robert'"), '$y$x',
    'a member with another login name keeps the password';
$service->admin('member', 'set', '21SD333', '--login', 'bob');
is +($service->admin_try('member', 'add', '35AT8', '--locator', 'JO59jw', '--login', '26at101'))[0], 1,
    'a login name of another member is refused';
QSOsync::Front::write_file($service->db . '-logins', "bob:x\n");
like $service->admin('init'), qr/^removed \S+-logins, of a former version$/m,
    'init removes the password file of a former version';
ok !-e $service->db . '-logins', 'that file is gone';
is $service->admin('init'), $service->db . ' is a logbook already and stays as it is', 'a further init changes nothing';

# Renaming: QSOs without a station callsign of their own count under the new one.
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
ok $before{$theirs->{clientId}}{crossConfirmedAt}, 'a contact between two members is confirmed before the renaming';
ok !$before{$expected->{clientId}}{crossConfirmedAt}, 'a contact with the new callsign is not';
is_refused(qr/there is a member 26AT101 already/, 'member', 'rename', '21SD333', '26at101');
is $service->admin('member', 'rename', '21sd333', ' 21sd777 '), '', 'a member gets a new callsign';
is $service->get('/me')->json->{callsign}, '21SD777', 'a program sees the new callsign at its next request';
is {members()}->{'21SD777'}{login}, 'bob', 'a new callsign leaves the login name alone';
my %after = map { $_->{clientId} => $_ } $service->download(%theirs);
is $after{$theirs->{clientId}}{crossConfirmedAt}, undef, 'a contact with the former callsign is no longer confirmed';
cmp_ok $after{$theirs->{clientId}}{syncedAt}, 'gt', $before{$theirs->{clientId}}{syncedAt},
    'the other member is told that it ended';
is $after{$worked->{clientId}}{crossConfirmedAt}, $before{$worked->{clientId}}{crossConfirmedAt},
    'a confirmation of a QSO that names its station callsign stays as it is';
ok $after{$expected->{clientId}}{crossConfirmedAt}, 'a contact with the new callsign is confirmed now';
is item($later)->{crossConfirmedAt}, $after{$expected->{clientId}}{crossConfirmedAt},
    'the new confirmation is on both sides';
is $service->admin('check'), '', 'after a renaming the logbook has no problem';
$service->admin('member', 'add', '9RN1', '--locator', 'JO59', '--operator', 'on');
is {members()}->{'9RN1'}{operator}, JSON::PP::true(), 'a member may be added as an operator';
is $service->admin('member', 'rename', '9RN1', '9RN2'), '', 'a member with the login name of the callsign is renamed';
is {members()}->{'9RN2'}{login}, '9rn2', 'a login name that nobody chose follows the callsign';
is $service->admin('member', 'add', '9RN1', '--locator', 'JO59'), '', 'the former callsign can be given to another';
$service->admin('member', 'set', '26AT101', '--login', '9rn4');
$service->admin('member', 'rename', '9RN2', '9RN4');
is {members()}->{'9RN4'}{login}, '9rn2', "a login name stays where the new callsign's is taken";
$service->admin('member', 'delete', $_, '--yes') for '9RN1', '9RN4';
$service->admin('member', 'set', '26AT101', '--login', '26at101');
$service->admin('member', 'disable', '21SD777');
$service->admin('member', 'rename', '21SD777', '21SD333');
ok !item($theirs, %theirs)->{crossConfirmedAt}, 'a disabled member who is renamed gets no new confirmations';
$service->admin('member', 'enable', '21SD333');
is $service->admin('check'), '', 'after the renaming of a disabled member the logbook has no problem';

# A callsign in another spelling.
is_refused(qr/no member 21-SD-333; did you mean 21SD333\?/, 'member', 'disable', '21-SD-333');
is_refused(qr/no member 21 SD 333; did you mean 21SD333\?/, 'key', 'list', '21 sd 333');
is_refused(qr/no member 21SD334/, 'key', 'list', '21SD334');

is_refused(qr/there is a member 21SD333 already/, 'member', 'add', '21-SD-333', '--locator', 'JO59');
is_refused(qr/there is a member 21SD333 already/, 'member', 'rename', '26AT101', '21-sd-333');
is $service->admin('member', 'rename', '21SD333', '21-SD-333'), '',
    'a member may get another spelling of the own callsign';
$service->admin('member', 'rename', '21-SD-333', '21SD333');

# A key for a member who is disabled.
$service->admin('member', 'disable', '26AT101');
my ($status, $key, $warning) = $service->admin_try('key', 'add', '26AT101', '--name', 'x', '--scope', 'READ');
is $status, 0, 'a key for a disabled member is made';
like $key, qr/\Aqsosync_\w+\n\z/, 'a key for a disabled member is printed alone';
like $warning, qr/\Aqsosync-admin: 26AT101 is disabled: [^\n]* member enable 26AT101\n\z/,
    'a key for a disabled member comes with a warning that it does not work yet';
$service->admin('member', 'enable', '26AT101');

# Deletion.
$service->post_batch([$mine]); # a write, so that the contact is confirmed again
ok item($theirs, %theirs)->{crossConfirmedAt}, 'the contact is confirmed again';
$service->post_batch([map { full_qso() } 1 .. 150]) for 1 .. 5;
my $file = $service->directory . '/21SD333.json';
is_refused(qr/nobody is there to be asked; member delete --yes deletes without a question/, 'member', 'delete',
    '21SD333');
is_refused(qr{\Q@{[$service->db]}\E: cannot make the file: File exists}, 'member', 'delete', '21SD333', '--yes',
    '--export', $service->db);
is $service->get('/me')->status, 200, 'after a failed export the member is as active as before';
$service->admin('upload-token', 'add', '21SD333', '--name', 'my logger');
my @sent = $service->download;
my ($member) = {members()}->{'21SD333'};
my @keys = @{JSON::PP::decode_json($service->admin('key', 'list', '21SD333', '--json'))};
my ($link) = $service->admin_try('member', 'invite', '21SD333', '--address', 'https://example.org');
($status, my $output, $warning) = $service->admin_try('member', 'delete', '21sd333', '--export', $file, '--yes');
is_deeply [$status, $output], [0, ''], 'with --yes a member is deleted without a question';
like $warning, qr/\Aqsosync-admin: backups still hold the log of 21SD333; [^\n]+\n\z/,
    'what backups still hold is said';
is $service->get('/me')->status, 401, 'keys of a deleted member do not work';
is_deeply [sort keys %{{members()}}], ['26AT101'], 'a deleted member is in no list';
is $service->sqlite('SELECT (SELECT count(*) FROM qsos WHERE member_id = 1)
    + (SELECT count(*) FROM api_keys WHERE member_id = 1)
    + (SELECT count(*) FROM sign_in_links WHERE member_id = 1)
    + (SELECT count(*) FROM spots)'), 0, 'QSOs, keys, sign-in links and spots are deleted';
my $partner = item($theirs, %theirs);
is $partner->{crossConfirmedAt}, undef, "the confirmation of another member's QSO ends";
is $service->admin('check'), '', 'after a deletion the logbook has no problem';

# The export.
is sprintf('%o', (stat $file)[2] & 07777), '600', 'an export is for its owner alone';
my $export = JSON::PP::decode_json(QSOsync::Front::read_file($file));
is_deeply [sort keys %$export],
    [qw(acts changes devices exportedAt keys leftovers member qsoCount qsos signInLinks spots uploadTokens)],
    'an export has member, keys, upload tokens, devices, sign-in links, QSOs, what is beside them, spots and history';
is_deeply $export->{member},
    { announcesSince => undef, map { $_ => $member->{$_} }
        qw(callsign locator login active operator password createdAt) },
    'the member as in the list, and whether spots go to other clusters';
is_deeply $export->{keys}, \@keys, 'the keys as in the list';
is_deeply [map { $_->{name} } @{$export->{uploadTokens}}], ['my logger'], 'the upload tokens by their names';
is_deeply [map { [$_->{kind}, $_->{usedAt}] } @{$export->{signInLinks}}], [['INVITATION', undef]],
    'the sign-in links by their times';
is_deeply $export->{qsos}, \@sent, 'every QSO as the API gave it';
is_deeply [map { @$_{qw(spotter dxCallsign)} } @{$export->{spots}}], ['21SD333', '26AT101'],
    'the spots as they were published';
unlike QSOsync::Front::read_file($file), qr/qsosync\w*_\w{20}/, 'an export holds no key';

# The callsign is free again, and is another member.
my $again = $service->add_member('21SD333');
is_deeply [$service->download(key => $again->{read_key})], [], 'a member who comes back begins with an empty log';

done_testing;
