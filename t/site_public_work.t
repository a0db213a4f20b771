use QSOsync::Test fronts => 'none', slow => 20;
use QSOsync::Callgrind;
use QSOsync::Worker;

# The cost of a public page does not grow with the logbook. Its numbers are counted when QSOs are written, and its rows
# come from an index. Each public route of both programs is requested with a small logbook and with a logbook four times
# as large. The test compares the numbers of instructions.
plan skip_all => 'valgrind cannot run these programs' if !QSOsync::Callgrind::is_possible();
my %asked = (
    '/cluster/spots' => ['', map { "?$_" } 'callsign=99ZZ9', 'callsign=9', 'mode=CW', 'division=352', 'band=pmr446',
        'from=1&to=2', 'minutes=1', 'callsign=99ZZ9&band=11m&mode=USB&minutes=527040'],
    '/cluster/spots/{band}' => ['pmr446', '20m'],
    '/cluster/list/{band}' => ['pmr446', '20m'],
    '/cluster/spot/{khz}' => ['1', '446006'],
    '/docs/clients/{name}' => ['qsosync.py'],
    '/log/{station}/worked' => ['?call=99ZZ9', '?call=99ZZ9/P'],
);

# Returns the instructions and the status of a second request for each target, in a logbook with this number of QSOs.
sub works {
    my ($qsos) = @_;
    my $service = QSOsync::Service->start;
    $service->admin('club', 'set', '--contact', 'club@example.org');
    fill_log($service, $qsos);
    $service->admin('station', 'add', '14/AT0', '--locator', 'JN03');
    $service->admin('station', 'set', '14/AT0', '--page', 'on');
    $service->sqlite("UPDATE qsos SET member_id = 3 WHERE member_id = 1;
        INSERT INTO spots (qso_id, spotted_at, spotter, dx_callsign, band, frequency, mode, my_locator, dx_locator)
            SELECT id, 1790000000000 + id, CASE WHEN id % 1000 THEN '21SD333' ELSE '14/AT0' END, callsign_worked, 0,
                frequency * 1000, mode, my_locator, dx_locator
            FROM qsos WHERE member_id = 3 AND band = 0");
    my $key = $service->admin('key', 'add', '14/AT0', '--name', 'x', '--scope', 'WRITE');
    $service->post_batch([qso(callsignWorked => '99ZZ9/P')], key => $key); # starts the counts of the log
    my %works;
    for my $program ([QSOsync::Front::worker_program(), '/api/v1'], [QSOsync::Front::site_program(), '']) {
        my $worker = QSOsync::Callgrind->start($service, $program->[0]);
        for my $route (map { chomp; [split /\t/] } `$program->[0] --routes`) {
            my ($method, $path, $access) = @$route;
            next if $method ne 'GET' || $access ne 'public';
            for my $question (@{$asked{$path} // ['']}) {
                my $target = $path =~ s/\{station\}/14-AT0/r =~ s/\{\w+\}/$question/r;
                $target .= $question if $question =~ /\A\?/;
                my ($query) = $target =~ /\?(.*)/;
                my %variables = (REQUEST_URI => "$program->[1]$target", QUERY_STRING => $query // '',
                    HTTP_ACCEPT => 'text/html');
                $worker->ask(\%variables); # the worker prepares its statements
                my ($answer, $work) = $worker->ask(\%variables);
                $works{$target} = [$work, $answer->status];
            }
        }
        $worker->stop;
    }
    $service->stop;
    return %works;
}

my %small = works(5_000);
my %large = works(20_000);
cmp_ok scalar(keys %small), '>=', 25, 'at least 25 public targets are requested';
for my $target (sort keys %small) {
    like $large{$target}[1], qr/\A(?:200|303)\z/, "GET $target is answered";
    cmp_ok $large{$target}[0], '<=', 1.25 * $small{$target}[0] + 30_000,
        "GET $target takes at most about a quarter more work with four times as many QSOs and spots";
}

# A search without a result costs no more than three pages of spots.
cmp_ok $large{$_}[0], '<=', 3 * $large{'/cluster/spots'}[0], "GET $_ costs no more than three lists of a hundred spots"
    for sort grep { /spots?[?\/]/ } keys %large;

done_testing;
