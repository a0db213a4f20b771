# Checks a service whose logbook is damaged or missing, and again after the repair.
package QSOsync::Damage;
use strict;
use warnings;
use Exporter qw(import);
use Test::More;
use QSOsync::Case;

our @EXPORT = qw(is_internal_error is_logged is_served_again);

# Checks that the answer for $name is a 500 that contains only its code.
sub is_internal_error {
    my ($response, $name) = @_;
    is $response->status, 500, "$name gets 500";
    is $response->body, '{"error":{"code":"GENERIC.INTERNAL_ERROR"}}',
        "the 500 of $name contains only the code";
    is $response->header('Content-Type'), 'application/json', "the 500 of $name is JSON";
    ok $response->header('X-Request-Id'), "the 500 of $name has a request id";
    is_deeply $response->headers->{'access-control-allow-origin'}, ['*'], "pages may read the 500 of $name";
}

# Checks that the error log gives the reason. From then on, the test allows this line.
sub is_logged {
    my ($service, $pattern, $name) = @_;
    $service->expect_log($pattern);
    like $service->error_log_text, $pattern, "the log gives the reason of failures with $name";
}

# Checks that reads and writes succeed without a restart, and that the QSO with the clientId exists.
sub is_served_again {
    my ($service, $client_id, $name) = @_;
    is $service->get('/me')->status, 200, "after $name and a repair, the logbook is served";
    is scalar(grep { $_->{clientId} eq $client_id } $service->download), 1, "the logbook loses nothing by $name";
    is $service->post_batch([qso()])->status, 200, "after $name and a repair, the logbook accepts writes";
}

1;
