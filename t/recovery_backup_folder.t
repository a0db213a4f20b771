use QSOsync::Test fronts => 'none';
use Fcntl qw(:flock);
use File::Copy qw(copy);

# qsosync-admin backup --to DIR --keep N writes whole copies with the time in their names, and removes the oldest
# copies.
my $service = QSOsync::Service->start;
$service->post_batch([map { full_qso() } 1 .. 20]);
my $folder = $service->directory . '/backups';
mkdir $folder or die;
sub files { map { m{([^/]+)\z} } sort glob "$folder/* $folder/.[!.]*" }
sub back_up { $service->admin_try('backup', '--to', $folder, @_) }
sub is_refused {
    my ($expected, $pattern, @arguments) = @_;
    my ($status, $output, $errors) = $service->admin_try('backup', @arguments);
    is "$status $output", "$expected ", "'backup @arguments' is refused";
    like $errors, qr/\Aqsosync-admin: $pattern[^\n]*\n\z/, "'backup @arguments' prints the reason in one line";
}

# The folder has backups, and files that only look like backups.
my @old = map { "qsosync-2026-01-0${_}T030000Z.db" } 1 .. 5;
my @strange = ('qsosync-2026-01-01T030000Z.db.copy', 'qsosync-2026-1-1.db', 'notes.txt', 'qsosync-2025-01-01.db',
    'xqsosync-2026-01-01T030000Z.db');
for (@old, @strange) { open my $file, '>', "$folder/$_" or die; print {$file} $_ }
my $before = time;
is join('|', back_up('--keep', '3')), '0||', 'a backup without a terminal prints nothing';
my ($new) = grep { my $name = $_; !grep { $_ eq $name } @old, @strange } files();
like $new, qr/\Aqsosync-\d{4}-\d\d-\d\dT\d{6}Z\.db\z/, 'the name of a backup is qsosync, a time, and .db';
my $time = $new =~ /(\d+-\d+-\d+T)(\d\d)(\d\d)(\d\d)Z/ ? "$1$2:$3:$4.000Z" : '';
ok $time ge iso_time($before) && $time le iso_time(time),
    'the time in the name of a backup is its creation time in UTC';
is_deeply [files()], [sort @old[3, 4], $new, @strange], 'the newest three backups and all other files remain';
is +($service->admin_try('check', "$folder/$new"))[0], 0, 'a backup passes the check';
is `sqlite3 '$folder/$new' 'SELECT count(*) FROM qsos'`, "20\n", 'a backup has every QSO';
is sprintf('%o', (stat "$folder/$new")[2] & 07777), '640', 'only the owner and the group can read a backup';

# Without --keep, no backup is removed, but the unfinished files of interrupted runs are.
for ('.unfinished', '.unfinished-journal') {
    open my $file, '>', "$folder/qsosync-2026-02-01T030000Z.db$_" or die;
    print {$file} 'half';
}
sleep 1;
is +(back_up())[0], 0, 'a second backup succeeds';
is scalar(files()), 3 + 1 + @strange, 'a run without --keep removes only the unfinished backup';

# Refused commands change nothing.
my @files = files();
is_refused(2, 'backup takes either FILE or --to DIR', @$_) for [], ['x.db', '--to', $folder];
is_refused(2, 'option --keep needs --to DIR', "$folder/x.db", '--keep', '3');
is_refused(2, 'option --keep must be an integer from 1 to 9999', '--to', $folder, '--keep', $_) for 0, -1, 'x', '';
is_refused(1, "\Q$folder\E/none: No such file or directory", '--to', "$folder/none");
is_refused(1, qr/\Q$folder\E\S+: Not a directory/, '--to', "$folder/notes.txt");
{
    open my $other, '<', $folder or die;
    flock $other, LOCK_EX | LOCK_NB or die "flock: $!";
    is_refused(1, "another backup into \Q$folder\E is running", '--to', $folder);
}
is_deeply [files()], \@files, 'a refused backup leaves the folder unchanged';

# A logbook with a problem does not replace good backups, and a full disk leaves no file.
my $sick = $service->directory . '/sick.db';
copy "$folder/$new", $sick or die;
system('sqlite3', $sick, 'UPDATE qsos SET synced_at = synced_at + 1000000 WHERE id = 2') == 0 or die;
sleep 1;
my ($status, undef, $errors) = $service->admin_try('--db', $sick, 'backup', '--to', $folder, '--keep', '1');
is $status, 1, 'a logbook with a problem is not backed up';
like $errors,
    qr/\A\S+ the logbook has a problem \(QSO 2 [^\n]+\), so no backup was made; run qsosync-admin check\n\z/,
    'a refused backup names the problem in one line';
my $program = "$QSOsync::Front::BUILD/qsosync-admin";
my $said =
    `bash -c "ulimit -f 8; trap '' XFSZ; '$program' --db '@{[$service->db]}' backup --to '$folder' --keep 1" 2>&1`;
is $? >> 8, 1, 'a backup that does not fit fails';
like $said, qr/\Aqsosync-admin: [^\n]+\n\z/, 'a backup that does not fit is reported in one line';
is_deeply [files()], \@files, 'a failed backup leaves the folder unchanged';

# Previous logbooks, which restores have kept, expire after as many days as --keep states.
my ($kept, $day, $now) = ($service->db . '.before-restore-', 86_400, time);
my ($aged, $young) = map { $kept . ($now - $_ * $day) } 31, 29;
my %age = ($aged => 31, "$aged-2" => 31, $young => 29);
QSOsync::Front::write_file($_, '') for (map { ($_, "$_-wal") } keys %age), "${kept}notes", "${kept}1.txt";
sub goes { POSIX::strftime('%Y-%m-%d', gmtime($now + $_[0] * $day)) }
sub kept { [sort grep { defined $age{$_} } glob "$kept*"] }
like $service->admin('status'), qr/^kept +\Q$young\E, from \S+, deleted once backups run with --keep$/m,
    'status states that only a backup with --keep removes a kept logbook';
$service->admin('backup', '--to', $folder);
is_deeply kept(), [sort keys %age], 'a backup without --keep keeps all previous logbooks';
sleep 1;
$service->admin('backup', '--to', $folder, '--keep', '30');
is_deeply kept(), [$young], 'a backup with --keep 30 removes previous logbooks older than 30 days';
is_deeply [sort map { s/.*before-restore-//r } glob "$kept*"],
    [sort map { s/.*before-restore-//r } $young, "$young-wal", "${kept}notes", "${kept}1.txt"],
    "removing a previous logbook also removes its -wal file, and no other file";
my ($told) = grep { $_->{path} eq $young } @{JSON::PP::decode_json($service->admin('status', '--json'))->{kept}};
like $told->{goesAfter}, qr/\A@{[goes(1)]}T/, 'status --json reports when a kept logbook expires';
like $service->admin('status'), qr/^kept +\Q$young\E, from @{[goes(-29)]}, deleted after @{[goes(1)]}$/m,
    'status reports when a kept logbook expires';

# The shipped unit and cron lines make and thin backups, and remove old files of put-site.
for my $name ('qsosync-backup.service', 'qsosync-backup.cron') {
    like QSOsync::Front::read_file("$QSOsync::Front::SOURCE/src/service/$name"),
        qr{qsosync-admin clock check 2>/dev/null(?:; then \\\n +| && )find /var/backups [^\n]* -ctime \+30 -exec rm -r},
        "$name removes old files of put-site, but only if the clock agrees with the logbook";
    my $text = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/src/service/$name");
    like $text, qr{/usr/local/bin/qsosync-admin backup --to /var/backups/qsosync --thin$}m,
        "$name makes a backup and thins the folder";
}
for (grep { !/^(?:#|\w+=\S+$)/ } split /\n/,
    QSOsync::Front::read_file("$QSOsync::Front::SOURCE/src/service/qsosync-backup.cron")) {
    like $_, qr{^(?:(?:\*|\d+)(?:/\d+)? ){5}(?:qsosync|root) (?:/|find )},
        'a cron line has times, a user and a command';
}

done_testing;
