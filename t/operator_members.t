use QSOsync::Test fronts => 'nginx';
use QSOsync::Waiting;
use JSON::PP ();
use QSOsync::Doctor;
use QSOsync::Profile;
use QSOsync::QrCode;

# The acts of an operator on members. Each act is logged with its operator.
my $service = QSOsync::Service->start(site => 4);
my $hostile = '<b>=1+1</b>';
my $theirs = $service->add_member('26AT101');
$service->add_member($_) for '13TH101', '19PA101', $hostile;
$service->post_batch([map { qso() } 1 .. 3], key => $theirs->{write_key});
my $operator = QSOsync::Operator->with_role($service, '21SD333');
my ($on, $off) = (JSON::PP::true(), JSON::PP::false());

sub told { my ($answer) = @_; join ' ', $answer->status, $answer->code // '' }
# The acts of operators on the page, newest first.
sub acts {
    map { "$_->{operator} $_->{act} $_->{subject}" } grep { $_->{operator} } @{$operator->get('log')->json->{items}};
}

# The list.
my $list = $operator->get('members')->json;
is_deeply [map { $_->{callsign} } @{$list->{items}}], [qw(13TH101 19PA101 21SD333 26AT101), uc $hostile],
    'the list contains all members, sorted by callsign';
my $row = $operator->member('26AT101');
is_deeply [@$row{qw(qsos activeKeys active operator hasPassword)}], [3, 2, $on, $off, $off],
    'a row counts QSOs and keys';
like $row->{lastUsedOn}, qr/\A\d{4}-\d\d-\d\d\z/, 'a row has the day of the last use';
is $operator->member('13TH101')->{lastUsedOn}, undef, 'a member who never used the service has no day of last use';
is_deeply [map { $_->{callsign} } @{$operator->get("members?search=$_->[0]")->json->{items}}], $_->[1],
    "a search for $_->[0] finds the right members"
        for ['at-1', ['26AT101']], ['26', ['26AT101']], ['101', [qw(13TH101 19PA101 26AT101)]], ['x9', []];
is_deeply [map { $_->{callsign} } @{$operator->get("members?group=$_->[0]")->json->{items}}], $_->[1],
    "the group $_->[0] has the right members"
    for ['operators', ['21SD333']], ['disabled', []], ['unused', ['13TH101', '19PA101', uc $hostile]];
is $operator->get("members?$_")->status, 400, "a list with $_ is refused"
    for 'group=x', 'limit=0', 'limit=201', 'limit=x', 'afterNumber=x', 'search=' . 'x' x 21, 'search=a&search=b';
my ($first, $second) = map { $_->json } $operator->get('members?limit=2'),
    $operator->get("members?limit=3&after=19PA101&afterNumber=" . $operator->member('19PA101')->{number});
is_deeply [map { $_->{callsign} } @{$first->{items}}, @{$second->{items}}], [map { $_->{callsign} } @{$list->{items}}],
    'the second page contains the rest of the list';
is_deeply [$first->{more}, $second->{more}], [$on, $off], 'each page says whether more members follow';
unlike $operator->get('members')->body, qr/26AT101.*frequency|qsoAt/, 'the list contains no QSO';
my $table = $operator->get('members.csv');
is $table->header('Content-Disposition'), 'attachment; filename="qsosync-members.csv"',
    'a browser saves the list as a file';
my @lines = split /\r\n/, $table->body;
is scalar @lines, 6, 'the table has one line per member, after the names';
like $table->body, qr/^26AT101,JO59jw,26at101,yes,no,3,2,\d{4}-\d\d-\d\d,\d{4}-\d\d-\d\d,no,\r$/m,
    'a line of the table has the values of the list';
$service->admin('member', 'add', '=1+1', '--locator', 'JO59');
like $operator->get('members.csv')->body, qr/^'=1\+1,/m, 'the table contains no formula for a spreadsheet';

# Changes.
is $operator->act('26AT101', 'locator', { locator => 'io91WM' })->status, 204,
    "an operator can change a member's locator";
is $operator->member('26AT101')->{locator}, 'IO91wm', 'a locator is stored in its normal form';
is told($operator->act('26AT101', 'locator', { locator => $_ })), '400 VALIDATION.FAILED', "'$_' is not a locator"
    for '', 'x', 'JO5', 'JO59jwx';
is $operator->act('13TH101', 'rename', { callsign => ' 13th102 ' })->status, 204,
    "an operator can change a member's callsign";
is $operator->member('13TH102')->{locator}, 'JO59jw', 'a renamed member keeps the locator';
is told($operator->act('13TH102', 'rename', { callsign => $_ })), '409 OPERATOR.CALLSIGN_TAKEN',
    "another member's callsign is refused ($_)"
    for '26AT101', '26-at-101';
is told($operator->act('13TH102', 'rename', { callsign => $_ })), '400 VALIDATION.FAILED',
    "'$_' is not a callsign" for '', 'x' x 21,
    "a\nb";
is $operator->act('26AT101', 'disable')->status, 204, 'an operator can disable a member';
is $service->get('/me', key => $theirs->{write_key})->status, 401, 'the keys of a disabled member stop working';
is $operator->act('26AT101', 'enable')->status, 204, 'an operator can enable a member';
is $service->get('/me', key => $theirs->{write_key})->status, 200, 'the keys of an enabled member work again';
is told($operator->post("members/$_/disable")), '404 GENERIC.NOT_FOUND', "member $_ does not exist" for 0, 999, 'x';
is_deeply [(acts())[0 .. 4]], ['21SD333 member enable 26AT101', '21SD333 member disable 26AT101',
    '21SD333 member rename 13TH101', '21SD333 member set 26AT101', (acts())[4]], 'each act is logged with its operator';

# Invitations.
my $invited = $operator->act('26AT101', 'invite')->json;
like $invited->{link}, qr{\Ahttp://127\.0\.0\.1:\d+/welcome/\#qsosyncin_[0-9A-Za-z]{49}\z}, 'an invitation is a link';
is QSOsync::QrCode::text_of(QSOsync::QrCode::rows_of_path(@{$invited->{qr}}{qw(path size)})), $invited->{link},
    'the QR code of an invitation contains its link';
is $operator->member('26AT101')->{invitedUntil}, $invited->{expiresAt} =~ s/\d\d\.\d{3}Z/xx/r
    ? $operator->member('26AT101')->{invitedUntil} : '', 'the list contains the last day of an invitation';
my ($secret) = $invited->{link} =~ /#(.*)/;
is index($service->sqlite('SELECT hex(fingerprint) FROM sign_in_links'), $secret), -1,
    'the link of an invitation is not stored';
my ($several) = $operator->post('invitations', { list => "26AT101\r\n\n 13th102\n" })->json;
is_deeply [map { $_->{callsign} } @{$several->{items}}], ['26AT101', '13TH102'],
    'an operator can invite several members at once';
like $several->{csv}, qr/\Acallsign,link\r\n26AT101,http\S+\r\n13TH102,http\S+\r\n\z/,
    'invitations of several members include a table';
isnt $several->{items}[0]{link}, $invited->{link}, 'a new invitation replaces the previous one';
is told($operator->post('invitations', { list => "26AT101\nNOBODY" })), '404 GENERIC.NOT_FOUND',
    'an unknown member cannot be invited';
$operator->act('13TH102', 'disable');
is told($operator->act('13TH102', 'invite')), '409 OPERATOR.DISABLED', 'a disabled member cannot be invited';
is told($operator->post('invitations', { list => '13TH102' })), '409 OPERATOR.DISABLED',
    'a disabled member cannot be invited in a list';

# Browsers.
my $member = QSOsync::Operator->log_in($service, '26AT101');
my $devices = $operator->get('members/' . $operator->member('26AT101')->{number} . '/devices')->json->{items};
cmp_ok scalar @$devices, '>=', 1, "an operator can list a member's browsers";
is $operator->act('26AT101', "devices/$devices->[0]{number}/sign-out")->status, 204,
    "an operator can sign out one of a member's browsers";
is told($operator->act('19PA101', "devices/$devices->[0]{number}/sign-out")), '404 GENERIC.NOT_FOUND',
    "a browser is signed out only once, and only under its member";
$member = QSOsync::Operator->log_in($service, '26AT101');
is $operator->act('26AT101', 'sign-out')->status, 204, "an operator can sign out all of a member's browsers";
is told($member->get('me')), '401 SIGN_IN.REQUIRED', 'a signed-out browser is refused';
is $operator->act('21SD333', 'sign-out')->status, 204, 'operators can sign out their other browsers';
is told($operator->get('me')), '200 ', "an operator's current browser stays signed in";

# A card.
is told($operator->act('26AT101', 'remove-card')), '409 OPERATOR.NO_CARD', 'a missing card cannot be removed';
$member = QSOsync::Operator->log_in($service, '26AT101');
is QSOsync::Profile::request($member, 'PUT', 'card', json => { lines => ['Hello'] },
    headers => { 'Sec-Fetch-Site' => 'same-origin' })->status, 204, 'a member can create a QSL card';
is $operator->act('26AT101', 'remove-card')->status, 204, "an operator can remove a member's card";
is $service->sqlite('SELECT count(*) FROM cards WHERE content IS NOT NULL'), 0,
    'a removed card is deleted';
is +(acts())[0], '21SD333 card remove 26AT101', 'the removal of a card is logged';

# The end of a membership.
is told($operator->act('26AT101', 'export')), '409 OPERATOR.STILL_ACTIVE', "an active member's data cannot be exported";
is told($operator->act('26AT101', 'delete', { callsign => '26AT101' })), '409 OPERATOR.STILL_ACTIVE',
    'an active member cannot be deleted';
$operator->act('26AT101', 'disable');
my $everything = $operator->act('26AT101', 'export');
is $everything->json->{qsoCount}, 3, "a disabled member's whole data can be exported as a file";
is +(acts())[0], '21SD333 member export 26AT101', 'the export is logged';
is told($operator->act('26AT101', 'delete', $_)), '400 VALIDATION.FAILED', 'a deletion needs the callsign'
    for {}, { callsign => '26AT102' };
is $operator->act('26AT101', 'delete', { callsign => '26at101' })->status, 204, 'an operator can delete a member';
is $operator->member('26AT101'), undef, 'a deleted member is not in the list';
is $service->sqlite('SELECT count(*) FROM qsos'), 0, 'deleting a member deletes their log';
is +(acts())[0], '21SD333 member delete 26AT101', 'the deletion is logged';
is told($operator->act('21SD333', $_, { callsign => '21SD333', new => $on })), '409 OPERATOR.OWN_MEMBERSHIP',
    "operators cannot $_ themselves"
    for 'disable', 'delete', 'invite';

# A list of 300 members, pasted at once. Its ten faults are reported with their lines, and no member is added. Without
# faults, all members are added, invited and exported.
{
    my $service = QSOsync::Service->start(site => 4);
    my $operator = QSOsync::Operator->with_role($service, '21SD333');
    my ($true, $false) = (JSON::PP::true(), JSON::PP::false());

    sub send_list { my ($list, $dry) = @_; $operator->post('members', { list => $list, dryRun => $dry ? $true
        : $false }) }
    sub members { $service->sqlite('SELECT count(*) FROM members') }

    my @good = map { sprintf '13TH%03d, JO%02d', $_, $_ % 100 } 1 .. 290;
    my %fault = (3 => 'NOLOCATOR', 17 => '13TH900, JO5', 18 => ', JO59', 40 => '13-TH-001, JO59',
        77 => '21 SD 333, JO59',
        100 => '13TH901, JO59, more', 101 => "13TH90\x{7}2, JO59", 200 => 'X' x 21 . ', JO59', 299 => '13TH903, ZZ99',
        300 => '13th002, JO59');
    my @rest = @good;
    my @lines = map { $fault{$_} // shift @rest } 1 .. 300;
    for my $wrong (1, 'true', undef) {
        my $answer = $operator->post('members', { list => '13TH001, JO59', dryRun => $wrong });
        is $answer->status, 400, 'a dryRun that is neither true nor false is refused';
    }
    is members(), 1, 'a refused list adds no member';
    is scalar @rest, 0, 'the list has 290 valid and ten invalid lines';
    my $list = join "\n", @lines;

    for my $dry (1, 0) {
        my $answer = send_list($list, $dry);
        is $answer->status, 200, 'a list with invalid lines is answered';
        my $found = $answer->json;
        is_deeply [map { $_->{line} } grep { $_->{fault} } @{$found->{lines}}], [sort { $a <=> $b } keys %fault],
            'each fault is reported with its line';
        is_deeply [$found->{faults}, $found->{added}], [10, 0], 'a list with faults adds no member';
        is members(), 1, 'a list with faults changes nothing' . ($dry ? ' in a dry run' : ' outside a dry run');
        is_deeply [map { $_->{fault} } grep { $_->{fault} } @{$found->{lines}}],
            [qw(missing locator callsign twice exists more callsign callsign locator twice)],
                'each fault has its code';
        is scalar(grep { $_->{fault} && length($_->{reason}) } @{$found->{lines}}), 10, 'each fault has a sentence';
    }
    my $good = join "\r\n", @good;
    is_deeply [@{send_list($good, 1)->json}{qw(faults added)}], [0, 0],
        'a dry run of valid lines reports no added member';
    is members(), 1, 'a dry run of valid lines changes nothing';
    is_deeply [@{send_list($good, 0)->json}{qw(faults added)}], [0, 290], 'valid lines are added';
    is members(), 291, 'each valid line is a member';
    is_deeply [@{send_list($good, 0)->json}{qw(faults added)}], [290, 0], 'the same list again adds no member';
    is_deeply [@{send_list($_, 0)->json}{qw(faults added)}], [0, 0], 'an empty list adds nothing' for '', "\n \n";
    is $operator->post('members', $_)->status, 400, 'a body without a list is refused' for {}, { list => 7 };
    is $service->sqlite("SELECT count(*) FROM operator_log WHERE operator = '21SD333' AND act = 'member add'"), 290,
        'each added member is logged';

    my $callsigns = join "\n", map { /^([^,]+)/ } @good;
    my $invited = $operator->post('invitations', { list => $callsigns })->json;
    is scalar @{$invited->{items}}, 290, 'all members can be invited at once';
    my %link = map { $_->{link} => 1 } @{$invited->{items}};
    is scalar keys %link, 290, 'each member has their own link';
    my @table = split /\r\n/, $operator->get('members.csv')->body;
    is scalar @table, 292, 'the table contains all members';
    is scalar(grep { /,\d{4}-\d\d-\d\d\z/ } @table), 290, 'the table contains the last day of each invitation';

    # The club always has an operator who may sign in. The last operator cannot lose the role on the page, even if two
    # operators act at once.
    {
        my $service = QSOsync::Service->start(site => 4);
        $service->add_member('26AT101');
        my $one = QSOsync::Operator->with_role($service, '21SD333');
        my ($on, $off) = (JSON::PP::true(), JSON::PP::false());
        sub operators { $service->sqlite('SELECT count(*) FROM members WHERE is_operator = 1 AND active = 1') }

        is told($one->act('21SD333', 'operator', { on => $off })), '409 OPERATOR.LAST_OPERATOR',
            'the last operator keeps the role';
        my $two = QSOsync::Operator->with_role($service, '26AT101');
        is $one->act('26AT101', 'disable')->status, 204, 'one of two operators can be disabled';
        is told($one->act('21SD333', 'operator', { on => $off })), '409 OPERATOR.LAST_OPERATOR',
            'a disabled operator does not count';
        is $one->act('26AT101', 'enable')->status, 204, 'the disabled operator can be enabled again';
        is $one->act('21SD333', 'operator', { on => $off })->status, 204,
            'an operator can resign if there is another operator';
        is told($one->get('members')), '403 OPERATOR.NO_ROLE', 'an operator who resigned is refused';
        $service->admin('member', 'set', '21SD333', '--operator', 'on');

        # Each removes the other's role while a writer makes both wait: only one succeeds.
        for my $round (1 .. 3) {
            $two = QSOsync::Operator->log_in($service, '26AT101');
            my %number = map { $_ => $one->member($_)->{number} } '21SD333', '26AT101';
            my @answers = QSOsync::Waiting::at_once($service,
                sub { told($one->post("members/$number{'26AT101'}/operator", { on => $off })) },
                sub { told($two->post("members/$number{'21SD333'}/operator", { on => $off })) });
            is_deeply [sort @answers], ['204 ', '403 OPERATOR.NO_ROLE'],
                "one of two operators who remove each other's role keeps it";
            is operators(), 1, 'the club still has an operator';
            $service->admin('member', 'set', $_, '--operator', 'on') for '21SD333', '26AT101';
        }

        $service->admin('member', 'set', '26AT101', '--operator', 'off');
        $service->admin('member', 'set', '21SD333', '--operator', 'off');
        is operators(), 0, "the command can remove the last operator's role";
    }
}

# The operator's page and the command share their switches and the activity log.
{
    my $service = QSOsync::Service->start(site => 4);
    my $operator = QSOsync::Operator->with_role($service, '21SD333');
    my ($on, $off) = (JSON::PP::true(), JSON::PP::false());

    is_deeply $operator->get('switches')->json->{uploads}, $off, 'uploads are off by default';
    is $operator->post('uploads', { on => $on })->status, 204, 'uploads can be switched on';
    is $service->sqlite('SELECT uploads FROM logbook'), 1, "the page sets the command's switch";
    is $operator->post('uploads', { on => $off })->status, 204, 'uploads can be switched off';
    is_deeply $operator->get('switches')->json->{uploads}, $off, 'the page shows that uploads are off';

    is $operator->post('club', { name => ' Elf <b>Meter</b> ', legal => "Two\nlines",
        link => 'https://club.example.org/',
        address => 'http://log.localhost:8080/api/v1/' })->status, 204, 'the texts of the club can be set';
    my $said = $operator->get('switches')->json;
    is_deeply [@$said{qw(name legal link contact address)}], ['Elf <b>Meter</b>', "Two\nlines",
        'https://club.example.org/', undef,
        'http://log.localhost:8080'], 'texts are stored as typed, and the address without the path of the API';
    is $said->{nameMaximum}, 80, 'the page has the maximum length of each text';
    like $service->admin('club', 'show'), qr/Elf <b>Meter<\/b>/, 'club show prints the name';
    like $service->request('GET', '', raw_path => '/')->body, qr/Elf &lt;b&gt;Meter/,
        'the front page shows the name as text';
    like $operator->act('21SD333', 'invite')->json->{link}, qr{\Ahttp://log\.localhost:8080/welcome/#},
        'invitations contain the address';
    is $operator->post('club', { name => '' })->status, 204, 'an empty text is accepted';
    is_deeply [@{$operator->get('switches')->json}{qw(name link)}], [undef, 'https://club.example.org/'],
        'an empty text deletes only this text';
    for (['name', 'x' x 81], ['link', 'javascript:alert(1)'], ['address', 'ftp://x'], ['contact', "a\nb"],
        ['link', "https://club.example.org/\x{202e}gpj.exe"], ['link', "https://club\x{200b}.example.org/"],
        ['name', "Elf\x{2066}Meter"], ['text', "Two\x{202d}\nlines"]) {
        my ($field, $value) = @$_;
        my $answer = $operator->post('club', { $field => $value, legal => 'changed' });
        is told($answer), '400 VALIDATION.FAILED', "a wrong $field is refused";
        is $answer->json->{error}{details}[0]{field}, $field, "the answer names the wrong $field";
    }
    my %own = (headers => { Origin => 'http://127.0.0.1:' . $service->port });
    is told($operator->post('club', { address => $_ }, %own)), '400 VALIDATION.FAILED',
        "$_ is refused as the address of a page elsewhere" for 'https://log.example.org', "$own{headers}{Origin}0";
    is $operator->post('club', { address => "$own{headers}{Origin}/club/" }, %own)->status, 204,
        "the page's own address is accepted";
    is $operator->get('switches')->json->{legal}, "Two\nlines", 'a refused form saves nothing';

    $service->admin('uploads', 'on');
    my $member = $operator->member('21SD333')->{number};
    for my $body ({}, { on => 1 }, { on => 'false' }, { on => undef }) {
        is told($operator->post($_, $body)), '400 VALIDATION.FAILED',
            "$_: a body without a switch is refused"
            for 'uploads', "members/$member/operator";
    }
    ok $operator->get('switches')->json->{uploads}, 'a refused body changes nothing';
    my @acts = map { join ' ', $_->{operator} // '-', $_->{act} } @{$operator->get('log')->json->{items}};
    is_deeply [@acts[0 .. 3]], ['- uploads on', ('21SD333 club set') x 2, '21SD333 member invite'],
        'the activity log has the acts of page and command, newest first'
        or diag "@acts";
    my $log = $service->admin('log');
    like $log, qr/21SD333.*club set/, 'the command log prints the acts of the page';

    is $operator->post('club', { pictures => 'off' })->status, 204, 'pictures on cards can be switched off';
    like $service->admin('club', 'show'), qr/^pictures +off$/m, "the page sets the command's switch for pictures";
    is told($operator->post('club', { pictures => 'maybe' })), '400 VALIDATION.FAILED',
        'a wrong value of the switch is refused';
    is $operator->get('switches')->json->{pictures}, 'off', 'the page shows that pictures are off';

    $service->sqlite("INSERT INTO operator_log (at, act) SELECT 1, 'member add' FROM (WITH RECURSIVE n(i) AS "
        . "(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120) SELECT i FROM n)");
    my ($seen, $next, %number) = (0, '');
    for (1 .. 5) {
        my $page = $operator->get("log$next")->json;
        $seen += @{$page->{items}};
        last if !defined $page->{next};
        $next = "?before=$page->{next}";
    }
    is $seen, $service->sqlite('SELECT count(*) FROM operator_log'), 'the pages of the activity log contain all acts';
    is told($operator->get("log?before=$_")), '400 VALIDATION.FAILED', "before=$_ is refused" for 'x', 0, -1;
}
$service->stop;

# Other clubs: the page creates the same codes as the command, lists the same, and can end the exchange.
{
    my ($here, $there) = map { QSOsync::Service->start(site => 4) } 1 .. 2;
    my ($address, $other) = map { 'http://127.0.0.1:' . $_->port } $here, $there;
    my $operator = QSOsync::Operator->with_role($here, '21SD333');
    my $member = $there->add_member('26AT101');
    sub add { return $operator->post('peers', { address => $_[0] }) }
    sub listed { return $operator->get('peers')->json->{items} }

    is told(add($other)), '409 OPERATOR.NO_ADDRESS', 'a service without an address cannot create a code';
    $here->admin('club', 'set', '--address', 'http://log.example.org');
    is told(add($other)), '409 OPERATOR.NO_ADDRESS', 'a service without https cannot create a code';
    $_->[0]->admin('club', 'set', '--name', $_->[2], '--address', $_->[1])
        for [$here, $address, 'Here'], [$there, $other, 'There'];
    is told(add($_)), '400 VALIDATION.FAILED', "another club's address is refused: " . ($_ // 'null')
        for undef, '', 7, 'log.example.org', 'http://log.example.org', 'https://log.example.org/a b', $address;
    is_deeply listed(), [], 'the list of clubs is empty at first';
    $here->admin('club', 'set', '--address', 'https://log.example.org');
    my $cookie = $operator->{cookie};
    $operator->{cookie} = "__Host-$cookie";
    is told(add("https://$_")), '400 VALIDATION.FAILED', "the page of a public service refuses $_"
        for qw(127.0.0.1 2130706433 [::1] localhost 10.1.2.3 192.168.1.1 169.254.169.254 [fd00::1] router nas.local);
    is add('https://club.example')->status, 201, 'the page of a public service accepts another public address';
    $operator->{cookie} = $cookie;
    $here->admin('club', 'set', '--address', $address);

    my $first = add("$other/")->json->{code};
    my $made = add($other);
    is $made->status, 201, 'an operator can create a code';
    my $code = $made->json->{code};
    like $code, qr/\A\Q$address\E#[0-9A-Za-z]{43}\z/, "a code contains this service's address and a secret";
    is $made->json->{days}, 7, 'the answer says how long a code works';
    is +($there->admin_try('peer', 'enter', $first))[0], 1, 'a newer code replaces the previous one';
    is +($there->admin_try('peer', 'enter', $code))[0], 0, "the other club's command accepts the code";
    is told(add($other)), '409 OPERATOR.PAIRED', 'a paired club cannot be added again';

    my %contact = (qsoAt => '2026-05-17T19:42:00.000Z', mode => 'USB');
    $here->post_batch([qso(%contact, callsignWorked => '26AT101')]);
    $there->post_batch([qso(%contact, callsignWorked => '21SD333')], key => $member->{write_key});
    $here->admin('peer', 'pull');
    my ($peer) = @{listed()};
    is_deeply [@$peer{qw(club claims confirmations failure)}], ['There', 1, 1, undef],
        "the list counts a club's claims and confirmations";
    my $number = delete $peer->{number};
    is_deeply $peer, JSON::PP::decode_json($here->admin('peer', 'list', '--json'))->[0],
        "a row has the command's values";
    $there->stop;
    $here->admin_try('peer', 'pull');
    is listed()->[0]{failure}, JSON::PP::decode_json($here->admin('peer', 'list', '--json'))->[0]{failure},
        'the list and the command report the same failure';
    ok defined listed()->[0]{failure}, 'the list reports why a visit failed';

    is told($operator->remove("peers/$_")), '404 GENERIC.NOT_FOUND', "club $_ does not exist" for 0, $number + 1, 'x';
    is $operator->remove("peers/$number")->status, 204, 'an operator can remove a club';
    is told($operator->remove("peers/$number")), '404 GENERIC.NOT_FOUND', 'a removed club cannot be removed again';
    is_deeply listed(), [], 'a removed club is not in the list';
    is $here->sqlite('SELECT count(*) FROM claims'), 0, 'removing a club deletes its claims';
    is $here->sqlite('SELECT count(*) FROM qsos WHERE cross_confirmed_at IS NOT NULL'), 0,
        'removing a club deletes its confirmations';
    is_deeply [map { join ' ', @$_{qw(operator act subject)} }
            grep { $_->{act} =~ /peer/ } @{$operator->get('log')->json->{items}}],
        [map { "21SD333 peer $_" } 'remove ' . $other =~ s{.*//}{}r, ("add $other") x 2, 'add https://club.example'],
        'each act for another club is logged with its operator';
    is $here->admin('check'), '', 'the logbook passes the check';
    $here->stop;
}

# The page reports the logbook's state in the same words as status and the doctor. It does so within the worker's
# sandbox, and without losing the worker's locks.
{
    my $service = QSOsync::Service->start(site => 1);
    my $operator = QSOsync::Operator->with_role($service, '21SD333');
    $service->post_batch([map { qso() } 1 .. 3]);
    $service->post_batch([qso(frequencyMhz => 'x'), qso(frequencyMhz => '1.000')]);

    sub health { my $answer = $operator->get('health'); $answer->status == 200 ? $answer->json : die $answer->body }
    # Other programs also use the disk, so its free space changes.
    sub findings {
        my ($report) = @_;
        return map { $_->{check} => "$_->{level} $_->{message}" =~ s/\d+ MB free/MB free/r }
            @{$report->{checks}};
    }

    my $health = health();
    my %fact = map { $_->{label} => $_->{value} } @{$health->{facts}};
    my %said = $service->admin('status') =~ /^(\S.{15}) (.*)$/mg;
    $said{s/\s+\z//r} = delete $said{$_} for keys %said;
    my @changing = ('write-ahead log', 'last write'); # the session's own use is also written
    delete @$_{@changing} for \%fact, \%said;
    is_deeply \%fact, { map { $_ => $said{$_} } keys %fact }, 'the page and status report the same facts';
    is $fact{QSOs}, 3, 'the facts contain the number of QSOs';

    my (undef, $report) = QSOsync::Doctor::run(undef, '--db', $service->db, 'doctor');
    my %doctor = findings($report);
    my %page = findings($health->{doctor});
    is_deeply [sort keys %page],
        [sort qw(database space schema log content backup storage), 'file system', 'own address'],
        'the page has all checks that a worker can make';
    is $page{$_}, $doctor{$_},
        "the page and the doctor report the same for $_" for grep { $_ ne 'log' } sort keys %page;
    my ($backup) = grep { $_->{check} eq 'backup' } @{$health->{doctor}{checks}};
    is $backup->{message}, 'no backup was ever made', 'a missing backup is reported';
    like $backup->{fix}, qr/qsosync-admin --db \S+ backup --to \S+|systemctl enable/,
        'a missing backup is reported with a fix';
    $service->admin('backup', $service->directory . '/data/backup.db');
    %page = findings(health()->{doctor});
    like $page{backup}, qr{\Aok the last one is .*/backup\.db, 0 days old\z},
        'the last backup is reported with its age';

    # Refusals, and whose they are.
    my ($refusal) = @{$health->{refusals}};
    is_deeply [@$refusal{qw(callsign code count)}], ['21SD333', 'FREQUENCY_FORMAT_INVALID', 2],
        'the last refusal of a key is reported';
    my %count = map { @$_{qw(code count)} } @{$health->{refused}};
    is_deeply \%count, { FREQUENCY_FORMAT_INVALID => 1, FREQUENCY_OUT_OF_BAND_11M => 1 },
        'the page counts the refusals per code';

    # Damage is reported with the broken rule.
    $service->sqlite('UPDATE logbook SET last_stamp = 1');
    like +{ findings(health()->{doctor}) }->{content}, qr/\Atrouble /, 'a broken rule is reported';

    # The worker must keep its locks; otherwise another process could remove the logbook's files while it uses them.
    # (/proc/locks is not a snapshot. While other processes take and release locks, a line may occur twice or be
    # missing.)
    sub locks {
        my ($pid) = $service->site_pids;
        my %inode = map { (stat)[1] => s{.*/}{}r } grep { -e } map { $service->db . $_ } '', '-shm', '-wal';
        my @held;
        for (split /\n/, QSOsync::Front::read_file('/proc/locks')) {
            my ($kind, $holder, $file) = /^\d+: (POSIX +\S+ +\S+) +(\d+) \S+:(\d+) / or next;
            push @held, "$kind $inode{$file}" if $holder == $pid && $inode{$file};
        }
        my %kinds = map { $_ => 1 } @held;
        return sort keys %kinds;
    }
    my $all = "POSIX  ADVISORY  READ logbook.db\nPOSIX  ADVISORY  READ logbook.db-shm";
    sub holds_all { my $held = join "\n", locks(); return $held eq $all ? $held : undef }
    is until_true(\&holds_all), $all, 'a worker holds locks while it has the logbook open';
    health();
    is until_true(\&holds_all), $all, 'a worker keeps its locks after a request for its health';
    $service->stop;
}

done_testing;
