use QSOsync::Test fronts => 'none';
use IO::Uncompress::Gunzip ();
use QSOsync::Cgi;
use QSOsync::FastCgi;

# What the worker itself makes of Accept-Encoding. What it does not compress, the front server may.
plan skip_all => 'built without ISA-L' unless QSOsync::Front::worker_compresses();
my $service = QSOsync::Service->start;
$service->post_batch([map { full_qso() } 1 .. 5]);

sub variables {
    my ($target, %variable) = @_;
    my ($path, $query) = split /\?/, $target;
    return { QSOSYNC_DB => $service->db, QSOSYNC_RATE_LIMIT => 0, HTTP_AUTHORIZATION => 'Bearer ' . $service->write_key,
        REQUEST_URI => "/api/v1$path", QUERY_STRING => $query // '', %variable };
}
sub answer {
    my $socket = QSOsync::FastCgi::connect($service);
    print {$socket} QSOsync::FastCgi::request(variables(@_));
    $socket->flush;
    return QSOsync::FastCgi::answer($socket);
}
sub coding { return answer('/logs', HTTP_ACCEPT_ENCODING => $_[0])->header('Content-Encoding') }

is coding($_), 'gzip', "\"$_\" asks for gzip" for 'gzip', 'GZIP', 'x-gzip', 'gzip, deflate, br, zstd', 'br,gzip',
    " br\t;\tq=0.9 ,\tgzip ; q=0.8 ", 'gzip;Q=0.1', 'gzip;q=1.000', 'gzip;q=0.001', 'gzip;q=1', 'gzip;q=1.', ',,gzip,',
    'identity, gzip', 'identity;q=0.5, gzip;q=0.5', 'identity;q=0, *', 'identity;q=0.5, *;q=0.6', '*;q=0, gzip',
    'compress, gzip;q=0.5';
is coding($_), undef, "\"$_\" does not ask for gzip" for '', ' ', ',', ';', '*', '*;q=1', 'identity', 'identity, *',
    'br', 'deflate',
    'gzip;q=0', 'gzip; q=0.000', 'gzip;q=0, *', 'gzip;q=0, x-gzip', 'identity;q=0', 'identity;q=0, *;q=0',
    'gzip;q=0.5, identity', 'gzipped', 'xgzip', 'not-gzip', 'gzip2', 'gzip gzip', 'gzip/1', 'gzip;q=2', 'gzip;q=1.001',
    'gzip;q=-1', 'gzip;q=', 'gzip;q', 'gzip;', 'gzip;level=9', 'gzip;q=0.0001', 'gzip;q=.5', 'gzip;q=0,5', 'gzip;q=1 x',
    'gzip;q=01', "gzip\xff", 'q=gzip', '"gzip"';

my $plain = answer('/logs');
my $page = answer('/logs', HTTP_ACCEPT_ENCODING => 'gzip');
is $plain->header($_), undef, "an answer that is not compressed has no $_ from the worker"
    for qw(Content-Encoding Vary);
is $page->header('Vary'), 'Accept-Encoding', 'a compressed answer says on what it depends';
is $page->header('Content-Length'), length $page->body, 'a compressed answer tells its own length';
IO::Uncompress::Gunzip::gunzip(\$page->body, \my $text);
is $text =~ s/"serverTime":"[^"]+"//r, $plain->body =~ s/"serverTime":"[^"]+"//r,
    'a compressed answer holds what the other one does';
my $head = answer('/logs', HTTP_ACCEPT_ENCODING => 'gzip', REQUEST_METHOD => 'HEAD');
is join('|', map { $head->header($_) } qw(Content-Encoding Vary Content-Type)), 'gzip|Accept-Encoding|application/json',
    'HEAD has the headers of a compressed answer';
is $head->body, '', 'HEAD of a compressed answer has no body';

# Small ones, errors, and what has an entity tag, which front servers change when they compress.
for my $target ('/me', '/logs?limit=1', '/logs?limit=0', '/logs/ids', '/openapi.json') {
    my $response = answer($target, HTTP_ACCEPT_ENCODING => 'gzip');
    is $response->header($_), undef, "the answer to $target has no $_ from the worker" for qw(Content-Encoding Vary);
    ok $response->json, "the answer to $target is JSON";
}

# A process for one request does not load the library.
my $alone = QSOsync::Cgi::answer($service->directory, variables('/logs', HTTP_ACCEPT_ENCODING => 'gzip'));
is $alone->header('Content-Encoding'), undef, 'a plain CGI program leaves compression to the front server';
is scalar(@{$alone->json->{items}}), 5, 'a plain CGI program answers a client that accepts gzip';

done_testing;
