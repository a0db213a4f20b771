use QSOsync::Test fronts => 'nginx';

# A confirmation starts with a write, and a deletion ends it.
my $service = QSOsync::Service->start;
my $other = $service->add_member('26AT101');
my $third = $service->add_member('14FR014');
my %key = (mine => [$service->read_key, $service->write_key], map { $_->[0] => [@{$_->[1]}{qw(read_key write_key)}] }
    [theirs => $other], [third => $third]);

sub save {
    my ($who, $qso) = @_;
    my $result = $service->post_batch([$qso], key => $key{$who}[1])->json->{results}[0];
    die "not saved: $result->{error}" unless $result->{id};
    return $qso;
}

sub item {
    my ($who, $qso) = @_;
    return (grep { $_->{clientId} eq $qso->{clientId} } $service->download(key => $key{$who}[0]))[0];
}
sub confirmed { item(@_)->{crossConfirmedAt} }
sub at { sprintf '2026-05-17T19:%02d:00.000Z', $_[0] }

my $mine = save(mine => qso(callsignWorked => '26AT101'));
my $before = item(mine => $mine)->{syncedAt};
my $tag = $service->get('/logs/ids')->header('ETag');
my $theirs = save(theirs => qso(callsignWorked => '21SD333'));
is confirmed(mine => $mine), confirmed(theirs => $theirs), 'a confirmation has the same time on both sides';
cmp_ok item(mine => $mine)->{syncedAt}, 'gt', $before, "a confirmation raises syncedAt of the other member's QSO";
isnt $service->get('/logs/ids')->header('ETag'), $tag,
    'a confirmation changes the ETag of /logs/ids for the other member';
my $since = $service->get("/logs?updatedSince=$before")->json;
is scalar(@{$since->{items}}), 1, "an incremental download contains the newly confirmed QSO";

my $time = confirmed(mine => $mine);
save(mine => { %$mine, notes => 'an edit' });
is confirmed(mine => $mine), $time, 'an edit of the notes keeps the confirmation and its time';
save(mine => { %$mine, qsoStatus => 'HRD' });
is confirmed($_->[0] => $_->[1]), undef, "an edit that ends the match ends the confirmation ($_->[0])"
    for [mine => $mine], [theirs => $theirs];
save(mine => $mine);
ok confirmed(theirs => $theirs), 'an edit that restores the match confirms both QSOs';
cmp_ok confirmed(theirs => $theirs), 'gt', $time, 'a restored confirmation has a new time';

my $rival = save(mine => qso(callsignWorked => '26AT101', qsoAt => '2026-05-17T19:42:00.000Z'));
is confirmed(mine => $rival), undef, 'a second match for a confirmed QSO is not confirmed';
$service->delete_qso($mine->{clientId});
ok confirmed(mine => $rival), "deleting a QSO's partner confirms the next match";
ok confirmed(theirs => $theirs), "deleting a QSO's partner confirms the QSO by the next match";
$service->delete_qso($rival->{clientId});
is confirmed(theirs => $theirs), undef, 'deleting the last partner ends the confirmation';
$service->delete_qso($theirs->{clientId}, key => $key{theirs}[1]);

my @candidates = map { save(mine => qso(callsignWorked => '26AT101', qsoAt => at($_))) } 10, 22, 18, 20, 20;
save(theirs => $theirs = qso(callsignWorked => '21SD333', qsoAt => at(20)));
is join('', map { defined confirmed(mine => $_) ? 1 : 0 } @candidates), '00010',
    'the match that is nearest in time is confirmed, or the oldest if several are equally near';
$service->delete_qso($candidates[3]{clientId});
is join('', map { defined confirmed(mine => $_) ? 1 : 0 } @candidates[0, 1, 2, 4]), '0001',
    'deleting the nearest match confirms the next nearest';
$service->delete_qso($_->{clientId}) for @candidates[0, 1, 2, 4];
$service->delete_qso($theirs->{clientId}, key => $key{theirs}[1]);

# The same rules apply to QSOs in one batch, and to QSOs of a third member at the same station.
save(theirs => $theirs = qso(callsignWorked => '21SD333', operatorCallsign => '26CLUB'));
my $club = save(third => qso(callsignWorked => '21SD333', operatorCallsign => '26-club', qsoAt => at(43)));
$service->post_batch([map { qso(callsignWorked => '26CLUB') } 1 .. 3]);
is scalar(grep { $_->{crossConfirmedAt} } $service->download), 2,
    'two of three QSOs in a batch find the two partners';
ok confirmed(third => $club) && confirmed(theirs => $theirs),
    'partners in a batch can belong to two members at one station';

save(third => qso(callsignWorked => '21SD333'));
$service->admin('member', 'disable', '14FR014');
save(mine => my $late = qso(callsignWorked => '14FR014'));
is confirmed(mine => $late), undef, 'a QSO of a disabled member confirms nothing';
my $own = save(mine => qso(callsignWorked => '21SD333'));
save(mine => qso(callsignWorked => '21SD333'));
is confirmed(mine => $own), undef, 'two QSOs of one member do not confirm each other';
is $service->admin('check'), '', 'the database passes the check after batches';

done_testing;
