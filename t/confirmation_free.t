use QSOsync::Test fronts => 'none';

# QSOs that become free, and those of members who take no part.

# Within one batch a QSO that becomes free is found by the entries after it, though the entries before it found nobody
# who had logged this station under a callsign that is no member's.
{
    my $service = QSOsync::Service->start(workers => 1);
    my $other = $service->add_member('26AT101');
    my %contact = (qsoAt => '2026-05-17T19:42:00.000Z', mode => 'USB');

    my $theirs = qso(%contact, operatorCallsign => '1XX001', callsignWorked => '21SD333');
    my $mine = qso(%contact, callsignWorked => '1XX001');
    $service->post_batch([$theirs], key => $other->{write_key});
    $service->post_batch([$mine]);
    sub confirmed {
        my %found = map { $_->{clientId} => defined $_->{crossConfirmedAt} ? 1 : 0 } $service->download;
        return map { $found{$_->{clientId}} } @_;
    }
    is_deeply [confirmed($mine)], [1], 'a QSO under a callsign that is no member\'s confirms mine';

    my ($nobody, $again) = (qso(%contact, callsignWorked => '9ZZ999'), qso(%contact, callsignWorked => '1XX001'));
    is $service->post_batch([$nobody, { %$mine, callsignWorked => '9ZZ998' }, $again])->status, 200,
        'a batch frees it and claims it';
    is_deeply [confirmed($nobody, $mine, $again)], [0, 0, 1],
        'the entry after the one that freed it is confirmed by it';

    my ($own, $late) = (qso(%contact, operatorCallsign => '1XX002', callsignWorked => '21SD333'),
        qso(%contact, callsignWorked => '1XX002'));
    $service->post_batch([$nobody, $own, $late]);
    is_deeply [confirmed($late)], [0], 'no QSO of one\'s own is the other side';
    $service->stop;
}

# The log of a disabled member takes part in no new confirmation, whoever writes to it: an import by the operator
# neither.
{
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
    is $service->sqlite('SELECT count(*) FROM qsos'), 2, 'both have the contact';
    is count_confirmed(), 0, 'an import into the log of a disabled member confirms nothing';
    $service->admin('member', 'enable', '21SD333');
    my $again = $service->directory . '/again.adi';
    QSOsync::Front::write_file($again, QSOsync::Front::read_file(write_adif('26AT101')) =~ s/<eor>/<comment:1>x<eor>/r);
    $service->admin('import', '21SD333', $again);
    is count_confirmed(), 2, 'after the member is enabled, the next write confirms it';
    $service->stop;
}

done_testing;
