use QSOsync::Test fronts => 'all';

# updatedSince selects changes after a point in time.
my $service = QSOsync::Service->start;
$service->post_batch([my $qso = qso()]);
my ($item) = $service->download;
my $stamp = $item->{syncedAt};

sub count_since {
    my ($since) = @_;
    my $response = $service->get("/logs?updatedSince=$since");
    return $response->status == 200 ? scalar @{$response->json->{items}} : $response->status;
}

my ($date, $hour, $rest, $ms) = $stamp =~ /\A(.*T)(\d\d):(\d\d:\d\d)\.(\d{3})Z\z/;
is count_since($stamp), 0, 'a QSO stamped at updatedSince itself is not delivered';
my $before = sprintf '%s%s:%s.%03dZ', $date, $hour, $rest, $ms - 1;
is count_since($before), 1, 'a QSO stamped a millisecond after updatedSince is delivered' if $ms > 0;
is count_since('2020-01-01T00:00:00Z'), 1, 'an updatedSince from long ago delivers everything';
is count_since('9999-12-31T23:59:59.999Z'), 0, 'an updatedSince in the future delivers nothing';
is count_since($_), 1, "updatedSince=$_ is accepted" for '2020-01-01T00:00Z', '2020-01-01t00:00:00z',
    '2020-01-01T00:00:00%2B02:00', '2020-01-01T00:00:00+02:00', '2020-01-01T00:00:00%20+02:00' =~ s/%20\+/%20/r,
    '2020-01-01T00:00:00+0200', '2020-01-01T00:00:00-02', '2020-01-01T00:00:00.123456789Z', '0001-01-01T00:00:00Z';
is count_since($_), 400, "updatedSince=$_ is refused" for '', '2020-01-01', '2020-01-01T00:00:00',
    '2020-02-30T00:00:00Z',
    '1577836800', 'yesterday', '2020-01-01T24:00:00Z', '0001-01-01T00:00:00%2B01:00',
    '2020-01-01T00:00:00Zx', '2020-01-01T00:00:00%ff';

my $time = $service->get('/logs')->json->{serverTime};
is count_since($time), 0, 'the serverTime of a download as updatedSince delivers nothing';
$service->post_batch([$qso]);
is count_since($time), 1, 'sending the same QSO again is a change';
my ($again) = $service->download;
cmp_ok $again->{syncedAt}, 'gt', $stamp, 'sending the same QSO again raises syncedAt';
is $again->{createdAt}, $item->{createdAt}, 'sending the same QSO again keeps createdAt';
is $again->{id}, $item->{id}, 'sending the same QSO again keeps the id';

done_testing;
