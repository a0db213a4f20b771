use QSOsync::Test fronts => 'none';
use QSOsync::Profile;

# Beside each key the page tells what was refused to it last, and why.
my $service = QSOsync::Service->start(site => 1, workers => 1, environment => { QSOSYNC_RATE_LIMIT => 60 });
my $me = QSOsync::Profile->log_in($service, '21SD333');
# What is refused is noted after the answer; the only worker takes its next request when it has done so.
sub refusal_of {
    my ($scope) = @_;
    $service->request('GET', '/openapi.json');
    my ($key) = grep { $_->{scope} eq $scope } @{$me->get('keys')->json->{items}};
    my $refusal = $key->{lastRefusal} or return 'none';
    like $refusal->{at}, qr/\A\d{4}-.*Z\z/, 'a refusal has its time';
    return join ' ', map { $_ // '-' } @{$refusal}{qw(code field count)};
}
$service->get('/me');
$service->post_batch([qso()]);
is refusal_of($_), 'none', "nothing was refused to the $_ key" for qw(READ WRITE);
$service->post_batch([qso()], key => $service->read_key);
is refusal_of('READ'), 'API_KEYS.READ_ONLY - 1', 'a scope that does not suffice is told';
$service->post_batch([qso(), qso(frequencyMhz => '27.5'), qso(frequencyMhz => 'x')]);
is refusal_of('WRITE'), 'FREQUENCY_FORMAT_INVALID - 2', 'rejected entries are told by the first code and their number';
$service->post_batch([qso(mode => 'SSTV')]);
like refusal_of('WRITE'), qr/\Amode .* mode 1\z/, 'a sentence is told with its field';
$service->get('/logs?limit=0');
is refusal_of('READ'), 'VALIDATION.FAILED limit 1', 'a wrong parameter is told with its name';
$service->delete_qso(uuid());
like refusal_of('WRITE'), qr/\Amode /, 'what is not there is no refusal';
my $refused = until_true(sub { $service->get('/me')->status == 429 });
ok $refused, 'no request is left at last';
$service->request('GET', '/openapi.json');
is $service->sqlite("SELECT code FROM key_refusals JOIN api_keys ON id = key_id WHERE scope = 'READ'"),
    'GENERIC.RATE_LIMITED', 'the request limit is told';

done_testing;
