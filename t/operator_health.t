use QSOsync::Test fronts => 'nginx';
use JSON::PP ();
use QSOsync::Doctor;
use QSOsync::Operator;

# The page tells of the logbook what status and the doctor tell, in the same words, from inside the worker's sandbox and
# without harm to its locks.
my $service = QSOsync::Service->start(site => 1);
my $operator = QSOsync::Operator->with_role($service, '21SD333');
$service->post_batch([map { qso() } 1 .. 3]);
$service->post_batch([qso(frequencyMhz => 'x'), qso(frequencyMhz => '1.000')]);

sub health { my $answer = $operator->get('health'); $answer->status == 200 ? $answer->json : die $answer->body }
# Other programs use the disk, too.
sub findings {
    my ($report) = @_;
    return map { $_->{check} => "$_->{level} $_->{message}" =~ s/\d+ MB are free/MB are free/r }
        @{$report->{checks}};
}

my $health = health();
my %fact = map { $_->{label} => $_->{value} } @{$health->{facts}};
my %said = $service->admin('status') =~ /^(\S.{15}) (.*)$/mg;
$said{s/\s+\z//r} = delete $said{$_} for keys %said;
my @changing = ('write-ahead log', 'last write'); # the session's own use is written, too
delete @$_{@changing} for \%fact, \%said;
is_deeply \%fact, { map { $_ => $said{$_} } keys %fact }, 'the facts are those of status';
is $fact{QSOs}, 3, 'the number of QSOs is among the facts';

my (undef, $report) = QSOsync::Doctor::run(undef, '--db', $service->db, 'doctor');
my %doctor = findings($report);
my %page = findings($health->{doctor});
is_deeply [sort keys %page], [sort qw(database space schema log content backup), 'file system', 'own address'],
    'the checks are those that a worker can make';
is $page{$_}, $doctor{$_}, "the finding $_ is the doctor's" for grep { $_ ne 'log' } sort keys %page;
my ($backup) = grep { $_->{check} eq 'backup' } @{$health->{doctor}{checks}};
is $backup->{message}, 'there was never a backup', 'a missing backup is found';
like $backup->{fix}, qr/qsosync-admin --db \S+ backup --to \S+|systemctl enable/,
    'a missing backup comes with what to do';
$service->admin('backup', $service->directory . '/data/backup.db');
%page = findings(health()->{doctor});
like $page{backup}, qr{\Aok the last one is .*/backup\.db, 0 days old\z}, 'the last backup is told, with its age';

# What was refused, and to whom.
my ($refusal) = @{$health->{refusals}};
is_deeply [@$refusal{qw(callsign code count)}], ['21SD333', 'FREQUENCY_FORMAT_INVALID', 2],
    'the last refusal of a key is told';
my %count = map { @$_{qw(code count)} } @{$health->{refused}};
is_deeply \%count, { FREQUENCY_FORMAT_INVALID => 1, FREQUENCY_OUT_OF_BAND_11M => 1 },
    'the page tells how often each code was the answer';

# Damage is found, and what a rule says of it.
$service->sqlite('UPDATE logbook SET last_stamp = 1');
like +{ findings(health()->{doctor}) }->{content}, qr/\Atrouble /, 'a broken rule is found';

# Its process keeps its locks: otherwise another one could take the logbook's files away under it.
# (/proc/locks is no picture of one moment: while others take and release locks, a line may come twice or be missing.)
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
is until_true(\&holds_all), $all, 'a worker holds locks while it has the logbook open';
health();
is until_true(\&holds_all), $all, 'a worker holds its locks still after it was asked for its health';

done_testing;
