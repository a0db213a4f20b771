use QSOsync::Test fronts => 'nginx', slow => 20, suite => 'all';
use POSIX ();
use QSOsync::Client;
use QSOsync::Profile;
use QSOsync::Worker;

# Failures empty buckets: one of the address (10 tokens, one more per minute), one of its /48 (40, four per minute) and
# one of the account (20, one in three minutes). Who has signed in before on a device has a bucket of that device.
my $service = QSOsync::Service->start(site => 4);
$service->add_member($_) for '26AT101', '26AT102', '26AT103';
QSOsync::Profile->log_in($service, '26AT102');
my $me = QSOsync::Operator->with_role($service, '21SD333');
my $other = QSOsync::Profile->log_in($service, '26AT103');
my $db = $service->db;
my $address = 1;
sub send_from {
    my ($from, $path, $json, %headers) = @_;
    return QSOsync::Client::request($service->port, 'POST', $path, from => $from, body => JSON::PP::encode_json($json),
        headers => { 'Content-Type' => 'application/json', 'Sec-Fetch-Site' => 'same-origin', %headers });
}
sub guess {
    my ($from, $callsign, %headers) = @_;
    return send_from($from, '/sign-in', { callsign => $callsign // '21SD333', password => 'a guess' }, %headers);
}
sub right {
    my ($from, $who, %headers) = @_;
    $who //= $me;
    return send_from($from, '/sign-in', { callsign => $who->{callsign}, password => $who->{password} }, %headers);
}
sub unknown_link { return send_from($_[0], '/welcome/', { token => 'qsosyncin_' . 'a' x 49 }) }
sub new_address { return '127.0.1.' . ++$address }
sub told { my ($answer) = @_; return join ' ', $answer->status, $answer->code // () }
# The cookies that a browser has after an answer.
sub cookies_of {
    my ($answer, %cookies) = @_;
    for (@{$answer->headers->{'set-cookie'} || []}) {
        my ($name, $value, $age) = /\A([^=]+)=(\w*); Max-Age=(\d+)/ or die $_;
        $cookies{$name} = $value;
        delete $cookies{$name} if !$age;
    }
    return join '; ', map { "$_=$cookies{$_}" } sort keys %cookies;
}

# -- An address -----------------------------------------------------------------------------------------------------

my $house = new_address();
is join(' ', map { guess($house)->status } 1 .. 10), join(' ', (401) x 10), 'ten guesses are answered';
my $answer = guess($house);
is told($answer), '429 GENERIC.RATE_LIMITED', 'the eleventh guess has to wait';
like $answer->header('Retry-After'), qr/\A(?:[1-5]?\d|60)\z/, 'Retry-After says when the next guess is answered';
is right($house)->status, 429, 'even a stranger with the right password has to wait';
is right(new_address())->status, 204, 'the member signs in from another address';
is told(unknown_link($house)), '429 GENERIC.RATE_LIMITED', 'an unknown link has to wait as well';
is send_from($house, '/sign-in', { callsign => '21SD333' })->status, 400, 'a form without a password is no guess';
is QSOsync::Client::request($service->port, 'GET', $_, from => $house)->status, 200, "$_ is shown as before"
    for '/sign-in', '/', '/cluster/spots';

# The same house: who is known is never refused because of others.
is right($house, $me, Cookie => $me->cookie)->status, 204, 'a browser that is signed in signs in again';
is send_from($house, '/profile/data/prove', { password => $me->{password} }, Cookie => $me->cookie)->status, 401,
    'signing in again has ended the session of before';
$me->{cookie} = QSOsync::Profile::cookie_of(right($house, $me, Cookie => $me->cookie));
ok $me->cookie, 'a browser whose session has ended is known';
is send_from($house, '/profile/data/prove', { password => $me->{password} }, Cookie => $me->cookie)->status, 204,
    'an operator confirms with the right password';
my $out = send_from($house, '/sign-out', {}, Cookie => $me->cookie);
my $device = cookies_of($out);
like $device, qr/\Aqsosync-device=\w{43}\z/, 'a browser that signs out keeps a cookie by which it is known';
like $out->headers->{'set-cookie'}[1], qr/; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict\z/,
    'scripts and other sites have no use of that cookie either';
is send_from($house, '/profile/data/prove', { password => $me->{password} }, Cookie => $device)->status, 401,
    'that cookie opens nothing';
$answer = right($house, $me, Cookie => $device);
is $answer->status, 204, 'a device on which the member has signed in before signs in';
$me->{cookie} = QSOsync::Profile::cookie_of($answer);
my $invitation = QSOsync::Profile::invite($service, '26AT101');
is send_from($house, '/welcome/', { token => $invitation })->status, 204, 'an unused invitation signs in';
is told(send_from($house, '/welcome/', { token => $invitation })), '401 SIGN_IN.LINK_USED',
    'a used invitation says that it was used';
is told(right($house, $other, Cookie => $device)), '429 GENERIC.RATE_LIMITED',
    'a device is known for the members who have signed in there only';
is told(right($house, $me, Cookie => "qsosync-device=$_")), '429 GENERIC.RATE_LIMITED', 'nobody can make such a cookie'
    for 'x' x 43, substr($device, 15, 42) . 'x', 'x', '';

# Two members share a browser.
my $both = cookies_of(right(new_address(), $other, Cookie => "$device; " . $me->cookie),
    'qsosync-device' => substr $device, 15);
is right($house, $other, Cookie => $both)->status, 204, 'a browser is known for the member who is signed in';
$both = cookies_of(send_from($house, '/sign-out', {}, Cookie => $both), map { split /=/ } split /; /, $both);
like $both, qr/\Aqsosync-device=\w{86}\z/, 'a browser keeps a cookie for each member who has signed in there';
is right($house, $_, Cookie => $both)->status, 204, "a browser is known for $_->{callsign}, who has signed in there"
    for $me, $other;
$me->{cookie} = QSOsync::Profile::cookie_of(right($house, $me, Cookie => $both));
$other->{cookie} = QSOsync::Profile::cookie_of(right($house, $other, Cookie => $both));

# The device's own failures.
is join(' ', map { guess($house, '21SD333', Cookie => $device)->status } 1 .. 11), join(' ', (401) x 10, 429),
    'a known device has ten failures of its own';
is right($house, $me, Cookie => $device)->status, 429, 'then it has to wait';
is send_from($house, '/profile/data/prove', { password => $me->{password} }, Cookie => $me->cookie)->status, 204,
    'another device of the member has not';

# All that can be guessed counts together, and what is right puts nothing back.
unlink "$db-guesses";
my $stranger = new_address();
guess($stranger, $_) for '21SD333', '26AT101', 'NOBODY', '21sd333';
unknown_link($stranger) for 1 .. 3;
is right($stranger)->status, 204, 'the right password is not a failure';
send_from($stranger, '/profile/data/password', { password => 'something new', current => 'a guess' },
    Cookie => $me->cookie);
send_from($stranger, '/profile/data/prove', { password => 'a guess' }, Cookie => $me->cookie);
is guess($stranger)->status, 401, 'the tenth failure is answered';
is guess($stranger)->status, 429, 'callsigns, links and the password of who is signed in count together';

# Time passes. (After 24 bytes, the table has of each bucket its owner and when it is full again, in milliseconds.)
sub let_pass {
    my ($ms) = @_;
    open my $file, '+<:raw', "$db-guesses" or die $!;
    my $table = do { local $/; <$file> };
    for (my $at = 24; $at < length $table; $at += 16) {
        my ($owner, $full) = unpack 'Q q', substr $table, $at, 16;
        substr $table, $at, 16, pack 'Q q', $owner, $full - $ms if $owner;
    }
    seek $file, 0, 0;
    print {$file} $table;
    close $file;
}
let_pass(61_000);
is join(' ', guess($stranger)->status, guess($stranger)->status), '401 429', 'an address has one more guess per minute';
let_pass(61_000);
is right($stranger)->status, 204, 'with that guess a member signs in';
let_pass(-100_000_000);
is guess($stranger)->status, 401, 'times from before a reboot do not count';

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
cmp_ok $count{401} // 0, '<=', 10, 'of forty guesses at once no more are answered than one after the other'
    or diag explain \%count;
is right(new_address())->status, 204, 'the member signs in';

# -- An account -----------------------------------------------------------------------------------------------------

# From ever new addresses; whether there is such a member makes no difference.
unlink "$db-guesses";
for my $spellings (['21SD333', '21-sd-333'], ['99XX999', '99.xx 999']) {
    my ($callsign, $spelling) = @$spellings;
    is join(' ', map { guess(new_address(), $callsign)->status } 1 .. 20), join(' ', (401) x 20),
        "$callsign: twenty guesses from as many addresses are answered";
    $answer = guess(new_address(), $spelling);
    is told($answer), '429 GENERIC.RATE_LIMITED', "$callsign: the next has to wait";
    like $answer->header('Retry-After'), qr{\A(?:1[0-7]\d|180|[1-9]?\d)\z}, "$callsign: three minutes at most";
}
is right(new_address())->status, 429, 'a stranger with the right password has to wait';
is right(new_address(), $other)->status, 204, 'other members sign in anywhere';
is right(new_address(), $me, Cookie => $both)->status, 204, 'the member signs in on a known device anywhere';
is send_from(new_address(), '/profile/data/prove', { password => $me->{password} }, Cookie => $me->cookie)->status, 204,
    'a browser that is signed in gives the password anywhere';
is send_from(new_address(), '/welcome/', { token => QSOsync::Profile::invite($service, '21SD333') })->status, 204,
    'the member signs in by an invitation anywhere';
is guess(new_address(), 'anna')->status, 401, 'another name is another account';
is told(guess(new_address(), lc '21SD333')), '429 GENERIC.RATE_LIMITED', 'a login name is the account of its member';
let_pass(181_000);
is right(new_address())->status, 204, 'the member signs in after three minutes';

# A member who guesses another one's password, and signs in between.
unlink "$db-guesses";
is join(' ', map { (guess($_)->status, right($_, $other, Cookie => $other->cookie)->status) } ($house) x 12),
    join(' ', ('401 204') x 10, ('429 204') x 2), 'signing in between guesses gives no further guess';

# Sixteen networks that guess together.
unlink "$db-guesses";
%count = ();
for my $round (1 .. 10) {
    $count{guess("127.$_.0.1")->status}++ for 1 .. 16;
}
is $count{401}, 20, 'sixteen networks together get twenty guesses at one account, and wait' or diag explain \%count;

# -- Which addresses are one ------------------------------------------------------------------------------------------

my $number = 0;
sub from_cgi {
    my ($from, $callsign, %option) = @_;
    $callsign //= '1XX' . ++$number;
    return QSOsync::Cgi::answer($folder, { QSOSYNC_DB => $db, QSOSYNC_RATE_LIMIT => 0, REQUEST_URI => '/sign-in',
        REQUEST_METHOD => 'POST', HTTP_HOST => '127.0.0.1', HTTP_SEC_FETCH_SITE => 'same-origin',
        CONTENT_TYPE => 'application/json', REMOTE_ADDR => $from, QSOSYNC_SANDBOX => 0 },
        program => QSOsync::Front::site_program(), body => qq({"callsign":"$callsign","password":"a guess"}),
        %option)->status;
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

# The same work for whoever is not let in, in instructions.
unlink "$db-guesses";
$service->admin('member', 'disable', '26AT102');
SKIP: {
    skip 'valgrind is not there', 3 if system('valgrind --version >/dev/null 2>&1') != 0;
    my %work;
    for my $who ([known => '21SD333'], [unknown => '99XX999'], [disabled => '26AT102'], [passwordless => '26AT101']) {
        my $counts = "$folder/callgrind";
        from_cgi('198.51.100.' . ++$address, $who->[1],
            through => ['valgrind', '--tool=callgrind', "--callgrind-out-file=$counts"]);
        ($work{$who->[0]}) = QSOsync::Front::read_file($counts) =~ /^summary: (\d+)/m or die 'no counts';
    }
    cmp_ok abs($work{$_} / $work{known} - 1), '<', 0.01, "a member who is $_ is refused after the same work"
        or diag explain \%work
        for qw(unknown disabled passwordless);
}

# A file that is not ours to count in lets nobody guess.
rename "$db-guesses", "$db-kept";
mkdir "$db-guesses";
is from_cgi('192.0.2.9'), 500, 'where nothing can be counted nobody signs in';
rmdir "$db-guesses";
rename "$db-kept", "$db-guesses";
is from_cgi('192.0.2.9'), 401, 'afterwards it is as before';

done_testing;
