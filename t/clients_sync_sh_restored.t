use QSOsync::Test fronts => 'nginx', slow => 20, suite => 'all';

# Two folders of sync.sh of one log that is restored from a backup.
use JSON::PP ();
use QSOsync::Kit;
my $json = JSON::PP->new->utf8;
my $service = QSOsync::Service->start;
my $qso = full_qso();

sub sync_folder {
    my ($name, $notes, $url) = @_;
    my $folder = $service->directory . "/$name";
    mkdir $_ for $folder, "$folder/outbox";
    QSOsync::Front::write_file("$folder/outbox/a.json", $json->encode({ %$qso, notes => $notes })) if defined $notes;
    my ($status, $output) = QSOsync::Kit::run("$folder.log", QSOsync::Kit::environment($service, url => $url), 'sh',
        QSOsync::Kit::client('sync.sh'), $folder);
    return "exit status $status: $output" if $status;
    my $copy = $json->decode(QSOsync::Front::read_file("$folder/log.json"));
    return $copy->{items}{$qso->{clientId}}{notes};
}
QSOsync::Kit::test_restored($service, \&sync_folder);

done_testing;
