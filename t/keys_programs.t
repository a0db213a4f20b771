use QSOsync::Test fronts => 'essential';
use QSOsync::Profile;

# A member and the operator see which program used a key or an upload token last, as the program states in User-Agent.
my $service = QSOsync::Service->start(site => 1);
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $folder = $service->directory;

my $count = 0;
sub new_key {
    chomp(my $key = $service->admin('key', 'add', '21SD333', '--name', 'key ' . ++$count, '--scope', 'WRITE'));
    return $key;
}
sub row_of {
    my ($key) = @_;
    return (grep { substr($key, 0, length $_->{hint}) eq $_->{hint} } @{$me->get('keys')->json->{items}})[0];
}
# Uses a new key, and returns what the member sees.
sub shown_after {
    my ($agent) = @_;
    my $key = new_key();
    $service->get('/me', key => $key, headers => { defined $agent ? ('User-Agent' => $agent) : () })->status == 200
        or die;
    until_true(sub { row_of($key)->{lastUsedOn} });
    my $shown = row_of($key)->{lastUsedBy};
    $service->admin('key', 'revoke', '21SD333', row_of($key)->{number});
    return $shown;
}
is shown_after('QSOmate/2.1'), 'QSOmate/2.1', 'a program that states its name is shown next to its key';
is shown_after(undef), undef, 'a key has no program if the program states no name';
is shown_after("  Log  of\tKlaus/1  "), 'Log of Klaus/1', 'the name of a program is trimmed';
is shown_after('x' x 200), 'x' x 40, 'a long name is cut after 40 characters';
is shown_after("<b>\xc3\xa4\"'&"), q{<b> "'&}, 'a name has only printable ASCII characters';
is shown_after('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'), 'Firefox on Linux',
    'a browser is shown by its usual name';
is shown_after('logger ' . new_key()), undef, 'a name that contains a key is not shown';

my $key = new_key();
$service->get('/me', key => $key, headers => { 'User-Agent' => 'QSOmate/2.1' });
until_true(sub { row_of($key)->{lastUsedBy} });
my $seen = sub { (grep { $_->{name} eq "key $count" } @{JSON::PP::decode_json($service->admin('key', 'list', '21SD333',
    '--json'))})[0]{lastUsedBy} };
is $seen->(), 'QSOmate/2.1', 'the operator sees the program in the list of keys';
like $service->admin('key', 'list', '21SD333'), qr/LAST USED +BY +REVOKED\n(?:.*\n)*.*\d +QSOmate\/2\.1 +-$/m,
    'the table of keys has a column for the program';
$service->get('/me', key => $key, headers => { 'User-Agent' => 'QSOmate/2.2' });
is until_true(sub { $seen->() eq 'QSOmate/2.2' && $seen->() }), 'QSOmate/2.2',
    'an updated program is shown on the same day';
is $service->get('/me', key => $key, headers => { 'User-Agent' => "evil\xff" })->status, 200,
    'a name does not decide whether a request is answered';
my ($held) = grep { $_->{name} eq "key $count" } @{$me->get('everything.json')->json->{keys}};
is $held->{lastUsedBy}, row_of($key)->{lastUsedBy}, "the member's own data contains the program";

# An upload token has its program in the same lists.
$service->admin('uploads', 'on');
my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'shack');
sub upload {
    my ($agent) = @_;
    return $service->request('POST', '', raw_path => '/cloudlog/api/qso', headers => { 'User-Agent' => $agent },
        json => { key => $token, station_profile_id => 1, type => 'adif', string =>
            '<band:3>11m<qso_date:8>20260517<time_on:6>194200<call:7>26AT101<eor>' })->status;
}
sub uploaded_by { return $me->get('tokens')->json->{items}[0]{lastUsedBy} }
is uploaded_by(), undef, 'an unused token has no program';
is upload('QLog/0.42'), 201, 'a program uploads a QSO';
is until_true(\&uploaded_by), 'QLog/0.42', 'the program that used a token is shown next to the token';
like $service->admin('upload-token', 'list', '21SD333'), qr/LAST USED +BY +REVOKED\n.*\d +QLog\/0\.42 +-$/m,
    'the operator sees the program in the list of tokens';
is $me->get('everything.json')->json->{uploadTokens}[0]{lastUsedBy}, 'QLog/0.42',
    "the member's own data contains the program of a token";
is upload("logger $token"), 201, 'a name does not decide whether an upload is answered';
upload('QLog/0.43');
is until_true(sub { uploaded_by() eq 'QLog/0.43' && uploaded_by() }), 'QLog/0.43',
    'another program is shown on the same day';
$service->stop;

done_testing;
