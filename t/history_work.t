use QSOsync::Test fronts => 'nginx', slow => 12, suite => 'all';
use QSOsync::Profile;

# A program wrote one QSO thousands of times. The work of listing and undoing these writes is proportional to the number
# of writes. An undo works in short slices, because other writers must wait for each slice.
my $budget_ms = QSOsync::Front::is_sanitized() ? 9000 : 1500;
my $service = QSOsync::Service->start(site => 1, environment => { QSOSYNC_REQUEST_CPU_MS => $budget_ms });
my $me = QSOsync::Profile->log_in($service, '21SD333');

# Returns the peak memory of the pages' worker, in MiB.
sub worker_megabytes {
    my ($size) = QSOsync::Front::read_file("/proc/$service->{site_pids}[0]/status") =~ /^VmHWM:\s+(\d+) kB/m;
    return $size / 1024;
}

# Returns the CPU time that the pages' worker needs for this work, in seconds.
sub work_of {
    my ($work) = @_;
    my $before = $service->cpu_seconds($service->site_pids);
    $work->();
    return $service->cpu_seconds($service->site_pids) - $before;
}
sub take_back_repeated {
    my ($path, $act) = @_;
    my ($done, $state);
    do {
        my $answer = $me->post($path, { act => $act, $state ? (state => $state) : () });
        is $answer->status, 200, "$path answers a part" or return {};
        $done = $answer->json;
    } while ($state = $done->{state});
    return $done;
}

my @seconds;
for my $edits (64, growth() * 64) {
    my $key = $service->admin('key', 'add', '21SD333', '--name', "gone mad $edits", '--scope', 'WRITE');
    my $qso = full_qso(callsignWorked => "26X$edits", notes => 'mine');
    $service->post_batch([$qso]);
    $service->post_batch([{ %$qso, notes => "n$_" }], key => $key) for 1 .. $edits;
    my ($act) = @{$me->get('history')->json->{items}};
    is $act->{changed}, $edits, "$edits edits by one key are one act";
    my ($changes, $preview, $undo);
    push @seconds, work_of(sub {
        $changes = $me->get("history/$act->{number}?limit=200")->json;
        $preview = take_back_repeated('undo/preview', $act->{number});
        $undo = take_back_repeated('undo', $act->{number});
    });
    is_deeply $changes->{items}[1]{fields}, [{ name => 'notes', old => 'n1', new => 'n2' }],
        'each edit is compared with the next state';
    is_deeply [@{$_}{qw(restored deleted left)}], [1, 0, 0],
        'undoing an act with one QSO restores that QSO' for $preview, $undo;
    is_deeply [map { $_->{notes} } grep { $_->{callsignWorked} eq "26X$edits" } $service->download], ['mine'],
        "undoing $edits edits restores the first state of the QSO";
}
work_is_linear(@seconds, 'edits of one QSO');

# Only a few long texts are in memory at a time.
my $key = $service->admin('key', 'add', '21SD333', '--name', 'gone mad with texts', '--scope', 'WRITE');
my $long = full_qso(callsignWorked => '26XLONG', notes => 'mine');
$service->post_batch([$long]);
$service->post_batch([{ %$long, notes => ("\x{1f4fb}" x 1990) . $_ }], key => $key) for 1 .. 2000;
my ($texts) = @{$me->get('history')->json->{items}};
$me->get("history/$texts->{number}?limit=2");
my $megabytes = worker_megabytes();
is_deeply [@{take_back_repeated('undo/preview', $texts->{number})}{qw(restored left)}], [1, 0],
    'a preview can restore a QSO with long texts';
SKIP: {
    skip 'sanitizers keep freed memory for a while', 1 if QSOsync::Front::is_sanitized();
    cmp_ok worker_megabytes() - $megabytes, '<=', 6,
        'a preview over 16 megabytes of earlier texts holds only a few texts in memory';
}

# A state that no answer can contain is refused, whatever its numbers.
my $state = join ':', $service->sqlite('SELECT log_epoch FROM logbook'), 100, 1, 0, 0, 202, (0) x 6;
for my $wrong ([6, -1], [6, '9223372036854775807'], [7, -1], [9, '9223372036854775807'], [5, -1]) {
    my @numbers = split /:/, $state;
    $numbers[$wrong->[0]] = $wrong->[1];
    my $answer = $me->post('undo/preview', { deleted => JSON::PP::true(), ids => '1', state => join ':',
        @numbers });
    is join(' ', $answer->status, $answer->json->{error}{details}[0]{field} // ''), '400 state',
        "a state with $wrong->[1] at position $wrong->[0] is refused";
}
is $me->post('undo/preview', { deleted => JSON::PP::true(), ids => '1', state => $state })->status, 200,
    'a state that an answer could contain is accepted';

done_testing;
