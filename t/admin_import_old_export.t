use QSOsync::Test fronts => 'none';
use QSOsync::Adif;

# An export of an earlier version, from before serials had fields of their own (t/data/exports): this version makes the
# same QSOs of it, and what it exports itself comes back into them.
my $service = QSOsync::Service->start;
my $folder = "$QSOsync::Front::SOURCE/t/data/exports";
my $before = JSON::PP->new->decode(QSOsync::Front::read_file("$folder/1.1.0-early.json"));
my @own = qw(id createdAt syncedAt spottedAt crossConfirmedAt);
sub log_now { return [sort { $a->{clientId} cmp $b->{clientId} } map { delete @$_{@own}; $_ } $service->download] }

my $report = import_adif($service, '21SD333', "$folder/1.1.0-early.adi");
is_deeply [@{$report->{counts}}{qw(imported refused)}, $report->{details}], [scalar @$before, 0, []],
    'every record of an old export is imported, without a word';
my $expected = [sort { $a->{clientId} cmp $b->{clientId} } @$before];
is_deeply log_now(), $expected, 'the QSOs are what they were in the earlier version';
is import_adif($service, '21SD333', "$folder/1.1.0-early.adi")->{counts}{unchanged}, scalar @$before,
    'the old export again changes nothing';

my $file = $service->directory . '/log.adi';
$service->admin('export', '21SD333', $file, '--heard');
is import_adif($service, '21SD333', $file)->{counts}{unchanged}, scalar @$before, 'a new export changes nothing';
$service->delete_qso($_->{clientId}) for @$before;
is import_adif($service, '21SD333', $file)->{counts}{imported}, scalar @$before, 'a new export brings a lost log back';
is_deeply log_now(), $expected, 'the QSOs are still what they were in the earlier version';

done_testing;
