use QSOsync::Test fronts => 'nginx';
use QSOsync::Adif;
use QSOsync::AdifSlices qw(import_slices);
use QSOsync::Profile;

# The match of a record depends on the whole file, whatever the file's length and order. This holds for the command,
# which saves 500 records at a time, and for the page, which sends slices.
my $seed = $ENV{QSOSYNC_TEST_SEED} || 1;
srand $seed;
my $service = QSOsync::Service->start(site => 1);
my $number = 0;
sub new_member {
    my $callsign = 'BOB' . ++$number;
    my $keys = $service->add_member($callsign);
    return { callsign => $callsign, key => $keys->{write_key}, page => QSOsync::Profile->log_in($service, $callsign) };
}
sub log_of { return $service->download(key => $_[0]{key}) }
sub shown { return join '; ', sort map { my $qso = $_; join ' ', map { $_ // '-' } @$qso{qw(qsoAt callsignWorked
    frequencyMhz mode rstSent notes)} } log_of($_[0]) }
my @counts = qw(imported updated unchanged repeated rejected otherBands);

# Imports the records with the command, after a dry run, and returns the counts of both reports.
sub by_command {
    my ($member, @records) = @_;
    my $file = adif_file($service, @records);
    return map { my $report = JSON::PP::decode_json(($service->admin_try('import', $member->{callsign}, $file, '--json',
        @$_))[1]); +{ map { $_ => $report->{$_} } @counts } } ['--dry-run'], [];
}
sub by_page {
    my ($member, @records) = @_;
    return map { my $sum = $_; +{ map { $_ => $sum->{$_} } @counts } } import_slices($member->{page}, \@records, 100);
}
my %ways = ('the command' => \&by_command, 'the page' => \&by_page);
sub only { my (%counts) = @_; return { (map { $_ => 0 } @counts), %counts } }

my @filling = map { adif_qso(CALL => "14FR$_", TIME_ON => sprintf('%02d%02d00', $_ / 60, $_ % 60)) } 1 .. 700;
for my $way (sort keys %ways) {
    # The callsign of a QSO is corrected, but the program's file still has the wrong callsign.
    my $member = new_member();
    my $wrong = adif_qso(CALL => '26AT102');
    $ways{$way}->($member, $wrong, @filling);
    my ($qso) = grep { $_->{callsignWorked} eq '26AT102' } log_of($member);
    $service->post_batch([{ %$qso, callsignWorked => '26AT101' }], key => $member->{key});
    my @said = $ways{$way}->($member, adif_qso(TIME_ON => '194220'), @filling, $wrong);
    is_deeply $said[1], only(imported => 1, unchanged => 701),
        "$way: a corrected QSO matches its remembered record";
    is_deeply $said[0], $said[1], "$way: the dry run reports the same counts for remembered records";

    # Another program's clock differs, and each contact is stored once.
    $member = new_member();
    sub contacts { my ($late) = @_; return map { adif_qso(CALL => '26AT' . int($_ / 3),
        TIME_ON => sprintf('%02d%02d%02d', $_ / 60, $_ % 60, $late + $_ % 3)) } 3 .. 1202 }
    $ways{$way}->($member, contacts(10));
    is scalar(log_of($member)), 1200, "$way: neighbouring contacts in one file are separate QSOs";
    @said = $ways{$way}->($member, reverse contacts(30));
    is_deeply [$said[1]{imported}, $said[1]{updated}], [0, 1200], "$way: a second program's file updates all QSOs";
    is_deeply $said[0], $said[1], "$way: the dry run reports the same counts for a second program";
    is_deeply +($ways{$way}->($member, contacts(10)))[1], only(unchanged => 1200),
        "$way: after the second program's file, the first program's file changes nothing";

    # A file has two records with equal identifying fields.
    $member = new_member();
    @said = $ways{$way}->($member, adif_qso(RST_SENT => '57'), @filling, adif_qso(RST_SENT => '59'));
    is_deeply $said[1], only(imported => 701, repeated => 1),
        "$way: records with equal identifying fields are one contact";
    is_deeply $said[0], $said[1], "$way: the dry run reports the same counts for repeated records";
    is_deeply [map { $_->{rstSent} } grep { $_->{callsignWorked} eq '26AT101' } log_of($member)], ['59'],
        "$way: the last of repeated records is stored";
}

# The command and the page give the same result, whatever the log and the file contain.
sub one_of { return $_[rand @_] }
sub some_record {
    return adif_qso(CALL => one_of('26AT101', '26-at-101', '26AT102', undef), TIME_ON => one_of('194200', '194230',
        '194259', '194301', '1942', '194405', '194559'), FREQ => one_of('27.555', '27.556', '27.600', undef),
        BAND => '11m', MODE => one_of('SSB', 'FT8', undef), NAME => one_of('Anna', 'Bert', undef),
        TIME_OFF => one_of(undef, undef, '1950'), RST_SENT => one_of('57', '59'),
        APP_N1MM_ID => one_of((undef) x 4, map { 'a' x 31 . $_ } 1 .. 3));
}
sub differ { my %seen; $seen{JSON::PP->new->canonical->encode($_)} = 1 for @_; return keys %seen > 1 }
my @wrong;
for my $round (1 .. 12) {
    my %member = map { $_ => new_member() } keys %ways;
    for my $file (1 .. 4) {
        my @records = map { some_record() } 1 .. 4 + rand 12;
        splice @records, int rand @records, 0, @filling[0 .. 240] if $round % 4 == 0;
        my %said = map { $_ => [$ways{$_}->($member{$_}, @records)] } keys %ways;
        my ($one, $other) = sort keys %ways;
        push @wrong, [$round, $file, \%said, \@records]
            if differ(map { @$_ } values %said) || shown($member{$one}) ne shown($member{$other});
        # Corrects the oldest QSO in both logs.
        my %fresh = (callsignWorked => one_of('26AT102', '26AT101'), frequencyMhz => one_of('27.600', '27.265'));
        for my $member (values %member) {
            my ($qso) = sort { $a->{id} <=> $b->{id} } log_of($member);
            $service->post_batch([{ %$qso, %fresh }], key => $member->{key}) if $qso;
        }
    }
}
is scalar @wrong, 0, 'the command, the page and their dry runs give the same result' or diag explain $wrong[0];
is $service->admin('check'), '', 'the logbook passes the check';
done_testing;
