use QSOsync::Test fronts => 'all';
use Digest::SHA qw(sha256);
use File::Temp ();
use JSON::PP ();
use MIME::Base64 qw(decode_base64url encode_base64url);
use QSOsync::Client;
use QSOsync::Profile;
use Time::HiRes ();

# The openssl command creates keys and signs challenges as authenticators do. Members add passkeys, use them instead of
# the password, and remove them. Invalid passkeys are refused.
my $service = QSOsync::Service->start(site => 4);
$service->add_member('26AT101');
my $me = QSOsync::Operator->with_role($service, '21SD333');
my $profile = bless {%$me}, 'QSOsync::Profile';
my $other = QSOsync::Profile->log_in($service, '26AT101');
my $origin = 'http://127.0.0.1:' . $service->port;
my $folder = File::Temp->newdir;
my $number = 0;
sub reply { my ($answer) = @_; join ' ', $answer->status, $answer->code // () }
sub openssl { system("openssl @_ 2>/dev/null") == 0 or die "openssl @_" }

# The functions below act as an authenticator.
sub make_key {
    my %key = (file => "$folder/key-" . ++$number, id => "id of a passkey $number", count => 1);
    openssl("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out $key{file}");
    openssl("pkey -in $key{file} -pubout -outform DER -out $folder/public");
    $key{point} = substr QSOsync::Front::read_file("$folder/public"), -64;
    return \%key;
}
sub cose {
    my ($point, $start) = @_;
    return pack('H*', $start // 'a5010203262001215820') . substr($point, 0, 32) . "\x22\x58\x20" . substr $point, 32;
}
sub client_data {
    my ($type, $challenge, %changed) = @_;
    return JSON::PP->new->canonical->encode({ type => "webauthn.$type", challenge => $challenge->{challenge},
        origin => $origin, crossOrigin => JSON::PP::false, %{$changed{client} || {}} });
}
sub authenticator_data {
    my ($flags, $count, $rest, %changed) = @_;
    return sha256($changed{rp_id} // '127.0.0.1') . pack('CN', $changed{flags} // $flags, $count) . $rest;
}
# These functions return the browser's data for a new passkey, and for a passkey that signs.
sub made {
    my ($key, $challenge, %changed) = @_;
    my $rest = ("\0" x 16) . pack('n/a*', $key->{id}) . ($changed{cose} // cose($key->{point}));
    return { name => $changed{name} // "Key $key->{id}",
        clientData => encode_base64url(client_data('create', $challenge, %changed)),
        authenticatorData => encode_base64url(authenticator_data(0x45, 0, $rest, %changed)) };
}
sub signed {
    my ($key, $challenge, %changed) = @_;
    my $client = client_data('get', $challenge, %changed);
    my $data = authenticator_data(0x05, $changed{count} // $key->{count}++, $changed{rest} // '', %changed);
    QSOsync::Front::write_file("$folder/signed", $data . sha256($client));
    openssl("dgst -sha256 -sign $key->{file} -out $folder/signature $folder/signed");
    return { credential => encode_base64url($key->{id}), clientData => encode_base64url($client),
        authenticatorData => encode_base64url($data),
        signature => encode_base64url(QSOsync::Front::read_file("$folder/signature")) };
}
# Each request has its own address, because failures are counted per address.
my $address = 0;
sub send_from {
    my ($from, $json, %headers) = @_;
    return QSOsync::Client::request($service->port, 'POST', '/sign-in/passkey', from => $from,
        body => JSON::PP::encode_json($json),
        headers => { 'Content-Type' => 'application/json', 'Sec-Fetch-Site' => 'same-origin', %headers });
}
sub enter { send_from('127.0.2.' . ++$address, @_) }
sub challenge { $service->request('GET', '', raw_path => '/sign-in/passkey')->json }
sub fresh { $profile->get('passkeys/challenge')->json }
sub add { my ($who, $key) = @_; reply($who->post('passkeys', made($key, $who->get('passkeys/new')->json))) }
sub prove_long_ago {
    $service->sqlite('UPDATE sessions SET proved_at = proved_at - 960000');
}

# A member adds passkeys.
my $key = make_key();
is_deeply $profile->get('passkeys')->json, { items => [], max => 10 }, 'a member has no passkey at first';
my $new = $profile->get('passkeys/new')->json;
is $new->{rpId}, '127.0.0.1', 'a passkey is bound to the host of the service';
is length decode_base64url($new->{user}), 24,
    'an authenticator gets an id of 24 bytes instead of a name for the member';
is reply($profile->post('passkeys', $_->[1])), '400 VALIDATION.FAILED', "a passkey is refused: $_->[0]" for
    ['a page on another site created it', made($key, $new, client => { origin => 'https://example.org' })],
    ['another port of the same host created it', made($key, $new, client => { origin => 'http://127.0.0.1:1' })],
    ['it was created in a frame on another site', made($key, $new, client => { crossOrigin => JSON::PP::true })],
    ['it was used instead of created', made($key, $new, client => { type => 'webauthn.get' })],
    ['it is for another host', made($key, $new, rp_id => 'example.org')],
    ['the user was not present', made($key, $new, flags => 0x44)],
    ['the user was not verified', made($key, $new, flags => 0x41)],
    ['it has no key', made($key, $new, flags => 0x05)],
    ['its key is for another algorithm', made($key, $new, cose => cose($key->{point}, 'a5010203382401215820'))],
    ['its key is not a point on the curve', made($key, $new, cose => cose("\1" x 64))],
    ['its key is truncated', made($key, $new, cose => substr(cose($key->{point}), 0, 70))],
    ['unannounced data follows', made($key, $new, cose => cose($key->{point}) . "\xa0")],
    ['the challenge is for signing in', made($key, challenge())],
    ['the challenge is from another session', made($key, $other->get('passkeys/new')->json)],
    ['the challenge is invented', made($key, { challenge => encode_base64url('x' x 40) })],
    ['it has no name', made($key, $new, name => ' ')],
    ['it has no data', { name => 'a key' }],
    ['it is not base64url', { %{made($key, $new)}, clientData => 'a+b=' }];
is reply($profile->post('passkeys', made($key, $new))), '204', 'a member can add a passkey';
is reply($profile->post('passkeys', made($key, $new))), '400 VALIDATION.FAILED',
    'the same passkey cannot be added twice';
is reply($profile->post('passkeys', made(make_key(), $new))), '400 VALIDATION.FAILED',
    'a second passkey cannot be added with an answered challenge';
my ($earlier, $later) = map { select undef, undef, undef, 0.002; $profile->get('passkeys/new')->json } 1 .. 2;
my $short = make_key();
is reply($profile->post('passkeys', made($short, $later))), '204',
    'a second passkey can be added with a later challenge';
is reply($profile->post('passkeys', made(make_key(), $earlier))), '400 VALIDATION.FAILED',
    'a passkey cannot be added with a challenge older than the last answered challenge';
my $second = $profile->get('passkeys')->json->{items}[1]{number};
is reply($profile->post("passkeys/$second/rename", { name => 'YubiKey <5>' })), '204', 'a passkey can be renamed';
is $profile->get('passkeys')->json->{items}[1]{name}, 'YubiKey <5>', 'the list has the new name';
is reply($profile->post("passkeys/$second/rename", { name => ' ' })), '400 VALIDATION.FAILED',
    'a passkey must have a name';
is reply($profile->remove("passkeys/$second")), '204', 'the second passkey can be removed';
is reply($profile->post("passkeys/$second/rename", { name => 'x' })), '404 GENERIC.NOT_FOUND',
    'a removed passkey cannot be renamed';
is reply($profile->post('passkeys', made($short, $later))), '400 VALIDATION.FAILED',
    'a passkey cannot be added with the challenge of a removed passkey';
is reply($profile->post('passkeys/prove', signed($key, $later))), '400 VALIDATION.FAILED',
    'the challenge of a new passkey is not valid for a proof';
is add($other, $key), '400 VALIDATION.FAILED', 'another member cannot add the same passkey';
my ($item) = @{$profile->get('passkeys')->json->{items}};
is_deeply [sort keys %$item], [qw(copiedAt createdAt lastUsedOn name number)],
    'an entry in the list has the number and the name of the passkey, and three times';
is_deeply $profile->get('passkeys/challenge')->json->{known}, [encode_base64url($key->{id})],
    'the browser gets the ids of the usable passkeys';
is_deeply $profile->get('everything.json')->json->{passkeys}, [{ %$item, number => 0 + $item->{number} }],
    'everything.json lists the passkey in the same format';
prove_long_ago();
my $late = make_key();
is reply($profile->get('passkeys/new')), '403 OPERATOR.PROOF_TOO_OLD',
    'a session without a recent proof cannot begin to add a passkey';
is reply($profile->post('passkeys', made($late, fresh()))), '403 OPERATOR.PROOF_TOO_OLD',
    'a session without a recent proof cannot add a passkey';

# A passkey replaces the password as a proof.
is reply($me->get('me')), '403 OPERATOR.PROOF_TOO_OLD', "the operator's page requires a recent proof";
my $theirs = make_key();
$service->sqlite('UPDATE sessions SET proved_at = proved_at + 960000 WHERE member_id = (SELECT id FROM members
    WHERE callsign = ' . "'26AT101')");
is add($other, $theirs), '204', 'another member can add a passkey';
is reply($profile->post('passkeys/prove', $_->[1])), '400 VALIDATION.FAILED', "$_->[0] is not a proof" for
    ["another member's passkey", signed($theirs, fresh())], ['a challenge for signing in', signed($key, challenge())],
    ["another session's challenge", signed($key, $other->get('passkeys/challenge')->json)],
    ['an unknown passkey', signed($late, fresh())];
is reply($me->get('me')), '403 OPERATOR.PROOF_TOO_OLD', "the operator's page still requires a proof";
my $shown = signed($key, fresh());
is reply($profile->post('passkeys/prove', $shown)), '204', "the member's own passkey is a proof";
is reply($me->get('me')), '200', "the operator's page continues after the proof";
prove_long_ago();
is reply($profile->post('passkeys/prove', $shown)), '400 VALIDATION.FAILED', 'a repeated answer is not a second proof';
is reply($profile->post('prove', { password => $me->{password} })), '204', 'the password is still a proof';

# A passkey signs a member in.
my $challenge = challenge();
is_deeply [sort keys %$challenge], [qw(challenge rpId)], 'a stranger does not learn whether a member has a passkey';
is reply($service->request('GET', '', raw_path => '/sign-in/passkey')), '200', 'anybody may ask for a challenge';
is $service->sqlite('SELECT last_used_day FROM passkeys WHERE id = ' . $item->{number}) > 0, 1,
    'the day of use is recorded';
my $first = signed($key, $challenge);
my $answer = enter($first);
is reply($answer), '204', 'a passkey signs the member in';
my $by_passkey = QSOsync::Operator->from_answer($service, $answer);
is $by_passkey->get('me')->json->{callsign}, '21SD333',
    "a passkey signs its member in, with access to the operator's page";
is reply(enter($first)), '401 SIGN_IN.PASSKEY_WRONG', 'a repeated answer is refused';
my ($older, $newer) = (challenge(), challenge());
select undef, undef, undef, 0.01;
$newer = challenge();
is reply(enter(signed($key, $newer))), '204', 'a passkey can answer the newer challenge';
is reply(enter(signed($key, $older))), '401 SIGN_IN.PASSKEY_WRONG',
    'a passkey cannot answer an older challenge after it answered a newer challenge';
sub changed {
    my ($field, $json) = @_;
    my $bytes = decode_base64url($json->{$field});
    substr($bytes, -1) ^= "\1";
    return { %$json, $field => encode_base64url($bytes) };
}
is reply(enter($_->[1])), '401 SIGN_IN.PASSKEY_WRONG', "nobody is signed in: $_->[0]" for
    ['a page on another site asked', signed($key, challenge(), client => { origin => 'https://example.org' })],
    ['a frame on another site asked', signed($key, challenge(), client => { crossOrigin => JSON::PP::true })],
    ['the passkey signed for another host', signed($key, challenge(), rp_id => 'example.org')],
    ['the user was not present', signed($key, challenge(), flags => 0x04)],
    ['the user was not verified', signed($key, challenge(), flags => 0x01)],
    ['the answer is for a new passkey', signed($key, challenge(), client => { type => 'webauthn.create' })],
    ['the challenge belongs to a session', signed($key, fresh())],
    ['the challenge is invented', signed($key, { challenge => encode_base64url('x' x 40) })],
    ['the challenge is truncated', signed($key, { challenge => substr challenge()->{challenge}, 0, 12 })],
    ['the data was changed', changed('authenticatorData', signed($key, challenge()))],
    ['the signature was changed', changed('signature', signed($key, challenge()))],
    ["the signature is another member's",
        { %{signed($theirs, challenge())}, credential => encode_base64url($key->{id}) }],
    ['the passkey is unknown', signed($late, challenge())],
    ['unannounced data follows', signed($key, challenge(), rest => 'x')];
is reply(enter({})), '400 VALIDATION.FAILED', 'an empty body is refused';
is reply(enter(signed($key, challenge()), 'Sec-Fetch-Site' => 'cross-site')), '403 PROFILE.CROSS_SITE',
    'a page on another site cannot sign anybody in';
is reply(enter(signed($key, challenge(), flags => 0x85, rest => "\xa0"))), '204',
    'announced extensions can follow the data of an authenticator';

# Challenges are valid for five minutes.
my $secret = pack 'H*', $service->sqlite('SELECT hex(challenge_secret) FROM logbook');
sub made_before {
    my ($seconds) = @_;
    my $time = pack 'Q>', 1000 * (time - $seconds);
    return { challenge => encode_base64url($time . sha256($secret . ("\0" x 32) . $time)) };
}
$service->sqlite('UPDATE passkeys SET challenged_at = 0');
is reply(enter(signed($key, made_before(310)))), '401 SIGN_IN.PASSKEY_WRONG',
    'a challenge expires after five minutes';
is reply(enter(signed($key, made_before(-60)))), '401 SIGN_IN.PASSKEY_WRONG',
    'a challenge from the future is not valid';
is reply(enter(signed($key, made_before(280)))), '204', 'a challenge from less than five minutes ago is valid';

# The counter of a passkey must rise with each use.
my $count = $key->{count};
is reply(enter(signed($key, challenge(), count => $count - 1))), '403 SIGN_IN.PASSKEY_COPIED',
    'a counter that has not risen shows a copy, which is refused';
like $profile->get('passkeys')->json->{items}[0]{copiedAt}, qr/\A\d{4}-/,
    'the list shows when a copy of the passkey was used';
is reply($profile->post('passkeys/prove', signed($key, fresh(), count => 1))), '403 SIGN_IN.PASSKEY_COPIED',
    "a copy cannot open the operator's page";
is reply(enter(signed($key, challenge(), count => 0))), '403 SIGN_IN.PASSKEY_COPIED',
    'a counter that returns to 0 shows a copy';
is reply(enter(signed($key, challenge()))), '204', 'a passkey whose counter has risen signs the member in';
is reply(enter(signed($theirs, challenge(), count => 0))), '204', 'a passkey without a counter signs the member in';
is reply(enter(signed($theirs, challenge(), count => 0))), '204',
    'a passkey without a counter signs the member in again';

# Failures count like wrong passwords.
my $guesser = '127.0.3.1';
is join(' ', map { send_from($guesser, signed($late, challenge()))->status } 1 .. 10), join(' ', (401) x 10),
    'an address gets ten failures';
is reply(send_from($guesser, signed($late, challenge()))), '429 GENERIC.RATE_LIMITED',
    'the eleventh wrong attempt is throttled';
is reply(send_from($guesser, signed($key, challenge()))), '204',
    "a passkey signs the member in despite other people's failures";
is reply(send_from($guesser, signed($key, fresh()))), '429 GENERIC.RATE_LIMITED',
    'a passkey that answers the challenge of a session must wait after ten failures';

# The passkeys of disabled members and removed passkeys do not work.
$service->admin('member', 'disable', '26AT101');
is reply(enter(signed($theirs, challenge()))), '401 SIGN_IN.PASSKEY_WRONG',
    'the passkey of a disabled member does not work';
$service->admin('member', 'enable', '26AT101');
is reply(enter(signed($theirs, challenge()))), '204', 'the passkey of an enabled member works again';
$service->admin('member', 'invite', '26AT101', '--new', '--address', $origin);
is reply(enter(signed($theirs, challenge()))), '401 SIGN_IN.PASSKEY_WRONG',
    'an invitation with --new also removes passkeys';
is $service->sqlite('SELECT count(*) FROM passkeys'), 1, 'other members keep their passkeys';
is reply($profile->post('password', { password => 'another one', current => $me->{password} })), '204',
    'a new password keeps the passkeys';
$by_passkey = QSOsync::Profile->from_answer($service, enter(signed($key, challenge())));
is reply($other->remove("passkeys/$item->{number}")), '401 SIGN_IN.REQUIRED',
    'a browser that is signed out cannot remove a passkey';
is reply($profile->remove("passkeys/$item->{number}")), '204', 'a member can remove a passkey';
is reply($by_passkey->get('me')), '401 SIGN_IN.REQUIRED',
    'a removed passkey signs out the other browsers of its member';
is reply($profile->get('me')), '200', 'the browser that removed a passkey stays signed in';
is reply(enter(signed($key, challenge()))), '401 SIGN_IN.PASSKEY_WRONG', 'a removed passkey signs nobody in';
is reply($profile->remove("passkeys/$item->{number}")), '404 GENERIC.NOT_FOUND',
    'a removed passkey cannot be removed again';
is add($profile, make_key()), '204', 'a member can have ten passkeys' for 1 .. 10;
is add($profile, make_key()), '409 PROFILE.TOO_MANY', 'an eleventh passkey is refused';
$service->admin('member', 'disable', '21SD333');
$service->admin('member', 'delete', '21SD333', '--yes');
is $service->sqlite('SELECT count(*) FROM passkeys'), 0, "a deleted member's passkeys are deleted";

# The service's own address decides which passkeys work.
$service->admin('club', 'set', '--address', 'https://Log.example.org/club');
is challenge()->{rpId}, 'log.example.org', 'a service with its own address requests passkeys for that host';
my $new_one = QSOsync::Profile->log_in($service, '26AT101');
$origin = 'https://log.example.org';
$new = $new_one->get('passkeys/new')->json;
is reply($new_one->post('passkeys', made(make_key(), $new, rp_id => 'log.example.org'))), '204',
    "a passkey for the host of the service's address is added";

done_testing;
