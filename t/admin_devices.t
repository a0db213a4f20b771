use QSOsync::Test fronts => 'nginx';
use QSOsync::Profile;

# qsosync-admin member devices lists signed-in devices, and member sign-out signs them out.
my $service = QSOsync::Service->start(site => 1);
$service->add_member('26AT101');
sub devices { @{JSON::PP::decode_json($service->admin('member', 'devices', $_[0], '--json'))} }
sub is_in { $_[0]->get('me')->status == 200 }

is_deeply [devices('21SD333')], [], 'a member who has never signed in has no devices';
my @browsers = map { QSOsync::Profile->log_in($service, '21SD333') } 1 .. 2;
my $third = QSOsync::Profile->sign_in($service, '21SD333', $browsers[1]{password});
my $other = QSOsync::Profile->log_in($service, '26AT101');
ok !is_in($browsers[0]), 'setting another password ends earlier sessions';
is scalar(devices('21SD333')), 2, 'every signed-in browser is listed';
my ($heading, @lines) = split /\n/, $service->admin('member', 'devices', '21sd333');
like $heading, qr/\ANUMBER +DEVICE +SINCE +LAST USED\z/, 'the table of devices has headings';
like $lines[0], qr/\A\d+ +\S.* +\d{4}-\d\d-\d\dT\S+Z +\d{4}-\d\d-\d\d\z/,
    'a line of the table has number, device and times';

my ($first) = sort { $a <=> $b } map { $_->{number} } devices('21SD333');
is_deeply [$service->admin_try('member', 'sign-out', '26AT101', $first)],
    [1, '', "qsosync-admin: 26AT101 has no signed-in device with the number $first\n"],
    "signing out another member's device is refused";
is $service->admin('member', 'sign-out', '21SD333', $first), '',
    'signing out a device prints nothing to a program';
is_deeply [map { is_in($_) ? 1 : 0 } $browsers[1], $third, $other], [0, 1, 1],
    'signing out a device ends only its session, at once';
is +($service->admin_try('member', 'sign-out', '21SD333', $first))[0], 1, 'a device can be signed out only once';
$service->admin('member', 'sign-out', '21SD333');
is_deeply [map { is_in($_) ? 1 : 0 } $third, $other], [0, 1],
    "member sign-out without a number signs out all the member's devices";
ok +QSOsync::Profile->sign_in($service, '21SD333', $browsers[1]{password}),
    'the password still works after a sign-out';
$service->admin('member', 'disable', '26AT101');
is_deeply [is_in($other) ? 1 : 0, devices('26AT101')], [0], 'disabling a member ends every session of the member';
$service->admin('member', 'enable', '26AT101');
ok !is_in($other), 'enabling a member restores no session';
is +($service->admin_try('member', 'sign-out', '21SD333', $_))[0], 2, "'$_' is not a valid device number"
    for 'x', '0', '';
is_deeply [map { $_->{act} } @{JSON::PP::decode_json($service->admin('log', '--json', '--limit', 4))}],
    ['member enable', 'member disable', 'member sign-out', 'member sign-out'],
    'signing out, disabling and enabling are recorded as acts';

done_testing;
