use QSOsync::Test;
use QSOsync::Profile;

# A member adds, changes and deletes QSOs on the profile page: the same rules as the API's, the session as the writer.
my $service = QSOsync::Service->start(site => 1);
$service->add_member('26AT101', locator => 'IO91wm');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $other = QSOsync::Profile->log_in($service, '26AT101');
sub save { $_[0]->post('qsos', { entries => $_[1] }) }
sub stored { my ($qso) = grep { $_->{clientId} eq $_[0] } @{$me->get('qsos')->json->{items}}; return $qso }

my $qso = full_qso(sendSpot => JSON::PP::true());
my $bad = full_qso(frequencyMhz => '29.000');
my $answer = save($me, [$qso, $bad]);
is $answer->status, 200, 'a batch is taken from the page';
my ($saved, $refused) = @{$answer->json->{results}};
is $saved->{clientId}, $qso->{clientId}, 'an entry is saved';
ok $saved->{spottedAt}, 'a spot is published where it is asked for';
is_deeply [@{$refused}{qw(id error permanent)}], [undef, 'FREQUENCY_OUT_OF_BAND_11M', JSON::PP::true()],
    'an entry beside it is rejected as by the API';
is stored($qso->{clientId})->{id}, $saved->{id}, 'it is in the log';
my $changed = { %$qso, notes => 'changed here' };
is save($me, [$changed])->json->{results}[0]{id}, $saved->{id}, 'the same clientId changes it';
is stored($qso->{clientId})->{notes}, 'changed here', 'the change is in the log';
my ($edit) = @{$me->get("qsos/$saved->{id}/history")->json->{items}};
is $edit->{writer}{kind}, 'SESSION', 'the history names the session as the writer';

is save($other, [$changed])->json->{results}[0]{error}, 'CLIENT_ID_CONFLICT', "another member's QSO is out of reach";
is $other->remove("qsos/$qso->{clientId}")->status, 404, "another member's QSO is not deleted";
is $me->remove('qsos/1')->status, 400, 'a deletion needs a UUID';
is $me->remove("qsos/$qso->{clientId}", headers => { 'Sec-Fetch-Site' => 'cross-site' })->status, 403,
    'another site deletes nothing';
is $me->request('POST', 'qsos', json => { entries => [$qso] }, headers => { Origin => 'https://example.org' })->status,
    403, 'another site saves nothing';
is_deeply $me->post('qsos', { entries => [] })->json->{error}{details},
    [{ field => 'entries', message => 'must be an array of 1 to 200 QSOs' }], 'a batch without QSOs is refused';
is $service->request('POST', '', raw_path => '/profile/data/qsos', json => { entries => [$qso] },
    headers => { 'Sec-Fetch-Site' => 'same-origin' })->status, 401, 'nobody saves without a session';

is $me->remove("qsos/$qso->{clientId}")->status, 204, 'a QSO is deleted';
is stored($qso->{clientId}), undef, 'it is out of the log';
is $me->remove("qsos/$qso->{clientId}")->status, 404, 'it is deleted once';
my $undone = $me->post('undo', { deleted => JSON::PP::true(), ids => $saved->{id} })->json;
is $undone->{restored}, 1, 'a deletion is taken back by the id';
is stored($qso->{clientId})->{id}, $saved->{id}, 'the QSO is the same as before';

done_testing;
