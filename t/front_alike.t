use QSOsync::Test fronts => 'essential';

# The same requests give the same status, body and CORS headers through this front as through nginx.
plan skip_all => 'nginx is what the others are compared with' if QSOsync::Service::default_front() eq 'nginx';
my $front = QSOsync::Service::default_front();
srand 42;
my @sent = map { $_ % 2 ? full_qso() : full_pmr_qso() } 1 .. 5;
my $large = ' ' x 300_000;

sub answers {
    my ($name) = @_;
    my $service = QSOsync::Service->start(front => $name);
    my $write = $service->write_key;
    my %type = (headers => { 'Content-Type' => 'application/json' });
    my @requests = (
        ['/me', 'GET', '/me', key => $write], ['no key', 'GET', '/me'], ['HEAD', 'HEAD', '/me', key => $write],
        ['a batch', 'POST', '/logs/batch', key => $write, json => { entries => [@sent, {}, 5, qso(clientId => 'x')] }],
        ['a large body', 'POST', '/logs/batch', key => $write, %type, body => "{\"entries\":[{}]$large}"],
        ['a chunked body', 'POST', '/logs/batch', key => $write, %type, body => "{\"entries\":[{}]$large}",
        chunked => 1],
        ['a malformed body', 'POST', '/logs/batch', key => $write, %type, body => '{'],
        ['too large a body', 'POST', '/logs/batch', key => $write, %type, body => ' ' x 8_388_609],
        ['a READ key', 'POST', '/logs/batch', key => $service->read_key, json => { entries => [] }],
        ['a page', 'GET', '/logs?limit=3', key => $write], ['ids', 'GET', '/logs/ids', key => $write],
        ['a bad limit', 'GET', '/logs?limit=0', key => $write],
        ['a plus sign', 'GET', '/logs?updatedSince=2020-01-01T00:00:00+02:00&limit=1', key => $write],
        ['an unknown path', 'GET', '/nothing', key => $write],
        ['a method that is not allowed', 'PUT', '/me', body => ''],
        # A .htaccess file cannot refuse it.
        $front eq 'htaccess' ? () : ['TRACE', 'TRACE', '/me', key => $write],
        ['an invented method', 'BREW', '/me', key => $write],
        ['percent-encoding', 'GET', '/%6de', key => $write],
        ['a deletion of no UUID', 'DELETE', '/logs/x', key => $write],
        ['a deletion', 'DELETE', "/logs/$sent[0]{clientId}", key => $write],
        ['a second deletion', 'DELETE', "/logs/$sent[0]{clientId}", key => $write],
        ['a preflight', 'OPTIONS', '/logs', headers => { Origin => 'https://example.org',
            'Access-Control-Request-Method' => 'GET' }],
        ['the description', 'GET', '/openapi.json'],
        # A client that wants a part gets the whole: half of an answer is no answer.
        (
        map { ["a part by $_->[0] of $_->[2]", $_->[1], $_->[2], key => $write, headers => { $_->[0] => 'bytes=0-5' }] }
            ['Range', 'GET', '/me'], ['Request-Range', 'GET', '/me'], ['Range', 'GET', '/logs/ids'],
            ['Range', 'GET', '/openapi.json']),
        ['a part beyond the end', 'GET', '/me', key => $write, headers => { Range => 'bytes=100000-' }],
        ['parts', 'GET', '/me', key => $write, headers => { Range => 'bytes=0-5,7-9' }],
        ['a batch and a part of its results', 'POST', '/logs/batch', key => $write, json => { entries => [{}] },
            headers => { Range => 'bytes=0-5' }],
    );
    my @answers;
    for my $request (@requests) {
        my ($title, $method, $path, %option) = @$request;
        my $response = $service->request($method, $path, %option);
        my $body = $response->body;
        # Times, and what is made of them, are of the moment.
        $body =~ s/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/TIME/g;
        $body =~ s/("nextCursor":")[0-9a-f]+/$1CURSOR/;
        my %cors = map { $_ => join '|', @{$response->headers->{$_}} }
            grep { /\Aaccess-control-/ } keys %{$response->headers};
        push @answers, { title => $title, status => $response->status, body => $body, cors => \%cors,
            map { $_ => scalar $response->header($_) } qw(Content-Type Cache-Control X-Content-Type-Options Allow
                WWW-Authenticate) };
    }
    $service->stop;
    return @answers;
}

my ($expected, $got) = map { [answers($_)] } 'nginx', $front;
for my $index (0 .. $#$expected) {
    my ($nginx, $ours) = ($expected->[$index], $got->[$index]);
    # A server that refuses a method itself says no more than that, each in its own way.
    my @untold = $nginx->{title} eq 'TRACE' ? qw(Allow) : ();
    for my $part (grep { my $part = $_; !grep { $_ eq $part } 'title', @untold } sort keys %$nginx) {
        is_deeply $ours->{$part}, $nginx->{$part},
            "$part of the answer to '$nginx->{title}' is the same through $front as through nginx";
    }
}

done_testing;
