use QSOsync::Test fronts => 'essential';

# The service names its contact for security faults.
my $service = QSOsync::Service->start(site => 1);
my $ask = sub { $service->request('GET', '', raw_path => '/.well-known/security.txt') };
is $ask->()->status, 404, 'a club without a contact has no security.txt';
for (['Board <board@club.example.org>, every Monday', 'mailto:board@club.example.org'],
    ['see https://club.example.org/security.', 'https://club.example.org/security'],
    ['(mailto:board@club.example.org)', 'mailto:board@club.example.org'],
    ["r\xc3\xa4t+50%/x\@club.example.org", 'mailto:r%C3%A4t+50%25%2Fx@club.example.org'],
    ['Tell the board.', 'https://club.example.org/']) {
    my ($contact, $address) = @$_;
    $service->admin('club', 'set', '--contact', $contact, '--link', 'https://club.example.org/');
    my $answer = $ask->();
    my $day = qr/20\d\d-\d\d-\d\d/;
    like $answer->body, qr{\AContact: \Q$address\E\nExpires: ${day}T00:00:00\.000Z\n\z},
        "security.txt names the club's address: $address";
    is $answer->header('Content-Type'), 'text/plain; charset=utf-8', 'security.txt is plain text';
}
$service->admin('club', 'set', '--address', 'https://log.example.org');
like $ask->()->body, qr{^Canonical: https://log\.example\.org/\.well-known/security\.txt\n\z}m,
    'security.txt contains its own address if the service uses https';

done_testing;
