use QSOsync::Test fronts => 'all';
use IO::Socket::INET;

# A test's service listens on another port if the port that was chosen is already in use.
my $program = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Proto => 'tcp', Listen => 1) or die $!;
my $taken = $program->sockport;
my $choose = \&QSOsync::Service::free_port;
my @ports = $taken;
my $service = do {
    no warnings 'redefine';
    local *QSOsync::Service::free_port = sub { shift @ports // $choose->() };
    QSOsync::Service->start;
};
isnt $service->port, $taken, 'the service does not listen on the port in use';
is $service->get('/openapi.json')->status, 200, 'the service answers on another port';
$service->stop;
done_testing;
