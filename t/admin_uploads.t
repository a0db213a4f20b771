use QSOsync::Test fronts => 'none';

# Commands about uploads.
my $service = QSOsync::Service->start(site => 1);
my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'WSJT-CB');
like $token, qr/\Aqsosyncup_[0-9A-Za-z]{49}\z/, 'a new token is printed, and nothing else';
my ($row) = @{JSON::PP::decode_json($service->admin('upload-token', 'list', '21SD333', '--json'))};
is "$row->{number} $row->{name}", '1 WSJT-CB', 'a list has number and name';
is $row->{hint}, substr($token, 0, 14), 'a list shows the first characters of a token';
is $row->{lastUsedOn}, undef, 'a token that was never used has no day of use';
like $service->admin('upload-token', 'list', '21SD333'), qr/^1 +WSJT-CB /m, 'a list for people begins with the number';
unlike QSOsync::Front::read_file($_), qr/\Q@{[substr $token, 14]}\E/, 'no file holds a token' for glob $service->db
    . '*';

sub refusal {
    my ($status, $output, $errors) = $service->admin_try(@_);
    return "$status $output$errors";
}
$service->admin('upload-token', 'add', '21SD333', '--name', "number $_") for 2 .. 10;
is refusal('upload-token', 'add', '21SD333', '--name', 'x'),
    "1 qsosync-admin: 21SD333 has 10 active upload tokens already; revoke one first\n", 'the eleventh token is refused';
is refusal('upload-token', 'revoke', '21SD333', 11),
    "1 qsosync-admin: 21SD333 has no active upload token with the number 11\n",
    'a token that is not there cannot be revoked';
is refusal('upload-token', 'revoke', '21SD333', 'x'),
    "2 qsosync-admin: x is not a token number; see qsosync-admin --help\n", 'a number is demanded';
$service->admin('upload-token', 'revoke', '21SD333', 1);
is refusal('upload-token', 'revoke', '21SD333', 1),
    "1 qsosync-admin: 21SD333 has no active upload token with the number 1\n",
    'a token is revoked once';
like $service->admin('upload-token', 'add', '21SD333', '--name', 'again'), qr/\Aqsosyncup_/,
    'a revoked token leaves its place';
is scalar @{JSON::PP::decode_json($service->admin('key', 'list', '21SD333', '--json'))}, 2,
    'tokens are no keys, and have places of their own';

# What a token is good for depends on the state of now.
my $other = $service->add_member('26AT101');
my $works = $service->admin('upload-token', 'add', '26AT101', '--name', 'x');
sub answer { return $service->request('GET', '', raw_path => "/cloudlog/api/station_info/$works")->status }
is answer(), 404, 'while uploads are off, programs are told so';
$service->admin('uploads', 'on');
is answer(), 200, 'uploads are on at once';
$service->admin('uploads', 'off');
is answer(), 404, 'uploads are off at once';
$service->admin('uploads', 'on');
my $backup = $service->directory . '/backup.db';
$service->admin('backup', $backup);
$service->admin('upload-token', 'revoke', '26AT101', 12);
is answer(), 401, 'a revoked token does not work';
$service->admin('restore', $backup);
is answer(), 401, 'a token that was revoked since the backup stays revoked';
$service->admin('member', 'disable', '26AT101');
like refusal('member', 'delete', '26AT101', '--yes'), qr/\A0 /, 'a member with tokens can be deleted';
is $service->sqlite('SELECT count(*) FROM upload_tokens WHERE member_id NOT IN (SELECT id FROM members)'), 0,
    'the tokens go with the member';

done_testing;
