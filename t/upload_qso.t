use QSOsync::Test fronts => 'essential';

# Uploads are accepted in the formats that programs in use send.
my $service = QSOsync::Service->start(site => 1);
$service->admin('uploads', 'on');
my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'programs');
sub send_body {
    my ($body, $path, %headers) = @_;
    return $service->request('POST', '', raw_path => '/cloudlog' . ($path || '/api/qso'), body => $body,
        headers => { 'Content-Type' => 'application/json', %headers });
}
sub send_adif {
    my ($adif, %option) = @_;
    return send_body(JSON::PP::encode_json({ key => $token, station_profile_id => '1', type => 'adif', string => $adif,
        %option }));
}
sub field { my ($name, $value) = @_; return sprintf '<%s:%d>%s', $name, length $value, $value }
sub record {
    my (%field) = (CALL => '26AT101', QSO_DATE => '20260517', TIME_ON => '194200', FREQ => '27.555', BAND => '11m',
        MODE => 'SSB', @_);
    return join('', map { defined $field{$_} ? field($_, $field{$_}) : () } sort keys %field) . '<eor>';
}
sub log_of { return @{$service->get('/logs')->json->{items}} }
my $created = '{"status":"created","type":"adif","string":"","adif_count":1,"adif_errors":0,"messages":[""]}';

my $first = send_adif(record());
is $first->status . ' ' . $first->body, "201 $created", 'an uploaded record is reported as created';
is $first->header('Content-Type'), 'application/json', 'the answer is JSON';
my ($saved) = log_of();
is "$saved->{callsignWorked} $saved->{frequencyMhz} $saved->{qsoAt} $saved->{mode} $saved->{band}",
    '26AT101 27.555 2026-05-17T19:42:00.000Z SSB ELEVEN_METERS', 'the uploaded record is in the log';
is $saved->{spottedAt}, undef, 'an upload is never a spot';
is send_adif(record())->body, $created, 'a repeated record gets the same answer';
is scalar(log_of()), 1, 'a repeated record adds nothing to the log';

# Returns a record that is three minutes later than the last, so that the records are separate contacts.
my $minute = 0;
sub next_record {
    $minute += 3;
    my @at = (QSO_DATE => sprintf('202605%02d', 17 + $minute / 1440),
        TIME_ON => sprintf('%02d%02d00', $minute % 1440 / 60, $minute % 60));
    return record(@at, @_);
}
my $count = 1;
for my $path ('/api/qso', '/api/qso/', '/index.php/api/qso', '/index.php/api/qso/', '/index.php/index.php/api/qso') {
    my $body = JSON::PP::encode_json({ key => $token, station_profile_id => 1, type => 'adif',
        string => next_record() });
    is send_body($body, $path)->status, 201, "$path accepts QSOs";
    is scalar(log_of()), ++$count, "a QSO sent to $path enters the log";
}
my $dry = JSON::PP::encode_json({ key => $token, station_profile_id => '1', type => 'adif', string => next_record() });
is send_body($dry, '/api/qso/true')->body, $created =~ s/\[""\]/["Dryrun works"]/r,
    'a dry run answers like an upload, and marks itself as a dry run';
is scalar(log_of()), $count, 'a dry run adds nothing to the log';

# Some programs assemble the JSON of a body without escaping the values.
my $head = qq({"key":"$token","station_profile_id":"1","type":"adif","string":");
my $plain = next_record();
my %pasted = (
    'with line feeds in the string' => next_record(NOTES => "one") . "\r\n",
    'with quotes and backslashes in a value' => next_record(NOTES => 'he said "73", C:\new\x'),
    'with a backslash before a space' => next_record(NOTES => 'A:\ and C:\new'),
    'with a quote, a comma and a brace in a value' => next_record(NOTES => 'a","key":"b"}'),
    'with tabs in a value' => next_record(NOTES => "a\tb"),
    'in ISO 8859-1' => next_record(NOTES => "Z\xfcrich"),
    'with two records' => next_record() . "\n" . next_record(NOTES => '"'),
);
for my $name (sort keys %pasted) {
    my $before = scalar log_of();
    my $answer = send_body($head . $pasted{$name} . '"}');
    is $answer->status, 201, "a body $name is accepted" or diag $answer->body;
    is scalar(log_of()) - $before, () = $pasted{$name} =~ /<eor>/g, "no record in a body $name is lost";
    is_deeply [@{$answer->json->{messages}}[1 .. $#{$answer->json->{messages}}]],
        ['changed: line 1: NOTES is not in UTF-8, and is read as Windows-1252'],
        'the answer reports the assumed encoding'
        if $name =~ /8859/;
}
my %notes = map { ($_->{notes} // '') => 1 } log_of();
ok $notes{$_->[0]}, "$_->[1] arrive unchanged" for ['he said "73", C:\new\x', 'quotes and backslashes'],
    ['A:\ and C:\new', 'a backslash and a space'], ["a\tb", 'tabs'], ["Z\x{fc}rich", 'letters of another encoding'];
is send_body("{\"string\":\"" . next_record(NOTES => '"') . "\",\"type\":\"adif\",\"key\":\"$token\"}")->status, 201,
    'the order of members in the body does not matter';

# Some uploads cannot be saved.
my $abort = send_adif(record(QSO_DATE => undef));
is $abort->status, 400, 'a record without a date is rejected';
is $abort->json->{status} . $abort->json->{adif_count} . $abort->json->{adif_errors}, 'abort01',
    'the answer counts the rejected record';
like $abort->json->{messages}[1], qr/QSO_DATE/, 'the reason is the second message';
my $both = send_adif(record(QSO_DATE => undef) . next_record());
is $both->status . $both->json->{status} . $both->json->{adif_count} . $both->json->{adif_errors}, '201created11',
    'a bad record does not block a good record';
my $other = send_adif(record(BAND => '20m', FREQ => '14.200'));
is $other->status . $other->json->{status} . $other->json->{adif_count}, '201created0',
    'a record on another band does not stop the upload';
like $other->json->{messages}[1], qr/other bands/, 'the answer reports the omitted record';
my $wrong = '{"status":"failed","reason":"missing or wrong api key"}';
is send_adif(next_record(), key => $_)->status, 401, 'an upload without a valid token is refused' for 'x', '',
    $service->write_key, undef, 7;
is send_adif(next_record(), key => 'x')->body, $wrong, 'a wrong token is reported in the format that clients expect';
is send_adif(next_record(), type => $_)->json->{status}, 'abort', 'a type other than ADIF is refused' for 'json', undef;
is send_body($_)->json->{status}, 'abort', 'invalid JSON is refused in JSON'
    for '', 'x', '[]', '{', $head, $head . '<notes:9999>x"}', $head . '<eor>', "$head<call:5>26AT1<eor>";
is send_adif($_)->json->{status}, 'abort', 'a text that is not ADIF is refused' for '', 'hello', '   ';
unlike $_->body, qr/<html/i,
    'no answer contains text that clients could mistake for a web page' for send_body('<html>'),
    send_body('x' x 9_000_000);
is send_body('x' x 9_000_000)->status, 413, 'a body that is too large is refused';

my @many = map { next_record() } 1 .. 600;
is send_adif(join '', @many)->json->{adif_count}, 600, 'a body can contain many records';
unlike join('', map { QSOsync::Front::read_file($_) } grep { -f } glob $service->directory . '/*.log'), qr/qsosyncup_/,
    'no log file contains a token';

done_testing;
