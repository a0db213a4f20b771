use QSOsync::Test fronts => 'nginx';
use JSON::PP ();
use QSOsync::Profile;

# On their page, operators create codes for other clubs, see the same list of clubs as with the command, and end an
# exchange.
sub told { my ($answer) = @_; join ' ', $answer->status, $answer->code // '' }

my ($here, $there) = map { QSOsync::Service->start(site => 4) } 1 .. 2;
my ($address, $other) = map { 'http://127.0.0.1:' . $_->port } $here, $there;
my $operator = QSOsync::Operator->with_role($here, '21SD333');
my $member = $there->add_member('26AT101');
sub add { return $operator->post('peers', { address => $_[0] }) }
sub listed { return $operator->get('peers')->json->{items} }

is told(add($other)), '409 OPERATOR.NO_ADDRESS', 'a service without an address cannot create a code';
$here->admin('club', 'set', '--address', 'http://log.example.org');
is told(add($other)), '409 OPERATOR.NO_ADDRESS', 'a service without https cannot create a code';
$_->[0]->admin('club', 'set', '--name', $_->[2], '--address', $_->[1])
    for [$here, $address, 'Here'], [$there, $other, 'There'];
is told(add($_)), '400 VALIDATION.FAILED', "an address that another club cannot have is refused: " . ($_ // 'null')
    for undef, '', 7, 'log.example.org', 'http://log.example.org', 'https://log.example.org/a b', $address;
is_deeply listed(), [], 'the list of clubs is empty at first';
$here->admin('club', 'set', '--address', 'https://log.example.org');
my $cookie = $operator->{cookie};
$operator->{cookie} = "__Host-$cookie";
is told(add("https://$_")), '400 VALIDATION.FAILED', "a public service's page refuses the local address $_"
    for qw(127.0.0.1 2130706433 [::1] localhost 10.1.2.3 192.168.1.1 169.254.169.254 [fd00::1] router nas.local);
is add('https://club.example')->status, 201, "a public service's page accepts another public address";
$operator->{cookie} = $cookie;
$here->admin('club', 'set', '--address', $address);

my $first = add("$other/")->json->{code};
my $made = add($other);
is $made->status, 201, 'an operator can create a code';
my $code = $made->json->{code};
like $code, qr/\A\Q$address\E#[0-9A-Za-z]{43}\z/, "a code contains this service's address and a secret";
is $made->json->{days}, 7, 'the answer states the lifetime of a code';
is +($there->admin_try('peer', 'enter', $first))[0], 1, 'the previous code is refused once a newer code exists';
is +($there->admin_try('peer', 'enter', $code))[0], 0, "the other club's command accepts the code";
is told(add($other)), '409 OPERATOR.PAIRED', 'a paired club cannot be added again';

my %contact = (qsoAt => '2026-05-17T19:42:00.000Z', mode => 'USB');
$here->post_batch([qso(%contact, callsignWorked => '26AT101')]);
$there->post_batch([qso(%contact, callsignWorked => '21SD333')], key => $member->{write_key});
$here->admin('peer', 'pull');
my ($peer) = @{listed()};
is_deeply [@$peer{qw(club claims confirmations failure)}], ['There', 1, 1, undef],
    "the list counts a club's claims and confirmations";
my $number = delete $peer->{number};
is_deeply $peer, JSON::PP::decode_json($here->admin('peer', 'list', '--json'))->[0],
    "a row has the command's values";
$there->stop;
$here->admin_try('peer', 'pull');
is listed()->[0]{failure}, JSON::PP::decode_json($here->admin('peer', 'list', '--json'))->[0]{failure},
    'the list and the command report the same failure';
ok defined listed()->[0]{failure}, 'the list reports why a visit failed';

is told($operator->remove("peers/$_")), '404 GENERIC.NOT_FOUND',
    "removing club $_, which does not exist, gives 404" for 0, $number + 1, 'x';
is $operator->remove("peers/$number")->status, 204, 'an operator can remove a club';
is told($operator->remove("peers/$number")), '404 GENERIC.NOT_FOUND', 'a removed club cannot be removed again';
is_deeply listed(), [], 'a removed club is not in the list';
is $here->sqlite('SELECT count(*) FROM claims'), 0, 'removing a club deletes its claims';
is $here->sqlite('SELECT count(*) FROM qsos WHERE cross_confirmed_at IS NOT NULL'), 0,
    'removing a club deletes its confirmations';
is_deeply [map { join ' ', @$_{qw(operator act subject)} }
        grep { $_->{act} =~ /peer/ } @{$operator->get('log')->json->{items}}],
    [map { "21SD333 peer $_" } 'remove ' . $other =~ s{.*//}{}r, ("add $other") x 2, 'add https://club.example'],
    'each act about another club is logged with the operator';
is $here->admin('check'), '', 'the logbook passes the check';
$here->stop;

done_testing;
