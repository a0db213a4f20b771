use QSOsync::Test fronts => 'nginx';

# qsosync.py sync: what the records of two programs hold and QSOs do not stands in the file that is written for them.
use QSOsync::Adif;
use QSOsync::Kit;
my $service = QSOsync::Service->start;
my $folder = $service->directory . '/log';
my $program = QSOsync::Kit::client('qsosync.py');
mkdir $folder;
sub run {
    my ($status, $output) = QSOsync::Kit::run($service->directory . '/client.log', QSOsync::Kit::environment($service),
        'python3', $program, 'sync', $folder);
    is $status, 0, 'the folder and the log are brought in step' or diag $output;
}
sub record {
    my (%fields) = (qso_date => '20260517', band => '11m', freq => '27.555', mode => 'USB', call => '26AT101', @_);
    return adif_record(map { $_ => $fields{$_} } sort keys %fields);
}
sub file { return QSOsync::Front::read_file("$folder/$_[0]") }
my %log = ('one.adi' => record(time_on => '1942', contest_id => '11M-CUP', app_one_x => '<b>7', stx => '12',
        rst_sent => '59') . record(time_on => '2000', iota => 'EU-005'),
    'two.adi' => record(time_on => '194210', sig => 'CB', contest_id => 'x'));
QSOsync::Front::write_file("$folder/$_", "x<eoh>\n$log{$_}") for keys %log;
run();
my @records = split /<EOR>/, file('qsosync.adi');
is scalar(@records) - 1, 2, 'the contacts of both files are two QSOs';
like $records[0], qr/<CONTEST_ID:7>11M-CUP /, 'a field without a place stands beside its QSO';
like $records[0], qr/<SIG:2>CB /, 'so does one of the other program\'s record of that contact';
like $records[0], qr/<APP_ONE_X:4>\(b>7/, 'what other programs would take for a field is none';
like $records[0], qr/<RST_SENT:2>59 <STX:2>12 /, 'the serial is a field of its own';
like $records[1], qr/<IOTA:6>EU-005 /, 'each QSO has its own';
unlike $records[1], qr/CONTEST_ID|SIG:/, 'no QSO has those of another';
my ($qso) = grep { $_->{qsoAt} =~ /T19:42/ } $service->download;
ok !(grep { ($_ // '') =~ /11M-CUP/ } values %$qso), 'the log on the service has none of it';
is file($_), "x<eoh>\n$log{$_}", "$_ stays as its program wrote it" for sort keys %log;
my $before = file('qsosync.adi');
run();
is file('qsosync.adi'), $before, 'another synchronisation changes nothing';

# Two folders of one log that is restored from a backup: the folder that is behind overwrites nothing with what the
# other one knows as an earlier state.
{
    my $service = QSOsync::Service->start;
    my $program = QSOsync::Kit::client('qsosync.py');
    my $qso = full_qso();

    # Synchronises a folder with what a program of the member's own has put there.
    sub sync_folder {
        my ($name, $notes, $url) = @_;
        my $environment = QSOsync::Kit::environment($service, url => $url);
        my $put = $notes ? 'log.put({**json.loads(os.environ["QSO"]), "notes": os.environ["NOTES"]}); log.save()' : '';
        my ($status, $output) = QSOsync::Kit::run($service->directory . "/$name.log", { %$environment,
            PYTHONPATH => $program =~ s{/[^/]+\z}{}r, PYTHONDONTWRITEBYTECODE => 1,
            FOLDER => $service->directory . "/$name", QSO => JSON::PP::encode_json($qso), NOTES => $notes // '' },
            'python3', '-c', <<~"END");
    import json, os, qsosync
    log = qsosync.LocalLog(os.environ["FOLDER"])
    $put
    log.sync(qsosync.Service(os.environ["QSOSYNC_URL"], open(os.environ["QSOSYNC_KEY_FILE"]).read().strip()))
    print(log.qsos()["$qso->{clientId}"]["notes"])
    END
        return $status ? "exit status $status: $output" : $output =~ s/\n\z//r;
    }
    QSOsync::Kit::test_restored($service, \&sync_folder);
}

done_testing;
