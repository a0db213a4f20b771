use QSOsync::Test fronts => 'nginx', slow => 10, suite => 'all';
use QSOsync::Profile;
use QSOsync::Waiting;

# For pages and uploads, the session or token must still be valid when a request begins to write. Before that moment,
# the body can arrive slowly, or other writers can delay the request. If the session or token ends in this time, nothing
# is saved, and the answer contains no data.
my $service = QSOsync::Service->start(site => 4);
$service->admin('uploads', 'on');
my $number = 0;
sub new_member {
    my $callsign = '26AT' . (100 + ++$number);
    $service->add_member($callsign);
    my $me = QSOsync::Profile->log_in($service, $callsign);
    $me->{token} = $service->admin('upload-token', 'add', $callsign, '--name', 'x');
    $me->get('me');
    return $me;
}
my @session_ends = (
    ['the member is disabled', sub { "UPDATE members SET active = 0 WHERE callsign = '$_[0]{callsign}'" }],
    ['the browser is signed out', sub {
        "DELETE FROM sessions WHERE member_id = (SELECT id FROM members WHERE callsign = '$_[0]{callsign}')";
    }],
    ['the session expires', sub {
        "UPDATE sessions SET last_used_day = last_used_day - 500 "
            . "WHERE member_id = (SELECT id FROM members WHERE callsign = '$_[0]{callsign}')";
    }],
    ['the member is deleted',
    sub { my $of = "member_id = (SELECT id FROM members WHERE callsign = '$_[0]{callsign}')";
        join '', map({ "DELETE FROM $_ WHERE $of;" } qw(sessions qsos former gone acts api_keys upload_tokens)),
            "DELETE FROM members WHERE callsign = '$_[0]{callsign}'" }],
);
my @token_ends = (@session_ends[0, 3],
    ['the token is revoked', sub {
        "UPDATE upload_tokens SET revoked_at = 1 WHERE member_id = "
            . "(SELECT id FROM members WHERE callsign = '$_[0]{callsign}')";
    }],
    ['uploads are switched off', sub { 'UPDATE logbook SET uploads = 0' },
        sub { 'UPDATE logbook SET uploads = 1' }],
);
sub text_of { join ' ', $_[0]->status, $_[0]->code // '' }
my $adif = '<call:5>1AT10<qso_date:8>20260517<time_on:4>1942<band:3>11m<freq:6>27.555<mode:3>USB<eor>';

# Returns counts and values that a request could change, in one line.
sub state_of {
    my ($me) = @_;
    my $of = "WHERE member_id = (SELECT id FROM members WHERE callsign = '$me->{callsign}')";
    return $service->sqlite("SELECT (SELECT count(*) FROM qsos $of), "
        . "(SELECT count(*) FROM api_keys $of AND revoked_at IS NULL), "
        . "(SELECT count(*) FROM upload_tokens $of AND revoked_at IS NULL), "
        . "(SELECT group_concat(id || ' ' || proved_at) FROM sessions $of), (SELECT count(*) FROM sign_in_links $of), "
        . "(SELECT password_hash FROM members WHERE callsign = '$me->{callsign}')");
}
sub saves_nothing {
    my ($me, $end, $name, $expected, $request) = @_;
    my $before;
    my $answer = $request->(sub {
        $service->sqlite('PRAGMA foreign_keys = ON; ' . $end->[1]->($me));
        $before = state_of($me);
    });
    is $answer, $expected, "$name is refused if $end->[0] meanwhile";
    is state_of($me), $before, "$name writes nothing if $end->[0] meanwhile";
    $service->sqlite($end->[2]->()) if $end->[2];
}

# The body of an import arrives in two parts.
sub held_import {
    my ($me, $is_dry, $between) = @_;
    my %variables = (REQUEST_URI => '/profile/data/import', QSOSYNC_DB => $service->db, HTTP_HOST => '127.0.0.1',
        HTTP_COOKIE => $me->cookie, HTTP_SEC_FETCH_SITE => 'same-origin');
    my $body = JSON::PP::encode_json({ adif => $adif . ' ' x 400_000, state => undef,
        dryRun => $is_dry ? JSON::PP::true() : JSON::PP::false() });
    return text_of(QSOsync::Waiting::held_body(QSOsync::Front::site_program(), \%variables, $body, $between));
}
my $me = new_member();
is held_import($me, JSON::PP::false(), sub {}), '200 ', 'an import that arrives in two parts is saved';
is $me->get('statistics')->json->{qsos}, 1, 'the QSO from an import in two parts is in the log';
for my $end (@session_ends) {
    $me = new_member();
    saves_nothing($me, $end, 'an import in two parts', '401 SIGN_IN.REQUIRED',
        sub { held_import($me, JSON::PP::false(), @_) });
    is held_import($me, JSON::PP::true(), sub {}), '401 SIGN_IN.REQUIRED', "a later dry run is refused if $end->[0]";
    $me = new_member();
    saves_nothing($me, $end, 'a dry run in two parts', '401 SIGN_IN.REQUIRED',
        sub { held_import($me, JSON::PP::true(), @_) });
}

# Each change that a member can make waits for another writer.
sub wait_and_write {
    my ($request, $between) = @_;
    return QSOsync::Waiting::behind_writer($service, sub { text_of($request->()) }, $between);
}
my %changes = (
    'an import' => ['import', { adif => $adif }],
    'a QSO' => ['qsos', { entries => [full_qso()] }],
    'a new key' => ['keys', { name => 'x', scope => 'WRITE' }],
    'a new token' => ['tokens', { name => 'x' }],
    'revoking a key' => ['keys/KEY/revoke', {}],
    'revoking a token' => ['tokens/TOKEN/revoke', {}],
    'a new password' => ['password', { password => 'another, long one', current => 'CURRENT' }],
    'confirming a password' => ['prove', { password => 'CURRENT' }],
    'a link for another device' => ['devices/link', {}],
    'the deletion of a log' => ['delete-log', undef],
);
for my $name (sort keys %changes) {
    for my $end (@session_ends) {
        $me = new_member();
        $me->post('import', { adif => $adif =~ s/1AT10/2AT10/r });
        my ($path, $body) = @{$changes{$name}};
        my %number = map { $_ => $me->get(lc $_ . 's')->json->{items}[0]{number} } qw(KEY TOKEN);
        $path =~ s/(KEY|TOKEN)/$number{$1}/;
        $body = { callsign => $me->{callsign} } if !$body;
        my %sent = map { $_ => $body->{$_} eq 'CURRENT' ? $me->{password} : $body->{$_} } keys %$body;
        saves_nothing($me, $end, $name, '401 SIGN_IN.REQUIRED',
            sub { wait_and_write(sub { $me->post($path, \%sent) }, @_) });
    }
}
for my $end (@token_ends) {
    $me = new_member();
    my $body = JSON::PP::encode_json({ key => $me->{token}, station_profile_id => '1', type => 'adif',
        string => $adif });
    saves_nothing($me, $end, 'an upload', '401 ', sub { wait_and_write(sub {
        $service->request('POST', '', raw_path => '/cloudlog/api/qso', body => $body,
            headers => { 'Content-Type' => 'application/json' }) }, @_) });
}
$service->sqlite('DELETE FROM sessions WHERE member_id IN (SELECT id FROM members WHERE active = 0)');
is $service->admin('check'), '', 'the logbook passes the check';
$service->stop;

done_testing;
