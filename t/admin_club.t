use QSOsync::Test fronts => 'none';

# qsosync-admin club: what the club says of itself.
my $service = QSOsync::Service->start(wants_member => 0);
sub club { JSON::PP::decode_json($service->admin('club', 'show', '--json')) }
sub try_set { $service->admin_try('club', 'set', @_) }
my @names = qw(name text link contact legal address);

is_deeply club(), {map { $_ => undef } @names}, 'a new club says nothing';
my %value = (name => "Club f\xc3\xbcr Funk", text => 'Every Monday on channel 9',
    link => 'https://club.example.org/?a=1', contact => 'board@club.example.org', legal => "Club\n1 Street\nTown",
    address => 'https://log.example.org/club');
is $service->admin('club', 'set', map { ("--$_", $value{$_}) } @names), '', 'a change says nothing to a program';
is_deeply club(), {map { my $text = $value{$_}; utf8::decode($text); ($_ => $text) } @names},
    'all of it can be set at once';
is $service->admin('club', 'show') . "\n", <<"END", 'a person sees a line for each, a notice of several lines aligned';
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
is_deeply [@{club()}{qw(name text)}], ['Other', $value{text}], 'what is not given stays; blanks around a text go';
$service->admin('club', 'set', '--text', '', '--legal', '  ');
is_deeply [@{club()}{qw(name text legal)}], ['Other', undef, undef], 'an empty text takes one away';

# The service's own address.
for (['https://log.example.org/api/v1', 'https://log.example.org'],
    ['https://log.example.org/', 'https://log.example.org'],
    ['https://log.example.org/club/api/v1/', 'https://log.example.org/club'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'], ['http://localhost/x', 'http://localhost/x']) {
    my ($given, $kept) = @$_;
    is_deeply [try_set('--address', $given)], [0, '', ''], "the address $given is taken";
    is club()->{address}, $kept, "the address $given is kept as $kept";
}
is_deeply [try_set('--address', 'http://log.example.org')],
    [0, '', "qsosync-admin: http://log.example.org is not https: members cannot sign in there\n"],
    'an address without TLS is taken with a warning';

# Whether the front page tells numbers.
$service->admin('club', 'set', '--numbers', 'off');
is club()->{numbers}, 'off', 'numbers can be switched off';
like $service->admin('club', 'show'), qr/^numbers  off$/m, 'a person sees that they are';
$service->admin('club', 'set', '--numbers', '');
ok !exists club()->{numbers}, 'what is as everywhere is not told';

# The colour of the pages.
$service->admin('club', 'set', '--accent', 'green');
is club()->{accent}, 'green', 'a club chooses its colour';
like $service->admin('club', 'show'), qr/^accent   green$/m, 'a person sees which';
$service->admin('club', 'set', '--accent', '');

# Refused, as a whole.
my $before = club();
for (['--name', 'x' x 81], ['--text', 'x' x 501], ['--contact', "a\nb"], ['--legal', 'x' x 2001],
    ['--link', 'club.example.org'], ['--link', 'javascript:alert(1)'], ['--address', 'log.example.org'],
    ['--link', "https://club.example.org/\xe2\x80\xaegpj.exe"], ['--legal', "a\n\xe2\x81\xa6b"],
    ['--address', 'https://a@b/'], ['--numbers', 'some'], ['--accent', 'red'],
    ['--name', "\xff"], ['--name', "a\x1b[2J"]) {
    my ($option, $wrong) = @$_;
    my ($status, $output, $errors) = try_set('--contact', 'new', $option, $wrong);
    is "$status$output", '1', "$option is refused" . (length $wrong > 40 ? '' : ": $wrong" =~ s/[^ -~]/?/gr);
    like $errors, qr/\Aqsosync-admin: $option must [^\n]*\n\z/, 'one line says why';
}
is_deeply club(), $before, 'what is refused changes nothing';
is +(try_set())[0], 2, 'club set without an option is wrong usage';

# qsosync-admin log: what operators did, by commands too.
{
    my $service = QSOsync::Service->start(wants_member => 0);
    my $directory = $service->directory;
    sub acts { @{JSON::PP::decode_json($service->admin('log', '--json', @_))} }
    sub newest {
        my ($act) = acts('--limit', 1);
        return join ' | ', map { $_ // '-' } @$act{qw(operator act subject details)};
    }
    is_deeply [acts()], [], 'a new logbook has no acts';

    QSOsync::Front::write_file("$directory/list.txt", "26AT101, JO59\n35AT9, JO31\n");
    QSOsync::Front::write_file("$directory/log.adi", '<CALL:6>35AT10<QSO_DATE:8>20260517<TIME_ON:4>1942<BAND:3>11m'
        . '<FREQ:6>27.405<MODE:2>FM<EOR>');
    $service->admin('club', 'set', '--address', 'https://log.example.org');
    like newest(), qr/\A- \| club set \| - \| address\z/, 'club set is noted';
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
        is $status, 0, "'$act' is done" or diag $errors;
        my ($noted) = acts('--limit', 1);
        like $noted->{act}, qr/\A\Q$act\E/, "'@arguments' is noted";
        is $noted->{subject}, $subject, "'@arguments' is noted with whom it was done to";
        is $noted->{operator}, undef, "'@arguments' is noted as the command's";
    }
    is_deeply [map { $_->{details} } grep { $_->{act} eq 'import' } acts()], ['log.adi: 1 imported, 0 updated'],
        'an import is noted with its file and what it did';
    like +(acts())[0]{at}, qr/\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\z/, 'an act has its time';

    # What changes nothing is no act.
    my $count = acts();
    $service->admin_try(@$_) for ['member', 'list'], ['status'], ['club', 'show'], ['log'], ['check'], ['metrics'],
        ['export', '21SD777', "$directory/out.adi"], ['import', '21SD777', "$directory/log.adi", '--dry-run'],
        ['member', 'add', '21SD777', '--locator', 'JO59'], ['member', 'disable', 'nobody'], ['init'],
        ['member', 'add', '--from', "$directory/list.txt"], ['key', 'revoke', '21SD777', 99];
    is scalar(acts()), $count, 'what changes nothing, or is refused, is no act';
    is scalar(acts('--limit', 3)), 3, '--limit says how many are listed';
    my ($heading, @lines) = split /\n/, $service->admin('log');
    like $heading, qr/\ATIME +OPERATOR +ACT +SUBJECT +DETAILS\z/, 'a list for people has headings';
    like $lines[0], qr/\A\S+Z +- +member delete +35AT9 +/, 'the newest act comes first';
    is +($service->admin_try('log', '--limit', $_))[0], 2, "'--limit $_' is wrong usage" for 0, 'x', '';
    my $text = $service->admin('log', '--json');
    unlike $text, qr/qsosync(?:in|up)?_\w/, 'no act holds a key, a token or a link';
}

done_testing;
