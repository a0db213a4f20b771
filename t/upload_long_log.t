use QSOsync::Test fronts => 'essential';

# A long log can arrive in one request. The key must be within the first 64 KiB, where all known programs send the key.
sub record {
    my (%field) = (CALL => '26AT101', QSO_DATE => '20260517', TIME_ON => '194200', FREQ => '27.555', BAND => '11m',
        MODE => 'SSB', @_);
    return join('', map { defined $field{$_} ? field($_, $field{$_}) : () } sort keys %field) . '<eor>';
}
sub field { my ($name, $value) = @_; return sprintf '<%s:%d>%s', $name, length $value, $value }

my $service = QSOsync::Service->start(site => 1);
$service->admin('uploads', 'on');
my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'programs');
my @records = map { record(CALL => "26AT$_", QSO_DATE => 20250101 + $_ % 28, TIME_ON => sprintf '%02d%02d00',
    $_ / 60 % 24, $_ % 60) } 1000 .. 3999;
my $upload = sub {
    my ($form, $count) = @_;
    my $body = sprintf $form, join '', @records[0 .. $count - 1];
    my $answer = $service->request('POST', '', raw_path => '/cloudlog/api/qso', body => $body,
        headers => { 'Content-Type' => 'application/json' });
    return join ' ', $answer->status, $answer->json->{adif_count} // $answer->json->{reason};
};
my ($first, $last) = (qq({"key":"$token","type":"adif","string":"%s"}),
    qq({"type":"adif","string":"%s","key":"$token"}));
is $upload->($last, 3000), '401 missing or wrong api key', 'a key after a long log is not found';
is $service->get('/logs')->json->{items}[0], undef, 'nothing is saved from a log whose key is not found';
is $upload->($last, 500), '201 500', 'a key after a short log is found';
is $upload->($first, 3000), '201 3000', 'a long log after its key is accepted';
$service->stop;

done_testing;
