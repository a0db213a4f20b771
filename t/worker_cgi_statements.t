use QSOsync::Test fronts => 'none';
use QSOsync::Cgi;

# A CGI program prepares what its one request needs: it answers what it can, and says what it cannot. A worker and the
# check prepare all that there is, and refuse a logbook where something is missing.
plan skip_all => 'the sqlite3 shell is not there' if system('sqlite3 --version >/dev/null 2>&1') != 0;
my $service = QSOsync::Service->start;
my $write = $service->write_key;
sub answer {
    my ($variables, %option) = @_;
    return QSOsync::Cgi::answer($service->directory, { QSOSYNC_DB => $service->db, QSOSYNC_RATE_LIMIT => 0,
        HTTP_AUTHORIZATION => "Bearer $write", %$variables }, %option);
}
my $entry = qso(mode => 'FM', callsignWorked => '26AT101');
my $body = JSON::PP::encode_json({ entries => [$entry] });
my %post = (REQUEST_METHOD => 'POST', REQUEST_URI => '/api/v1/logs/batch', CONTENT_TYPE => 'application/json');

my $saved = answer(\%post, body => $body);
is $saved->status, 200, 'a CGI program saves a QSO';
is $saved->{errors}, '', 'a CGI program that saved a QSO has nothing to say';
is $service->get('/logs')->json->{items}[0]{clientId}, $entry->{clientId}, 'a worker finds it';

$service->end_worker($_) for $service->worker_pids;
$service->sqlite('DROP INDEX qsos_by_contact');
$service->expect_log(qr/no such index: qsos_by_contact|answered with GENERIC\.INTERNAL/);
is answer({ REQUEST_URI => $_ })->status, 200, "a CGI program answers $_ without an index that it does not ask"
    for '/api/v1/me', '/api/v1/logs', '/api/v1/logs/ids';
# The callsign worked is no member's; only a member's log is searched by that index.
is answer(\%post, body => $body)->status, 200, 'a CGI program saves what needs no search by the index';
$service->sqlite("INSERT INTO members (callsign, locator, login, created_at) VALUES ('26AT101', 'JO59', 'x', 0)");
my $failed = answer(\%post, body => $body);
is $failed->status, 500, 'a request that needs it is answered with 500';
like $failed->{errors}, qr/has_contact: no such index/, 'the log names the statement that cannot be prepared';
is $service->sqlite('SELECT count(*) FROM qsos'), 1, 'nothing of it is saved';

my ($status, undef, $errors) = $service->admin_try('check');
isnt $status, 0, 'the check refuses the logbook';
like $errors, qr/no such index: qsos_by_contact/, 'the check says what is missing';
$service->start_worker;
is $service->get('/me')->status, 500, 'a worker refuses it whole';

done_testing;
