use QSOsync::Test fronts => 'nginx';

# Over HTTP/2, nginx measures a large body again when it answers, and gives the same error as over HTTP/1.1. curl
# continues to send and shows no early answer, so the test reads the access log.
my $service = QSOsync::Service->start(site => 1);
my $directory = $service->directory;
$service->expect_log(qr/client intended to send too large body/);
my $body = "$directory/body";
QSOsync::Front::write_file($body, ' ' x 9_000_000);

sub answered {
    my ($path, $accept) = @_;
    my $ask = "curl -s -H 'Accept: $accept' -H 'Expect: 100-continue' --data-binary '\@$body'";
    my $text = `$ask 'http://127.0.0.1:@{[$service->port]}$path'`;
    `$ask --unix-socket '$directory/http2.sock' --http2-prior-knowledge 'http://localhost$path'`;
    # nginx can write the line a moment after curl ends.
    my $line = qr{"POST \Q$path\E HTTP/2\.0" (413 \d+)};
    return ($text, until_true(sub { QSOsync::Front::read_file("$directory/access.log") =~ $line ? $1 : '' }));
}
for (['/api/v1/logs/batch', '*/*', qr/"VALIDATION\.FAILED"/], ['/sign-in', 'text/html', qr/Too large/]) {
    my ($path, $accept, $words) = @$_;
    my ($text, $sent) = answered($path, $accept);
    like $text, $words, "$path reports a body that is too large over HTTP/1.1";
    is $sent, '413 ' . length $text, "$path reports a body that is too large over HTTP/2";
}

done_testing;
