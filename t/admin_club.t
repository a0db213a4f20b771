use QSOsync::Test fronts => 'none';

# qsosync-admin club: the settings of the club, and the log of acts.
my $service = QSOsync::Service->start(wants_member => 0);
sub club { JSON::PP::decode_json($service->admin('club', 'show', '--json')) }
sub try_set { $service->admin_try('club', 'set', @_) }
my @names = qw(name text link contact legal address);

is_deeply club(), {map { $_ => undef } @names}, 'club show prints no value for a new club';
my %value = (name => "Club f\xc3\xbcr Funk", text => 'Every Monday on channel 9',
    link => 'https://club.example.org/?a=1', contact => 'board@club.example.org', legal => "Club\n1 Street\nTown",
    address => 'https://log.example.org/club');
is $service->admin('club', 'set', map { ("--$_", $value{$_}) } @names), '', 'club set prints nothing to a program';
is_deeply club(), {map { my $text = $value{$_}; utf8::decode($text); ($_ => $text) } @names},
    'one club set can change all values';
is $service->admin('club', 'show') . "\n", <<"END", 'club show prints one value per line and aligns further lines';
name     $value{name}
text     $value{text}
link     $value{link}
contact  $value{contact}
legal    Club
         1 Street
         Town
address  $value{address}
END
$service->admin('club', 'set', '--name', ' Other ');
is_deeply [@{club()}{qw(name text)}], ['Other', $value{text}], 'club set keeps other values and trims texts';
$service->admin('club', 'set', '--text', '', '--legal', '  ');
is_deeply [@{club()}{qw(name text legal)}], ['Other', undef, undef], 'an empty text removes the value';

# The service's own address.
for (['https://log.example.org/api/v1', 'https://log.example.org'],
    ['https://log.example.org/', 'https://log.example.org'],
    ['https://log.example.org/club/api/v1/', 'https://log.example.org/club'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'], ['http://localhost/x', 'http://localhost/x']) {
    my ($given, $kept) = @$_;
    is_deeply [try_set('--address', $given)], [0, '', ''], "the address $given is accepted";
    is club()->{address}, $kept, "the address $given is stored as $kept";
}
is_deeply [try_set('--address', 'http://log.example.org')],
    [0, '', "qsosync-admin: http://log.example.org does not start with https://: members cannot sign in there\n"],
    'an address without TLS is accepted with a warning';

# Numbers on the front page.
$service->admin('club', 'set', '--numbers', 'off');
is club()->{numbers}, 'off', 'club set --numbers off hides the numbers';
like $service->admin('club', 'show'), qr/^numbers  off$/m, 'club show prints that numbers are off';
$service->admin('club', 'set', '--numbers', '');
ok !exists club()->{numbers}, 'club show omits numbers with the default setting';

# The colour of the pages.
$service->admin('club', 'set', '--accent', 'green');
is club()->{accent}, 'green', 'club set --accent stores the colour';
like $service->admin('club', 'show'), qr/^accent   green$/m, 'club show prints the colour';
$service->admin('club', 'set', '--accent', '');

# Refused changes: one wrong option refuses the whole command.
my $before = club();
for (['--name', 'x' x 81], ['--text', 'x' x 501], ['--contact', "a\nb"], ['--legal', 'x' x 2001],
    ['--link', 'club.example.org'], ['--link', 'javascript:alert(1)'], ['--address', 'log.example.org'],
    ['--link', "https://club.example.org/\xe2\x80\xaegpj.exe"], ['--legal', "a\n\xe2\x81\xa6b"],
    ['--address', 'https://a@b/'], ['--numbers', 'some'], ['--accent', 'red'],
    ['--name', "\xff"], ['--name', "a\x1b[2J"]) {
    my ($option, $wrong) = @$_;
    my ($status, $output, $errors) = try_set('--contact', 'new', $option, $wrong);
    is "$status$output", '1', "$option is refused" . (length $wrong > 40 ? '' : ": $wrong" =~ s/[^ -~]/?/gr);
    like $errors, qr/\Aqsosync-admin: $option must [^\n]*\n\z/, 'one line states the rule of a refused option';
}
is_deeply club(), $before, 'a refused club set changes nothing';
is +(try_set())[0], 2, 'club set without an option is wrong usage';

# qsosync-admin log: acts of operators and commands.
{
    my $service = QSOsync::Service->start(wants_member => 0);
    my $directory = $service->directory;
    sub acts { @{JSON::PP::decode_json($service->admin('log', '--json', @_))} }
    sub newest {
        my ($act) = acts('--limit', 1);
        return join ' | ', map { $_ // '-' } @$act{qw(operator act subject details)};
    }
    is_deeply [acts()], [], 'the log of a new logbook has no acts';

    QSOsync::Front::write_file("$directory/list.txt", "26AT101, JO59\n35AT9, JO31\n");
    QSOsync::Front::write_file("$directory/log.adi", '<CALL:6>35AT10<QSO_DATE:8>20260517<TIME_ON:4>1942<BAND:3>11m'
        . '<FREQ:6>27.405<MODE:2>FM<EOR>');
    $service->admin('club', 'set', '--address', 'https://log.example.org');
    like newest(), qr/\A- \| club set \| - \| address\z/, 'club set is recorded as an act';
    for (['member add', '21SD333', 'member', 'add', '21SD333', '--locator', 'JO59'],
        ['member add', '35AT9', 'member', 'add', '--from', "$directory/list.txt"],
        ['member set', '21SD333', 'member', 'set', '21SD333', '--locator', 'JO31'],
        ['member set', '21SD333', 'member', 'set', '21SD333', '--operator', 'on'],
        ['member rename', '21SD333', 'member', 'rename', '21SD333', '21SD777'],
        ['member disable', '35AT9', 'member', 'disable', '35AT9'],
            ['member enable', '35AT9', 'member', 'enable', '35AT9'],
        ['member invite', '21SD777', 'member', 'invite', '21SD777'],
        ['member invite', '21SD777', 'member', 'invite', '21SD777', '--new'],
        ['key add', '21SD777', 'key', 'add', '21SD777', '--name', 'x', '--scope', 'READ'],
        ['key revoke', '21SD777', 'key', 'revoke', '21SD777', 1],
        ['uploads', undef, 'uploads', 'on'],
        ['upload-token add', '21SD777', 'upload-token', 'add', '21SD777', '--name', 'x'],
        ['upload-token revoke', '21SD777', 'upload-token', 'revoke', '21SD777', 1],
        ['import', '21SD777', 'import', '21SD777', "$directory/log.adi"],
        ['backup', undef, 'backup', "$directory/copy.db"],
        ['restore', '21SD777', 'restore', "$directory/copy.db", '--member', '21SD777'],
        ['restore', undef, 'restore', "$directory/copy.db"],
        ['member delete', '35AT9', 'member', 'delete', '35AT9', '--yes']) {
        my ($act, $subject, @arguments) = @$_;
        my ($status, undef, $errors) = $service->admin_try(@arguments);
        is $status, 0, "'$act' succeeds" or diag $errors;
        my ($noted) = acts('--limit', 1);
        like $noted->{act}, qr/\A\Q$act\E/, "'@arguments' is recorded as an act";
        is $noted->{subject}, $subject, "the act of '@arguments' names its subject";
        is $noted->{operator}, undef, "the act of '@arguments' names no operator";
    }
    is_deeply [map { $_->{details} } grep { $_->{act} eq 'import' } acts()], ['log.adi: 1 imported, 0 updated'],
        'the act of an import names its file and its counts';
    like +(acts())[0]{at}, qr/\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\z/, 'an act has the time at which it happened';

    # Commands without an effect record no act.
    my $count = acts();
    $service->admin_try(@$_) for ['member', 'list'], ['status'], ['club', 'show'], ['log'], ['check'], ['metrics'],
        ['export', '21SD777', "$directory/out.adi"], ['import', '21SD777', "$directory/log.adi", '--dry-run'],
        ['member', 'add', '21SD777', '--locator', 'JO59'], ['member', 'disable', 'nobody'], ['init'],
        ['member', 'add', '--from', "$directory/list.txt"], ['key', 'revoke', '21SD777', 99];
    is scalar(acts()), $count, 'a command that changes nothing or is refused records no act';
    is scalar(acts('--limit', 3)), 3, '--limit limits the number of listed acts';
    my ($heading, @lines) = split /\n/, $service->admin('log');
    like $heading, qr/\ATIME +OPERATOR +ACT +SUBJECT +DETAILS\z/, 'the table of the activity log has headings';
    like $lines[0], qr/\A\S+Z +- +member delete +35AT9 +/, 'the newest act is listed first';
    is +($service->admin_try('log', '--limit', $_))[0], 2, "'--limit $_' is wrong usage" for 0, 'x', '';
    my $text = $service->admin('log', '--json');
    unlike $text, qr/qsosync(?:in|up)?_\w/, 'no act contains a key, a token or a link';
}

done_testing;
