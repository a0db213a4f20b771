use QSOsync::Test fronts => 'nginx', slow => 30;
use List::Util qw(max min);
use QSOsync::Demo;
use QSOsync::Demo::Places qw(distance);
use QSOsync::Serve qw(start printed end_it sign_in rows_on_screen invitation key);

# make demo serves an invented club. The seed determines the club, and the demo leaves no files.
my $now = 1_780_000_000;
sub logs {
    my ($demo) = @_;
    return { map { my $callsign = $_->{callsign};
        ($callsign => [map { "$_->{at} $_->{entry}{callsignWorked}" } $demo->log_of($callsign)]) }
        $demo->members, $demo->station };
}
my $demo = QSOsync::Demo->new(7, $now);
is_deeply logs(QSOsync::Demo->new(7, $now)), logs($demo), 'a seed always gives the same callsigns and times';
isnt +(logs(QSOsync::Demo->new(8, $now))->{'13HN207'}[0]), logs($demo)->{'13HN207'}[0],
    'another seed gives other QSOs';
is scalar($demo->members), 8, 'the club has eight members';

# The data is plausible.
my %is_division = map { $_->[0] => 1 } QSOsync::Demo::Places::rows('schema/divisions.tsv');
my @qsos = map { $demo->log_of($_->{callsign}) } $demo->members, $demo->station;
is_deeply [grep { !/\A(\d+)[A-Z]/ || !$is_division{$1} } map { $_->{callsignWorked} }
    grep { $_->{band} eq 'ELEVEN_METERS' } map { $_->{entry} } @qsos], [],
    'every callsign on 11 m begins with the number of a division';
cmp_ok max(map { $_->{at} } @qsos), '<', $now, 'no QSO is in the future';
cmp_ok $now - min(map { $_->{at} } @qsos), '>', 600 * 86400, 'the QSOs began two years ago';
my ($me) = $demo->members;
my %far = map { $_->{callsign} => distance($me, $_) } @{$demo->{others}};
is_deeply [grep { my $km = $far{$_->{entry}{callsignWorked}}; defined $km && $km > 150 && $km < 580 }
    grep { ($_->{entry}{frequencyMhz} // '') eq '27.555' } $demo->log_of($me->{callsign})], [],
    'no QSO is with a station too far for the ground wave and too near for the sky wave';

# The service contains the invented club.
my $port = QSOsync::Service::free_port();
my $serve = start('--port', $port, '--demo', 7);
my $text = printed($serve);
like $text, qr{\AQSOsync serves http://127\.0\.0\.1:$port/ }, 'make demo prints its address' or die;
cmp_ok rows_on_screen($text), '<=', 24, 'the output fits on a screen';
my %session = sign_in($port, invitation($text) // '');
sub ask { my ($path) = @_; return QSOsync::Client::request($port, 'GET', $path, headers => \%session)->json }
is ask('/profile/data/me')->{callsign}, '13HN207', 'the printed link signs a member in';
my %rows = map { $_->{callsign} => $_ } @{ask('/operator/data/members?limit=200')->{items}};
is_deeply [sort keys %rows], [sort '13HN0/DX', map { $_->{callsign} } $demo->members],
    'the club consists of eight members and a station';
is_deeply [grep { !$rows{$_}{qsos} } sort keys %rows], [], 'every log has QSOs';
my $answer = QSOsync::Client::request($port, 'GET', '/api/v1/me',
    headers => { 'X-API-Key' => key($text) });
is $answer->status, 200, 'the API accepts the printed key';
cmp_ok scalar(grep { $_->{crossConfirmedAt} } @{ask('/profile/data/qsos')->{items}}), '>', 5,
    'other members confirmed QSOs';
my ($station) = @{ask('/operator/data/stations')->{items}};
is_deeply [sort map { $_->{callsign} } @{$station->{operators}}], [qw(13HN001 13HN118 13HN207)],
    'three members operate the station';
sub spots { return @{ask('/cluster/spots')} }
my $first = until_true(sub { spots() });
ok until_true(sub { spots() > $first }), 'the members log further QSOs, which become spots';
is end_it($serve, 'INT'), 0, 'Ctrl-C ends make demo with status 0';
ok !-e "$QSOsync::Serve::build/run", 'make demo leaves no files';
like printed(start('--port', $port, '--demo', 'x')),
    qr/\Amake demo: SEED is a number [^\n]*, not "x"\n\z/, 'an invalid seed is refused in one line';

done_testing;
