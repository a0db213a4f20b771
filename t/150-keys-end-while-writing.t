use QSOsync::Test fronts => 'nginx';
use Fcntl qw(F_SETLK F_UNLCK F_WRLCK SEEK_SET);
use IPC::Open2 qw(open2);
use QSOsync::Front;

# What counts is whether a key works when its request begins to write: one that was revoked, or whose member was
# disabled, while the body came or other writers were waited for, is answered with 401, and nothing is saved.
use Time::HiRes qw(sleep time);
my $service = QSOsync::Service->start(workers => 2);
$service->post_batch([my $kept = qso()]);
$service->get('/me');
my @kinds = (
    ['a key that was revoked', "UPDATE api_keys SET revoked_at = 1 WHERE scope = 'WRITE' AND member_id = "
        . "(SELECT id FROM members WHERE callsign = '%s')"],
    ['a key whose member was disabled', "UPDATE members SET active = 0 WHERE callsign = '%s'"],
);
my $number = 0;
sub new_member { $number++; return $service->add_member("26AT10$number") }
sub end_key { my ($member, $sql) = @_; $service->sqlite(sprintf $sql, $member->{callsign}) }

# In one line: status, code, the header that asks for another key.
sub text_of { join ' ', $_[0]->status, $_[0]->code // '', $_[0]->header('WWW-Authenticate') // '' }

sub is_refused {
    my ($answer, $member, $name) = @_;
    is $answer, '401 API_KEYS.INVALID Bearer', "$name is refused";
    is $service->sqlite("SELECT count(*) FROM qsos JOIN members ON members.id = member_id "
        . "WHERE callsign = '$member->{callsign}'"), $member->{qsos} || 0, "nothing is written for $name";
}

# The body of a plain CGI program, held back after more of it was read than fits into a pipe.
sub held_body {
    my ($member, $between) = @_;
    my $body = JSON::PP::encode_json({ entries => [map { full_qso(notes => 'x' x 1900) } 1 .. 200] });
    my $program = QSOsync::Front::worker_program();
    local %ENV = (PATH => $ENV{PATH}, GATEWAY_INTERFACE => 'CGI/1.1', SERVER_PROTOCOL => 'HTTP/1.1',
        REQUEST_METHOD => 'POST', REQUEST_URI => '/api/v1/logs/batch', QUERY_STRING => '', REMOTE_ADDR => '192.0.2.1',
        CONTENT_TYPE => 'application/json', CONTENT_LENGTH => length $body, QSOSYNC_DB => $service->db,
        HTTP_AUTHORIZATION => "Bearer $member->{write_key}", QSOsync::Front::sandbox_setting());
    my $pid = open2(my $output, my $input, $program);
    binmode $_ for $output, $input;
    my $half = int length($body) / 2;
    syswrite $input, $body, $half;
    $between->();
    syswrite $input, $body, length($body) - $half, $half;
    close $input;
    my $text = do { local $/; <$output> };
    waitpid $pid, 0;
    my $status = $text =~ s/\AStatus: (\d{3})[^\r\n]*\r\n// ? $1 : 200;
    return text_of(QSOsync::Client::parse("HTTP/1.1 $status\r\n$text", 'POST'));
}
my $member = new_member();
is held_body($member, sub {}), '200  ', 'a body that comes in two parts is saved';
for my $kind (@kinds) {
    my ($what, $sql) = @$kind;
    $member = new_member();
    is_refused(held_body($member, sub { end_key($member, $sql) }), $member, "$what while the body came");
}

# Writers that wait for another one: the lock is held here, and the database is free.
open my $lock, '+<', $service->db . '-gate' or die $!;
sub set_lock {
    my ($type) = @_;
    fcntl $lock, F_SETLK, pack 's s x4 q q i x4', $type, SEEK_SET, 0, 1, 0 or die "lock: $!";
}
sub is_somebody_waiting {
    my $inode = (stat $lock)[1];
    return QSOsync::Front::read_file('/proc/locks') =~ /-> \S+ .*:$inode /;
}
sub wait_and_write {
    my ($request, $between) = @_;
    set_lock(F_WRLCK);
    my $pid = open my $answer, '-|' // die "fork: $!";
    if (!$pid) {
        print text_of($request->());
        close STDOUT;
        POSIX::_exit(0);
    }
    my $end = time + 30;
    sleep 0.01 until is_somebody_waiting() || time > $end;
    ok is_somebody_waiting(), 'a writer waits';
    $between->();
    set_lock(F_UNLCK);
    my $text = do { local $/; <$answer> };
    close $answer;
    return $text;
}
for my $kind (@kinds) {
    my ($what, $sql) = @$kind;
    $member = new_member();
    is_refused(wait_and_write(sub { $service->post_batch([qso()], key => $member->{write_key}) },
        sub { end_key($member, $sql) }), $member, "$what while a batch waited");
    $member = { %{new_member()}, qsos => 1 };
    $service->post_batch([my $qso = qso()], key => $member->{write_key});
    is_refused(wait_and_write(sub { $service->delete_qso($qso->{clientId}, key => $member->{write_key}) },
        sub { end_key($member, $sql) }), $member, "$what while a deletion waited");
}

done_testing;
