use QSOsync::Test fronts => 'nginx';
use IO::Select;
use IO::Socket::INET;
use POSIX qw(strftime);
use Time::HiRes qw(sleep time);
use QSOsync::Cluster;
use QSOsync::Profile;

# A client of the cluster feed identifies a log by a code, and gets only spots needed for that log. The client cannot
# learn what is needed in another log.
sub heard {
    my ($socket, $pattern) = @_;
    my ($text, $end) = ('', time + 30);
    while ($text !~ $pattern && time < $end) {
        next unless IO::Select->new($socket)->can_read(1);
        sysread $socket, $text, 4096, length $text or last;
    }
    return $text;
}

my $service = QSOsync::Service->start(site => 1);
my $them = $service->add_member('26AT101', locator => 'IO91wm');
$service->add_member('13HN888');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $other = QSOsync::Profile->log_in($service, '13HN888');
my $cluster = QSOsync::Cluster->new($service);
my $code = $me->post('feed-code', {})->json->{code};
like $code, qr/\A[0-9A-F]{16}\z/, 'a member gets a feed code';
is $me->post('feed-code', {})->json->{code}, $code, 'a member who requests a code again gets the same code';
isnt $other->post('feed-code', {})->json->{code}, $code, 'each member has a different code';
is $service->request('POST', '', raw_path => '/profile/data/feed-code', body => {},
    headers => { 'Sec-Fetch-Site' => 'same-origin' })->status, 401,
    'a request without a session gets no code';

my $number = 0;
sub spot {
    my ($callsign, $locator) = @_;
    my $spot = qso(callsignWorked => $callsign, dxLocator => $locator, frequencyMhz => '27.555', mode => 'USB',
        sendSpot => JSON::PP::true(), qsoAt => iso_time(1_767_225_600 + 60 * $number++));
    $service->post_batch([$spot], key => $them->{write_key});
}
# Returns the callsigns in the spots that a client received, up to the spot with this callsign.
sub comes {
    my ($client, $last) = @_;
    my $text = $client->read_until(qr/^DX de [^\n]* \Q$last\E [^\n]*\n\z/m, 30) // "$last did not arrive";
    return [$text =~ /^DX de \S+ +\S+ +(\S+)/mg];
}

$service->post_batch([qso(callsignWorked => '30AT1', dxLocator => 'IN80'),
    qso(callsignWorked => '14-FR-1', dxLocator => 'JN18', qsoStatus => 'HRD')]);
my $client = $cluster->client('21SD333-2');
my $stranger = $cluster->client('13HN888');
like $stranger->ask("set/new $code"), qr/\AWrong code for your callsign/,
    "a code works only for its member's callsign";
like $client->ask($_), qr/\AWrong code/, "$_ is refused as a code" for 'set/new 1', 'set/new ' . '0' x 16,
    "set/new ${code}0";
like $client->ask('set/new ' . lc $code), qr/\AShowing only /,
    "the member's code is accepted with any SSID";
spot('30AT2', 'IN80aa');
spot('30AT3', 'IM76');   # a new square
spot('1AT4', 'IN80');    # a new division
spot('30AT/DX', undef);  # a new special station
spot('14FR5', 'JN18');   # only heard so far
spot('30AT6', 'IN80');
spot('31AT7', undef);
is_deeply comes($client, '31AT7'), [qw(30AT3 1AT4 30AT/DX 14FR5 31AT7)],
    'only spots with a new division, square or special station are sent';
is_deeply comes($stranger, '31AT7'), [qw(30AT2 30AT3 1AT4 30AT/DX 14FR5 30AT6 31AT7)],
    'a client without a code gets all spots';
is scalar(split /\r\n/, $client->ask('sh/dx 100')), 5, 'sh/dx shows only the needed spots';

# QSOs logged by another program count at once, and deleted QSOs no longer count.
my $new = qso(callsignWorked => '31AT7');
$service->post_batch([$new]);
spot('31AT8', undef);
spot('102AT1', undef);
is_deeply comes($client, '102AT1'), ['102AT1'], 'a division logged by another program is no longer needed';
$service->delete_qso($new->{clientId});
spot('31AT9', undef);
is_deeply comes($client, '31AT9'), ['31AT9'], 'a division whose QSO was deleted is needed again';
is $client->ask('unset/new'), "Filter cleared\r\n", 'unset/new clears the filter';
spot('30AT9', 'IN80');
is_deeply comes($client, '30AT9'), ['30AT9'], 'all spots are sent after unset/new';

# A new password changes the code, and ends filters that were set with the previous code.
$client->ask("set/new $code");
$me->post('password', { password => 'a longer sentence 1', current => $me->{password} })->status =~ /\A20/
    or die 'no new password';
spot('30AT10', 'IN80');
is_deeply comes($client, '30AT10'), ['30AT10'], 'a client with a revoked code gets all spots';
like $client->ask("set/new $code"), qr/\AWrong code/, 'a new password revokes the code';
my $now = $me->post('feed-code', {})->json->{code};
like $client->ask("set/new $now"), qr/\AShowing only /, 'the new code is accepted';
$service->stop;

done_testing;
