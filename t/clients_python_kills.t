use QSOsync::Test fronts => 'nginx', suite => 'all';
use QSOsync::Adif;
use QSOsync::Kit;
use QSOsync::Proxy;

# qsosync.py is killed repeatedly during an evening. No QSO is lost or duplicated.
my $seconds = $ENV{QSOSYNC_TEST_SECONDS} || 8;
my $service = QSOsync::Service->start;
my $folder = $service->directory . '/log';
mkdir $folder;
my $proxy = QSOsync::FaultyProxy->start($service, sub {
    my $dice = rand;
    return $dice < 0.06 ? 'cut' : $dice < 0.09 ? 'lost' : $dice < 0.11 ? 'broken' : 'pass';
});
my $environment = QSOsync::Kit::environment($service, url => $proxy->url);
my @command = ('python3', QSOsync::Kit::client('qsosync.py'), 'sync', $folder);
my $log = $service->directory . '/client.log';

# The logging program's file has these signal reports, by callsign. The program appends records, and rewrites the file
# after an edit. The member's phone sends QSOs with other callsigns.
my (%logged, @phone, $serial);
my $killed = 0;
sub record {
    my ($call) = @_;
    return adif_record(qso_date => '20260517', time_on => '194211', band => '11m', freq => '27.555', mode => 'USB',
        call => $call,
        rst_sent => $logged{$call});
}
sub append {
    open my $file, '>>', "$folder/log.adi" or die $!;
    print {$file} @_;
    close $file;
}
sub rewrite { QSOsync::Front::write_file("$folder/log.adi", join '', "x<eoh>\n",
    map { record($_) } sort keys %logged) }

rewrite();
my $end = time + $seconds;
while (time < $end || $killed <= 5) {
    for (1 .. 1 + rand 4) {
        my $call = '26AT' . ++$serial;
        $logged{$call} = '59';
        append(record($call));
    }
    if (rand() < 0.4) {
        my $call = (keys %logged)[0];
        $logged{$call} = '5' . int rand 10;
        rewrite();
    }
    my $elsewhere = '161SD' . ++$serial;
    $service->post_batch([my $qso = qso(callsignWorked => $elsewhere, rstSent => '51')]);
    rand() < 0.3 ? $service->delete_qso($qso->{clientId}) : push @phone, $elsewhere;
    $killed += QSOsync::Kit::run_and_kill($log, $environment, rand 0.6, @command);
}
$proxy->stop;
my ($status, $output) = QSOsync::Kit::run($log, QSOsync::Kit::environment($service), @command);
is $status, 0, 'an undisturbed client succeeds' or diag $output;

my @log = $service->download;
is_deeply [sort map { "$_->{callsignWorked} $_->{rstSent}" } @log], [sort((map { "$_ $logged{$_}" } keys %logged),
    map { "$_ 51" } @phone)], 'the log has every QSO once, in its last state';
my $state = JSON::PP->new->utf8->decode(QSOsync::Front::read_file("$folder/qsosync.json"));
is_deeply $state->{items}, { map { $_->{clientId} => $_ } @log }, 'after the evening, the copy equals the log';
is_deeply $state->{pending}, {}, 'after the evening, the queue is empty';

done_testing;
