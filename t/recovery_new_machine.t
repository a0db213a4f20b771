use QSOsync::Test fronts => 'nginx';
use QSOsync::Profile;
use File::Copy qw(copy);

# The machine died: from the newest backup alone, with one command, a new one is as the old one was. Members log in with
# their passwords, keys and upload tokens work, uploads are on. What was decided later is not taken back.
my $old = QSOsync::Service->start(site => 1);
my $folder = $old->directory;
my %member = map { $_ => $old->add_member($_) } '26AT101', '26AT102', '26AT103';
my %profile = map { $_ => QSOsync::Profile->log_in($old, $_) } '21SD333', '26AT101', '26AT102';
$old->admin('uploads', 'on');
my $token = $old->admin('upload-token', 'add', '21SD333', '--name', 'my logger');
$old->admin('member', 'disable', '26AT102');
$old->post_batch([map { full_qso() } 1 .. 20]);
my $backup = "$folder/backup.db";
$old->admin('backup', $backup);
my @log = $old->download;

sub logins {
    my ($service) = @_;
    my $file = $service->db . '-logins';
    -e $file ? QSOsync::Front::read_file($file) : 'no file';
}
sub with_login {
    my ($service, $callsign) = @_;
    return QSOsync::Profile->sign_in($service, $callsign, $profile{$callsign}{password}) ? 200 : 401;
}
sub uploads {
    my ($service) = @_;
    $service->request('GET', '', raw_path => "/cloudlog/api/auth/$token")->body =~ /Valid/ ? 'open' : 'closed';
}
# Everything that the members of the old machine meet.
sub is_as_it_was {
    my ($service, $where) = @_;
    is_deeply [map { $_->{id} } $service->download(key => $old->read_key)], [map { $_->{id} } @log],
        "$where: keys open the logs";
    is with_login($service, $_), 200, "$where: $_ logs in with the password" for '21SD333', '26AT101';
    is with_login($service, '26AT102'), 401, "$where: a disabled member stays disabled";
    is uploads($service), 'open', "$where: uploads are on, and the token works";
    is logins($service), logins($old), "$where: the password file is as it was";
    is $service->admin('check'), '', "$where: the logbook is whole";
}

# A new machine, as the package leaves it: an empty logbook, which has decided nothing.
my $new = QSOsync::Service->start(site => 1, wants_member => 0);
my ($status, $report, $errors) = $new->admin_try('restore', $backup);
is_deeply [$status, $errors], [0, ''], 'a backup is restored onto a new machine';
like $report,
    qr/^restored: 4 members \(3 with a password\), 8 active keys, 1 active upload token, 20 QSOs; uploads are on$/m,
    'the report counts what is there now';
like $report, qr/^made from it: \S+logbook\.db-logins, .*$/m, 'the report names the password file';
like $report,
    qr/^in no backup, as on this machine: \S+-gate, .*the settings of the service, and the web server's site/m,
    'the report names what lies beside the logbook and is in no backup';
is_as_it_was($new, 'a new machine');
is +(stat $new->db . '-logins')[2] & 07777, 0644, 'the front server can read the password file that was made';

# One without any logbook.
my $none = QSOsync::Service->start(site => 1, wants_member => 0, without_database => 1);
$none->expect_log(qr/./);
$none->admin('restore', $backup);
is_as_it_was($none, 'a machine without a logbook');

# As the README says it, among older backups.
my $copies = "$folder/copies";
mkdir $copies or die;
QSOsync::Front::write_file("$copies/qsosync-2026-05-16T030000Z.db", 'an older one');
copy $backup, "$copies/qsosync-2026-05-17T030000Z.db" or die;
my ($line) = QSOsync::Front::read_file("$QSOsync::Front::SOURCE/README")
    =~ /^The machine died\n-+\n.*?^    (qsosync-admin restore [^\n]+)\n\n/ms;
my $by_readme = QSOsync::Service->start(site => 1, wants_member => 0);
{
    local @ENV{'PATH', 'QSOSYNC_DB'} = ("$QSOsync::Front::BUILD:$ENV{PATH}", $by_readme->db);
    is system('bash', '-c', "cd '$copies' && $line > report"), 0, "the README's line runs";
}
is_as_it_was($by_readme, "a machine that was restored by the README's line");

# Whoever was a member of the new machine before is none of the old one's members: numbers alone do not tell.
my $used = QSOsync::Service->start(site => 1);
$used->admin('member', 'password', '21SD333');
$used->admin('restore', $backup);
is_as_it_was($used, 'a machine with another club');

# Decided since the backup: passwords, no passwords, uploads off.
$profile{'26AT103'} = QSOsync::Profile->log_in($new, '26AT103');
my $former = $profile{'26AT101'}{password};
$profile{'26AT101'} = QSOsync::Profile->log_in($new, '26AT101');
$new->admin('member', 'set', '21SD333', '--login', 'robert');
$new->admin('uploads', 'off');
my $later = logins($new);
$new->admin('restore', $backup);
is with_login($new, $_), 200, "a password of $_ that was made since the backup stays" for '26AT101', '26AT103';
is logins($new), $later, 'no older password comes back with a backup';
{
    local $profile{'26AT101'}{password} = $former;
    is with_login($new, '26AT101'), 401, 'the password in the backup opens nothing';
}
is uploads($new), 'closed', 'uploads that were switched off since the backup stay off';
my $next = "$folder/next.db";
$new->admin('backup', $next);
$old->admin('restore', $next);
is uploads($old), 'closed', 'where the backup is later than the logbook, its decision counts: uploads';
is logins($old), $later, 'where the backup is later than the logbook, its decision counts: passwords';

# The logbook is lost and its password file is not: that one is later than any backup.
$profile{'26AT103'} = QSOsync::Profile->log_in($new, '26AT103');
$later = logins($new);
$new->end_worker($_) for $new->worker_pids;
QSOsync::Front::write_file($new->db, 'no logbook' x 1000);
unlink map { $new->db . $_ } '-wal', '-shm';
$new->expect_log(qr/./);
$new->admin('restore', $next);
$new->start_worker;
is logins($new), $later, 'after a restore in the place of a damaged logbook passwords are those of the password file';

# A logbook of a former version, whose passwords are in the file alone: the first program that opens it takes them over.
my $from_before = QSOsync::Service->start(site => 1, wants_member => 0, without_database => 1);
$from_before->expect_log(qr/./);
$from_before->end_worker($_) for $from_before->worker_pids;
my $file = $from_before->db;
my @migrations = (sort glob "$QSOsync::Front::SOURCE/schema/0*.sql")[0 .. 5];
system("cat @migrations | sqlite3 '$file'") == 0 or die;
system('sqlite3', $file, "PRAGMA application_id = 1364414291; PRAGMA user_version = 6; PRAGMA journal_mode = WAL;
    INSERT INTO members (callsign, locator, login, created_at)
    VALUES ('21SD333', 'JO59', '21sd333', 5),
        ('26AT101', 'JO59', '26at101', 6), ('26AT102', 'JO59', '26at102', 6)") == 0 or die;
my %line = logins($old) =~ /^(\S+?):(.*)$/mg;
($line{'26at101'}) = logins($new) =~ /^26at101:(.*)$/m;
QSOsync::Front::write_file("$file-logins",
    "26at101:$line{'26at101'}\nnobody:x\nno line\n21sd333:\$apr1\$x\$y:a remark\n");
chmod 0644, "$file-logins";
copy $file, "$folder/six.db" or die;
$from_before->admin('member', 'enable', '21SD333');
is $from_before->sqlite('SELECT group_concat(login || password_hash) FROM members WHERE password_hash IS NOT NULL'),
    "21sd333\$apr1\$x\$y,26at101$line{'26at101'}", 'passwords of a former version are taken over into the logbook';
is with_login($from_before, '26AT101'), 200, 'they go on to work';
is logins($from_before), "21sd333:\$apr1\$x\$y\n26at101:$line{'26at101'}\n",
    'the password file holds the members alone';
QSOsync::Front::write_file("$file-logins", logins($from_before) . "26at102:x\n");
$from_before->admin('member', 'enable', '21SD333');
unlike logins($from_before), qr/26at102/, 'a file is taken over once: a later line is no password';
$from_before->admin('restore', "$folder/six.db");
is with_login($from_before, '26AT101'), 200,
    'a backup from before passwords were kept in the logbook leaves them as they are';

done_testing;
