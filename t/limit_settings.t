use QSOsync::Test;
use QSOsync::Profile;

# What counts, and for whom.

# The limit is a setting; what counts and what does not.
{
    my $service = QSOsync::Service->start(environment => { QSOSYNC_RATE_LIMIT => 5 });
    $service->request('OPTIONS', '/me') for 1 .. 10;
    my @statuses = map { $service->request('GET', $_)->status } '/nothing', '/openapi.json', '/me', '/nothing', '/me',
        '/me';
    is "@statuses", '404 200 401 404 401 429', 'every request but preflights counts, whatever its answer is';
    is $service->get('/me')->header('RateLimit-Limit'), 5, 'answers tell the limit that is set';
    $service->stop;

    $service = QSOsync::Service->start(environment => { QSOSYNC_RATE_LIMIT => 0 });
    my %count;
    $count{$service->get('/me')->status}++ for 1 .. 320;
    is_deeply \%count, { 200 => 320 }, 'with the setting 0 no request is refused';
    is $service->get('/me')->header('RateLimit-Limit'), undef, 'with the setting 0 answers tell no limit';
}

# What people look at is counted so that nobody uses up what others behind the same address need.
{
    my $service = QSOsync::Service->start(site => 1, environment => { QSOSYNC_RATE_LIMIT => 40 });
    $service->add_member('26AT101', locator => 'IO91wm');
    sub page { return $service->request('GET', '', raw_path => $_[0], @_[1 .. $#_]) }
    sub count_statuses {
        my ($times, $ask) = @_;
        my %count;
        $count{$ask->()->status}++ for 1 .. $times;
        return \%count;
    }
    my ($callsign) = $service->admin('member', 'list') =~ /^(\S*\d\S*)/m;
    my $first = QSOsync::Profile->log_in($service, $callsign);
    my $second = QSOsync::Profile->log_in($service, '26AT101');

    is_deeply count_statuses(390, sub { page('/cluster/spots') }), { 200 => 390 },
        'the spots can be asked for ten times as often as the limit says, by many people behind one address';
    is_deeply count_statuses(20, sub { page('/cluster/spots') }), { 200 => 10, 429 => 10 },
        'even the spots have a limit';
    is page('/')->status, 200, 'asking for spots leaves the pages alone';
    is $first->get('me')->header('RateLimit-Limit'), 40, 'a member has the limit of the setting';

    my $asked = 0;
    my %answers;
    $answers{$first->get('me')->status}++ while ++$asked <= 60;
    is $answers{200} > 20 && $answers{200} < 40 && $answers{200} + $answers{429}, 60,
        'a member who asks too often is refused';
    is $second->get('me')->status, 200, 'another member at the same address goes on';
    is page('/')->status, 200, 'others at the same address go on without being signed in';

    my $name = $second->cookie =~ s/=.*//r;
    sub invented { return join '', map { chr 97 + rand 26 } 1 .. 43 }
    my $refused = count_statuses(60, sub { page('/', headers => { Cookie => "$name=" . invented() }) });
    is $refused->{429} > 15 && $refused->{200} + $refused->{429}, 60,
        'a cookie that nobody has given out is no way around';
    is $second->get('me')->status, 200, 'a member goes on where an address has used up its requests';
    is $service->get('/me')->header('RateLimit-Remaining'), 39, 'the API counts for itself, as ever';
    $service->stop;
}

done_testing;
