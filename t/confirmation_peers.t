use QSOsync::Test fronts => 'main';

# Two clubs with their own services confirm each other's QSOs.
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

# A code pairs two clubs.
my $code = pair($here, $there);
like $code, qr/\A\Qhttp:\/\/127.0.0.1:\E\d+#[0-9A-Za-z]{43}\z/, 'a code contains the address and a secret';
is_deeply [map { [@$_{qw(name club)}] } @{peers($here)}], [[name_of($there), 'Club There']],
    'the club that created the code has a peer';
is_deeply [map { [@$_{qw(name club)}] } @{peers($there)}], [[name_of($here), 'Club Here']],
    'the club that entered the code has a peer';
my ($status, undef, $said) = $there->admin_try('peer', 'enter', $code);
is $status, 1, 'a code cannot be entered twice';
is $here->sqlite("SELECT count(*) FROM peers WHERE hex(fingerprint) NOT NULL AND length(ask_key) = 61"), 1,
    "a club stores a key for the peer, and the fingerprint of the peer's key";

# Clubs confirm QSOs of their members.
my $qso = qso(%contact, callsignWorked => '14-AT-777');
my $other = qso(%contact, qsoAt => '2026-05-17T19:50:00.000Z', mode => 'LSB', callsignWorked => '14AT1',
    notes => 'secret');
save($here, $mine, $qso);
save($there, $theirs, $other);
pull($here, $there);
my $since = confirmed_at($here, $mine, $qso);
ok $since, 'a QSO that both clubs have is confirmed in the first club';
ok confirmed_at($there, $theirs, $other), 'a QSO in both clubs is confirmed in the second club';
my $member = QSOsync::Profile->log_in($here, '14AT1');
is_deeply [map { $member->get("statistics?confirmed=$_")->json->{qsos} } qw(yes no)], [1, 0],
    'statistics count a QSO that another club confirms as confirmed';
is_deeply [map { scalar @{$member->get("qsos?confirmed=$_")->json->{items}} } qw(yes no)], [1, 0],
    'Logbook lists a QSO that another club confirms among the confirmed QSOs';
my ($row) = @{peers($here)};
is_deeply [@$row{qw(claims confirmations failure)}], [1, 1, undef], 'the list of peers counts the claims of each peer';

save($there, $theirs, { %$other, notes => 'other' });
pull($here, $there);
is confirmed_at($here, $mine, $qso), $since, 'an unrelated edit keeps the time of the confirmation';
save($there, $theirs, { %$other, qsoAt => '2026-05-17T21:00:00.000Z' });
pull($here, $there);
is confirmed_at($here, $mine, $qso), undef, "a peer's edit that ends the match also ends the confirmation";
is confirmed_at($there, $theirs, $other), undef, "the peer's edit also ends the confirmation in the peer's club";
save($there, $theirs, $other);
pull($here, $there);
ok confirmed_at($here, $mine, $qso), 'reversing the edit confirms the QSO again';
$there->delete_qso($other->{clientId}, key => $theirs->{write_key});
pull($here, $there);
is confirmed_at($here, $mine, $qso), undef, 'deleting the QSO in the other club ends the confirmation';

# A club's answer contains only the fields that the question needs.
save($there, $theirs, $other, qso(%contact, callsignWorked => '26AT9'));
my $key = $here->sqlite('SELECT ask_key FROM peers');
my $question = { members => [{ callsign => '14at1', since => undef }], cursor => undef, limit => 500 };
my $answer = claims($there, $key, $question)->json;
is_deeply [map { [sort keys %$_] } @{$answer->{claims}}], [[sort qw(id station worked band channel modeFamily qsoAt)]],
    'a claim contains only the compared fields';
is_deeply [@{$answer->{claims}[0]}{qw(station worked band channel modeFamily qsoAt)}],
    ['14AT777', '14AT1', 'ELEVEN_METERS', undef, 'SSB', $other->{qsoAt}],
    "a peer gets only QSOs with the asking club's members";
is $answer->{nextCursor}, undef, "a peer's last page has no cursor";
ok $answer->{complete}, "an answer about a member's whole log is marked as complete";
my $later = { members => [{ callsign => '14AT1', since => $answer->{serverTime} }] };
is_deeply claims($there, $key, $later)->json->{claims}, [],
    'a request for changes since the last answer returns no claim';
is claims($there, $key, $question, headers => { Cookie => 'qsosync=x' })->status, 401,
    'a cookie does not authorise a peer';
is claims($there, $here->read_key, $question)->status, 401, 'an API key does not authorise a peer';
is claims($there, undef, $question)->status, 401, 'a request without a key is refused';
is claims($there, $key, { members => [map { { callsign => "1A$_" } } 1 .. 1001] })->status, 400,
    'a request about more than 1,000 members is refused';
is claims($there, $key, { %$question, limit => 501 })->status, 400, 'a request for more than 500 claims is refused';
is claims($there, $key, { %$question, cursor => 'x' })->status, 400, 'an unknown cursor is refused';

# With one claim per page, each claim is returned once, and all pages have the same time.
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
    is scalar(@ids), 6, 'each claim is returned once';
    is scalar(keys %times), 1, 'all pages have the time of the first page';
}

# Changes to members start and end confirmations.
pull($here, $there);
ok confirmed_at($here, $mine, $qso), 'a QSO that the peer saves again confirms again';
my $late = qso(%contact, callsignWorked => '14AT2');
save($there, $theirs, $late);
pull($here);
my $new = $here->add_member('14AT2');
my $his = qso(%contact, callsignWorked => '14AT777');
save($here, $new, $his);
pull($here, $there);
ok confirmed_at($here, $new, $his), "a new member's QSO is confirmed by an older QSO in the other club";
ok confirmed_at($there, $theirs, $late), "the older QSO in the other club is also confirmed";

my $own = $here->add_member('26AT5');
my ($both, $inside) = (qso(%contact, qsoAt => '2026-07-01T10:00:00.000Z', callsignWorked => '26AT5'),
    qso(%contact, qsoAt => '2026-07-01T10:00:00.000Z', callsignWorked => '14AT1'));
save($here, $mine, $both);
save($here, $own, $inside);
ok confirmed_at($here, $mine, $both), 'members of one club confirm each other without the peer';

# A confirmation keeps its time when one write moves it from a partner in the club to another club, and back.
{
    my @then = map { { %contact, qsoAt => "2026-07-0${_}T10:00:00.000Z" } } 2, 3;
    my ($changing) = my @changing = map { qso(%$_, callsignWorked => '26AT5') } @then;
    save($here, $own, map { qso(%$_, callsignWorked => '14AT1') } @then);
    save($here, $mine, @changing);
    save($there, $theirs, map { qso(%$_, callsignWorked => '14AT1') } @then);
    pull($here);
    my $since = confirmed_at($here, $mine, $changing);
    ok $since, 'a member of the same club confirms a QSO';
    $here->sqlite('UPDATE qsos SET paired_at = paired_at - 1000 WHERE paired_at NOT NULL');
    $since = confirmed_at($here, $mine, $changing);
    save($here, $mine, { %$changing, callsignWorked => '14AT777' });
    is $here->sqlite("SELECT confirmed_by IS NULL, claim_id NOT NULL FROM qsos WHERE lower(hex(client_id)) = '"
        . $changing->{clientId} =~ s/-//gr . "'"), '1|1',
        'an edit moves the confirmation to a member of the other club';
    is confirmed_at($here, $mine, $changing), $since, 'the moved confirmation keeps its first time';
    save($here, $mine, $changing);
    is confirmed_at($here, $mine, $changing), $since, 'undoing the edit keeps the time of the first confirmation';
    is $here->sqlite("SELECT confirmed_by NOT NULL, claim_id IS NULL FROM qsos WHERE lower(hex(client_id)) = '"
        . $changing->{clientId} =~ s/-//gr . "'"), '1|1', 'the member of the same club confirms the QSO again';
    $here->delete_qso($_->{clientId}, key => $mine->{write_key}) for @changing;
}

# A rename in the other club ends confirmations of the earlier callsign, and starts confirmations of the new callsign.
$there->admin('member', 'rename', '14AT777', '14AT778');
pull($here, $there);
is confirmed_at($here, $mine, $qso), undef, "a peer member's earlier callsign confirms nothing";
save($here, $mine, { %$qso, callsignWorked => '14AT778' });
pull($here, $there);
ok confirmed_at($here, $mine, $qso), "a peer member's new callsign confirms";

# A rename in this club has the same effect.
$here->admin('member', 'rename', '14AT1', '14AT8');
is confirmed_at($here, $mine, $qso), undef, "a member's earlier callsign is no longer confirmed";
$here->admin('member', 'rename', '14AT8', '14AT1');
ok confirmed_at($here, $mine, $qso), "claims about a callsign count for the callsign's new member";

# The profile names the confirming club, and lets the member decline.
{
    my $profile = QSOsync::Profile->log_in($here, '14AT1');
    my $log = $profile->get('qsos')->json;
    my ($place) = grep { $log->{items}[$_]{clientId} eq $qso->{clientId} } 0 .. $#{$log->{items}};
    is_deeply $log->{measures}[$place][2], { station => '14AT778', club => 'Club There' },
        'the profile names the confirming station and club';
    is_deeply [@{$profile->get('me')->json}{qw(claims peers)}], [JSON::PP::true(), ['Club There']],
        'the profile names the peers of the club';
    is $profile->post('claims', { claims => JSON::PP::false() })->status, 204,
        'a member can decline confirmations by other clubs';
    is confirmed_at($here, $mine, $qso), undef, 'declining ends confirmations by other clubs';
    pull($here, $there);
    is confirmed_at($there, $theirs, $other), undef, "no club gets a declining member's QSOs";
    is $profile->post('claims', { claims => JSON::PP::true() })->status, 204, 'a member can accept other clubs again';
    pull($here, $there);
    ok confirmed_at($here, $mine, $qso), 'accepting other clubs again restores a confirmation';
    ok confirmed_at($there, $theirs, $other), 'accepting other clubs again restores a confirmation in the other club';
}

# Other clubs cannot confirm a callsign that belongs to our member.
{
    my $moving = $there->add_member('26AT61');
    my %then = (%contact, qsoAt => '2026-07-10T10:00:00.000Z');
    save($here, $mine, my $worked = qso(%then, callsignWorked => '26AT61'));
    save($there, $moving, qso(%then, callsignWorked => '14AT1'));
    pull($here, $there);
    my $since = confirmed_at($here, $mine, $worked);
    ok $since, 'another club confirms a QSO with a callsign that belongs to no member here';
    for my $case (['added', 'add', '26-AT-61', '--locator', 'JO59'], ['renamed', 'rename', '26AT5', '26at61']) {
        my ($what, @command) = @$case;
        $here->admin('member', @command);
        is confirmed_at($here, $mine, $worked), undef,
            "a confirmation ends when a member of this club gets the confirming callsign ($what)";
        is_deeply [@{peers($here)->[0]}{qw(notTaken notTakenStation)}], [1, '26AT61'],
            'the list of peers counts the unused claim';
        pull($here);
        is confirmed_at($here, $mine, $worked), undef, "no visit confirms a claim under our own member's callsign";
        $here->admin('member', $what eq 'added' ? ('delete', '26-AT-61', '--yes') : ('rename', '26AT61', '26AT5'));
        pull($here);
        is confirmed_at($here, $mine, $worked), $since,
            'when the callsign is free, the claim confirms again with its first time';
    }
    $here->admin('member', 'add', '26AT61', '--locator', 'JO59');
    save($here, $mine, { %$worked, mode => undef });
    $here->admin('member', 'delete', '26AT61', '--yes');
    pull($here);
    cmp_ok confirmed_at($here, $mine, $worked), 'gt', $since,
        'the confirmation of a QSO changed in the meantime has a new time';
    is $here->admin('check'), '', 'the logbook passes the check after renames';
    $there->admin('member', 'delete', '26AT61', '--yes');
}

# A card arrives with a QSO of our member, even if another club has already confirmed the QSO.
{
    my $profile = QSOsync::Profile->log_in($here, '14AT1');
    my $moving = $there->add_member('26AT6');
    my @mine = map { qso(%contact, qsoAt => "2026-08-0${_}T10:00:00.000Z", callsignWorked => '26AT6') } 1, 2;
    my @his = map { qso(%contact, qsoAt => $_->{qsoAt}, callsignWorked => '14AT1') } @mine;
    save($here, $mine, @mine);
    save($there, $moving, $his[0]);
    pull($here, $there);
    my $claimed = confirmed_at($here, $mine, $mine[0]);
    ok $claimed, 'a QSO in another club confirms a QSO with a member of that club';
    my $time = $profile->get('cards')->json->{serverTime};
    is $profile->get("cards?since=$time")->json->{newer}, 0, 'no card is new since the last answer';
    save($here, $here->add_member('26AT6'), @his);
    my $cards = $profile->get("cards?since=$time")->json;
    is $cards->{newer}, 2, 'a card is new on its arrival, even for a confirmed QSO';
    my ($card) = grep { $_->{qso}{clientId} eq $mine[0]{clientId} } @{$cards->{items}};
    is $card->{qso}{crossConfirmedAt}, $claimed, "a card's QSO keeps the time of its first confirmation";
    cmp_ok $card->{pairedAt}, 'gt', $time, 'a card has the time of its arrival';
    is $profile->get("cards?since=$cards->{serverTime}")->json->{newer}, 0,
        'a card in the last answer is no longer new';
    $there->delete_qso($his[0]{clientId}, key => $moving->{write_key});
    pull($here, $there);
}

# The doctor reports faults of the exchange.
sub doctor { return ($here->admin_try('doctor'))[1] =~ s/^(?!.*\bpeers?\b).*\n//gmr }
like doctor(), qr/1 other club answered/, 'the doctor reports that the other club answers';
$here->sqlite("UPDATE peers SET asked_at = 1");
like doctor(), qr/the other clubs have not been queried for a day/,
    'the doctor reports that no peer has been asked in the last day';
$here->sqlite("UPDATE peers SET address = 'http://127.0.0.1:1'");
my ($gone, undef, $reason) = $here->admin_try('peer', 'pull');
is $gone, 1, 'a visit to an unreachable peer fails';
like $reason, qr/cannot be reached/, 'a failed visit prints its reason';
like doctor(), qr/cannot be reached/, 'the doctor also reports a failed visit';
$here->sqlite("UPDATE peers SET address = 'http://127.evil.example:1'");
like +($here->admin_try('peer', 'pull'))[2], qr/ is not queried, because others could read our key without TLS/,
    'a peer with a misleading loopback name is not asked';
$here->sqlite("UPDATE peers SET address = '" . address($there) . "'");
pull($here);

$here->admin('peer', 'remove', name_of($there));
is confirmed_at($here, $mine, $qso), undef, 'removing a peer ends the confirmations by the peer';
is $here->sqlite('SELECT count(*) FROM claims'), 0, "removing a peer deletes the peer's claims";
is_deeply peers($here), [], 'a removed peer is not listed';
my ($failed, undef, $why) = $there->admin_try('peer', 'pull');
is $failed, 1, 'a visit by a removed peer fails';
like $why, qr/rejects our key/, 'the message states that the peer was removed';
like peers($there)->[0]{failure}, qr/rejects our key/, 'the list of peers shows the failure';
is $here->admin('check'), '', "the club's logbook passes the check after the removal";
is $there->admin('check'), '', "the peer's logbook passes the check after the removal";

# A code works once, and only the newest code works.
$there->admin('peer', 'remove', name_of($here));
chomp(my $first = $here->admin('peer', 'add', address($there)));
chomp(my $second = $here->admin('peer', 'add', address($there)));
is +($there->admin_try('peer', 'enter', $first))[0], 1, 'a newer code replaces the earlier code';
$there->admin('peer', 'enter', $second);
$there->admin('peer', 'remove', name_of($here));
$here->admin('peer', 'remove', name_of($there));
is +($there->admin_try('peer', 'enter', $second))[0], 1, 'a code works only once';
chomp(my $old = $here->admin('peer', 'add', address($there)));
$here->sqlite('UPDATE peer_codes SET expires_at = 1 WHERE used_at IS NULL');
is +($there->admin_try('peer', 'enter', $old))[0], 1, 'an expired code does not work';
chomp(my $wrong = $here->admin('peer', 'add', 'https://log.example.org'));
is +($there->admin_try('peer', 'enter', $wrong))[0], 1,
    'a code works only at the address for which the code was created';
is +($here->admin_try('peer', 'add', $_))[0], 1, "a peer on another machine needs TLS: $_"
    for map({ "http://$_" } qw(log.example.org 127.evil.example localhost.evil.example [::1].evil.example
        127.0.0.1.evil.example 127.0.0.1@evil.example 128.0.0.1 [::ffff:127.0.0.1] 10.0.0.1)), 'ftp://127.0.0.1';
is +($here->admin_try('peer', 'add', $_))[0], 0, "a peer on this machine needs no TLS: $_"
    for map { "http://$_" } qw(127.0.0.2:81 127.1 0x7f.0.0.1 2130706433 localhost LOCALHOST:8080/club [::1]:8080);
is +($there->admin_try('peer', 'enter', "http://127.evil.example#" . 'a' x 43))[0], 1,
    'a code from another machine without TLS is refused';

# A restored logbook continues the exchange.
$here->sqlite('DELETE FROM peer_codes');
my $used = pair($here, $there);
pull($here, $there);
ok confirmed_at($here, $mine, $qso), 'two clubs paired again confirm each other again';
my $backup = $here->directory . '/backup.db';
$here->admin('backup', $backup);
$here->admin('peer', 'remove', name_of($there));
$here->admin('restore', $backup);
is_deeply peers($here), [], 'a restore does not revive a removed peer';
is confirmed_at($here, $mine, $qso), undef, 'a restore does not revive confirmations by a removed peer';
$there->admin('peer', 'remove', name_of($here));
is +($there->admin_try('peer', 'enter', $used))[0], 1, 'a restore does not revive a used code';
pair($here, $there);
pull($here, $there);
unlink $backup;
$here->admin('backup', $backup);
my $profile = QSOsync::Profile->log_in($here, '14AT1');
$profile->post('claims', { claims => JSON::PP::false() });
$here->admin('restore', $backup);
is confirmed_at($here, $mine, $qso), undef, 'a restore does not revive confirmations that a member declined';
$profile->post('claims', { claims => JSON::PP::true() });
pull($here, $there);
unlink $backup;
$there->admin('backup', $backup);
save($there, $theirs, qso(%contact, qsoAt => '2026-08-01T10:00:00.000Z', callsignWorked => '14AT1'));
save($here, $mine, my $after = qso(%contact, qsoAt => '2026-08-01T10:00:00.000Z', callsignWorked => '14AT778'));
pull($here, $there);
ok confirmed_at($here, $mine, $after), "a peer's QSO that is newer than the backup confirms before the restore";
$there->admin('restore', $backup);
pull($here, $there);
is confirmed_at($here, $mine, $after), undef, "a restore that loses the peer's QSO ends the confirmation";
ok confirmed_at($here, $mine, $qso), 'QSOs in the backup stay confirmed';
is $_->admin('check'), '', 'both logbooks pass the check after restores' for $here, $there;

# Deleting a log ends its confirmations in the other club.
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
        'a whole log is deleted, even if a confirmation moves within the log';
    save($here, $leaving, @twice);
    pull($here);
    $here->admin('backup', my $with = $here->directory . '/with.db');
    $here->admin('member', 'delete', '14AT3', '--yes');
    is $here->sqlite("SELECT count(*) FROM claims WHERE worked_key = '14AT3'"), 0,
        'deleting a member deletes the claims';
    $here->admin('restore', $with);
    is $here->sqlite("SELECT count(*) FROM members WHERE callsign = '14AT3'"), 0,
        'a restore does not revive a deleted member';
    is $here->admin('check'), '', 'the logbook passes the check without the member';
}

# Two clubs can confirm QSOs of the same member.
my $third = club('Club Third');
my $twice = $third->add_member('14AT778');
save($third, $twice, my $again = qso(%contact, callsignWorked => '14AT1'));
pair($_, $third) for $here, $there;
pull($here, $third, $there);
is_deeply [map { [@$_{qw(name notTaken notTakenStation)}] } @{peers($here)}],
    [[name_of($there), 0, undef], [name_of($third), 1, '14AT778']],
    'if two peers have claims from one station, the first peer confirms';
$here->admin('peer', 'remove', name_of($there));
is confirmed_at($here, $mine, $qso), undef, 'removing the confirming peer ends a confirmation';
pull($here, $third);
ok confirmed_at($here, $mine, $qso), 'after the first peer is removed, another peer can confirm the station';
ok confirmed_at($third, $twice, $again), 'the QSO is confirmed at the third club';
is $third->admin('check'), '', "the third club's logbook passes the check";

$_->stop for $here, $there, $third;

done_testing;
