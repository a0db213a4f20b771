use QSOsync::Test fronts => 'nginx';

# By HTTP/2 nginx measures a body that is too large once more where it answers: it says what it says by HTTP/1.1. curl
# goes on to send and shows no answer that comes before its end, so that what was sent is read from the log.
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
    my ($sent) = QSOsync::Front::read_file("$directory/access.log") =~ m{"POST \Q$path\E HTTP/2\.0" (413 \d+)};
    return ($text, $sent);
}
for (['/api/v1/logs/batch', '*/*', qr/"VALIDATION\.FAILED"/], ['/sign-in', 'text/html', qr/This is too large/]) {
    my ($path, $accept, $words) = @$_;
    my ($text, $sent) = answered($path, $accept);
    like $text, $words, "$path says by HTTP/1.1 that the body is too large";
    is $sent, '413 ' . length $text, "$path says as much by HTTP/2";
}

done_testing;
