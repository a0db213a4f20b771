use QSOsync::Test fronts => 'nginx', suite => 'all';
use QSOsync::Waiting;

# An API key must still be valid when its request begins to write. A key can be revoked, or its member disabled, while
# the body arrives or while the request waits for other writers. The request then gets 401, and nothing is saved.
my $service = QSOsync::Service->start(workers => 2);
$service->post_batch([my $kept = qso()]);
$service->get('/me');
my @kinds = (
    ['a key that was revoked', "UPDATE api_keys SET revoked_at = 1 WHERE scope = 'WRITE' AND member_id = "
        . "(SELECT id FROM members WHERE callsign = '%s')"],
    ['a key whose member was disabled', "UPDATE members SET active = 0 WHERE callsign = '%s'"],
);
my $number = 0;
sub new_key_member { $number++; return $service->add_member("26AT10$number") }
sub end_key { my ($member, $sql) = @_; $service->sqlite(sprintf $sql, $member->{callsign}) }

# Returns an answer's status, error code and WWW-Authenticate header.
sub key_text_of { join ' ', $_[0]->status, $_[0]->code // '', $_[0]->header('WWW-Authenticate') // '' }

sub is_refused {
    my ($answer, $member, $name) = @_;
    is $answer, '401 API_KEYS.INVALID Bearer', "$name is refused";
    is $service->sqlite("SELECT count(*) FROM qsos JOIN members ON members.id = member_id "
        . "WHERE callsign = '$member->{callsign}'"), $member->{qsos} || 0, "nothing is written for $name";
}

sub held_body {
    my ($member, $between) = @_;
    my $body = JSON::PP::encode_json({ entries => [map { full_qso(notes => 'x' x 1900) } 1 .. 200] });
    my %variables = (REQUEST_URI => '/api/v1/logs/batch', QSOSYNC_DB => $service->db,
        HTTP_AUTHORIZATION => "Bearer $member->{write_key}");
    return key_text_of(QSOsync::Waiting::held_body(QSOsync::Front::worker_program(), \%variables, $body,
        $between));
}
my $member = new_key_member();
is held_body($member, sub {}), '200  ', 'a batch whose body arrives in two parts is saved';
for my $kind (@kinds) {
    my ($what, $sql) = @$kind;
    $member = new_key_member();
    is_refused(held_body($member, sub { end_key($member, $sql) }), $member, "$what while the body arrived");
}

sub wait_with_key {
    my ($request, $between) = @_;
    return QSOsync::Waiting::behind_writer($service, sub { key_text_of($request->()) }, $between);
}
for my $kind (@kinds) {
    my ($what, $sql) = @$kind;
    $member = new_key_member();
    is_refused(wait_with_key(sub { $service->post_batch([qso()], key => $member->{write_key}) },
        sub { end_key($member, $sql) }), $member, "$what while a batch waited");
    $member = { %{new_key_member()}, qsos => 1 };
    $service->post_batch([my $qso = qso()], key => $member->{write_key});
    is_refused(wait_with_key(sub { $service->delete_qso($qso->{clientId}, key => $member->{write_key}) },
        sub { end_key($member, $sql) }), $member, "$what while a deletion waited");
}
$service->stop;

done_testing;
