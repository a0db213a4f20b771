use QSOsync::Test fronts => 'none', suite => 'all';

# qsosync-admin restore leaves out members who were deleted since the backup, with all their data. A member who was
# deleted by mistake can be restored by an export from the backup and an import.
my $service = QSOsync::Service->start;
my ($db, $folder) = ($service->db, $service->directory);
my $gone = $service->add_member('26AT101');
my $again = $service->add_member('26AT102');
my ($mine, $theirs) = (qso(callsignWorked => '26AT101', mode => 'USB'), undef);
$theirs = qso(callsignWorked => '21SD333', qsoAt => $mine->{qsoAt}, mode => 'USB', sendSpot => JSON::PP::true());
$service->post_batch([$mine]);
$service->post_batch([$theirs, map { qso(sendSpot => JSON::PP::true()) } 1 .. 30], key => $gone->{write_key});
$service->post_batch([qso()], key => $again->{write_key});
sub item { (grep { $_->{clientId} eq $mine->{clientId} } $service->download)[0] }
sub restore { my ($status, $output, $errors) = $service->admin_try('restore', @_); ($status, $errors) }
sub members { join ' ', $service->admin('member', 'list') =~ /^(\d\S+)/mg }
ok item()->{crossConfirmedAt}, 'the contact of two members is confirmed';
my $backup = "$folder/backup.db";
$service->admin('backup', $backup);

# Both members are deleted, and another person is added with one of their callsigns.
$service->admin('member', 'delete', '26AT101', '--yes');
$service->admin('member', 'delete', '26AT102', '--yes');
$service->admin('member', 'add', '26AT102', '--locator', 'JO59');
for my $round (1, 2) {
    is_deeply [restore($backup)], [0, "qsosync-admin: left out members who were deleted after the backup: 2\n"],
        "restore $round reports the number of omitted members";
    is members(), '21SD333', "deleted members stay deleted after restore $round";
    is $service->get('/me', key => $gone->{read_key})->status, 401,
        "a deleted member's key does not work after restore $round";
    is $service->sqlite('SELECT count(*) FROM qsos'), 1,
        "restore $round omits the QSOs of deleted members";
    is $service->sqlite('SELECT (SELECT count(*) FROM spots)
        + (SELECT count(*) FROM api_keys WHERE member_id <> 1)'),
        0, "restore $round omits spots and keys of deleted members";
    is item()->{crossConfirmedAt}, undef,
        "restore $round ends the confirmation by a deleted member's QSO";
    is $service->admin('check'), '', "the logbook passes the check after restore $round";
}
is $service->post_batch([$mine])->status, 200, 'the restored logbook accepts writes';

# A backup from after the deletions contains no deleted member.
my $later = "$folder/later.db";
$service->admin('backup', $later);
is_deeply [restore($later)], [0, ''], 'the restore of a backup from after the deletion omits no member';
is +(restore($backup))[1], "qsosync-admin: left out members who were deleted after the backup: 2\n",
    'the deletions still apply after the restore of a later backup';

# A member was deleted by mistake.
my $adif = "$folder/26AT101.adi";
$service->admin('--db', $backup, 'export', '26AT101', $adif);
$service->admin('member', 'add', '26AT101', '--locator', 'JO59jw');
$service->admin('import', '26AT101', $adif);
is $service->sqlite('SELECT count(*) FROM qsos'), 32,
    'export from a backup and import restore a member who was deleted by mistake';
$service->post_batch([$mine]);
ok item()->{crossConfirmedAt}, 'imported QSOs confirm other QSOs again';

# In another logbook, the same numbers belong to other members.
my $elsewhere = "$folder/elsewhere.db";
$service->admin('--db', $elsewhere, 'init');
for (1 .. 3) {
    $service->admin('--db', $elsewhere, 'member', 'add', "1XY$_", '--locator', 'JO59');
    $service->admin('--db', $elsewhere, 'member', 'delete', "1XY$_", '--yes');
}
$service->admin('--db', $elsewhere, 'restore', $backup);
is join(' ', $service->admin('--db', $elsewhere, 'member', 'list') =~ /^(\d\S+)/mg), '21SD333 26AT101 26AT102',
    'a restore into another logbook keeps members whose numbers were deleted there';

done_testing;
