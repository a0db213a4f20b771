use QSOsync::Test;
use QSOsync::Profile;
use Encode ();
use QSOsync::QrCode;

# The log as a file: downloaded, imported, and deleted.
my $service = QSOsync::Service->start(site => 1);
$service->add_member('26AT101');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $other = QSOsync::Profile->log_in($service, '26AT101');
my @qsos = map { full_qso(qsoAt => iso_time(1_779_000_000 + 600 * $_), notes => "number $_, <b>, \x{e5}",
    sendSpot => JSON::PP::true()) } 1 .. 120;
$service->post_spots(@qsos);
sub ids_of { return join ' ', sort map { $_->{clientId} } @{$_[0]->get('qsos?limit=200')->json->{items}} }

my $file = $me->get('export.adi');
is $file->status, 200, 'the log can be downloaded as a file';
like $file->header('Content-Disposition'), qr/\Aattachment; filename="qsosync\.adi"\z/, 'a browser saves the file';
is $file->header('Cache-Control'), 'no-store', 'no cache stores the file';
my $records = () = $file->body =~ /<eor>/gi;
is $records, 120, 'the file contains every QSO';
is $me->request('HEAD', 'export.adi')->body, '', 'HEAD sends no file';
is $me->get('export.adi?since=x')->status, 400, 'an invalid time in since is refused';
my ($last) = grep { $_->{clientId} eq $qsos[-1]{clientId} } @{$me->get('qsos?limit=200')->json->{items}};
my $since = () = $me->get("export.adi?since=$last->{syncedAt}")->body =~ /<eor>/gi;
is $since, 0, 'since leaves out unchanged QSOs';

my $all = $me->get('everything.json');
is $all->status, 200, "a member's whole data can be downloaded as a file";
my $everything = $all->json;
is_deeply [map { scalar @{$everything->{$_}} } qw(qsos keys uploadTokens spots)], [120, 2, 0, 120],
    'the whole data contain QSOs, keys and spots';
is $everything->{member}{callsign}, '21SD333', 'the whole data contain the member';
is $everything->{qsoCount}, 120, 'the whole data end with the number of QSOs';
is_deeply [map { join ' ', sort keys %$_ } @{$everything->{devices}}], ['createdAt device lastUsedOn number'],
    'the whole data contain the signed-in browser';
is_deeply [map { [$_->{kind}, defined $_->{usedAt}] } @{$everything->{signInLinks}}], [['INVITATION', 1]],
    'the whole data contain the used invitation';
unlike $all->body, qr/\$y\$|[0-9a-f]{64}/i, 'the whole data contain neither hashes nor fingerprints';
is $everything->{qsos}[0]{notes}, 'number 1, <b>, ' . "\x{e5}", 'the whole data contain texts unchanged';

# Import into another log, in slices that depend on each other.
my @parts = split /(?<=<eor>)/i, $file->body;
sub send_parts {
    my ($member, $size, %option) = @_;
    my %sum;
    my @rest = @parts;
    while (my @slice = splice @rest, 0, $size) {
        my $answer = $member->post('import', { adif => Encode::decode('UTF-8', join '', @slice), %option });
        is $answer->status, 200, 'a slice is accepted' or return diag $answer->body;
        my $report = $answer->json;
        $sum{$_} += $report->{$_} for qw(imported updated unchanged repeated rejected otherBands);
    }
    return \%sum;
}
my %none = (imported => 0, updated => 0, unchanged => 0, repeated => 0, rejected => 0, otherBands => 0);
is_deeply send_parts($other, 50, dryRun => JSON::PP::true()), { %none, imported => 120 },
    'a dry run reports what would be imported';
is ids_of($other), '', 'a dry run saves nothing';
is_deeply send_parts($other, 50), { %none, imported => 120 }, 'slices are imported';
is_deeply send_parts($other, 7), { %none, unchanged => 120 }, 'the same file in other slices changes nothing';
is_deeply send_parts($me, 50), { %none, unchanged => 120 }, "the member's own file changes nothing";
is $me->get('qsos?limit=1')->json->{items}[0]{spottedAt} ? 1 : 0, 1, 'an import leaves spots as they are';
is $other->get('qsos?limit=1')->json->{items}[0]{spottedAt}, undef, 'an import creates no spots';

# Contacts that may match the same QSO have a common key, so that the page can send them together.
@parts = map { "<call:7>26AT777<qso_date:8>20260101<time_on:6>1200$_<band:3>11m<freq:6>27.555<mode:3>SSB<eor>\n" }
    qw(00 10 20);
is_deeply send_parts($me, 3), { %none, imported => 3 }, 'contacts in one minute of one file are separate QSOs';
is_deeply send_parts($me, 1), { %none, unchanged => 3 }, 'slices of one record match the same QSOs';
my $told = $me->post('import', { adif => join('', map { s/27.555/27.556/r } @parts),
    dryRun => JSON::PP::true() })->json;
my %keys;
push @{$keys{$_->[1]}}, $_->[0] for @{$told->{keys}};
is scalar(grep { /^q/ && "@{$keys{$_}}" eq '1 2 3' } keys %keys), 3,
    'each record has the keys of the three QSOs that it may match';
is scalar(grep { /^t/ && "@{$keys{$_}}" eq '1 2 3' } keys %keys), 2, 'each record has the keys of its parts of the day';
is_deeply [@$told{qw(corrected imported)}], [3, 0], 'a dry run counts corrections';
is_deeply $told->{values}[0],
    { kind => 'corrected', line => 1, record => 1, field => 'frequencyMhz', before => '27.555', after => '27.556' },
    'each correction is listed with both values';

my $bad = $me->post('import', { adif => "\n\n<call:7>26AT777<eor>\n" })->json;
is $bad->{rejected}, 1, 'an invalid record is rejected';
is $bad->{refused}, 1, 'the count of rejected records is repeated under its previous name';
is $bad->{details}[0]{line}, 3, 'the line of a rejected record is that in the slice';
ok $bad->{details}[0]{message}, 'the report says why a record is rejected';
is $me->post('import', $_)->status, 400, 'a body without a slice is refused' for {}, { adif => 1 };
is $me->request('POST', 'import', json => { adif => $parts[0] })->code, 'PROFILE.CROSS_SITE',
    'a page of another site cannot import';

# The operator gets the same data.
my $operator = $service->directory . '/everything.json';
my $copy_of_db = $service->directory . '/copy.db';
my $members = $me->get('everything.json')->json;
$service->admin('backup', $copy_of_db);
my $delete = "member delete 21SD333 --yes --export '$operator' 2>/dev/null";
is system("'$QSOsync::Front::BUILD/qsosync-admin' --db '$copy_of_db' $delete"), 0,
    "deleting a member can export the member's whole data";
my $operators = JSON::PP::decode_json(QSOsync::Front::read_file($operator));
delete $_->{exportedAt} for $members, $operators;
delete $_->{lastUsedOn} for map { @{$_->{keys}} } $members, $operators; # is written after an answer
my ($left, $former) = map { delete $_->{devices} } $operators, $members;
is_deeply [$left, scalar @$former], [[], 1], 'a deleted member is signed out before the export';
is_deeply $operators, $members, 'the operator and the member get the same data';

# Deleting a log.
is $me->post('delete-log', $_)->status, 400, 'deleting a log needs the callsign' for {},
    { callsign => '26AT101' }, { callsign => '' }, { callsign => JSON::PP::true() };
my $tag = $service->get('/logs/ids')->header('ETag');
is_deeply $me->post('delete-log', { callsign => ' 21sd333 ' })->json, { deleted => 123 },
    'the right callsign deletes the log';
is ids_of($me), '', 'a deleted log is empty';
isnt $service->get('/logs/ids')->header('ETag'), $tag, 'deleting the log changes the list of ids for clients';
is scalar @{$other->get('qsos?limit=200')->json->{items}}, 120, "deleting a log keeps another member's log";
is $service->admin('check'), '', 'the logbook passes the check';
$service->stop;

# A member's keys and upload tokens on the profile page.
{
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
        'the drawing shows the QR code';
    like $key->{qr}{path}, qr/\AM4 4h7v1h-7z/, 'the QR code begins with its corner, after the margin';
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
    is $row->{name}, "My <b>phone</b> \x{202e}x", 'a name is stored as it was sent, trimmed';
    is $row->{hint}, substr($key->{key}, 0, 12), 'a list shows the first characters of a key';
    is $row->{scope}, 'READ', 'a list shows the scope';
    like $row->{createdAt}, qr/\A\d{4}-.*Z\z/, 'a list shows when a key was created';
    like $row->{lastUsedOn}, qr/\A\d{4}-\d\d-\d\d\z/, 'a list shows the day of the last use';
    is $list->{max}, 10, 'a list contains the maximum number of keys';
    unlike $me->get('keys')->body, qr/\Q@{[substr $key->{key}, 12]}\E/, 'no list shows a key';

    is $me->post('keys', $_)->status, 400, 'a key without a valid name and scope is refused'
        for {}, { name => 'x' }, { scope => 'READ' }, { name => '', scope => 'READ' },
        { name => 'x' x 81, scope => 'READ' },
        { name => "a\nb", scope => 'READ' }, { name => 'x', scope => 'read' }, { name => 7, scope => 'READ' },
        { name => 'x', scope => ['READ'] };
    is $me->request('POST', 'keys', body => $_,
        headers => { 'Sec-Fetch-Site' => 'same-origin', 'Content-Type' => 'application/json' })->status, 400,
        "$_ is not a body" for '', '[]', '{', '{"name":"x","scope":"READ"} x', '"x"',
            "{\"name\":\"\xff\",\"scope\":\"READ\"}",
        '[' x 100;

    is $other->post("keys/$key->{number}/revoke")->status, 404, "another member's key cannot be revoked";
    is $service->get('/me', key => $key->{key})->status, 200, 'a key works after a refused revocation';
    is $me->post("keys/$_/revoke")->status, 404, "key $_ does not exist" for 0, 999, 'x', '1e0',
        '99999999999999999999';
    is $me->post("keys/$key->{number}/revoke")->status, 204, 'a key can be revoked';
    is $service->get('/me', key => $key->{key})->status, 401, 'a revoked key fails at once';
    is scalar(grep { $_->{number} eq $key->{number} } @{$me->get('keys')->json->{items}}), 0,
        'a revoked key is not in the list';
    my $taken = $me->post('keys', { name => ' Program 2 ', scope => 'WRITE' });
    is $taken->status, 201, 'the name of a revoked key can be used again, trimmed';
    $taken = $me->post('keys', { name => 'Program 2', scope => 'READ' });
    is $taken->status . ' ' . $taken->code, '409 PROFILE.NAME_TAKEN', 'the name of an active key is refused';
    $me->post('keys', { name => "key $_", scope => 'READ' }) for 4 .. 10;
    my $eleventh = $me->post('keys', { name => 'one more', scope => 'READ' });
    is $eleventh->status . ' ' . $eleventh->code, '409 PROFILE.TOO_MANY', 'the eleventh key is refused';

    # Tokens.
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
        'a revoked token fails at once';
    $service->admin('uploads', 'off');
    is $me->get('me')->json->{uploadAddress}, undef,
        'the page has no address for upload programs while uploads are off';
    $service->stop;
}

done_testing;
