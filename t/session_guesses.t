use QSOsync::Test fronts => 'nginx', slow => 14, suite => 'all';
use POSIX ();
use QSOsync::Client;
use QSOsync::Profile;
use QSOsync::Worker;

# Guessing is counted by address: ten failures in ten minutes. It is counted by account, too: from the twentieth failure
# in an hour on, strangers try one after the other, and those go on who have signed in from there before.
my $service = QSOsync::Service->start(site => 2);
$service->add_member($_) for '26AT101', '26AT102', '26AT103';
QSOsync::Profile->log_in($service, '26AT102');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $db = $service->db;
my $address = 1;
sub send_from {
    my ($from, $path, $json, %headers) = @_;
    return QSOsync::Client::request($service->port, 'POST', $path, from => $from, body => JSON::PP::encode_json($json),
        headers => { 'Content-Type' => 'application/json', 'Sec-Fetch-Site' => 'same-origin', %headers });
}
sub guess {
    my ($from, $callsign) = @_;
    return send_from($from, '/sign-in', { callsign => $callsign // '21SD333', password => 'a guess' });
}
sub right { return send_from($_[0], '/sign-in', { callsign => '21SD333', password => $me->{password} }) }
sub new_address { return '127.0.1.' . ++$address }

my $stranger = new_address();
is join(' ', map { guess($stranger)->status } 1 .. 10), join(' ', (401) x 10), 'ten guesses are answered';
my $answer = guess($stranger);
is $answer->status . ' ' . $answer->code, '429 GENERIC.RATE_LIMITED', 'the eleventh guess is refused';
like $answer->header('Retry-After'), qr/\A(?:5\d\d|600)\z/, 'Retry-After says when the first failure expires';
is right($stranger)->status, 429, 'after that even the right password is not verified';
is right(new_address())->status, 204, 'the member signs in from another address';

# All that can be guessed counts together, and what is right takes nothing back.
$stranger = new_address();
guess($stranger, $_) for '21SD333', '26AT101', 'NOBODY', '21sd333';
send_from($stranger, '/welcome/', { token => 'qsosyncin_' . 'a' x 49 }) for 1 .. 3;
is right($stranger)->status, 204, 'a right password is not counted as a failure';
send_from($stranger, '/profile/data/password', { password => 'something new', current => 'a guess' },
    Cookie => $me->cookie);
send_from($stranger, '/profile/data/prove', { password => 'a guess' }, Cookie => $me->cookie);
is guess($stranger)->status, 401, 'the tenth is answered';
is guess($stranger)->status, 429, 'callsigns, links and the password of who is signed in count together';
is send_from($stranger, '/welcome/', { token => QSOsync::Profile::invite($service, '26AT101') })->status, 429,
    'links are refused as well';
is send_from($stranger, '/sign-in', { callsign => '21SD333' })->status, 400, 'a malformed form is not counted';
is QSOsync::Client::request($service->port, 'GET', $_, from => $stranger)->status, 200, "$_ is shown all the same"
    for '/sign-in', '/', '/cluster/spots';

# Ten minutes later. (The table holds of each failure its network and its time in milliseconds.)
my $end = 32 + 512 * 80 * 24;
sub let_pass {
    my ($ms) = @_;
    open my $file, '+<:raw', "$db-guesses" or die $!;
    my $table = do { local $/; <$file> };
    for (my $at = 32; $at < $end; $at += 24) {
        my (@failure) = unpack 'Q L L q', substr $table, $at, 24;
        next if !$failure[1];
        $failure[3] -= $ms;
        substr $table, $at, 24, pack 'Q L L q', @failure;
    }
    seek $file, 0, 0;
    print {$file} $table;
    close $file;
}
let_pass(590_000);
is guess($stranger)->status, 429, 'after less than ten minutes it is still so';
let_pass(11_000);
is guess($stranger)->status, 401, 'after ten minutes the address may try again';
is right($stranger)->status, 204, 'the right password lets in after ten minutes';
let_pass(-10_000_000);
is right($stranger)->status, 204, 'times that lie ahead are of another life of the machine';

# At once.
unlink "$db-guesses";
$stranger = new_address();
my $folder = $service->directory;
my @pids;
for my $number (1 .. 40) {
    my $pid = fork // die "fork: $!";
    if (!$pid) { QSOsync::Front::write_file("$folder/status-$number", guess($stranger)->status); POSIX::_exit(0) }
    push @pids, $pid;
}
waitpid $_, 0 for @pids;
my %count;
$count{QSOsync::Front::read_file("$folder/status-$_")}++ for 1 .. 40;
cmp_ok $count{401} // 0, '<=', 10, 'of forty guesses at once no more are looked at than one after the other';
is +($count{401} // 0) + ($count{429} // 0), 40, 'the others are told to wait' or diag explain \%count;
is right(new_address())->status, 204, 'the member signs in';

# One account, from ever new addresses; whether there is such a member makes no difference.
unlink "$db-guesses";
my $home = new_address();
is right($home)->status, 204, 'a member signs in at home';
my $other = QSOsync::Profile->log_in($service, '26AT103');
for my $spellings (['21SD333', '21-sd-333'], ['99XX999', '99.xx 999']) {
    my ($callsign, $spelling) = @$spellings;
    is join(' ', map { guess(new_address(), $callsign)->status } 1 .. 20), join(' ', (401) x 20),
        "$callsign: twenty guesses from as many addresses are answered";
    $answer = guess(new_address(), $spelling);
    is $answer->status . ' ' . $answer->code, '429 GENERIC.RATE_LIMITED', "$callsign: the next has to wait";
    like $answer->header('Retry-After'), qr/\A[1-9]\d?\d?\z/, "$callsign: not for long";
}
is guess($home)->status, 401, 'where the member has signed in before a guess is answered';
is right($home)->status, 204, 'the member signs in there';
is send_from(new_address(), '/profile/data/prove', { password => $me->{password} }, Cookie => $me->cookie)->status, 204,
    'a browser that is signed in gives the password anywhere';
is send_from(new_address(), '/sign-in', { callsign => '26AT103', password => $other->{password} })->status, 204,
    'other members sign in anywhere';
my $hotel = new_address() =~ s/127\.0/127.9/r;
$answer = right($hotel);
is $answer->status, 429, 'the member has to wait where nobody knows him';
is guess(new_address())->status, 429, "others do not take the member's turn";
select undef, undef, undef, $answer->header('Retry-After');
is right($hotel)->status, 204, 'the member who comes again as told signs in';
is right($hotel)->status, 204, 'from then on without waiting';

# Which addresses are one.
my $number = 0;
sub from_cgi {
    my ($from, $callsign) = @_;
    $callsign //= '1XX' . ++$number;
    return QSOsync::Cgi::answer($folder, { QSOSYNC_DB => $db, QSOSYNC_RATE_LIMIT => 0, REQUEST_URI => '/sign-in',
        REQUEST_METHOD => 'POST', HTTP_HOST => '127.0.0.1', HTTP_SEC_FETCH_SITE => 'same-origin',
        CONTENT_TYPE => 'application/json', REMOTE_ADDR => $from }, program => QSOsync::Front::site_program(),
        body => qq({"callsign":"$callsign","password":"a guess"}))->status;
}
# More than the ten that are answered: a busy machine takes so long that one is forgotten meanwhile.
from_cgi("2001:db8:1:2::$_") for 1 .. 14;
is from_cgi('2001:db8:1:2:ffff::1'), 429, 'addresses of one /64 are one';
is from_cgi('2001:db8:1:3::1'), 401, 'those of the next are not';
from_cgi('192.0.2.7') for 1 .. 14;
is from_cgi('::ffff:192.0.2.7'), 429, 'an IPv4 address in the form of IPv6 is the same';
is from_cgi('192.0.2.8'), 401, 'the next one is not';

my $tries = 0;
$tries++ while $tries < 100 && from_cgi("2001:db8:5:$tries" . '::1') == 401; # one is forgotten every 15 seconds
ok $tries >= 40 && $tries < 100, 'after forty failures a whole /48 has to wait' or diag $tries;
is from_cgi('2001:db8:6:ffff::1'), 401, 'the next /48 has not';

# The same work for whoever is not let in, as a ratio.
unlink "$db-guesses";
$service->admin('member', 'disable', '26AT102');
my %callsigns = (known => '21SD333', unknown => '99XX999', disabled => '26AT102', 'without a password' => '26AT103');
my %work;
for my $who ((sort keys %callsigns) x 12) {
    my @before = times;
    from_cgi('198.51.100.' . ++$address, $callsigns{$who});
    my @after = times;
    $work{$who} += $after[2] + $after[3] - $before[2] - $before[3];
}
cmp_ok $work{$_} / $work{known}, '<', 2, "a member who is $_ is refused after the same work" or diag explain \%work
    for sort keys %work;
cmp_ok $work{known} / $work{$_}, '<', 2, "a member who is $_ is refused after as much work" or diag explain \%work
    for sort keys %work;

# A file that is not ours to count in lets nobody guess.
rename "$db-guesses", "$db-kept";
mkdir "$db-guesses";
is from_cgi('192.0.2.9'), 500, 'where nothing can be counted nobody signs in';
rmdir "$db-guesses";
rename "$db-kept", "$db-guesses";
is from_cgi('192.0.2.9'), 401, 'afterwards it is as before';

done_testing;
