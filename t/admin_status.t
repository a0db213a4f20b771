use QSOsync::Test fronts => 'none';
use QSOsync::Worker;
use POSIX ();

# qsosync-admin status and metrics report the state of the logbook, and lists show when keys were last used.
my $service = QSOsync::Service->start;
my %other = %{$service->add_member('26AT101')};
sub status { JSON::PP::decode_json($service->admin('status', '--json')) }
sub metric { my ($name) = @_; $service->admin('metrics') =~ /^qsosync_$name (\d+)$/m ? $1 : undef }

my $new = status();
is_deeply [@$new{qw(members activeMembers activeKeys qsos spots lastBackupAt lastBackup)}],
    [2, 2, 4, 0, 0, undef, undef],
    'the status of a new logbook counts members and keys, and has no backup';
is $new->{formerStates}, 0, 'the status of a new logbook has no previous states';
is_deeply [@$new{qw(membersOutside operators sessions)}], [0, 0, 0], 'a new logbook has no operators and no sessions';
$service->admin('station', 'add', '13HN0', '--locator', 'JO59');
is_deeply [@{status()}{qw(members activeMembers membersOutside stations)}], [2, 2, 0, 1],
    'a station is not counted as a member';
$service->admin('member', 'add', $_, '--locator', 'JO59') for qw(35AT1 35AT2 35AT3 35AT4);
$service->admin('member', 'set', $_, '--operator', 'on') for '35AT1', '35AT2', '21SD333';
$service->admin('member', 'disable', '35AT2');
my $today = int(time / 86400);
$service->sqlite("UPDATE members SET password_hash = 'x' WHERE callsign = '35AT3';
    INSERT INTO sessions (member_id, fingerprint, device, created_at, last_used_day, proved_at, may_set_password)
    SELECT id, randomblob(32), 'Firefox', 1, $today, 0, 0 FROM members WHERE callsign = '35AT4'");
is_deeply [@{status()}{qw(membersOutside operators sessions)}], [1, 2, 1],
    'the status counts active operators, sessions, and members without access';
is metric('sessions'), 1, 'a metric counts sessions';
for (qw(13HN0 35AT1 35AT2 35AT3 35AT4)) { $service->admin('member', 'delete', $_, '--yes') }
is metric('last_backup_timestamp_seconds'), 0, "without a backup, the metric for the time of the last backup is 0";

sub today { substr iso_time(time), 0, 10 }
my $first_day = today();
my $before = time;
$service->post_batch([map({ qso() } 1 .. 7), qso(sendSpot => JSON::PP::true())]);
until_true(sub { grep { $_->{lastUsedOn} } @{status()->{keys}} });
$service->admin('key', 'revoke', '26AT101', 3);
$service->admin('member', 'disable', '26AT101');
my $status = status();
is_deeply [@$status{qw(members activeMembers activeKeys qsos spots)}], [2, 1, 3, 8, 1],
    'the status counts members, keys, QSOs and spots';
is $status->{version}, $service->admin('--version') =~ s/qsosync-admin //r, 'the status has the version';
is $status->{logbook}, $service->db, 'the status names the logbook';
is $status->{databaseBytes}, -s $service->db, 'the status has the size of the database';
is $status->{walBytes}, -s $service->db . '-wal', 'the status has the size of the write-ahead log';
is $status->{schemaVersion}, $service->sqlite('PRAGMA user_version'), 'the status has the version of the schema';
cmp_ok $status->{lastWriteAt}, 'ge', iso_time($before), 'the status has the time of the last write';
# The day may have changed since the first request.
sub is_used_only {
    my ($used, $name, %day_of) = @_;
    my $day = delete $day_of{$used} // 'none';
    is join(' ', grep { defined $day_of{$_} } sort keys %day_of), '', "$name, and no other day";
    ok $day eq $first_day || $day eq today(), "$name" or diag $day;
}
is_used_only(2, 'the status has the day of the last use of a key', map { $_->{number} => $_->{lastUsedOn} }
    @{$status->{keys}});

$before = int time;
$service->admin('backup', $service->directory . '/copy.db');
$status = status();
cmp_ok $status->{lastBackupAt}, 'ge', iso_time($before), 'the status has the time of the last backup';
is $status->{lastBackup}, $service->directory . '/copy.db', 'the status names the file of the last backup';
mkdir $service->directory . '/backups';
$service->admin('backup', '--to', $service->directory . '/backups');
like status()->{lastBackup}, qr{/backups/qsosync-\S+\.db\z}, 'backup --to counts as the last backup';
my ($failed) = $service->admin_try('backup', $service->directory . '/copy.db');
like status()->{lastBackup}, qr{/backups/}, 'a failed backup does not count as the last backup';
is sprintf('%o', (stat $service->db . '-last-backup')[2] & 07777), '640',
    'the record of the last backup has mode 640';
{
    open my $file, '>', $service->db . '-last-backup' or die;
    print {$file} 'nonsense';
    close $file;
    is status()->{lastBackupAt}, undef, 'an unreadable record of the last backup is ignored';
}
$service->admin('backup', $service->directory . '/copy-2.db');

my $again = qso(notes => 'first');
$service->post_batch([{ %$again, notes => $_ }]) for qw(first second);
is status()->{formerStates}, 1, 'the status counts the previous state of a changed QSO';
is metric('former_states'), 1, 'a metric counts previous states';
$service->delete_qso($again->{clientId});
is status()->{formerStates}, 2, 'the status counts the previous state of a deleted QSO';

my $text = $service->admin('status');
like $text, qr/^$_->[0] +$_->[1]$/m, "the printed status has the line '$_->[0]'"
    for ['version', qr/\S+/], ['logbook', qr/\Q@{[$service->db]}\E/], ['database', qr/\d+ bytes/],
    ['write-ahead log', qr/\d+ bytes/],
    ['schema version', qr/\d+/], ['members', 2], ['active members', 1], ['active keys', 3], ['QSOs', 8], ['spots', 1],
    ['last write', qr/\S+Z/], ['last backup', qr/\S+Z/], ['backup file', qr/\S+copy-2\.db/];
like $text, qr/^spots +1\nearlier versions +2\ntombstones +1$/m,
    'previous states are printed between spots and tombstones';
like $text, qr/^1 +21SD333 +READ test +READ .*^4 +26AT101 /ms, 'the printed status lists all keys';
unlike $text . $service->admin('status', '--json') . $service->admin('metrics'),
    qr/\Q@{[substr $service->write_key, 0, 14]}\E/, 'neither the status nor the metrics contain a key';

# metrics prints Prometheus' text format, version 0.0.4. Each family is contiguous, with one HELP and one TYPE before
# its samples. No combination of name and labels appears twice.
my $metrics = $service->admin('metrics') . "\n";
sub parse_metrics {
    my ($text) = @_;
    my (%seen, %family, %value, @wrong);
    my $present = '';
    push @wrong, 'the metrics do not end with one newline' if $text !~ /[^\n]\n\z/;
    for (split /\n/, $text) {
        if (/\A# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (?:[^\\]|\\\\|\\n)+\z/) {
            $present = $1;
            push @wrong, "$present occurs twice" if $family{$present}++;
        } elsif (my ($typed, $type) = /\A# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge)\z/) {
            push @wrong, "the TYPE of $typed has no HELP before it" if $present ne $typed;
            push @wrong, "$typed is not a valid name for a $type" if ($type eq 'counter') ne ($typed =~ /_total\z/);
            $seen{$typed} = $type;
        } elsif (my ($name, $labels, $value)
            = /\A([a-zA-Z_:][a-zA-Z0-9_:]*)(|\{[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\]|\\[\\n"])*"\}) (-?[0-9]+)\z/) {
            push @wrong, "$name is outside its family" if $present ne $name || !$seen{$name};
            push @wrong, "$name$labels occurs twice" if exists $value{$name . $labels};
            $value{$name . $labels} = $value;
        } else {
            push @wrong, "a line has an unknown format: $_";
        }
    }
    return (\@wrong, \%value);
}
is_deeply +(parse_metrics($metrics))[0], [], 'the metrics are well-formed';
SKIP: {
    skip 'promtool is not installed', 1 if system('promtool --version > /dev/null 2>&1') != 0;
    open my $promtool, '|-', 'promtool check metrics > /dev/null' or die $!;
    print {$promtool} $metrics;
    ok close $promtool, 'promtool accepts the metrics';
}
is metric($_->[0]), $_->[1], "the metric $_->[0] has the expected value" for ['qsos', 8], ['spots', 1], ['members', 2],
    ['keys_active', 3],
    ['database_bytes', -s $service->db], ['wal_bytes', -s $service->db . '-wal'],
    ['schema_version', $status->{schemaVersion}];
for (['last_write_timestamp_seconds', 'lastWriteAt'], ['last_backup_timestamp_seconds', 'lastBackupAt']) {
    my ($metric, $fact) = @$_;
    is POSIX::strftime('%Y-%m-%dT%H:%M:%S', gmtime metric($metric)), substr(status()->{$fact}, 0, 19),
        "the metric $metric equals $fact in the status";
}

# Entries that a worker or a plain CGI program rejects are counted by code.
sub refused {
    my %value = %{(parse_metrics($service->admin('metrics') . "\n"))[1]};
    return { map { /\Aqsosync_refused_entries_total\{code="(.+)"\}\z/ ? ($1 => $value{$_}) : () } keys %value }
}
my $none = refused();
is_deeply [sort keys %$none], [sort qw(CLIENT_ID_INVALID DATETIME_INVALID LOCATOR_INVALID
    FREQUENCY_FORMAT_INVALID FREQUENCY_OUT_OF_BAND_11M CHANNEL_OUT_OF_RANGE CTCSS_FORMAT_INVALID DCS_FORMAT_INVALID
    CLIENT_ID_CONFLICT CONFLICT GENERIC.INTERNAL_ERROR NO_MATCH OTHER)], 'each code of a rejected entry has a counter';
is_deeply [grep { $_ } values %$none], [], 'the counters of rejected entries start at 0';
ok !-e $service->db . '-rejections', 'no file of counters exists before an entry is rejected';
my @wrong = (qso(clientId => 'x'), qso(qsoAt => 'yesterday'), qso(qsoAt => 'today'), qso(frequencyMhz => '7.000'),
    qso(notes => 7), qso());
delete $wrong[-1]{band};
my @clients = map {
    my $client = fork;
    if (!$client) {
        srand;
        $service->post_batch([@wrong, qso()]) for 1 .. 25;
        POSIX::_exit(0);
    }
    $client;
} 1 .. 4;
waitpid $_, 0 for @clients;
my %expected = (%$none, CLIENT_ID_INVALID => 100, DATETIME_INVALID => 200, FREQUENCY_OUT_OF_BAND_11M => 100,
    OTHER => 200);
is_deeply refused(), \%expected, 'two workers count concurrent rejections without loss';
my $plain = QSOsync::Cgi::answer($service->directory,
    { QSOSYNC_DB => $service->db, REQUEST_METHOD => 'POST', REQUEST_URI => '/api/v1/logs/batch',
    PATH_INFO => '/api/v1/logs/batch',
        CONTENT_TYPE => 'application/json', HTTP_AUTHORIZATION => 'Bearer ' . $service->write_key },
        body => JSON::PP::encode_json({ entries => [$wrong[0]] }));
is $plain->status, 200, 'a plain CGI program answers a batch';
$expected{CLIENT_ID_INVALID}++;
is_deeply refused(), \%expected, 'a plain CGI program counts rejected entries';
$service->restart_workers;
is_deeply refused(), \%expected, 'a restart keeps the counts of rejected entries';
is $service->post_batch([map { $_->{clientId} = 1; $_ } qso()], key => $service->read_key)->status, 403,
    'a batch with a READ key is refused';
is_deeply refused(), \%expected, 'entries in a refused request are not counted';
is sprintf('%o', (stat $service->db . '-rejections')[2] & 07777), sprintf('%o', (stat $service->db)[2] & 07777),
    'the file of counters has the mode of the logbook';
is metric('qsos'), 108, 'accepted entries in batches with rejected entries are saved';

# Lists show when keys were last used.
my ($heading, @lines) = split /\n/, $service->admin('key', 'list');
like $heading, qr/\ANUMBER +MEMBER +NAME +SCOPE +KEY +CREATED +LAST USED +REVOKED\z/,
    'key list without a callsign has a column for the member';
is_deeply [map { /^(\d+) +(\S+)/ ? "$1 $2" : () } @lines], ['1 21SD333', '2 21SD333', '3 26AT101', '4 26AT101'],
    'key list without a callsign lists all keys';
is_deeply [map { $_->{member} } @{JSON::PP::decode_json($service->admin('key', 'list', '--json'))}],
    [('21SD333') x 2, ('26AT101') x 2],
    'key list --json without a callsign names the members';
is_used_only('21SD333', 'member list has the day of the last use of a member\'s keys',
    map { $_->{callsign} => $_->{lastUsedOn} } @{JSON::PP::decode_json($service->admin('member', 'list', '--json'))});
like $service->admin('member', 'list'), qr/ADDED +LAST USED$/m, 'member list has a column for the last use';

done_testing;
