use QSOsync::Test fronts => 'nginx', slow => 1, suite => 'all';

# An evening with sync.sh, which is killed again and again: no QSO is lost or doubled.
use JSON::PP ();
use QSOsync::FaultyProxy;
use QSOsync::Kit;

my $json = JSON::PP->new->utf8->canonical;
my $seconds = $ENV{QSOSYNC_TEST_SECONDS} || 20;
my $service = QSOsync::Service->start;
my $folder = $service->directory . '/copy';
my $proxy = QSOsync::FaultyProxy->start($service, sub {
    my $dice = rand;
    return $dice < 0.06 ? 'cut' : $dice < 0.09 ? 'lost' : $dice < 0.11 ? 'broken' : 'pass';
});
my $environment = QSOsync::Kit::environment($service, url => $proxy->url);
my @command = ('sh', QSOsync::Kit::client('sync.sh'), $folder);
my $log = $service->directory . '/client.log';
QSOsync::Kit::run_and_kill($log, $environment, 1, @command); # makes the folders

# What the user did, by clientId: the notes that the QSO has, or undef where it was deleted.
my (%wanted, $serial);
my $killed = 0;
sub drop {
    my ($name, $content) = @_;
    QSOsync::Front::write_file("$folder/.new", $content);
    rename "$folder/.new", "$folder/outbox/$name" or die $!;
}
sub log_qso {
    my ($client_id) = @_;
    $wanted{$client_id} = 'Nr ' . ++$serial;
    drop("$client_id.json", $json->encode(full_qso(clientId => $client_id, notes => $wanted{$client_id})));
}

my $end = time + $seconds;
while (time < $end || $killed <= 5) {
    log_qso(uuid()) for 1 .. rand 5;
    my @there = grep { defined $wanted{$_} } keys %wanted;
    log_qso($there[rand @there]) if @there && rand() < 0.5;
    if (@there && rand() < 0.3) {
        my $gone = $there[rand @there];
        undef $wanted{$gone};
        drop("$gone.delete", '');
    }
    # Another program of the same member.
    my $elsewhere = uuid();
    $wanted{$elsewhere} = "elsewhere $elsewhere";
    $service->post_batch([full_qso(clientId => $elsewhere, notes => $wanted{$elsewhere})]);
    $killed += QSOsync::Kit::run_and_kill($log, $environment, rand 1, @command);
}
$proxy->stop;
my ($status, $output) = QSOsync::Kit::run($log, QSOsync::Kit::environment($service), @command);
is $status, 0, 'a client that is not killed ends well' or diag $output;

my @log = $service->download;
my %truth = map { $_->{clientId} => $_->{notes} } @log;
is_deeply \%truth, { map { defined $wanted{$_} ? ($_ => $wanted{$_}) : () } keys %wanted },
    'every QSO is in the log, once, in its last state';
is_deeply $json->decode(QSOsync::Front::read_file("$folder/log.json"))->{items}, { map { $_->{clientId} => $_ } @log },
    'after the evening the copy is the log';
is join(' ', map { glob "$folder/$_/*" } qw(outbox sending sent rejected)), '',
    'after the evening nothing waits in the outbox';

done_testing;
