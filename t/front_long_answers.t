use QSOsync::Test fronts => 'all', slow => 15, suite => 'all';
use IO::Select;
use IO::Socket::INET;
use QSOsync::Profile;
use Socket qw(SOL_SOCKET SO_RCVBUF);
use Time::HiRes qw(sleep);

# Answers that grow with the log are complete on a slow connection. Each member can have two such answers at a time, and
# other requests are not delayed.
my $count = 20_000;
my ($service, $other, $me, $them, %path);

# Starts a service with this time limit for readers. Each of two members has a log of $count QSOs.
sub begin {
    my ($send_wait_ms) = @_;
    $service =
        QSOsync::Service->start(workers => 2, site => 4, environment => { QSOSYNC_SEND_WAIT_MS => $send_wait_ms });
    $service->expect_log(qr/timed out|timeout|prematurely|upstream|Connection reset|Broken pipe|mod_fcgid|AH0\d+/i);
    $other = $service->add_member('26AT101');
    $service->sqlite("INSERT INTO qsos (member_id, client_id, synced_at, created_at, band, qso_at, frequency, mode,
            callsign_worked, notes)
        SELECT m.id, randomblob(16), value, 0, 0, 1700000000000 + value, 27555, 2, '26AT' || value,
            printf('%.200c', 'n')
        FROM generate_series(1, $count), members m");
    $me = QSOsync::Profile->log_in($service, '21SD333');
    $them = QSOsync::Profile->log_in($service, '26AT101');
    $service->get('/me'); # otherwise the day of the key's last use would change below
    %path = (
        (map { $_->[0] => [$_->[1], map { "Authorization: Bearer $_" } $service->read_key, $other->{read_key}] }
            ['ids', '/api/v1/logs/ids'], ['page', '/api/v1/logs?limit=500']),
        map { $_ => ["/profile/data/$_", map { 'Cookie: ' . $_->cookie } $me, $them] } qw(export.adi everything.json),
    );
}

# Sends a request on a socket with a small receive buffer, and reads nothing yet.
sub ask {
    my ($name, $who) = @_;
    my ($path, @headers) = @{$path{$name}};
    my $socket = IO::Socket::INET->new(Proto => 'tcp') or die $!;
    setsockopt $socket, SOL_SOCKET, SO_RCVBUF, 4096;
    $socket->connect(Socket::pack_sockaddr_in($service->port, Socket::inet_aton('127.0.0.1'))) or die $!;
    print {$socket}
        "GET $path HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n$headers[$who || 0]\r\n\r\n";
    $socket->flush;
    return $socket;
}
# Reads the rest of the answer: first $pauses pieces of 5 kB, with a pause of 0.1 s after each piece, and then at full
# speed.
sub rest {
    my ($socket, $pauses, $answer) = @_;
    my $size = $pauses ? 5000 : 1 << 18;
    while (sysread $socket, my $piece, $size) {
        $answer .= $piece;
        sleep 0.1 if $pauses;
        $size = 1 << 18 if $pauses && --$pauses == 0;
    }
    return QSOsync::Client::parse($answer, 'GET');
}
sub begun { my ($socket) = @_; sysread $socket, my $piece, 1000; return $piece }
sub without_time { $_[0] =~ s/(?<=<CREATED_TIMESTAMP:15>).{15}|(?<="exportedAt":").{24}|(?<="serverTime":").{24}//r }
sub retry_after {
    my ($answer) = @_;
    return join ' ', map { $_ // '' } $answer->status, $answer->code, $answer->header('Retry-After');
}

begin(120_000); # longer than any pause of the readers below, even on a busy machine
my @folder = sort glob $service->{data} . '/*';
my %whole = map { $_ => rest(ask($_), 0) } sort keys %path;
for my $name (sort keys %path) {
    my $answer = $whole{$name};
    is $answer->status, 200, "$name: a long answer has status 200";
    is $answer->header('Content-Length'), length $answer->body, "$name: a long answer has its Content-Length";
}
is scalar(@{$whole{ids}->json->{items}}), $count, 'a list of ids has every QSO';
my $adif = $whole{'export.adi'}->body;
my $records = () = $adif =~ /<EOR>/g;
is $records, $count, 'an ADIF file has every QSO';
like $adif, qr/\A[^<]*(?:<\w+:\d+>[^<]*)*<APP_QSOSYNC_RECORDS:5>$count<EOH>/,
    'the header of an ADIF file has the number of records';
like $adif, qr/<EOR>\r\nEnd of the log, records: $count\r\n\z/, 'an ADIF file ends with the number of records';
my $everything = $whole{'everything.json'}->body;
my $qsos = () = $everything =~ /"clientId":/g;
is $qsos, $count, 'everything.json has every QSO';
like $everything, qr/"qsoCount":$count\}\s*\z/, 'everything.json ends with the number of QSOs';
if ($service->front eq 'nginx') { # runs once, because front servers do not matter here
    QSOsync::Front::write_file($service->directory . '/again.adi', $adif);
    my $report = ($service->admin_try('import', '21SD333', $service->directory . '/again.adi', '--dry-run'))[1];
    like $report, qr/^unchanged $count$/m, 'the last line in an ADIF file is not read as a record';
    unlike $report, qr/^rejected [1-9]/m, 'the last line in an ADIF file is not a rejected record';
}

# Two readers at a time read at 400 kbit/s for the first seconds.
for my $names ([qw(ids export.adi)], [qw(page everything.json)]) {
    my @slow = map { ask($_) } @$names;
    for my $name (@$names) {
        my $answer = rest(shift @slow, 15);
        ok $answer && $answer->complete, "$name: a slow reader gets the announced length";
        is length($answer->body), length($whole{$name}->body),
            "$name: a slow reader gets as many bytes as a fast reader";
        ok without_time($answer->body) eq without_time($whole{$name}->body),
            "$name: a slow reader gets the same bytes as a fast reader";
    }
}

# Each member gets two long answers at a time, by any method of authentication.
my @held = map { ask('everything.json') } 1, 2;
my @begun = map { begun($_) } @held;
is scalar(grep { /\AHTTP\/1\.1 200/ } @begun), 2, 'a member can have two concurrent long answers';
like retry_after(rest(ask($_), 0)), qr/\A429 GENERIC\.RATE_LIMITED [1-9]\d*\z/,
    "$_: a third concurrent long answer gets 429 with Retry-After" for qw(everything.json ids export.adi);
is $service->get('/me')->status, 200, 'a member with two long answers still gets short answers';
is rest(ask($_, 1), 0)->status, 200, "$_: another member gets a long answer"
    for qw(everything.json ids export.adi);
my $first = rest($held[0], 0, $begun[0]);
ok $first->complete && without_time($first->body) eq without_time($whole{'everything.json'}->body),
    'a reader gets the whole answer after a pause';
close $held[1];
ok until_true(sub { rest(ask('ids'), 0)->status == 200 }), 'after the end of a long answer, a member can have another';

# The sending processes are separate, each in the process group of its worker. Services of
# other tests also have sending processes, so the groups of this service's workers are noted.
my %groups;
sub note_groups { $groups{$_} = 1 for $service->worker_pids, $service->site_pids }
sub senders {
    return grep {
        my $status = eval { QSOsync::Front::read_file("/proc/$_/stat") } // '';
        $status =~ /\A\d+ \(qsosync answer\) [^Z] \d+ (\d+) / && $groups{$1};
    } map { m{(\d+)\z} } glob '/proc/[0-9]*';
}
if ($service->has_socket) {
    note_groups();
    until_true(sub { !senders() });
    my $download = ask('everything.json');
    my $beginning = begun($download);
    is scalar(senders()), 1, 'a separate process sends a long answer';
    $service->end_worker($_) for $service->worker_pids;
    for my $pid (splice @{$service->{site_pids}}) {
        kill 'TERM', $pid;
        waitpid $pid, 0;
    }
    my $answer = rest($download, 0, $beginning);
    ok $answer->complete && without_time($answer->body) eq without_time($whole{'everything.json'}->body),
        'a long answer is complete even if all workers end';
    $service->start_worker for 1, 2;
    QSOsync::Front::start_site_worker($service) for 1, 2;
    note_groups();
    ok until_true(sub { !senders() }), 'the process of a long answer ends with the answer';

    $download = ask('everything.json');
    $beginning = begun($download);
    kill 'KILL', senders();
    $answer = rest($download, 0, $beginning);
    ok !$answer->complete, 'a client can detect that the sending process was killed';
    my @again = map { ask('everything.json') } 1, 2;
    is scalar(grep { begun($_) =~ /\AHTTP\/1\.1 200/ } @again), 2, 'a killed process does not count against the member';
    close $_ for @again;
    ok until_true(sub { !senders() }), 'the process of a long answer ends when its reader disconnects';
}
is_deeply [sort glob $service->{data} . '/*'], \@folder, 'long answers leave no file';
$service->stop;

# Many connections of one member read nothing. They delay nobody, and are disconnected.
begin(2000);
my @stalled = map { my $socket = ask($_ % 2 ? 'everything.json' : 'ids'); $socket } 1 .. 30;
my @me = map { $service->get('/me', key => $other->{read_key}, timeout => 20) } 1 .. 10;
is scalar(grep { $_ && $_->status == 200 } @me), 10, 'another member is served while thirty connections read nothing';
is $service->post_batch([qso()], key => $other->{write_key})->status, 200,
    'another member can save QSOs while thirty connections read nothing';
is $service->sqlite('PRAGMA wal_checkpoint(TRUNCATE)'), '0|0|0',
    'connections that read nothing keep no snapshot of the database';
ok until_true(sub {
    my $answer = rest(ask('everything.json'), 0);
    $answer && $answer->status == 200 && $answer->complete;
}),
    'a client that reads nothing for too long is disconnected';
close $_ for @stalled;

done_testing;
