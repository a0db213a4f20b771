use QSOsync::Test fronts => 'nginx';

# Two folders of one log that is restored from a backup: the folder that is behind overwrites nothing with what the
# other one knows as an earlier state.
use QSOsync::Kit;
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
        'python3', '-c', <<"END");
import json, os, qsosync
log = qsosync.LocalLog(os.environ["FOLDER"])
$put
log.sync(qsosync.Service(os.environ["QSOSYNC_URL"], open(os.environ["QSOSYNC_KEY_FILE"]).read().strip()))
print(log.qsos()["$qso->{clientId}"]["notes"])
END
    return $status ? "exit status $status: $output" : $output =~ s/\n\z//r;
}
QSOsync::Kit::test_restored($service, \&sync_folder);

done_testing;
