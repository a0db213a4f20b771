use QSOsync::Test fronts => 'nginx';
use QSOsync::Adif;
use QSOsync::Callgrind;
use QSOsync::Profile;

# Programs can test an upload token, and can read the log with a token that may read.
my $service = QSOsync::Service->start(site => 1);
$service->admin('uploads', 'on');
my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'plain');
my $reader = $service->admin('upload-token', 'add', '21SD333', '--name', 'reader', '--may-read');
my $wrong = substr($token, 0, -1) . (substr($token, -1) eq 'a' ? 'b' : 'a');
my $refused = '401 {"status":"failed","reason":"missing or wrong api key"}';
sub get { return $service->request('GET', '', raw_path => "/cloudlog$_[0]") }
sub post {
    my ($path, $body) = @_;
    return $service->request('POST', '', raw_path => "/cloudlog$path", body => ref $body ? JSON::PP::encode_json($body)
        : $body, headers => { 'Content-Type' => 'application/json' });
}
sub said { return $_[0]->status . ' ' . $_[0]->body }

# Programs test a key with these requests.
for my $path ('/api/version', '/index.php/api/version', '/api/version/') {
    like said(post($path, { key => $token })), qr/\A200 \{"status":"ok","version":"\d[^"]*"\}\z/,
        "$path returns the version";
}
is said(post('/api/version', { key => $wrong })), $refused, 'a wrong token gets no version';
is said(post('/api/version', {})), $refused, 'a request without a token gets no version';
is said(post('/api/version', 'x')), '400 {"status":"failed","reason":"wrong JSON"}', 'invalid JSON is refused';
is said(get("/index.php/api/check_auth/$token")), '200 {"status":"valid","rights":"rw"}', 'a token is valid';
is said(get("/api/check_auth/$wrong")), $refused, 'a wrong token is invalid';
is get("/api/$_")->status, 404, "GET $_ gives 404" for "private_lookup/$token", 'lookup', 'v2/version';
is post("/api/$_", { key => $reader })->status, 404, "POST $_ gives 404"
    for qw(private_lookup lookup logbook_check_callsign get_wp_stats logbook_get_worked_grids),
    "create_station/$reader";

# A token that may read gets statistics and the log.
my @now = gmtime;
my ($year, $month, $day) = ($now[5] + 1900, $now[4] + 1, $now[3]);
my @days = (sprintf('%d-%02d-%02d', $year, $month, $day), sprintf('%d-%02d-01', $year, $month), "$year-01-01",
    '2001-05-17');
$service->post_batch([map { qso(qsoAt => "${_}T00:00:00Z", callsignWorked => '26AT101') } @days]);
my %counts = (Today => scalar(grep { $_ eq $days[0] } @days), year_qsos => 3, total_qsos => 4,
    month_qsos => scalar(grep { substr($_, 0, 7) eq substr $days[0], 0, 7 } @days));
my $numbers = get("/api/statistics/$reader");
is $numbers->status, 201, 'statistics are answered with 201, as programs expect';
is_deeply $numbers->json, \%counts, 'statistics count the log';
is_deeply get("/api/statistics/$_")->json, { map { $_ => 0 } keys %counts },
    'a token without permission to read, or an unknown token, gets only zeros'
    for $token, $wrong;
my %wish = (station_id => 1, fetchfromid => 0);
is said(post('/api/get_contacts_adif', { %wish, key => $token })),
    '401 {"status":"failed","reason":"the token may not read the log"}',
    'an ordinary token cannot read the log';
is said(post('/api/get_contacts_adif', { %wish, key => $wrong })), $refused, 'a wrong token cannot read the log';
import_adif($service, '21SD333', adif_file($service, adif_record(QSO_DATE => '20260517', TIME_ON => '101112',
    BAND => '11m', CALL => '26AT102', IOTA => 'EU-005', NOTES => "\"\xc3\xa5\" \\ here")));
$service->post_batch([qso(qsoAt => '2026-05-18T10:00:00Z', qsoStatus => 'HRD', callsignWorked => '26AT103')]);
my $other = $service->add_member('26AT199');
$service->post_batch([qso(callsignWorked => '26AT104')], key => $other->{write_key});
my $all = post('/api/get_contacts_adif', { %wish, station_id => '1', key => $reader })->json;
is_deeply [@$all{qw(status exported_qsos)}], ['successful', 5], 'a token that may read gets the log';
my @records = split /<EOR>/, $all->{adif};
is scalar(@records) - 1, 5, 'the answer has all QSOs except those that were only heard';
like $all->{adif}, qr/<EOH>.*<CALL:7>26AT102.*<IOTA:6>EU-005/s, 'extra fields are returned with their QSO';
like $all->{adif}, qr/"\x{e5}" \\ here/, 'texts arrive unchanged';
unlike $all->{adif}, qr/26AT104/, 'the log contains no QSO of another member';
is $all->{lastfetchedid}, $service->sqlite('SELECT max(id) FROM qsos WHERE member_id = 1'),
    'the answer contains the last id';
my ($from, @pages) = (0);
for (1 .. 9) {
    my $page = post('/api/get_contacts_adif', { %wish, fetchfromid => "$from", limit => 2, key => $reader })->json;
    $from = $page->{lastfetchedid};
    push @pages, $page->{adif} =~ /<CALL:7>(\w+)/g if $page->{adif};
    last if !$page->{exported_qsos};
}
is_deeply \@pages, [$all->{adif} =~ /<CALL:7>(\w+)/g], 'the log is the same when it is read page by page';
is_deeply post('/api/get_contacts_adif', { %wish, fetchfromid => $from, key => $reader })->json,
    { status => 'successful', message => 'No new QSOs available.', adif => undef, exported_qsos => 0,
        lastfetchedid => $from }, 'without new QSOs, the answer states this and repeats the id';
for (['station_id' => undef, 400], [fetchfromid => undef, 400], [fetchfromid => 'x', 400], [station_id => 99999, 401],
    [output_format => 'json', 400]) {
    my ($name, $value, $status) = @$_;
    my %bad = (%wish, key => $reader, $name => $value);
    delete $bad{$name} if !defined $value;
    my $answer = post('/api/get_contacts_adif', \%bad);
    is $answer->status . ' ' . $answer->json->{status}, "$status failed", "a wrong $name is refused";
}

# Omitted fields are reported, but the upload succeeds.
my $upload = post('/index.php/api/qso', { key => $token, station_profile_id => 1, type => 'adif',
    string => adif_record(QSO_DATE => '20260601', TIME_ON => '101112', BAND => '11m', CALL => '26AT105', LAT => 'x',
        TX_PWR => '4.5') });
is $upload->status, 201, 'a record with an omitted field creates a QSO';
is_deeply [@{$upload->json}{qw(status adif_count adif_errors messages)}], ['created', 1, 0,
    ['', 'left out: line 1: LAT must look like N048 08.800 or E002 21.130',
        'changed: line 1: TX_PWR is rounded to whole watts']], 'messages report omitted or changed fields';
my $dry = post('/index.php/api/qso/1', { key => $token, station_profile_id => 1, type => 'adif',
    string => '<call:6>T6API1<qso_date:8>20240102<time_on:4>1202<band:3>20m<mode:3>SSB<eor>' });
is $dry->status . ' ' . $dry->json->{messages}[0], '201 Dryrun works', 'a dry run marks itself as a dry run';

# The command and the profile can create tokens that may read.
my $list = JSON::PP::decode_json($service->admin('upload-token', 'list', '21SD333', '--json'));
is_deeply [map { [$_->{name}, $_->{mayRead} ? 1 : 0] } @$list], [['plain', 0], ['reader', 1]],
    'the list shows which tokens may read';
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $made = $me->post('tokens', { name => 'mine', mayRead => JSON::PP::true })->json;
is post('/api/get_contacts_adif', { %wish, key => $made->{token} })->status, 200,
    'a member can create a token that may read';
$made = $me->post('tokens', { name => 'default' })->json;
is post('/api/get_contacts_adif', { %wish, key => $made->{token} })->status, 401, 'by default, a token cannot read';
is $me->post('tokens', { name => 'x', mayRead => 'yes' })->status, 400,
    'a value of mayRead other than true or false is refused';
is_deeply [map { $_->{mayRead} ? 1 : 0 } @{$me->get('tokens')->json->{items}}], [0, 1, 1, 0],
    'the profile lists which tokens may read';
like +($service->admin_try('upload-token', 'list', '21SD333'))[1], qr/MAY READ/,
    'the command shows which tokens may read';
$service->admin('upload-token', 'revoke', '21SD333', $list->[1]{number});
is said(post('/api/get_contacts_adif', { %wish, key => $reader })), $refused, 'a revoked token cannot read';

# In LOG11DX's format, a program uploads QSOs and asks whether a station was worked before. Some requests are rejected.
my $asking = $service->admin('upload-token', 'add', '21SD333', '--name', 'bridge', '--may-read');
sub bridge {
    my ($path, $key, %option) = @_;
    my $method = $option{body} ? 'POST' : 'GET';
    return $service->request($method, '', raw_path => "/api/wsjtx/$path",
        headers => { $key ? (Authorization => "Bearer $key") : (), 'Content-Type' => 'application/json' }, %option);
}
sub bridge_qso {
    my (%field) = (call => '26AT201', qso_date => '2026-06-01', time_on => '10:00:00', mode => 'FT8',
        freq => '27.265', @_);
    delete @field{grep { !defined $field{$_} } keys %field};
    return JSON::PP::encode_json({ source => 'wsjtx', qso => \%field });
}
my $invalid = '401 {"ok":false,"status":"invalid_token",'
    . '"message":"The upload token is not valid. Create a new token in your profile."}';
is said(bridge('token-status.php', $_)), $invalid, 'an invalid token is reported' for $wrong, '', $service->write_key;
is said(bridge('upload-qso.php', $wrong, body => 'x')), $invalid, 'the token is checked before the body';
my %refused_qso = ('The body has no object "qso".' => '{"source":"wsjtx"}',
    'The body is not well-formed JSON.' => '{"qso":',
    'This log accepts only QSOs on 11 m and PMR446.' => bridge_qso(freq => '14.074', band => '20m'),
    'QSO_DATE is missing' => bridge_qso(qso_date => undef),
    'BAND is missing, and so is FREQ' => bridge_qso(freq => undef));
for my $reason (sort keys %refused_qso) {
    my $answer = bridge('upload-qso.php', $token, body => $refused_qso{$reason});
    is_deeply [$answer->status, @{$answer->json}{qw(status message)}], [400, 'rejected', $reason], "refused: $reason";
}
is bridge('upload-qso.php', $token, body => bridge_qso(freq => 27.265, rst_sent => -8, y => [1]))->json->{status},
    'uploaded', 'numbers are accepted as well as texts';
is bridge('upload-qso.php', $token, body => bridge_qso(tx_pwr => '4'))->json->{message},
    'The QSO was in the log. Missing values were added.', 'missing fields of a QSO are added';
is said(bridge('check-dupe.php?call=26AT201', $token)),
    '403 {"ok":false,"status":"forbidden","message":"The upload token may not read the log."}',
    'a token without read permission gets nothing from the log';
sub dupe { return bridge("check-dupe.php?$_[0]", $asking)->json }
is_deeply dupe('call=26at-201&mode=FT8&band=11m&freq=27.265'), { ok => JSON::PP::true, status => 'duplicate',
    message => 'Worked before.', alert => { title => '26AT201 is in your log',
    body => 'Last worked on 2026-06-01 at 10:00:00 UTC, 11m FT8', details => ['QSOs with this station: 1'] },
    last_qso => { mode => 'FT8', band => '11m', frequency => '27.265', date => '2026-06-01', time => '10:00:00' } },
    'a station worked before is reported';
for my $band ('', '&band=11m', '&freq=27.265') {
    is_deeply [@{dupe("call=26AT201&mode=SSB$band")}{qw(status alert)},
        dupe("call=26AT201&mode=SSB$band")->{last_qso}{mode}], ['new', undef, 'FT8'],
        "a station worked in another mode is reported without an alert: '$band'";
    is dupe("call=26AT201&mode=FT8$band")->{status}, 'duplicate',
        "a station worked in the same mode is reported with an alert: '$band'";
}
is_deeply dupe("call=$_"), { ok => JSON::PP::true, status => 'new', message => 'Not in the log.' },
    "$_ is reported as new" for '26AT20', '26AT104', '26AT201&band=20m&freq=14.074', '-';
is bridge('check-dupe.php', $asking)->status, 400, 'a request without a callsign is refused';
$service->admin('uploads', 'off');
is bridge('token-status.php', $token)->status, 404, 'while uploads are off, the path gives 404';
$service->stop;

# Without a token, nobody can make a worker read more than the beginning of a body. For members, the work is
# proportional to the bytes. The work is counted in instructions.
SKIP: {
    skip 'valgrind cannot run these programs', 1 if !QSOsync::Callgrind::is_possible();
    my $service = QSOsync::Service->start(site => 1);
    $service->admin('uploads', 'on');
    my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'programs');
    my $revoked = $service->admin('upload-token', 'add', '21SD333', '--name', 'revoked');
    $service->admin('upload-token', 'revoke', '21SD333', 2);
    my $worker = QSOsync::Callgrind->start($service, QSOsync::Front::site_program());
    sub work {
        my ($body) = @_;
        my ($answer, $instructions) = $worker->ask({ REQUEST_METHOD => 'POST', REQUEST_URI => '/cloudlog/api/qso',
            CONTENT_TYPE => 'application/json' }, body => $body);
        return ($instructions, $answer);
    }
    sub fill {
        my ($begin, $part, $end, $bytes) = @_;
        return $begin . $part x (($bytes - length($begin) - length $end) / length $part) . $end;
    }

    my ($small, $large) = (1 << 20, 8 << 20);
    work('{}') for 1 .. 2; # the first request opens the logbook
    my ($plain) = work(fill('{"key":"x","string":"', 'a', '"}', $small));
    my @strangers = (
        ['neither JSON nor a key', '<a:1', '', ''], ['a wrong key', '<a:1', '{"key":"x","string":"', '"}'],
        ['a key that was revoked', '<a:1', qq({"key":"$revoked","string":"), '"}'],
        ['a revoked key at the end', '<a:-1><EOH>', '{"string":"', qq(","key":"$revoked"})],
        ['nothing but keys', '"key":"x"', '{', ''], ['keys that do not end', '"key":"', '', ''],
        ['keys without a value', '"key"', '', ''], ['quotes', '"', '', ''],
        ['many members', '"a":1,', '{', '"b":1}'], ['many brackets', '[', '', '']);
    for my $stranger (@strangers) {
        my ($name, $part, $begin, $end) = @$stranger;
        my @works;
        for my $bytes ($small, $large) {
            my ($work, $answer) = work(fill($begin, $part, $end, $bytes));
            is $answer->status, 401, "$name: the request is refused";
            push @works, $work;
        }
        cmp_ok $works[0], '<=', 20 * $plain, "$name: the cost is at most 20 times the cost of plain text";
        cmp_ok $works[1], '<=', $works[0] + ($large - $small) / 4,
            "$name: eight times as many bytes are discarded unread";
    }
    my @members = (['fields without end', '<a:1'], ['headers that are wrong', '<a:-1><EOH>'], ['quotes', '\\"'],
        ['records', '<call:5>26AT1<eor>']);
    for my $member (@members) {
        my ($name, $part) = @$member;
        my ($begin, $end) = (qq({"key":"$token","type":"adif","string":"), '"}');
        my @works = map { (work(fill($begin, $part, $end, $_)))[0] } $small / 8, $small;
        cmp_ok $works[1], '<=', 10 * $works[0],
            "$name: a body of eight times as many bytes takes at most ten times the work";
    }
    $worker->stop;
    $service->stop;
}

done_testing;
