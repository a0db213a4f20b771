use QSOsync::Test fronts => 'none';

# The log of a disabled member takes part in no new confirmation, whoever writes to it: an import by the operator
# neither.
my $service = QSOsync::Service->start;
$service->add_member('26AT101');
$service->admin('import', '26AT101', write_adif('21SD333'));
$service->admin('member', 'disable', '21SD333');
sub write_adif {
    my ($worked) = @_;
    my $path = $service->directory . "/$worked.adi";
    QSOsync::Front::write_file($path,
        "<call:7>$worked<qso_date:8>20260517<time_on:6>194200<band:3>11m<freq:6>27.555<mode:3>USB<eor>\n");
    return $path;
}
sub confirmed { $service->sqlite('SELECT count(*) FROM qsos WHERE confirmed_by IS NOT NULL') }
$service->admin('import', '21SD333', write_adif('26AT101'));
is $service->sqlite('SELECT count(*) FROM qsos'), 2, 'both have the contact';
is confirmed(), 0, 'an import into the log of a disabled member confirms nothing';
$service->admin('member', 'enable', '21SD333');
my $again = $service->directory . '/again.adi';
QSOsync::Front::write_file($again, QSOsync::Front::read_file(write_adif('26AT101')) =~ s/<eor>/<comment:1>x<eor>/r);
$service->admin('import', '21SD333', $again);
is confirmed(), 2, 'after the member is enabled, the next write confirms it';

done_testing;
