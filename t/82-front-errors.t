use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/lib";
use QSOsync::Case;
use QSOsync::Service;

# Errors that the front server makes itself look like the service's.
my $service = QSOsync::Service->start;
sub is_error {
    my ($response, $status, $code, $name) = @_;
    is $response->status, $status, "$name: status";
    is $response->code, $code, "$name: code" or diag $response->body;
    is_deeply $response->headers->{'access-control-allow-origin'}, ['*'], "$name: CORS";
    like $response->header('Content-Type'), qr{\Aapplication/json}, "$name: JSON";
}
is_error($service->request('POST', '/logs/batch', key => $service->write_key, body => ' ' x 8_388_609,
    headers => { 'Content-Type' => 'application/json' }), 413, 'VALIDATION.FAILED', 'a body that is too large');

SKIP: {
    skip 'early errors do not reach a .htaccess file', 1 if $service->front eq 'htaccess';
    $service->expect_log(qr/AH\d+|client sent|Invalid URI|Bad Request/i);
    is_error($service->request('GET', '', raw_path => '/api/v1/%'), 400, 'VALIDATION.FAILED', 'a malformed path')
        if $service->front eq 'nginx';
    is_error($service->request('GET', '/me?' . 'x' x 20_000), 414, 'VALIDATION.FAILED', 'a line that is too long');
}
SKIP: {
    skip 'the front starts workers itself', 1 unless $service->has_socket;
    $service->expect_log(qr/worker\.sock|AH0\d+|upstream/);
    $service->end_worker($_) for $service->worker_pids;
    close delete $service->{socket};
    is_error($service->get('/me'), 500, 'GENERIC.INTERNAL_ERROR', 'no worker') if $service->front eq 'nginx';
    is_error($service->get('/me'), 503, 'GENERIC.INTERNAL_ERROR', 'no worker') if $service->front ne 'nginx';
}

done_testing;
