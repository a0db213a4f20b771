use QSOsync::Test;
use QSOsync::Profile;
use Encode ();

# A member downloads, imports and deletes the log on the profile page.
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
is $me->get("export.adi?ids=$_")->status, 400, "the ids $_ are refused"
    for 'x', '1,2', '1%20%202', join '%20', 1 .. 501;
my ($last) = grep { $_->{clientId} eq $qsos[-1]{clientId} } @{$me->get('qsos?limit=200')->json->{items}};
my $since = () = $me->get("export.adi?since=$last->{syncedAt}")->body =~ /<eor>/gi;
is $since, 0, 'the parameter since omits unchanged QSOs';

my $all = $me->get('everything.json');
is $all->status, 200, "all data about a member can be downloaded as a file";
my $everything = $all->json;
is_deeply [map { scalar @{$everything->{$_}} } qw(qsos keys uploadTokens spots)], [120, 2, 0, 120],
    'everything.json contains QSOs, keys and spots';
is $everything->{member}{callsign}, '21SD333', 'everything.json contains the member';
is $everything->{qsoCount}, 120, 'everything.json ends with the number of QSOs';
is_deeply [map { join ' ', sort keys %$_ } @{$everything->{devices}}], ['createdAt device lastUsedOn number'],
    'everything.json contains the signed-in browser';
is_deeply [map { [$_->{kind}, defined $_->{usedAt}] } @{$everything->{signInLinks}}], [['INVITATION', 1]],
    'everything.json contains the used invitation';
unlike $all->body, qr/\$y\$|[0-9a-f]{64}/i, 'everything.json contains neither hashes nor fingerprints';
is $everything->{qsos}[0]{notes}, 'number 1, <b>, ' . "\x{e5}", 'everything.json contains texts unchanged';

# The file is imported into another member's log, in slices.
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
    'a dry run reports the outcomes of the import';
is ids_of($other), '', 'a dry run saves nothing';
is_deeply send_parts($other, 50), { %none, imported => 120 }, 'slices are imported';
is_deeply send_parts($other, 7), { %none, unchanged => 120 }, 'importing the same file in other slices changes nothing';
is_deeply send_parts($me, 50), { %none, unchanged => 120 }, "importing the member's own file changes nothing";
is $me->get('qsos?limit=1')->json->{items}[0]{spottedAt} ? 1 : 0, 1, 'an import does not change spots';
is $other->get('qsos?limit=1')->json->{items}[0]{spottedAt}, undef, 'an import creates no spots';

# The log is also a file in ADX, the XML form of ADIF, which another member can import.
my $adx = $me->get('export.adx');
is_deeply [$adx->status, map { $adx->header($_) } qw(Content-Type Content-Disposition)],
    [200, 'application/xml', 'attachment; filename="qsosync.adx"'], 'the log can be downloaded in ADX';
$records = () = $adx->body =~ m{</RECORD>}g;
is $records, 120, 'the file in ADX contains every QSO';
$records = () = $me->get("export.adx?ids=$last->{id}")->body =~ m{</RECORD>}g;
is $records, 1, 'the file in ADX can contain one QSO';
is_deeply [@{$other->post('import', { adif => Encode::decode('UTF-8', $adx->body) })->json}{keys %none}],
    [@{{ %none, unchanged => 120 }}{keys %none}], 'a body in ADX is imported like the same records in ADI';
my $odd = $other->post('import', { adif => "<ADX><RECORDS><RECORD>\n<CALL>&x;</CALL></RECORD></RECORDS></ADX>" })->json;
is_deeply [@$odd{qw(imported rejected)}, $odd->{details}[0]{line} // $odd->{details}[0]], [0, 1, 2],
    'a body that is not valid ADX is rejected, with the line';

# Records that can match the same QSO have a common key, so that the page can send these records together.
@parts = map { "<call:7>26AT777<qso_date:8>20260101<time_on:6>1200$_<band:3>11m<freq:6>27.555<mode:3>SSB<eor>\n" }
    qw(00 10 20);
is_deeply send_parts($me, 3), { %none, imported => 3 }, 'records of one file in the same minute are separate QSOs';
is_deeply send_parts($me, 1), { %none, unchanged => 3 }, 'slices with one record match the same QSOs';
my $told = $me->post('import', { adif => join('', map { s/27.555/27.556/r } @parts),
    dryRun => JSON::PP::true() })->json;
my %keys;
push @{$keys{$_->[1]}}, $_->[0] for @{$told->{keys}};
is scalar(grep { /^q/ && "@{$keys{$_}}" eq '1 2 3' } keys %keys), 3,
    'each record has the keys of the three QSOs that can match';
is scalar(grep { /^t/ && "@{$keys{$_}}" eq '1 2 3' } keys %keys), 2,
    'the three records share the keys of two parts of the day';
is_deeply [@$told{qw(corrected imported)}], [3, 0], 'a dry run counts corrections';
is $told->{outcomes}, 'ccc', 'each record has a letter for its outcome';
my $rejected = '<call:3>1AA<eor>';
my $foreign = '<call:3>1AA<qso_date:8>20260101<time_on:4>1200<band:3>20m<eor>';
is $me->post('import', { adif => "$parts[0]$rejected$foreign", dryRun => JSON::PP::true() })->json->{outcomes}, 'uxo',
    'the letters name unchanged, rejected and other records';
is_deeply $told->{values}[0],
    { kind => 'corrected', line => 1, record => 1, field => 'frequencyMhz', before => '27.555', after => '27.556' },
    'each correction is listed with both values';

my $bad = $me->post('import', { adif => "\n\n<call:7>26AT777<eor>\n" })->json;
is $bad->{rejected}, 1, 'an invalid record is rejected';
is $bad->{refused}, 1, 'the count of rejected records is repeated under its previous name';
is $bad->{details}[0]{line}, 3, "a rejected record's line is counted within its slice";
ok $bad->{details}[0]{message}, 'the report gives the reason for a rejected record';
is $me->post('import', $_)->status, 400, 'a body without a slice is refused' for {}, { adif => 1 };
is $me->request('POST', 'import', json => { adif => $parts[0] })->code, 'PROFILE.CROSS_SITE',
    'a page on another site cannot import';

# The operator's command exports the same data.
my $operator = $service->directory . '/everything.json';
my $copy_of_db = $service->directory . '/copy.db';
my $members = $me->get('everything.json')->json;
$service->admin('backup', $copy_of_db);
my $delete = "member delete 21SD333 --yes --export '$operator' 2>/dev/null";
is system("'$QSOsync::Front::BUILD/qsosync-admin' --db '$copy_of_db' $delete"), 0,
    'the command that deletes a member can export all data about the member';
my $operators = JSON::PP::decode_json(QSOsync::Front::read_file($operator));
delete $_->{exportedAt} for $members, $operators;
delete $_->{lastUsedOn} for map { @{$_->{keys}} } $members, $operators; # the worker writes this day after an answer
my ($left, $former) = map { delete $_->{devices} } $operators, $members;
is_deeply [$left, scalar @$former], [[], 1], 'a deleted member is signed out before the export';
is_deeply $operators, $members, 'the operator and the member get the same data';

# The member deletes the log.
is $me->post('delete-log', $_)->status, 400, 'deleting a log needs the callsign' for {},
    { callsign => '26AT101' }, { callsign => '' }, { callsign => JSON::PP::true() };
my $tag = $service->get('/logs/ids')->header('ETag');
is_deeply $me->post('delete-log', { callsign => ' 21sd333 ' })->json, { deleted => 123 },
    'a log is deleted if the right callsign is sent';
is ids_of($me), '', 'a deleted log is empty';
isnt $service->get('/logs/ids')->header('ETag'), $tag, 'deleting the log changes the list of ids for clients';
is scalar @{$other->get('qsos?limit=200')->json->{items}}, 120, "deleting a log keeps another member's log";
is $service->admin('check'), '', 'the logbook passes the check';
$service->stop;

done_testing;
