use QSOsync::Test fronts => 'nginx';
use QSOsync::Adif;
use QSOsync::Polo;
use QSOsync::Profile;

# Doubles that are there: pairs that the rule calls one contact are listed, and merged into one QSO, which can be
# undone.
my $service = QSOsync::Service->start(site => 1);
$service->admin('uploads', 'on');
my $theirs = $service->add_member('26AT101');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $true = JSON::PP::true();
sub log_now { return sort { $a->{id} <=> $b->{id} } $service->download }
sub told { my (@names) = @_; return join '; ', map { join ' ', map { $_ // '-' } @{$_}{@names} } log_now() }
sub stored { return qso(qsoAt => '2026-05-17T19:42:00Z', callsignWorked => '26AT101', frequencyMhz => '27.555',
    mode => 'SSB', @_) }
sub save { $service->post_batch([@_]); return map { $_->{clientId} } @_ }
sub clear { $service->delete_qso($_->{clientId}) for log_now(); return }
sub pairs {
    my (@pairs, $after);
    do {
        my $answer = $me->get('doubles' . ($after ? "?after=$after" : ''))->json;
        push @pairs, @{$answer->{items}};
        $after = $answer->{nextCursor};
    } while defined $after;
    return @pairs;
}
sub shown { return join '; ', map { join ' ', map { substr $_->{qsoAt}, 11, 8 } @{$_}{qw(older newer)} } pairs() }
sub of_one_slot { return join '; ', sort split /; /, shown() }
sub merge { my ($pair) = @_;
    return $me->post('doubles/merge', { one => "$pair->{older}{id}", other => "$pair->{newer}{id}" }) }

# What is a pair. Each QSO is new by itself: clients of the API are not matched.
my %pair = (
    'one minute apart' => [1, { qsoAt => '2026-05-17T19:43:00Z' }],
    'another mode' => [1, { mode => 'FM' }],
    'nearly the same frequency' => [1, { frequencyMhz => '27.558', mode => 'FM' }],
    'two differences' => [0, { mode => 'FM', frequencyMhz => '27.600' }],
    'another station' => [0, { callsignWorked => '26AT102' }],
    'the same station, written otherwise' => [1, { callsignWorked => '26-at 101' }],
    'more than two minutes later' => [0, { qsoAt => '2026-05-17T19:44:01Z' }],
    'another band' => [0, { band => 'PMR446', frequencyMhz => undef, channel => 1, mode => 'FM' }],
    'a station that was only heard' => [0, { qsoStatus => 'HRD' }],
    'two minutes later, without a frequency' => [0, { qsoAt => '2026-05-17T19:44:00Z', frequencyMhz => undef }],
);
for my $name (sort keys %pair) {
    my ($count, $other) = @{$pair{$name}};
    save(stored(), stored(%$other));
    is scalar(my @found = pairs()), $count, "$name: " . ($count ? 'a pair' : 'no pair');
    clear();
}
save(stored(qsoAt => '2026-05-17T21:59:30Z'), stored(qsoAt => '2026-05-17T22:00:30Z', notes => 'later'),
    stored(qsoAt => '1969-12-31T23:59:30Z'), stored(qsoAt => '1970-01-01T00:00:10Z'));
is shown(), '21:59:30 22:00:30; 23:59:30 00:00:10', 'pairs across two hours are found, newest first, in any year';
clear();
save(map { qso(band => 'PMR446', channel => 1, mode => 'FM', callsignWorked => undef, notes => "Name: $_",
    qsoAt => '2026-05-17T19:42:00Z') } 'Anna', 'anna', 'Bert');
is scalar(my @named = pairs()), 1, 'without callsigns the same name is a pair';
clear();
import_adif($service, '21SD333', adif_file($service, adif_qso(APP_N1MM_ID => 'a' x 32),
    adif_qso(APP_N1MM_ID => 'b' x 32, TIME_ON => '194210')));
is scalar(my @apart = pairs()), 0, 'QSOs that one program tells apart are no pair';
clear();
import_adif($service, '21SD333', adif_file($service, adif_qso(TIME_OFF => '201000')));
save(stored(qsoAt => '2026-05-17T20:05:00Z', notes => 'in the middle'));
is shown(), '19:42:00 20:05:00', 'QSOs of which one is known to have gone on meanwhile are a pair';
clear();

# The command.
my ($first, $second) = save(stored(), stored(qsoAt => '2026-05-17T19:42:20Z', frequencyMhz => '27.556'));
is_deeply JSON::PP::decode_json($service->admin('doubles', '21SD333', '--json')), [{ at => '2026-05-17T19:42:00.000Z',
    callsign => '26AT101', frequencyMhz => '27.555', channel => undef, mode => 'SSB', clientId => $first,
    otherAt => '2026-05-17T19:42:20.000Z', otherFrequencyMhz => '27.556', otherChannel => undef, otherMode => 'SSB',
    otherClientId => $second }], 'the command lists pairs for programs';
like $service->admin('doubles', '21SD333'), qr/^2026-05-17T19:42:00.000Z +26AT101 +27\.555 .*$second$/m,
    'the command lists pairs for people';
is $service->admin('doubles', '26AT101', '--json'), '[]', 'a log without doubles has none';
clear();

# A merge.
my $file = adif_file($service, adif_qso(TIME_ON => '1942', RST_SENT => '59', NAME => 'Bob', NOTES => 'of the file',
    MY_RIG => 'Lincoln', APP_LOGGER_ID => '7', APP_LOGGER_TEXT => 'kept'));
import_adif($service, '21SD333', $file);
my ($imported) = log_now();
($second) = save(stored(qsoAt => '2026-05-17T19:42:37Z', mode => 'USB', dxLocator => 'JO59jw', notes => 'of the app',
    rstReceived => '57', rstSent => '55'));
my ($pair) = pairs();
my @before = log_now();
my $merged = merge($pair)->json;
my %stays = %{(log_now())[0]};
delete @{$_}{qw(syncedAt)} for \%stays, $pair->{merged};
is_deeply $pair->{merged}, \%stays, 'the list shows the QSO that a merge leaves';
is_deeply [@$merged{qw(kept deleted)}], [$imported->{id}, $pair->{newer}{id}],
    'the older QSO stays, the other one goes';
is told(qw(clientId qsoAt mode dxLocator rstSent rstReceived radio)),
    "$imported->{clientId} 2026-05-17T19:42:37.000Z USB JO59jw 59 57 Lincoln",
    'what is empty is filled, what is more exact wins, and all else stays';
is((log_now())[0]{notes}, "Name: Bob\nof the file\nof the app", 'the notes of both are kept');
is shown(), '', 'it is no pair any more';
is import_adif($service, '21SD333', $file)->{counts}{unchanged}, 1, 'the file changes nothing afterwards';
my ($act) = @{$me->get('history')->json->{items}};
is_deeply [@$act{qw(number work subject changed deleted)}], [$merged->{act}, 'MERGE', '26AT101', 1, 1],
    'the history has it as an act of its own';
is $me->post('undo', { act => $merged->{act} })->json->{restored}, 2, 'it can be undone';
my @after = log_now();
delete $_->{syncedAt} for @before, @after;
is_deeply \@after, \@before, 'both QSOs are what they were';

# An export from before a merge brings nothing back.
my $export = $service->directory . '/before.adi';
$service->admin('export', '21SD333', $export);
merge((pairs())[0]);
my $report = import_adif($service, '21SD333', $export);
is_deeply [@{$report->{counts}}{qw(imported rejected)}], [0, 0], 'an export from before brings no QSO back';
is scalar(my @one = log_now()), 1, 'the merged QSO is the only one';
clear();

# Pairs that the member calls two contacts.
my $false = JSON::PP::false();
sub set_apart { my ($pair, $flag, %ids) = @_;
    my ($one, $other) = map { "$pair->{$_}{id}" } qw(older newer);
    return $me->post('doubles/apart', { one => $one, other => $other, apart => $flag, %ids })->status }
sub save_three { save(map { stored(qsoAt => "2026-05-17T19:42:${_}Z") } qw(00 10 20));
    return sort { "$a->{older}{qsoAt} $a->{newer}{qsoAt}" cmp "$b->{older}{qsoAt} $b->{newer}{qsoAt}" } pairs() }
my @three = save_three();
is of_one_slot(), '19:42:00 19:42:10; 19:42:00 19:42:20; 19:42:10 19:42:20', 'three QSOs of a contact are three pairs';
my $held = $service->sqlite('SELECT known FROM storage WHERE member_id = 1');
is set_apart($three[1], $true), 204, 'a pair can be called two contacts';
is set_apart($three[1], $true), 204, 'the same again changes nothing';
is $service->sqlite('SELECT known FROM storage WHERE member_id = 1') - $held, 122, 'the pair is stored once';
is of_one_slot(), '19:42:00 19:42:10; 19:42:10 19:42:20', 'it is no longer listed, and the other pairs are';
is scalar(my @told = @{JSON::PP::decode_json($service->admin('doubles', '21SD333', '--json'))}), 2,
    'the command does not list it';
is merge($three[1])->status, 409, 'it is not merged';
is set_apart($three[1], $false), 204, 'the pair can be one contact again';
is of_one_slot(), '19:42:00 19:42:10; 19:42:00 19:42:20; 19:42:10 19:42:20', 'it is listed again';
is set_apart($three[1], $false), 204, 'that can be repeated';
set_apart($three[1], $true);
is merge($three[2])->json->{deleted}, $three[2]{newer}{id}, 'another pair with one of its QSOs is merged';
is shown(), '', 'the QSO that stays is as far apart as the one that went';
is set_apart($three[0], $true, other => $_->[0]), $_->[1], $_->[2]
    for [$three[0]{older}{id}, 409, 'a QSO is not called apart from itself'], ['999999', 404, 'both QSOs must exist'],
    ['x', 400, 'ids must be numbers'];
is set_apart($three[0], 'yes'), 400, 'apart must be true or false';
clear();

# Confirmations, PoLo, and what is no pair.
($first, $second) = save(stored(mode => 'USB'), stored(qsoAt => '2026-05-17T19:42:30Z', mode => 'USB'));
$service->post_batch([qso(qsoAt => '2026-05-17T19:42:30Z', callsignWorked => '21SD333', frequencyMhz => '27.555',
    mode => 'USB')], key => $theirs->{write_key});
my ($confirmed) = grep { $_->{crossConfirmedAt} } log_now();
($pair) = pairs();
($pair->{older}, $pair->{newer}) = @{$pair}{qw(newer older)} if $pair->{newer}{id} ne $confirmed->{id};
merge($pair);
is join(' ', map { $_->{crossConfirmedAt} ? 'confirmed' : 'not' } log_now()), 'confirmed',
    'a QSO that was confirmed is so after a merge';
clear();
my $address = $me->post('tokens', { name => 'PoLo', isPolo => $true })->json->{address};
my $phone = QSOsync::Polo->new($service, $address);
($first) = save(stored(notes => 'of the app'));
my $uuid = $phone->add_qso(startAtMillis => 1779046940000, their => { call => '26AT102' });
$phone->rest;
$service->post_batch([{ %{(grep { $_->{clientId} eq $uuid } log_now())[0]}, callsignWorked => '26AT101' }]);
$phone->rest;
is merge((pairs())[0])->status, 200, 'a QSO of PoLo is merged with another one';
$phone->rest;
is told(qw(clientId notes)) . ' ' . $phone->record(qsos => $uuid)->{notes}, "$uuid of the app of the app",
    'the one that PoLo knows stays, and the phone gets what came to it';
clear();
my @ids = map { $_->{id} } @{$service->post_batch([stored(), stored(callsignWorked => '26AT102')])->json->{results}};
my @others = map { $_->{id} } @{$service->post_batch([qso()], key => $theirs->{write_key})->json->{results}};
is $me->post('doubles/merge', { one => "$ids[0]", other => "$_->[0]" })->status, $_->[1], $_->[2]
    for [$ids[1], 409, 'two contacts are not merged'], [$ids[0], 409, 'a QSO is not merged with itself'],
    [$others[0], 404, "another member's QSO is not there"], [999999, 404, 'a QSO that is not there is not merged'];
is $me->post('doubles/merge', $_)->status, 400, 'a merge needs two ids'
    for {}, { one => "$ids[0]" }, { one => 'x', other => "$ids[0]" }, { one => "$ids[0]", other => '-1' };
is scalar(my @both = log_now()), 2, 'nothing of it was merged';
clear();

# A long log is searched in parts.
my @many = map { stored(qsoAt => iso_time(1_700_000_000 + 30 * $_), callsignWorked => '26AT' . int $_ / 2) } 1 .. 900;
$service->post_batch([splice @many, 0, 100]) while @many;
my @found = pairs();
is scalar(@found), 449, 'all pairs of a long log are found, each once';
is_deeply [map { $_->{older}{qsoAt} } @found], [sort { $b cmp $a } map { $_->{older}{qsoAt} } @found],
    'they come newest first';
is scalar(my @listed = @{JSON::PP::decode_json($service->admin('doubles', '21SD333', '--json'))}), 449,
    'the command lists them all';
is $me->get('doubles?after=x')->status, 400, 'a cursor has to be one';
is $service->admin('check'), '', 'the logbook is in order';
done_testing;
