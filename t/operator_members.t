use QSOsync::Test fronts => 'nginx';
use QSOsync::Waiting;
use JSON::PP ();
use QSOsync::Doctor;
use QSOsync::Profile;
use QSOsync::QrCode;

# What an operator does to members, and that each act is noted with who did it.
my $service = QSOsync::Service->start(site => 4);
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

# A card.
is told($operator->act('26AT101', 'remove-card')), '409 OPERATOR.NO_CARD', 'a card that is not there is not removed';
$member = QSOsync::Operator->log_in($service, '26AT101');
is QSOsync::Profile::request($member, 'PUT', 'card', json => { lines => ['Hello'] },
    headers => { 'Sec-Fetch-Site' => 'same-origin' })->status, 204, 'a member makes a QSL card';
is $operator->act('26AT101', 'remove-card')->status, 204, 'an operator removes the card of a member';
is $service->sqlite('SELECT count(*) FROM cards WHERE content IS NOT NULL'), 0,
    'a card that was removed is gone';
is +(acts())[0], '21SD333 card remove 26AT101', 'the removal is noted';

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

# A club's list of 300 members, pasted at once: ten faults are named by their lines and nothing is done; then all of
# them are added, invited and exported.
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
    is members(), 1, 'a list with such a field adds nobody';
    is scalar @rest, 0, 'the list has 290 good lines and ten others';
    my $list = join "\n", @lines;

    for my $dry (1, 0) {
        my $answer = send_list($list, $dry);
        is $answer->status, 200, 'a list with faults is answered';
        my $found = $answer->json;
        is_deeply [map { $_->{line} } grep { $_->{fault} } @{$found->{lines}}], [sort { $a <=> $b } keys %fault],
            'each fault is named by its line';
        is_deeply [$found->{faults}, $found->{added}], [10, 0], 'faults are counted, and nothing is added';
        is members(), 1, 'nothing is half done' . ($dry ? ' in a trial' : ' where it was meant');
        is_deeply [map { $_->{fault} } grep { $_->{fault} } @{$found->{lines}}],
            [qw(missing locator callsign twice exists more callsign callsign locator twice)],
                'each fault has a word for what is wrong';
        is scalar(grep { $_->{fault} && length($_->{reason}) } @{$found->{lines}}), 10, 'each fault has a sentence';
    }
    my $good = join "\r\n", @good;
    is_deeply [@{send_list($good, 1)->json}{qw(faults added)}], [0, 0], 'a trial of good lines adds nothing';
    is members(), 1, 'a trial of good lines leaves the members as they are';
    is_deeply [@{send_list($good, 0)->json}{qw(faults added)}], [0, 290], 'good lines are added';
    is members(), 291, 'all lines have become members';
    is_deeply [@{send_list($good, 0)->json}{qw(faults added)}], [290, 0], 'the same list adds nobody twice';
    is_deeply [@{send_list($_, 0)->json}{qw(faults added)}], [0, 0], 'an empty list adds nothing' for '', "\n \n";
    is $operator->post('members', $_)->status, 400, 'what is no list is refused' for {}, { list => 7 };
    is $service->sqlite("SELECT count(*) FROM operator_log WHERE operator = '21SD333' AND act = 'member add'"), 290,
        'each member who was added is noted';

    my $callsigns = join "\n", map { /^([^,]+)/ } @good;
    my $invited = $operator->post('invitations', { list => $callsigns })->json;
    is scalar @{$invited->{items}}, 290, 'all of them are invited at once';
    my %link = map { $_->{link} => 1 } @{$invited->{items}};
    is scalar keys %link, 290, 'each has a link of their own';
    my @table = split /\r\n/, $operator->get('members.csv')->body;
    is scalar @table, 292, 'all members are exported as a list';
    is scalar(grep { /,\d{4}-\d\d-\d\d\z/ } @table), 290, 'the list tells until when they are invited';

    # The club keeps an operator who may sign in: the last one cannot lose the role on the page,
    # whatever two do at once.
    {
        my $service = QSOsync::Service->start(site => 4);
        $service->add_member('26AT101');
        my $one = QSOsync::Operator->with_role($service, '21SD333');
        my ($on, $off) = (JSON::PP::true(), JSON::PP::false());
        sub operators { $service->sqlite('SELECT count(*) FROM members WHERE is_operator = 1 AND active = 1') }

        is told($one->act('21SD333', 'operator', { on => $off })), '409 OPERATOR.LAST_OPERATOR',
            'the last operator keeps the role';
        my $two = QSOsync::Operator->with_role($service, '26AT101');
        is $one->act('26AT101', 'disable')->status, 204, 'one of two may be disabled';
        is told($one->act('21SD333', 'operator', { on => $off })), '409 OPERATOR.LAST_OPERATOR',
            'a disabled one does not count';
        is $one->act('26AT101', 'enable')->status, 204, 'the other operator is enabled again';
        is $one->act('21SD333', 'operator', { on => $off })->status, 204,
            'with another one an operator may give the role back';
        is told($one->get('members')), '403 OPERATOR.NO_ROLE', 'an operator who gave the role back is one no more';
        $service->admin('member', 'set', '21SD333', '--operator', 'on');

        # Each takes the role from the other, while a writer holds both up: one of them loses.
        for my $round (1 .. 3) {
            $two = QSOsync::Operator->log_in($service, '26AT101');
            my %number = map { $_ => $one->member($_)->{number} } '21SD333', '26AT101';
            my @answers = QSOsync::Waiting::at_once($service,
                sub { told($one->post("members/$number{'26AT101'}/operator", { on => $off })) },
                sub { told($two->post("members/$number{'21SD333'}/operator", { on => $off })) });
            is_deeply [sort @answers], ['204 ', '403 OPERATOR.NO_ROLE'],
                'of two who take the role from each other one is left';
            is operators(), 1, 'the club has an operator still';
            $service->admin('member', 'set', $_, '--operator', 'on') for '21SD333', '26AT101';
        }

        $service->admin('member', 'set', '26AT101', '--operator', 'off');
        $service->admin('member', 'set', '21SD333', '--operator', 'off');
        is operators(), 0, 'the command may take it from the last one';
    }
}

# The switches of the operator's page are those of the command, and all acts stand in one log.
{
    my $service = QSOsync::Service->start(site => 4);
    my $operator = QSOsync::Operator->with_role($service, '21SD333');
    my ($on, $off) = (JSON::PP::true(), JSON::PP::false());

    is_deeply $operator->get('switches')->json->{uploads}, $off, 'uploads are off';
    is $operator->post('uploads', { on => $on })->status, 204, 'uploads are switched on';
    is $service->sqlite('SELECT uploads FROM logbook'), 1, 'the switch is the one of the command';
    is $operator->post('uploads', { on => $off })->status, 204, 'uploads are switched off';
    is_deeply $operator->get('switches')->json->{uploads}, $off, 'the page says that uploads are off';

    is $operator->post('club', { name => ' Elf <b>Meter</b> ', legal => "Two\nlines",
        link => 'https://club.example.org/',
        address => 'http://log.localhost:8080/api/v1/' })->status, 204, 'the club says who it is';
    my $said = $operator->get('switches')->json;
    is_deeply [@$said{qw(name legal link contact address)}], ['Elf <b>Meter</b>', "Two\nlines",
        'https://club.example.org/', undef,
        'http://log.localhost:8080'], 'the texts are kept as typed, and the address without what belongs to the API';
    is $said->{nameMaximum}, 80, 'the page knows how long each may be';
    like $service->admin('club', 'show'), qr/Elf <b>Meter<\/b>/, 'the command club show says it';
    like $service->request('GET', '', raw_path => '/')->body, qr/Elf &lt;b&gt;Meter/,
        'the front page has the name as text';
    like $operator->act('21SD333', 'invite')->json->{link}, qr{\Ahttp://log\.localhost:8080/welcome/#},
        'invitations have the address';
    is $operator->post('club', { name => '' })->status, 204, 'an empty text takes one away';
    is_deeply [@{$operator->get('switches')->json}{qw(name link)}], [undef, 'https://club.example.org/'],
        'the other texts stay';
    for (['name', 'x' x 81], ['link', 'javascript:alert(1)'], ['address', 'ftp://x'], ['contact', "a\nb"],
        ['link', "https://club.example.org/\x{202e}gpj.exe"], ['link', "https://club\x{200b}.example.org/"],
        ['name', "Elf\x{2066}Meter"], ['text', "Two\x{202d}\nlines"]) {
        my ($field, $value) = @$_;
        my $answer = $operator->post('club', { $field => $value, legal => 'changed' });
        is told($answer), '400 VALIDATION.FAILED', "a wrong $field is refused";
        is $answer->json->{error}{details}[0]{field}, $field, 'the answer names the wrong field';
    }
    my %own = (headers => { Origin => 'http://127.0.0.1:' . $service->port });
    is told($operator->post('club', { address => $_ }, %own)), '400 VALIDATION.FAILED',
        "on a page of the service $_ is not its address" for 'https://log.example.org', "$own{headers}{Origin}0";
    is $operator->post('club', { address => "$own{headers}{Origin}/club/" }, %own)->status, 204,
        'the address of the page is taken';
    is $operator->get('switches')->json->{legal}, "Two\nlines", 'nothing of a refused form is saved';

    $service->admin('uploads', 'on');
    my $member = $operator->member('21SD333')->{number};
    for my $body ({}, { on => 1 }, { on => 'false' }, { on => undef }) {
        is told($operator->post($_, $body)), '400 VALIDATION.FAILED',
            "$_: nothing is switched by a body without a switch"
            for 'uploads', "members/$member/operator";
    }
    ok $operator->get('switches')->json->{uploads}, 'it is as it was';
    my @acts = map { join ' ', $_->{operator} // '-', $_->{act} } @{$operator->get('log')->json->{items}};
    is_deeply [@acts[0 .. 3]], ['- uploads on', ('21SD333 club set') x 2, '21SD333 member invite'],
        'the log has the acts of both, newest first'
        or diag "@acts";
    my $log = $service->admin('log');
    like $log, qr/21SD333.*club set/, 'the command log prints the acts of the page';

    is $operator->post('club', { pictures => 'off' })->status, 204, 'pictures on cards are switched off';
    like $service->admin('club', 'show'), qr/^pictures +off$/m, 'the switch is that of the command';
    is told($operator->post('club', { pictures => 'maybe' })), '400 VALIDATION.FAILED', 'it is on or off';
    is $operator->get('switches')->json->{pictures}, 'off', 'the page knows the switch';

    $service->sqlite("INSERT INTO operator_log (at, act) SELECT 1, 'member add' FROM (WITH RECURSIVE n(i) AS "
        . "(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 120) SELECT i FROM n)");
    my ($seen, $next, %number) = (0, '');
    for (1 .. 5) {
        my $page = $operator->get("log$next")->json;
        $seen += @{$page->{items}};
        last if !defined $page->{next};
        $next = "?before=$page->{next}";
    }
    is $seen, $service->sqlite('SELECT count(*) FROM operator_log'), 'page by page all acts are there';
    is told($operator->get("log?before=$_")), '400 VALIDATION.FAILED', "before=$_ is refused" for 'x', 0, -1;
}
$service->stop;

# Other clubs: the page makes the same codes as the command, lists the same, and ends the exchange.
{
    my ($here, $there) = map { QSOsync::Service->start(site => 4) } 1 .. 2;
    my ($address, $other) = map { 'http://127.0.0.1:' . $_->port } $here, $there;
    my $operator = QSOsync::Operator->with_role($here, '21SD333');
    my $member = $there->add_member('26AT101');
    sub add { return $operator->post('peers', { address => $_[0] }) }
    sub listed { return $operator->get('peers')->json->{items} }

    is told(add($other)), '409 OPERATOR.NO_ADDRESS', 'a service that has no address makes no code';
    $here->admin('club', 'set', '--address', 'http://log.example.org');
    is told(add($other)), '409 OPERATOR.NO_ADDRESS', 'a service that is not reached by https makes no code';
    $_->[0]->admin('club', 'set', '--name', $_->[2], '--address', $_->[1])
        for [$here, $address, 'Here'], [$there, $other, 'There'];
    is told(add($_)), '400 VALIDATION.FAILED', 'no other club has the address ' . ($_ // 'null')
        for undef, '', 7, 'log.example.org', 'http://log.example.org', 'https://log.example.org/a b', $address;
    is_deeply listed(), [], 'a list without clubs is empty';
    $here->admin('club', 'set', '--address', 'https://log.example.org');
    my $cookie = $operator->{cookie};
    $operator->{cookie} = "__Host-$cookie";
    is told(add("https://$_")), '400 VALIDATION.FAILED', "the page of a public service adds no $_"
        for qw(127.0.0.1 2130706433 [::1] localhost 10.1.2.3 192.168.1.1 169.254.169.254 [fd00::1] router nas.local);
    is add('https://club.example')->status, 201, 'it adds another public address';
    $operator->{cookie} = $cookie;
    $here->admin('club', 'set', '--address', $address);

    my $first = add("$other/")->json->{code};
    my $made = add($other);
    is $made->status, 201, 'a code is made';
    my $code = $made->json->{code};
    like $code, qr/\A\Q$address\E#[0-9A-Za-z]{43}\z/, 'a code holds the address of this service and a secret';
    is $made->json->{days}, 7, 'the page knows how long it works';
    is +($there->admin_try('peer', 'enter', $first))[0], 1, 'a newer code ends the one before';
    is +($there->admin_try('peer', 'enter', $code))[0], 0, 'the command of the other club takes the code';
    is told(add($other)), '409 OPERATOR.PAIRED', 'a club is paired once';

    my %contact = (qsoAt => '2026-05-17T19:42:00.000Z', mode => 'USB');
    $here->post_batch([qso(%contact, callsignWorked => '26AT101')]);
    $there->post_batch([qso(%contact, callsignWorked => '21SD333')], key => $member->{write_key});
    $here->admin('peer', 'pull');
    my ($peer) = @{listed()};
    is_deeply [@$peer{qw(club claims confirmations failure)}], ['There', 1, 1, undef],
        'the list counts what a club brings';
    my $number = delete $peer->{number};
    is_deeply $peer, JSON::PP::decode_json($here->admin('peer', 'list', '--json'))->[0],
        'a row has all that the command lists';
    $there->stop;
    $here->admin_try('peer', 'pull');
    is listed()->[0]{failure}, JSON::PP::decode_json($here->admin('peer', 'list', '--json'))->[0]{failure},
        'a failed visit is told as by the command';
    ok defined listed()->[0]{failure}, 'the list says why a visit failed';

    is told($operator->remove("peers/$_")), '404 GENERIC.NOT_FOUND', "there is no club $_" for 0, $number + 1, 'x';
    is $operator->remove("peers/$number")->status, 204, 'a club is removed';
    is told($operator->remove("peers/$number")), '404 GENERIC.NOT_FOUND', 'a club is removed once';
    is_deeply listed(), [], 'a club that was removed is in no list';
    is $here->sqlite('SELECT count(*) FROM claims'), 0, 'what it claimed is gone';
    is $here->sqlite('SELECT count(*) FROM qsos WHERE cross_confirmed_at IS NOT NULL'), 0, 'so is what it confirmed';
    is_deeply [map { join ' ', @$_{qw(operator act subject)} }
            grep { $_->{act} =~ /peer/ } @{$operator->get('log')->json->{items}}],
        [map { "21SD333 peer $_" } 'remove ' . $other =~ s{.*//}{}r, ("add $other") x 2, 'add https://club.example'],
        'each act is noted with who did it';
    is $here->admin('check'), '', 'the logbook is whole';
    $here->stop;
}

# The page tells of the logbook what status and the doctor tell, in the same words, from inside the worker's sandbox and
# without harm to its locks.
{
    my $service = QSOsync::Service->start(site => 1);
    my $operator = QSOsync::Operator->with_role($service, '21SD333');
    $service->post_batch([map { qso() } 1 .. 3]);
    $service->post_batch([qso(frequencyMhz => 'x'), qso(frequencyMhz => '1.000')]);

    sub health { my $answer = $operator->get('health'); $answer->status == 200 ? $answer->json : die $answer->body }
    # Other programs use the disk, too.
    sub findings {
        my ($report) = @_;
        return map { $_->{check} => "$_->{level} $_->{message}" =~ s/\d+ MB free/MB free/r }
            @{$report->{checks}};
    }

    my $health = health();
    my %fact = map { $_->{label} => $_->{value} } @{$health->{facts}};
    my %said = $service->admin('status') =~ /^(\S.{15}) (.*)$/mg;
    $said{s/\s+\z//r} = delete $said{$_} for keys %said;
    my @changing = ('write-ahead log', 'last write'); # the session's own use is written, too
    delete @$_{@changing} for \%fact, \%said;
    is_deeply \%fact, { map { $_ => $said{$_} } keys %fact }, 'the facts are those of status';
    is $fact{QSOs}, 3, 'the number of QSOs is among the facts';

    my (undef, $report) = QSOsync::Doctor::run(undef, '--db', $service->db, 'doctor');
    my %doctor = findings($report);
    my %page = findings($health->{doctor});
    is_deeply [sort keys %page],
        [sort qw(database space schema log content backup storage), 'file system', 'own address'],
        'the checks are those that a worker can make';
    is $page{$_}, $doctor{$_}, "the finding $_ is the doctor's" for grep { $_ ne 'log' } sort keys %page;
    my ($backup) = grep { $_->{check} eq 'backup' } @{$health->{doctor}{checks}};
    is $backup->{message}, 'no backup was ever made', 'a missing backup is found';
    like $backup->{fix}, qr/qsosync-admin --db \S+ backup --to \S+|systemctl enable/,
        'a missing backup comes with what to do';
    $service->admin('backup', $service->directory . '/data/backup.db');
    %page = findings(health()->{doctor});
    like $page{backup}, qr{\Aok the last one is .*/backup\.db, 0 days old\z}, 'the last backup is told, with its age';

    # What was refused, and to whom.
    my ($refusal) = @{$health->{refusals}};
    is_deeply [@$refusal{qw(callsign code count)}], ['21SD333', 'FREQUENCY_FORMAT_INVALID', 2],
        'the last refusal of a key is told';
    my %count = map { @$_{qw(code count)} } @{$health->{refused}};
    is_deeply \%count, { FREQUENCY_FORMAT_INVALID => 1, FREQUENCY_OUT_OF_BAND_11M => 1 },
        'the page tells how often each code was the answer';

    # Damage is found, and what a rule says of it.
    $service->sqlite('UPDATE logbook SET last_stamp = 1');
    like +{ findings(health()->{doctor}) }->{content}, qr/\Atrouble /, 'a broken rule is found';

    # Its process keeps its locks: otherwise another one could take the logbook's files away under it.
    # (/proc/locks is no picture of one moment: while others take and release locks, a line may come twice or be
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
    is until_true(\&holds_all), $all, 'a worker holds its locks still after it was asked for its health';
    $service->stop;
}

done_testing;
