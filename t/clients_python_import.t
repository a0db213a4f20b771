use QSOsync::Test fronts => 'nginx', slow => 11, suite => 'all';
use QSOsync::Adif;
use QSOsync::Kit;

# An import by the operator and a push by a member give the same log, in either order.
my ($service, $second) = map { QSOsync::Service->start } 1 .. 2;
my %member = ('21SD333' => { write_key => $service->write_key, read_key => $service->read_key },
    map { $_ => $service->add_member($_) } '26AT101', '30RC010');
my @files = sort glob "$QSOsync::Front::SOURCE/t/data/adif/*.adi";
my $log = $service->directory . '/client.log';

sub push_file {
    my ($callsign, $path) = @_;
    return push_to($path, $service, key => $member{$callsign}{write_key});
}
sub push_to {
    my ($path, @to) = @_;
    my ($status, $output) = QSOsync::Kit::run($log, QSOsync::Kit::environment(@to), 'python3',
        QSOsync::Kit::client('qsosync.py'), 'push', $path, '--encoding', 'cp1252');
    return { $output =~ /^(imported|updated|unchanged|repeated|rejected|other bands) (\d+)$/mg };
}
sub import_file { import_adif($service, @_, '--encoding', 'cp1252')->{counts} }
sub records { my ($counts) = @_; my $sum = 0; $sum += $_ for values %$counts; return $sum }
sub is_known {
    my ($counts, $before, $rule) = @_;
    my $accepted = records($before) - $before->{rejected} - $before->{'other bands'};
    is_deeply $counts, { %$before, imported => 0, updated => 0, unchanged => $accepted }, $rule;
}
sub stored {
    my ($callsign) = @_;
    return by_client_id($service->download(key => $member{$callsign}{read_key}));
}
sub by_client_id {
    my (@qsos) = @_;
    delete @{$_}{qw(id createdAt syncedAt crossConfirmedAt)} for @qsos;
    return { map { $_->{clientId} => $_ } @qsos };
}
# Returns the content of the QSOs, without their clientIds.
sub contents {
    my ($qsos) = @_;
    return [sort map { my $qso = $_;
    join '|', map { $qso->{$_} // '' } grep { $_ ne 'clientId' } sort keys %$qso } values %$qsos];
}

# Each file is imported into an empty log.
for my $path (@files) {
    my ($name) = $path =~ m{([^/]+)\z};
    my $imported = import_file('21SD333', $path);
    cmp_ok $imported->{imported}, '>', 0, "$name has QSOs";
    is_known push_file('21SD333', $path), $imported, "pushing $name after its import changes nothing";
    my $pushed = push_file('26AT101', $path);
    is_deeply $pushed, $imported, "pushing $name for another member gives the same counts as the import";
    # An import stores fields without a place in a QSO, but a push cannot.
    my $again = import_file('26AT101', $path);
    is_deeply [$again->{imported}, $again->{updated} + $again->{unchanged}], [0, $pushed->{imported}
        + $pushed->{updated} + $pushed->{unchanged}], "importing $name after a push adds no QSO";
    is_known import_file('26AT101', $path), $pushed, "importing $name again changes nothing";
    my ($ours, $theirs) = map { contents(stored($_)) } '21SD333', '26AT101';
    is_deeply $theirs, $ours, "importing and pushing $name give the same QSOs";
    for my $callsign ('21SD333', '26AT101') {
        $service->delete_qso($_, key => $member{$callsign}{write_key}) for keys %{stored($callsign)};
    }
}

# One logbook imports the files one after the other, and the kit pushes them into another logbook. Each file changes the
# result of the previous file.
for my $path (@files) {
    my ($name) = $path =~ m{([^/]+)\z};
    is_deeply push_to($path, $second), import_file('21SD333', $path),
        "importing and pushing $name change the same number of QSOs";
    is_deeply contents(by_client_id($second->download)), contents(stored('21SD333')),
        "importing and pushing $name change the same QSOs";
}

# The kit and the command read each other's files.
$service->post_batch([full_qso(notes => "Name: Bob\r\n<b:3>x"), full_pmr_qso(operatorCallsign => undef),
    qso(mode => 'DIGITAL', splitKhz => 99999)]);
my ($exported, $pulled) = map { $service->directory . "/$_.adi" } qw(exported pulled);
$service->admin('export', '21SD333', $exported, '--heard');
my $count = keys %{stored('21SD333')};
my %unchanged = (imported => 0, updated => 0, unchanged => $count, repeated => 0, rejected => 0, 'other bands' => 0);
is_deeply push_file('21SD333', $exported), \%unchanged, 'pushing an exported file changes nothing';
QSOsync::Kit::run($log, QSOsync::Kit::environment($service), 'python3', QSOsync::Kit::client('qsosync.py'), 'pull',
    $pulled);
is_deeply import_file('21SD333', $pulled), \%unchanged, 'importing a pulled file changes nothing';
my $before = stored('21SD333');
$service->delete_qso($_) for keys %$before;
is_deeply import_file('21SD333', $pulled), { %unchanged, imported => $count, unchanged => 0 },
    'a pulled file is imported into an empty log';
is_deeply stored('21SD333'), $before, 'importing a pulled file restores every QSO exactly';
is_deeply push_file('30RC010', $exported), { %unchanged, imported => $count, unchanged => 0 },
    "pushing another member's file creates each QSO";
is_deeply import_file('30RC010', $pulled), \%unchanged,
    "importing and pushing another member's file give the same clientIds";

# A QSO from before synchronisation has no clientId. A file identifies such a QSO by its id and the time of saving.
$service->delete_qso($_) for keys %{stored('21SD333')};
$service->post_batch(
    [full_qso(), full_qso(qsoAt => '2026-05-17T19:42:30.000Z', callsignWorked => 'ANCIENT', notes => 'old')]);
my $ancient = "client_id IS NULL AND callsign_worked = 'ANCIENT'";
$service->sqlite("UPDATE qsos SET client_id = NULL WHERE callsign_worked = 'ANCIENT'");
my $folder = $service->directory . '/folder';
mkdir $folder;
my ($old_export, $old_pull) = map { "$folder/$_.adi" } qw(exported pulled);
$service->admin('export', '21SD333', $old_export);
QSOsync::Kit::run($log, QSOsync::Kit::environment($service), 'python3', QSOsync::Kit::client('qsosync.py'), 'pull',
    $old_pull);
%unchanged = (%unchanged, unchanged => 2);
for my $file ($old_export, $old_pull) {
    is_deeply push_file('21SD333', $file), \%unchanged, 'pushing a file matches a QSO without a clientId';
    is_deeply import_file('21SD333', $file), \%unchanged, 'importing a file matches a QSO without a clientId';
}
my @sync = (QSOsync::Kit::environment($service), 'python3', QSOsync::Kit::client('qsosync.py'), 'sync', $folder);
is + (QSOsync::Kit::run($log, @sync))[0], 0, 'a folder with an exported and a pulled file synchronises';
is scalar($service->download), 2, 'a folder with an exported and a pulled file adds no QSO';
my $edited = adif_file($service, QSOsync::Front::read_file($old_pull) =~ s/>old />new /r);
is_deeply push_file('21SD333', $edited), { %unchanged, unchanged => 1, rejected => 1 },
    'a push rejects a change to a QSO without a clientId';
is_deeply import_file('21SD333', $edited), { %unchanged, updated => 1, unchanged => 1 },
    'an import changes a QSO without a clientId';
is $service->sqlite("SELECT notes FROM qsos WHERE $ancient"), 'new',
    'an import gives no clientId to a QSO without a clientId';
$service->delete_qso($_, key => $member{'30RC010'}{write_key}) for keys %{stored('30RC010')};
is_deeply import_file('30RC010', $edited), { %unchanged, imported => 2, unchanged => 0 },
    "another member's import of the file creates each QSO";

done_testing;
