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
    [0, '', "qsosync-admin: http://log.example.org is not encrypted: members cannot sign in there\n"],
    'an address without TLS is taken with a warning';

# Whether the front page tells numbers.
$service->admin('club', 'set', '--numbers', 'off');
is club()->{numbers}, 'off', 'numbers can be switched off';
like $service->admin('club', 'show'), qr/^numbers  off$/m, 'a person sees that they are';
$service->admin('club', 'set', '--numbers', '');
ok !exists club()->{numbers}, 'what is as everywhere is not told';

# Refused, as a whole.
my $before = club();
for (['--name', 'x' x 81], ['--text', 'x' x 501], ['--contact', "a\nb"], ['--legal', 'x' x 2001],
    ['--link', 'club.example.org'], ['--link', 'javascript:alert(1)'], ['--address', 'log.example.org'],
    ['--link', "https://club.example.org/\xe2\x80\xaegpj.exe"], ['--legal', "a\n\xe2\x81\xa6b"],
    ['--address', 'https://a@b/'], ['--numbers', 'some'], ['--name', "\xff"], ['--name', "a\x1b[2J"]) {
    my ($option, $wrong) = @$_;
    my ($status, $output, $errors) = try_set('--contact', 'new', $option, $wrong);
    is "$status$output", '1', "$option is refused" . (length $wrong > 40 ? '' : ": $wrong" =~ s/[^ -~]/?/gr);
    like $errors, qr/\Aqsosync-admin: $option must [^\n]*\n\z/, 'one line says why';
}
is_deeply club(), $before, 'what is refused changes nothing';
is +(try_set())[0], 2, 'club set without an option is wrong usage';

done_testing;
