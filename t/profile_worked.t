use QSOsync::Test fronts => 'main';
use QSOsync::Profile;

# Which divisions a member has worked, for pages that mark what is new.
my $service = QSOsync::Service->start(site => 1);
$service->add_member('26AT101', locator => 'IO91wm');
my $me = QSOsync::Profile->log_in($service, '21SD333');
my $other = QSOsync::Profile->log_in($service, '26AT101');
is_deeply $me->get('worked')->json, { locator => 'JO59jw', divisions => [] }, 'an empty log has worked no division';
my $gone = full_qso(callsignWorked => '3AT555');
my @worked = ('26AT101', '26-AT-7', '13 hn 12', '1AT044/P', '161SD1', '999XX1', 'AT1', '26', '0AB1');
$service->post_batch([$gone, map { full_qso(callsignWorked => $_) } @worked]);
is_deeply $me->get('worked')->json->{divisions}, [1, 3, 13, 26, 161],
    'a division is named once, and what is none is left out';
$service->delete_qso($gone->{clientId});
is_deeply $me->get('worked')->json->{divisions}, [1, 13, 26, 161], 'a deleted QSO has worked none';
is_deeply $other->get('worked')->json, { locator => 'IO91wm', divisions => [] }, "another member's log is another";
is $service->request('GET', '', raw_path => '/profile/data/worked')->status, 401, 'nobody else is answered';

done_testing;
