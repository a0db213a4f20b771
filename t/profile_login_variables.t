use QSOsync::Test fronts => 'none';
use QSOsync::Cgi;

# Which variables make a login: what the front server has checked, where its configuration says that it did, and below
# /profile/ alone.
my $service = QSOsync::Service->start;
sub ask {
    my (%variables) = @_;
    return QSOsync::Cgi::answer($service->directory,
        { QSOSYNC_DB => $service->db, QSOSYNC_RATE_LIMIT => 0, REQUEST_URI => '/profile/data/me', %variables },
        program => QSOsync::Front::site_program());
}
sub result_of { my $answer = ask(@_); return $answer->status . ' ' . ($answer->code || '') }

my %login = (QSOSYNC_LOGIN => 1, REMOTE_USER => '21sd333');
my ($nobody, $no_member) = ('403 PROFILE.NO_LOGIN', '403 PROFILE.NO_MEMBER');
is ask(%login)->json->{callsign}, '21SD333', 'a login that the front server says to have checked is one';
is result_of(%login, REQUEST_URI => '/club/profile/data/me'), '200 ', 'the pages may lie below a longer prefix';
is result_of(QSOSYNC_LOGIN => 1, REDIRECT_REMOTE_USER => '21sd333'), '200 ',
    'a login stays one through a redirect inside the front server';
is result_of(REMOTE_USER => '21sd333'), $nobody, 'a name alone is no login';
is result_of(REMOTE_USER => '21sd333', QSOSYNC_LOGIN => $_), $nobody, "a name is no login where QSOSYNC_LOGIN is '$_'"
    for 0, '';
is ask(REMOTE_USER => '21sd333', QSOSYNC_LOGIN => $_)->body, '', "a program whose QSOSYNC_LOGIN is '$_' answers nothing"
    for 'yes', '2';
is result_of(QSOSYNC_LOGIN => 1), $nobody, 'nobody is logged in without a name';
is result_of(QSOSYNC_LOGIN => 1, REMOTE_USER => ''), $nobody, 'an empty name is no login';
is result_of(QSOSYNC_LOGIN => 1, HTTP_REMOTE_USER => '21sd333', HTTP_X_REMOTE_USER => '21sd333'), $nobody,
    'a header of the client is no login';
is result_of(REMOTE_USER => '21sd333', HTTP_QSOSYNC_LOGIN => 1), $nobody,
    'a header of the client does not say that a login was checked';
is result_of(QSOSYNC_LOGIN => 1, AUTH_USER => '21sd333', REMOTE_IDENT => '21sd333',
    HTTP_AUTHORIZATION => 'Basic MjFzZDMzMzp4'), $nobody, 'what else tells a name is no login';
is result_of(QSOSYNC_LOGIN => 1, REMOTE_USER => $_), $no_member, "the name '$_' is no member's" for 'nobody',
    '21SD333 ', '21sd33', "21sd333'--", '%';

# Below other paths nobody reads it.
for my $path ('/', '/healthz', '/cluster/spots', '/cluster/stats', '/cloudlog/api/station_info/x', '/profile/',
    '/profile/data', '/nothing') {
    my ($with, $without) = map { my $answer = ask(REQUEST_URI => $path, @$_);
    $answer->status . "\n" . $answer->body } [%login], [];
    is $with, $without, "a login changes nothing at $path";
}

done_testing;
