use QSOsync::Test fronts => 'none';
use POSIX ();

# qsosync-admin switches uploads on and off, and creates and revokes upload tokens.
my $service = QSOsync::Service->start(site => 1);
my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'WSJT-CB');
like $token, qr/\Aqsosyncup_[0-9A-Za-z]{49}\z/, 'upload-token add prints only the token';
my ($row) = @{JSON::PP::decode_json($service->admin('upload-token', 'list', '21SD333', '--json'))};
is "$row->{number} $row->{name}", '1 WSJT-CB', 'the list shows the number and name of a token';
is $row->{hint}, substr($token, 0, 14), 'the list shows the first characters of a token';
is $row->{lastUsedOn}, undef, 'an unused token has no day of last use';
like $service->admin('upload-token', 'list', '21SD333'), qr/^1 +WSJT-CB /m,
    "a line of the table begins with the token's number and name";
unlike QSOsync::Front::read_file($_), qr/\Q@{[substr $token, 14]}\E/, 'no file of the logbook contains a token'
    for glob $service->db . '*';

sub refusal {
    my ($status, $output, $errors) = $service->admin_try(@_);
    return "$status $output$errors";
}
$service->admin('upload-token', 'add', '21SD333', '--name', "number $_") for 2 .. 10;
is refusal('upload-token', 'add', '21SD333', '--name', 'x'),
    "1 qsosync-admin: 21SD333 already has 10 active upload tokens; revoke one first\n",
        'an eleventh active token is refused';
is refusal('upload-token', 'revoke', '21SD333', 11),
    "1 qsosync-admin: 21SD333 has no active upload token with the number 11\n",
    'revoking a missing token is refused';
is refusal('upload-token', 'revoke', '21SD333', 'x'),
    "2 qsosync-admin: x is not a token number; see qsosync-admin --help\n",
    'x is refused as the number of a token';
$service->admin('upload-token', 'revoke', '21SD333', 1);
is refusal('upload-token', 'revoke', '21SD333', 1),
    "1 qsosync-admin: 21SD333 has no active upload token with the number 1\n",
    'a token can be revoked only once';
like $service->admin('upload-token', 'add', '21SD333', '--name', 'again'), qr/\Aqsosyncup_/,
    'another token can be created after a token is revoked';
is scalar @{JSON::PP::decode_json($service->admin('key', 'list', '21SD333', '--json'))}, 2,
    'tokens do not count as keys';

# The current settings decide whether a token works.
my $other = $service->add_member('26AT101');
my $works = $service->admin('upload-token', 'add', '26AT101', '--name', 'x');
sub answer { return $service->request('GET', '', raw_path => "/cloudlog/api/station_info/$works")->status }
is answer(), 404, 'if uploads are off, a request with a token gets 404';
$service->admin('uploads', 'on');
is answer(), 200, 'switching uploads on takes effect at once';
$service->admin('uploads', 'off');
is answer(), 404, 'switching uploads off takes effect at once';
$service->admin('uploads', 'on');
my $backup = $service->directory . '/backup.db';
$service->admin('backup', $backup);
$service->admin('upload-token', 'revoke', '26AT101', 12);
is answer(), 401, 'a revoked token is refused';
$service->admin('restore', $backup);
is answer(), 401, 'a token that was revoked after the backup stays revoked after a restore';
$service->admin('member', 'disable', '26AT101');
like refusal('member', 'delete', '26AT101', '--yes'), qr/\A0 /, 'a member with tokens can be deleted';
is $service->sqlite('SELECT count(*) FROM upload_tokens WHERE member_id NOT IN (SELECT id FROM members)'), 0,
    'deleting a member deletes the tokens';

done_testing;
