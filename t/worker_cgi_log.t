use QSOsync::Test fronts => 'none';
use QSOsync::Cgi;

# CGI programs that are alone with a logbook move the log into it when they end, as the last worker does, but leave the
# log's empty file in place: making and removing it would be a good part of what a request costs.
plan skip_all => 'the sqlite3 shell is not there' if system('sqlite3 --version >/dev/null 2>&1') != 0;
my $service = QSOsync::Service->start;
my $write = $service->write_key;
$service->end_worker($_) for $service->worker_pids;
my ($db, $log) = ($service->db, $service->db . '-wal');
ok !-e $log, 'the last worker removes the log when it ends';

sub answer {
    my ($variables, %option) = @_;
    return QSOsync::Cgi::answer($service->directory, { QSOSYNC_DB => $db, QSOSYNC_RATE_LIMIT => 0,
        HTTP_AUTHORIZATION => "Bearer $write", %$variables }, %option);
}
sub save {
    return answer({ REQUEST_METHOD => 'POST', REQUEST_URI => '/api/v1/logs/batch', CONTENT_TYPE => 'application/json' },
        body => JSON::PP::encode_json({ entries => [map { qso() } 1 .. $_[0]] }))->status;
}
# What the database's file holds by itself.
sub in_file { my $count = `sqlite3 'file:$db?immutable=1' 'SELECT count(*) FROM qsos'`; chomp $count; return $count }

is answer({ REQUEST_URI => '/api/v1/me' })->status, 200, 'a CGI program reads without a log';
ok -e $log && -z _, 'it leaves an empty log';
is +(stat $log)[2] & 0777, (stat $db)[2] & 0777, 'the log has the mode of the database';
my $inode = (stat $log)[1];
my $saved = 0;
for my $count (1, 200, 3) {
    is save($count), 200, "a CGI program saves $count QSOs";
    is in_file(), $saved += $count, 'they are in the database when it has ended';
    ok -e $log && -z _, 'the log is empty then';
    is answer({ REQUEST_URI => '/api/v1/logs/ids' })->status, 200, 'another one reads';
    is +(stat $log)[1], $inode, 'the log is still the same file';
}

# With a worker beside it a CGI program leaves the log as it is.
$service->start_worker;
is $service->get('/me')->status, 200, 'a worker opens the logbook that CGI programs have left';
is save(2), 200, 'a CGI program saves beside it';
ok -s $log, 'the log is the worker\'s to move';
is scalar @{$service->get('/logs?limit=500')->json->{items}}, $saved + 2,
    'the worker finds what CGI programs have saved';
$service->end_worker($_) for $service->worker_pids;
is in_file(), $saved + 2, 'the worker moves the log into the database when it ends';
ok !-e $log, 'the worker removes the log when it ends';

done_testing;
