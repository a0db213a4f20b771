use QSOsync::Test fronts => 'nginx';
use QSOsync::Profile;

# The profile lists each key with its last refusal and the reason.
my $service = QSOsync::Service->start(site => 1, workers => 1, environment => { QSOSYNC_RATE_LIMIT => 60 });
my $me = QSOsync::Profile->log_in($service, '21SD333');
# Returns a key's last refusal. A worker records a refusal after it has answered, so another request waits until the
# only worker has done so.
sub refusal_of {
    my ($scope) = @_;
    $service->request('GET', '/openapi.json');
    my ($key) = grep { $_->{scope} eq $scope } @{$me->get('keys')->json->{items}};
    my $refusal = $key->{lastRefusal} or return 'none';
    like $refusal->{at}, qr/\A\d{4}-.*Z\z/, 'a refusal is listed with its time';
    return join ' ', map { $_ // '-' } @{$refusal}{qw(code field count)};
}
$service->get('/me');
$service->post_batch([qso()]);
is refusal_of($_), 'none', "the $_ key has no refusal" for qw(READ WRITE);
$service->post_batch([qso()], key => $service->read_key);
is refusal_of('READ'), 'API_KEYS.READ_ONLY - 1', 'a write with a READ key is listed as a refusal';
$service->post_batch([qso(), qso(frequencyMhz => '27.5'), qso(frequencyMhz => 'x')]);
is refusal_of('WRITE'), 'FREQUENCY_FORMAT_INVALID frequencyMhz 2',
    'rejected entries are listed with the first error code, its field and the number of entries';
$service->post_batch([qso(mode => 'SSTV')]);
like refusal_of('WRITE'), qr/\Amode .* mode 1\z/,
    'an entry rejected with a sentence is listed with the sentence and the field';
$service->get('/logs?limit=0');
is refusal_of('READ'), 'VALIDATION.FAILED limit 1', 'a wrong parameter is listed with its name';
$service->delete_qso(uuid());
like refusal_of('WRITE'), qr/\Amode /, 'a deletion of a missing QSO is not listed as a refusal';
my $refused = until_true(sub { $service->get('/me')->status == 429 });
ok $refused, 'the request limit is reached';
$service->request('GET', '/openapi.json');
is $service->sqlite("SELECT code FROM key_refusals JOIN api_keys ON id = key_id WHERE scope = 'READ'"),
    'GENERIC.RATE_LIMITED', 'a refusal at the request limit is recorded';

done_testing;
