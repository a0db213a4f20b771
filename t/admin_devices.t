use QSOsync::Test fronts => 'nginx';
use QSOsync::Profile;

# qsosync-admin member devices, member sign-out: who is signed in where, as the operator sees it.
my $service = QSOsync::Service->start(site => 1);
$service->add_member('26AT101');
sub devices { @{JSON::PP::decode_json($service->admin('member', 'devices', $_[0], '--json'))} }
sub is_in { $_[0]->get('me')->status == 200 }

is_deeply [devices('21SD333')], [], 'a member who has not signed in has no devices';
my @browsers = map { QSOsync::Profile->log_in($service, '21SD333') } 1 .. 2;
my $third = QSOsync::Profile->sign_in($service, '21SD333', $browsers[1]{password});
my $other = QSOsync::Profile->log_in($service, '26AT101');
ok !is_in($browsers[0]), 'another password has ended the first';
is scalar(devices('21SD333')), 2, 'each browser that is signed in is listed';
my ($heading, @lines) = split /\n/, $service->admin('member', 'devices', '21sd333');
like $heading, qr/\ANUMBER +DEVICE +SINCE +LAST USED\z/, 'a list for people has headings';
like $lines[0], qr/\A\d+ +\S.* +\d{4}-\d\d-\d\dT\S+Z +\d{4}-\d\d-\d\d\z/, 'a line has number, device and times';

my ($first) = sort { $a <=> $b } map { $_->{number} } devices('21SD333');
is_deeply [$service->admin_try('member', 'sign-out', '26AT101', $first)],
    [1, '', "qsosync-admin: 26AT101 is not signed in with a device of the number $first\n"],
    "another member's device is not signed out";
is $service->admin('member', 'sign-out', '21SD333', $first), '', 'a device is signed out without a word to a program';
is_deeply [map { is_in($_) ? 1 : 0 } $browsers[1], $third, $other], [0, 1, 1], 'it is out at once, and no other is';
is +($service->admin_try('member', 'sign-out', '21SD333', $first))[0], 1, 'a device is signed out once';
$service->admin('member', 'sign-out', '21SD333');
is_deeply [map { is_in($_) ? 1 : 0 } $third, $other], [0, 1],
    'without a number all devices of the member are signed out';
ok +QSOsync::Profile->sign_in($service, '21SD333', $browsers[1]{password}), 'the password still lets the member in';
$service->admin('member', 'disable', '26AT101');
is_deeply [is_in($other) ? 1 : 0, devices('26AT101')], [0], 'a member who is disabled is signed out everywhere';
$service->admin('member', 'enable', '26AT101');
ok !is_in($other), 'a member who is enabled again has to sign in again';
is +($service->admin_try('member', 'sign-out', '21SD333', $_))[0], 2, "'$_' is no number of a device" for 'x', '0', '';
is_deeply [map { $_->{act} } @{JSON::PP::decode_json($service->admin('log', '--json', '--limit', 4))}],
    ['member enable', 'member disable', 'member sign-out', 'member sign-out'], 'signing out is an act';

done_testing;
