use QSOsync::Test fronts => 'nginx';
use QSOsync::Adif;
use QSOsync::Kit;

# A log that the operator imports and one that a member pushes are the same log, whichever came first.
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
        QSOsync::Kit::client('qsosync.py'), 'push', $path);
    return { $output =~ /^(imported|updated|unchanged|refused|other bands) (\d+)$/mg };
}
sub import_file { import_adif($service, @_)->{counts} }
sub records { my ($counts) = @_; my $sum = 0; $sum += $_ for values %$counts; return $sum }
sub is_known {
    my ($counts, $before, $rule) = @_;
    my $accepted = records($before) - $before->{refused} - $before->{'other bands'};
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
# What the QSOs say, under whatever clientIds.
sub contents {
    my ($qsos) = @_;
    return [sort map { my $qso = $_;
    join '|', map { $qso->{$_} // '' } grep { $_ ne 'clientId' } sort keys %$qso } values %$qsos];
}

# Each file alone, in a log of its own.
for my $path (@files) {
    my ($name) = $path =~ m{([^/]+)\z};
    my $imported = import_file('21SD333', $path);
    cmp_ok $imported->{imported}, '>', 0, "$name holds QSOs";
    is_known push_file('21SD333', $path), $imported, "$name is pushed after an import: nothing changes";
    my $pushed = push_file('26AT101', $path);
    is_deeply $pushed, $imported, "$name gives another member as many QSOs";
    # An import brings what has no place in a QSO, which a push cannot.
    my $again = import_file('26AT101', $path);
    is_deeply [$again->{imported}, $again->{updated} + $again->{unchanged}], [0, $pushed->{imported}
        + $pushed->{updated} + $pushed->{unchanged}], "$name is imported after a push: no QSO is added";
    is_known import_file('26AT101', $path), $pushed, "$name is imported once more: nothing changes";
    my ($ours, $theirs) = map { contents(stored($_)) } '21SD333', '26AT101';
    is_deeply $theirs, $ours, "$name gives the same QSOs when it is imported and when it is pushed";
    for my $callsign ('21SD333', '26AT101') {
        $service->delete_qso($_, key => $member{$callsign}{write_key}) for keys %{stored($callsign)};
    }
}

# One after the other, each changing what the ones before have left: imported into one logbook, pushed into another.
for my $path (@files) {
    my ($name) = $path =~ m{([^/]+)\z};
    is_deeply push_to($path, $second), import_file('21SD333', $path),
        "$name changes as many QSOs when it is imported as when it is pushed";
    is_deeply contents(by_client_id($second->download)), contents(stored('21SD333')),
        "$name changes the same QSOs when it is imported and when it is pushed";
}

# Our own files.
$service->post_batch([full_qso(notes => "Name: Bob\r\n<b:3>x"), full_pmr_qso(operatorCallsign => undef),
    qso(mode => 'DIGITAL', splitKhz => 99999)]);
my ($exported, $pulled) = map { $service->directory . "/$_.adi" } qw(exported pulled);
$service->admin('export', '21SD333', $exported, '--heard');
my $count = keys %{stored('21SD333')};
my %unchanged = (imported => 0, updated => 0, unchanged => $count, refused => 0, 'other bands' => 0);
is_deeply push_file('21SD333', $exported), \%unchanged, 'a file that was exported is the log when it is pushed';
QSOsync::Kit::run($log, QSOsync::Kit::environment($service), 'python3', QSOsync::Kit::client('qsosync.py'), 'pull',
    $pulled);
is_deeply import_file('21SD333', $pulled), \%unchanged, 'a file that was pulled is the log when it is imported';
my $before = stored('21SD333');
$service->delete_qso($_) for keys %$before;
is_deeply import_file('21SD333', $pulled), { %unchanged, imported => $count, unchanged => 0 },
    'a file that was pulled is imported into an empty log';
is_deeply stored('21SD333'), $before, 'a file that was pulled brings every QSO back exactly';
is_deeply push_file('30RC010', $exported), { %unchanged, imported => $count, unchanged => 0 },
    'the file of another member gives each QSO';
is_deeply import_file('30RC010', $pulled), \%unchanged,
    'the file of another member gives the same clientIds, whoever reads it';

# A QSO older than synchronisation has no clientId: a file knows it by its id and the time when it was saved.
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
    is_deeply push_file('21SD333', $file), \%unchanged, 'a QSO without a clientId is known when its file is pushed';
    is_deeply import_file('21SD333', $file), \%unchanged, 'a QSO without a clientId is known when its file is imported';
}
my @sync = (QSOsync::Kit::environment($service), 'python3', QSOsync::Kit::client('qsosync.py'), 'sync', $folder);
is + (QSOsync::Kit::run($log, @sync))[0], 0, 'a folder with such files is in step';
is scalar($service->download), 2, 'a folder with such files adds nothing';
my $edited = adif_file($service, QSOsync::Front::read_file($old_pull) =~ s/>old />new /r);
is_deeply push_file('21SD333', $edited), { %unchanged, unchanged => 1, refused => 1 },
    'what the API cannot change is refused, not doubled';
is_deeply import_file('21SD333', $edited), { %unchanged, updated => 1, unchanged => 1 }, 'an import changes it';
is $service->sqlite("SELECT notes FROM qsos WHERE $ancient"), 'new', 'it is the same QSO, changed';
$service->delete_qso($_, key => $member{'30RC010'}{write_key}) for keys %{stored('30RC010')};
is_deeply import_file('30RC010', $edited), { %unchanged, imported => 2, unchanged => 0 },
    'for another member it is a new one';

done_testing;
