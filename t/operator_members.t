use QSOsync::Test fronts => 'nginx';
use JSON::PP ();
use QSOsync::Profile;
use QSOsync::QrCode;

# An operator changes members on the page. Each act is logged with its operator.
my $service = QSOsync::Service->start(site => 4);
my $hostile = '<b>=1+1</b>';
my $theirs = $service->add_member('26AT101');
$service->add_member($_) for '13TH101', '19PA101', $hostile;
$service->post_batch([map { qso() } 1 .. 3], key => $theirs->{write_key});
my $operator = QSOsync::Operator->with_role($service, '21SD333');
my ($on, $off) = (JSON::PP::true(), JSON::PP::false());

sub told { my ($answer) = @_; join ' ', $answer->status, $answer->code // '' }
# Returns the acts of operators on the page, newest first.
sub acts {
    map { "$_->{operator} $_->{act} $_->{subject}" } grep { $_->{operator} } @{$operator->get('log')->json->{items}};
}

# The list contains each member.
my $list = $operator->get('members')->json;
is_deeply [map { $_->{callsign} } @{$list->{items}}], [qw(13TH101 19PA101 21SD333 26AT101), uc $hostile],
    'the list contains all members, sorted by callsign';
my $row = $operator->member('26AT101');
is_deeply [@$row{qw(qsos activeKeys active operator hasPassword)}], [3, 2, $on, $off, $off],
    'a row has the counts of QSOs and keys, and three flags';
like $row->{lastUsedOn}, qr/\A\d{4}-\d\d-\d\d\z/, 'a row has the day of the last use';
is $operator->member('13TH101')->{lastUsedOn}, undef, 'a member who never used the service has no day of last use';
is_deeply [map { $_->{callsign} } @{$operator->get("members?search=$_->[0]")->json->{items}}], $_->[1],
    "a search for $_->[0] finds the expected members"
        for ['at-1', ['26AT101']], ['26', ['26AT101']], ['101', [qw(13TH101 19PA101 26AT101)]], ['x9', []];
is_deeply [map { $_->{callsign} } @{$operator->get("members?group=$_->[0]")->json->{items}}], $_->[1],
    "the group $_->[0] has the expected members"
    for ['operators', ['21SD333']], ['disabled', []], ['unused', ['13TH101', '19PA101', uc $hostile]];
is $operator->get("members?$_")->status, 400, "a list with $_ is refused"
    for 'group=x', 'limit=0', 'limit=201', 'limit=x', 'afterNumber=x', 'search=' . 'x' x 21, 'search=a&search=b';
my ($first, $second) = map { $_->json } $operator->get('members?limit=2'),
    $operator->get("members?limit=3&after=19PA101&afterNumber=" . $operator->member('19PA101')->{number});
is_deeply [map { $_->{callsign} } @{$first->{items}}, @{$second->{items}}], [map { $_->{callsign} } @{$list->{items}}],
    'the second page has the remaining members';
is_deeply [$first->{more}, $second->{more}], [$on, $off], 'each page states whether more members follow';
unlike $operator->get('members')->body, qr/26AT101.*frequency|qsoAt/, 'the list contains no QSO';
my $table = $operator->get('members.csv');
is $table->header('Content-Disposition'), 'attachment; filename="qsosync-members.csv"',
    'a browser saves the list as a file';
my @lines = split /\r\n/, $table->body;
is scalar @lines, 6, 'the table has one line per member, after the line of column names';
like $table->body, qr/^26AT101,JO59jw,26at101,yes,no,3,2,\d{4}-\d\d-\d\d,\d{4}-\d\d-\d\d,no,\r$/m,
    'a line in the table has the values from the list';
$service->admin('member', 'add', '=1+1', '--locator', 'JO59');
like $operator->get('members.csv')->body, qr/^'=1\+1,/m,
    'the table contains no formula that a spreadsheet would calculate';

# An operator changes members.
is $operator->act('26AT101', 'locator', { locator => 'io91WM' })->status, 204,
    "an operator can change a member's locator";
is $operator->member('26AT101')->{locator}, 'IO91wm', 'a locator is stored in its normal form';
is told($operator->act('26AT101', 'locator', { locator => $_ })), '400 VALIDATION.FAILED',
    "'$_' is refused as a locator"
    for '', 'x', 'JO5', 'JO59jwx';
is $operator->act('13TH101', 'rename', { callsign => ' 13th102 ' })->status, 204,
    "an operator can change a member's callsign";
is $operator->member('13TH102')->{locator}, 'JO59jw', 'a renamed member keeps the locator';
is told($operator->act('13TH102', 'rename', { callsign => $_ })), '409 OPERATOR.CALLSIGN_TAKEN',
    "another member's callsign is refused ($_)"
    for '26AT101', '26-at-101';
is told($operator->act('13TH102', 'rename', { callsign => $_ })), '400 VALIDATION.FAILED',
    "'$_' is refused as a callsign" for '', 'x' x 21,
    "a\nb";
is $operator->act('26AT101', 'disable')->status, 204, 'an operator can disable a member';
is $service->get('/me', key => $theirs->{write_key})->status, 401, "a disabled member's keys stop working";
is $operator->act('26AT101', 'enable')->status, 204, 'an operator can enable a member';
is $service->get('/me', key => $theirs->{write_key})->status, 200, "an enabled member's keys work again";
is told($operator->post("members/$_/disable")), '404 GENERIC.NOT_FOUND',
    "disabling member $_, who does not exist, gives 404" for 0, 999, 'x';
is_deeply [(acts())[0 .. 4]], ['21SD333 member enable 26AT101', '21SD333 member disable 26AT101',
    '21SD333 member rename 13TH101', '21SD333 member set 26AT101', (acts())[4]], 'each act is logged with its operator';

# An operator invites members.
my $invited = $operator->act('26AT101', 'invite')->json;
like $invited->{link}, qr{\Ahttp://127\.0\.0\.1:\d+/welcome/\#qsosyncin_[0-9A-Za-z]{49}\z}, 'an invitation is a link';
is QSOsync::QrCode::text_of(QSOsync::QrCode::rows_of_path(@{$invited->{qr}}{qw(path size)})), $invited->{link},
    'the QR code of an invitation contains its link';
my $end = $operator->member('26AT101')->{invitedUntil};
ok $end ge $invited->{expiresAt} && $end lt iso_time(time + 7 * 86_400 + 60),
    'the list contains the time at which an invitation expires'
    or diag "$end, but the invitation says $invited->{expiresAt}";
my ($secret) = $invited->{link} =~ /#(.*)/;
is index($service->sqlite('SELECT hex(fingerprint) FROM sign_in_links'), $secret), -1,
    "the stored fingerprint does not contain the invitation's secret";
my ($several) = $operator->post('invitations', { list => "26AT101\r\n\n 13th102\n" })->json;
is_deeply [map { $_->{callsign} } @{$several->{items}}], ['26AT101', '13TH102'],
    'an operator can invite several members at once';
like $several->{csv}, qr/\Acallsign,link\r\n26AT101,http\S+\r\n13TH102,http\S+\r\n\z/,
    'invitations for several members include a table';
isnt $several->{items}[0]{link}, $invited->{link}, 'a new invitation has another link';
is told($operator->post('invitations', { list => "26AT101\nNOBODY" })), '404 GENERIC.NOT_FOUND',
    'an unknown member cannot be invited';
$operator->act('13TH102', 'disable');
is told($operator->act('13TH102', 'invite')), '409 OPERATOR.DISABLED', 'a disabled member cannot be invited';
is told($operator->post('invitations', { list => '13TH102' })), '409 OPERATOR.DISABLED',
    'a disabled member cannot be invited in a list';

# An operator signs out a member's browsers.
my $member = QSOsync::Operator->log_in($service, '26AT101');
my $devices = $operator->get('members/' . $operator->member('26AT101')->{number} . '/devices')->json->{items};
cmp_ok scalar @$devices, '>=', 1, "an operator can list a member's browsers";
is $operator->act('26AT101', "devices/$devices->[0]{number}/sign-out")->status, 204,
    "an operator can sign out one of a member's browsers";
is told($operator->act('19PA101', "devices/$devices->[0]{number}/sign-out")), '404 GENERIC.NOT_FOUND',
    "a browser cannot be signed out through another member";
$member = QSOsync::Operator->log_in($service, '26AT101');
is $operator->act('26AT101', 'sign-out')->status, 204, "an operator can sign out all of a member's browsers";
is told($member->get('me')), '401 SIGN_IN.REQUIRED', 'a signed-out browser is refused';
is $operator->act('21SD333', 'sign-out')->status, 204, 'operators can sign out their other browsers';
is told($operator->get('me')), '200 ', "an operator's current browser stays signed in";

# An operator removes a member's card.
is told($operator->act('26AT101', 'remove-card')), '409 OPERATOR.NO_CARD', 'a missing card cannot be removed';
$member = QSOsync::Operator->log_in($service, '26AT101');
is QSOsync::Profile::request($member, 'PUT', 'card', json => { lines => ['Hello'] },
    headers => { 'Sec-Fetch-Site' => 'same-origin' })->status, 204, 'a member can create a QSL card';
is $operator->act('26AT101', 'remove-card')->status, 204, "an operator can remove a member's card";
is $service->sqlite('SELECT count(*) FROM cards WHERE content IS NOT NULL'), 0,
    'removing a card deletes the content of the card';
is +(acts())[0], '21SD333 card remove 26AT101', 'the removal of a card is logged';

# An operator can end a membership.
is told($operator->act('26AT101', 'export')), '409 OPERATOR.STILL_ACTIVE', "an active member's data cannot be exported";
is told($operator->act('26AT101', 'delete', { callsign => '26AT101' })), '409 OPERATOR.STILL_ACTIVE',
    'an active member cannot be deleted';
$operator->act('26AT101', 'disable');
my $everything = $operator->act('26AT101', 'export');
is $everything->json->{qsoCount}, 3, "all data about a disabled member can be exported as a file";
is +(acts())[0], '21SD333 member export 26AT101', 'the export is logged';
is told($operator->act('26AT101', 'delete', $_)), '400 VALIDATION.FAILED',
    'a deletion without the right callsign is refused'
    for {}, { callsign => '26AT102' };
is $operator->act('26AT101', 'delete', { callsign => '26at101' })->status, 204, 'an operator can delete a member';
is $operator->member('26AT101'), undef, 'a deleted member is not in the list';
is $service->sqlite('SELECT count(*) FROM qsos'), 0, 'deleting a member deletes their log';
is +(acts())[0], '21SD333 member delete 26AT101', 'the deletion is logged';
is told($operator->act('21SD333', $_, { callsign => '21SD333', new => $on })), '409 OPERATOR.OWN_MEMBERSHIP',
    "operators cannot $_ themselves"
    for 'disable', 'delete', 'invite';
$service->stop;

done_testing;
