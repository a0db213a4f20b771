use QSOsync::Test fronts => 'none';

# qsosync-admin backup and restore work while the service is running.
use POSIX ();
my $service = QSOsync::Service->start;
my $backup = $service->directory . '/backup.db';
my @kept = map { full_qso() } 1 .. 50;
$service->post_batch(\@kept);

# Checks that a command is refused with one line and no output.
sub is_refused {
    my ($name, @arguments) = @_;
    my ($status, $output, $errors) = $service->admin_try(@arguments);
    is $status, 1, "$name is refused";
    like $errors, qr/\Aqsosync-admin: [^\n]+\n\z/, "$name is refused with one line";
    is $output, '', "$name prints nothing to standard output";
}

# Writers continue during the backup. The backup contains every write that was acknowledged before the backup began.
my $writer = fork;
if (!$writer) {
    my $stop;
    srand $$; # otherwise the clientIds would equal those of the parent process
    $SIG{TERM} = sub { $stop = 1 };
    $service->post_batch([map { qso(notes => 'meanwhile') } 1 .. 20]) until $stop;
    POSIX::_exit(0);
}
select undef, undef, undef, 0.3;
my @backups = ($backup, map { $service->directory . "/backup-$_.db" } 2 .. 5);
for my $file (@backups) {
    $service->post_batch([my $last = qso()]);
    is $service->admin('backup', $file), '', 'a backup prints nothing';
    is $service->admin('--db', $file, 'check'), '', 'a backup under load passes the check';
    my $hex = uc $last->{clientId} =~ tr/-//dr;
    is `sqlite3 '$file' "SELECT count(*) FROM qsos WHERE hex(client_id) = '$hex'"`, "1\n",
        'a backup under load contains the write that was acknowledged just before';
    is `sqlite3 '$file' "SELECT count(*) % 20 FROM qsos WHERE notes = 'meanwhile'"`, "0\n",
        'a backup under load contains no partial batch';
}
kill 'TERM', $writer;
waitpid $writer, 0;
is sprintf('%o', (stat $backup)[2] & 07777), '640', 'a backup has mode 640';
ok !-e "$backup-wal", 'a backup is a single file';
my $content = QSOsync::Front::read_file($backup);
is_refused('a backup over a file', 'backup', $backup);
is QSOsync::Front::read_file($backup), $content, 'a refused backup leaves the existing file unchanged';
is_refused('a backup into a missing folder', 'backup', $service->directory . '/none/backup.db');

# A limit on the size of files simulates a full disk.
my $large = $service->directory . '/large.db';
my $command =
    "ulimit -f 8; trap '' XFSZ; '$QSOsync::Front::BUILD/qsosync-admin' --db '@{[$service->db]}' backup '$large' 2> "
    . "/dev/null";
is system('bash', '-c', $command) >> 8, 1, 'a backup without enough space fails';
is join(' ', glob "$large*"), '', 'a backup without enough space leaves no file';

my $copy = $service->directory . '/copy.db';
$service->admin('backup', $copy);
$command =
    "ulimit -f 1; trap '' XFSZ; '$QSOsync::Front::BUILD/qsosync-admin' --db '$copy' member add FULL --locator JO59 2> "
    . "/dev/null";
is system('bash', '-c', $command) >> 8, 1, 'adding a member on a full disk fails';
is +($service->admin_try('--db', $copy, 'check'))[0], 0, 'a command that fails on a full disk keeps the database valid';

my $member = $service->add_member('26AT101');
my $lost = qso();
my $highest = $service->post_batch([$lost])->json->{results}[0]{id};
$service->delete_qso($kept[0]{clientId});
my ($key) = grep { $_->{scope} eq 'READ' }
    @{JSON::PP::decode_json($service->admin('key', 'list', '21SD333', '--json'))};
my $read_key = $service->read_key;
$service->admin('key', 'revoke', '21SD333', $key->{number});
my $write_key = $service->write_key;
sub page { $service->get('/logs', key => $write_key) }
my ($epoch, $time) = (page()->header('X-Log-Epoch'), page()->json->{serverTime});

like $service->admin('restore', $backup), qr/kept as (\S+)/, 'restore prints the path of the kept previous logbook';
my %now = map { $_->{clientId} => $_ } $service->download(key => $write_key);
ok $now{$_->{clientId}}, 'after a restore, the log has a QSO from the backup' for $kept[0], $kept[1];
ok !$now{$lost->{clientId}}, 'after a restore, the log lacks a QSO that was saved after the backup';
isnt page()->header('X-Log-Epoch'), $epoch, 'a restore changes the log epoch';
is $service->get('/me', key => $read_key)->status, 401,
    'after a restore, a key that was revoked since the backup stays revoked';
my $result = $service->post_batch([$lost], key => $write_key)->json->{results}[0];
cmp_ok $result->{id}, '>', $highest, 'after a restore, ids are not reused';
my ($item) = grep { $_->{clientId} eq $lost->{clientId} } $service->download(key => $write_key);
cmp_ok $item->{syncedAt}, 'gt', $time, 'after a restore, a new syncedAt is later than an earlier serverTime';
is $service->admin('check'), '', 'a restored logbook passes the check';
my ($former) = glob $service->db . '.before-restore-*';
is +(($service->admin_try('--db', $former, 'check'))[0]), 0, 'the previous logbook passes the check after a restore';

# Several restores run within one second: each succeeds, or is refused with a reason.
for (1 .. 3) {
    my ($status, undef, $errors) = $service->admin_try('restore', $backup);
    is $errors, '', 'a successful restore writes nothing to standard error' if $status == 0;
    like $errors, qr/\Aqsosync-admin: [^\n]+\n\z/, 'a refused restore gives its reason in one line' if $status != 0;
}
my $before = page()->body =~ s/"serverTime":"[^"]*"//r;
is_refused('a missing backup', 'restore', $service->directory . '/nothing.db');
is page()->body =~ s/"serverTime":"[^"]*"//r, $before, 'a refused restore changes nothing';
is join(' ', glob($service->db . '-restore-*')), '', 'restores leave no temporary files';

done_testing;
