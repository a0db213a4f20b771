use QSOsync::Test fronts => 'none';

# After a new backup, the operator's programs run in order, each with the path of the backup. A failing program is
# reported, and the other programs still run.
my $service = QSOsync::Service->start;
my ($folder, $hooks) = map { $service->directory . "/$_" } qw(handed backup.d);
mkdir $_ or die for $folder, $hooks;
local $ENV{QSOSYNC_BACKUP_HOOKS} = $hooks;
my $said = "$hooks/said.txt";
my $hook = sub {
    my ($name, $line, $mode) = @_;
    QSOsync::Front::write_file("$hooks/$name", "#!/bin/sh\necho $name \"\$1\" >>$said\n$line\n");
    chmod $mode // 0755, "$hooks/$name";
};
my $make = sub {
    unlink $said;
    sleep 1;
    $service->post_batch([qso()]) if $_[0];
    my ($status, $output, $errors) = $service->admin_try('backup', '--to', $folder, '--thin');
    my ($newest) = reverse sort glob "$folder/*.db";
    my $took = -e $said ? QSOsync::Front::read_file($said) =~ s/\Q$newest\E/NEWEST/gr : '';
    return [$status, $took, $errors =~ s/\Q$newest\E/NEWEST/r];
};
my $status = sub { JSON::PP::decode_json($service->admin('status', '--json')) };
$hook->('20-second', 'exit 0');
$hook->('10-first', 'exit 0');
$hook->('30-no-program', 'exit 1', 0644);
$hook->('40-old.dpkg-old', 'exit 1');
is_deeply $make->(1), [0, "10-first NEWEST\n20-second NEWEST\n", ''],
    'each program gets the path of the new backup, in order';
is $status->()->{lastBackupHandedOnAt}, $status->()->{lastBackupAt},
    'status reports the time at which the backup was copied elsewhere';
is_deeply $make->(0), [0, '', ''], 'no program gets a backup that equals the last backup';
my $taken = $status->()->{lastBackupHandedOnAt};
$hook->('10-first', 'exit 7');
is_deeply $make->(1), [1, "10-first NEWEST\n20-second NEWEST\n",
    "qsosync-admin: the backup NEWEST is complete, but was not copied elsewhere: 10-first: exit 7\n"],
    'a failing program is named, and the next program still runs';
is_deeply [@{$status->()}{qw(lastBackupFailure lastBackupHandedOnAt)}], ['10-first: exit 7', $taken],
    'status names the failing program, and the time of the last backup that was copied elsewhere';
my ($newest) = reverse sort glob "$folder/*.db";
is $service->admin('check', $newest), '', 'a backup whose program failed passes the check';
$hook->('10-first', 'kill -9 $$');
like $make->(1)->[2], qr/ is complete, but was not copied elsewhere: 10-first: killed by signal 9\n\z/,
    'a killed program is reported like a failing program';
$hook->('10-first', 'exit 0');
is_deeply $make->(0), [0, "10-first NEWEST\n20-second NEWEST\n", ''],
    'the next run gives the last backup to all programs, even if nothing has changed';
is $status->()->{lastBackupFailure}, undef, 'status reports no failure after a successful run';

done_testing;
