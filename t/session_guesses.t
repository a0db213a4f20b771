use QSOsync::Test fronts => 'nginx', slow => 20, suite => 'all';
use POSIX ();
use QSOsync::Client;
use QSOsync::Profile;
use QSOsync::Worker;

# A failed guess removes a token from each of three buckets. The bucket of an address holds 10 tokens, and regains one
# per minute. The bucket of the address's /48 holds 40 tokens, and regains four per minute. The bucket of an account
# holds 20 tokens, and regains one in three minutes. A device on which the member has signed in before has its own
# bucket.
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
sub reply { my ($answer) = @_; return join ' ', $answer->status, $answer->code // () }
# Returns the cookies that a browser has after an answer.
sub cookies_of {
    my ($answer, %cookies) = @_;
    for (@{$answer->headers->{'set-cookie'} || []}) {
        my ($name, $value, $age) = /\A([^=]+)=(\w*); Max-Age=(\d+)/ or die $_;
        $cookies{$name} = $value;
        delete $cookies{$name} if !$age;
    }
    return join '; ', map { "$_=$cookies{$_}" } sort keys %cookies;
}

# An address has a bucket.
my $house = new_address();
is join(' ', map { guess($house)->status } 1 .. 10), join(' ', (401) x 10), 'an address gets ten guesses';
my $answer = guess($house);
is reply($answer), '429 GENERIC.RATE_LIMITED', 'the eleventh guess must wait';
like $answer->header('Retry-After'), qr/\A(?:[1-5]?\d|60)\z/, 'Retry-After is at most 60 seconds';
is right($house)->status, 429, 'a stranger must wait even with the right password';
is right(new_address())->status, 204, 'the member can sign in from another address';
is reply(unknown_link($house)), '429 GENERIC.RATE_LIMITED', 'an unknown link must also wait';
is send_from($house, '/sign-in', { callsign => '21SD333' })->status, 400, 'a form without a password is not a guess';
is QSOsync::Client::request($service->port, 'GET', $_, from => $house)->status, 200, "$_ is shown during the wait"
    for '/sign-in', '/', '/cluster/spots';

# Failures of other people at the same address never affect a known device.
is right($house, $me, Cookie => $me->cookie)->status, 204, 'a signed-in browser signs in again';
is send_from($house, '/profile/data/prove', { password => $me->{password} }, Cookie => $me->cookie)->status, 401,
    'signing in again ends the previous session';
$me->{cookie} = QSOsync::Profile::cookie_of(right($house, $me, Cookie => $me->cookie));
ok $me->cookie, 'a browser whose session has ended is still known';
is send_from($house, '/profile/data/prove', { password => $me->{password} }, Cookie => $me->cookie)->status, 204,
    'an operator can confirm the right password during the wait';
my $out = send_from($house, '/sign-out', {}, Cookie => $me->cookie);
my $device = cookies_of($out);
like $device, qr/\Aqsosync-device=\w{43}\z/, 'a browser that signs out keeps a cookie for its device';
like $out->headers->{'set-cookie'}[1], qr/; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict\z/,
    'scripts and other sites cannot use the device cookie';
is send_from($house, '/profile/data/prove', { password => $me->{password} }, Cookie => $device)->status, 401,
    'the device cookie gives no access';
$answer = right($house, $me, Cookie => $device);
is $answer->status, 204, 'a device on which the member signed in before can sign in';
$me->{cookie} = QSOsync::Profile::cookie_of($answer);
my $invitation = QSOsync::Profile::invite($service, '26AT101');
is send_from($house, '/welcome/', { token => $invitation })->status, 204, 'an unused invitation signs the member in';
is reply(send_from($house, '/welcome/', { token => $invitation })), '401 SIGN_IN.LINK_USED',
    'a used invitation is reported as used';
is reply(right($house, $other, Cookie => $device)), '429 GENERIC.RATE_LIMITED',
    'a device is known only for members who have signed in there';
is reply(right($house, $me, Cookie => "qsosync-device=$_")), '429 GENERIC.RATE_LIMITED',
    'a forged device cookie is ignored'
    for 'x' x 43, substr($device, 15, 42) . 'x', 'x', '';

# Two members share a browser.
my $both = cookies_of(right(new_address(), $other, Cookie => "$device; " . $me->cookie),
    'qsosync-device' => substr $device, 15);
is right($house, $other, Cookie => $both)->status, 204, 'a browser is known for its signed-in member';
$both = cookies_of(send_from($house, '/sign-out', {}, Cookie => $both), map { split /=/ } split /; /, $both);
like $both, qr/\Aqsosync-device=\w{86}\z/, 'a browser keeps a cookie for each member who has signed in there';
is right($house, $_, Cookie => $both)->status, 204, "a browser is known for $_->{callsign}, who has signed in there"
    for $me, $other;
$me->{cookie} = QSOsync::Profile::cookie_of(right($house, $me, Cookie => $both));
$other->{cookie} = QSOsync::Profile::cookie_of(right($house, $other, Cookie => $both));

# A known device has its own bucket.
is join(' ', map { guess($house, '21SD333', Cookie => $device)->status } 1 .. 11), join(' ', (401) x 10, 429),
    'a known device has its own ten guesses';
is right($house, $me, Cookie => $device)->status, 429, 'a known device must wait after ten failures';
is send_from($house, '/profile/data/prove', { password => $me->{password} }, Cookie => $me->cookie)->status, 204,
    'another device of the member need not wait';

# Guesses of all kinds count together, and a right password gives no further guess.
unlink "$db-guesses";
my $stranger = new_address();
guess($stranger, $_) for '21SD333', '26AT101', 'NOBODY', '21sd333';
unknown_link($stranger) for 1 .. 3;
is right($stranger)->status, 204, 'the right password is not a failure';
send_from($stranger, '/profile/data/password', { password => 'something new', current => 'a guess' },
    Cookie => $me->cookie);
send_from($stranger, '/profile/data/prove', { password => 'a guess' }, Cookie => $me->cookie);
is guess($stranger)->status, 401, 'the tenth failure is answered';
is guess($stranger)->status, 429, 'failures with callsigns, links and passwords of signed-in members count together';

# Lets time pass: moves all times in the table. After a header of 24 bytes, the table has the owner of each bucket and
# the time when the bucket is full again, in milliseconds.
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
is join(' ', guess($stranger)->status, guess($stranger)->status), '401 429',
    'an address gets one more guess per minute';
let_pass(61_000);
is right($stranger)->status, 204, 'a member can sign in with the additional guess';
let_pass(-100_000_000);
is guess($stranger)->status, 401, 'times from before a reboot are ignored';

# Concurrent guesses are all counted.
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
cmp_ok $count{401} // 0, '<=', 10, 'forty concurrent guesses get no more answers than consecutive guesses'
    or diag explain \%count;
is right(new_address())->status, 204, 'the member signs in from another address after concurrent guesses';

# An account has a bucket. Each guess comes from a new address. The answers are the same whether or not the member
# exists.
unlink "$db-guesses";
for my $spellings (['21SD333', '21-sd-333'], ['99XX999', '99.xx 999']) {
    my ($callsign, $spelling) = @$spellings;
    is join(' ', map { guess(new_address(), $callsign)->status } 1 .. 20), join(' ', (401) x 20),
        "$callsign: twenty guesses from twenty addresses are answered";
    $answer = guess(new_address(), $spelling);
    is reply($answer), '429 GENERIC.RATE_LIMITED', "$callsign: the next guess must wait";
    like $answer->header('Retry-After'), qr{\A(?:1[0-7]\d|180|[1-9]?\d)\z},
        "$callsign: the wait is at most three minutes";
}
is right(new_address())->status, 429, "the account's wait also applies to the right password";
is right(new_address(), $other)->status, 204, 'other members can sign in from any address';
is right(new_address(), $me, Cookie => $both)->status, 204,
    'the member can sign in from any address with a known device';
is send_from(new_address(), '/profile/data/prove', { password => $me->{password} }, Cookie => $me->cookie)->status, 204,
    'a signed-in browser can confirm the password from any address';
is send_from(new_address(), '/welcome/', { token => QSOsync::Profile::invite($service, '21SD333') })->status, 204,
    'the member can sign in from any address with an invitation';
is guess(new_address(), 'anna')->status, 401, 'another name is another account';
is reply(guess(new_address(), lc '21SD333')), '429 GENERIC.RATE_LIMITED',
    "a login name and its member's callsign are one account";
let_pass(181_000);
is right(new_address())->status, 204, 'the member can sign in after three minutes';

# A member guesses another member's password, and signs in between the guesses.
unlink "$db-guesses";
is join(' ', map { (guess($_)->status, right($_, $other, Cookie => $other->cookie)->status) } ($house) x 12),
    join(' ', ('401 204') x 10, ('429 204') x 2), 'signing in between guesses gives no additional guess';

# Sixteen networks guess together.
unlink "$db-guesses";
%count = ();
for my $round (1 .. 10) {
    $count{guess("127.$_.0.1")->status}++ for 1 .. 16;
}
is $count{401}, 20, 'sixteen networks get twenty guesses in all at one account' or diag explain \%count;

# Neighbouring addresses share buckets.
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
# There are more guesses than the limit of ten, because on a busy machine one failure can expire in the meantime.
from_cgi("2001:db8:1:2::$_") for 1 .. 14;
is from_cgi('2001:db8:1:2:ffff::1'), 429, 'the guesses of all addresses in a /64 count together';
is from_cgi('2001:db8:1:3::1'), 401, 'the next /64 counts separately';
from_cgi('192.0.2.7') for 1 .. 14;
is from_cgi('::ffff:192.0.2.7'), 429, 'an IPv4 address in IPv6 format is the same address';
is from_cgi('192.0.2.8'), 401, 'the next IPv4 address counts separately';

my $tries = 0;
$tries++ while $tries < 100 && from_cgi("2001:db8:5:$tries" . '::1') == 401; # one failure expires every 15 seconds
ok $tries >= 40 && $tries < 100, 'a whole /48 must wait after forty failures' or diag $tries;
is from_cgi('2001:db8:6:ffff::1'), 401, 'the next /48 need not wait';

# Each refusal takes nearly the same number of instructions, so the time does not reveal whether a member exists.
unlink "$db-guesses";
$service->admin('member', 'disable', '26AT102');
SKIP: {
    skip 'valgrind is not installed', 3 if system('valgrind --version >/dev/null 2>&1') != 0;
    my %work;
    for my $who ([known => '21SD333'], [unknown => '99XX999'], [disabled => '26AT102'], [passwordless => '26AT101']) {
        my $counts = "$folder/callgrind";
        from_cgi('198.51.100.' . ++$address, $who->[1],
            through => ['valgrind', '--tool=callgrind', "--callgrind-out-file=$counts"]);
        ($work{$who->[0]}) = QSOsync::Front::read_file($counts) =~ /^summary: (\d+)/m or die 'no counts';
    }
    cmp_ok abs($work{$_} / $work{known} - 1), '<', 0.01,
        "refusing a member who is $_ takes the same work, within one per cent"
        or diag explain \%work
        for qw(unknown disabled passwordless);
}

# If guesses cannot be counted, nobody may guess.
rename "$db-guesses", "$db-kept";
mkdir "$db-guesses";
is from_cgi('192.0.2.9'), 500, 'nobody signs in if guesses cannot be counted';
rmdir "$db-guesses";
rename "$db-kept", "$db-guesses";
is from_cgi('192.0.2.9'), 401, 'guesses are answered again as soon as they can be counted';

done_testing;
