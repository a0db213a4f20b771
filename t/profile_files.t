use QSOsync::Test;
use QSOsync::Profile;

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
sub import_slices {
    my ($member, $size, %option) = @_;
    my ($state, %sum);
    my @rest = @parts;
    while (my @slice = splice @rest, 0, $size) {
        my $answer = $member->post('import', { adif => Encode::decode('UTF-8', join '', @slice), state => $state,
            %option });
        is $answer->status, 200, 'a slice is taken' or return diag $answer->body;
        my $report = $answer->json;
        $sum{$_} += $report->{$_} for qw(imported updated unchanged refused otherBands);
        $state = $report->{state};
    }
    return \%sum;
}
use Encode ();
my %none = (imported => 0, updated => 0, unchanged => 0, refused => 0, otherBands => 0);
is_deeply import_slices($other, 50, dryRun => JSON::PP::true()), { %none, imported => 120 },
    'a dry run tells what would be imported';
is ids_of($other), '', 'a dry run saves nothing';
is_deeply import_slices($other, 50), { %none, imported => 120 }, 'slices are imported';
is_deeply import_slices($other, 7), { %none, unchanged => 120 }, 'the same file in other slices changes nothing';
is_deeply import_slices($me, 50), { %none, unchanged => 120 }, "the member's own file changes nothing";
is $me->get('qsos?limit=1')->json->{items}[0]{spottedAt} ? 1 : 0, 1, 'an import leaves spots as they are';
is $other->get('qsos?limit=1')->json->{items}[0]{spottedAt}, undef, 'an import makes no spots';

# Repeats in one minute are told apart by their order in the file, also where a slice ends between them.
@parts = map { '<call:7>26AT777<qso_date:8>20260101<time_on:4>1200<band:3>11m<freq:6>27.555<mode:3>SSB<comment:1>' . $_
    . "<eor>\n" } 1 .. 3;
is_deeply import_slices($me, 1), { %none, imported => 3 },
    'repeats in one minute are QSOs of their own in slices of one';
is_deeply import_slices($me, 3), { %none, unchanged => 3 }, 'they are the same in one slice';

my $bad = $me->post('import',
    { adif => "<call:7>26AT777<eor>\n", state => $me->post('import', { adif => "x\n" x 41 })->json->{state} })->json;
is $bad->{refused}, 1, 'a record that cannot be saved is refused';
is $bad->{details}[0]{line}, 42, 'its line is that of the file, not of the slice';
ok $bad->{details}[0]{message}, 'the report says why';
is $me->post('import', $_)->status, 400, 'what is no slice is refused' for {}, { adif => 1 },
    map { { adif => '', state => $_ } } 'x', '1', '1:x', '1::0', '-1::', '1::' . 'g' x 32;
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

done_testing;
