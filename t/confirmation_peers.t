use QSOsync::Test fronts => 'main';

# Two clubs, each with a service of its own, confirm each other's QSOs.
use JSON::PP ();
use QSOsync::Profile;

my %contact = (qsoAt => '2026-05-17T19:42:00.000Z', mode => 'USB');
my ($here, $there) = map { club("Club $_") } 'Here', 'There';
my $mine = $here->add_member('14AT1');
my $theirs = $there->add_member('14AT777');

sub club {
    my ($name) = @_;
    my $club = QSOsync::Service->start(site => 1);
    $club->admin('club', 'set', '--name', $name, '--address', address($club));
    return $club;
}
sub address { 'http://127.0.0.1:' . $_[0]->port }
sub name_of { '127.0.0.1:' . $_[0]->port }
sub pair {
    my ($from, $to) = @_;
    chomp(my $code = $from->admin('peer', 'add', address($to)));
    $to->admin('peer', 'enter', $code);
    return $code;
}
sub pull { $_->admin('peer', 'pull') for @_ }
sub save { my ($club, $member, @qsos) = @_; return $club->post_batch([@qsos], key => $member->{write_key}) }
sub confirmed_at {
    my ($club, $member, $qso) = @_;
    my ($found) = grep { $_->{clientId} eq $qso->{clientId} } $club->download(key => $member->{read_key});
    return $found->{crossConfirmedAt};
}
sub peers { return JSON::PP::decode_json($_[0]->admin('peer', 'list', '--json')) }
sub claims {
    my ($club, $key, $body, %more) = @_;
    return $club->request('POST', '', raw_path => '/peers/v1/claims', key => $key, json => $body, %more);
}

# -- Pairing ---------------------------------------------------------------------------------------

my $code = pair($here, $there);
like $code, qr/\A\Qhttp:\/\/127.0.0.1:\E\d+#[0-9A-Za-z]{43}\z/, 'a code holds the address and a secret';
is_deeply [map { [@$_{qw(name club)}] } @{peers($here)}], [[name_of($there), 'Club There']],
    'the club that made the code has a peer';
is_deeply [map { [@$_{qw(name club)}] } @{peers($there)}], [[name_of($here), 'Club Here']],
    'so has the one that entered it';
my ($status, undef, $said) = $there->admin_try('peer', 'enter', $code);
is $status, 1, 'a peer is not entered twice';
is $here->sqlite("SELECT count(*) FROM peers WHERE hex(fingerprint) NOT NULL AND length(ask_key) = 61"), 1,
    'a key is kept by who uses it, and as a fingerprint by who checks it';

# -- Confirming ------------------------------------------------------------------------------------

my $qso = qso(%contact, callsignWorked => '14-AT-777');
my $other = qso(%contact, qsoAt => '2026-05-17T19:50:00.000Z', mode => 'LSB', callsignWorked => '14AT1',
    notes => 'secret');
save($here, $mine, $qso);
save($there, $theirs, $other);
pull($here, $there);
my $since = confirmed_at($here, $mine, $qso);
ok $since, 'a QSO that both clubs have is confirmed here';
ok confirmed_at($there, $theirs, $other), 'the same QSO is confirmed there';
my ($row) = @{peers($here)};
is_deeply [@$row{qw(claims confirmations failure)}], [1, 1, undef], 'the list counts what the peer brings';

save($there, $theirs, { %$other, notes => 'other' });
pull($here, $there);
is confirmed_at($here, $mine, $qso), $since, 'an edit that changes nothing of it leaves the time';
save($there, $theirs, { %$other, qsoAt => '2026-05-17T21:00:00.000Z' });
pull($here, $there);
is confirmed_at($here, $mine, $qso), undef, 'an edit there that ends the match is followed here';
is confirmed_at($there, $theirs, $other), undef, 'the match ends there';
save($there, $theirs, $other);
pull($here, $there);
ok confirmed_at($here, $mine, $qso), 'the same edit back confirms it again';
$there->delete_qso($other->{clientId}, key => $theirs->{write_key});
pull($here, $there);
is confirmed_at($here, $mine, $qso), undef, 'a deletion there is followed here';

# -- What is told ----------------------------------------------------------------------------------

save($there, $theirs, $other, qso(%contact, callsignWorked => '26AT9'));
my $key = $here->sqlite('SELECT ask_key FROM peers');
my $question = { members => [{ callsign => '14at1', since => undef }], cursor => undef, limit => 500 };
my $answer = claims($there, $key, $question)->json;
is_deeply [map { [sort keys %$_] } @{$answer->{claims}}], [[sort qw(id station worked band channel modeFamily qsoAt)]],
    'a claim holds what is compared, and nothing else';
is_deeply [@{$answer->{claims}[0]}{qw(station worked band channel modeFamily qsoAt)}],
    ['14AT777', '14AT1', 'ELEVEN_METERS', undef, 'SSB', $other->{qsoAt}],
    'a peer is told of QSOs with members of the asking side alone';
is $answer->{nextCursor}, undef, 'the last page says so';
ok $answer->{complete}, 'everything is complete';
my $later = { members => [{ callsign => '14AT1', since => $answer->{serverTime} }] };
is_deeply claims($there, $key, $later)->json->{claims}, [], 'nothing new comes after its time';
is claims($there, $key, $question, headers => { Cookie => 'qsosync=x' })->status, 401, 'a cookie is refused';
is claims($there, $here->read_key, $question)->status, 401, 'an API key is no peer\'s';
is claims($there, undef, $question)->status, 401, 'no key is none';
is claims($there, $key, { members => [map { { callsign => "1A$_" } } 1 .. 1001] })->status, 400,
    'more than 1,000 members are refused';
is claims($there, $key, { %$question, limit => 501 })->status, 400, 'so are more than 500 claims';
is claims($there, $key, { %$question, cursor => 'x' })->status, 400, 'an unknown cursor is refused';

# Pages of one: each claim comes once, and all have the same time.
my @more = map { qso(%contact, qsoAt => "2026-06-0${_}T10:00:00.000Z", callsignWorked => '14AT1') } 1 .. 5;
save($there, $theirs, @more);
{
    my (@ids, %times, $cursor);
    do {
        my $page = claims($there, $key, { %$question, limit => 1, cursor => $cursor })->json;
        push @ids, map { $_->{id} } @{$page->{claims}};
        $times{$page->{serverTime}}++;
        $cursor = $page->{nextCursor};
    } while defined $cursor && @ids < 20;
    is scalar(@ids), 6, 'each claim comes once';
    is scalar(keys %times), 1, 'all pages name the time of the first';
}

# -- Members ---------------------------------------------------------------------------------------

pull($here, $there);
ok confirmed_at($here, $mine, $qso), 'it is confirmed again';
my $late = qso(%contact, callsignWorked => '14AT2');
save($there, $theirs, $late);
pull($here);
my $new = $here->add_member('14AT2');
my $his = qso(%contact, callsignWorked => '14AT777');
save($here, $new, $his);
pull($here, $there);
ok confirmed_at($here, $new, $his), 'a member who joins later has his old QSOs confirmed';
ok confirmed_at($there, $theirs, $late), 'on both sides';

# The club's own member confirms, too; the time stays whichever of both ends.
my $own = $here->add_member('26AT5');
my ($both, $inside) = (qso(%contact, qsoAt => '2026-07-01T10:00:00.000Z', callsignWorked => '26AT5'),
    qso(%contact, qsoAt => '2026-07-01T10:00:00.000Z', callsignWorked => '14AT1'));
save($here, $mine, $both);
save($here, $own, $inside);
ok confirmed_at($here, $mine, $both), 'members of one club confirm each other as ever';

# The time stays when a partner in the club gives way to another club's, and the other way round, in one write.
{
    my @then = map { { %contact, qsoAt => "2026-07-0${_}T10:00:00.000Z" } } 2, 3;
    my ($changing) = my @changing = map { qso(%$_, callsignWorked => '26AT5') } @then;
    save($here, $own, map { qso(%$_, callsignWorked => '14AT1') } @then);
    save($here, $mine, @changing);
    save($there, $theirs, map { qso(%$_, callsignWorked => '14AT1') } @then);
    pull($here);
    my $since = confirmed_at($here, $mine, $changing);
    ok $since, 'a member here confirms a QSO';
    $here->sqlite('UPDATE qsos SET paired_at = paired_at - 1000 WHERE paired_at NOT NULL');
    $since = confirmed_at($here, $mine, $changing);
    save($here, $mine, { %$changing, callsignWorked => '14AT777' });
    is $here->sqlite("SELECT confirmed_by IS NULL, claim_id NOT NULL FROM qsos WHERE lower(hex(client_id)) = '"
        . $changing->{clientId} =~ s/-//gr . "'"), '1|1', 'an edit makes it one with a member of the other club';
    is confirmed_at($here, $mine, $changing), $since, 'it keeps the time of its first confirmation';
    save($here, $mine, $changing);
    is confirmed_at($here, $mine, $changing), $since, 'it keeps that time if the edit is taken back';
    is $here->sqlite("SELECT confirmed_by NOT NULL, claim_id IS NULL FROM qsos WHERE lower(hex(client_id)) = '"
        . $changing->{clientId} =~ s/-//gr . "'"), '1|1', 'a member here confirms it again';
    $here->delete_qso($_->{clientId}, key => $mine->{write_key}) for @changing;
}

# A rename there ends what was under the former callsign, and goes on under the new one.
$there->admin('member', 'rename', '14AT777', '14AT778');
pull($here, $there);
is confirmed_at($here, $mine, $qso), undef, 'a callsign that a member there has no more confirms nothing';
save($here, $mine, { %$qso, callsignWorked => '14AT778' });
pull($here, $there);
ok confirmed_at($here, $mine, $qso), 'the new one does';

# So does one here.
$here->admin('member', 'rename', '14AT1', '14AT8');
is confirmed_at($here, $mine, $qso), undef, 'a callsign that a member here has no more is confirmed no more';
$here->admin('member', 'rename', '14AT8', '14AT1');
ok confirmed_at($here, $mine, $qso), 'what was claimed about a callsign counts for the member who has it';

# The profile says who confirms, and takes a no.
{
    my $profile = QSOsync::Profile->log_in($here, '14AT1');
    my $log = $profile->get('qsos')->json;
    my ($place) = grep { $log->{items}[$_]{clientId} eq $qso->{clientId} } 0 .. $#{$log->{items}};
    is_deeply $log->{measures}[$place][2], { station => '14AT778', club => 'Club There' },
        'the profile says who confirms, and at which club';
    is_deeply [@{$profile->get('me')->json}{qw(claims peers)}], [JSON::PP::true(), ['Club There']],
        'it names the clubs with which there is an exchange';
    is $profile->post('claims', { claims => JSON::PP::false() })->status, 204, 'a member says no';
    is confirmed_at($here, $mine, $qso), undef, 'what other clubs had confirmed for him ends';
    pull($here, $there);
    is confirmed_at($there, $theirs, $other), undef, 'his QSOs are claimed nowhere';
    is $profile->post('claims', { claims => JSON::PP::true() })->status, 204, 'a member says yes again';
    pull($here, $there);
    ok confirmed_at($here, $mine, $qso), 'a yes brings all of it back';
    ok confirmed_at($there, $theirs, $other), 'on both sides';
}

# A callsign that becomes one of our members' is confirmed by nobody else.
{
    my $moving = $there->add_member('26AT61');
    my %then = (%contact, qsoAt => '2026-07-10T10:00:00.000Z');
    save($here, $mine, my $worked = qso(%then, callsignWorked => '26AT61'));
    save($there, $moving, qso(%then, callsignWorked => '14AT1'));
    pull($here, $there);
    my $since = confirmed_at($here, $mine, $worked);
    ok $since, 'another club confirms a QSO';
    for my $case (['added', 'add', '26-AT-61', '--locator', 'JO59'], ['renamed', 'rename', '26AT5', '26at61']) {
        my ($what, @command) = @$case;
        $here->admin('member', @command);
        is confirmed_at($here, $mine, $worked), undef, "that ends when a member with its callsign is $what here";
        is_deeply [@{peers($here)->[0]}{qw(notTaken notTakenStation)}], [1, '26AT61'], 'the list counts the claim';
        pull($here);
        is confirmed_at($here, $mine, $worked), undef, 'no visit brings it back';
        $here->admin('member', $what eq 'added' ? ('delete', '26-AT-61', '--yes') : ('rename', '26AT61', '26AT5'));
        pull($here);
        is confirmed_at($here, $mine, $worked), $since, 'it is confirmed again, since then, when the callsign is free';
    }
    $here->admin('member', 'add', '26AT61', '--locator', 'JO59');
    save($here, $mine, { %$worked, mode => undef });
    $here->admin('member', 'delete', '26AT61', '--yes');
    pull($here);
    cmp_ok confirmed_at($here, $mine, $worked), 'gt', $since, 'a QSO that was changed meanwhile has a new time';
    is $here->admin('check'), '', 'the logbook is whole';
    $there->admin('member', 'delete', '26AT61', '--yes');
}

# A card comes with a QSO of a member here, also if another club had confirmed before.
{
    my $profile = QSOsync::Profile->log_in($here, '14AT1');
    my $moving = $there->add_member('26AT6');
    my @mine = map { qso(%contact, qsoAt => "2026-08-0${_}T10:00:00.000Z", callsignWorked => '26AT6') } 1, 2;
    my @his = map { qso(%contact, qsoAt => $_->{qsoAt}, callsignWorked => '14AT1') } @mine;
    save($here, $mine, @mine);
    save($there, $moving, $his[0]);
    pull($here, $there);
    my $claimed = confirmed_at($here, $mine, $mine[0]);
    ok $claimed, 'another club confirms a QSO';
    my $time = $profile->get('cards')->json->{serverTime};
    is $profile->get("cards?since=$time")->json->{newer}, 0, 'nothing is new since the answer before';
    save($here, $here->add_member('26AT6'), @his);
    my $cards = $profile->get("cards?since=$time")->json;
    is $cards->{newer}, 2, 'a card is new when it comes, also if another club had confirmed its QSO';
    my ($card) = grep { $_->{qso}{clientId} eq $mine[0]{clientId} } @{$cards->{items}};
    is $card->{qso}{crossConfirmedAt}, $claimed, 'that QSO keeps its time';
    cmp_ok $card->{pairedAt}, 'gt', $time, 'a card says when it came';
    is $profile->get("cards?since=$cards->{serverTime}")->json->{newer}, 0, 'once seen, they are not new any more';
    $there->delete_qso($his[0]{clientId}, key => $moving->{write_key});
    pull($here, $there);
}

# The doctor says what is wrong with the exchange.
sub doctor { return ($here->admin_try('doctor'))[1] =~ s/^(?!.*\bpeers?\b).*\n//gmr }
like doctor(), qr/1 other club answered/, 'the doctor finds that the other club answers';
$here->sqlite("UPDATE peers SET asked_at = 1");
like doctor(), qr/the other clubs have not been queried for a day/, 'that nobody asks';
$here->sqlite("UPDATE peers SET address = 'http://127.0.0.1:1'");
my ($gone, undef, $reason) = $here->admin_try('peer', 'pull');
is $gone, 1, 'a club that is not there is a failure';
like $reason, qr/cannot be reached/, 'in one clear line';
like doctor(), qr/cannot be reached/, 'the doctor repeats the failure';
$here->sqlite("UPDATE peers SET address = 'http://127.evil.example:1'");
like +($here->admin_try('peer', 'pull'))[2], qr/ is not asked: without TLS/,
    'a peer that an older version took for this machine is asked nothing';
$here->sqlite("UPDATE peers SET address = '" . address($there) . "'");
pull($here);

# -- The end ---------------------------------------------------------------------------------------

$here->admin('peer', 'remove', name_of($there));
is confirmed_at($here, $mine, $qso), undef, 'with a peer goes every confirmation that rested on it';
is $here->sqlite('SELECT count(*) FROM claims'), 0, 'no claim of a removed peer is left';
is_deeply peers($here), [], 'the list has it no more';
my ($failed, undef, $why) = $there->admin_try('peer', 'pull');
is $failed, 1, 'a peer that was removed is told so';
like $why, qr/does not know our key/, 'in a clear line';
like peers($there)->[0]{failure}, qr/does not know our key/, 'the list keeps the failure';
is $here->admin('check'), '', 'the logbook is whole here';
is $there->admin('check'), '', 'the other logbook is whole';

# -- Codes -----------------------------------------------------------------------------------------

$there->admin('peer', 'remove', name_of($here));
chomp(my $first = $here->admin('peer', 'add', address($there)));
chomp(my $second = $here->admin('peer', 'add', address($there)));
is +($there->admin_try('peer', 'enter', $first))[0], 1, 'a newer code ends the one before';
$there->admin('peer', 'enter', $second);
$there->admin('peer', 'remove', name_of($here));
$here->admin('peer', 'remove', name_of($there));
is +($there->admin_try('peer', 'enter', $second))[0], 1, 'a code works once';
chomp(my $old = $here->admin('peer', 'add', address($there)));
$here->sqlite('UPDATE peer_codes SET expires_at = 1 WHERE used_at IS NULL');
is +($there->admin_try('peer', 'enter', $old))[0], 1, 'a code works for seven days';
chomp(my $wrong = $here->admin('peer', 'add', 'https://log.example.org'));
is +($there->admin_try('peer', 'enter', $wrong))[0], 1, 'a code works for the address that it was made for';
is +($here->admin_try('peer', 'add', $_))[0], 1, "without TLS no other machine is a peer: $_"
    for map({ "http://$_" } qw(log.example.org 127.evil.example localhost.evil.example [::1].evil.example
        127.0.0.1.evil.example 127.0.0.1@evil.example 128.0.0.1 [::ffff:127.0.0.1] 10.0.0.1)), 'ftp://127.0.0.1';
is +($here->admin_try('peer', 'add', $_))[0], 0, "this machine needs no TLS: $_"
    for map { "http://$_" } qw(127.0.0.2:81 127.1 0x7f.0.0.1 2130706433 localhost LOCALHOST:8080/club [::1]:8080);
is +($there->admin_try('peer', 'enter', "http://127.evil.example#" . 'a' x 43))[0], 1,
    'a code of another machine without TLS is refused';

# -- Restoring -------------------------------------------------------------------------------------

$here->sqlite('DELETE FROM peer_codes');
my $used = pair($here, $there);
pull($here, $there);
ok confirmed_at($here, $mine, $qso), 'two clubs that are paired again confirm each other again';
my $backup = $here->directory . '/backup.db';
$here->admin('backup', $backup);
$here->admin('peer', 'remove', name_of($there));
$here->admin('restore', $backup);
is_deeply peers($here), [], 'a backup brings no peer back that was removed since';
is confirmed_at($here, $mine, $qso), undef, 'a backup brings nothing back that a removed peer had confirmed';
$there->admin('peer', 'remove', name_of($here));
is +($there->admin_try('peer', 'enter', $used))[0], 1, 'a backup brings no used code back';
pair($here, $there);
pull($here, $there);
unlink $backup;
$here->admin('backup', $backup);
my $profile = QSOsync::Profile->log_in($here, '14AT1');
$profile->post('claims', { claims => JSON::PP::false() });
$here->admin('restore', $backup);
is confirmed_at($here, $mine, $qso), undef, 'a backup brings nothing back for a member who said no since';
$profile->post('claims', { claims => JSON::PP::true() });
pull($here, $there);
unlink $backup;
$there->admin('backup', $backup);
save($there, $theirs, qso(%contact, qsoAt => '2026-08-01T10:00:00.000Z', callsignWorked => '14AT1'));
save($here, $mine, my $after = qso(%contact, qsoAt => '2026-08-01T10:00:00.000Z', callsignWorked => '14AT778'));
pull($here, $there);
ok confirmed_at($here, $mine, $after), 'a QSO is confirmed';
$there->admin('restore', $backup);
pull($here, $there);
is confirmed_at($here, $mine, $after), undef, 'until a restore there takes its other side away';
ok confirmed_at($here, $mine, $qso), 'while what the backup has stays';
is $_->admin('check'), '', 'the logbooks are whole' for $here, $there;

# -- Logs that end ---------------------------------------------------------------------------------

{
    my $leaving = $here->add_member('14AT3');
    my %then = (%contact, qsoAt => '2026-09-01T10:00:00.000Z');
    save($there, $theirs, qso(%then, callsignWorked => '14AT3'));
    my @twice = map { qso(%then, callsignWorked => '14AT778') } 1, 2;
    save($here, $leaving, @twice);
    pull($here);
    my @free = grep { !confirmed_at($here, $leaving, $_) } @twice;
    is scalar(@free), 1, 'a peer confirms one of two equal QSOs';
    save($here, $leaving, { %{$free[0]}, notes => 'written last' });
    my $profile = QSOsync::Profile->log_in($here, '14AT3');
    is_deeply $profile->post('delete-log', { callsign => '14AT3' })->json, { deleted => 2 },
        'a log is deleted whole, also where its end moves a confirmation to another of its QSOs';
    save($here, $leaving, @twice);
    pull($here);
    $here->admin('backup', my $with = $here->directory . '/with.db');
    $here->admin('member', 'delete', '14AT3', '--yes');
    is $here->sqlite("SELECT count(*) FROM claims WHERE worked_key = '14AT3'"), 0,
        'with a member go the claims about him';
    $here->admin('restore', $with);
    is $here->sqlite("SELECT count(*) FROM members WHERE callsign = '14AT3'"), 0, 'no backup brings him back';
    is $here->admin('check'), '', 'the logbook is whole without him';
}

# -- Three clubs -----------------------------------------------------------------------------------

my $third = club('Club Third');
my $twice = $third->add_member('14AT778');
save($third, $twice, my $again = qso(%contact, callsignWorked => '14AT1'));
pair($_, $third) for $here, $there;
pull($here, $third, $there);
is_deeply [map { [@$_{qw(name notTaken notTakenStation)}] } @{peers($here)}],
    [[name_of($there), 0, undef], [name_of($third), 1, '14AT778']], 'a station is of the peer that had it first';
$here->admin('peer', 'remove', name_of($there));
is confirmed_at($here, $mine, $qso), undef, 'a confirmation ends with its peer';
pull($here, $third);
ok confirmed_at($here, $mine, $qso), 'then the station is the other peer\'s';
ok confirmed_at($third, $twice, $again), 'it is confirmed at the third club';
is $third->admin('check'), '', 'the logbook of the third club is whole';

$_->stop for $here, $there, $third;

done_testing;
