use QSOsync::Test fronts => 'all';
use QSOsync::Polo;
use QSOsync::Profile;
use QSOsync::QrCode;

# Ham2K PoLo syncs with the log. PoLo's own record is stored with the QSO, and the profile lists records that the log
# cannot store.
my $service = QSOsync::Service->start(site => 1);
my $theirs = $service->add_member('26AT101');
my $me = QSOsync::Profile->log_in($service, '21SD333');
sub log_of { my %log = map { $_->{clientId} => $_ } $service->download; return \%log }
sub listed { return join '; ', map { "$_->{count} $_->{reason}" } @{$me->get('tokens')->json->{poloRejections}} }
my $true = JSON::PP::true();

# Each token for PoLo has its own address.
is $me->post('tokens', { name => 'PoLo', isPolo => 1 })->status, 400,
    'a value of isPolo other than true or false is refused';
my $made = $me->post('tokens', { name => 'My phone', isPolo => $true })->json;
my $address = 'http://127.0.0.1:' . $service->port . "/lofi/$made->{token}";
like $made->{token}, qr/\Aqsosyncpo_[0-9A-Za-z]{49}\z/, 'a token for PoLo has its own prefix';
is $made->{address}, $address, 'the address contains the token';
is QSOsync::QrCode::text_of(QSOsync::QrCode::rows_of_path(@{$made->{qr}}{qw(path size)})), $address,
    'a QR code contains the address';
my $upload = $me->post('tokens', { name => 'WSJT-CB' })->json;
is_deeply [map { $_->{isPolo} ? 'PoLo' : 'upload' } @{$me->get('tokens')->json->{items}}], ['PoLo', 'upload'],
    'the list marks the tokens for PoLo';
my $phone = QSOsync::Polo->new($service, $address);
is $phone->sign_in->status, 404, 'the address does not exist while uploads are off';
$service->admin('uploads', 'on');
is $service->request('GET', '', raw_path => "/cloudlog/api/station_info/$made->{token}")->status, 401,
    'a token for PoLo is not an upload token';
is $service->get('/me', key => $made->{token})->status, 401, 'a token for PoLo is not an API key';
is $service->request('GET', '', raw_path => "/lofi/$_/v1/accounts")->status, 401,
    'a text that is not a token for PoLo is refused'
    for $upload->{token}, $service->write_key, 'x', $made->{token} =~ s/.\z/_/r;
is $phone->ask('POST', 'v1/client', $_)->status, 400, "a phone that sends $_ without a name is refused"
    for '{}', '[', '{"client":1}';
is $phone->ask('POST', 'v1/sync', '{}', token => $_)->status, 401,
    "a sync with '$_' as the second token is refused"
    for '', 'x', '0' x 15, 'g' x 16;
is $phone->sign_in->status, 200, 'a phone can sign in';
my $account = $phone->ask('GET', 'v1/accounts')->json;
is "$account->{current_account}{call} $account->{operations}{total} $account->{qsos}{total}", '21SD333 0 0',
    'an account shows the member, and no data at first';
sub sync { return $phone->ask('POST', 'v1/sync', $_[0], token => $phone->{token})->status }
is sync($_), 400, "'$_' is refused as a sync" for '[]', '{"qsos":[', '7';
is sync('{"qsos":[' . join(',', ('{}') x 1001) . ']}'), 400,
    'more than 1,000 records at once are refused';

# Records of a kind that PoLo never sends are stored, and a phone that requests nothing receives nothing.
my @odd = map { { uuid => QSOsync::Case::uuid(), updatedAtMillis => 1, %$_ } } { their => undef, our => [] },
    { freq => {}, band => {}, mode => [] }, { startAtMillis => -1, freq => -5, notes => "\0", their => 'x' },
    { startAtMillis => 9e18, freq => 27555, updatedAtMillis => 9223372036854775807, deleted => 'no' },
    { uuid => 7 }, { uuid => undef }, { startAtMillis => 'yesterday', freq => 1e300, power => 'much' };
is sync(JSON::PP->new->utf8->encode({ qsos => [@odd, 7, undef, []], operations => {}, settings => [1] })), 200,
    'a request with odd records is accepted';
is_deeply $phone->ask('POST', 'v1/sync', '{}', token => $phone->{token})->json->{qsos}, [],
    'a phone without a cursor receives nothing';
is $service->sqlite('SELECT count(*) FROM polo_records WHERE kind = 1'), scalar @odd, 'each odd record is stored';
is scalar(keys %{log_of()}), 0, 'no odd record enters the log';
ok $phone->rest, 'a phone finishes its sync after odd records';
$service->sqlite('DELETE FROM polo_records WHERE kind = 1');
$phone->{qsos} = {};

# A QSO goes from PoLo to the log, and back.
my $operation = $phone->add_operation(title => 'Hill');
my $notes = "Gr\x{fc}\x{df}e";
my $uuid = $phone->add_qso(operation => $operation, startAtMillis => 1779046920123, notes => $notes, power => 12,
    their => { call => '26AT101', sent => '57', grid => 'JO40', city => 'Hanau' }, refs => [{ ref => 'x' }]);
ok $phone->rest, 'a phone finishes its sync';
my $qso = log_of()->{$uuid};
is_deeply [@{$qso}{qw(qsoAt band frequencyMhz mode callsignWorked operatorCallsign dxLocator)}],
    ['2026-05-17T19:42:00.123Z', 'ELEVEN_METERS', '27.555', 'USB', '26AT101', undef, 'JO40'],
    'the log has the time, band, frequency, mode, callsigns and locator of a QSO from PoLo';
is_deeply [@{$qso}{qw(rstSent rstReceived notes txPowerW)}], ['59', '57', $notes, 12],
    'the log has the other fields of a QSO from PoLo';
is $qso->{spottedAt}, undef, 'a QSO from PoLo does not become a spot';
$service->post_batch([qso(callsignWorked => '21SD333', qsoAt => '2026-05-17T19:45:00Z', mode => 'USB')],
    key => $theirs->{write_key});
ok log_of()->{$uuid}{crossConfirmedAt}, 'a QSO from PoLo is confirmed like any other';
my %theirs = %{log_of()->{$uuid}};
$service->post_batch([{ %theirs{qw(clientId band qsoAt frequencyMhz mode callsignWorked dxLocator rstSent rstReceived)},
    notes => 'changed', radio => 'Lincoln', dxLat => 50.1, dxLng => 8.9 }]);
ok $phone->rest, 'a phone finishes its sync after a change elsewhere';
my $record = $phone->record(qsos => $uuid);
is "$record->{notes} $record->{their}{city} $record->{refs}[0]{ref} $record->{operation}", "changed Hanau x $operation",
    'a change elsewhere reaches the phone, and keeps values that the log does not have';
$phone->edit(qsos => $uuid, their => { %{$record->{their}}, sent => '59' });
ok $phone->rest, 'a phone finishes its sync after its own change';
$qso = log_of()->{$uuid};
is_deeply [@{$qso}{qw(rstReceived radio dxLat notes)}], ['59', 'Lincoln', 50.1, 'changed'],
    'a change on the phone keeps values that PoLo does not have';
my $second = QSOsync::Polo->new($service, $address, name => 'second');
ok $second->rest, 'a second phone finishes its sync';
is_deeply $second->shown, $phone->shown, "a second phone receives all the first phone's QSOs";
is $second->record(qsos => $uuid)->{their}{city}, 'Hanau', 'a second phone receives values that the log does not have';
is $second->record(operations => $operation)->{title}, 'Hill',
    'a second phone receives the operations from the first phone';

my $digital = $phone->add_qso(operation => $operation, mode => 'FT8', freq => 27265);
ok $phone->rest, 'a phone finishes its sync after a digital QSO';
for my $id ($uuid, $digital) {
    my %there = %{log_of()->{$id}};
    $service->post_batch([{ %there{qw(clientId band qsoAt frequencyMhz callsignWorked)}, mode => 'DIGITAL',
        notes => 'd' }]);
}
ok $phone->rest, 'a phone finishes its sync after changes of the mode';
is join(' ', map { $phone->record(qsos => $_)->{mode} } $uuid, $digital), 'DATA FT8',
    'DIGITAL in the log is DATA in PoLo, unless the phone sent a digital mode such as FT8';
$phone->edit(qsos => $uuid, notes => 'changed');
ok $phone->rest && log_of()->{$uuid}{mode} eq 'DIGITAL', 'DATA in PoLo is DIGITAL in the log';

# PoLo receives writes from other programs, deletions and undos.
my $other = QSOsync::Case::uuid();
$service->post_batch([qso(clientId => $other, band => 'PMR446', channel => 2, mode => 'FM',
    callsignWorked => '13AT7')]);
ok $phone->rest, 'a phone finishes its sync after a QSO from elsewhere';
$record = $phone->record(qsos => $other);
is "$record->{band} $record->{freq} $record->{their}{call}", '70cm 446018.75 13AT7',
    'a PMR446 QSO has its frequency in PoLo';
is $phone->record(operations => $record->{operation})->{title}, 'QSOsync',
    'QSOs from elsewhere have their own operation';
$phone->remove(qsos => $uuid);
ok $phone->rest, 'a phone finishes its sync after a deletion';
ok !log_of()->{$uuid}, 'a deletion in PoLo deletes the QSO';
my ($act) = @{$me->get('history')->json->{items}};
is $act->{writer}{name} // $act->{name}, 'My phone', 'the history names the token';
$service->admin('undo', '21SD333', '--by', 'My phone', '--since',
    POSIX::strftime('%Y-%m-%dT%H:%M:%SZ', gmtime(time - 3600)));
ok $phone->rest, 'a phone finishes its sync after an undo';
ok log_of()->{$uuid} && !$phone->record(qsos => $uuid)->{deleted}, 'a QSO restored in the log is restored on the phone';
$service->delete_qso($other);
ok $phone->rest, 'a phone finishes its sync after a deletion elsewhere';
ok $phone->record(qsos => $other)->{deleted}, 'a QSO deleted in the log is deleted on the phone';

# The log cannot store some records.
my @outside = ($phone->add_qso(operation => $operation, freq => 7150, band => '40m'),
    $phone->add_qso(operation => $operation, startAtMillis => ''));
my $pause = $phone->add_qso(operation => $operation, band => 'event', event => { event => 'break' });
my $before = scalar keys %{log_of()};
ok $phone->rest, 'a phone finishes its sync after QSOs that the log cannot store';
is scalar(keys %{log_of()}), $before, 'QSOs on other bands, faulty QSOs and breaks do not enter the log';
like listed(), qr/\A1 \w+ .*; 1 it is on another band\z/,
    'the profile lists QSOs that the log could not store, with the reason';
ok $second->rest, 'the other phone finishes its sync';
ok $second->{qsos}{$_}, 'the other phone receives records that are not in the log' for @outside, $pause;
$phone->edit(qsos => $outside[0], freq => 27405, band => '11m');
ok $phone->rest, 'a phone finishes its sync after a correction';
ok log_of()->{$outside[0]}, 'a corrected QSO enters the log';
unlike listed(), qr/another band/, 'the profile no longer lists a corrected QSO';
$service->sqlite("UPDATE polo_records SET bytes = 990000 WHERE kind = 0 AND body LIKE '%Hill%'");
$phone->add_qso(operation => $operation, freq => 7150, band => '40m', notes => 'x' x 20000) for 1, 2;
ok $phone->rest, 'a phone finishes its sync even if storage is full';
like listed(), qr/; 2 the 1 MB for records that only PoLo has is full\z/,
    'the profile lists records that exceed the storage';
$phone->add_qso(operation => $operation, notes => 'x' x 70000);
ok $phone->rest, 'a phone finishes its sync after a record that is too long';
like listed(), qr/1 it is longer than 65,536 bytes/, 'the profile lists a record that is too long';

# A backup is restored, and PoLo synchronises again.
$service->admin('backup', $service->directory . '/old.db');
my $late = $phone->add_qso(operation => $operation, startAtMillis => 1779050000000);
ok $phone->rest && log_of()->{$late}, 'a QSO after a backup enters the log';
$service->admin('restore', $service->directory . '/old.db');
ok !log_of()->{$late}, 'a restored logbook lacks a QSO that is newer than the backup';
ok $phone->rest, 'a phone finishes its sync after a restore';
ok log_of()->{$late}, 'PoLo sends QSOs again that a restored backup lacks';

# PoLo's own source code for the sync (c10fffb) sent these requests on one evening with three QSOs. One QSO is on 40 m,
# one is changed and one is deleted later.
$service->add_member('13AT7');
my $recorded = QSOsync::Profile->log_in($service, '13AT7');
my $session = $recorded->post('tokens', { name => 'PoLo', isPolo => $true })->json->{token};
for (split /^----\n/m, QSOsync::Front::read_file("$QSOsync::Front::SOURCE/t/data/polo-session.txt")) {
    my ($head, $body) = split /\n\n/;
    my (undef, $path, @headers) = $head =~ /\A(\S+) (\S+) .*|^([^:\n]+): (.*)$/mg;
    my $answer = $service->request('POST', '', raw_path => $path =~ s/TOKEN/$session/r, body => $body =~ s/\n\z//r,
        headers => { grep { defined } @headers });
    is $answer->status, 200, 'a request in a recorded session is answered';
}
my $page = $recorded->get('qsos')->json->{items};
is join('; ', map { "$_->{clientId} $_->{callsignWorked} $_->{notes}" } @$page),
    '6a1f3c58-90d2-4b7e-8f25-cc1d7e4ab902 26AT101 corrected', 'the log has the remaining QSO from a recorded session';
is $recorded->get('tokens')->json->{poloRejections}[0]{count}, 1,
    'the profile lists the QSO on 40 m from a recorded session';

# Revoking the token ends the exchange.
like $me->request('GET', 'everything.json')->body, qr/"polo":\[.*"kind":"operation".*Hill/s,
    'everything.json contains the records from PoLo';
is $me->post("tokens/$made->{number}/revoke")->status, 204, 'a token for PoLo can be revoked';
is $phone->round->status, 401, 'a revoked token can no longer sync';
is $phone->sign_in->status, 401, 'no phone can sign in with a revoked token';
unlike join('', map { QSOsync::Front::read_file($_) } grep { -f } glob $service->directory . '/*.log'), qr/qsosyncpo_/,
    'no log file contains a token for PoLo';
$service->admin('member', 'delete', '21SD333', '--yes');
is $service->sqlite('SELECT count(*) FROM polo_records WHERE member_id = 1'), 0,
    'deleting a member deletes the records from PoLo';

done_testing;
