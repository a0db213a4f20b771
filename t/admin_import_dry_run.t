use QSOsync::Test fronts => 'nginx';
use QSOsync::Adif;
use QSOsync::AdifSlices qw(import_slices);
use QSOsync::Profile;

# For any file, a dry run and the import report the same outcomes. The files contain repeats, ids of other records and
# members, and edited exports. The file is sent in one piece or in slices.
my $seed = $ENV{QSOSYNC_TEST_SEED} || 1;
srand $seed;
my $service = QSOsync::Service->start(site => 1);
my $other = $service->add_member('30RC010');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my @taken = map { qso() } 1 .. 2;
$service->post_batch(\@taken, key => $other->{write_key});
sub one_of { return $_[rand @_] }
sub maybe { my ($chance, @fields) = @_; return rand() < $chance ? @fields : () }

# A record's clientId can be one of four UUIDs, belong to a QSO of either member, or not be a UUID.
my @ids = ((map { sprintf '00000000-0000-4000-8000-%012d', $_ } 1 .. 4), (map { $_->{clientId} } @taken), 'no-uuid');
sub ids { return (@ids, grep { defined } map { $_->{clientId} } $service->download) }
sub one_record {
    my @own = maybe(0.5, APP_QSOSYNC_CLIENT_ID => one_of(@_));
    return adif_record(CALL => one_of('26AT101', '26-at-101', '161SD001', ''), QSO_DATE => '20260517',
        TIME_ON => one_of('1942', '194200', '194233', '1943', '19'), BAND => one_of(('11m') x 9, '20m'), @own,
        maybe(0.5, MODE => one_of('SSB', 'FT8', 'CW')), maybe(0.3, SUBMODE => 'USB'),
        maybe(0.5, GRIDSQUARE => one_of('JO59', 'JO59jw', 'x')), maybe(0.5, NOTES => one_of('one', 'two')),
        maybe(0.2, NAME => one_of('Bob', "J\x{fc}rgen")), maybe(0.3, FREQ => one_of('27.555', '27.2665', '14.2')),
        maybe(0.1, CNTY => 'x'));
}

# Returns some records from an export, with edited signal reports. Some of the records occur twice.
sub exported {
    my ($file) = $service->admin('export', '21SD333');
    my @records = map { s/<RST_SENT:2>59/<RST_SENT:2>57/r } grep { rand() < 0.3 } $file =~ /^(<.*<EOR>\r\n)/mg;
    return @records, grep { rand() < 0.3 } @records;
}
sub some_records {
    my ($count) = @_;
    my @ids = ids();
    my @records = ((map { one_record(@ids) } 1 .. $count), exported());
    return map { $_->[1] } sort { $a->[0] <=> $b->[0] } map { [rand, $_] } @records;
}
sub report_of {
    my ($file, @options) = @_;
    my ($status, $output) = $service->admin_try('import', '21SD333', $file, '--json', '--encoding', 'CP1252', @options);
    my $report = JSON::PP::decode_json($output);
    delete $report->{dryRun};
    return { %$report, status => $status };
}

# Removes the clientId of one QSO in the member's log, so only the server's id identifies the QSO.
sub forget_an_id {
    $service->sqlite("UPDATE qsos SET client_id = NULL WHERE id = "
        . "(SELECT min(id) FROM qsos WHERE client_id IS NOT NULL AND member_id ="
        . " (SELECT id FROM members WHERE callsign = '21SD333'))");
}

my (%seen, @wrong);
for my $round (1 .. 12) {
    my $file = adif_file($service, some_records($round == 12 ? 700 : 12));
    my ($dry, $real) = map { report_of($file, @$_) } ['--dry-run'], [];
    $seen{$_} += $real->{$_} // 0 for qw(imported updated unchanged repeated rejected);
    push @wrong, [$round, $dry, $real]
        if JSON::PP->new->canonical->encode($dry) ne JSON::PP->new->canonical->encode($real);
    forget_an_id() if $round % 3 == 0;
}
is scalar @wrong, 0, 'a dry run and the import report the same outcomes' or diag explain $wrong[0];
cmp_ok $seen{$_}, '>', 0, "the files contain records that are $_" for sort keys %seen;

# The page sends a file in slices.
for my $round (1 .. 6) {
    my @ids = ids();
    my ($dry, $import) = import_slices($me, [map { one_record(@ids) } 1 .. 24], 6);
    is_deeply $dry, $import, "a dry run and the import in slices report the same outcomes ($round)";
}

# An export matches the whole log, including QSOs without a clientId.
my $before = $service->sqlite('SELECT count(*), max(synced_at) FROM qsos');
cmp_ok $service->sqlite('SELECT count(*) FROM qsos WHERE client_id IS NULL'), '>', 0,
    'some QSOs in the log lack a clientId';
my $all = adif_file($service, $service->admin('export', '21SD333', '-', '--heard'));
my $again = import_adif($service, '21SD333', $all);
is $again->{counts}{unchanged}, scalar(() = QSOsync::Front::read_file($all) =~ /<EOR>/g),
    'importing an export changes nothing, even without clientIds';
is $service->sqlite('SELECT count(*), max(synced_at) FROM qsos'), $before, 'importing an export writes no QSO';
(my $edited = QSOsync::Front::read_file($all)) =~ s/<CALL:\d+>[^<]*/<CALL:6>26AT77/g;
my $edit = import_adif($service, '21SD333', adif_file($service, $edited));
is $edit->{counts}{imported}, 0, 'a callsign edited in an export creates no second QSO';
is $service->sqlite("SELECT count(*) FROM qsos WHERE client_id IS NULL AND callsign_worked <> '26AT77'"), 0,
    'a callsign edited in an export updates a QSO without a clientId';
my $elsewhere = import_adif($service, '30RC010', $all);
is $elsewhere->{counts}{unchanged}, 0, "another member's import of the export matches no QSO";

done_testing;
