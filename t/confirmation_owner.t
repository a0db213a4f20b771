use QSOsync::Test fronts => 'nginx';

# A member's callsign belongs only to that member. Nobody else can use the callsign to confirm a QSO or to learn of a
# QSO.
my $service = QSOsync::Service->start;
my $bram = $service->add_member('26AT101');
my $carl = $service->add_member('13HN888');
my $at = '2026-05-17T19:42:00.000Z';

# Saves a QSO with a member's key (undef: 21SD333), and returns the QSO.
sub save {
    my ($member, %fields) = @_;
    my $qso = qso(qsoAt => $at, %fields);
    my $result = $service->post_batch([$qso], $member ? (key => $member->{write_key}) : ())->json->{results}[0];
    $result->{id} or die 'not saved';
    return $qso;
}
sub is_confirmed {
    my ($member, $qso, $expected, $name) = @_;
    my ($stored) = grep { $_->{clientId} eq $qso->{clientId} }
        $service->download($member ? (key => $member->{read_key}) : ());
    is defined $stored->{crossConfirmedAt} ? 1 : 0, $expected, $name;
}
sub again { my ($member, $qso) = @_; $service->post_batch([$qso], $member ? (key => $member->{write_key}) : ()) }

my $mine = save(undef, callsignWorked => '26AT101');
my $forged = save($carl, operatorCallsign => '26-at-101', callsignWorked => '21SD333');
is_confirmed($carl, $forged, 0,
    "a QSO with another member's callsign as operatorCallsign is not confirmed");
is_confirmed(undef, $mine, 0, "a QSO with another member's callsign confirms no QSO with that member");
again(undef, $mine);
is_confirmed(undef, $mine, 0, "a QSO with another member's callsign confirms no QSO that is written later");
my $true = save($bram, callsignWorked => '21SD333');
is_confirmed(undef, $mine, 1, "the callsign's own member confirms the QSO");
is_confirmed($bram, $true, 1, "the owner's QSO is also confirmed");

$mine = save(undef, callsignWorked => '26AT101', qsoAt => '2026-05-18T08:00:00Z');
$true = save($bram, operatorCallsign => '26-AT-101', callsignWorked => '21SD333', qsoAt => '2026-05-18T08:00:00Z');
is_confirmed(undef, $mine, 1, "a QSO with the member's own callsign as operatorCallsign confirms a QSO");

# A callsign without a member belongs to nobody until a member gets it.
my $free = save(undef, callsignWorked => '1QQ1', qsoAt => '2026-05-19T08:00:00Z');
my $guest = save($carl, operatorCallsign => '1QQ1', callsignWorked => '21SD333', qsoAt => '2026-05-19T08:00:00Z');
my $later = save($carl, operatorCallsign => '1QQ1', callsignWorked => '21SD333', qsoAt => '2026-05-20T08:00:00Z');
is_confirmed(undef, $free, 1, 'any member may use a callsign without a member');
my $dora = $service->add_member('1QQ1');
is_confirmed(undef, $free, 1, 'adding a member with that callsign keeps an existing pair');
my $late = save(undef, callsignWorked => '1QQ1', qsoAt => '2026-05-20T08:00:00Z');
is_confirmed(undef, $late, 0, "other members' QSOs under that callsign no longer confirm");
again(undef, $free);
is_confirmed(undef, $free, 0, 'an existing pair ends at the next write to one side');
is_confirmed($carl, $guest, 0, 'an existing pair ends on both sides');
save($dora, callsignWorked => '21SD333', qsoAt => '2026-05-20T08:00:00Z');
is_confirmed(undef, $late, 1, "the new member's QSO confirms a QSO with the new member's callsign");

# Callsigns that differ only in spelling belong to one member.
for my $callsign ('21-SD-333', '21 sd 333', '21.SD333') {
    my ($status, undef, $errors) = $service->admin_try('member', 'add', $callsign, '--locator', 'JO59', '--login',
        'new');
    is $status, 1, "a second member cannot be added as $callsign";
    like $errors, qr/member 21SD333 already exists/, "the error names the existing member for $callsign";
}
my ($status) = $service->admin_try('member', 'rename', '13HN888', '21-SD-333');
is $status, 1, 'a member cannot be renamed to another spelling of an existing callsign';
is $service->admin('check'), '', 'the logbook passes the check after renames';

done_testing;
