# Runs a worker under valgrind, which counts the instructions of each answer. The count is the same every time, however
# busy the machine is. The worker answers one request at a time, by FastCGI, without a front server.
package QSOsync::Callgrind;
use strict;
use warnings;
use QSOsync::Front;
use QSOsync::Worker;

my $number = 0;

# Returns whether valgrind can run the programs, which is impossible with a sanitizer and on an emulated processor.
sub is_possible { return !QSOsync::Front::is_instrumented() && system('valgrind --quiet true 2>/dev/null') == 0 }

# start($service, $program) starts a worker on the logbook of the service. The limit on processor time is raised to ten
# minutes, because everything takes fifty times as long.
sub start {
    my ($class, $service, $program) = @_;
    my $path = $service->directory . '/callgrind-' . ++$number;
    my $socket = QSOsync::Front::listen_at("$path.sock");
    my $pid = QSOsync::Front::spawn("$path.log", { %{$service->{environment}}, QSOSYNC_SANDBOX => 0,
        QSOSYNC_REQUEST_CPU_MS => 600_000 }, $socket, 'valgrind', '--tool=callgrind', '--quiet',
        "--callgrind-out-file=$path.out", '--collect-atstart=no', '--toggle-collect=router_serve',
        '--dump-after=router_serve', $program);
    return bless { path => $path, pid => $pid, socket => $socket, answers => 0, owner => $$ }, $class;
}

# ask(\%variables, body => bytes) returns the response, and the number of instructions from the routing of the request
# to the end of the response. The number includes reading the body, but not the request's head.
sub ask {
    my ($self, $variables, %option) = @_;
    my $connection = IO::Socket::UNIX->new(Peer => "$self->{path}.sock") or die "$self->{path}.sock: $!";
    local $SIG{PIPE} = 'IGNORE';
    print {$connection} QSOsync::FastCgi::request({ QSOSYNC_RATE_LIMIT => 0, %$variables }, %option);
    $connection->flush;
    my $response = QSOsync::FastCgi::answer($connection)
        or die "no answer: " . QSOsync::Front::read_file("$self->{path}.log");
    my $file = "$self->{path}.out." . ++$self->{answers};
    my ($instructions) = QSOsync::Front::read_file($file) =~ /^(?:summary|totals): (\d+)$/m
        or die "$file lacks the number of instructions";
    unlink $file;
    return ($response, $instructions);
}

sub stop {
    my ($self) = @_;
    return if !$self->{pid} || $self->{owner} != $$;
    kill 'TERM', $self->{pid};
    waitpid delete $self->{pid}, 0;
    close $self->{socket};
    return;
}

sub DESTROY { local ($?, $!); $_[0]->stop }

1;
