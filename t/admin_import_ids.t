use QSOsync::Test fronts => 'none';
use QSOsync::Adif;

# Imported QSOs get random clientIds. QSOs with clientIds from an older release match by their content.
my $service = QSOsync::Service->start;
my $spy = $service->add_member('26AT101');
my @contact = (QSO_DATE => '20260517', TIME_ON => '194233', BAND => '11m', FREQ => '27.555', MODE => 'SSB');
sub counts_of {
    my (@records) = @_;
    my $file = adif_file($service, map { adif_record(@contact, @$_) } @records);
    return import_adif($service, '21SD333', $file)->{counts};
}
sub only {
    my (%counts) = @_;
    return { imported => 0, updated => 0, unchanged => 0, repeated => 0, rejected => 0, 'other bands' => 0,
        %counts };
}
sub ids { return map { $_->{callsignWorked} => $_->{clientId} } $service->download }

is_deeply counts_of([CALL => 'ONE'], [CALL => 'TWO']), only(imported => 2),
    'two records in one minute are imported';
my %ids = ids();
like $ids{$_}, qr/\A[0-9a-f]{8}-[0-9a-f]{4}-4/, "the clientId of $_ is random" for qw(ONE TWO);

# An exported file revealed the clientId of ONE, and another member now uses this clientId.
$service->delete_qso($ids{ONE});
$service->post_batch([qso(clientId => $ids{ONE})], key => $spy->{write_key});
is_deeply counts_of([CALL => 'ONE']), only(imported => 1), 'the record of a deleted QSO is imported again';
is_deeply counts_of([CALL => 'ONE']), only(unchanged => 1),
    'the record of a deleted QSO matches the QSO of its second import';

# A log from an older release has two QSOs with equal contacts in one minute. Their clientIds were derived from their
# content.
my @old = map { qso(clientId => "83fdf0e2-5a5f-554d-b0b7-f914dee37d8$_", callsignWorked => 'OLD', rstSent => "5$_",
    qsoAt => '2026-05-17T19:42:33Z', frequencyMhz => "27.55$_", mode => 'SSB') } 1, 9;
$service->post_batch(\@old);
my @records = map { [CALL => 'OLD', RST_SENT => "5$_", FREQ => "27.55$_"] } 9, 1;
is_deeply counts_of(@records), only(unchanged => 2), 'records match QSOs with clientIds from an older release';
$service->delete_qso($old[0]{clientId});
is_deeply counts_of(@records), only(imported => 1, unchanged => 1),
    'the record of a deleted QSO does not match the other QSO in the same minute';
is_deeply counts_of(@records), only(unchanged => 2), 'both records match after the deleted QSO was imported again';
$service->post_batch([{ %{$old[1]}, callsignWorked => 'OLD/P' }]);
is counts_of(@records)->{imported}, 0,
    "a record that was imported before matches its QSO even after a corrected callsign";
is $service->admin('check'), '', 'the logbook passes the check after matching';

done_testing;
