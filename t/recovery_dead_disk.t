use QSOsync::Test fronts => 'none', slow => 40, suite => 'all';
use File::Path qw(make_path remove_tree);
use File::Temp ();
use IPC::Open2 qw(open2);
use JSON::PP ();
use Time::HiRes qw(sleep);

# The disk with the logbook and all backups dies at a random moment of an evening. Every ten minutes a backup is copied
# to another machine, which restores the newest backup. Only writes that were acknowledged after that backup are lost,
# and clients restore their QSOs when they synchronise. QSOSYNC_TEST_RUNS sets the number of runs (3), and
# QSOSYNC_TEST_SEED the seed. Losses are reported in seconds of acknowledged writes.
my $seed = $ENV{QSOSYNC_TEST_SEED} || 1 + int rand 1e6;
my $runs = $ENV{QSOSYNC_TEST_RUNS} || 3;
plan skip_all => 'a sanitizer must be loaded first' if QSOsync::Front::is_sanitized();
plan skip_all => 'node is not installed' if system('node --version >/dev/null 2>&1') != 0;
srand $seed;
note "seed $seed";
my $json = JSON::PP->new->utf8->canonical;
my $place = File::Temp->newdir;
my $boot = QSOsync::Front::build_preload($place, 't/powercut/boot.c');
my @MEMBERS = ([py => '21SD001'], [app => '26AT002']); # the kind of client and the member

# Starts a member's client, whose copy of the log survives the machine.
sub start_engine {
    my ($run, $kind, $url) = @_;
    my $tools = "$QSOsync::Front::SOURCE/t/simulate";
    my $clients = $kind eq 'py' ? "$QSOsync::Front::BUILD/clients" : "$QSOsync::Front::SOURCE/src/clients";
    my @given = ($clients, $url, $run->{key}{$kind}, "$run->{place}/$kind");
    make_path($given[3]);
    my $pid = open2(my $answers, my $commands,
        $kind eq 'py' ? ('python3', "$tools/engine.py", @given) : ('node', "$tools/engine.mjs", $kind, @given));
    return { pid => $pid, answers => $answers, commands => $commands };
}
sub ask {
    my ($engine, $command) = @_;
    print {$engine->{commands}} $json->encode($command), "\n";
    $engine->{commands}->flush;
    return $json->decode(scalar(readline $engine->{answers}) // '{"error":"it ended"}');
}
sub end_engine {
    my ($engine) = @_;
    kill KILL => $engine->{pid};
    waitpid $engine->{pid}, 0;
}

# Runs the operator's command at this second of the evening.
sub admin_at {
    my ($run, $second, @command) = @_;
    local @ENV{qw(LD_PRELOAD BOOT_CLOCK_MS)} = ($boot, 1000 * ($run->{start} + $second - time));
    return $run->{service}->admin_try(@command);
}

sub new_run {
    my ($number) = @_;
    my $run = { place => "$place/$number", start => time, versions => 0 };
    make_path(map { "$run->{place}/$_" } qw(backups elsewhere backup.d));
    QSOsync::Front::write_file("$run->{place}/backup.d/copy",
        "#!/bin/sh\ncp \"\$1\" '$run->{place}/elsewhere/part' && "
        . "mv '$run->{place}/elsewhere/part' \"$run->{place}/elsewhere/\${1##*/}\"\n");
    chmod 0755, "$run->{place}/backup.d/copy";
    $run->{service} = QSOsync::Service->start;
    for (@MEMBERS) {
        my ($kind, $callsign) = @$_;
        my $member = $run->{service}->add_member($callsign);
        $run->{key}{$kind} = $member->{write_key};
    }
    return $run;
}

# Returns the version in a QSO's notes; 0: no version.
sub version_of { return ($_[0]{notes} // '') =~ /\Av(\d+)/ ? $1 : 0 }
sub some_qso {
    my ($run, $kind, $known) = @_;
    my $at = sprintf '2026-05-17T%02d:%02d:00.000Z', rand 24, rand 60;
    my $qso = qso(notes => 'v' . ++$run->{versions}, qsoAt => $at);
    $qso->{clientId} = $known->[rand @$known] if @$known && rand() < 0.3;
    push @$known, $qso->{clientId};
    return $qso;
}

# Plays the evening, and records each acknowledged write with its time. The process is killed with the machine.
sub live {
    my ($run, $journal) = @_;
    my %engine = map { $_->[0] => start_engine($run, $_->[0], $run->{service}->base_url) } @MEMBERS;
    my (%known, %waiting);
    my $note = sub { print {$journal} $json->encode({ second => @_ }), "\n" };
    for my $minute (0 .. 60) {
        if ($minute % 10 == 0) {
            local $ENV{QSOSYNC_BACKUP_HOOKS} = "$run->{place}/backup.d";
            my @backup = ('backup', '--to', "$run->{place}/backups", '--thin');
            my ($status, undef, $said) = admin_at($run, 60 * $minute, @backup);
            die "backup: $said" if $status != 0;
        }
        for my $act (1 .. 4) {
            my $second = 60 * $minute + 15 * $act - 1;
            my ($kind) = @{$MEMBERS[rand @MEMBERS]};
            if (rand() < 0.4) { # a client without a copy writes
                my @qsos = map { some_qso($run, $kind, $known{"alone $kind"} ||= []) } 1 .. 1 + int rand 3;
                my $answer = $run->{service}->post_batch(\@qsos, key => $run->{key}{$kind});
                $note->($second, of => 'alone', sent => { map { $_->{clientId} => version_of($_) } @qsos })
                    if $answer->status == 200;
            }
            elsif (rand() < 0.6) {
                my $qso = some_qso($run, $kind, $known{$kind} ||= []);
                $waiting{$kind}{$qso->{clientId}} = version_of($qso);
                ask($engine{$kind}, { do => 'save', qso => $qso });
            }
            elsif (!ask($engine{$kind}, { do => 'sync' })->{error}) {
                $note->($second, of => $kind, sent => delete $waiting{$kind} || {});
            }
        }
        $note->(60 * $minute + 59, of => 'nobody', sent => {}); # records the time
    }
    end_engine($_) for values %engine;
}

# Plays the evening in a separate process until the disk dies. Returns the second of the death and the journal.
sub live_and_die {
    my ($run) = @_;
    my $path = "$run->{place}/journal";
    QSOsync::Front::write_file($path, '');
    my $lines = 1 + int rand 170;
    my $pid = fork // die $!;
    if (!$pid) {
        setpgrp;
        open my $journal, '>>', $path or POSIX::_exit(1);
        $journal->autoflush(1);
        eval { live($run, $journal); 1 } or QSOsync::Front::write_file("$run->{place}/failed", $@);
        POSIX::_exit(0);
    }
    my $count = sub { my $text = QSOsync::Front::read_file($path); return $text =~ tr/\n// };
    sleep 0.01 while $count->() < $lines && waitpid($pid, POSIX::WNOHANG()) == 0;
    sleep rand 0.1;
    die QSOsync::Front::read_file("$run->{place}/failed") if -e "$run->{place}/failed";
    kill KILL => -$pid; # all processes die at once; the clients' own disks survive
    $run->{service}->expect_log(qr{upstream prematurely closed|connect\(\) to unix:|(?:writev|recv)\(\) failed});
    kill KILL => $run->{service}->worker_pids;
    waitpid $pid, 0;
    remove_tree("$run->{place}/backups");
    $run->{service}->stop;
    my @journal = map { $json->decode($_) } grep { /\}\z/ } split /\n/, QSOsync::Front::read_file($path);
    return ($journal[-1]{second}, @journal);
}

# Returns the number of lost writes, and the age of the oldest lost write from clients with a copy (kept) and without a
# copy (alone).
sub lost {
    my ($service, $run, $death, @journal) = @_;
    my %there = map { $_->{clientId} => version_of($_) } map { $service->download(key => $_) } values %{$run->{key}};
    my %seconds = (kept => 0, alone => 0);
    for my $entry (@journal) {
        my $whose = $entry->{of} eq 'alone' ? 'alone' : 'kept';
        for my $id (grep { ($there{$_} // 0) < $entry->{sent}{$_} } keys %{$entry->{sent}}) {
            my $since = $death - $entry->{second};
            $seconds{$whose} = $since if $since > $seconds{$whose};
            $seconds{writes}++;
        }
    }
    return \%seconds;
}

my (@before, @after);
for my $number (1 .. $runs) {
    my $run = new_run($number);
    my ($death, @journal) = live_and_die($run);
    my ($newest) = reverse sort glob "$run->{place}/elsewhere/qsosync-*Z.db";
    my $machine = QSOsync::Service->start(wants_member => 0);
    $machine->admin('restore', $newest);
    my $lost = lost($machine, $run, $death, @journal);
    for (@MEMBERS, @MEMBERS) {
        my $engine = start_engine($run, $_->[0], $machine->base_url);
        my $outcome = ask($engine, { do => 'sync' });
        is $outcome->{error}, undef, "run $number: the client $_->[0] synchronises with the new machine";
        end_engine($engine);
    }
    my $left = lost($machine, $run, $death, @journal);
    my ($at) = map { ($_ - $run->{start}) } backup_time($newest);
    my @lost = map { sprintf '%d s before, %d s after', $lost->{$_}, $left->{$_} } qw(kept alone);
    note "run $number: died at $death s, newest backup at $at s; clients with a copy: $lost[0]; others: $lost[1]";
    cmp_ok $lost->{$_}, '<=', $death - $at, "run $number: nothing from before the newest backup is lost ($_)"
        for qw(kept alone);
    cmp_ok $death - $at, '<', 660, "run $number: the newest backup is less than eleven minutes old";
    is $left->{kept}, 0, "run $number: synchronising clients restore all their QSOs";
    is $machine->admin('check'), '', "run $number: the logbook passes the check";
    push @before, $lost;
    push @after, $left;
    $machine->stop;
    remove_tree($run->{place});
}
sub backup_time {
    my ($path) = @_;
    my @parts = $path =~ /(\d{4})-(\d\d)-(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db\z/ or die $path;
    require Time::Local;
    return Time::Local::timegm(@parts[5, 4, 3, 2], $parts[1] - 1, $parts[0]);
}
cmp_ok scalar(grep { $_->{writes} } @before), '>', 0, 'some writes were lost with the disk';
for my $when (['before', @before], ['after', @after]) {
    my ($name, @all) = @$when;
    for my $whose (qw(kept alone)) {
        my @seconds = sort { $a <=> $b } map { $_->{$whose} } @all;
        note sprintf '%s clients have synchronised, %s: median %d s, most %d s', $name, $whose, $seconds[@seconds / 2],
            $seconds[-1];
    }
}

done_testing;
