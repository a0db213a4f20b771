use QSOsync::Test fronts => 'main';
use QSOsync::Profile;

# Which divisions, squares and special stations a member has worked, for pages that mark what is new.
my $service = QSOsync::Service->start(site => 1);
my $them = $service->add_member('26AT101', locator => 'IO91wm');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $other = QSOsync::Profile->log_in($service, '26AT101');
is_deeply $me->get('worked')->json, { locator => 'JO59jw', divisions => [], worked => [] },
    'an empty log has worked no division';
my $gone = full_qso(callsignWorked => '3AT555');
my @worked = ('26AT101', '26-AT-7', '13 hn 12', '1AT044/P', '161SD1', '999XX1', 'AT1', '26', '0AB1');
$service->post_batch([$gone, map { full_qso(callsignWorked => $_) } @worked]);
is_deeply $me->get('worked')->json->{divisions}, [1, 3, 13, 26, 161],
    'a division is named once, and what is none is left out';
$service->delete_qso($gone->{clientId});
is_deeply $me->get('worked')->json->{divisions}, [1, 13, 26, 161], 'a deleted QSO has worked none';
is_deeply $other->get('worked')->json, { locator => 'IO91wm', divisions => [], worked => [] },
    "another member's log is another";
is $service->request('GET', '', raw_path => '/profile/data/worked')->status, 401, 'nobody else is answered';

# What another program writes, and what another member confirms, changes what is new.
my %row = (band => '11m', mode => 'USB', divisions => [1, 13, 26, 161], confirmedDivisions => [], squares => ['IO91'],
    confirmedSquares => [], special => [], confirmedSpecial => []);
is_deeply $me->get('worked')->json->{worked}, [\%row], 'each band and mode has its row';
sub revision { return $me->get('revision')->json->{revision} }
my @revisions = (revision());
my %contact = (qsoAt => '2026-08-01T10:00:00Z', mode => undef, band => 'PMR446', channel => 3);
$service->post_batch([qso(%contact, callsignWorked => '26AT101', dxLocator => 'JN58td')]);
my %pmr = (%row, band => 'pmr446', mode => undef, divisions => [26], squares => ['JN58']);
is_deeply $me->get('worked')->json->{worked}, [\%row, \%pmr], 'a QSO of another program is there at once';
push @revisions, revision();
$service->post_batch([qso(%contact, callsignWorked => '21SD333')], key => $them->{write_key});
is_deeply $me->get('worked')->json->{worked}, [\%row, { %pmr, confirmedDivisions => [26],
    confirmedSquares => ['JN58'] }], 'so is what another member confirms';
push @revisions, revision();
is scalar keys %{{ map { $_ => 1 } @revisions }}, 3, 'each time a page that asks for the revision learns of it';
$service->post_batch([qso(qsoStatus => 'HRD', callsignWorked => '35AT1', dxLocator => 'JN88')]);
is_deeply $me->get('worked')->json->{divisions}, [1, 13, 26, 161], 'what was only heard is not worked';

$service->post_batch([qso(callsignWorked => '201-AT0/P', mode => 'FM', dxLocator => undef)]);
my %special = (band => '11m', mode => 'FM', divisions => [201], confirmedDivisions => [], squares => [],
    confirmedSquares => [], special => ['201AT0/P'], confirmedSpecial => []);
is_deeply [grep { $_->{mode} && $_->{mode} eq 'FM' } @{$me->get('worked')->json->{worked}}], [\%special],
    'a special station is told by its callsign';

# Who looks again without a change is sent nothing; any change, of the own station too, brings the whole answer.
for my $path (qw(statistics awards map worked)) {
    my $tag = $me->get($path)->header('ETag');
    my $again = sub { $me->get($path, headers => { 'If-None-Match' => $tag })->status };
    is $again->(), 304, "$path of an unchanged log is not sent again";
    $service->admin('member', 'set', '21SD333', '--locator', 'JN58td');
    is $again->(), 200, "$path from another place is another answer";
    $service->admin('member', 'set', '21SD333', '--locator', 'JO59jw');
    is $again->(), 304, "$path from the former place is the former answer";
    $service->post_batch([qso()]);
    is $again->(), 200, "$path of a changed log is sent";
}

done_testing;
