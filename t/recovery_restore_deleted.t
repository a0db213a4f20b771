use QSOsync::Test fronts => 'none';

# qsosync-admin restore leaves out the members that were deleted since the backup, with all that was theirs, and a
# member who was deleted by mistake comes back out of the backup by export and import.
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

# Deleted, and another one of that callsign added since, who is somebody else.
$service->admin('member', 'delete', '26AT101', '--yes');
$service->admin('member', 'delete', '26AT102', '--yes');
$service->admin('member', 'add', '26AT102', '--locator', 'JO59');
for my $round (1, 2) {
    is_deeply [restore($backup)], [0, "qsosync-admin: left out members who were deleted since the backup: 2\n"],
        "restore $round says how many it left out";
    is members(), '21SD333', "deleted members stay deleted after restore $round";
    is $service->get('/me', key => $gone->{read_key})->status, 401,
        "a deleted member's key does not work after restore $round";
    is $service->sqlite('SELECT count(*) FROM qsos'), 1, "the QSOs of deleted members are left out by restore $round";
    is $service->sqlite('SELECT (SELECT count(*) FROM spots) + (SELECT count(*) FROM api_keys WHERE member_id <> 1)'),
        0, "spots and keys of deleted members are left out by restore $round";
    is item()->{crossConfirmedAt}, undef, "the confirmation by a deleted member's QSO has ended after restore $round";
    is $service->admin('check'), '', "the logbook is whole after restore $round";
}
is $service->post_batch([$mine])->status, 200, 'the logbook can be written to';

# The deletion is known to later backups as well, and to none from before.
my $later = "$folder/later.db";
$service->admin('backup', $later);
is_deeply [restore($later)], [0, ''], 'a backup from after the deletion has nobody to leave out';
is +(restore($backup))[1], "qsosync-admin: left out members who were deleted since the backup: 2\n",
    'a deletion is remembered over two restores';

# By mistake.
my $adif = "$folder/26AT101.adi";
$service->admin('--db', $backup, 'export', '26AT101', $adif);
$service->admin('member', 'add', '26AT101', '--locator', 'JO59jw');
$service->admin('import', '26AT101', $adif);
is $service->sqlite('SELECT count(*) FROM qsos'), 32,
    'a member who was deleted by mistake comes back by export from the backup and import';
$service->post_batch([$mine]);
ok item()->{crossConfirmedAt}, 'QSOs that came back confirm others again';

# Elsewhere nobody was deleted: numbers alone do not tell.
my $elsewhere = "$folder/elsewhere.db";
$service->admin('--db', $elsewhere, 'init');
for (1 .. 3) {
    $service->admin('--db', $elsewhere, 'member', 'add', "1XY$_", '--locator', 'JO59');
    $service->admin('--db', $elsewhere, 'member', 'delete', "1XY$_", '--yes');
}
$service->admin('--db', $elsewhere, 'restore', $backup);
is join(' ', $service->admin('--db', $elsewhere, 'member', 'list') =~ /^(\d\S+)/mg), '21SD333 26AT101 26AT102',
    'members of another logbook with the numbers of deleted ones are restored';

done_testing;
