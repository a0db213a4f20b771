use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/lib";
use QSOsync::Case;
use QSOsync::Service;

# Parameters of GET /logs at and beyond their bounds.
my $service = QSOsync::Service->start;
my $cursor = do {
    $service->post_batch([map { qso() } 1 .. 3]);
    $service->get('/logs?limit=1')->json->{nextCursor};
};
is $service->get("/logs?limit=$_")->status, 200, "limit=$_ is accepted" for 1, 500;
for (0, 501, -1, '1.5', '1e2', 'abc', '', '99999999999999999999') {
    my $response = $service->get("/logs?limit=$_");
    is $response->status . ' ' . $response->code, '400 VALIDATION.FAILED', "limit=$_ is refused";
    is $response->json->{error}{details}[0]{field}, 'limit', 'the answer names the parameter';
}
is $service->get("/logs?limit=5&limit=5")->status, 400, 'a parameter given twice is refused';
is $service->get("/logs?unknown=1&unknown=2")->status, 200, 'unknown parameters are ignored';
is $service->get("/logs?cursor=$cursor")->status, 200, 'a cursor is accepted';
is scalar(@{$service->get("/logs?cursor=$cursor")->json->{items}}), 2, 'and goes on behind it';
is $service->get("/logs?cursor=$_")->status, 400, "cursor=$_ is refused"
    for '', 'x', '0', $cursor . '0', substr($cursor, 1), ($cursor =~ tr/0-9/1-90/r);
is $service->get('/logs?limit=0', key => undef)->status, 401, 'the key comes before the parameters';

done_testing;
