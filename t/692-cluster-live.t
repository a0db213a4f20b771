use QSOsync::Test fronts => 'nginx';
use QSOsync::Cluster;
use Time::HiRes qw(sleep time);

# Live spots: each client has each spot once, soon after it was committed, one line a write, and none that was deleted.
my $service = QSOsync::Service->start;
my $cluster = QSOsync::Cluster->new($service);
my $true = JSON::PP::true();
my $number = 100;
sub spot { return full_qso(sendSpot => $true, operatorCallsign => '21SD333', callsignWorked => '26AT' . ++$number, @_) }
sub publish { my @qsos = @_; $service->post_batch([splice @qsos, 0, 200]) while @qsos; return @_ }
sub calls { return $_[0] =~ /^DX de \S+ +\S+ +(\S+)/mg }

publish(map { spot() } 1 .. 3);
my @clients = map { $cluster->client("21SD$_") } 333 .. 343;

# What has come by the end of that time is thrown away.
sub drain { my ($seconds, @some) = @_; sleep $seconds; $_->read_for(0.06) for @some }
publish(my $first = spot());
for my $client (@clients[0 .. 2]) {
    my $text = $client->read_until(qr/\r\n/, 5);
    is_deeply [calls($text // '')], [$first->{callsignWorked}], 'a spot comes to every client, and what was before it does not';
}
drain(0.01, @clients);

# Pieces as they come: a client such as Wavelog's takes one spot a segment.
publish(my @burst = map { spot() } 1 .. 12);
my ($end, @pieces) = (time + 5);
my $socket = $clients[0]{socket};
while (time < $end && @pieces < 12) {
    next unless IO::Select->new($socket)->can_read(0.2);
    sysread $socket, my $piece, 65536 or last;
    push @pieces, $piece;
}
is scalar(grep { /\ADX de [^\r\n]+\r\n\z/ } @pieces), 12, 'in a burst each line is a write of its own and begins with DX de';
is_deeply [map { calls($_) } @pieces], [map { $_->{callsignWorked} } @burst], 'a burst comes in the order of the spots';
sleep 0.2;
drain(0.7, @clients[1 .. $#clients]);

# Deleted before it was sent.
my @many = publish(map { spot() } 1 .. 30);
$service->delete_qso($_->{clientId}) for @many[20 .. 29];
my $text = $clients[1]->read_until(qr/\Q$many[19]{callsignWorked}\E [^\n]*\n/, 10) . $clients[1]->read_for(1);
my %come = map { $_ => 1 } calls($text);
is scalar(grep { $come{$_->{callsignWorked}} } @many[0 .. 19]), 20, 'the spots of a burst that stay are all sent';
cmp_ok scalar(grep { $come{$_->{callsignWorked}} } @many[20 .. 29]), '<', 10, 'spots that were deleted before their turn are not sent';
drain(1.2, @clients[0, 2 .. $#clients]);

# Filters.
$clients[3]->ask('set/band pmr');
$clients[4]->ask('set/grid IO91');
$clients[5]->ask('set/mode CW');
publish(spot(dxLocator => 'JN49', myLocator => 'JO59', mode => 'CW'), my $pmr = full_pmr_qso(sendSpot => $true, operatorCallsign => '21SD333', callsignWorked => '26AT9'));
is_deeply [calls($clients[3]->read_until(qr/26AT9/, 5) // '')], ['26AT9'], 'a filter of the band lets pass that band alone';
is_deeply [calls($clients[4]->read_until(qr/26AT9/, 5) // '')], ['26AT9'], 'a filter of the locator lets pass what begins so';
like $clients[5]->read_until(qr/\n/, 5) // '', qr/ CW JN49 /, 'a filter of the mode lets pass that mode';
is $clients[5]->read_for(0.8), '', 'a filter of the mode lets pass nothing else';
drain(0.8, @clients[0 .. 4, 6 .. $#clients]);

# What happens to the logbook meanwhile disturbs nobody: each spot comes once, in order.
my @seen = map { [] } @clients;
my @sent;
sub collect { my ($seconds) = @_; sleep $seconds; for my $i (6 .. 9) { push @{$seen[$i]}, calls($clients[$i]->read_for(0.3)) } }
push @sent, publish(map { spot() } 1 .. 5);
$service->sqlite('PRAGMA wal_checkpoint(TRUNCATE)');
push @sent, publish(map { spot() } 1 .. 5);
kill 'KILL', ($service->worker_pids)[0];
$service->replace_ended_workers;
push @sent, publish(map { spot() } 1 .. 5);
my $backup = $service->directory . '/backup.db';
$service->admin('backup', $backup);
push @sent, publish(map { spot() } 1 .. 3);
collect(1.5);
$service->expect_log(qr/./);
$service->admin('restore', $backup);
push @sent, publish(map { spot() } 1 .. 5);
collect(2);
is_deeply $seen[$_], [map { $_->{callsignWorked} } @sent], "client $_ has each spot once, over a checkpoint, a kill and a restore" for 6 .. 9;

# A spot of a QSO that was deleted and saved again is another spot.
my $again = spot();
drain(0.1, @clients);
publish($again);
$clients[10]->read_until(qr/\Q$again->{callsignWorked}\E/, 5);
$service->delete_qso($again->{clientId});
publish($again);
ok defined $clients[10]->read_until(qr/\Q$again->{callsignWorked}\E/, 5), 'a QSO that is saved again after its deletion is another spot';
is $cluster->log_text, '', 'the feed leaves nothing in its log';

done_testing;
