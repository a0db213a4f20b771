use QSOsync::Test fronts => 'nginx';
use JSON::PP ();
use QSOsync::Operator;
use QSOsync::Waiting;

# The club keeps an operator who may sign in: the last one cannot lose the role on the page, whatever two do at once.
my $service = QSOsync::Service->start(site => 3);
$service->add_member('26AT101');
my $one = QSOsync::Operator->with_role($service, '21SD333');
my ($on, $off) = (JSON::PP::true(), JSON::PP::false());
sub told { my ($answer) = @_; join ' ', $answer->status, $answer->code // '' }
sub operators { $service->sqlite('SELECT count(*) FROM members WHERE is_operator = 1 AND active = 1') }

is told($one->act('21SD333', 'operator', { on => $off })), '409 OPERATOR.LAST_OPERATOR',
    'the last operator keeps the role';
my $two = QSOsync::Operator->with_role($service, '26AT101');
is $one->act('26AT101', 'disable')->status, 204, 'one of two may be disabled';
is told($one->act('21SD333', 'operator', { on => $off })), '409 OPERATOR.LAST_OPERATOR',
    'a disabled one does not count';
is $one->act('26AT101', 'enable')->status, 204, 'the other operator is enabled again';
is $one->act('21SD333', 'operator', { on => $off })->status, 204, 'with another one an operator may give the role back';
is told($one->get('members')), '403 OPERATOR.NO_ROLE', 'an operator who gave the role back is one no more';
$service->admin('member', 'set', '21SD333', '--operator', 'on');

# Each takes the role from the other, while a writer holds both up: one of them loses.
for my $round (1 .. 3) {
    $two = QSOsync::Operator->log_in($service, '26AT101');
    my %number = map { $_ => $one->member($_)->{number} } '21SD333', '26AT101';
    my @answers = QSOsync::Waiting::at_once($service,
        sub { told($one->post("members/$number{'26AT101'}/operator", { on => $off })) },
        sub { told($two->post("members/$number{'21SD333'}/operator", { on => $off })) });
    is_deeply [sort @answers], ['204 ', '403 OPERATOR.NO_ROLE'], 'of two who take the role from each other one is left';
    is operators(), 1, 'the club has an operator still';
    $service->admin('member', 'set', $_, '--operator', 'on') for '21SD333', '26AT101';
}

$service->admin('member', 'set', '26AT101', '--operator', 'off');
$service->admin('member', 'set', '21SD333', '--operator', 'off');
is operators(), 0, 'the command may take it from the last one';

done_testing;
