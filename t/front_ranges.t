use QSOsync::Test fronts => 'all';
use QSOsync::Profile;

# Answers from the pages' program are complete, whatever range a client requests, even on a host with only plain CGI.
my @alone = QSOsync::Service::default_front() eq 'htaccess' ? (without_module => 'fcgid') : ();
my $service = QSOsync::Service->start(site => 1, @alone);
$service->admin('uploads', 'on');
my $token = $service->admin('upload-token', 'add', '21SD333', '--name', 'parts');
my $member = QSOsync::Profile->log_in($service, '21SD333');
$service->post_batch([map { full_qso() } 1 .. 3]);

sub ask {
    my ($path, %part) = @_;
    return $service->request('GET', '', raw_path => $path,
        headers => { Cookie => $member->cookie, %part });
}

for my $path ('/', '/healthz', '/cluster/stats', '/cluster/list', '/cluster/spots', "/cloudlog/api/auth/$token",
    '/profile/data/me',
    '/profile/data/export.adi') {
    my $whole = ask($path);
    for my $name ('Range', 'Request-Range') {
        my $part = ask($path, $name => 'bytes=0-9');
        is $part->status . ' ' . length $part->body, $whole->status . ' ' . length $whole->body,
            "$path is sent completely despite a $name header";
    }
}
$service->stop;

done_testing;
