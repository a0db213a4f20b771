use QSOsync::Test fronts => 'main';
use QSOsync::Profile;

# While the club allows it, anybody gets a key for a separate log, a sandbox, in which programs can be tried out. A
# sandbox has nothing to do with the members' logs, nor with other sandboxes.
my $service = QSOsync::Service->start(site => 2);
my $operator = QSOsync::Operator->with_role($service, '21SD333');
my $address = 1;
sub ask {
    my (%option) = @_;
    return $service->request('POST', '', raw_path => '/docs/sandbox', body => '', from => '127.0.0.' . ++$address,
        %option);
}
sub told { my ($answer) = @_; join ' ', $answer->status, $answer->code // '' }
sub files { return map { m{-sandbox-(.*)} } glob $service->db . '-sandbox-*' }
sub allow { $service->admin('club', 'set', '--sandbox', $_[0]) }

is told(ask()), '404 GENERIC.NOT_FOUND', 'no sandbox is created unless the club allows sandboxes';
unlike $service->request('GET', '', raw_path => '/docs/')->body, qr/data-sandbox/,
    'the API description offers no sandbox that the club does not allow';
is $operator->post('club', { sandbox => 'on' })->status, 204, "sandboxes can be allowed on the operator's page";
is $operator->get('switches')->json->{sandbox}, 'on', "the operator's page shows that sandboxes are allowed";
like $service->admin('club', 'show'), qr/^sandbox +on$/m, 'the command shows that sandboxes are allowed';
like $service->request('GET', '', raw_path => '/docs/')->body, qr/data-sandbox/,
    'the API description offers a sandbox that the club allows';

my $answer = ask();
is $answer->status, 201, 'a sandbox is created without a key, as with curl';
is $answer->header('Cache-Control'), 'no-store', 'no cache may keep the key';
my $sandbox = $answer->json;
like $sandbox->{key}, qr/\Aqsosync_sandbox[0-9A-Za-z]{42}\z/, 'the key of a sandbox can be recognised';
like $sandbox->{baseUrl}, qr{\Ahttp://[^/]+/api/v1\z}, 'the answer has the address of the API';
my $key = $sandbox->{key};
is_deeply { map { $_ => $sandbox->{$_} } qw(callsign locator scope) },
    { map { $_ => $service->get('/me', key => $key)->json->{$_} } qw(callsign locator scope) },
    'the answer describes the owner of the key as GET /me does';
my $before = $service->get('/me', key => $key)->json;
is $before->{callsign}, 'SANDBOX', 'the owner of the key is nobody in the club';

# A program can do everything in a sandbox that it can do in a log.
my ($mine, $other) = (qso(callsignWorked => '21SD333'), qso());
my $results = $service->post_batch([$mine, $other], key => $key)->json->{results};
is scalar(grep { $_->{id} } @$results), 2, 'a sandbox saves QSOs';
my $page = $service->get('/logs', key => $key)->json;
is_deeply [sort map { $_->{clientId} } @{$page->{items}}], [sort map { $_->{clientId} } $mine, $other],
    'a sandbox gives its QSOs back';
is $service->delete_qso($other->{clientId}, key => $key)->status, 204, 'QSOs in a sandbox can be deleted';
is_deeply [map { $_->{clientId} } @{$service->get('/logs?updatedSince=' . $page->{serverTime}
    . '&includeDeleted=true', key => $key)->json->{deleted}}], [$other->{clientId}],
    'a sandbox reports deletions';
is $service->get('/logs/ids', key => $key)->status, 200, 'a sandbox lists its ids';

# Nothing in a sandbox reaches the club.
my $first = { %$mine, clientId => qso()->{clientId}, callsignWorked => 'SANDBOX' };
$service->post_batch([$first]);
my $spotted = qso(callsignWorked => '26AT101', sendSpot => JSON::PP::true());
ok $service->post_batch([$spotted], key => $key)->json->{results}[0]{id}, 'a sandbox accepts a spot';
is_deeply [map { $_->{crossConfirmedAt} } map { @{$service->get('/logs', key => $_)->json->{items}} }
    $service->read_key, $key], [undef, undef, undef], 'QSOs in a sandbox and in a log never confirm each other';
is_deeply $service->request('GET', '', raw_path => '/cluster/spots')->json, [],
    'a spot in a sandbox is shown to nobody';
is $service->admin('spots'), '', 'a spot in a sandbox reaches no cluster';
is_deeply [map { $_->{callsign} } @{$operator->get('members')->json->{items}}], ['21SD333'],
    "the operator's list of members has no sandbox";
unlike join("\n", map { $service->admin(@$_) } ['member', 'list'], ['key', 'list'], ['status']), qr/SANDBOX/i,
    'no list of the command has a sandbox';
is $service->sqlite('SELECT count(*) FROM qsos'), 1, "the club's logbook has no QSO of a sandbox";
is $service->sqlite("SELECT count(*) FROM members"), 1, "the club's logbook has no member of a sandbox";
is told($service->post_batch([{ %$mine, notes => 'another log' }])), '200 ',
    'a clientId of a sandbox is free in a log';
ok $service->get('/logs')->json->{items}[1]{id}, 'a QSO with a clientId of a sandbox is saved in a log';

# Sandboxes are separate from each other.
my $second = ask()->json->{key};
is_deeply $service->get('/logs', key => $second)->json->{items}, [], 'a new sandbox is empty';
my @again = ({ %$mine, callsignWorked => 'SANDBOX' }, qso(callsignWorked => 'SANDBOX'));
is scalar(grep { $_->{id} } @{$service->post_batch(\@again, key => $second)->json->{results}}), 2,
    'a clientId of a sandbox is free in another sandbox';
is scalar(grep { $_->{crossConfirmedAt} } map { @{$service->get('/logs', key => $_)->json->{items}} } $key, $second), 0,
    'QSOs in two sandboxes never confirm each other';

# Wrong keys are refused as for a log.
(my $wrong = $second) =~ s/(.)\z/$1 eq 'a' ? 'b' : 'a'/e;
is told($service->get('/me', key => $wrong)), '401 API_KEYS.INVALID', 'a mistyped key of a sandbox is refused';

# Other sites' pages cannot make visitors create sandboxes.
is told(ask(headers => { 'Sec-Fetch-Site' => 'cross-site' })), '403 PROFILE.CROSS_SITE',
    "another site's page creates no sandbox";
is told(ask(headers => { Origin => 'https://example.net' })), '403 PROFILE.CROSS_SITE',
    "a page with another site's origin creates no sandbox";
is ask(headers => { 'Sec-Fetch-Site' => 'same-origin' })->status, 201, 'the API description creates a sandbox';

# The numbers of sandboxes per address and in total are limited.
is join(' ', map { ask(from => '127.0.1.1')->status } 1 .. 7), '201 201 201 201 201 429 429',
    'an address gets five sandboxes per hour';
my $refused = ask(from => '127.0.1.1');
ok $refused->header('Retry-After') > 60, 'the answer to too many requests tells how long to wait';
my @more = map { ask() } 1 .. 24;
is_deeply [sort { $a <=> $b } map { $_->status } @more], [(201) x 22, (503) x 2],
    'the service has at most 30 sandboxes';
is $more[-1]->code, 'DOCS.SANDBOXES_USED', 'the refusal names its reason';
ok $more[-1]->header('Retry-After') > 60, 'the refusal tells how long to wait';
is scalar(grep { /\A\d{13}-[0-9a-f]{16}\z/ } files()), 30, 'each sandbox is a file next to the logbook';
is $service->get('/me', key => $key)->status, 200, 'a full service does not end earlier sandboxes';

# The size of a sandbox is limited.
my @large = map { { %{qso()}, notes => 'x' x 2000 } } 1 .. 200;
my ($saved, $full) = (0);
for (1 .. 40) {
    $_->{clientId} = qso()->{clientId} for @large;
    $full = $service->post_batch(\@large, key => $second);
    last if $full->status != 200;
    $saved++;
}
is told($full), '413 VALIDATION.FAILED', 'a full sandbox accepts no more QSOs';
like $full->json->{error}{details}[0]{message}, qr/sandbox is full/, 'the refusal says that the sandbox is full';
ok $saved >= 10, 'a sandbox has room for thousands of QSOs' or diag "batches: $saved";
is $service->get('/logs?limit=1', key => $second)->status, 200, 'a full sandbox can still be read';
is $service->post_batch([qso()])->status, 200, 'a full sandbox does not affect a log';

# When the club no longer allows sandboxes, all sandboxes end.
allow('off');
is told($service->get('/me', key => $key)), '401 API_KEYS.INVALID', 'no sandbox outlives the permission of the club';
is told(ask()), '404 GENERIC.NOT_FOUND', 'no sandbox is created after that';

done_testing;
