# What tests of a logbook that is broken, and of one that is put right again, ask in every case.
package QSOsync::Broken;
use strict;
use warnings;
use Exporter 'import';
use Test::More;
use QSOsync::Case qw(qso);

our @EXPORT = qw(is_internal_error is_logged is_served_again);

# The answer to what $name says is a 500 that tells nothing but its code.
sub is_internal_error {
    my ($response, $name) = @_;
    is $response->status, 500, "$name is answered with 500";
    is $response->body, '{"error":{"code":"GENERIC.INTERNAL_ERROR"}}',
        "the 500 of $name has no word more than the code";
    is $response->header('Content-Type'), 'application/json', "the 500 of $name is JSON";
    ok $response->header('X-Request-Id'), "the 500 of $name carries a request id";
    is_deeply $response->headers->{'access-control-allow-origin'}, ['*'], "pages may read the 500 of $name";
}

# The error log says why; the line is expected from now on.
sub is_logged {
    my ($service, $pattern, $name) = @_;
    $service->expect_log($pattern);
    like $service->error_log_text, $pattern, "the log says why there is no full service with $name";
}

# Reading and writing are served without a restart, and the QSO of that clientId is there.
sub is_served_again {
    my ($service, $client_id, $name) = @_;
    is $service->get('/me')->status, 200, "the logbook is served as soon as it is put right after $name";
    is scalar(grep { $_->{clientId} eq $client_id } $service->download), 1, "nothing of the logbook is lost by $name";
    is $service->post_batch([qso()])->status, 200, "the logbook is written to as soon as it is put right after $name";
}

1;
