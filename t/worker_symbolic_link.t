use QSOsync::Test fronts => 'none';
use File::Copy qw(copy);
use QSOsync::Worker;
use IPC::Open2 qw(open2);

# A database behind a symbolic link is the same database. The writer lock and the limits table are next to the file
# itself. Programs with different names for the file therefore wait for each other and count together.
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
is remaining_through("$folder/linked.db"), $remaining - 1, 'requests under both names count together';
is join(' ', map { s{.*/}{}r } sort glob "$folder/*"), 'linked.db', 'no file is created next to the link';

# The command uses the same lock and table.
my ($status, $output, $errors) = $service->admin_try('--db', "$folder/linked.db", 'key', 'add', '21SD333',
    '--name', 'by link', '--scope', 'READ');
is $status, 0, 'the command writes through a link' or diag $errors;
is join(' ', map { s{.*/}{}r } sort glob "$folder/*"), 'linked.db', 'the command creates no file next to the link';
like join(' ', map { s{.*/}{}r } sort glob "$data/*"), qr/logbook\.db-gate.*logbook\.db-limits/,
    'lock and limits are next to the database';

# The last writes are still in the write-ahead log while another program has the database open.
my $reader = open2(my $from_shell, my $to_shell, 'sqlite3', $service->db);
print {$to_shell} "BEGIN; SELECT 'open' FROM members LIMIT 1;\n";
is scalar(<$from_shell>), "open\n", 'another program has the database open';
$service->admin('member', 'add', '26AT101', '--locator', 'JO59jw');
sub told_through { my ($path, @command) = @_; return ($service->admin_try('--db', $path, @command))[1] }
for my $command (['member', 'list', '--json'], ['status', '--json'], ['export', '26AT101']) {
    my ($direct, $linked) = map { told_through($_, @$command) } $service->db, "$folder/linked.db";
    s/"logbook": *"[^"]*"//, s/<CREATED_TIMESTAMP:15>[0-9 ]*// for $direct, $linked;
    is $linked, $direct, "$command->[0] reads the last writes through the link";
}

# The doctor looks for the record of the last backup next to the database itself.
told_through("$folder/linked.db", 'backup', "$data/copy.db");
ok -e $service->db . '-last-backup', 'a backup through the link is recorded next to the database';
is join(' ', map { s{.*/}{}r } sort glob "$folder/*"), 'linked.db', 'no other file is created next to the link';
print {$to_shell} "COMMIT;\n.quit\n";
close $to_shell;
waitpid $reader, 0;
$service->stop;

done_testing;
