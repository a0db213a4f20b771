use QSOsync::Test fronts => 'all';
use QSOsync::Doctor;

# qsosync-admin doctor finds no fault behind each front server with its shipped configuration.
my $service = QSOsync::Service->start(site => 1, environment => { QSOSYNC_RATE_LIMIT => 60 });
local $ENV{QSOSYNC_KEY} = $service->write_key;
my ($status, $report) = QSOsync::Doctor::run([], '--db', $service->db, 'doctor',
    'http://127.0.0.1:' . $service->port);
is "$status $report->{status}", '0 ok',
    'the doctor finds no fault in the shipped configuration' or diag $report->{text};
is_deeply [map { $_->{check} } @{$report->{checks}}],
    [qw(address tls cors clock authorization body sign-in limit)],
    'the doctor makes every check of the service';
ok !(grep { defined $_->{fix} } @{$report->{checks}}), 'the doctor names no fix without a fault';

done_testing;
