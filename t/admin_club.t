use QSOsync::Test fronts => 'none';

# qsosync-admin club shows and changes the club's settings.
my $service = QSOsync::Service->start(wants_member => 0);
sub club { JSON::PP::decode_json($service->admin('club', 'show', '--json')) }
sub try_set { $service->admin_try('club', 'set', @_) }
my @names = qw(name text link contact legal address);

is_deeply club(), {map { $_ => undef } @names}, 'club show --json prints null for each text of a new club';
my %value = (name => "Club f\xc3\xbcr Funk", text => 'Every Monday on channel 9',
    link => 'https://club.example.org/?a=1', contact => 'board@club.example.org', legal => "Club\n1 Street\nTown",
    address => 'https://log.example.org/club');
is $service->admin('club', 'set', map { ("--$_", $value{$_}) } @names), '', 'club set prints nothing to a program';
is_deeply club(), {map { my $text = $value{$_}; utf8::decode($text); ($_ => $text) } @names},
    'one club set can change several values';
is $service->admin('club', 'show') . "\n", <<"END", 'club show prints each value, and aligns further lines';
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
is_deeply [@{club()}{qw(name text legal)}], ['Other', undef, undef], 'an empty or blank text removes the value';

# The service's own address is stored without the path of the API.
for (['https://log.example.org/api/v1', 'https://log.example.org'],
    ['https://log.example.org/', 'https://log.example.org'],
    ['https://log.example.org/club/api/v1/', 'https://log.example.org/club'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'], ['http://localhost/x', 'http://localhost/x']) {
    my ($given, $kept) = @$_;
    is_deeply [try_set('--address', $given)], [0, '', ''], "the address $given is accepted";
    is club()->{address}, $kept, "the address $given is stored as $kept";
}
is_deeply [try_set('--address', 'http://log.example.org')],
    [0, '', "qsosync-admin: http://log.example.org does not start with https://, so members cannot sign in there\n"],
    'an address without TLS is accepted with a warning';

# The club decides whether the front page shows numbers.
$service->admin('club', 'set', '--numbers', 'off');
is club()->{numbers}, 'off', 'club set --numbers off is stored';
like $service->admin('club', 'show'), qr/^numbers  off$/m, 'club show prints that numbers are off';
$service->admin('club', 'set', '--numbers', '');
ok !exists club()->{numbers}, 'an empty --numbers restores the default, which club show --json omits';

# The club chooses the colour of the pages.
$service->admin('club', 'set', '--accent', 'green');
is club()->{accent}, 'green', 'club set --accent stores the colour';
like $service->admin('club', 'show'), qr/^accent   green$/m, 'club show prints the colour';
$service->admin('club', 'set', '--accent', '');

# If one option is wrong, the whole command is refused.
my $before = club();
for (['--name', 'x' x 81], ['--text', 'x' x 501], ['--contact', "a\nb"], ['--legal', 'x' x 2001],
    ['--link', 'club.example.org'], ['--link', 'javascript:alert(1)'], ['--address', 'log.example.org'],
    ['--link', "https://club.example.org/\xe2\x80\xaegpj.exe"], ['--legal', "a\n\xe2\x81\xa6b"],
    ['--address', 'https://a@b/'], ['--numbers', 'some'], ['--accent', 'red'],
    ['--name', "\xff"], ['--name', "a\x1b[2J"]) {
    my ($option, $wrong) = @$_;
    my ($status, $output, $errors) = try_set('--contact', 'new', $option, $wrong);
    is "$status$output", '1', "$option is refused" . (length $wrong > 40 ? '' : ": $wrong" =~ s/[^ -~]/?/gr);
    like $errors, qr/\Aqsosync-admin: $option must [^\n]*\n\z/, 'one line states the rule for a refused option';
}
is_deeply club(), $before, 'a refused club set changes nothing';
is +(try_set())[0], 2, 'club set without an option is wrong usage';

done_testing;
