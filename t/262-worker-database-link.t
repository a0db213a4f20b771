use QSOsync::Test fronts => 'none';
use QSOsync::Cgi;

# A database that is reached through a symbolic link is the same one: writer lock and limits table lie beside the
# file itself, so that programs that know it by different names wait for each other and count together.
my $service = QSOsync::Service->start;
my ($data, $folder) = ($service->{data}, $service->directory . '/links');
mkdir $folder or die $!;
symlink $service->db, "$folder/linked.db" or die $!;

sub remaining_through {
    my ($path) = @_;
    my $response = QSOsync::Cgi::answer($service->directory, { QSOSYNC_DB => $path, REQUEST_URI => '/api/v1/me',
        HTTP_AUTHORIZATION => 'Bearer ' . $service->read_key });
    is $response->status, 200, "$path is served";
    return $response->header('RateLimit-Remaining');
}
my $remaining = remaining_through($service->db);
is remaining_through("$folder/linked.db"), $remaining - 1, 'requests count together, whatever the name';
is join(' ', map { s{.*/}{}r } sort glob "$folder/*"), 'linked.db', 'nothing is made beside the link';

# The command, too.
my ($status, $output, $errors) = $service->admin_try('--db', "$folder/linked.db", 'key', 'add', '21SD333',
    '--name', 'by link', '--scope', 'READ');
is $status, 0, 'the command writes through a link' or diag $errors;
is join(' ', map { s{.*/}{}r } sort glob "$folder/*"), 'linked.db', 'the command makes nothing beside the link';
like join(' ', map { s{.*/}{}r } sort glob "$data/*"), qr/logbook\.db-gate.*logbook\.db-limits/,
    'lock and limits lie beside the database';

done_testing;
