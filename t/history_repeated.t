use QSOsync::Test fronts => 'nginx', slow => 11, suite => 'all';
use QSOsync::Profile;

# A program that wrote one QSO again and again is looked at, and taken back, with work in proportion to what it wrote:
# four times the edits take at most eight times the processor time, and a slice of it, in which nobody else writes,
# stays a short one.
my $FACTOR_MAX = 8;
my $budget_ms = QSOsync::Front::is_sanitized() ? 9000 : 1500;
my $service = QSOsync::Service->start(site => 1, environment => { QSOSYNC_REQUEST_CPU_MS => $budget_ms });
my $me = QSOsync::Profile->log_in($service, '21SD333');

# The most memory that the pages' worker has had, in megabytes.
sub worker_megabytes {
    my ($size) = QSOsync::Front::read_file("/proc/$service->{site_pids}[0]/status") =~ /^VmHWM:\s+(\d+) kB/m;
    return $size / 1024;
}

# Of the pages' worker so far, in seconds.
sub worker_seconds {
    my ($pid) = @{$service->{site_pids}};
    my @field = split ' ', QSOsync::Front::read_file("/proc/$pid/stat") =~ s/.*\) //sr;
    return ($field[11] + $field[12]) / POSIX::sysconf(POSIX::_SC_CLK_TCK());
}
sub work_of {
    my ($work) = @_;
    my $before = worker_seconds();
    $work->();
    return worker_seconds() - $before;
}
sub take_back {
    my ($path, $act) = @_;
    my ($done, $state);
    do {
        my $answer = $me->post($path, { act => $act, $state ? (state => $state) : () });
        is $answer->status, 200, "$path: a part of it" or return {};
        $done = $answer->json;
    } while ($state = $done->{state});
    return $done;
}

my %seconds;
for my $edits (500, 2000) {
    my $key = $service->admin('key', 'add', '21SD333', '--name', "gone mad $edits", '--scope', 'WRITE');
    my $qso = full_qso(callsignWorked => "26X$edits", notes => 'mine');
    $service->post_batch([$qso]);
    $service->post_batch([{ %$qso, notes => "n$_" }], key => $key) for 1 .. $edits;
    my ($act) = @{$me->get('history')->json->{items}};
    is $act->{changed}, $edits, "$edits edits are one act";
    my ($changes, $preview, $undo);
    $seconds{$edits} = work_of(sub {
        $changes = $me->get("history/$act->{number}?limit=200")->json;
        $preview = take_back('undo/preview', $act->{number});
        $undo = take_back('undo', $act->{number});
    });
    is_deeply $changes->{items}[1]{fields}, [{ name => 'notes', old => 'n1', new => 'n2' }],
        'each edit is shown with the next';
    is_deeply [@{$_}{qw(restored deleted left)}], [1, 0, 0], 'the one QSO is restored' for $preview, $undo;
    is_deeply [map { $_->{notes} } grep { $_->{callsignWorked} eq "26X$edits" } $service->download], ['mine'],
        "after $edits edits the QSO is what it was";
}
cmp_ok $seconds{2000}, '<=', $FACTOR_MAX * ($seconds{500} + 0.05), 'the work grows as what was written'
    or diag explain \%seconds;

# Long texts, of which only a few are in memory at a time.
my $key = $service->admin('key', 'add', '21SD333', '--name', 'gone mad with texts', '--scope', 'WRITE');
my $long = full_qso(callsignWorked => '26XLONG', notes => 'mine');
$service->post_batch([$long]);
$service->post_batch([{ %$long, notes => ("\x{1f4fb}" x 1990) . $_ }], key => $key) for 1 .. 2000;
my ($texts) = @{$me->get('history')->json->{items}};
$me->get("history/$texts->{number}?limit=2");
my $megabytes = worker_megabytes();
is_deeply [@{take_back('undo/preview', $texts->{number})}{qw(restored left)}], [1, 0],
    'a QSO with long texts can be restored';
SKIP: {
    skip 'sanitizers keep freed memory for a while', 1 if QSOsync::Front::is_sanitized();
    cmp_ok worker_megabytes() - $megabytes, '<=', 6,
        'of 16 megabytes of former texts only a few are in memory at a time';
}

# A state that no answer had is refused, whatever its numbers.
my $state = join ':', $service->sqlite('SELECT log_epoch FROM logbook'), 100, 1, 0, 0, 100, -1, (0) x 6;
for my $wrong ([7, -1], [7, '9223372036854775807'], [8, -1], [10, '9223372036854775807'], [6, -2]) {
    my @numbers = split /:/, $state;
    $numbers[$wrong->[0]] = $wrong->[1];
    my $answer = $me->post('undo/preview', { deleted => JSON::PP::true(), ids => '1', state => join ':', @numbers });
    is join(' ', $answer->status, $answer->json->{error}{details}[0]{field} // ''), '400 state',
        "no state with $wrong->[1] at $wrong->[0]";
}
is $me->post('undo/preview', { deleted => JSON::PP::true(), ids => '1', state => $state })->status, 200,
    'one that an answer could have had is understood';
done_testing;
