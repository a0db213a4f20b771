use QSOsync::Test fronts => 'nginx', suite => 'all';
use QSOsync::Adif;
use QSOsync::Kit;

# qsosync.py sync reads the files of two programs, and writes qsosync.adi. This file also has the records' fields that
# have no place in a QSO.
my $service = QSOsync::Service->start;
my $folder = $service->directory . '/log';
my $program = QSOsync::Kit::client('qsosync.py');
mkdir $folder;
sub synchronise {
    my ($status, $output) = QSOsync::Kit::run($service->directory . '/client.log',
        QSOsync::Kit::environment($service),
        'python3', $program, 'sync', $folder);
    is $status, 0, 'a synchronisation of folder and log succeeds' or diag $output;
}
sub plain_record {
    my (%fields) = (qso_date => '20260517', band => '11m', freq => '27.555', mode => 'USB', call => '26AT101', @_);
    return adif_record(map { $_ => $fields{$_} } sort keys %fields);
}
sub file { return QSOsync::Front::read_file("$folder/$_[0]") }
my %log = ('one.adi' => plain_record(time_on => '1942', contest_id => '11M-CUP', app_one_x => '<b>7',
    stx => '12',
        rst_sent => '59') . plain_record(time_on => '2000', iota => 'EU-005'),
    'two.adi' => plain_record(time_on => '194210', sig => 'CB', contest_id => 'x'));
QSOsync::Front::write_file("$folder/$_", "x<eoh>\n$log{$_}") for keys %log;
synchronise();
my @records = split /<EOR>/, file('qsosync.adi');
is scalar(@records) - 1, 2, 'three records of two contacts, in two files, are two QSOs';
like $records[0], qr/<CONTEST_ID:7>11M-CUP /, 'an unknown field is written in the record of its QSO';
like $records[0], qr/<SIG:2>CB /, "an unknown field of the other program's record is also written";
like $records[0], qr/<APP_ONE_X:4>\(b>7/, 'a text like a tag is not written as a field';
like $records[0], qr/<RST_SENT:2>59 <STX:2>12 /, 'the serial is written as a separate field';
like $records[1], qr/<IOTA:6>EU-005 /, 'each QSO has the fields of its own record';
unlike $records[1], qr/CONTEST_ID|SIG:/, 'no QSO has fields of another record';
my ($qso) = grep { $_->{qsoAt} =~ /T19:42/ } $service->download;
ok !(grep { ($_ // '') =~ /11M-CUP/ } values %$qso), 'the service stores none of the unknown fields';
is file($_), "x<eoh>\n$log{$_}", "a synchronisation leaves $_ unchanged" for sort keys %log;
my $before = file('qsosync.adi');
synchronise();
is file('qsosync.adi'), $before, 'a second synchronisation changes nothing';
QSOsync::Front::write_file("$folder/one.adi", "x<eoh>\n$log{'one.adi'}"
    . plain_record(time_on => '200040', freq => '27.265'));
synchronise();
is_deeply [sort map { $_->{frequencyMhz} } $service->download], ['27.265', '27.555', '27.555'],
    'a contact on another frequency 40 seconds later is a new QSO';

# A log with two synchronised folders is restored from a backup. The folder that is behind does not overwrite a later
# state from the other folder.
{
    my $service = QSOsync::Service->start;
    my $program = QSOsync::Kit::client('qsosync.py');
    my $qso = full_qso();

    # Puts notes into the folder's QSO, if notes are given, and synchronises the folder. Returns the QSO's notes, or the
    # error.
    sub sync_folder {
        my ($name, $notes, $url) = @_;
        my $environment = QSOsync::Kit::environment($service, url => $url);
        my $put = $notes ? 'log.put({**json.loads(os.environ["QSO"]), "notes": os.environ["NOTES"]}); log.save()'
            : '';
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
$service->stop;

done_testing;
