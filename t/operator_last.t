use QSOsync::Test fronts => 'nginx';
use QSOsync::Waiting;
use JSON::PP ();
use QSOsync::Profile;

# Operators cannot remove the last active operator's role on their page, even if two operators act at once.
my $service = QSOsync::Service->start(site => 4);
$service->add_member('26AT101');
my $one = QSOsync::Operator->with_role($service, '21SD333');
my ($on, $off) = (JSON::PP::true(), JSON::PP::false());
sub told { my ($answer) = @_; join ' ', $answer->status, $answer->code // '' }
sub operators { $service->sqlite('SELECT count(*) FROM members WHERE is_operator = 1 AND active = 1') }

is told($one->act('21SD333', 'operator', { on => $off })), '409 OPERATOR.LAST_OPERATOR',
    'the last operator keeps the role';
my $two = QSOsync::Operator->with_role($service, '26AT101');
is $one->act('26AT101', 'disable')->status, 204, 'one of two operators can be disabled';
is told($one->act('21SD333', 'operator', { on => $off })), '409 OPERATOR.LAST_OPERATOR',
    'a disabled operator does not count';
is $one->act('26AT101', 'enable')->status, 204, 'the disabled operator can be enabled again';
is $one->act('21SD333', 'operator', { on => $off })->status, 204,
    'an operator can resign if there is another operator';
is told($one->get('members')), '403 OPERATOR.NO_ROLE', 'an operator who resigned is refused';
$service->admin('member', 'set', '21SD333', '--operator', 'on');

# Each operator removes the other's role while a writer makes both wait. Only one of the two requests succeeds.
for my $round (1 .. 3) {
    $two = QSOsync::Operator->log_in($service, '26AT101');
    my %number = map { $_ => $one->member($_)->{number} } '21SD333', '26AT101';
    my @answers = QSOsync::Waiting::at_once($service,
        sub { told($one->post("members/$number{'26AT101'}/operator", { on => $off })) },
        sub { told($two->post("members/$number{'21SD333'}/operator", { on => $off })) });
    is_deeply [sort @answers], ['204 ', '403 OPERATOR.NO_ROLE'],
        "if two operators remove each other's role, one of them keeps the role";
    is operators(), 1, 'the club still has an operator';
    $service->admin('member', 'set', $_, '--operator', 'on') for '21SD333', '26AT101';
}

$service->admin('member', 'set', '26AT101', '--operator', 'off');
$service->admin('member', 'set', '21SD333', '--operator', 'off');
is operators(), 0, "the command can remove the last operator's role";

done_testing;
