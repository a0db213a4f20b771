use QSOsync::Test fronts => 'nginx';
use JSON::PP ();
use QSOsync::Profile;
use Time::HiRes ();

# The operator's page requires the role, a recently entered password, and requests from the service's own page.
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
# Every route of the operator's page requires the role. The routes are found in the source files.
my $source = $QSOsync::Front::SOURCE;
my @routes;
for my $path (sort glob "$source/src/site/operator/*.c") {
    my $text = QSOsync::Front::read_file($path);
    push @routes, [$1, $2] while $text =~ /OPERATOR_ROUTE\(\w+,\s*METHOD_(\w+),\s*"([^"]+)"/g;
}
cmp_ok scalar @routes, '>=', 20, 'the source files contain at least 20 routes';
my $number = $operator->member('26AT101')->{number};
for my $route (@routes) {
    my ($method, $path) = @$route;
    $path =~ s/\{number\}/$number/;
    $path =~ s/\{device\}/1/;
    my %change = $method eq 'GET' ? () : (json => {}, headers => { 'Sec-Fetch-Site' => 'same-origin' });
    is told($service->request($method, '', %change, raw_path => "/operator/data/$path")), '401 SIGN_IN.REQUIRED',
        "$method $path: a visitor gets 401";
    is told($member->request($method, $path, %change)), '403 OPERATOR.NO_ROLE',
        "$method $path: a member without the role gets 403";
    next if $method eq 'GET';
    is told($operator->request($method, $path, json => {}, headers => { 'Sec-Fetch-Site' => 'cross-site' })),
        '403 PROFILE.CROSS_SITE', "$method $path: a page on another site gets 403";
}
is told($operator->get('me')), '200 ', "an operator gets the page's data";
is $operator->get('me')->header('Cache-Control'), 'no-store', 'answers must not be cached';
is $service->request('GET', '', raw_path => '/operator/')->status, 200, 'any visitor may load the page itself';
is $service->request('GET', '', raw_path => '/operator/data/me', key => $service->write_key)->status, 401,
    'an API key does not give access';

# The operator must have entered the password in the last 15 minutes.
prove_long_ago('21SD333', 14);
is told($operator->get('members')), '200 ', 'a password that was entered 14 minutes ago is sufficient';
prove_long_ago('21SD333', 16);
for my $route (@routes) {
    my ($method, $path) = @$route;
    $path =~ s/\{number\}/$number/;
    $path =~ s/\{device\}/1/;
    my %change = $method eq 'GET' ? () : (json => {}, headers => { 'Sec-Fetch-Site' => 'same-origin' });
    is told($operator->request($method, $path, %change)), '403 OPERATOR.PROOF_TOO_OLD',
        "$method $path: the password must be entered again after 16 minutes";
}
my $profile = bless { %$operator }, 'QSOsync::Profile';
is $profile->post('prove', { password => 'a wrong one' })->status, 400, 'a wrong password is refused';
is told($operator->get('members')), '403 OPERATOR.PROOF_TOO_OLD', 'a wrong password does not renew access';
is $profile->post('prove', { password => $operator->{password} })->status, 204, 'the right password is accepted';
is told($operator->get('members')), '200 ', 'the right password renews access';
is told($member->get('me')), '403 OPERATOR.NO_ROLE', 'a password gives no access without the role';

# A member who loses the role or is disabled loses access at once.
my $second = QSOsync::Operator->with_role($service, '26AT101');
is told($second->get('me')), '200 ', "a second operator gets the page's data";
is $operator->act('26AT101', 'operator', { on => JSON::PP::false() })->status, 204,
    "an operator can remove another member's role";
is told($second->get('me')), '403 OPERATOR.NO_ROLE', 'a member who loses the role is refused at once';
is $operator->act('26AT101', 'operator', { on => JSON::PP::true() })->status, 204, 'an operator can restore the role';
is told($second->get('me')), '200 ', 'a member who gets the role again is still signed in';
is $operator->act('26AT101', 'disable', {})->status, 204, 'an operator can disable another operator';
is told($second->get('me')), '401 SIGN_IN.REQUIRED', 'a disabled operator is signed out';
is $operator->act('26AT101', 'enable', {})->status, 204, 'a disabled operator can be enabled again';
is told($second->get('me')), '401 SIGN_IN.REQUIRED', 'the browser of an operator who is enabled again stays signed out';

done_testing;
