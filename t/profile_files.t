use QSOsync::Test;
use QSOsync::Profile;
use Encode ();
use QSOsync::QrCode;

# The log as files: out of the service, into it, and gone.
my $service = QSOsync::Service->start(site => 1);
$service->add_member('26AT101');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $other = QSOsync::Profile->log_in($service, '26AT101');
my @qsos = map { full_qso(qsoAt => iso_time(1_779_000_000 + 600 * $_), notes => "number $_, <b>, \x{e5}",
    sendSpot => JSON::PP::true()) } 1 .. 120;
$service->post_spots(@qsos);
sub ids_of { return join ' ', sort map { $_->{clientId} } @{$_[0]->get('qsos?limit=200')->json->{items}} }

my $file = $me->get('export.adi');
is $file->status, 200, 'the log comes as a file';
like $file->header('Content-Disposition'), qr/\Aattachment; filename="qsosync\.adi"\z/, 'a browser saves the file';
is $file->header('Cache-Control'), 'no-store', 'no cache stores the file';
my $records = () = $file->body =~ /<eor>/gi;
is $records, 120, 'the file holds every QSO';
is $me->request('HEAD', 'export.adi')->body, '', 'HEAD brings no file';
is $me->get('export.adi?since=x')->status, 400, 'what is no time is no since';
my ($last) = grep { $_->{clientId} eq $qsos[-1]{clientId} } @{$me->get('qsos?limit=200')->json->{items}};
my $since = () = $me->get("export.adi?since=$last->{syncedAt}")->body =~ /<eor>/gi;
is $since, 0, 'a file of what changed since then holds nothing else';

my $all = $me->get('everything.json');
is $all->status, 200, 'everything comes as a file';
my $everything = $all->json;
is_deeply [map { scalar @{$everything->{$_}} } qw(qsos keys uploadTokens spots)], [120, 2, 0, 120],
    'everything is in it';
is $everything->{member}{callsign}, '21SD333', 'the member is in it';
is $everything->{qsoCount}, 120, 'its end says how many QSOs it has';
is_deeply [map { join ' ', sort keys %$_ } @{$everything->{devices}}], ['createdAt device lastUsedOn number'],
    'the browser that is signed in is in it';
is_deeply [map { [$_->{kind}, defined $_->{usedAt}] } @{$everything->{signInLinks}}], [['INVITATION', 1]],
    'the invitation that was used is in it';
unlike $all->body, qr/\$y\$|[0-9a-f]{64}/i, 'neither hashes nor fingerprints are in it';
is $everything->{qsos}[0]{notes}, 'number 1, <b>, ' . "\x{e5}", 'the texts are in it as they are';

# Into another log, in slices that know of each other.
my @parts = split /(?<=<eor>)/i, $file->body;
sub send_parts {
    my ($member, $size, %option) = @_;
    my %sum;
    my @rest = @parts;
    while (my @slice = splice @rest, 0, $size) {
        my $answer = $member->post('import', { adif => Encode::decode('UTF-8', join '', @slice), %option });
        is $answer->status, 200, 'a slice is taken' or return diag $answer->body;
        my $report = $answer->json;
        $sum{$_} += $report->{$_} for qw(imported updated unchanged repeated rejected otherBands);
    }
    return \%sum;
}
my %none = (imported => 0, updated => 0, unchanged => 0, repeated => 0, rejected => 0, otherBands => 0);
is_deeply send_parts($other, 50, dryRun => JSON::PP::true()), { %none, imported => 120 },
    'a dry run tells what would be imported';
is ids_of($other), '', 'a dry run saves nothing';
is_deeply send_parts($other, 50), { %none, imported => 120 }, 'slices are imported';
is_deeply send_parts($other, 7), { %none, unchanged => 120 }, 'the same file in other slices changes nothing';
is_deeply send_parts($me, 50), { %none, unchanged => 120 }, "the member's own file changes nothing";
is $me->get('qsos?limit=1')->json->{items}[0]{spottedAt} ? 1 : 0, 1, 'an import leaves spots as they are';
is $other->get('qsos?limit=1')->json->{items}[0]{spottedAt}, undef, 'an import makes no spots';

# Contacts that could be one are told by their keys, so that they can be sent together.
@parts = map { "<call:7>26AT777<qso_date:8>20260101<time_on:6>1200$_<band:3>11m<freq:6>27.555<mode:3>SSB<eor>\n" }
    qw(00 10 20);
is_deeply send_parts($me, 3), { %none, imported => 3 }, 'contacts in one minute of one file are QSOs of their own';
is_deeply send_parts($me, 1), { %none, unchanged => 3 }, 'they are known in slices of one';
my $told = $me->post('import', { adif => join('', map { s/27.555/27.556/r } @parts),
    dryRun => JSON::PP::true() })->json;
my %keys;
push @{$keys{$_->[1]}}, $_->[0] for @{$told->{keys}};
is scalar(grep { /^q/ && "@{$keys{$_}}" eq '1 2 3' } keys %keys), 3, 'each record tells the three QSOs that it may be';
is scalar(grep { /^t/ && "@{$keys{$_}}" eq '1 2 3' } keys %keys), 2, 'each tells the parts of the day that it touches';
is_deeply [@$told{qw(corrected imported)}], [3, 0], 'a dry run counts corrections';
is_deeply $told->{values}[0],
    { kind => 'corrected', line => 1, record => 1, field => 'frequencyMhz', before => '27.555', after => '27.556' },
    'each correction is named with both values';

my $bad = $me->post('import', { adif => "\n\n<call:7>26AT777<eor>\n" })->json;
is $bad->{rejected}, 1, 'a record that cannot be saved is rejected';
is $bad->{refused}, 1, 'its count is also given under the name of earlier releases';
is $bad->{details}[0]{line}, 3, 'its line is that of the slice';
ok $bad->{details}[0]{message}, 'the report says why';
is $me->post('import', $_)->status, 400, 'what is no slice is refused' for {}, { adif => 1 };
is $me->request('POST', 'import', json => { adif => $parts[0] })->code, 'PROFILE.CROSS_SITE',
    'no page of another site imports anything';

# The operator gets the same.
my $operator = $service->directory . '/everything.json';
my $copy_of_db = $service->directory . '/copy.db';
my $members = $me->get('everything.json')->json;
$service->admin('backup', $copy_of_db);
my $delete = "member delete 21SD333 --yes --export '$operator' 2>/dev/null";
is system("'$QSOsync::Front::BUILD/qsosync-admin' --db '$copy_of_db' $delete"), 0,
    'the operator gets the file where a member is deleted';
my $operators = JSON::PP::decode_json(QSOsync::Front::read_file($operator));
delete $_->{exportedAt} for $members, $operators;
delete $_->{lastUsedOn} for map { @{$_->{keys}} } $members, $operators; # is noted after an answer
my ($left, $former) = map { delete $_->{devices} } $operators, $members;
is_deeply [$left, scalar @$former], [[], 1], 'a member who is deleted is signed out before';
is_deeply $operators, $members, 'the operator and the member get the same file';

# The end of a log.
is $me->post('delete-log', $_)->status, 400, 'a log is not deleted unless its callsign was typed' for {},
    { callsign => '26AT101' }, { callsign => '' }, { callsign => JSON::PP::true() };
my $tag = $service->get('/logs/ids')->header('ETag');
is_deeply $me->post('delete-log', { callsign => ' 21sd333 ' })->json, { deleted => 123 },
    'the log is deleted when its callsign was typed';
is ids_of($me), '', 'nothing of it is left';
isnt $service->get('/logs/ids')->header('ETag'), $tag, 'clients notice that the log is gone';
is scalar @{$other->get('qsos?limit=200')->json->{items}}, 120, "another member's log stays";
is $service->admin('check'), '', 'the logbook is whole';
$service->stop;

# A member's keys and upload tokens on the profile page.
{
    my $service = QSOsync::Service->start(site => 1);
    my $theirs = $service->add_member('26AT101');
    my $me = QSOsync::Profile->log_in($service, '21SD333');
    my $other = QSOsync::Profile->log_in($service, '26AT101');
    $service->admin('uploads', 'on');

    my $made = $me->post('keys', { name => "  My <b>phone</b> \x{202e}x", scope => 'READ' });
    is $made->status, 201, 'a key is made';
    my $key = $made->json;
    like $key->{key}, qr/\Aqsosync_[0-9A-Za-z]{49}\z/, 'the answer shows the key';
    is $service->get('/me', key => $key->{key})->json->{callsign}, '21SD333', 'the key works at once';
    is $service->post_batch([qso()], key => $key->{key})->status, 403, 'the key has the scope that was asked for';
    is $key->{qr}{text},
        "qsosync://config?v=1&url=http%3A%2F%2F127.0.0.1%3A@{[$service->port]}%2Fapi%2Fv1&key=$key->{key}",
        'the QR code holds what programs read';
    is QSOsync::QrCode::text_of(QSOsync::QrCode::rows_of_path(@{$key->{qr}}{qw(path size)})), $key->{qr}{text},
        'the drawing is that QR code';
    like $key->{qr}{path}, qr/\AM4 4h7v1h-7z/, 'the QR code begins with its corner, after the margin';
    my ($last_row) = $key->{qr}{path} =~ /.*M\d+ (\d+)h/;
    is $key->{qr}{size}, $last_row + 1 + 4, 'the size of the QR code is that of the code with its margin';

    is $key->{app}, undef, 'a key that may only read opens no app';
    my $write = $me->post('keys', { name => 'app', scope => 'WRITE' })->json;
    is $write->{app}{text}, "http://127.0.0.1:@{[$service->port]}/app/#key=$write->{key}",
        'a key that may write opens the app of the service, by a link that keeps the key behind its #';
    is QSOsync::QrCode::text_of(QSOsync::QrCode::rows_of_path(@{$write->{app}}{qw(path size)})), $write->{app}{text},
        'another device reads that link from a QR code';
    $me->post("keys/$write->{number}/revoke");

    until_true(sub { grep { $_->{number} eq $key->{number} && $_->{lastUsedOn} } @{$me->get('keys')->json->{items}} });
    my $list = $me->get('keys')->json;
    my ($row) = grep { $_->{number} eq $key->{number} } @{$list->{items}};
    is $row->{name}, "My <b>phone</b> \x{202e}x", 'a name is kept as it was given, trimmed';
    is $row->{hint}, substr($key->{key}, 0, 12), 'a list shows the first characters of a key';
    is $row->{scope}, 'READ', 'a list shows the scope';
    like $row->{createdAt}, qr/\A\d{4}-.*Z\z/, 'a list shows when a key was made';
    like $row->{lastUsedOn}, qr/\A\d{4}-\d\d-\d\d\z/, 'a list shows the day of the last use';
    is $list->{max}, 10, 'the list tells how many keys there may be';
    unlike $me->get('keys')->body, qr/\Q@{[substr $key->{key}, 12]}\E/, 'no list shows a key';

    is $me->post('keys', $_)->status, 400, 'a key without a good name and scope is refused'
        for {}, { name => 'x' }, { scope => 'READ' }, { name => '', scope => 'READ' },
        { name => 'x' x 81, scope => 'READ' },
        { name => "a\nb", scope => 'READ' }, { name => 'x', scope => 'read' }, { name => 7, scope => 'READ' },
        { name => 'x', scope => ['READ'] };
    is $me->request('POST', 'keys', body => $_,
        headers => { 'Sec-Fetch-Site' => 'same-origin', 'Content-Type' => 'application/json' })->status, 400,
        "$_ is no body" for '', '[]', '{', '{"name":"x","scope":"READ"} x', '"x"',
            "{\"name\":\"\xff\",\"scope\":\"READ\"}",
        '[' x 100;

    is $other->post("keys/$key->{number}/revoke")->status, 404, "another member's key cannot be revoked";
    is $service->get('/me', key => $key->{key})->status, 200, 'it still works';
    is $me->post("keys/$_/revoke")->status, 404, "there is no key $_ to revoke" for 0, 999, 'x', '1e0',
        '99999999999999999999';
    is $me->post("keys/$key->{number}/revoke")->status, 204, 'a key is revoked';
    is $service->get('/me', key => $key->{key})->status, 401, 'a revoked key fails at once';
    is scalar(grep { $_->{number} eq $key->{number} } @{$me->get('keys')->json->{items}}), 0,
        'a revoked key is in no list of the page';
    my $taken = $me->post('keys', { name => ' Program 2 ', scope => 'WRITE' });
    is $taken->status, 201, 'a name is free again after its key was revoked, and trimmed';
    $taken = $me->post('keys', { name => 'Program 2', scope => 'READ' });
    is $taken->status . ' ' . $taken->code, '409 PROFILE.NAME_TAKEN', 'a name that an active key has is refused';
    $me->post('keys', { name => "key $_", scope => 'READ' }) for 4 .. 10;
    my $eleventh = $me->post('keys', { name => 'one more', scope => 'READ' });
    is $eleventh->status . ' ' . $eleventh->code, '409 PROFILE.TOO_MANY', 'the eleventh key is refused';

    # Tokens.
    my $token = $me->post('tokens', { name => 'WSJT-CB' })->json;
    like $token->{token}, qr/\Aqsosyncup_[0-9A-Za-z]{49}\z/, 'a token is made and shown';
    is $token->{address}, 'http://127.0.0.1:' . $service->port . '/cloudlog',
        'with it comes the address for upload programs';
    is $me->get('me')->json->{uploadAddress}, $token->{address}, 'the page knows that address';
    is $me->get('tokens')->json->{items}[0]{name}, 'WSJT-CB', 'a list shows the name of a token';
    is $service->get('/me', key => $token->{token})->status, 401, 'a token is no key';
    is $service->request('GET', '', raw_path => "/cloudlog/api/station_info/$token->{token}")->status, 200,
        'a token works there';
    is $other->post("tokens/$token->{number}/revoke")->status, 404, "another member's token cannot be revoked";
    is $me->post("tokens/$token->{number}/revoke")->status, 204, 'a token is revoked';
    is $service->request('GET', '', raw_path => "/cloudlog/api/station_info/$token->{token}")->status, 401,
        'a revoked token fails at once';
    $service->admin('uploads', 'off');
    is $me->get('me')->json->{uploadAddress}, undef, 'while uploads are off there is no address';
    $service->stop;
}

done_testing;
