use QSOsync::Test fronts => 'nginx';

# A disabled member's log gets no new confirmation through any write, including the operator's import.
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
sub count_confirmed { $service->sqlite('SELECT count(*) FROM qsos WHERE confirmed_by IS NOT NULL') }
$service->admin('import', '21SD333', write_adif('26AT101'));
is $service->sqlite('SELECT count(*) FROM qsos'), 2, 'both members have the contact';
is count_confirmed(), 0, 'an import into the log of a disabled member confirms nothing';
$service->admin('member', 'enable', '21SD333');
my $again = $service->directory . '/again.adi';
QSOsync::Front::write_file($again, QSOsync::Front::read_file(write_adif('26AT101')) =~ s/<eor>/<comment:1>x<eor>/r);
$service->admin('import', '21SD333', $again);
is count_confirmed(), 2, 'after enabling the member, the next write confirms the contact';
$service->stop;

done_testing;
