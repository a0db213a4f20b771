use QSOsync::Test fronts => 'none';

# Within one batch a QSO that becomes free is found by the entries after it, though the entries before it found nobody
# who had logged this station under a callsign that is no member's.
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
is_deeply [confirmed($nobody, $mine, $again)], [0, 0, 1], 'the entry after the one that freed it is confirmed by it';

my ($own, $late) = (qso(%contact, operatorCallsign => '1XX002', callsignWorked => '21SD333'),
    qso(%contact, callsignWorked => '1XX002'));
$service->post_batch([$nobody, $own, $late]);
is_deeply [confirmed($late)], [0], 'no QSO of one\'s own is the other side';

done_testing;
