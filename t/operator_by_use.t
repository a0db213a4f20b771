use QSOsync::Test fronts => 'nginx';
use QSOsync::Profile;

# The list of members can be sorted by last use, newest first, page by page. The sorted list has each member's number of
# QSOs per week for 26 weeks, and the number of active members. Stations are not counted as members.
my $service = QSOsync::Service->start(site => 2);
my $operator = QSOsync::Operator->with_role($service, '21SD333');
$service->add_member($_) for '26AT101', '26AT102', '26AT103', '26AT104';
$service->admin('station', 'add', '13HN0/DX', '--locator', 'JO43wd');
my $today = int(time / 86_400);
sub last_use {
    my ($callsign, $day) = @_;
    $service->sqlite("UPDATE api_keys SET last_used_day = $day WHERE member_id = "
        . "(SELECT id FROM members WHERE callsign = '$callsign')");
}
last_use('26AT101', 'NULL');
last_use('26AT102', $today - 3);
last_use('26AT103', $today - 100);
last_use('26AT104', $today - 3);

sub by_use { $operator->get("members?order=use$_[0]")->json }
my $whole = by_use('');
my @order = ('21SD333', '26AT102', '26AT104', '26AT103', '13HN0/DX', '26AT101');
is_deeply [map { $_->{callsign} } @{$whole->{items}}], \@order,
    'members are sorted by their last use, and then by callsign';
is_deeply [@$whole{qw(members active)}], [5, 3], 'stations are not members, and three members were active';
my (@pages, $last);
for (1 .. 4) {
    my $page = by_use('&limit=2' . ($last ? "&after=$last->{callsign}&afterNumber=$last->{number}&afterDay="
        . ($last->{lastUsedOn} // 'never') : ''));
    push @pages, map { $_->{callsign} } @{$page->{items}};
    $last = $page->{items}[-1];
    last if !$page->{more};
}
is_deeply \@pages, \@order, 'pages of two members give the same list';
is_deeply [map { $_->{callsign} } @{by_use('&group=operators')->{items}}], ['21SD333'],
    'the list of one group can be sorted by last use';
is $operator->get("members?$_")->status, 400, "the order $_ is refused" for 'order=age', 'order=use&afterDay=x';

is_deeply [$whole->{items}[0]{weeks}], [join ' ', (0) x 26], 'a member without QSOs has empty weeks';
is $operator->get('members')->json->{items}[0]{weeks}, undef, 'the list by callsign counts no weeks';
$service->post_batch([map { full_qso(qsoAt => iso_time(time - $_ * 86_400)) } 0, 1, 8, 181, 200]);
my @weeks = split / /, by_use('&limit=1')->{items}[0]{weeks};
is scalar @weeks, 26, 'half a year has 26 weeks';
is_deeply [@weeks[-1, -2, 0]], [2, 1, 1], 'each QSO is counted in its week, and older QSOs are omitted';

my ($row) = grep { $_->{callsign} eq '26AT101' } @{$whole->{items}};
is_deeply [@$row{qw(invitedUntil invitationExpiredAt)}], [undef, undef], 'a member can have no invitation';
$operator->act('26AT101', 'invite');
ok $operator->member('26AT101')->{invitedUntil}, 'an open invitation has its last day';
$service->sqlite('UPDATE sign_in_links SET expires_at = expires_at - 864000000');
$row = $operator->member('26AT101');
is $row->{invitedUntil}, undef, 'an expired invitation is not open';
ok $row->{invitationExpiredAt}, 'an expired invitation is reported';

done_testing;
