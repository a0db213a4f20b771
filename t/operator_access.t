use QSOsync::Test fronts => 'nginx';
use JSON::PP ();
use QSOsync::Profile;
use Time::HiRes ();

# Who may use the operator's page: a member with the role, who has given the password a short while ago, from the
# service's own page.
my $service = QSOsync::Service->start(site => 4);
$service->add_member('26AT101');
my $operator = QSOsync::Operator->with_role($service, '21SD333');
my $member = QSOsync::Operator->log_in($service, '26AT101');

sub told { my ($answer) = @_; join ' ', $answer->status, $answer->code // '' }
sub prove_long_ago {
    my ($callsign, $minutes) = @_;
    my $at = int(1000 * Time::HiRes::time() - 60000 * $minutes);
    $service->sqlite("UPDATE sessions SET proved_at = $at WHERE member_id ="
        . " (SELECT id FROM members WHERE callsign = '$callsign')");
}
# Every route that there is, by the table itself.
my $source = $QSOsync::Front::SOURCE;
my @routes;
for my $path (sort glob "$source/src/site/operator*.c") {
    my $text = QSOsync::Front::read_file($path);
    push @routes, [$1, $2] while $text =~ /OPERATOR_ROUTE\(\w+,\s*METHOD_(\w+),\s*"([^"]+)"/g;
}
cmp_ok scalar @routes, '>=', 20, 'the routes of the page are known';
my $number = $operator->member('26AT101')->{number};
for my $route (@routes) {
    my ($method, $path) = @$route;
    $path =~ s/\{number\}/$number/;
    $path =~ s/\{device\}/1/;
    my %change = $method eq 'GET' ? () : (json => {}, headers => { 'Sec-Fetch-Site' => 'same-origin' });
    is told($service->request($method, '', %change, raw_path => "/operator/data/$path")), '401 SIGN_IN.REQUIRED',
        "$method $path: nobody who is not signed in";
    is told($member->request($method, $path, %change)), '403 OPERATOR.NO_ROLE',
        "$method $path: no member without the role";
    next if $method eq 'GET';
    is told($operator->request($method, $path, json => {}, headers => { 'Sec-Fetch-Site' => 'cross-site' })),
        '403 PROFILE.CROSS_SITE', "$method $path: no page of another site";
}
is told($operator->get('me')), '200 ', 'an operator is let in';
is $operator->get('me')->header('Cache-Control'), 'no-store', 'answers are kept by nobody';
is $service->request('GET', '', raw_path => '/operator/')->status, 200, 'the page itself may be loaded by anybody';
is $service->request('GET', '', raw_path => '/operator/data/me', key => $service->write_key)->status, 401,
    'an API key is nothing there';

# The password of long ago.
prove_long_ago('21SD333', 14);
is told($operator->get('members')), '200 ', 'a password counts for 15 minutes';
prove_long_ago('21SD333', 16);
for my $route (@routes) {
    my ($method, $path) = @$route;
    $path =~ s/\{number\}/$number/;
    $path =~ s/\{device\}/1/;
    my %change = $method eq 'GET' ? () : (json => {}, headers => { 'Sec-Fetch-Site' => 'same-origin' });
    is told($operator->request($method, $path, %change)), '403 OPERATOR.PROOF_TOO_OLD',
        "$method $path: the password has to be given again";
}
my $profile = bless { %$operator }, 'QSOsync::Profile';
is $profile->post('prove', { password => 'a wrong one' })->status, 400, 'a wrong password is refused';
is told($operator->get('members')), '403 OPERATOR.PROOF_TOO_OLD', 'a wrong password proves nothing';
is $profile->post('prove', { password => $operator->{password} })->status, 204, 'the right password is taken';
is told($operator->get('members')), '200 ', 'after the right password the page goes on';
is told($member->get('me')), '403 OPERATOR.NO_ROLE', 'a member without the role stays outside';

# The role, and the membership, end at once.
my $second = QSOsync::Operator->with_role($service, '26AT101');
is told($second->get('me')), '200 ', 'a second operator is let in';
is $operator->act('26AT101', 'operator', { on => JSON::PP::false() })->status, 204,
    'an operator takes the role from another one';
is told($second->get('me')), '403 OPERATOR.NO_ROLE', 'a member who loses the role is let in no more, at once';
is $operator->act('26AT101', 'operator', { on => JSON::PP::true() })->status, 204, 'an operator gives the role back';
is told($second->get('me')), '200 ', 'a member who gets the role back is let in again, still signed in';
is $operator->act('26AT101', 'disable', {})->status, 204, 'an operator is disabled by another one';
is told($second->get('me')), '401 SIGN_IN.REQUIRED', 'a disabled operator is let in nowhere';
is $operator->act('26AT101', 'enable', {})->status, 204, 'a disabled operator is enabled again';
is told($second->get('me')), '401 SIGN_IN.REQUIRED', 'the former browser stays outside';

done_testing;
