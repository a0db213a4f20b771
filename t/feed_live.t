use QSOsync::Test fronts => 'nginx', slow => 20;
use QSOsync::Cluster;
use Time::HiRes qw(sleep time);

# Each client gets each live spot once, soon after the commit: one line per write, and no deleted spot.
my $service = QSOsync::Service->start;
my $cluster = QSOsync::Cluster->new($service);
my $true = JSON::PP::true();
my $number = 100;
sub spot { return full_qso(sendSpot => $true, operatorCallsign => '21SD333', callsignWorked => '26AT' . ++$number, @_) }
sub publish { $service->post_spots(@_); return @_ }
sub calls { return $_[0] =~ /^DX de \S+ +\S+ +(\S+)/mg }

publish(map { spot() } 1 .. 3);
my @clients = map { $cluster->client("21SD$_") } 333 .. 343;

# Discards received lines until all published spots have arrived.
sub settle {
    my (@some) = @_;
    my ($marker) = publish(spot());
    defined $_->read_until(qr/\Q$marker->{callsignWorked}\E [^\n]*\n\z/, 30) or die 'a spot did not arrive' for @some;
}
publish(my $first = spot());
for my $client (@clients[0 .. 2]) {
    my $text = $client->read_until(qr/\r\n/, 30);
    is_deeply [calls($text // '')], [$first->{callsignWorked}],
        'a client gets a new spot, and no spot from before the login';
}
settle(@clients);

# Each write is a packet, because clients such as Wavelog's read one spot per segment.
my $writes = $cluster->client('21SD333', packets => 1);
publish(my @burst = map { spot() } 1 .. 12);
my @pieces;
while (@pieces < 12 && IO::Select->new($writes->{socket})->can_read(30)) {
    sysread $writes->{socket}, my $piece, 65536 or last;
    push @pieces, $piece;
}
is scalar(grep { /\ADX de [^\r\n]+\r\n\z/ } @pieces), 12,
    'each line in a burst is one write and begins with DX de';
is_deeply [map { calls($_) } @pieces], [map { $_->{callsignWorked} } @burst],
    'the lines of a burst arrive in the order of their spots';
settle(@clients);

# These spots are deleted before they are sent.
kill 'STOP', $clients[1]{pid};
my @many = publish(map { spot() } 1 .. 30);
$service->delete_qso($_->{clientId}) for @many[20 .. 29];
my ($last) = publish(spot());
kill 'CONT', $clients[1]{pid};
my $text = $clients[1]->read_until(qr/\Q$last->{callsignWorked}\E [^\n]*\n/, 30);
is_deeply [calls($text // '')], [map { $_->{callsignWorked} } @many[0 .. 19], $last],
    'a spot deleted before its turn in a burst is not sent, and all other spots are sent';
settle(@clients);

# Spots are deleted or filtered out in the middle of a burst. One line per stopped client can already be in transit.
sub is_stopped { QSOsync::Front::read_file("/proc/$_[0]{pid}/stat") =~ /\) T / }
publish(@many = map { spot() } 1 .. 45);
for my $client (@clients[0 .. 4]) {
    $client->read_until(qr/\n/, 30);
    kill 'STOP', $client->{pid};
    sleep 0.01 until is_stopped($client);
}
my ($most) = sort { $b <=> $a } map { ($_->read_for(0.1) =~ tr/\n//) + 1 } @clients[0 .. 4];
my @late = @many[$most .. $#many];
$service->delete_qso($_->{clientId}) for @late;
($last) = publish(spot());
kill 'CONT', map { $_->{pid} } @clients[0 .. 4];
for my $client (@clients[0 .. 4]) {
    my @calls = calls($client->read_until(qr/\Q$last->{callsignWorked}\E [^\n]*\n/, 30) // '');
    is pop @calls, $last->{callsignWorked}, 'spots after deleted spots are sent';
    my %deleted = map { $_->{callsignWorked} => 1 } @late;
    cmp_ok scalar(grep { $deleted{$_} } @calls), '<=', 1,
        'spots deleted in the middle of a burst are not sent';
}
settle(@clients);
publish(map { spot() } 1 .. 30);
$clients[3]->read_until(qr/\n/, 30);
$clients[3]->ask('set/band pmr');
is $clients[3]->read_for(0.5), '', 'a filter set in the middle of a burst takes effect at once';
$clients[3]->ask('unset/band');
settle(@clients);

# Each filter accepts and blocks spots.
$clients[3]->ask('set/band pmr');
$clients[4]->ask('set/grid IO91');
$clients[5]->ask('set/mode CW');
publish(spot(dxLocator => 'JN49', myLocator => 'JO59', mode => 'CW'),
    my $pmr = full_pmr_qso(sendSpot => $true, operatorCallsign => '21SD333', callsignWorked => '26AT9'));
is_deeply [calls($clients[3]->read_until(qr/26AT9 [^\n]*\n/, 30) // '')], ['26AT9'],
    'a band filter accepts only its band';
is_deeply [calls($clients[4]->read_until(qr/26AT9 [^\n]*\n/, 30) // '')], ['26AT9'],
    'a locator filter accepts locators that begin with its letters';
like $clients[5]->read_until(qr/\n/, 30) // '', qr/ CW JN49 /, 'a mode filter accepts its mode';
is $clients[5]->read_for(0.8), '', 'a mode filter blocks other modes';
settle(@clients[6 .. $#clients]);

# Changes to the logbook file do not disturb clients: each spot arrives once, in order.
my (@sent, %seen);
sub collect {
    for my $i (6 .. 9) { $seen{$i} .= $clients[$i]->read_until(qr/\Q$sent[-1]{callsignWorked}\E [^\n]*\n/, 30) // '' }
}
push @sent, publish(map { spot() } 1 .. 5);
$service->sqlite('PRAGMA wal_checkpoint(TRUNCATE)');
push @sent, publish(map { spot() } 1 .. 5);
kill 'KILL', ($service->worker_pids)[0];
$service->replace_ended_workers;
push @sent, publish(map { spot() } 1 .. 5);
my $backup = $service->directory . '/backup.db';
$service->admin('backup', $backup);
push @sent, publish(map { spot() } 1 .. 3);
collect();
$service->expect_log(qr/./);
$service->admin('restore', $backup);
push @sent, publish(map { spot() } 1 .. 5);
collect();
$seen{$_} .= $clients[$_]->read_for(0.3) for 6 .. 9;
is_deeply [calls($seen{$_})], [map { $_->{callsignWorked} } @sent],
    "client $_ gets each spot once, despite a checkpoint, a kill and a restore" for 6 .. 9;

# Another file replaces the logbook.
$service->restart_workers(sub {
    unlink $backup;
    $service->admin('backup', $backup);
    rename $service->db . $_, $service->db . ".moved$_" for '-wal', '-shm', '';
    sleep 1;
    $service->admin('restore', $backup);
});
publish(my @restored = map { spot() } 1 .. 3);
for my $i (6 .. 9) {
    my $text = $clients[$i]->read_until(qr/\Q$restored[-1]{callsignWorked}\E [^\n]*\n\z/, 30);
    is_deeply [calls($text // '')], [map { $_->{callsignWorked} } @restored],
        "client $i gets each spot after the logbook file is replaced";
}

# A client that is far behind continues with the newest spots.
kill 'STOP', $clients[2]{pid};
publish(@many = map { spot() } 1 .. 130);
kill 'CONT', $clients[2]{pid};
my @calls = calls($clients[2]->read_until(qr/\Q$many[-1]{callsignWorked}\E [^\n]*\n/, 30) // '');
my $passed = @many - 50;
is_deeply [grep { my $call = $_; grep { $_->{callsignWorked} eq $call } @many } @calls],
    [map { $_->{callsignWorked} } @many[$passed .. $#many]],
    'a client that is more than fifty spots behind continues with the newest fifty spots';

# A QSO that is saved again after its deletion publishes another spot.
my $again = spot();
settle($clients[10]);
publish($again);
$clients[10]->read_until(qr/\Q$again->{callsignWorked}\E [^\n]*\n/, 30);
$service->delete_qso($again->{clientId});
publish($again);
ok defined $clients[10]->read_until(qr/\Q$again->{callsignWorked}\E /, 30),
    'a QSO saved again after its deletion is a new spot';
is $cluster->log_text, '', 'the feed writes nothing to its log';

done_testing;
