use QSOsync::Test fronts => 'nginx';
use JSON::PP ();
use QSOsync::Operator;
use QSOsync::QrCode;

# What an operator does to members, and that each act is noted with who did it.
my $service = QSOsync::Service->start(site => 2);
my $hostile = '<b>=1+1</b>';
my $theirs = $service->add_member('26AT101');
$service->add_member($_) for '13TH101', '19PA101', $hostile;
$service->post_batch([map { qso() } 1 .. 3], key => $theirs->{write_key});
my $operator = QSOsync::Operator->with_role($service, '21SD333');
my ($on, $off) = (JSON::PP::true(), JSON::PP::false());

sub told { my ($answer) = @_; join ' ', $answer->status, $answer->code // '' }
# By operators who were signed in, newest first.
sub acts {
    map { "$_->{operator} $_->{act} $_->{subject}" } grep { $_->{operator} } @{$operator->get('log')->json->{items}};
}

# The list.
my $list = $operator->get('members')->json;
is_deeply [map { $_->{callsign} } @{$list->{items}}], [qw(13TH101 19PA101 21SD333 26AT101), uc $hostile],
    'the list has all members by callsign';
my $row = $operator->member('26AT101');
is_deeply [@$row{qw(qsos activeKeys active operator hasPassword)}], [3, 2, $on, $off, $off],
    'a row counts QSOs and keys';
like $row->{lastUsedOn}, qr/\A\d{4}-\d\d-\d\d\z/, 'a row has the day of the last use';
is $operator->member('13TH101')->{lastUsedOn}, undef, 'a member who was never here has no day of last use';
is_deeply [map { $_->{callsign} } @{$operator->get("members?search=$_->[0]")->json->{items}}], $_->[1],
    "a search for $_->[0]"
        for ['at-1', ['26AT101']], ['26', ['26AT101']], ['101', [qw(13TH101 19PA101 26AT101)]], ['x9', []];
is_deeply [map { $_->{callsign} } @{$operator->get("members?group=$_->[0]")->json->{items}}], $_->[1],
    "the group $_->[0]"
    for ['operators', ['21SD333']], ['disabled', []], ['unused', ['13TH101', '19PA101', uc $hostile]];
is $operator->get("members?$_")->status, 400, "a list of $_ is refused"
    for 'group=x', 'limit=0', 'limit=201', 'limit=x', 'afterNumber=x', 'search=' . 'x' x 21, 'search=a&search=b';
my ($first, $second) = map { $_->json } $operator->get('members?limit=2'),
    $operator->get("members?limit=3&after=19PA101&afterNumber=" . $operator->member('19PA101')->{number});
is_deeply [map { $_->{callsign} } @{$first->{items}}, @{$second->{items}}], [map { $_->{callsign} } @{$list->{items}}],
    'a page follows another';
is_deeply [$first->{more}, $second->{more}], [$on, $off], 'each page tells whether more follow';
unlike $operator->get('members')->body, qr/26AT101.*frequency|qsoAt/, 'no QSO is in the list';
my $table = $operator->get('members.csv');
is $table->header('Content-Disposition'), 'attachment; filename="qsosync-members.csv"',
    'a browser saves the list as a file';
my @lines = split /\r\n/, $table->body;
is scalar @lines, 6, 'the file has a line for each member, below the names';
like $table->body, qr/^26AT101,JO59jw,26at101,yes,no,3,2,\d{4}-\d\d-\d\d,\d{4}-\d\d-\d\d,no,\r$/m,
    'a line of the file has all that the list has';
$service->admin('member', 'add', '=1+1', '--locator', 'JO59');
like $operator->get('members.csv')->body, qr/^'=1\+1,/m, 'the file holds nothing that a spreadsheet would calculate';

# Changes.
is $operator->act('26AT101', 'locator', { locator => 'io91WM' })->status, 204, 'a member gets another locator';
is $operator->member('26AT101')->{locator}, 'IO91wm', 'a locator is kept in its normal form';
is told($operator->act('26AT101', 'locator', { locator => $_ })), '400 VALIDATION.FAILED', "'$_' is no locator"
    for '', 'x', 'JO5', 'JO59jwx';
is $operator->act('13TH101', 'rename', { callsign => ' 13th102 ' })->status, 204, 'a member gets another callsign';
is $operator->member('13TH102')->{locator}, 'JO59jw', 'a renamed member stays the same';
is told($operator->act('13TH102', 'rename', { callsign => $_ })), '409 OPERATOR.CALLSIGN_TAKEN',
    "the callsign of another member is refused ($_)"
    for '26AT101', '26-at-101';
is told($operator->act('13TH102', 'rename', { callsign => $_ })), '400 VALIDATION.FAILED',
    "'$_' is no callsign" for '', 'x' x 21,
    "a\nb";
is $operator->act('26AT101', 'disable')->status, 204, 'a member is disabled';
is $service->get('/me', key => $theirs->{write_key})->status, 401, 'the keys of a disabled member stop working';
is $operator->act('26AT101', 'enable')->status, 204, 'a member is enabled';
is $service->get('/me', key => $theirs->{write_key})->status, 200, 'the keys of an enabled member work again';
is told($operator->post("members/$_/disable")), '404 GENERIC.NOT_FOUND', "there is no member $_" for 0, 999, 'x';
is_deeply [(acts())[0 .. 4]], ['21SD333 member enable 26AT101', '21SD333 member disable 26AT101',
    '21SD333 member rename 13TH101', '21SD333 member set 26AT101', (acts())[4]], 'each act is noted with who did it';

# Invitations.
my $invited = $operator->act('26AT101', 'invite')->json;
like $invited->{link}, qr{\Ahttp://127\.0\.0\.1:\d+/welcome/\#qsosyncin_[0-9A-Za-z]{49}\z}, 'an invitation is a link';
is QSOsync::QrCode::text_of(QSOsync::QrCode::rows_of_path(@{$invited->{qr}}{qw(path size)})), $invited->{link},
    'the QR code of an invitation holds its link';
is $operator->member('26AT101')->{invitedUntil}, $invited->{expiresAt} =~ s/\d\d\.\d{3}Z/xx/r
    ? $operator->member('26AT101')->{invitedUntil} : '', 'the list tells until when';
my ($secret) = $invited->{link} =~ /#(.*)/;
is index($service->sqlite('SELECT hex(fingerprint) FROM sign_in_links'), $secret), -1,
    'the link itself is kept nowhere';
my ($several) = $operator->post('invitations', { list => "26AT101\r\n\n 13th102\n" })->json;
is_deeply [map { $_->{callsign} } @{$several->{items}}], ['26AT101', '13TH102'], 'several are invited at once';
like $several->{csv}, qr/\Acallsign,link\r\n26AT101,http\S+\r\n13TH102,http\S+\r\n\z/,
    'several invitations come as a list to save';
isnt $several->{items}[0]{link}, $invited->{link}, 'a new invitation takes the place of the former one';
is told($operator->post('invitations', { list => "26AT101\nNOBODY" })), '404 GENERIC.NOT_FOUND',
    'one who is no member is not invited';
$operator->act('13TH102', 'disable');
is told($operator->act('13TH102', 'invite')), '409 OPERATOR.DISABLED', 'one who is disabled is not invited';
is told($operator->post('invitations', { list => '13TH102' })), '409 OPERATOR.DISABLED',
    'one who is disabled is invited in no list either';

# Browsers.
my $member = QSOsync::Operator->log_in($service, '26AT101');
my $devices = $operator->get('members/' . $operator->member('26AT101')->{number} . '/devices')->json->{items};
cmp_ok scalar @$devices, '>=', 1, 'an operator sees where a member is signed in';
is $operator->act('26AT101', "devices/$devices->[0]{number}/sign-out")->status, 204,
    'an operator signs a browser of a member out';
is told($operator->act('19PA101', "devices/$devices->[0]{number}/sign-out")), '404 GENERIC.NOT_FOUND',
    'a browser is signed out once, and of its member alone';
$member = QSOsync::Operator->log_in($service, '26AT101');
is $operator->act('26AT101', 'sign-out')->status, 204, 'an operator signs all browsers of a member out';
is told($member->get('me')), '401 SIGN_IN.REQUIRED', 'a browser that was signed out is outside';
is $operator->act('21SD333', 'sign-out')->status, 204, 'operators sign out their other browsers';
is told($operator->get('me')), '200 ', 'operators keep the browser that they use';

# The end of a membership.
is told($operator->act('26AT101', 'export')), '409 OPERATOR.STILL_ACTIVE', 'what an active member logged is not read';
is told($operator->act('26AT101', 'delete', { callsign => '26AT101' })), '409 OPERATOR.STILL_ACTIVE',
    'an active member is not deleted';
$operator->act('26AT101', 'disable');
my $everything = $operator->act('26AT101', 'export');
is $everything->json->{qsoCount}, 3, 'of a disabled member everything is one file';
is +(acts())[0], '21SD333 member export 26AT101', 'the export is noted';
is told($operator->act('26AT101', 'delete', $_)), '400 VALIDATION.FAILED', 'the callsign has to be typed'
    for {}, { callsign => '26AT102' };
is $operator->act('26AT101', 'delete', { callsign => '26at101' })->status, 204, 'a member is deleted';
is $operator->member('26AT101'), undef, 'a deleted member is in no list';
is $service->sqlite('SELECT count(*) FROM qsos'), 0, 'the log of a deleted member is gone';
is +(acts())[0], '21SD333 member delete 26AT101', 'the deletion is noted';
is told($operator->act('21SD333', $_, { callsign => '21SD333', new => $on })), '409 OPERATOR.OWN_MEMBERSHIP',
    "nobody does '$_' to themselves"
    for 'disable', 'delete', 'invite';

done_testing;
