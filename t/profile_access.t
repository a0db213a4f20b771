use QSOsync::Test;
use QSOsync::Profile;
use QSOsync::QrCode;

# On the profile page, a member creates, lists and revokes keys and upload tokens.
my $service = QSOsync::Service->start(site => 1);
my $theirs = $service->add_member('26AT101');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $other = QSOsync::Profile->log_in($service, '26AT101');
$service->admin('uploads', 'on');

my $made = $me->post('keys', { name => "  My <b>phone</b> \x{202e}x", scope => 'READ' });
is $made->status, 201, 'a key can be created';
my $key = $made->json;
like $key->{key}, qr/\Aqsosync_[0-9A-Za-z]{49}\z/, 'the answer contains the key';
is $service->get('/me', key => $key->{key})->json->{callsign}, '21SD333', 'the key works at once';
is $service->post_batch([qso()], key => $key->{key})->status, 403, 'the key has the requested scope';
is $key->{qr}{text},
    "qsosync://config?v=1&url=http%3A%2F%2F127.0.0.1%3A@{[$service->port]}%2Fapi%2Fv1&key=$key->{key}",
    "a key's QR code contains the link for programs";
is QSOsync::QrCode::text_of(QSOsync::QrCode::rows_of_path(@{$key->{qr}}{qw(path size)})), $key->{qr}{text},
    'the drawn QR code contains this link';
like $key->{qr}{path}, qr/\AM4 4h7v1h-7z/, 'the drawing begins with a corner of the QR code, after the margin';
my ($last_row) = $key->{qr}{path} =~ /.*M\d+ (\d+)h/;
is $key->{qr}{size}, $last_row + 1 + 4, 'the size of the QR code includes its margin';

is $key->{app}, undef, 'a READ key has no link to the app';
my $write = $me->post('keys', { name => 'app', scope => 'WRITE' })->json;
is $write->{app}{text}, "http://127.0.0.1:@{[$service->port]}/app/#key=$write->{key}",
    'a WRITE key has a link to the app, with the key after the #';
is QSOsync::QrCode::text_of(QSOsync::QrCode::rows_of_path(@{$write->{app}}{qw(path size)})), $write->{app}{text},
    'the link to the app has a QR code';
$me->post("keys/$write->{number}/revoke");

until_true(sub { grep { $_->{number} eq $key->{number} && $_->{lastUsedOn} } @{$me->get('keys')->json->{items}} });
my $list = $me->get('keys')->json;
my ($row) = grep { $_->{number} eq $key->{number} } @{$list->{items}};
is $row->{name}, "My <b>phone</b> \x{202e}x", "a key's name is stored trimmed, and otherwise unchanged";
is $row->{hint}, substr($key->{key}, 0, 12), 'a list shows the first characters of a key';
is $row->{scope}, 'READ', 'a list shows the scope';
like $row->{createdAt}, qr/\A\d{4}-.*Z\z/, 'a list shows when a key was created';
like $row->{lastUsedOn}, qr/\A\d{4}-\d\d-\d\d\z/, 'a list shows the day of the last use';
is $list->{max}, 10, 'a list contains the maximum number of keys';
unlike $me->get('keys')->body, qr/\Q@{[substr $key->{key}, 12]}\E/, 'the list of keys contains no key';

is $me->post('keys', $_)->status, 400, 'a key without a valid name and scope is refused'
    for {}, { name => 'x' }, { scope => 'READ' }, { name => '', scope => 'READ' },
    { name => 'x' x 81, scope => 'READ' },
    { name => "a\nb", scope => 'READ' }, { name => 'x', scope => 'read' }, { name => 7, scope => 'READ' },
    { name => 'x', scope => ['READ'] };
is $me->request('POST', 'keys', body => $_,
    headers => { 'Sec-Fetch-Site' => 'same-origin', 'Content-Type' => 'application/json' })->status, 400,
    "'$_' is refused as a body" for '', '[]', '{', '{"name":"x","scope":"READ"} x', '"x"',
        "{\"name\":\"\xff\",\"scope\":\"READ\"}",
    '[' x 100;

is $other->post("keys/$key->{number}/revoke")->status, 404, "another member's key cannot be revoked";
is $service->get('/me', key => $key->{key})->status, 200, 'a key works after a refused revocation';
is $me->post("keys/$_/revoke")->status, 404, "revoking key $_, which does not exist, gives 404" for 0, 999, 'x', '1e0',
    '99999999999999999999';
is $me->post("keys/$key->{number}/revoke")->status, 204, 'a key can be revoked';
is $service->get('/me', key => $key->{key})->status, 401, 'a revoked key is refused at once';
is scalar(grep { $_->{number} eq $key->{number} } @{$me->get('keys')->json->{items}}), 0,
    'a revoked key is not in the list';
my $taken = $me->post('keys', { name => ' Program 2 ', scope => 'WRITE' });
is $taken->status, 201, 'a key whose name has spaces around it can be created';
$taken = $me->post('keys', { name => 'Program 2', scope => 'READ' });
is $taken->status . ' ' . $taken->code, '409 PROFILE.NAME_TAKEN',
    "a name that differs from an active key's name only in spaces around it is refused";
$me->post('keys', { name => "key $_", scope => 'READ' }) for 4 .. 10;
my $eleventh = $me->post('keys', { name => 'one more', scope => 'READ' });
is $eleventh->status . ' ' . $eleventh->code, '409 PROFILE.TOO_MANY', 'the eleventh key is refused';

# A member creates and revokes tokens.
my $token = $me->post('tokens', { name => 'WSJT-CB' })->json;
like $token->{token}, qr/\Aqsosyncup_[0-9A-Za-z]{49}\z/, 'a token can be created';
is $token->{address}, 'http://127.0.0.1:' . $service->port . '/cloudlog',
    'the answer with a token contains the address for upload programs';
is $me->get('me')->json->{uploadAddress}, $token->{address}, 'the page has the address for upload programs';
is $me->get('tokens')->json->{items}[0]{name}, 'WSJT-CB', 'a list shows the name of a token';
is $service->get('/me', key => $token->{token})->status, 401, 'a token is not valid as a key';
is $service->request('GET', '', raw_path => "/cloudlog/api/station_info/$token->{token}")->status, 200,
    'a token works at the address for upload programs';
is $other->post("tokens/$token->{number}/revoke")->status, 404, "another member's token cannot be revoked";
is $me->post("tokens/$token->{number}/revoke")->status, 204, 'a token can be revoked';
is $service->request('GET', '', raw_path => "/cloudlog/api/station_info/$token->{token}")->status, 401,
    'a revoked token is refused at once';
$service->admin('uploads', 'off');
is $me->get('me')->json->{uploadAddress}, undef,
    'the page has no address for upload programs while uploads are off';
$service->stop;

done_testing;
