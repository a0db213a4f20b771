use QSOsync::Test fronts => 'all';
use QSOsync::Profile;

# Who gets into the profile, and who does not.
my $service = QSOsync::Service->start(site => 1);
$service->add_member('26AT101');

# Before anybody has a password.
sub status_of {
    my (%headers) = @_;
    return $service->request('GET', '', raw_path => '/profile/data/me', headers => \%headers)->status;
}
$service->expect_log(qr/password mismatch|AH01617|AH01618|not found|auth_basic|user .* was not found/);
is +(stat $service->db . '-logins')[2] & 07777, 0644, 'the front server can read the password file of a new logbook';
is status_of(), 401, 'as long as nobody has a password, a request without a login is refused as any other';
is status_of(Authorization => 'Basic MjFzZDMzMzp4'), 401, 'as long as nobody has a password, every login is refused';

my $me = QSOsync::Profile->log_in($service, '21SD333');
my $other = QSOsync::Profile->log_in($service, '26AT101');
like $me->{password}, qr/\A[0-9A-Za-z]{27}\z/, 'a password is printed, and nothing else';
is +(stat $service->db . '-logins')[2] & 07777, 0644, 'the front server can read the password file';
unlike QSOsync::Front::read_file($service->db . '-logins'), qr/\Q$me->{password}\E/,
    'the password file holds no password';

my $answer = $me->get('me');
is $answer->status, 200, 'a member who logs in is let in';
is $answer->json->{callsign}, '21SD333', 'the member is the one who has logged in';
is $answer->json->{address}, $service->base_url, 'the member is told the address to type into a program';
is $other->get('me')->json->{callsign}, '26AT101', 'another member is another one';
is $answer->header('Cache-Control'), 'no-store', 'no cache stores what is personal';
is $answer->header('Access-Control-Allow-Origin'), undef, 'pages of other origins read nothing of it';
is $answer->header('X-Frame-Options'), 'DENY', 'nothing of it is shown in a frame';

is status_of(), 401, 'a request without a login is refused';
is status_of(Authorization => 'Basic MjFzZDMzMzp4'), 401, 'a wrong password is refused';
is status_of(Authorization => 'Bearer ' . $service->write_key), 401, 'an API key is no login';
is status_of('X-API-Key' => $service->write_key), 401, 'an API key in its own header is no login either';
is status_of('Remote-User' => '21sd333', 'X-Remote-User' => '21sd333', 'REMOTE_USER' => '21sd333',
    'QSOSYNC-LOGIN' => 1), 401,
    'no header makes a login';
is $service->request('GET', '/me', headers => { Authorization => $me->authorization })->status, 401,
    'the API knows no login';

# Changes come from the service's own pages.
sub change {
    my (%headers) = @_;
    return $me->request('POST', 'password', json => {}, headers => \%headers);
}
my $host = '127.0.0.1:' . $service->port;
is change()->code, 'PROFILE.CROSS_SITE', 'a change without a sign of where it comes from is refused';
is change('Sec-Fetch-Site' => $_)->code, 'PROFILE.CROSS_SITE', "a change that is $_ is refused"
    for qw(cross-site same-site none);
is change(Origin => $_)->code, 'PROFILE.CROSS_SITE', "a change of a page of $_ is refused"
    for 'https://evil.example', 'null', "http://evil.example:80$host", "http://$host.evil.example", "http://$host/";
is change('Sec-Fetch-Site' => 'same-origin', Origin => 'https://evil.example')->code, 'PROFILE.CROSS_SITE',
    'a change with one good and one bad sign is refused';
is $me->request('POST', 'password', body => '{}',
    headers => { 'Sec-Fetch-Site' => 'same-origin', 'Content-Type' => $_ })->status, 400,
    "a change as $_ is refused" for 'text/plain', 'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x';
is $me->get('me')->status, 200, 'none of these changed the password';

my $new = change(Origin => "http://$host");
is $new->status, 200, 'a change of a page of the service is done';
is $new->json->{login}, '21sd333', 'with a new password comes the name to log in with';
is $me->get('me')->status, 401, 'the former password does not work any more';
$me->{password} = $new->json->{password};
is $me->get('me')->status, 200, 'the new password works';
is $other->get('me')->status, 200, 'the password of another member stays';

$service->admin('member', 'disable', '21SD333');
is $me->get('me')->code, 'PROFILE.NO_MEMBER', 'a member who was disabled is not let in';
is $me->post('password')->code, 'PROFILE.NO_MEMBER', 'a member who was disabled changes nothing';
is $service->request('GET', '', raw_path => '/profile/data/nothing',
    headers => { Authorization => $other->authorization })->status, 404,
    'an unknown path is nothing';

done_testing;
