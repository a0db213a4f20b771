use QSOsync::Test fronts => 'nginx', slow => 18, suite => 'all';
use QSOsync::Faults;
use Errno qw(ENOSPC);
use POSIX ();

# Restores of the logbook and of one log, and backups, run while members write. Some restores are killed, and some find
# a full disk. Each acknowledged batch is in the logbook or in a logbook that a restore has kept. Each batch is
# complete, and each file is a complete logbook.
use constant { WRITERS => 3, ROUNDS => 36, BATCH => 20 };
my $missing = QSOsync::Faults::missing();
plan skip_all => $missing if $missing;
srand($ENV{QSOSYNC_SEED} //= time);
note "QSOSYNC_SEED=$ENV{QSOSYNC_SEED}";
my $service = QSOsync::Service->start(workers => 3);
my ($db, $folder) = ($service->db, $service->directory);
my @members = map { $service->add_member("26AT10$_") } 1 .. WRITERS;
$service->post_batch([map { full_qso() } 1 .. 1000 / 5], key => $_->{write_key}) for (@members) x 3;
my $backup = "$folder/backup.db";
mkdir "$folder/backups" or die;
$service->admin('backup', $backup);

# Writes batches until the file "stop" exists. Each acknowledged batch is a line in the file acks-NUMBER.
sub write_batches {
    my ($number) = @_;
    open my $acks, '>', "$folder/acks-$number" or POSIX::_exit(1);
    $acks->autoflush;
    for (my $n = 1; !-e "$folder/stop"; $n++) {
        my $answer = eval { $service->post_batch([map { full_qso(notes => "batch $number-$n") } 1 .. BATCH],
            key => $members[$number]{write_key}) };
        print {$acks} "batch $number-$n\n"
            if $answer && $answer->status == 200 && !grep { $_->{error} } @{$answer->json->{results}};
    }
    POSIX::_exit(0);
}
sub start { my ($work) = @_; my $pid = fork // die; return $pid if $pid; $work->(); POSIX::_exit(1) }
sub start_admin {
    my (@arguments) = @_;
    return start(sub {
        open STDOUT, '>', '/dev/null';
        open STDERR, '>>', "$folder/said";
        exec "$QSOsync::Front::BUILD/qsosync-admin", '--db', $db, @arguments;
    });
}

my @writers = map { my $number = $_; start(sub { write_batches($number) }) } 0 .. WRITERS - 1;
my $faults = QSOsync::Faults->new;
sub start_restore {
    local @ENV{'QSOSYNC_DB', keys %{$faults->environment}} = ($db, values %{$faults->environment});
    return start_admin('restore', $backup, @_);
}
my %calls; # number of calls in an undisturbed restore
for my $kind ('write', 'sync') {
    $faults->strike($kind);
    waitpid start_restore(), 0;
    $calls{$kind} = $faults->lift;
}
sub some { my ($kind) = @_; return (at => 1 + int rand $calls{$kind}) }
my %strikes = (
    'undisturbed' => sub { },
    'killed at a write' => sub { $faults->strike('write', some('write')) },
    'killed at a sync' => sub { $faults->strike('sync', some('sync')) },
    'full disk' => sub { $faults->strike('write', some('write'), error => ENOSPC, forever => 1) });
my %ended;
for my $round (0 .. ROUNDS - 1) {
    my $kind = (sort keys %strikes)[$round % keys %strikes];
    $strikes{$kind}->();
    my $backing_up = $round % 3 ? undef : start_admin('backup', "$folder/backups/$round.db");
    waitpid start_restore($round % 5 ? () : ('--member', '26AT101')), 0;
    $ended{"$kind: " . ($? & 127 ? 'killed' : $? ? 'failed' : 'done')}++;
    $faults->lift;
    waitpid $backing_up, 0 if $backing_up;
    $ended{'backups failed'}++ if $backing_up && $?;
}
QSOsync::Front::write_file("$folder/stop", '');
waitpid $_, 0 for @writers;

note join ', ', map { "$_ $ended{$_}" } sort keys %ended;
is $ended{'undisturbed: done'}, ROUNDS / 4, 'undisturbed restores succeed'
    or diag QSOsync::Front::read_file("$folder/said");
cmp_ok $ended{$_} // 0, '>', 0, "at least one restore ended like this: $_"
    for 'killed at a write: killed', 'killed at a sync: killed', 'full disk: failed';
is $ended{'backups failed'}, undef, 'no backup fails';
is $service->admin('check'), '', 'the logbook passes the check';

my (%where, @half, @broken);
my @files = ($db, glob("$db.before-restore-*[0-9]"), glob "$folder/backups/*.db");
for my $file (@files) {
    my ($status, $problems) = $service->admin_try('check', $file);
    push @broken, "$file: $problems" if $status;
    for (split /\n/, `sqlite3 'file:$file?mode=ro' "SELECT notes, count(*) FROM qsos
        WHERE notes LIKE 'batch %' GROUP BY notes"`) {
        my ($batch, $count) = split /\|/;
        push @half, "$_ in $file" if $count != BATCH;
        $where{$batch} = 1;
    }
}
is_deeply \@broken, [], 'each kept logbook and each backup passes the check';
is_deeply \@half, [], 'each batch is complete in each file';
my @acks = map { chomp; $_ } map { split /^/, QSOsync::Front::read_file("$folder/acks-$_") } 0 .. WRITERS - 1;
cmp_ok scalar @acks, '>', 20, 'batches were acknowledged during the restores';
note scalar(@acks) . ' acknowledged, ' . @files . ' files';
is_deeply [grep { !$where{$_} } @acks], [], 'each acknowledged batch is in the logbook or in a kept logbook';
$service->admin('restore', $backup);
is_deeply [glob "$db-restore-*"], [], 'the next restore removes the files of killed restores';

done_testing;
