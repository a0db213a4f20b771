use QSOsync::Test fronts => 'nginx';
use QSOsync::Profile;

# The secrets that the pages' worker makes, or is sent, are in its memory no longer than their request.
my $service = QSOsync::Service->start(site => 1);
$service->admin('uploads', 'on');
my $member = QSOsync::Profile->log_in($service, '21SD333');
my ($worker) = @{$service->{site_pids}};
plan skip_all => 'only root can look into the memory of a worker that the test started'
    if QSOsync::Front::is_instrumented() || !defined $service->memory_of($worker);

# What is left of a secret may be a part of it, and may stand in half bytes, as in a QR code.
sub forms_of {
    my ($secret) = @_;
    my $part = length $secret > 30 ? substr $secret, 12, 25 : substr $secret, 4, 12;
    my $digits = unpack 'H*', $part;
    return $part, pack('H*', substr $digits, 1, -1);
}
my %secrets = (password => [$member->{password}], cookie => [$member->cookie =~ s/.*=//r]);

sub is_held {
    my ($memory) = @_;
    return map { my $kind = $_; grep { index($memory, $_) >= 0 } map { forms_of($_) } @{$secrets{$kind}} }
        keys %secrets;
}

sub is_forgotten {
    my ($what, $status, $answer) = @_;
    is $answer->status, $status, "$what is answered" or diag $answer->body;
    my @held;
    for (1 .. 50) {
        @held = is_held($service->memory_of($worker)) or last;
        Time::HiRes::sleep(0.02);
    }
    is scalar(@held), 0, "after $what nothing of a secret is left in the worker's memory";
}

like $service->memory_of($worker), qr/qsosync/, 'the memory of a worker can be looked at';
is_forgotten('a look at the own data', 200, $member->get('me'));
for my $number (1 .. 2) {
    my $key = $member->post('keys', { name => "key $number", scope => 'WRITE' });
    push @{$secrets{key}}, $key->json->{key};
    is_forgotten("making key $number", 201, $key);
}
my $token = $member->post('tokens', { name => 'token' })->json->{token};
$secrets{token} = [$token];
is_forgotten('a list of the tokens', 200, $member->get('tokens'));

our $adif = '<CALL:7>26AT101<QSO_DATE:8>20260517<TIME_ON:6>194200<FREQ:6>27.555<BAND:3>11m<MODE:3>SSB<EOR>';
sub upload {
    my ($path, $key) = @_;
    return $service->request('POST', '', raw_path => "/cloudlog/api/$path",
        json => { key => $key, station_profile_id => '1', type => 'adif', string => $adif });
}
is_forgotten('an upload', 201, upload('qso', $token));
is_forgotten('a large upload', 201, do { local $adif = $adif x 3000; upload('qso', $token) });
(my $wrong = $token) =~ tr/a-y/b-z/;
push @{$secrets{token}}, $wrong;
is_forgotten('an upload with a wrong token', 401, upload('qso', $wrong));
is_forgotten('a look at the stations', 401,
    $service->request('GET', '', raw_path => "/cloudlog/api/station_info/$wrong"));
is_forgotten('a check of the token', 200, $service->request('GET', '', raw_path => "/cloudlog/api/auth/$token"));

my $link = $member->post('devices/link');
push @{$secrets{link}}, $link->json->{link} =~ s/.*#//r;
is_forgotten('making a link for another device', 200, $link);
my $used = QSOsync::Profile::send_json($service, '/welcome/', { token => $secrets{link}[0] });
push @{$secrets{cookie}}, QSOsync::Profile::cookie_of($used) =~ s/.*=//r;
is_forgotten('a use of the link', 204, $used);
push @{$secrets{password}}, my $chosen = 'chosen by its member himself';
is_forgotten('a new password', 204,
    $member->post('password', { password => $chosen, current => $member->{password} }));
for my $case (['the former', $member->{password}, 401], ['the new', $chosen, 303]) {
    my ($which, $password, $status) = @$case;
    my $answer = QSOsync::Profile::send_form($service, '/sign-in', { callsign => '21SD333', password => $password });
    push @{$secrets{cookie}}, QSOsync::Profile::cookie_of($answer) =~ s/.*=//r if $status == 303;
    is_forgotten("signing in with $which password", $status, $answer);
}

done_testing;
