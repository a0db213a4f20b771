use QSOsync::Test fronts => 'nginx';
use QSOsync::Profile;

# The service lists a member's worked divisions, squares and special stations, so that pages can mark what is needed.
my $service = QSOsync::Service->start(site => 1);
my $them = $service->add_member('26AT101', locator => 'IO91wm');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $other = QSOsync::Profile->log_in($service, '26AT101');
is_deeply $me->get('worked')->json, { locator => 'JO59jw', divisions => [], worked => [] },
    'an empty log has no worked divisions';
my $gone = full_qso(callsignWorked => '3AT555');
my @worked = ('26AT101', '26-AT-7', '13 hn 12', '1AT044/P', '161SD1', '999XX1', 'AT1', '26', '0AB1');
$service->post_batch([$gone, map { full_qso(callsignWorked => $_) } @worked]);
is_deeply $me->get('worked')->json->{divisions}, [1, 3, 13, 26, 161],
    'each division is listed once, and callsigns without a division are not listed';
$service->delete_qso($gone->{clientId});
is_deeply $me->get('worked')->json->{divisions}, [1, 13, 26, 161], 'the division of a deleted QSO is not listed';
is_deeply $other->get('worked')->json, { locator => 'IO91wm', divisions => [], worked => [] },
    'another member gets a list from their own log';
is $service->request('GET', '', raw_path => '/profile/data/worked')->status, 401, 'a visitor gets no list';

# QSOs from another program and confirmations by another member change the list.
my %row = (band => '11m', mode => 'USB', divisions => [1, 13, 26, 161], confirmedDivisions => [],
    squares => ['IO91'],
    confirmedSquares => [], special => [], confirmedSpecial => []);
is_deeply $me->get('worked')->json->{worked}, [\%row], 'QSOs on one band and in one mode are one row';
sub revision { return $me->get('revision')->json->{revision} }
my @revisions = (revision());
my %contact = (qsoAt => '2026-08-01T10:00:00Z', mode => undef, band => 'PMR446', channel => 3);
$service->post_batch([qso(%contact, callsignWorked => '26AT101', dxLocator => 'JN58td')]);
my %pmr = (%row, band => 'pmr446', mode => undef, divisions => [26], squares => ['JN58']);
is_deeply $me->get('worked')->json->{worked}, [\%row, \%pmr],
    'a QSO on another band is listed at once, in a separate row';
push @revisions, revision();
$service->post_batch([qso(%contact, callsignWorked => '21SD333')], key => $them->{write_key});
is_deeply $me->get('worked')->json->{worked}, [\%row, { %pmr, confirmedDivisions => [26],
    confirmedSquares => ['JN58'] }], 'a confirmation by another member is listed at once';
push @revisions, revision();
is scalar keys %{{ map { $_ => 1 } @revisions }}, 3, 'each change gives a new revision';
$service->post_batch([qso(qsoStatus => 'HRD', callsignWorked => '35AT1', dxLocator => 'JN88')]);
is_deeply $me->get('worked')->json->{divisions}, [1, 13, 26, 161], 'a station that was only heard is not worked';

$service->post_batch([qso(callsignWorked => '201-AT0/P', mode => 'FM', dxLocator => undef)]);
my %special = (band => '11m', mode => 'FM', divisions => [201], confirmedDivisions => [], squares => [],
    confirmedSquares => [], special => ['201AT0/P'], confirmedSpecial => []);
is_deeply [grep { $_->{mode} && $_->{mode} eq 'FM' } @{$me->get('worked')->json->{worked}}], [\%special],
    'a special station is listed by its callsign';

# A repeated request for an unchanged log gets 304. Any change, even of the member's locator, gives a new answer.
for my $path (qw(statistics awards map worked)) {
    my $tag = $me->get($path)->header('ETag');
    my $again = sub { $me->get($path, headers => { 'If-None-Match' => $tag })->status };
    is $again->(), 304, "$path of an unchanged log gives 304";
    $service->admin('member', 'set', '21SD333', '--locator', 'JN58td');
    is $again->(), 200, "$path after a change of the locator gives a different answer";
    $service->admin('member', 'set', '21SD333', '--locator', 'JO59jw');
    is $again->(), 304, "$path after a return to the previous locator gives 304";
    $service->post_batch([qso()]);
    is $again->(), 200, "$path of a changed log gives a different answer";
}
$service->stop;

done_testing;
