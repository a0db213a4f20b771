use QSOsync::Test fronts => 'none';
use POSIX ();

# qsosync-admin status and metrics: how the logbook is; lists with the last use.
my $service = QSOsync::Service->start;
my %other = %{$service->add_member('26AT101')};
sub status { JSON::PP::decode_json($service->admin('status', '--json')) }
sub metric { my ($name) = @_; $service->admin('metrics') =~ /^qsosync_$name (\d+)$/m ? $1 : undef }

my $new = status();
is_deeply [@$new{qw(members activeMembers activeKeys qsos spots lastBackupAt lastBackup)}], [2, 2, 4, 0, 0, undef, undef],
    'the status of a new logbook has members and keys, and no backup';
is metric('last_backup_timestamp_seconds'), 0, 'the time of a backup that never was is 0';

my $before = time;
$service->post_batch([map({ qso() } 1 .. 7), qso(sendSpot => JSON::PP::true())]);
$service->admin('key', 'revoke', '26AT101', 3);
$service->admin('member', 'disable', '26AT101');
my $status = status();
is_deeply [@$status{qw(members activeMembers activeKeys qsos spots)}], [2, 1, 3, 8, 1], 'the status counts members, keys, QSOs and spots';
is $status->{version}, $service->admin('--version') =~ s/qsosync-admin //r, 'the status has the version';
is $status->{logbook}, $service->db, 'the status names the logbook';
is $status->{databaseBytes}, -s $service->db, 'the status has the size of the database';
is $status->{walBytes}, -s $service->db . '-wal', 'the status has the size of the write-ahead log';
is $status->{schemaVersion}, $service->sqlite('PRAGMA user_version'), 'the status has the version of the schema';
cmp_ok $status->{lastWriteAt}, 'ge', iso_time($before), 'the status has the time of the last write';
my %today = map { $_->{number} => $_->{lastUsedOn} } @{$status->{keys}};
is_deeply \%today, { 1 => undef, 2 => substr(iso_time(time), 0, 10), 3 => undef, 4 => undef }, 'the status has when each key was last used';

$before = int time;
$service->admin('backup', $service->directory . '/copy.db');
$status = status();
cmp_ok $status->{lastBackupAt}, 'ge', iso_time($before), 'the status has the time of the last backup';
is $status->{lastBackup}, $service->directory . '/copy.db', 'the status says where the last backup is';
mkdir $service->directory . '/backups';
$service->admin('backup', '--to', $service->directory . '/backups');
like status()->{lastBackup}, qr{/backups/qsosync-\S+\.db\z}, 'a backup into a folder counts as the last one';
my ($failed) = $service->admin_try('backup', $service->directory . '/copy.db');
like status()->{lastBackup}, qr{/backups/}, 'a failed backup does not count as the last one';
is sprintf('%o', (stat $service->db . '-last-backup')[2] & 07777), '640', 'the note of the last backup is not for everybody';
{
    open my $file, '>', $service->db . '-last-backup' or die;
    print {$file} 'nonsense';
    close $file;
    is status()->{lastBackupAt}, undef, 'a note of a backup that cannot be read counts as none';
}
$service->admin('backup', $service->directory . '/copy-2.db');

my $text = $service->admin('status');
like $text, qr/^$_->[0] +$_->[1]$/m, "the status for people has the line '$_->[0]'"
    for ['version', qr/\S+/], ['logbook', qr/\Q@{[$service->db]}\E/], ['database', qr/\d+ bytes/], ['write-ahead log', qr/\d+ bytes/],
    ['schema version', qr/\d+/], ['members', 2], ['active members', 1], ['active keys', 3], ['QSOs', 8], ['spots', 1],
    ['last write', qr/\S+Z/], ['last backup', qr/\S+Z/], ['backup file', qr/\S+copy-2\.db/];
like $text, qr/^1 +21SD333 +READ test +READ .*^4 +26AT101 /ms, 'the status for people lists all keys';
unlike $text . $service->admin('status', '--json') . $service->admin('metrics'), qr/\Q@{[substr $service->write_key, 0, 14]}\E/, 'no status shows a key';

# Metrics in Prometheus' text format, version 0.0.4.
my $metrics = $service->admin('metrics') . "\n";
my $name = qr/qsosync_[a-z_]+/;
like $metrics, qr/\A(?:# HELP ($name) \S[^\n]*\.\n# TYPE \1 gauge\n\1(?:\{version="[^"\n]+"\})? \d+\n)+\z/, 'metrics are well-formed, with help and type, and end with a newline';
is metric($_->[0]), $_->[1], "the metric $_->[0] is right" for ['qsos', 8], ['spots', 1], ['members', 2], ['keys_active', 3],
    ['database_bytes', -s $service->db], ['wal_bytes', -s $service->db . '-wal'], ['schema_version', $status->{schemaVersion}];
for (['last_write_timestamp_seconds', 'lastWriteAt'], ['last_backup_timestamp_seconds', 'lastBackupAt']) {
    my ($metric, $fact) = @$_;
    is POSIX::strftime('%Y-%m-%dT%H:%M:%S', gmtime metric($metric)), substr(status()->{$fact}, 0, 19), "the metric $metric is the status's $fact";
}

# Lists.
my ($heading, @lines) = split /\n/, $service->admin('key', 'list');
like $heading, qr/\ANUMBER +MEMBER +NAME +SCOPE +KEY +CREATED +LAST USED +REVOKED\z/, 'key list without a callsign has a column for the member';
is_deeply [map { /^(\d+) +(\S+)/ ? "$1 $2" : () } @lines], ['1 21SD333', '2 21SD333', '3 26AT101', '4 26AT101'], 'key list without a callsign lists all keys';
is_deeply [map { $_->{member} } @{JSON::PP::decode_json($service->admin('key', 'list', '--json'))}], [('21SD333') x 2, ('26AT101') x 2],
    'key list --json without a callsign names the members';
my %last = map { $_->{callsign} => $_->{lastUsedOn} } @{JSON::PP::decode_json($service->admin('member', 'list', '--json'))};
is_deeply \%last, { '21SD333' => substr(iso_time(time), 0, 10), '26AT101' => undef }, 'member list has the day of the last use of any key';
like $service->admin('member', 'list'), qr/ADDED +LAST USED$/m, 'member list has a column for the last use';

done_testing;
