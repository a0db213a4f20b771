use QSOsync::Test fronts => 'nginx';
use QSOsync::Profile;

# A member adds, changes and deletes QSOs on the profile page. The rules are those of the API, and the writer is the
# session.
my $service = QSOsync::Service->start(site => 1);
$service->add_member('26AT101', locator => 'IO91wm');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $other = QSOsync::Profile->log_in($service, '26AT101');
sub save { $_[0]->post('qsos', { entries => $_[1] }) }
sub stored { my ($qso) = grep { $_->{clientId} eq $_[0] } @{$me->get('qsos')->json->{items}}; return $qso }

my $qso = full_qso(sendSpot => JSON::PP::true());
my $bad = full_qso(frequencyMhz => '29.000');
my $answer = save($me, [$qso, $bad]);
is $answer->status, 200, 'the page can send a batch';
my ($saved, $refused) = @{$answer->json->{results}};
is $saved->{clientId}, $qso->{clientId}, 'an entry is saved';
ok $saved->{spottedAt}, 'a spot is published on request';
is_deeply [@{$refused}{qw(id error permanent)}], [undef, 'FREQUENCY_OUT_OF_BAND_11M', JSON::PP::true()],
    'an invalid entry is rejected as in the API';
is_deeply [map { save($me, [$_])->json->{results}[0]{field} } full_qso(frequencyMhz => '29.000'),
    full_qso(myLocator => 'x'), full_qso(dxLocator => 'x'), full_qso(mode => 'SSTV'), full_qso(match => 1), 1],
    [qw(frequencyMhz myLocator dxLocator mode match), undef],
        'a rejection with an error code or a sentence names the field';
is stored($qso->{clientId})->{id}, $saved->{id}, 'a saved entry is in the log';
my $changed = { %$qso, notes => 'changed here' };
is save($me, [$changed])->json->{results}[0]{id}, $saved->{id}, 'an entry with the same clientId changes the QSO';
is stored($qso->{clientId})->{notes}, 'changed here', 'the change is in the log';
my ($edit) = @{$me->get("qsos/$saved->{id}/history")->json->{items}};
is $edit->{writer}{kind}, 'SESSION', 'the history names the session as the writer';

is_deeply [@{save($other, [$changed])->json->{results}[0]}{qw(error field)}], [qw(CLIENT_ID_CONFLICT clientId)],
    "another member's QSO cannot be changed";
is $other->remove("qsos/$qso->{clientId}")->status, 404, "another member's QSO cannot be deleted";
is $me->remove('qsos/1')->status, 400, 'a deletion without a UUID is refused';
is $me->remove("qsos/$qso->{clientId}", headers => { 'Sec-Fetch-Site' => 'cross-site' })->status, 403,
    'a page on another site cannot delete a QSO';
is $me->request('POST', 'qsos', json => { entries => [$qso] },
    headers => { Origin => 'https://example.org' })->status,
    403, 'a page on another site cannot save a QSO';
is_deeply $me->post('qsos', { entries => [] })->json->{error}{details},
    [{ field => 'entries', message => 'must be an array of 1 to 200 QSOs' }], 'a batch without QSOs is refused';
is $service->request('POST', '', raw_path => '/profile/data/qsos', json => { entries => [$qso] },
    headers => { 'Sec-Fetch-Site' => 'same-origin' })->status, 401, 'a visitor cannot save a QSO';

is $me->remove("qsos/$qso->{clientId}")->status, 204, 'a QSO can be deleted';
is stored($qso->{clientId}), undef, 'a deleted QSO is not in the log';
is $me->remove("qsos/$qso->{clientId}")->status, 404, 'a deleted QSO cannot be deleted again';
my $undone = $me->post('undo', { deleted => JSON::PP::true(), ids => $saved->{id} })->json;
is $undone->{restored}, 1, "a deletion can be undone by the QSO's id";
is stored($qso->{clientId})->{id}, $saved->{id}, 'a restored QSO has its previous id';

done_testing;
