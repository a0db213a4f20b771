use QSOsync::Test fronts => 'nginx';

# An entry in a batch can free the other member's QSO that confirmed the entry's QSO. The freed QSO can confirm a later
# entry in the batch, but not an earlier entry.
my $service = QSOsync::Service->start(workers => 1);
my $other = $service->add_member('26AT101');
my %contact = (qsoAt => '2026-05-17T19:42:00.000Z', mode => 'USB');

my $theirs = qso(%contact, operatorCallsign => '1XX001', callsignWorked => '21SD333');
my $mine = qso(%contact, callsignWorked => '1XX001');
$service->post_batch([$theirs], key => $other->{write_key});
$service->post_batch([$mine]);
sub are_confirmed {
    my %found = map { $_->{clientId} => defined $_->{crossConfirmedAt} ? 1 : 0 } $service->download;
    return map { $found{$_->{clientId}} } @_;
}
is_deeply [are_confirmed($mine)], [1], 'a QSO under a callsign that no member has can confirm another QSO';

my ($nobody, $again) = (qso(%contact, callsignWorked => '9ZZ999'), qso(%contact, callsignWorked => '1XX001'));
is $service->post_batch([$nobody, { %$mine, callsignWorked => '9ZZ998' }, $again])->status, 200,
    'a batch that frees and claims a partner succeeds';
is_deeply [are_confirmed($nobody, $mine, $again)], [0, 0, 1],
    'the entry after the freeing entry gets the partner';

my ($own, $late) = (qso(%contact, operatorCallsign => '1XX002', callsignWorked => '21SD333'),
    qso(%contact, callsignWorked => '1XX002'));
$service->post_batch([$nobody, $own, $late]);
is_deeply [are_confirmed($late)], [0], "a member's own QSO does not confirm another of the member's QSOs";
$service->stop;

done_testing;
