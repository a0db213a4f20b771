use QSOsync::Test fronts => 'nginx';
use QSOsync::Profile;
use QSOsync::Waiting;

# What counts for the pages and uploads, too, is whether the login or the token works when its request begins
# to write: nothing is saved for a member who was disabled, deleted or given another login name, or a token that was
# revoked, while the body came or other writers were waited for.
my $service = QSOsync::Service->start(site => 2);
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
my @login_ends = (
    ['a member who was disabled', sub { "UPDATE members SET active = 0 WHERE callsign = '$_[0]{callsign}'" }],
    ['a member with another login name', sub {
        "UPDATE members SET login = 'new $_[0]{callsign}' WHERE callsign = '$_[0]{callsign}'";
    }],
    ['a member who was deleted',
    sub { my $of = "member_id = (SELECT id FROM members WHERE callsign = '$_[0]{callsign}')";
        "DELETE FROM qsos WHERE $of; DELETE FROM api_keys WHERE $of; DELETE FROM upload_tokens WHERE $of; DELETE FROM "
            . "members WHERE callsign = '$_[0]{callsign}'" }],
);
my @token_ends = (@login_ends[0, 2],
    ['a token that was revoked', sub {
        "UPDATE upload_tokens SET revoked_at = 1 WHERE member_id = "
            . "(SELECT id FROM members WHERE callsign = '$_[0]{callsign}')";
    }],
    ['uploads that were switched off', sub { 'UPDATE logbook SET uploads = 0' },
        sub { 'UPDATE logbook SET uploads = 1' }],
);
sub text_of { join ' ', $_[0]->status, $_[0]->code // '' }
my $adif = '<call:5>1AT10<qso_date:8>20260517<time_on:4>1942<band:3>11m<freq:6>27.555<mode:3>USB<eor>';

# Everything that could have been written, in one line.
sub state_of {
    my ($me) = @_;
    my $of = "WHERE member_id = (SELECT id FROM members WHERE callsign = '$me->{callsign}')";
    my ($line) = QSOsync::Front::read_file($service->db . '-logins') =~ /^\Q$me->{login}\E:(.*)$/m;
    return join ' ',
        $service->sqlite("SELECT (SELECT count(*) FROM qsos $of), "
        . "(SELECT count(*) FROM api_keys $of AND revoked_at IS NULL), "
        . "(SELECT count(*) FROM upload_tokens $of AND revoked_at IS NULL)"), $line;
}
sub saves_nothing {
    my ($me, $end, $name, $expected, $request) = @_;
    my $before;
    my $answer = $request->(sub {
        $service->sqlite('PRAGMA foreign_keys = ON; ' . $end->[1]->($me));
        $before = state_of($me);
    });
    is $answer, $expected, "$name is refused to $end->[0] meanwhile";
    is state_of($me), $before, "$name writes nothing for $end->[0] meanwhile";
    $service->sqlite($end->[2]->()) if $end->[2];
}

# The body of an import, held back.
sub held_import {
    my ($me, $between) = @_;
    my %variables = (REQUEST_URI => '/profile/data/import', QSOSYNC_DB => $service->db, QSOSYNC_LOGIN => 1,
        REMOTE_USER => $me->{login},
        HTTP_SEC_FETCH_SITE => 'same-origin');
    my $body = JSON::PP::encode_json({ adif => $adif . ' ' x 400_000, state => undef });
    return text_of(QSOsync::Waiting::held_body(QSOsync::Front::site_program(), \%variables, $body, $between));
}
my $me = new_member();
is held_import($me, sub {}), '200 ', 'an import that comes in two parts is saved';
is $me->get('statistics')->json->{qsos}, 1, 'its QSO is in the log';
for my $end (@login_ends) {
    $me = new_member();
    saves_nothing($me, $end, 'an import whose body came', '403 PROFILE.NO_MEMBER', sub { held_import($me, @_) });
}

# Everything that a member can change, while another writer is waited for.
sub wait_and_write {
    my ($request, $between) = @_;
    return QSOsync::Waiting::behind_writer($service, sub { text_of($request->()) }, $between);
}
my %changes = (
    'an import' => ['import', { adif => $adif }],
    'a new key' => ['keys', { name => 'x', scope => 'WRITE' }],
    'a new token' => ['tokens', { name => 'x' }],
    'a revoked key' => ['keys/KEY/revoke', {}],
    'a revoked token' => ['tokens/TOKEN/revoke', {}],
    'a new password' => ['password', {}],
    'the end of a log' => ['delete-log', undef],
);
for my $name (sort keys %changes) {
    for my $end (@login_ends) {
        $me = new_member();
        $me->post('import', { adif => $adif =~ s/1AT10/2AT10/r });
        my ($path, $body) = @{$changes{$name}};
        my %number = map { $_ => $me->get(lc $_ . 's')->json->{items}[0]{number} } qw(KEY TOKEN);
        $path =~ s/(KEY|TOKEN)/$number{$1}/;
        saves_nothing($me, $end, $name, '403 PROFILE.NO_MEMBER',
            sub { wait_and_write(sub { $me->post($path, $body || { callsign => $me->{callsign} }) }, @_) });
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
is $service->admin('check'), '', 'the logbook is whole';

done_testing;
