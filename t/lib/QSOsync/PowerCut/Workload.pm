# Does the typical work of a logbook, which PowerCut interrupts. Each workload is a name and a function that drives a
# QSOsync::PowerCut::Record.
package QSOsync::PowerCut::Workload;
use strict;
use warnings;
use Errno qw(EIO ENOSPC);
use POSIX ();
use Time::HiRes qw(time);
use QSOsync::Case;

my %workload;
sub names { return sort keys %workload }
sub run { my ($name, $record) = @_; return $workload{$name}->($record) }

# Adds two members, each with a WRITE key and a READ key. Returns the two WRITE keys.
sub members {
    my ($record) = @_;
    $record->command('init');
    for my $callsign (qw(21SD333 26AT101)) {
        $record->command('member', 'add', $callsign, '--locator', 'JO59jw');
        $record->command('key', 'add', $callsign, '--name', "$_ key", '--scope', $_) for qw(WRITE READ);
    }
    return @{$record->{keys}}[0, 2];
}

sub worked { my ($callsign, %more) = @_; return qso(callsignWorked => $callsign, %more) }

# In the first hours of a logbook, all its files are created.
$workload{first} = sub {
    my ($record) = @_;
    $record->begin;
    my ($own, $other) = members($record);
    $record->post($own, qso(), full_qso());
    $record->post($other, worked('21SD333'));
};

# Does the work of a day: batches, updates, confirmations from both sides, spots, rejected entries, deletions, keys and
# disabled members.
sub day {
    my ($record, $own, $other) = @_;
    my @qsos = map { full_qso(notes => "long $_ " . 'x' x 300) } 1 .. 6;
    $record->post($own, @qsos);
    $record->post($other, my $heard = worked('21SD333'));
    $record->post($own, my $met = worked('26AT101', frequencyMhz => '27.555', sendSpot => JSON::PP::true()));
    $record->post($own, { %{$qsos[0]}, notes => 'changed' }, { %{$qsos[1]}, notes => undef }, qso(band => 'none'));
    $record->post($own, { %$met, qsoAt => '2026-05-17T21:00:00.000Z' });
    $record->post($own, $met);
    $record->delete_qso($own, $qsos[2]);
    $record->delete_qso($own, $met);
    $record->post($own, $qsos[2]); # is stored again after its deletion
    $record->delete_qso($own, $qsos[3]);
    $record->post($other, map { full_pmr_qso() } 1 .. 3);
    $record->command('key', 'revoke', '21SD333', 2);
    $record->command('member', 'disable', '26AT101');
    $record->post($own, qso());
    $record->command('member', 'enable', '26AT101');
    $record->command('key', 'add', '26AT101', '--name', 'another', '--scope', 'READ');
    $record->post($other, $heard, qso());
    $record->post($own, worked('26AT109'));
    $record->command('member', 'set', '21SD333', '--locator', 'JO59ab');
    $record->command('member', 'rename', '26AT101', '26AT109'); # a callsign that the other member has worked
}

# Plain CGI programs do the work of a day. Each program is the last to close the database.
$workload{cgi} = sub {
    my ($record) = @_;
    my ($own, $other) = members($record);
    $record->begin;
    day($record, $own, $other);
};

# Workers that keep running do the work of a day, while qsosync-admin runs next to them.
$workload{fastcgi} = sub {
    my ($record) = @_;
    my ($own, $other) = members($record);
    $record->post($own, qso(), full_qso());
    $record->begin;
    $record->start_worker for 1, 2;
    day($record, $own, $other);
    $record->end_workers;
    $record->start_worker;
    $record->post($own, qso());
};

# Fills the write-ahead log until it is just about to be moved into the database. Returns the QSOs.
sub long_log {
    my ($record, $own) = @_;
    $record->start_worker;
    $record->{blind} = 1;
    my @qsos = map { qso() } 1 .. 40;
    $record->post($own, @qsos);
    $record->post($own, $qsos[rand @qsos]) while -s "$record->{db}-wal" < 985 * 4120;
    $record->{blind} = 0;
    $record->end_workers('KILL');
    return @qsos;
}

$workload{checkpoint} = sub {
    my ($record) = @_;
    my ($own, $other) = members($record);
    my @qsos = long_log($record, $own);
    $record->begin(worker => 1);
    $record->post($own, map { $qsos[rand @qsos] } 1 .. 3) for 1 .. 3;
    $record->delete_qso($own, $qsos[0]);
    $record->post($other, qso()) for 1 .. 2;
};

# The disk fails while the write-ahead log is moved, and then the workers end normally or are killed.
$workload{checkpoint_fails} = \&checkpoint_fails;
sub checkpoint_fails {
    my ($record) = @_;
    my ($own, $other) = members($record);
    my @qsos = long_log($record, $own);
    $record->begin(worker => 1);
    $record->post($own, $qsos[0]);
    for my $round (1 .. 4) {
        $record->{faults}->strike('sync', at => 1 + $round % 3, error => EIO, forever => $round % 2);
        $record->post($own, map { $qsos[rand @qsos] } 1 .. 12);
        $record->request('GET', '/me', $own); # once answered, the work after the previous answer is done
        $record->{faults}->lift;
        $record->show;
        $record->end_workers($round < 3 ? 'KILL' : 'TERM');
        $record->start_worker;
        $record->post($other, qso());
    }
}

# Backups run while the service runs.
$workload{backup} = sub {
    my ($record) = @_;
    my ($own, $other) = members($record);
    $record->post($own, map { full_qso() } 1 .. 3);
    $record->begin;
    $record->start_worker;
    $record->post($other, my $heard = worked('21SD333'));
    $record->back_up('first.db');
    $record->post($own, worked('26AT101'));
    $record->back_up('second.db');
    $record->delete_qso($other, $heard);
    $record->back_up_to_folder;
    $record->post($own, qso());
    $record->end_workers;
    $record->back_up('third.db');
    $record->back_up_to_folder;
};

# The backups are restored into a logbook in use, an unreadable logbook, and a missing logbook. Decisions made since the
# backup remain.
$workload{restore} = sub {
    my ($record) = @_;
    my ($own, $other) = members($record);
    my @qsos = map { full_qso() } 1 .. 3;
    $record->post($own, @qsos);
    $record->begin;
    $record->start_worker;
    $record->back_up('backup.db');
    $record->post($own, worked('26AT101'), @qsos[0, 1]);
    $record->delete_qso($own, $qsos[2]);
    $record->command('key', 'revoke', '21SD333', 2);
    $record->restore('backup.db');
    $record->post($own, qso(), $qsos[1]);
    $record->post($other, worked('21SD333'));
    $record->command('member', 'disable', '26AT101');
    $record->back_up('later.db');
    $record->command('member', 'enable', '26AT101');
    $record->restore('later.db');
    $record->end_workers;
    # The program also syncs the folder. Otherwise a cut could restore the write-ahead log that the last worker removed,
    # and with it the data from before the damage.
    $record->meddle('open F, "+<", $ARGV[0]; binmode F; print F "damaged" x 100; F->flush; F->sync; '
        . 'open F, "<", $ARGV[0] =~ s{/[^/]*$}{}r; F->sync');
    $record->restore('backup.db', moves => 1);
    $record->post($own, qso());
    $record->start_worker; # this worker's write-ahead log outlives the logbook
    $record->post($own, qso());
    $record->end_workers('KILL');
    $record->meddle('unlink $ARGV[0]; open F, "<", $ARGV[0] =~ s{/[^/]*$}{}r; F->sync');
    $record->start_worker;
    $record->restore('later.db', moves => 1);
    $record->post($own, qso());
};

# Switches to the programs of the next version between two requests.
$workload{migration} = sub {
    my ($record) = @_;
    my ($own, $other) = members($record);
    $record->post($own, map { full_qso() } 1 .. 10);
    $record->{any_epoch} = 1;
    $record->begin;
    $record->post($own, qso());
    $record->bring_forward;
    $record->command('member', 'list');
    $record->post($own, qso());
    $record->post($other, worked('21SD333'));
};

# Undoes the first act in the member's history for which the function returns true.
sub undo_act {
    my ($record, $is_wanted) = @_;
    my (undef, $list) = $record->admin('history', '21SD333', '--json');
    my ($act) = grep { $is_wanted->($_) } @{JSON::PP->new->decode($list)};
    $record->command('undo', '21SD333', '--act', $act->{number});
}

# Acts are undone, and their undos are undone, with writes in between.
$workload{undo} = sub {
    my ($record) = @_;
    my ($own, $other) = members($record);
    my @qsos = map { full_qso() } 1 .. 6;
    $record->post($own, @qsos, my $met = worked('26AT101'));
    $record->{histories} = ['21SD333'];
    $record->begin;
    $record->start_worker;
    $record->post($other, worked('21SD333'));
    for my $round (1 .. 3) {
        $record->post($own, map({ { %$_, notes => "wrong $round" } } @qsos), $met, qso());
        $record->delete_qso($own, $qsos[$round]);
        undo_act($record, sub { !defined $_[0]{undoes} });
        $record->post($own, { %{$qsos[0]}, notes => "mine $round" });
        undo_act($record, sub { defined $_[0]{undoes} }) if $round > 1;
        $record->end_workers($round == 2 ? 'KILL' : 'TERM');
        $record->start_worker if $round != 1; # without a worker, each program is the last to close the database
    }
};

# Workers are killed within a commit while other workers read. Readers are shown either state, and neither state is
# certain until the next write.
$workload{killed} = sub {
    my ($record) = @_;
    my ($own, $other) = members($record);
    my @qsos = map { qso() } 1 .. 3;
    $record->post($own, @qsos);
    $record->begin;
    $record->start_worker($_) for qw(reader worker);
    for my $round (1 .. 12) {
        my $kind = $round % 3 ? 'sync' : 'write';
        # In even rounds the write-ahead log is new, and the first sync covers its header.
        $record->post($other, worked('21SD333')) if $round % 2;
        $record->{faults}->strike($kind, at => $kind eq 'sync' ? 1 : 2 * $round);
        if ($round % 4 == 0) { $record->delete_qso($own, $qsos[$round / 4 - 1]) }
        else { $record->post($own, { %{$qsos[0]}, notes => "round $round" }, worked('26AT101')) }
        $record->{faults}->lift;
        if ($round % 5 < 2) { # then all workers end
            $record->show;
            $record->end_workers('KILL');
            $record->start_worker('reader');
            $record->show;
        }
        $record->start_worker;
        $record->show;
    }
};

# The disk fails or is full, and the work continues.
$workload{failed} = sub {
    my ($record) = @_;
    my ($own, $other) = members($record);
    $record->post($own, qso());
    $record->begin;
    $record->start_worker;
    for my $round (1 .. 12) {
        my $kind = $round % 2 ? 'sync' : 'write';
        $record->{faults}->strike($kind, at => $kind eq 'sync' ? 1 : $round, error => $round % 4 < 2 ? EIO : ENOSPC,
            forever => $round % 3 == 0, half => $round % 5 == 0);
        $record->post($own, qso(), worked('26AT101'));
        $record->{faults}->lift;
        $record->show;
        if ($round % 4 == 3) {
            $record->end_workers('KILL');
            $record->start_worker;
        }
        $record->post($other, worked('21SD333'), qso()) if $round % 3 == 0;
    }
};

# A change's sync fails, or its writer dies during the change. Afterwards the disk works again, or also fails for the
# next writers. Readers are shown the outcome.
sub fail_in_sync {
    my ($record, $key, @qsos) = @_;
    my $dies = rand() < 0.4;
    my %failing = (error => EIO, forever => rand() < 0.6);
    $record->{faults}->strike('sync', at => 1 + int rand 3, $dies ? () : %failing);
    $record->{blind} = 1;
    if (rand() < 0.2) { $record->delete_qso($key, $qsos[rand @qsos]) }
    else { $record->post($key, { %{$qsos[rand @qsos]}, notes => 'once more' }, map { qso() } 1 .. rand 4) }
    $record->{blind} = 0;
    $record->{faults}->strike('sync', at => 1, %failing) if $dies;
    $record->{faults}->lift if rand() < 0.3;
    $record->start_worker if %{$record->{workers}};
    $record->show;
}

# Commits have failing syncs, and readers before, during and after them. In one case other workers run next to the
# failed worker. In another case, all workers end normally or are killed while the disk still fails. The last readers
# come after the next write, which can be shorter or longer than the failed write.
$workload{failed_syncs} = sub {
    my ($record) = @_;
    my ($own, $other) = members($record);
    my @qsos = map { qso() } 1 .. 6;
    $record->post($own, @qsos);
    $record->begin;
    for (1 .. 8) {
        my @names = rand() < 0.5 ? qw(reader worker) : 'worker';
        $record->start_worker($_) for grep { !$record->{workers}{$_} } @names;
        # Otherwise the write-ahead log can be new, and the first sync covers its header.
        $record->post($other, worked('21SD333')) if rand() < 0.7;
        fail_in_sync($record, $own, @qsos);
        fail_in_sync($record, $own, @qsos) if rand() < 0.3;
        if (rand() < 0.4) {
            $record->end_workers(rand() < 0.7 ? 'KILL' : 'TERM');
            $record->start_worker($_) for @names;
            $record->show;
        }
        $record->{faults}->lift;
        $record->show if rand() < 0.5;
        $record->end_workers(rand() < 0.7 ? 'KILL' : 'TERM') if rand() < 0.3;
    }
};

# Commits have failing syncs, and each request is its own process.
$workload{failed_syncs_cgi} = sub {
    my ($record) = @_;
    my ($own, $other) = members($record);
    my @qsos = map { qso() } 1 .. 6;
    $record->post($own, @qsos);
    $record->begin;
    for (1 .. 6) {
        fail_in_sync($record, $own, @qsos);
        $record->{faults}->lift;
        $record->show if rand() < 0.5;
        $record->post($other, worked('21SD333')) if rand() < 0.7;
    }
};

# The clock jumps between requests during hours of work. The times that are safe on the disk must follow the clock.
$workload{hours} = sub {
    my ($record) = @_;
    my ($own, $other) = members($record);
    $record->begin;
    for my $round (1 .. 8) {
        $record->{ahead_ms} += 10_000 + int rand 100_000;
        $record->show;
        $record->post($round % 2 ? $own : $other, qso(), worked($round % 2 ? '26AT101' : '21SD333'));
    }
};

# Several writers work at once, and some are killed. Each writer has groups of QSOs and sends a whole group repeatedly.
$workload{together} = sub {
    my ($record) = @_;
    my ($own, $other) = members($record);
    $record->begin;
    $record->start_worker for 1 .. 3;
    my $end = time + 2;
    my @clients = map {
        my ($number, $key) = ($_, $_ % 2 ? $own : $other);
        in_background(sub {
            my @groups = map { [map { qso() } 1 .. 3] } 1, 2;
            for (my $version = 1; time < $end; $version++) {
                my $group = $version % 2;
                $record->send_group("$number.$group", $version, $key, @{$groups[$group]});
            }
        });
    } 1 .. 3;
    push @clients, in_background(sub {
        while (time < $end) { $record->read_once($_) for $own, $other }
    });
    push @clients, in_background(sub {
        while (time < $end) { $record->admin($_) for qw(check spots) }
    });
    while (time < $end) {
        select undef, undef, undef, 0.2;
        $record->replace_worker;
    }
    waitpid $_, 0 for @clients;
};

sub in_background {
    my ($code) = @_;
    my $seed = int rand 2**31;
    my $pid = fork;
    die "fork: $!" unless defined $pid;
    return $pid if $pid;
    srand $seed;
    eval { $code->(); 1 } or warn $@;
    POSIX::_exit(0);
}

# The first minutes after a power cut can end in another cut.
$workload{recovery} = sub {
    my ($record) = @_;
    my $before = $record->another('first-life');
    my ($own, $other) = members($before);
    $before->post($own, my @qsos = map { qso() } 1 .. 3);
    $before->begin;
    $before->start_worker;
    $before->post($own, { %{$qsos[0]}, notes => 'changed' }, worked('26AT101'));
    $before->post($other, worked('21SD333'));
    $before->finish;
    $record->begin_after_cut($before);
    $record->start_worker if rand() < 0.5;
    $record->post($own, qso(), $qsos[1]);
    $record->delete_qso($own, $qsos[2]);
    $record->end_workers;
    $record->post($other, qso());
};

1;
