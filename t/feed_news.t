use QSOsync::Test fronts => 'nginx';
use QSOsync::Cluster;
use QSOsync::Profile;

# A client of the cluster feed that says by a code whose log it is gets only what is new in that log; nobody learns
# what is new in another's.
my $service = QSOsync::Service->start(site => 1);
my $them = $service->add_member('26AT101', locator => 'IO91wm');
$service->add_member('13HN888');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $other = QSOsync::Profile->log_in($service, '13HN888');
my $cluster = QSOsync::Cluster->new($service);
my $code = $me->post('feed-code', {})->json->{code};
like $code, qr/\A[0-9A-F]{16}\z/, 'a member has a code';
is $me->post('feed-code', {})->json->{code}, $code, 'the code is the same whenever it is asked for';
isnt $other->post('feed-code', {})->json->{code}, $code, 'each member has another one';
is $service->request('POST', '', raw_path => '/profile/data/feed-code', body => {},
    headers => { 'Sec-Fetch-Site' => 'same-origin' })->status, 401,
    'nobody else is told a code';

my $number = 0;
sub spot {
    my ($callsign, $locator) = @_;
    my $spot = qso(callsignWorked => $callsign, dxLocator => $locator, frequencyMhz => '27.555', mode => 'USB',
        sendSpot => JSON::PP::true(), qsoAt => iso_time(1_767_225_600 + 60 * $number++));
    $service->post_batch([$spot], key => $them->{write_key});
}
# What came until the spot of this callsign.
sub comes {
    my ($client, $last) = @_;
    my $text = $client->read_until(qr/^DX de [^\n]* \Q$last\E [^\n]*\n\z/m, 30) // "$last did not come";
    return [$text =~ /^DX de \S+ +\S+ +(\S+)/mg];
}

$service->post_batch([qso(callsignWorked => '30AT1', dxLocator => 'IN80'),
    qso(callsignWorked => '14-FR-1', dxLocator => 'JN18', qsoStatus => 'HRD')]);
my $client = $cluster->client('21SD333-2');
my $stranger = $cluster->client('13HN888');
like $stranger->ask("set/new $code"), qr/\AThat is not the code of your callsign/, "a code is the member's alone";
like $client->ask($_), qr/\AThat is not the code/, "$_ is no code" for 'set/new 1', 'set/new ' . '0' x 16,
    "set/new ${code}0";
like $client->ask('set/new ' . lc $code), qr/\AOnly spots /, "the member's own code is taken, whatever the SSID is";
spot('30AT2', 'IN80aa');
spot('30AT3', 'IM76');   # a square
spot('1AT4', 'IN80');    # a division
spot('30AT/DX', undef);  # a special station
spot('14FR5', 'JN18');   # only heard until now
spot('30AT6', 'IN80');
spot('31AT7', undef);
is_deeply comes($client, '31AT7'), [qw(30AT3 1AT4 30AT/DX 14FR5 31AT7)],
    'only spots of a division, a square or a special station that the log has not are sent';
is_deeply comes($stranger, '31AT7'), [qw(30AT2 30AT3 1AT4 30AT/DX 14FR5 30AT6 31AT7)],
    'a client that has not said whose log it is gets all spots';
is scalar(split /\r\n/, $client->ask('sh/dx 100')), 5, 'sh/dx shows those spots alone';

# What another program logs counts at once, and what is deleted counts no longer.
my $new = qso(callsignWorked => '31AT7');
$service->post_batch([$new]);
spot('31AT8', undef);
spot('102AT1', undef);
is_deeply comes($client, '102AT1'), ['102AT1'], 'a division that another program has logged is new no longer';
$service->delete_qso($new->{clientId});
spot('31AT9', undef);
is_deeply comes($client, '31AT9'), ['31AT9'], 'one whose QSO was deleted is new again';
is $client->ask('unset/new'), "Filter cleared\r\n", 'unset/new shows all spots again';
spot('30AT9', 'IN80');
is_deeply comes($client, '30AT9'), ['30AT9'], 'all spots come again';

# Another password makes another code, and ends what the former one had opened.
$client->ask("set/new $code");
$me->post('password', { password => 'a longer sentence 1', current => $me->{password} })->status =~ /\A20/
    or die 'no new password';
spot('30AT10', 'IN80');
is_deeply comes($client, '30AT10'), ['30AT10'], 'the client of the former code gets all spots';
like $client->ask("set/new $code"), qr/\AThat is not the code/, 'the former code is none';
my $now = $me->post('feed-code', {})->json->{code};
like $client->ask("set/new $now"), qr/\AOnly spots /, 'the new code is one';

done_testing;
