use QSOsync::Test fronts => 'nginx';
use QSOsync::Adif;
use QSOsync::Profile;

# A file can contain callsigns of other stations. The command then saves no QSO until an option states whether to keep
# these callsigns.
my $service = QSOsync::Service->start(site => 1);
my $me = QSOsync::Profile->log_in($service, '21SD333');
sub record {
    my ($call, %fields) = @_;
    return adif_qso(CALL => $call, %fields);
}
sub imported {
    my ($options, @records) = @_;
    my ($status, $output, $errors) = $service->admin_try('import', '21SD333', adif_file($service, @records), @$options);
    return ($status, $output =~ /^(?:imported|updated|unchanged|repeated) [1-9]\d*$/mg ? $& : '', $errors);
}
sub stations { return join ' ', sort map { $_->{operatorCallsign} // 'mine' } $service->download }
sub is_refused {
    my ($list, $rule, @records) = @_;
    my ($status, $counts, $errors) = imported([], @records);
    is_deeply [$status, $counts], [1, ''], "$rule: the command refuses the file";
    like $errors,
        qr/\Aqsosync-admin: \S+ has QSOs from stations other than 21SD333, namely \Q$list\E; keep these callsigns /,
        "$rule: the message names the stations";
    is scalar($service->download), 0, "$rule: nothing is saved";
}

is_refused('26AT101 (2)', 'another station', record('30RC1', STATION_CALLSIGN => '26-at-101'),
    record('30RC2'), record('30RC3', STATION_CALLSIGN => '26AT101'));
is_refused('26AT101/P (1)', 'a callsign in lower case', '<call:5>30RC1<qso_date:8>20260517<time_on:4>1942<band:3>11m'
    . '<station_callsign:9:s>26at101/p<eor>');
is_refused('26AT101 (1), 19AT7 (2)', 'several stations', record('30RC1', STATION_CALLSIGN => '26AT101'),
    record('30RC2', STATION_CALLSIGN => '19AT7'), record('30RC3', STATION_CALLSIGN => '19AT7'));
is_refused('26AT101 (1)', 'an operator without a station', record('30RC1', OPERATOR => '26AT101'));
is_refused(join(', ', map({ "1AT$_ (1)" } 1 .. 20), 'others (3)'), 'many stations',
    map { record("30RC$_", STATION_CALLSIGN => "1AT$_") } 1 .. 23);

# The command asks only about callsigns of other stations.
for (['21SD333' => "the member's callsign"], ['21 sd 333' => "the member's callsign in another spelling"],
    ['21SD333/P' => 'a suffix'],
    ['161/21SD333' => 'a division before the callsign'], ['' => 'a missing callsign'],
    ['-' => 'a callsign without letters']) {
    my ($callsign, $rule) = @$_;
    is_deeply [(imported(['--dry-run'], record('30RC1', STATION_CALLSIGN => $callsign)))[0, 1]], [0, 'imported 1'],
        "$rule is accepted without a question";
}
for (['a record on another band' => record('30RC1', STATION_CALLSIGN => '26AT101', FREQ => '14.074', BAND => '20m')],
    ["an operator in addition to the member's callsign" =>
        record('30RC1', STATION_CALLSIGN => '21SD333', OPERATOR => '26AT101')]) {
    my ($rule, $record) = @$_;
    is +(imported(['--dry-run'], $record))[0], 0, "$rule raises no question";
}
unlike +(imported([], record('30RC1', STATION_CALLSIGN => '26AT101', TIME_ON => '99')))[2], qr/stations other/,
    'a rejected record raises no question';
$service->admin('member', 'add', '26AT7', '--locator', 'JO59');
$service->admin('member', 'rename', '26AT7', '26AT8');
is +($service->admin_try('import', '26AT8', adif_file($service, record('30RC1', STATION_CALLSIGN => '26AT7')),
    '--dry-run'))[0], 0, "a member's earlier callsign raises no question";
$service->admin('station', 'add', '21SD0', '--locator', 'JO59');
my $operated = record('30RC1', STATION_CALLSIGN => '21SD0');
is +(imported(['--dry-run'], $operated))[0], 1, 'a station that the member does not operate raises a question';
$service->admin('station', 'grant', '21SD0', '21SD333');
is +(imported(['--dry-run'], $operated))[0], 0, 'a station that the member operates raises no question';
$service->admin('station', 'revoke', '21SD0', '21SD333');
is +(imported(['--dry-run'], $operated))[0], 1, 'a station raises a question after its grant is revoked';

# The option --station-callsign answers the command's question.
my @file = (record('30RC1', STATION_CALLSIGN => '26AT101'), record('30RC2', STATION_CALLSIGN => '21SD333/P'));
is +(imported(['--station-callsign', 'yours'], @file))[0], 2, 'an unknown answer on the command line is wrong usage';
is_deeply [(imported(['--station-callsign', 'KEEP'], @file))[0, 1]], [0, 'imported 2'],
    'the answer "keep" saves the file';
is stations(), '21SD333/P 26AT101', 'the answer "keep" stores the callsigns in the file';
$me->post('delete-log', { callsign => '21SD333' });
is_deeply [(imported(['--station-callsign', 'mine'], @file))[0, 1]], [0, 'imported 2'],
    'the answer "mine" saves the file';
is stations(), '21SD333 21SD333/P', "the answer 'mine' replaces only other stations' callsigns";
is_deeply [(imported(['--station-callsign', 'mine'], @file))[0, 1]], [0, 'unchanged 2'],
    'a repeated import with the answer "mine" changes nothing';
is_deeply [(imported(['--station-callsign', 'mine'], record('30RC1', STATION_CALLSIGN => '26AT101') x 2))[0, 1]],
    [0, 'unchanged 1'], 'with the answer "mine", repeated records become one QSO';

# The page asks the same question as the command.
$me->post('delete-log', { callsign => '21SD333' });
sub answer {
    my (%option) = @_;
    my $adif = join '', @file, record('30RC3', STATION_CALLSIGN => '26AT101');
    return $me->post('import', { adif => $adif, name => 'log.adi', %option })->json;
}
my $preview = answer(dryRun => JSON::PP::true());
is_deeply [@$preview{qw(otherStations callsign imported)}], [[{ callsign => '26AT101', count => 2 }], '21SD333', 3],
    'the preview lists other stations';
is answer(dryRun => JSON::PP::true(), stationCallsign => 'mine')->{imported}, 3, 'a preview accepts an answer';
is $me->post('import', { adif => 'x', stationCallsign => 'his' })->status, 400,
    'an unknown answer in a request gets 400';
is answer(stationCallsign => 'mine')->{imported}, 3, 'the page saves the file with the answer "mine"';
is stations(), '21SD333 21SD333 21SD333/P', "the answer 'mine' on the page replaces other stations' callsigns";
$me->post('delete-log', { callsign => '21SD333' });
answer();
is stations(), '21SD333/P 26AT101 26AT101', 'without an answer, an import on the page keeps the callsigns in the file';
done_testing;
