use QSOsync::Test fronts => 'nginx';
use File::Temp qw(tempdir);
use IO::Socket::INET;
use JSON::PP ();
use QSOsync::Serve qw(start printed end_it sign_in rows_on_screen invitation key);

my $build = $QSOsync::Serve::build;

sub is_answered {
    my ($port, $text) = @_;
    my $answer = QSOsync::Client::request($port, 'GET', '/api/v1/me',
        headers => { 'X-API-Key' => key($text) });
    return $answer && $answer->status == 200;
}

# Returns the ids of a service's processes that run the program with this name.
sub processes_of {
    my ($pid, $program) = @_;
    my @pids = map { /\A(\d+) / } split /\n/, QSOsync::Front::read_file("$build/run/$pid/processes");
    return grep { (readlink("/proc/$_/exe") // '') =~ m{/\Q$program\E\z} } @pids;
}

sub ready { JSON::PP->new->decode(QSOsync::Front::read_file("$build/run/ready.json")) }

for (['--port', '0'], ['--port', '65536'], ['--port', '80a'], ['--front', 'iis'], ['--front', '']) {
    my $text = printed(start(@$_));
    like $text, qr/\Amake run: (?:PORT|FRONT) is [^\n]*, not "\Q$_->[1]\E"\n\z/,
        "@$_ is refused in one line that gives the reason";
}

my $taken = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 1) or die $!;
my $text = printed(start('--port', $taken->sockport));
like $text, qr/\Amake run: port \d+ cannot be had [^\n]*\n\z/, 'a port in use is reported in one line';
ok !-e "$build/run", 'make run leaves no files if its port is in use';

my ($first_port, $second_port) = map { QSOsync::Service::free_port() } 1, 2;
my $first = start('--port', $first_port);
my $first_text = printed($first);
ok is_answered($first_port, $first_text), 'the API accepts the printed key' or diag $first_text;
my $second = start('--port', $second_port);
my $second_text = printed($second);
ok is_answered($second_port, $second_text), 'a second service of the same checkout can run on another port'
    or diag $second_text;
cmp_ok rows_on_screen($second_text), '<=', 24, 'the output fits on a screen';
my $invitation = invitation($second_text);
is ready()->{invitation}, $invitation, 'ready.json contains the printed invitation';

my %headers = sign_in($second_port, $invitation);
like $second_text, qr{\AQSOsync serves http://127\.0\.0\.1:$second_port/ through nginx\. Ctrl-C ends it\.$}m,
    'the first line contains the address';
for my $address (qw(/ /profile/ /app/ /operator/ /cluster/ /docs/)) {
    my $answer = QSOsync::Client::request($second_port, 'GET', $address, headers => \%headers);
    is $answer->status . ' ' . $answer->header('Content-Type') =~ s/;.*//r, '200 text/html', "$address is a page";
}
sub own_data { return QSOsync::Client::request($second_port, 'GET', '/profile/data/me', headers => \%headers) }
is own_data()->json->{callsign}, '21SD333', 'the printed invitation signs the member in';
my @site_workers = processes_of($second, 'qsosync-site.fcgi');
is scalar(@site_workers), 4, 'the pages have four workers';
kill 'KILL', @site_workers;
until_true(sub {
    2 == grep { my $pid = $_; !grep { $_ == $pid } @site_workers } processes_of($second, 'qsosync-site.fcgi');
});
is own_data()->status, 200, 'make run replaces killed workers of the pages';
is_deeply [sort keys %{ready()}], [qw(baseUrl callsign db invitation readKey writeKey)],
    'ready.json has these six fields';
is ready()->{baseUrl}, "http://127.0.0.1:$second_port/api/v1", 'ready.json describes the service that started last';
is end_it($second, 'INT'), 0, 'Ctrl-C ends make run with status 0';
ok is_answered($first_port, $first_text), 'a service keeps running when another service ends';
until_true(sub { -e "$build/run/ready.json" });
is ready()->{baseUrl}, "http://127.0.0.1:$first_port/api/v1", 'ready.json describes the service that is still running';
like +{sign_in($first_port, ready()->{invitation})}->{Cookie}, qr/=\w/,
    'ready.json has a valid invitation for the service that is still running';

my @left = map { /\A(\d+) / } split /\n/, QSOsync::Front::read_file("$build/run/$first/processes");
end_it($first, 'KILL');
unlink "$build/run/keys.json";
my $third = start('--port', $first_port);
$text = printed($third);
is scalar(grep { kill 0, $_ } @left), 0, 'the next start ends the processes of a killed service';
ok !-e "$build/run/$first", 'the next start removes the folder of a killed service';
ok is_answered($first_port, $text), 'the next start replaces lost keys';
isnt invitation($text), $invitation, 'each start has its own invitation';
ok !is_answered($first_port, $first_text), 'replaced keys are refused';
end_it($third, 'TERM');
ok !-e "$build/run/ready.json", 'the end of the last service removes ready.json';
is_deeply [grep { /\d+\z/ } glob "$build/run/*"], [], "no service's folder is left after the last service has ended";

{
    local $ENV{QSOSYNC_RATE_LIMIT} = 'much';
    my $pid = start('--port', $first_port);
    $text = printed($pid);
    like $text, qr/\Amake run: the service does not answer[^\n]*\n.*QSOSYNC_RATE_LIMIT must be/s,
        'make run prints the log of a service that does not answer';
    ok !-e "$build/run/ready.json", 'a service that does not answer leaves no ready.json';
    is_deeply [grep { /\d+\z/ } glob "$build/run/*"], [], 'a service that does not answer leaves no folder';
}

# If root starts make run, Apache's workers run as another user.
SKIP: {
    skip 'for root with Apache', 4 if $> != 0 || !QSOsync::Front::has_apache();
    my $closed = tempdir('qsosync-XXXXXXXX', TMPDIR => 1, CLEANUP => 1);
    my $pid = do { local $QSOsync::Serve::build = $closed; start('--front', 'apache', '--port', $first_port) };
    like printed($pid), qr/\Amake run: Apache's user cannot enter \Q$closed\E;[^\n]*\n\z/,
        "make run refuses a build folder that Apache's user cannot enter";
    chmod 0755, $build;
    my $apache = start('--front', 'apache', '--port', $first_port);
    $text = printed($apache);
    ok is_answered($first_port, $text), 'the API accepts the printed key through Apache' or diag $text;
    my $answer = QSOsync::Client::request($first_port, 'GET', '/api/v1/%2e%2e/%2e%2e/%2e%2e/x');
    is $answer->status, 400, "Apache's own error keeps its status";
    is $answer->json->{error}{code}, 'VALIDATION.FAILED', "Apache's own error has the format of the API's errors";
    end_it($apache, 'INT');
}

done_testing;
