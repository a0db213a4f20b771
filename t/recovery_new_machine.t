use QSOsync::Test fronts => 'nginx';
use QSOsync::Profile;
use File::Copy qw(copy);
use Fcntl qw(F_UNLCK F_WRLCK SEEK_SET);

# After a machine has died, one command restores the newest backup onto a new machine. Members sign in with their
# passwords, keys and upload tokens work, and uploads are on. Decisions that were made on the new machine stay.
my $old = QSOsync::Service->start(site => 1);
my $folder = $old->directory;
my %member = map { $_ => $old->add_member($_) } '26AT101', '26AT102', '26AT103';
my %profile = map { $_ => QSOsync::Profile->log_in($old, $_) } '21SD333', '26AT101', '26AT102';
$old->admin('uploads', 'on');
my $token = $old->admin('upload-token', 'add', '21SD333', '--name', 'my logger');
$old->admin('member', 'disable', '26AT102');
$old->post_batch([map { full_qso() } 1 .. 20]);
my @club = ('--name', 'Club A', '--text', 'Every Tuesday', '--link', 'https://club.example.org', '--contact', '26AT101',
    '--legal', 'A. Member, 1 Street');
$old->admin('club', 'set', @club);
sub club { $_[0]->admin('club', 'show') }
sub identity { $_[0]->sqlite('SELECT hex(identity) FROM logbook') }
my $club = club($old);
my $backup = "$folder/backup.db";
$old->admin('backup', $backup);
my @log = $old->download;

# These functions report the passwords, sessions and uploads on a machine.
sub passwords {
    my ($service) = @_;
    return $service->sqlite("SELECT callsign, password_hash FROM members WHERE password_hash <> '' ORDER BY callsign");
}
sub with_password {
    my ($service, $callsign) = @_;
    return QSOsync::Profile->sign_in($service, $callsign, $profile{$callsign}{password}) ? 'in' : 'out';
}
sub with_cookie {
    my ($service, $callsign) = @_;
    local $profile{$callsign}{service} = $service;
    return $profile{$callsign}->get('me')->status;
}
sub uploads {
    my ($service) = @_;
    $service->request('GET', '', raw_path => "/cloudlog/api/auth/$token")->body =~ /Valid/ ? 'open' : 'closed';
}
# Checks everything that the members of the old machine use.
sub is_as_it_was {
    my ($service, $where) = @_;
    is_deeply [map { $_->{id} } $service->download(key => $old->read_key)], [map { $_->{id} } @log],
        "$where: a key gives access to the whole log";
    is with_password($service, $_), 'in', "$where: $_ signs in with the password" for '21SD333', '26AT101';
    is with_password($service, '26AT102'), 'out', "$where: a disabled member stays disabled";
    is with_cookie($service, '21SD333'), 401, "$where: sessions from the old machine are not valid";
    is uploads($service), 'open', "$where: uploads are on, and the token works";
    is passwords($service), passwords($old), "$where: passwords are unchanged";
    is $service->admin('check'), '', "$where: the logbook passes the check";
}

# After its installation, a new machine has an empty logbook.
my $new = QSOsync::Service->start(site => 1, wants_member => 0);
isnt identity($new), identity($old), 'each logbook has its own identity';
$new->admin('club', 'set', '--address', 'https://new.example.org', '--name', 'New');
my ($status, $report, $errors) = $new->admin_try('restore', $backup);
is_deeply [$status, $errors], [0, ''], 'a backup is restored onto a new machine';
like $report,
    qr/^restored: 4 members \(3 with a password\), 8 active keys, 1 active upload token, 20 QSOs; uploads are on$/m,
    'the report counts the restored rows';
like $report,
    qr/^not part of any backup: \S+-gate, .*the settings of the service, and the web server's site/m,
    'the report names the files that are not in a backup';
is_as_it_was($new, 'a new machine');
is club($new) =~ s{^address .*}{}mr, $club =~ s{^address .*}{}mr,
    "a club text that was set before the machine had members does not replace the backup's text";
like club($new), qr{^address +https://new\.example\.org$}m, 'a club text that the backup lacks stays';
like $report, qr/^name: Club A, from the backup; in the previous logbook: New$/m,
    'the report names a restored club text';
like $report, qr{^address: https://new\.example\.org, kept from the previous logbook; in the backup: -$}m,
    'the report names a club text that stayed';
is identity($new), identity($old), 'a restored logbook has the identity of its backup';
ok !-e $new->db . '-logins', 'a restore creates no file for the web server';

# The new machine has no logbook.
my $none = QSOsync::Service->start(site => 1, wants_member => 0, without_database => 1);
$none->expect_log(qr/./);
$none->admin('restore', $backup);
is_as_it_was($none, 'a machine without a logbook');

# The machine's clock is behind. The logbook in the backup was itself restored at a later time.
my $later_epoch = 5_000_000_000_000;
my $ahead = "$folder/ahead.db";
copy $backup, $ahead or die;
system('sqlite3', $ahead, "UPDATE logbook SET log_epoch = $later_epoch") == 0 or die;
my $behind = QSOsync::Service->start(wants_member => 0, without_database => 1);
$behind->expect_log(qr/./);
$behind->admin('restore', $ahead);
cmp_ok $behind->sqlite('SELECT log_epoch FROM logbook'), '>', $later_epoch,
    "a machine whose clock is behind gets a later log epoch than the backup's, so that clients notice the restore";

# The README's command restores from a folder with older backups.
my $copies = "$folder/copies";
mkdir $copies or die;
QSOsync::Front::write_file("$copies/qsosync-2026-05-16T030000Z.db", 'an older one');
copy $backup, "$copies/qsosync-2026-05-17T030000Z.db" or die;
my ($line) = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/README")
    =~ /^The machine died\n-+\n.*?^    (qsosync-admin restore [^\n]+)\n\n/ms;
my $by_readme = QSOsync::Service->start(site => 1, wants_member => 0);
{
    local @ENV{'PATH', 'QSOSYNC_DB'} = ("$QSOsync::Front::BUILD:$ENV{PATH}", $by_readme->db);
    is system('bash', '-c', "cd '$copies' && $line > report"), 0, "the README's command succeeds";
}
is_as_it_was($by_readme, "a machine restored with the README's command");

# Members of another logbook are other people, even if their numbers are the same.
my $used = QSOsync::Service->start(site => 1);
QSOsync::Profile->log_in($used, '21SD333');
$used->admin('club', 'set', '--name', 'Other club', '--legal', 'its own');
sub content { $_[0]->sqlite('SELECT * FROM members; SELECT * FROM logbook; SELECT * FROM club') }
my $content = content($used);
for my $form ([$backup], [$backup, '--member', '21SD333']) {
    ($status, $report, $errors) = $used->admin_try('restore', @$form);
    is $status, 1, "a backup of another logbook is refused: @$form[1 .. $#$form]";
    my $both = quotemeta
        'is a backup of another logbook ["Club A", 4 members (21SD333, 26AT101, 26AT102, ...), 20 QSOs], '
        . 'and this logbook is ["Other club", 1 member (21SD333), 0 QSOs]; ';
    like $errors, qr/\A[^\n]*nothing was restored, because \S+ $both[^\n]*--other-logbook\n\z/,
        'the refusal names both logbooks and the option in one line';
}
is content($used), $content, 'a refused restore changes nothing';
is join(' ', glob $used->db . '*-restore-*'), '', 'a refused restore keeps no copy';
sub last_backup { JSON::PP::decode_json($used->admin('status', '--json'))->{lastBackup} }
$used->admin('backup', $used->directory . '/other.db');
like last_backup(), qr/other\.db\z/, 'status reports a backup of the other club';
$used->admin('restore', $backup, '--other-logbook');
is last_backup(), undef, "a restore of another logbook removes the record of the other club's backup";
is_as_it_was($used, 'a machine with another club');
is club($used), $club, 'a restore of another logbook replaces all club texts';
is identity($used), identity($old), 'the logbook has the identity of the backup';
$used->admin('backup', $used->directory . '/own.db');
$used->admin('restore', $backup);
like last_backup(), qr/own\.db\z/, 'a restore of the same logbook keeps the record of its last backup';

# Backups of older schemas have no identity. The restore recognises such backups by their members, including deleted
# members.
my $before = "$folder/before.db";
system("cat $QSOsync::Front::SOURCE/schema/migrations/000*.sql $QSOsync::Front::SOURCE/schema/migrations/001[0-4]*.sql"
    . " | sqlite3 $before") == 0 or die;
chomp(my @tables = `sqlite3 $before "SELECT name FROM sqlite_schema WHERE type = 'table'"`);
my $moves = "ATTACH '$backup' AS newer; PRAGMA foreign_keys = OFF; DELETE FROM logbook; DELETE FROM club;";
for my $table (grep { !/\A(?:sqlite_sequence|operator_log)\z/ } @tables) {
    chomp(my @columns = `sqlite3 $before "ATTACH '$backup' AS newer;
        SELECT name FROM pragma_table_info('$table', 'main')
        WHERE name IN (SELECT name FROM pragma_table_xinfo('$table', 'newer'))"`);
    my $columns = join ', ', @columns;
    $moves .= "INSERT INTO main.$table ($columns) SELECT $columns FROM newer.$table;" if @columns;
}
system('sqlite3', $before, "$moves UPDATE main.club SET set_at = (SELECT name_set_at FROM newer.club);
    PRAGMA main.application_id = 1364414291; PRAGMA main.user_version = 14;") == 0 or die;
$by_readme->admin('member', 'delete', '26AT103', '--yes');
my $known = identity($by_readme);
($status, $report, $errors) = $by_readme->admin_try('restore', $before);
is $status, 0, "a club's own backup without an identity is restored";
like $report, qr/\Athe backup: "Club A", 4 members .*\nthe previous logbook: "Club A", 3 members /,
    'the report begins with both logbooks';
is identity($by_readme), $known, 'the logbook keeps its identity';
is +($used->admin_try('restore', $before))[0], 0, 'a logbook that shares a member accepts a backup without an identity';
my $third = QSOsync::Service->start(site => 1);
is +($third->admin_try('restore', $before))[0], 1,
    'a logbook that shares no member refuses a backup without an identity';

# Passwords, club texts and the switch for uploads have been changed since the backup.
$profile{'26AT103'} = QSOsync::Profile->log_in($new, '26AT103');
my $previous = $profile{'26AT101'}{password};
$profile{'26AT101'} = QSOsync::Profile->log_in($new, '26AT101');
$new->admin('member', 'set', '21SD333', '--login', 'robert');
$new->admin('uploads', 'off');
$new->admin('club', 'set', '--contact', '26AT102', '--link', '');
my $later = passwords($new);
$report = $new->admin('restore', $backup);
like $report, qr/^contact: 26AT102, kept from the previous logbook; in the backup: 26AT101$/m,
    'in a logbook with members, a later club text stays';
like $report, qr/^link: -, kept from the previous logbook;/m, 'a later removal of a club text stays';
like $report, qr/^uploads: off, kept from the previous logbook; in the backup: on$/m,
    'a later decision about uploads stays and is reported';
like club($new), qr/^name +Club A\n(?:.*\n)*contact +26AT102$/m, 'each club text is decided separately';
is with_password($new, $_), 'in', "a password of $_ that was set since the backup stays" for '26AT101', '26AT103';
is passwords($new), $later, 'a backup does not revive an older password';
{
    local $profile{'26AT101'}{password} = $previous;
    is with_password($new, '26AT101'), 'out', 'the password in the backup is no longer valid';
}
is uploads($new), 'closed', 'uploads that were switched off since the backup stay off';
my $next = "$folder/next.db";
$new->admin('backup', $next);
$old->admin('restore', $next);
is uploads($old), 'closed', "the backup's decision about uploads applies if the backup is later than the logbook";
is passwords($old), $later, "the backup's passwords apply if the backup is later than the logbook";

# The logbook is lost, and with it the decisions since the backup.
$new->end_worker($_) for $new->worker_pids;
QSOsync::Front::write_file($new->db, 'no logbook' x 1000);
unlink map { $new->db . $_ } '-wal', '-shm';
$new->expect_log(qr/./);
$new->admin('restore', $next);
$new->start_worker;
is passwords($new), $later, 'a restore over a damaged logbook uses the passwords in the backup';

done_testing;
