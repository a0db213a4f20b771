use QSOsync::Test fronts => 'nginx', slow => 60, suite => 'all';

# sync.sh of the client kit: the recommended procedure, step by step.
use JSON::PP ();
use QSOsync::FaultyProxy;
use QSOsync::Kit;

my $json = JSON::PP->new->utf8->canonical;
my $service = QSOsync::Service->start;
my $folder = $service->directory . '/copy';
my $number = 0;

sub sync_through {
    my ($url, $key) = @_;
    return QSOsync::Kit::run($service->directory . '/client.log',
        QSOsync::Kit::environment($service, url => $url, key => $key),
        'sh', QSOsync::Kit::client('sync.sh'), $folder);
}
sub is_in_step {
    my ($rule, $url) = @_;
    my ($status, $output) = sync_through($url);
    is $status, 0, $rule or diag $output;
    is_deeply(copy()->{items}, { map { $_->{clientId} => $_ } $service->download }, "$rule: the copy is the log");
    return $output;
}
sub copy { $json->decode(QSOsync::Front::read_file("$folder/log.json")) }
sub put {
    my ($name, $content) = @_;
    QSOsync::Front::write_file("$folder/.new", ref $content ? $json->encode($content) : $content);
    rename "$folder/.new", "$folder/outbox/$name" or die $!;
}
sub left { map { (glob "$folder/$_/*") } @_ }

# Downloads.
my @stored = map { full_qso(notes => "Nr $_ \x{e5}") } 1 .. 520;
$service->post_batch([splice @{[@stored]}, $_ * 200, 200]) for 0 .. 1;
$service->post_batch([@stored[400 .. 519]]);
is_in_step 'the first download takes every page';
is scalar(keys %{copy()->{items}}), 520, 'the first download has the QSOs of both pages';
my $time = copy()->{serverTime};
$service->post_batch([{ %{$stored[3]}, notes => 'changed' }, full_pmr_qso()]);
is_in_step 'changes and new ones arrive';
cmp_ok copy()->{serverTime}, 'gt', $time, 'after a download the copy has the serverTime of that one';
$service->delete_qso($stored[5]{clientId});
is_in_step 'what another program deleted is removed';
QSOsync::Kit::test_deletions($service, \&is_in_step, map { $_->{clientId} } @stored[510 .. 519]);
$service->post_batch([@stored[510 .. 515]]);
is_in_step 'a run without deletions succeeds';

# Sending.
put('a.json', $_ = full_qso(notes => 'from the outbox'));
my $plain = qso();
delete $plain->{clientId};
put('b.json', $plain);
is_in_step 'what lies in the outbox is sent';
is copy()->{items}{$_->{clientId}}{notes}, 'from the outbox', 'a QSO from the outbox is sent with what its file says';
is scalar(left(qw(outbox sending sent rejected))), 0, 'a QSO that was sent leaves no file';
is scalar($service->download), 522, 'a QSO without clientId is given one';
put('a.json', { %$_, notes => undef });
put("$stored[6]{clientId}.delete", '');
put("\U$stored[7]{clientId}\E.delete", '');
put(uuid() . '.delete', '');
is_in_step 'changes and deletions are sent';
is scalar($service->download), 520, 'deletions are done, whether or not the QSO is there';

# Rejections.
put('bad.json', qso(frequencyMhz => '14.074'));
put('worse.json', '{"band":');
put('good.json', qso());
put('no-uuid.delete', '');
my ($status, $output) = sync_through();
is $status, 3, 'rejected QSOs give an exit status of their own';
is scalar($service->download), 521, 'rejected QSOs do not keep a good one from being saved';
is QSOsync::Front::read_file("$folder/rejected/bad.error"), "FREQUENCY_OUT_OF_BAND_11M\n",
    'the reason of a rejection is written beside the QSO';
is_deeply [map { m{([^/]+)\z} } left(qw(outbox sending rejected))], [qw(bad.error bad.json no-uuid.delete no-uuid.error
    worse.error worse.json)], 'rejected QSOs wait for the user in a folder of their own';
like $output, qr/bad\.json was rejected: FREQUENCY_OUT_OF_BAND_11M/, 'the user is told of a rejected QSO';
unlink left('rejected');
my $other = $service->add_member('26AT101');
$service->post_batch([my $taken = qso()], key => $other->{write_key});
put('taken.json', { %$taken, notes => 'mine' });
is_in_step 'a clientId of another member is exchanged';
is scalar(grep { ($_->{notes} || '') eq 'mine' } $service->download), 1,
    'a QSO whose clientId was exchanged is saved once';

# Trouble on the way.
my %fate = (1 => 'limited', 2 => 'lost', 3 => 'cut', 5 => 'limited', 6 => 'broken', 8 => 'cut');
my $proxy = QSOsync::FaultyProxy->start($service, sub { $fate{$_[0]} || 'pass' });
put('late.json', qso(notes => 'late'));
is_in_step 'limits, errors and broken connections are survived', $proxy->url;
my @journal = $proxy->journal;
for my $place (grep { $journal[$_]{fate} eq 'limited' } 0 .. $#journal) {
    cmp_ok $journal[$place + 1]{time} - $journal[$place]{time}, '>=', 1,
        'after a 429 the client waits as long as Retry-After says';
}
is scalar(grep { ($_->{notes} || '') eq 'late' } $service->download), 1, 'a QSO whose answer was lost is saved once';
my $before = QSOsync::Front::read_file("$folder/log.json");
put('later.json', qso());
$proxy = QSOsync::FaultyProxy->start($service, sub { 'broken' });
is + (sync_through($proxy->url))[0], 1, 'a service that fails gives exit status 1';
is QSOsync::Front::read_file("$folder/log.json"), $before, 'a service that fails leaves the copy as it is';
is_in_step 'what could not be sent is sent next time';
is + (sync_through(undef, 'qsosync_wrong'))[0], 1, 'a wrong key gives exit status 1';
is + (QSOsync::Kit::run($service->directory . '/usage', {}, 'sh', QSOsync::Kit::client('sync.sh')))[0], 2,
    'wrong usage gives exit status 2';

# A restored logbook.
my $backup = $service->directory . '/backup.db';
$service->admin('backup', $backup);
$service->post_batch([my $after = full_qso(notes => 'after the backup'),
    { %{$stored[20]}, notes => 'changed after it' }]);
$service->delete_qso($stored[21]{clientId});
is_in_step 'after another change the copy is up to date';
put('seen-by-nobody.json', full_qso(notes => 'saved and not downloaded'));
$proxy = QSOsync::FaultyProxy->start($service, sub { $_[1] eq 'GET' ? 'broken' : 'pass' });
is + (sync_through($proxy->url))[0], 1, 'a download fails, after a QSO was saved';
$service->admin('restore', $backup);
put('new.json', { %{$stored[22]}, notes => 'waited meanwhile' });
like is_in_step('after a restore nothing is lost'), qr/restored from a backup/,
    'the user is told that the logbook was restored';
my %now = %{copy()->{items}};
is $now{$after->{clientId}}{notes}, 'after the backup', 'what the restored logbook lacked is there again';
is $now{$stored[20]{clientId}}{notes}, 'changed after it',
    'a QSO that the restored logbook had in an older state is as it was';
is $now{$stored[22]{clientId}}{notes}, 'waited meanwhile', 'what waited in the outbox was not overwritten by a restore';
is scalar(grep { ($_->{notes} || '') eq 'saved and not downloaded' } values %now), 1,
    'a QSO that was saved before the restore and not downloaded is sent again';
ok $now{$stored[21]{clientId}}, 'a QSO that was deleted before the restore is not deleted again without asking';

done_testing;
