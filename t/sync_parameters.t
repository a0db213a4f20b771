use QSOsync::Test fronts => 'nginx';
use POSIX ();

# Parameters of GET /logs are tested at and beyond their bounds.
my $service = QSOsync::Service->start;
my $cursor = do {
    $service->post_batch([map { qso() } 1 .. 3]);
    $service->get('/logs?limit=1')->json->{nextCursor};
};
is $service->get("/logs?limit=$_")->status, 200, "limit=$_ is accepted" for 1, 500;
for (0, 501, -1, '1.5', '1e2', 'abc', '', '99999999999999999999') {
    my $response = $service->get("/logs?limit=$_");
    is $response->status . ' ' . $response->code, '400 VALIDATION.FAILED', "limit=$_ is refused";
    is $response->json->{error}{details}[0]{field}, 'limit', "the refusal of limit=$_ names the parameter";
}
is $service->get("/logs?limit=5&limit=5")->status, 400, 'a parameter given twice is refused';
is $service->get("/logs?unknown=1&unknown=2")->status, 200, 'an unknown parameter given twice is ignored';
is $service->get("/logs?cursor=$cursor")->status, 200, 'a cursor is accepted';
is scalar(@{$service->get("/logs?cursor=$cursor")->json->{items}}), 2, 'a cursor returns the QSOs after the cursor';
is $service->get("/logs?cursor=$_")->status, 400, "cursor=$_ is refused"
    for '', 'x', '0', $cursor . '0', substr($cursor, 1), ($cursor =~ tr/0-9/1-90/r);
is $service->get('/logs?limit=0', key => undef)->status, 401,
    'a wrong parameter without a key gives 401';

sub refused_field {
    my ($query, %option) = @_;
    my $response = $service->get("/logs?$query", %option);
    return $response->status == 400 ? $response->json->{error}{details}[0]{field} : $response->status;
}
is refused_field("$_->[1]=$_->[0]&$_->[1]=$_->[0]"), $_->[1],
    "$_->[1] given twice is refused, even with equal values"
    for ['2020-01-01T00:00:00Z', 'updatedSince'], [5, 'limit'], [$cursor, 'cursor'];
is refused_field('limit=5&l%69mit=5'), 'limit', 'a percent-encoded parameter name is recognised';
is refused_field('LIMIT=0'), 200, 'a name in another case is another parameter';
is refused_field("limit=$_"), 'limit', "limit=$_ is refused, because the value does not consist of ASCII digits"
    for '+5', '%2B5', '%205', '5%20', '5+', '5%00', '5.0', '0x5', '-5', '%D9%A5';
is refused_field('limit=005'), 200, 'leading zeros do not change an integer';
is scalar(@{$service->get('/logs?limit=%31')->json->{items}}), 1, 'values of parameters are percent-decoded';
is refused_field('unknown=%ff&other=%zz'), 200, 'an unknown parameter with a malformed value is ignored';
is refused_field('limit=%zz'), 'limit', 'a value with a malformed escape is refused';
is refused_field('limit=%zz', key => undef), 401,
    'a malformed escape without a key gives 401';
unlike $service->get('/logs?limit=%zz')->body, qr/given once/,
    'a malformed escape is not reported as a repetition';
is $service->request('POST', '/logs?limit=0', body => '')->status, 405,
    'a wrong method gives 405, even without a key and with a wrong parameter';
is $service->request('GET', '/log?limit=0')->status, 404,
    'an unknown path gives 404, even without a key and with a wrong parameter';

done_testing;
