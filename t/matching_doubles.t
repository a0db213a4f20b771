use QSOsync::Test fronts => 'nginx';
use QSOsync::Adif;
use QSOsync::Polo;
use QSOsync::Profile;

# Duplicates in a log are pairs of QSOs that the matching rule counts as one contact. The service lists them, and merges
# a pair into one QSO. A merge can be undone.
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

# Each case has the number of pairs, and the second QSO's differences from the first. The API creates both QSOs, because
# entries without "match" are not matched.
my %pair = (
    'one minute apart' => [1, { qsoAt => '2026-05-17T19:43:00Z' }],
    'another mode' => [1, { mode => 'FM' }],
    'nearly the same frequency' => [1, { frequencyMhz => '27.558', mode => 'FM' }],
    'two differences' => [0, { mode => 'FM', frequencyMhz => '27.600' }],
    'another station' => [0, { callsignWorked => '26AT102' }],
    'another spelling of the station' => [1, { callsignWorked => '26-at 101' }],
    'more than two minutes later' => [0, { qsoAt => '2026-05-17T19:44:01Z' }],
    'another band' => [0, { band => 'PMR446', frequencyMhz => undef, channel => 1, mode => 'FM' }],
    'a station that was only heard' => [0, { qsoStatus => 'HRD' }],
    'two minutes later, without a frequency' => [0, { qsoAt => '2026-05-17T19:44:00Z', frequencyMhz => undef }],
);
for my $name (sort keys %pair) {
    my ($count, $other) = @{$pair{$name}};
    save(stored(), stored(%$other));
    is scalar(my @found = pairs()), $count, "$name: " . ($count ? 'a pair' : 'not a pair');
    clear();
}
save(stored(qsoAt => '2026-05-17T21:59:30Z'), stored(qsoAt => '2026-05-17T22:00:30Z', notes => 'later'),
    stored(qsoAt => '1969-12-31T23:59:30Z'), stored(qsoAt => '1970-01-01T00:00:10Z'));
is shown(), '21:59:30 22:00:30; 23:59:30 00:00:10',
    'pairs across the boundary of an hour are found, newest first, in any year';
clear();
save(map { qso(band => 'PMR446', channel => 1, mode => 'FM', callsignWorked => undef, notes => "Name: $_",
    qsoAt => '2026-05-17T19:42:00Z') } 'Anna', 'anna', 'Bert');
is scalar(my @named = pairs()), 1, 'two QSOs without callsigns and with the same name are a pair';
clear();
import_adif($service, '21SD333', adif_file($service, adif_qso(APP_N1MM_ID => 'a' x 32),
    adif_qso(APP_N1MM_ID => 'b' x 32, TIME_ON => '194210')));
is scalar(my @apart = pairs()), 0, 'QSOs with different ids from one program are not a pair';
clear();
import_adif($service, '21SD333', adif_file($service, adif_qso(TIME_OFF => '201000')));
save(stored(qsoAt => '2026-05-17T20:05:00Z', notes => 'in the middle'));
is shown(), '19:42:00 20:05:00', 'a QSO during a longer QSO pairs with the longer QSO';
clear();

# The command lists and merges pairs.
my ($first, $second) = save(stored(), stored(qsoAt => '2026-05-17T19:42:20Z', frequencyMhz => '27.556'));
is_deeply JSON::PP::decode_json($service->admin('doubles', '21SD333', '--json')), [{ at => '2026-05-17T19:42:00.000Z',
    callsign => '26AT101', frequencyMhz => '27.555', channel => undef, mode => 'SSB', clientId => $first,
    otherAt => '2026-05-17T19:42:20.000Z', otherFrequencyMhz => '27.556', otherChannel => undef, otherMode => 'SSB',
    otherClientId => $second }], 'the command lists pairs as JSON';
like $service->admin('doubles', '21SD333'), qr/^2026-05-17T19:42:00.000Z +26AT101 +27\.555 .*$second$/m,
    'the command lists pairs as a table';
is $service->admin('doubles', '26AT101', '--json'), '[]', 'a log without duplicates has an empty list';
clear();

# A merge turns a pair into one QSO.
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
is_deeply $pair->{merged}, \%stays, 'the list shows the QSO that a merge would create';
is_deeply [@$merged{qw(kept deleted)}], [$imported->{id}, $pair->{newer}{id}],
    'a merge keeps the older QSO and deletes the newer QSO';
is told(qw(clientId qsoAt mode dxLocator rstSent rstReceived radio)),
    "$imported->{clientId} 2026-05-17T19:42:37.000Z USB JO59jw 59 57 Lincoln",
    'a merge fills empty fields, prefers more exact values and keeps all other values';
is((log_now())[0]{notes}, "Name: Bob\nof the file\nof the app", 'a merge keeps the notes of both QSOs');
is shown(), '', 'a merged pair is not listed again';
is import_adif($service, '21SD333', $file)->{counts}{unchanged}, 1, 'importing the file after a merge changes nothing';
my ($act) = @{$me->get('history')->json->{items}};
is_deeply [@$act{qw(number work subject changed deleted)}], [$merged->{act}, 'MERGE', '26AT101', 1, 1],
    'a merge is a separate act in the history';
is $me->post('undo', { act => $merged->{act} })->json->{restored}, 2, 'a merge can be undone';
my @after = log_now();
delete $_->{syncedAt} for @before, @after;
is_deeply \@after, \@before, 'undoing a merge restores both QSOs';

my $export = $service->directory . '/before.adi';
$service->admin('export', '21SD333', $export);
merge((pairs())[0]);
my $report = import_adif($service, '21SD333', $export);
is_deeply [@{$report->{counts}}{qw(imported rejected)}], [0, 0],
    'importing an export from before a merge restores no QSO';
is scalar(my @one = log_now()), 1, 'the log has only the merged QSO after the import';
clear();

# The member marks some pairs as two contacts.
my $false = JSON::PP::false();
sub set_apart { my ($pair, $flag, %ids) = @_;
    my ($one, $other) = map { "$pair->{$_}{id}" } qw(older newer);
    return $me->post('doubles/apart', { one => $one, other => $other, apart => $flag, %ids })->status }
sub save_three { save(map { stored(qsoAt => "2026-05-17T19:42:${_}Z") } qw(00 10 20));
    return sort { "$a->{older}{qsoAt} $a->{newer}{qsoAt}" cmp "$b->{older}{qsoAt} $b->{newer}{qsoAt}" } pairs() }
my @three = save_three();
is of_one_slot(), '19:42:00 19:42:10; 19:42:00 19:42:20; 19:42:10 19:42:20', 'three QSOs of a contact form three pairs';
my $held = $service->sqlite('SELECT known FROM storage WHERE member_id = 1');
is set_apart($three[1], $true), 204, 'a pair can be marked as two contacts';
is set_apart($three[1], $true), 204, 'marking a pair again succeeds';
is $service->sqlite('SELECT known FROM storage WHERE member_id = 1') - $held, 122, 'the mark of a pair is stored once';
is of_one_slot(), '19:42:00 19:42:10; 19:42:10 19:42:20', 'the list omits a marked pair and contains all other pairs';
is scalar(my @told = @{JSON::PP::decode_json($service->admin('doubles', '21SD333', '--json'))}), 2,
    'the command does not list a marked pair';
is merge($three[1])->status, 409, 'a marked pair cannot be merged';
is set_apart($three[1], $false), 204, 'the mark of a pair can be removed';
is of_one_slot(), '19:42:00 19:42:10; 19:42:00 19:42:20; 19:42:10 19:42:20', 'a pair without its mark is listed again';
is set_apart($three[1], $false), 204, 'removing a mark again succeeds';
set_apart($three[1], $true);
is merge($three[2])->json->{deleted}, $three[2]{newer}{id}, 'a pair with one QSO of a marked pair can be merged';
is shown(), '', 'the merged QSO inherits the mark of the deleted QSO';
is set_apart($three[0], $true, other => $_->[0]), $_->[1], $_->[2]
    for [$three[0]{older}{id}, 409, 'a QSO cannot be marked as another contact than itself'], ['999999', 404,
    'a pair with an unknown QSO cannot be marked'],
    ['x', 400, 'ids that are not numbers are refused'];
is set_apart($three[0], 'yes'), 400, 'a value of "apart" other than true or false is refused';
clear();

# A merge keeps a confirmation and PoLo's record. QSOs that are not a pair cannot be merged.
($first, $second) = save(stored(mode => 'USB'), stored(qsoAt => '2026-05-17T19:42:30Z', mode => 'USB'));
$service->post_batch([qso(qsoAt => '2026-05-17T19:42:30Z', callsignWorked => '21SD333', frequencyMhz => '27.555',
    mode => 'USB')], key => $theirs->{write_key});
my ($confirmed) = grep { $_->{crossConfirmedAt} } log_now();
($pair) = pairs();
($pair->{older}, $pair->{newer}) = @{$pair}{qw(newer older)} if $pair->{newer}{id} ne $confirmed->{id};
merge($pair);
is join(' ', map { $_->{crossConfirmedAt} ? 'confirmed' : 'not' } log_now()), 'confirmed',
    'a merge keeps a confirmation';
clear();
my $address = $me->post('tokens', { name => 'PoLo', isPolo => $true })->json->{address};
my $phone = QSOsync::Polo->new($service, $address);
($first) = save(stored(notes => 'of the app'));
my $uuid = $phone->add_qso(startAtMillis => 1779046940000, their => { call => '26AT102' });
$phone->rest;
$service->post_batch([{ %{(grep { $_->{clientId} eq $uuid } log_now())[0]}, callsignWorked => '26AT101' }]);
$phone->rest;
is merge((pairs())[0])->status, 200, 'a QSO from PoLo can be merged with another QSO';
$phone->rest;
is told(qw(clientId notes)) . ' ' . $phone->record(qsos => $uuid)->{notes}, "$uuid of the app of the app",
    'a merge keeps the QSO from PoLo, and the phone gets the merged values';
clear();
my @ids = map { $_->{id} } @{$service->post_batch([stored(), stored(callsignWorked => '26AT102')])->json->{results}};
my @others = map { $_->{id} } @{$service->post_batch([qso()], key => $theirs->{write_key})->json->{results}};
is $me->post('doubles/merge', { one => "$ids[0]", other => "$_->[0]" })->status, $_->[1], $_->[2]
    for [$ids[1], 409, 'a merge of QSOs that are not a pair is refused'], [$ids[0], 409,
    'a merge of a QSO with itself is refused'],
    [$others[0], 404, "a merge with another member's QSO is refused"], [999999, 404,
    'a merge with an unknown QSO is refused'];
is $me->post('doubles/merge', $_)->status, 400, 'a merge without two valid ids is refused'
    for {}, { one => "$ids[0]" }, { one => 'x', other => "$ids[0]" }, { one => "$ids[0]", other => '-1' };
is scalar(my @both = log_now()), 2, 'a refused merge changes nothing';
clear();

# A long log is searched in parts.
my @many = map { stored(qsoAt => iso_time(1_700_000_000 + 30 * $_), callsignWorked => '26AT' . int $_ / 2) } 1 .. 900;
$service->post_batch([splice @many, 0, 100]) while @many;
my @found = pairs();
is scalar(@found), 449, 'each pair of a long log is listed once';
is_deeply [map { $_->{older}{qsoAt} } @found], [sort { $b cmp $a } map { $_->{older}{qsoAt} } @found],
    'pairs are listed newest first';
is scalar(my @listed = @{JSON::PP::decode_json($service->admin('doubles', '21SD333', '--json'))}), 449,
    'the command lists all pairs of a long log';
is $me->get('doubles?after=x')->status, 400, 'an invalid cursor is refused';
is $service->admin('check'), '', 'the logbook passes the check';
done_testing;
