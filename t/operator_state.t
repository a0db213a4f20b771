use QSOsync::Test fronts => 'nginx';
use QSOsync::Doctor;
use QSOsync::Profile;

# The operator's page reports the logbook's state in the same words as status and the doctor. The worker reads the state
# within its sandbox, and does not lose its locks.
my $service = QSOsync::Service->start(site => 1);
my $operator = QSOsync::Operator->with_role($service, '21SD333');
$service->post_batch([map { qso() } 1 .. 3]);
$service->post_batch([qso(frequencyMhz => 'x'), qso(frequencyMhz => '1.000')]);

sub health { my $answer = $operator->get('health'); $answer->status == 200 ? $answer->json : die $answer->body }
# Returns the checks in a report. The amount of free space is removed, because other programs also use the disk.
sub findings {
    my ($report) = @_;
    return map { $_->{check} => "$_->{level} $_->{message}" =~ s/\d+ MB free/MB free/r }
        @{$report->{checks}};
}

my $health = health();
my %fact = map { $_->{label} => $_->{value} } @{$health->{facts}};
my %said = $service->admin('status') =~ /^(\S.{15}) (.*)$/mg;
$said{s/\s+\z//r} = delete $said{$_} for keys %said;
my @changing = ('write-ahead log', 'last write'); # the use of the test's session is also written
delete @$_{@changing} for \%fact, \%said;
is_deeply \%fact, { map { $_ => $said{$_} } keys %fact }, 'the page and status report the same facts';
is $fact{QSOs}, 3, 'the facts contain the number of QSOs';

my (undef, $report) = QSOsync::Doctor::run(undef, '--db', $service->db, 'doctor');
my %doctor = findings($report);
my %page = findings($health->{doctor});
is_deeply [sort keys %page],
    [sort qw(database space schema log content backup storage), 'file system', 'own address'],
    'the page has all checks that a worker can perform';
is $page{$_}, $doctor{$_},
    "the page and the doctor report the same result for $_" for grep { $_ ne 'log' } sort keys %page;
my ($backup) = grep { $_->{check} eq 'backup' } @{$health->{doctor}{checks}};
is $backup->{message}, 'no backup was ever made', 'a missing backup is reported';
like $backup->{fix}, qr/qsosync-admin --db \S+ backup --to \S+|systemctl enable/,
    'a missing backup is reported with a fix';
$service->admin('backup', $service->directory . '/data/backup.db');
%page = findings(health()->{doctor});
like $page{backup}, qr{\Aok the last backup is .*/backup\.db, 0 days old\z},
    'the last backup is reported with its age';

# A key's last refusal is listed with the member, who can fix the cause.
my ($refusal) = @{$health->{refusals}};
is_deeply [@$refusal{qw(callsign code count)}], ['21SD333', 'FREQUENCY_FORMAT_INVALID', 2],
    'the last refusal of a key is reported with the member, the error code and the number of entries';
my %count = map { @$_{qw(code count)} } @{$health->{refused}};
is_deeply \%count, { FREQUENCY_FORMAT_INVALID => 1, FREQUENCY_OUT_OF_BAND_11M => 1 },
    'the page counts the refusals per code';

$service->sqlite('UPDATE logbook SET last_stamp = 1');
like +{ findings(health()->{doctor}) }->{content}, qr/\Atrouble /, 'damage to the content is reported';

# The worker must keep its locks. Otherwise another process could remove the logbook's files while the worker uses them.
# (/proc/locks is not a snapshot. While other processes take and release locks, a line can occur twice or be missing.)
sub locks {
    my ($pid) = $service->site_pids;
    my %inode = map { (stat)[1] => s{.*/}{}r } grep { -e } map { $service->db . $_ } '', '-shm', '-wal';
    my @held;
    for (split /\n/, QSOsync::Front::read_file('/proc/locks')) {
        my ($kind, $holder, $file) = /^\d+: (POSIX +\S+ +\S+) +(\d+) \S+:(\d+) / or next;
        push @held, "$kind $inode{$file}" if $holder == $pid && $inode{$file};
    }
    my %kinds = map { $_ => 1 } @held;
    return sort keys %kinds;
}
my $all = "POSIX  ADVISORY  READ logbook.db\nPOSIX  ADVISORY  READ logbook.db-shm";
sub holds_all { my $held = join "\n", locks(); return $held eq $all ? $held : undef }
is until_true(\&holds_all), $all, 'a worker with an open logbook holds locks';
health();
is until_true(\&holds_all), $all, 'a worker keeps its locks after a request for its health';
$service->stop;

done_testing;
