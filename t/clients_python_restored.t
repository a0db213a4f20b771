use QSOsync::Test fronts => 'nginx';

# Two folders of one log that is restored from a backup: the folder that is behind overwrites nothing with what the
# other one knows as an earlier state.
use QSOsync::ChangingProxy;
use QSOsync::Kit;
my $service = QSOsync::Service->start;
my $program = QSOsync::Kit::client('qsosync.py');
my $qso = full_qso();

# Synchronises a folder with what a program of the member's own has put there; $url: by way of a proxy. The exit status,
# and the notes of the QSO there.
sub run_program {
    my ($name, $notes, $url) = @_;
    my $environment = QSOsync::Kit::environment($service, url => $url);
    my $put = $notes ? 'log.put({**json.loads(os.environ["QSO"]), "notes": os.environ["NOTES"]}); log.save()' : '';
    return QSOsync::Kit::run($service->directory . "/$name.log", { %$environment,
        PYTHONPATH => $program =~ s{/[^/]+\z}{}r, PYTHONDONTWRITEBYTECODE => 1,
        FOLDER => $service->directory . "/$name", QSO => JSON::PP::encode_json($qso), NOTES => $notes // '' },
        'python3', '-c', <<"END");
import json, os, qsosync
log = qsosync.LocalLog(os.environ["FOLDER"])
$put
log.sync(qsosync.Service(os.environ["QSOSYNC_URL"], open(os.environ["QSOSYNC_KEY_FILE"]).read().strip()))
print(log.qsos()["$qso->{clientId}"]["notes"])
END
}
sub sync_folder {
    my ($name, @arguments) = @_;
    my ($status, $output) = run_program($name, @arguments);
    is $status, 0, "the folder $name is synchronised" or diag $output;
    return $output =~ s/\n\z//r;
}
sub is_everywhere {
    my ($notes, $rule) = @_;
    sync_folder($_) for qw(ahead behind);
    is_deeply [sync_folder('ahead'), sync_folder('behind'), map { $_->{notes} } $service->download], [($notes) x 3],
        $rule;
}
my $backup = $service->directory . '/backup.db';
$service->admin('backup', $backup);

# The folder that is behind comes first.
sync_folder('ahead', 'older');
is sync_folder('behind'), 'older', 'both folders have a state';
sync_folder('ahead', 'newer');
$service->admin('restore', $backup);
is sync_folder('behind'), 'older', 'one sends it again to the restored log';
is_everywhere('newer', 'the newer state of the other one stays');

# It has read the restored log before the other one has sent what it lost, and sends what it has afterwards.
sync_folder('ahead', 'newest');
$service->admin('restore', $backup);
my $is_done;
my $slow = QSOsync::ChangingProxy->start($service, request => sub {
    run_program('ahead') if $_[0] =~ /\APOST / && !$is_done++;
    return;
});
sync_folder('behind', undef, 'http://127.0.0.1:' . $slow->port . '/api/v1');
is + ($service->download)[0]{notes}, 'newer', 'an older state arrives late';
is_everywhere('newest', 'the newest state stays');

# What somebody writes later is a change.
sync_folder('behind', 'another');
is_everywhere('another', 'a change is one, also after a restore');

done_testing;
