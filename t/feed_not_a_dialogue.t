use QSOsync::Test fronts => 'none';
use QSOsync::Cluster;

# Input that is not a dialogue costs little, and does not affect other clients.
my $service = QSOsync::Service->start;
my $cluster = QSOsync::Cluster->new($service);
my $true = JSON::PP::true();
$service->post_batch([full_qso(sendSpot => $true, operatorCallsign => '21SD333')]);
my $quiet = $cluster->client('1AT1');

my %flood = (
    'an endless line' => ['x' x 10_000 . "\r\n", 1],
    'a flood of telnet options' => ["\xff\xfb\x01\xff\xfe\x03" x 2_000, 0],
    'a telnet option without an end' => ["\xff\xfa\x18" . 'vt100 ' x 2_000 . "\xff\xf0", 0],
    'eight-bit rubbish' => [join('', map { chr(128 + $_ * 7 % 127) } 1 .. 10_000) . "\r\n", 1],
    'a flood of empty lines' => ["\r\n" x 5_000, 0],
    'a flood of backspaces' => ["\x08\x7f" x 5_000, 0],
);
for my $kind (sort keys %flood) {
    my ($bytes, $answers) = @{$flood{$kind}};
    my $client = $cluster->client;
    $client->send($bytes, "set/here\r\n");
    my $text = $client->read_until(qr/Thank you.*?dxspider >\r\n\z/s) // 'Unknown command ' x 9;
    is scalar(() = $text =~ /Unknown command/g), $answers, "$kind gets " . ($answers ? 'one line' : 'no answer');
    like $client->ask('sh/dx 1'), qr/\A  27555\.0 26AT101 /, "$kind does not disturb the dialogue";
    $client->say('bye');
    is $client->status, 0, "$kind does not change the exit status";
}

# The bytes are pseudo-random, and the same in each run.
my $next = 42;
my $random = join '', map { chr((($next = ($next * 1103515245 + 12345) % 2**31) >> 16) & 255) } 1 .. 9_000;
for my $start (0, 3_000, 6_000) {
    my $client = $cluster->client;
    $client->send(substr $random, $start, 3_000);
    $client->send("\r\n\xff\xf0\r\nbye\r\n");
    my $text = $client->read_until(qr/73 de|goodbye/) // 'nothing';
    unlike $text, qr/[^\x20-\x7e\r\n]|login|password/i, "rubbish from $start on is not echoed";
    is $client->status, 0, "rubbish from $start on gives exit status 0";
}
my $never = $cluster->connect;
$never->send(substr $random, 0, 5_000);
is $never->status, 0, 'rubbish instead of a callsign ends the connection';

# TCP keep-alive detects silent clients. In /proc/net/tcp, 02 means that the connection's timer is the keep-alive timer.
my ($port, $other) = map { sprintf '%04X', $_ } $cluster->{listener}->sockport, $quiet->{socket}->sockport;
sub timer {
    my @connections = map { [split] } split /\n/, QSOsync::Front::read_file('/proc/net/tcp');
    return map { substr $_->[5], 0, 2 } grep { $_->[1] =~ /:$port\z/ && $_->[2] =~ /:$other\z/ } @connections;
}
# A connection's line can be missing while other connections begin and end.
ok until_true(sub { grep { $_ eq '02' } timer() }), 'a connection has a keep-alive timer';
my ($memory) = QSOsync::Front::read_file("/proc/$quiet->{pid}/status") =~ /^VmData:\s+(\d+) kB/m;
$quiet->send('x' x 5_000, "\r\nset/here\r\n");
like $quiet->read_until(qr/Thank you/) // '', qr/Unknown command/, 'a client that was quiet is answered';
is +(QSOsync::Front::read_file("/proc/$quiet->{pid}/status") =~ /^VmData:\s+(\d+) kB/m)[0], $memory,
    'a flood uses no additional memory';
is $cluster->log_text, '', 'a flood writes nothing to the log';

done_testing;
