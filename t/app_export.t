use QSOsync::Test fronts => 'nginx';

# The app can save waiting QSOs as an ADIF file, for example if the service refuses the key. Importing the file creates
# the same QSOs.
my @serials = map { chomp; [split /\t/, $_, -1] } grep { !/\A#/ }
    split /^/, QSOsync::Front::read_file("$QSOsync::Front::SOURCE/t/data/serials.tsv");
my $service = QSOsync::Service->start;
my $folder = $service->directory;
my @sent = (full_qso(notes => "two\nlines, 5\N{U+B0}"),
    full_qso(notes => "a <b> <EOR> and <CALL:3>1AT %41", antenna => '<EOH> 5/8'),
    full_pmr_qso(), full_qso(qslVia => 'ECARD', path => 'LP'),
    full_qso(mode => 'DIGITAL', callsignWorked => undef, splitKhz => undef, operatorCallsign => undef),
    map({ full_qso(mode => $_) } qw(FM AM SSB LSB CW)),
    map { full_qso(rstSent => $_->[3] || undef, rstReceived => $_->[3] || undef) } @serials);
$service->post_batch(\@sent);
my %stored = map { $_->{clientId} => $_ } $service->download;
QSOsync::Front::write_file("$folder/qsos.json", JSON::PP->new->utf8->encode([values %stored]));
my $written = system('node', '--input-type=module', '-e', <<'END', "$QSOsync::Front::BUILD/app/adif.js", $folder);
import { readFileSync, writeFileSync } from "node:fs";
const [module, folder] = process.argv.slice(1);
const { formatAdif } = await import(module);
writeFileSync(`${folder}/waiting.adi`, formatAdif(JSON.parse(readFileSync(`${folder}/qsos.json`, "utf8"))));
END
is $written, 0, 'the app writes an ADIF file';
my %fields = map { my %field = /<(\w+):\d+>(.*?)(?= <)/g; $field{APP_QSOSYNC_CLIENT_ID} => \%field }
    split /<EOR>\n/, QSOsync::Front::read_file("$folder/waiting.adi") =~ s/.*<EOH>\n//r;
for my $index (0 .. $#serials) {
    my (undef, undef, undef, $joined, @apart) = @{$serials[$index]};
    my $field = $fields{$sent[@sent - @serials + $index]{clientId}};
    is_deeply [map { $field->{$_} // '' } qw(RST_SENT STX STX_STRING RST_RCVD SRX SRX_STRING)], [@apart, @apart],
        "the app writes '$joined' as the service's export does";
}
$service->delete_qso($_) for keys %stored;
my $report = $service->admin('import', '21SD333', "$folder/waiting.adi");
like $report, qr/^imported ${\scalar @sent}$/m, 'all records from the app are imported' or diag $report;
my @own = qw(id createdAt syncedAt spottedAt crossConfirmedAt);
for my $qso ($service->download) {
    my $before = $stored{$qso->{clientId}} || {};
    delete @$_{@own} for $qso, $before;
    is_deeply $qso, $before, 'an imported QSO equals the QSO on the device' or diag $qso->{mode};
}
$service->stop;

done_testing;
