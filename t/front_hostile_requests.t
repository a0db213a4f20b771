use QSOsync::Test fronts => 'all';

# Requests made to break something: each has an answer in the API's form, and the service goes on.
my $service = QSOsync::Service->start;
plan skip_all => 'Apache answers before it reads a .htaccess file' if $service->front eq 'htaccess';
$service->expect_log(qr/AH\d+|client sent/);
my @workers = $service->worker_pids;
my $key = ['Authorization', 'Bearer ' . $service->read_key];

sub goes_on {
    my ($name) = @_;
    is $service->get('/me')->status, 200, "after $name the next request is served";
}

# headers, expected status
sub refused {
    my ($name, $path, $headers, $statuses) = @_;
    my $response = $service->request('GET', $path, headers => $headers);
    like $response ? $response->status : 'none', qr/\A(?:$statuses)\z/, "$name is answered with $statuses";
    is $response && $response->code, 'VALIDATION.FAILED', "$name that is refused has the code VALIDATION.FAILED"
        if $response && $response->status != 200;
    goes_on($name);
}
# nginx passes a thousand short headers on (they fit its 32 KiB); Apache takes a hundred.
refused('a thousand headers', '/me', [$key, map { ["X-N$_", $_] } 1 .. 1000], '200|400');
refused('ten thousand headers', '/me', [$key, map { ["X-Number-$_", $_] } 1 .. 10_000], '400');
refused('a header of 1 MiB', '/me', [$key, ['X-Long', 'x' x (1 << 20)]], '400');
refused('a key of 1 MiB', '/me', [['Authorization', 'Bearer ' . 'x' x (1 << 20)]], '400');
refused('a name of 1 MiB', '/me', [$key, ['X' x (1 << 20), 'x']], '400');
refused('a query of 1 MiB', '/logs?updatedSince=' . 'x' x (1 << 20), [$key], '414');
refused('a path of 1 MiB', '/' . 'x' x (1 << 20), [$key], '414');
refused('a query of 3,500 parameters', '/logs?' . join('&', ('a') x 3500), [$key], '200');
refused('a parameter 1,000 times', '/logs?' . join('&', ('limit=5') x 900), [$key], '400');

my %path = ('a path of many segments' => '/a' x 3000, 'escapes all over' => '/%61' x 1500, 'dots' => '/..' x 1000,
    'slashes' => '/' x 5000);
for my $name (sort keys %path) {
    my $response = $service->request('GET', $path{$name}, headers => [$key]);
    like $response ? $response->status : 'none', qr/\A(?:400|403|404)\z/, "$name is answered with 400, 403 or 404";
    like $response && $response->code, qr/\A(?:VALIDATION\.FAILED|GENERIC\.NOT_FOUND)\z/,
        "$name has the code of a request that is not valid or not found";
    goes_on($name);
}
is_deeply [$service->worker_pids], \@workers, 'the workers are the same ones after all hostile requests';
is waitpid($_, POSIX::WNOHANG()), 0, "worker $_ is alive after all hostile requests" for @workers;

# CGI hands a query without "=" to the program as arguments.
is $service->get("/me?$_")->status, 200, "the query $_ is no option of the worker" for '--version', '--help',
    '-v+--version';

done_testing;
