use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/lib";
use QSOsync::Case;
use QSOsync::Service;

# qsosync-admin: members.
plan skip_all => 'no front plays a part' if QSOsync::Service::default_front() ne 'nginx';
my $service = QSOsync::Service->start(wants_member => 0);
sub status_of { ($service->admin_try(@_))[0] }
is $service->admin('member', 'add', ' 21sd333 ', '--locator', 'jo59JW'), '', 'adding a member says nothing';
my ($member) = @{JSON::PP::decode_json($service->admin('member', 'list', '--json'))};
is $member->{callsign}, '21SD333', 'callsigns are trimmed and upper-cased';
is $member->{locator}, 'JO59jw', 'locators normalised';
is $member->{login}, '21sd333', 'the login is the callsign in lower case';
is $service->admin('member', 'add', 'B', '--login', 'x@y', '--locator', 'JO59'), '', 'unless it is given';
my @bad = (['21sd333', '--locator', 'JO59'], ['C', '--login', 'x@y', '--locator', 'JO59'], ['D', '--locator', 'ZZ99'],
    ['D'], ['', '--locator', 'JO59'], ['x' x 21, '--locator', 'JO59'], ["a\tb", '--locator', 'JO59'], ["\xff", '--locator', 'JO59']);
for (@bad) {
    my ($status, $output, $errors) = $service->admin_try('member', 'add', @$_);
    is $status, 1, "member add @$_ is refused" =~ s/[^ -~]/?/gr;
    like $errors, qr/\Aqsosync-admin: [^\n]+\n\z/, 'with one clear line';
    is $output, '', 'on standard error';
}
is status_of('member', 'add', 'x' x 20, '--locator', 'JO59'), 0, '20 characters are accepted';
is status_of(@$_), 2, "'@$_' is wrong usage" for [], ['nothing'], ['member'], ['member', 'add'], ['member', 'add', 'A', 'B', 'C'],
    ['member', 'list', '--name', 'x'], ['member', 'list', '--what'], ['key', 'add', 'B', '--name'], ['member', 'list', '-x'];
is status_of('--help'), 0, '--help';
like $service->admin('--help'), qr/member add CALLSIGN.*key revoke CALLSIGN NUMBER.*backup FILE/s, 'names the commands';
like $service->admin('--version'), qr/\Aqsosync-admin \d/, '--version';
is status_of('member', 'disable', 'nobody'), 1, 'a member that is not there';
is status_of('member', 'disable', '21sd333'), 0, 'letters have no case';
like $service->admin('member', 'list'), qr/^21SD333 +JO59jw +21sd333 +no /m, 'a list for people';
is status_of('member', 'enable', '21SD333'), 0, 'and back';
is status_of('init'), 0, 'init on a logbook that exists';
is scalar(@{JSON::PP::decode_json($service->admin('member', 'list', '--json'))}), 3, 'leaves it as it is';

done_testing;
