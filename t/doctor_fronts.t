use QSOsync::Test fronts => 'all';
use QSOsync::Doctor;

# qsosync-admin doctor finds nothing wrong with the service behind each front server as it is shipped.
my $service = QSOsync::Service->start(site => 1, environment => { QSOSYNC_RATE_LIMIT => 60 });
local $ENV{QSOSYNC_KEY} = $service->write_key;
my ($status, $report) = QSOsync::Doctor::run([], '--db', $service->db, 'doctor', 'http://127.0.0.1:' . $service->port);
is "$status $report->{status}", '0 ok', 'the service as it is shipped has no finding' or diag $report->{text};
is_deeply [map { $_->{check} } @{$report->{checks}}],
    [qw(address tls cors clock authorization body log sign-in limit forwarded retry-after)],
    'every check of the service was made';
ok !(grep { defined $_->{fix} } @{$report->{checks}}), 'where all is well there is nothing to fix';

done_testing;
