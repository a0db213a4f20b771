use QSOsync::Test fronts => 'nginx', slow => 48;

# qsosync.py sync synchronises a folder of ADIF files with the log. Other programs can use the module of qsosync.py.
use QSOsync::Adif;
use QSOsync::Kit;
use QSOsync::Proxy;
my $json = JSON::PP->new->utf8->canonical;
my $service = QSOsync::Service->start;
my $folder = $service->directory . '/log';
my $program = QSOsync::Kit::client('qsosync.py');
mkdir $folder;

sub run {
    my ($url, $key) = @_;
    return QSOsync::Kit::run($service->directory . '/client.log',
        QSOsync::Kit::environment($service, url => $url, key => $key), 'python3',
        $program, 'sync', $folder);
}
sub is_in_step {
    my ($rule, $url) = @_;
    my ($status, $output) = run($url);
    is $status, 0, "a synchronisation succeeds: $rule" or diag $output;
    is_deeply state()->{items}, { map { $_->{clientId} => $_ } $service->download }, "$rule: the copy equals the log";
    return $output;
}
sub state { $json->decode(QSOsync::Front::read_file("$folder/qsosync.json")) }
sub record {
    my (%fields) = (qso_date => '20260517', time_on => '194211', band => '11m', freq => '27.555', mode => 'USB',
        call => '26AT101', @_);
    return adif_record(map { $_ => $fields{$_} } sort keys %fields);
}
sub write_log { QSOsync::Front::write_file("$folder/$_[0]", "x<eoh>\n$_[1]") }
sub by_call { my ($call) = @_; return grep { ($_->{callsignWorked} || '') eq $call } $service->download }

# The folder and the log exchange QSOs.
my @stored = map { full_qso(notes => "Nr $_") } 1 .. 510;
$service->post_batch([splice @{[@stored]}, $_ * 200, 200]) for 0 .. 2;
is_in_step 'the first download fetches all pages';
$service->post_batch([{ %{$stored[3]}, notes => 'changed' }]);
$service->delete_qso($stored[5]{clientId});
is_in_step 'changes and deletions are downloaded';
QSOsync::Kit::test_deletions($service, \&is_in_step, map { $_->{clientId} } @stored[500 .. 509]);
write_log('wsjtx_log.adi', record(call => 'A1') . record(call => 'A2', rst_sent => '59'));
is_in_step 'new records are sent';
is by_call('A2'), 1, 'a new record creates one QSO';
like QSOsync::Front::read_file("$folder/qsosync.adi"), qr/<CALL:2>A2 /, 'a new record is in the ADIF file of all QSOs';
my $changes = sub { $service->sqlite('SELECT max(synced_at) FROM qsos') };
my $last = $changes->();
is_in_step 'unchanged files';
is $changes->(), $last, 'unchanged files cause no write';
write_log('wsjtx_log.adi', record(call => 'A1') . record(call => 'A2', rst_sent => '57') . substr record(call => 'A3'),
    0, -6);
is_in_step 'a changed record';
is + (by_call('A2'))[0]{rstSent}, '57', 'a changed record changes its QSO';
is by_call('A3'), 0, 'an incomplete record is not sent';
my ($kept) = by_call('A1');
$service->post_batch([{ %$kept, notes => 'written on the phone' }]);
write_log('wsjtx_log.adi', record(call => 'A1', my_rig => 'Lincoln') . record(call => 'A2', rst_sent => '57'));
is_in_step 'a record that was completed';
is_deeply [map { @{$_}{qw(notes radio)} } by_call('A1')], ['written on the phone', 'Lincoln'],
    "completing a record keeps the QSO's other values";
$service->delete_qso($kept->{clientId});
is_in_step 'a QSO that was deleted elsewhere';
is by_call('A1'), 0, 'a record does not restore a QSO deleted elsewhere';
write_log('bad.adi', record(call => 'B1', freq => '27.555', qso_date => '20261332') . record(call => 'B2'));
is + (run())[0], 1, 'an invalid record gives exit status 1';
is by_call('B2'), 1, 'a valid record next to an invalid record is sent';
unlink "$folder/bad.adi";

# The service has a new field, and clears the field if an entry omits it.
my $seen = "$folder/sent";
my $newer = QSOsync::ChangingProxy->start($service, request => sub {
    QSOsync::Front::write_file($seen, $_[1]) if $_[0] =~ m{^POST /};
    $_[0] =~ s/^Accept-Encoding:.*\r\n//mi;
    return;
}, answer => sub { $_[0] =~ s/^Content-Length:.*\r\n//mi; $_[1] =~ s/("callsignWorked":)/"weather":"rain",$1/g });
my $newer_url = 'http://127.0.0.1:' . $newer->port . '/api/v1';
my $stored = (by_call('A2'))[0];
$service->post_batch([$stored]); # changes the QSO, so that it is downloaded
write_log('wsjtx_log.adi', record(call => 'A2', rst_sent => '51'));
is + (run($newer_url))[0], 0, 'the kit synchronises with a service that has a new field';
is_deeply [map { @{$_}{qw(rstSent weather)} } grep { $_->{callsignWorked} eq 'A2' }
    @{$json->decode(QSOsync::Front::read_file($seen))->{entries}}],
    ['51', 'rain'], 'a change keeps the value of a field that the kit does not have';
QSOsync::Front::write_file("$folder/pushed", "x<eoh>\n" . record(call => 'A2', rst_sent => '52'));
is + (QSOsync::Kit::run($service->directory . '/client.log', {}, 'python3', $program, 'push', "$folder/pushed", '--url',
    $newer_url, '--key-file',
    QSOsync::Kit::environment($service)->{QSOSYNC_KEY_FILE}))[0], 0, 'options can follow the command';
is_deeply [@{$json->decode(QSOsync::Front::read_file($seen))->{entries}[0]}{qw(match weather rstSent)}],
    [JSON::PP::true(), undef, '52'], 'a push sends only the values in the file';
unlink $seen, "$folder/pushed", "$folder/qsosync.json";
write_log('wsjtx_log.adi', record(call => 'A1') . record(call => 'A2', rst_sent => '50', my_rig => 'Cobra'));
$newer->stop;

# The copy is lost, and the files differ from the log. Deleted QSOs are sent again only if the user agrees.
sub run_with { return QSOsync::Kit::run($service->directory . '/client.log', QSOsync::Kit::environment($service),
    'python3', $program, 'sync', $folder, @_) }
my ($status, $said) = run_with();
is $status, 1, 'a synchronisation without the copy fails until the user decides about missing QSOs';
like $said, qr/deleted from the log in the last two years: \d+; records of the folder that might be among them: 1\n/,
    'the message counts QSOs that could have been deleted';
is + (by_call('A2'))[0]{rstSent}, '52', 'no changed record is sent before the user decides';
for my $sign ('.qsosync.lock', 'qsosync.adi') {
    rename "$folder/$sign", "$folder.sign" or die "$sign: $!";
    is + (run_with())[0], 1, "a synchronisation without the copy and $sign also fails";
    rename "$folder.sign", "$folder/$sign" or die "$sign: $!";
}
is + (run_with('--deleted', 'leave'))[0], 0, 'the user can decide to omit QSOs that the log lacks';
is by_call('A1'), 0, 'omitted QSOs do not return';
is + (run())[0], 0, "the user's decision about missing QSOs is remembered";
is by_call('A1'), 0, 'omitted QSOs are not sent later';
unlink "$folder/qsosync.json";
is + (run_with('--deleted', 'send'))[0] . scalar(by_call('A1')), '01',
    'the user can decide to send QSOs that the log lacks';
$service->delete_qso((by_call('A1'))[0]{clientId});
unlink "$folder/qsosync.json";
for (['' => 0, 'an empty answer omits the QSO'], [y => 1, 'the answer y sends the QSO again']) {
    my ($line, $count, $rule) = @$_;
    QSOsync::Front::write_file("$folder.answer", "$line\n");
    ($status, $said) = QSOsync::Kit::run($service->directory . '/client.log', QSOsync::Kit::environment($service), 'sh',
        '-c', 'exec "$@" <"$0"', "$folder.answer", 'python3', $program, 'sync', $folder);
    like $said, qr/Send them again\? \[y\/N\] /, "$rule: the program asks";
    is $status . scalar(by_call('A1')), "0$count", $rule;
    unlink "$folder/qsosync.json";
}
is + (run_with('--deleted', 'leave'))[0], 0, 'with --deleted leave, a synchronisation without the copy succeeds';
is_deeply [map { @{$_}{qw(rstSent radio)} } by_call('A2')], ['52', 'Cobra'],
    'a file read for the first time adds values to QSOs and changes no value';

# A failed synchronisation continues later.
my %fate = (1 => 'limited', 3 => 'lost', 4 => 'cut', 5 => 'broken', 7 => 'cut', 9 => 'limited');
write_log('more.adi', record(call => 'C1'));
my $proxy = QSOsync::FaultyProxy->start($service, sub { $fate{$_[0]} || 'pass' });
is_in_step 'limits, errors and broken connections', $proxy->url;
my @journal = $proxy->journal;
for my $place (grep { $journal[$_]{fate} eq 'limited' } 0 .. $#journal) {
    cmp_ok $journal[$place + 1]{time} - $journal[$place]{time}, '>=', 1, 'the kit obeys Retry-After';
}
is by_call('C1'), 1, 'a QSO whose answer was lost is stored once';
my $before = QSOsync::Front::read_file("$folder/qsosync.json");
is + (run(undef, 'qsosync_wrong'))[0], 1, 'a wrong key gives exit status 1';
is QSOsync::Front::read_file("$folder/qsosync.json"), $before, 'a wrong key changes no file';

# Another program uses the module.
sub python {
    my ($code) = @_;
    my ($status, $output) = QSOsync::Kit::run($service->directory . '/python.log',
        { %{QSOsync::Kit::environment($service)},
        PYTHONPATH => $program =~ s{/[^/]+\z}{}r, PYTHONDONTWRITEBYTECODE => 1, FOLDER => $folder }, 'python3', '-c',
        <<"END");
import os, qsosync
log = qsosync.LocalLog(os.environ["FOLDER"])
service = qsosync.Service(os.environ["QSOSYNC_URL"], open(os.environ["QSOSYNC_KEY_FILE"]).read().strip())
$code
END
    is $status, 0, "this Python code succeeds: $code" or diag $output;
    return $output;
}
my $qso = '{"band": "PMR446", "channel": 3, "qsoAt": "2026-05-17T19:42:00Z", "callsignWorked": "D1"}';
python("log.put($qso)\nlog.delete('\U$stored[7]{clientId}\E')\nlog.save()\nlog.sync(service)");
is by_call('D1'), 1, 'LocalLog.put sends a QSO';
is scalar(grep { $_->{clientId} eq $stored[7]{clientId} } $service->download), 0, 'LocalLog.delete deletes a QSO';
my $taken = qso();
$service->post_batch([$taken], key => $service->add_member('26AT101')->{write_key});
python("log.put({**$qso, 'clientId': '$taken->{clientId}', 'callsignWorked': 'D2'})\n"
    . "log.put({**$qso, 'channel': 99})\nlog.save()\nlog.sync(service)");
is by_call('D2'), 1, "a QSO with another member's clientId is sent with a new clientId";
like python('print(log.state["rejected"])'), qr/CHANNEL_OUT_OF_RANGE/, 'a rejected QSO is kept for the user';
python("log.put({**$qso, 'channel': 99, 'callsignWorked': 'D\\x1b[31m\\x9b3'})\nlog.save()");
like +(run(undef, undef))[1], qr/D\?\[31m\?3 \([0-9a-f-]+\) is rejected/,
    'the kit prints only visible characters';
python("log.state['rejected'].clear()\nlog.save()");

# A restored logbook gets the QSOs that it lacks.
my $backup = $service->directory . '/backup.db';
$service->admin('backup', $backup);
$service->post_batch([my $after = full_qso(notes => 'after the backup'),
    { %{$stored[20]}, notes => 'changed after it' }]);
$service->delete_qso($stored[21]{clientId});
is_in_step 'before the restore, the copy is up to date';
write_log('last.adi', record(call => 'E1'));
$proxy = QSOsync::FaultyProxy->start($service, sub { $_[1] eq 'POST' ? 'cut' : 'pass' });
is + (run($proxy->url))[0], 1, 'a lost answer to a write gives exit status 1';
$service->admin('restore', $backup);
is_in_step 'a restore loses no QSO';
my %now = %{&state()->{items}};
is $now{$after->{clientId}}{notes}, 'after the backup', 'a QSO that the restored logbook lacked is sent again';
is $now{$stored[20]{clientId}}{notes}, 'changed after it',
    'an older version in the restored logbook is updated';
is by_call('E1'), 1, 'a QSO whose answer was lost before the restore is in the log';
ok $now{$stored[21]{clientId}}, 'a QSO deleted before the restore is not deleted again automatically';

done_testing;
