# Plays one round of a simulation: members whose programs write, read and follow, an operator, and other events, in
# waves of simultaneous actions. All choices in a wave depend only on the seed and the wave's number, so that other
# waves can be left out. QSOsync::Simulation::Judge judges the result.
package QSOsync::Simulation::Round;
use strict;
use warnings;
use parent map { "QSOsync::Simulation::$_" } qw(Qsos Clients Operator Comparison);
use Errno qw(EIO ENOSPC);
use JSON::PP ();
use QSOsync::Simulation::Judge;
use QSOsync::Simulation::Qsos qw(any client_id name_of @CALLSIGNS);
use QSOsync::Simulation::World;

my $json = JSON::PP->new->utf8->canonical;
my @CLOCKS = (0, 0, -3000, 3000, -3_600_000, 3_600_000);
my $OUTAGE_MS = 3 * 3_600_000; # after this outage, every clock is later than any time shown before

# new(seed, waves => numbers of the waves to play) returns a round.
sub new {
    my ($class, %option) = @_;
    srand $option{seed};
    my $self = bless { %option, versions => 0, content => {}, lcg => $option{seed}, open => 0, trouble => 0, done => {},
    }, $class;
    my $world = $self->{world} = QSOsync::Simulation::World->new(power => $option{seed} % 2);
    $world->{gateway} = sub { $self->serve_engine(@_) };
    $self->{members} = [map { $self->new_member($_) } 0 .. $#CALLSIGNS];
    $world->command('uploads', 'on');
    $self->{token} = $world->command('upload-token', 'add', $CALLSIGNS[1], '--name', 'uploads')->{output};
    $self->{engines} = [map { { name => $_->[0], member => $_->[1], key => $self->new_key($_->[1], $_->[0], $_->[2]) } }
        ['py', 0, 'WRITE'], ['app', 0, 'WRITE'], ['page', 1, 'READ']];
    return $self;
}

sub new_member {
    my ($self, $number) = @_;
    my $member = $self->{members}[$number] = { number => $number, callsign => $CALLSIGNS[$number] };
    $self->{world}->command('member', 'add', $member->{callsign}, '--locator', 'JO59jw')->{status} == 0 or die 'member';
    $member->{keys} = [map { $self->new_key($number, $_, 'WRITE') } 'A', 'B'];
    $member->{followers} = [map { { member => $number, asks => $_, copy => {} } } 0, 1];
    return $member;
}

# Creates a key, whose name identifies the writer in the history.
sub new_key {
    my ($self, $number, $kind, $scope) = @_;
    my $name = $kind . ++$self->{keys};
    my $made = $self->{world}->command('key', 'add', $self->{members}[$number]{callsign}, '--name', $name,
        '--scope', $scope);
    die "no key: $made->{output}\n" if $made->{status} != 0;
    return { secret => $made->{output}, name => $name, kind => $kind, scope => $scope, member => $number,
        life => $self->{world}{life} };
}

# Returns a number from 0 to 1 for events inside a wave, whose order does not depend on the seed.
sub roll {
    my ($self) = @_;
    $self->{lcg} = ($self->{lcg} * 1103515245 + 12345) % 2**31;
    return $self->{lcg} / 2**31;
}

# Each row has the relative weight and the name of an action.
my @ACTIONS = ([9, 'batch'], [4, 'delete_qso'], [3, 'read_whole'], [1, 'read_ids'], [8, 'follow'], [5, 'use_engine'],
    [1, 'upload'], [1, 'import_file'], [1, 'undo'], [1, 'back_up']);

my @CALM = ([4, 'revoke'], [3, 'disable'], [1, 'rename_member'], [2, 'undo']); # without faults: outcomes must be known

sub draw { return any(map { ($_->[1]) x $_->[0] } @_) }

# Begins an action, which counts as open until it ends.
sub begin {
    my ($self, $action, $subject) = @_;
    my $member = any(@{$self->{members}});
    $subject ||= $action eq 'use_engine' ? any(@{$self->{engines}})
        : $action eq 'follow' ? any(@{$member->{followers}}) : $member;
    my @more = $action eq 'follow' ? (3 + int rand 30) : ();
    $self->{open}++;
    $self->{done}{$action}++;
    my $is_open = 1;
    $self->$action($subject, @more, sub { $self->{open}-- if $is_open; $is_open = 0 });
}

# Waits until no request is in flight.
sub settle {
    my ($self) = @_;
    my $world = $self->{world};
    my @busy = (@{$world}{qw(waiting processes connections)});
    return 1 if $world->pump(sub { !$self->{open} && !@{$world->{timers}} && !grep { %$_ } @busy });
    $world->problem("requests do not end: $self->{open} open, " . join ', ', map { scalar keys %$_ } @busy);
    return 0;
}

sub strike {
    my ($self) = @_;
    my $kind = any(qw(sync sync write write write index));
    my %how = @{any([], [], [error => EIO, forever => int rand 2],
        [error => ENOSPC, forever => 1, half => int rand 2])};
    $self->{world}{faults}->strike($kind, at => 1 + int rand($kind eq 'sync' ? 4 : 12), %how);
}

# Stops a writer in the middle of a write. Readers read, and then the writer continues.
sub stop_a_writer {
    my ($self) = @_;
    my $world = $self->{world};
    $world->{faults}->strike(any(qw(write sync)), at => 1 + int rand 6, stop => 1);
    $self->begin(any(qw(batch batch delete_qso)));
    $world->pump(sub { !$self->{open} || $world->has_stopped }, 1);
    $self->begin('follow', $_) for $self->followers;
    $world->pump(sub { $self->{open} <= 1 }, 2);
    $world->signal_workers('CONT');
    $world->{faults}->lift;
}

sub followers { my ($self) = @_; return map { @{$_->{followers}} } @{$self->{members}} }

# Lets every client receive the current time, which must not occur again.
sub tell_time {
    my ($self) = @_;
    $self->begin('follow', $_) for $self->followers;
    $self->{world}->pump(sub { !$self->{open} }, 2);
}

sub step_clock {
    my ($self) = @_;
    $self->tell_time;
    $self->{world}{clock_ms} = any(@CLOCKS);
    $self->{world}->restart('TERM');
}

# Kills a writer in its sync, after which the disk fails. No client is shown data that the disk has not accepted, even
# if all programs restart and find the data in the write-ahead log.
sub leave_unsynced {
    my ($self) = @_;
    my $world = $self->{world};
    $world->{is_left_alone} = 1;
    $world->{faults}->strike('sync', at => any(1, 1, 2));
    $self->begin('batch');
    $world->pump(sub { !$self->{open} }, 5);
    $world->{faults}->strike('sync', at => 1, error => EIO, forever => 1);
    $world->{is_left_alone} = 0;
    $world->restart('KILL');
    $self->begin('read_whole') for 1 .. 4;
    $self->tell_time;
}

# Lets the sync of writes fail, so that the writes are refused. If the disk keeps a part of these writes, their stamps
# are later than every time that clients receive. This also holds after a write that changes nothing.
sub leave_refused {
    my ($self) = @_;
    my $world = $self->{world};
    $world->{faults}->strike('sync', at => 1, error => EIO, forever => 1);
    $self->begin('batch') for 1 .. 2;
    $world->pump(sub { !$self->{open} }, 5);
    my $member = any(@{$self->{members}});
    my $id = client_id($member->{number}, 99);
    my $is_done;
    $world->send(method => 'DELETE', path => "/logs/$id", key => $member->{keys}[0]{secret}, deletes => $id,
        writer => $member->{keys}[0]{name}, member => $member->{number}, done => sub { $is_done = 1 });
    $world->pump(sub { $is_done }, 5);
    $self->tell_time;
}

# Restarts all programs, which find in the write-ahead log a write whose sync failed. The system no longer writes that
# data by itself, and later acknowledged writes depend on it.
sub leave_forgotten {
    my ($self) = @_;
    my $world = $self->{world};
    $world->{is_left_alone} = 1;
    $world->{faults}->strike('sync', at => 1, error => EIO, forever => 1);
    $self->begin('batch');
    $world->pump(sub { !$self->{open} }, 5);
    $world->signal_workers('KILL');
    $world->{faults}->lift;
    $world->restart('KILL');
    $world->{is_left_alone} = 0;
    $self->begin('batch') for 1 .. 2;
    $world->pump(sub { !$self->{open} }, 5);
}

# These functions run the steps before a power cut, when no other request is in flight or in doubt. They return the time
# to which the clock returns, and the part of the doubtful write that the disk keeps (by default any part).
my %BEFORE = (
    told => sub { return $_[0]{world}{clock_ms} - 3_600_000 },
    unsynced => sub { $_[0]->leave_unsynced; return (undef, 'none') },
    refused => sub { $_[0]->leave_refused; return (undef, 'first') },
    forgotten => sub { $_[0]->leave_forgotten; return (undef, 'none') },
);

sub cut_power {
    my ($self, $wave) = @_;
    my $clock_ms = rand() < 0.5 ? $self->{world}{clock_ms} : any(@CLOCKS);
    my $before = any('work', sort keys %BEFORE);
    my $is_any = rand() < 0.3;
    my ($back_to_ms, $kept);
    if ($before eq 'work') { $self->{world}->pump(sub { !$self->{open} }, rand 0.15) }
    else {
        $self->{done}{$before}++;
        $self->tell_time;
        ($back_to_ms, $kept) = $BEFORE{$before}->($self);
    }
    $self->{world}{passed_ms} += any(0, $OUTAGE_MS) if !defined $back_to_ms;
    srand $self->{seed} * 1013 + $wave; # what the disk keeps depends only on this seed
    $self->{world}->cut_power($back_to_ms // $clock_ms, $is_any ? undef : $kept);
}

my @EVENTS = ([10, 'calm'], [12, 'work'], [6, 'stop'], [6, 'strike'], [4, 'kill'], [4, 'clock'], [6, 'power'],
    [2, 'restore']);

sub play_wave {
    my ($self, $wave) = @_;
    my $world = $self->{world};
    srand $self->{seed} * 1009 + $wave;
    $self->{lcg} = int rand 2**31;
    my $event = draw(@EVENTS);
    $event = 'power' if $event eq 'stop' && $world->{power};
    $event = 'stop' if $event eq 'power' && !$world->{power};
    $self->{trouble} = $event ne 'calm';
    $self->{done}{$event}++;
    return $self->restore if $event eq 'restore';
    $self->step_clock if $event eq 'clock';
    $self->begin(draw(@CALM)) if $event eq 'calm' && rand() < 0.5;
    if ($event eq 'stop') { $self->stop_a_writer }
    elsif ($event eq 'strike') { $self->strike }
    elsif ($event eq 'kill') { $world->after(rand 0.06, sub { $world->signal_workers('KILL') }) }
    $self->begin(draw(@ACTIONS)) for 1 .. 2 + rand 5;
    $self->cut_power($wave) if $event eq 'power';
    my $ended = $world->pump(sub { !$self->{open} });
    $world->problem('a request has no answer' . $world->last_words) if !$ended;
    $self->{open} = 0;
    $world->{faults}->lift;
}

# Reads each member's whole log, before and after a restore and at the end of the round. Returns the QSOs by member.
sub look_at_all {
    my ($self) = @_;
    my %log;
    for my $member (@{$self->{members}}) {
        my $whole;
        $self->read_whole($member, sub { $whole = $_[0] });
        $self->{world}->pump(sub { $whole });
        $self->{world}->problem('a log cannot be read: ' . ($whole->{status} // 'no answer')
            . $self->{world}->last_words) if ($whole->{status} // 0) != 200;
        $log{$member->{number}} = $whole->{json}{items} || [];
    }
    return \%log;
}

sub restore {
    my ($self) = @_;
    my $world = $self->{world};
    $self->{trouble} = 0;
    return if !$self->{backup} || !$self->settle;
    $self->look_at_all;
    my $result = $world->command('restore', "$world->{directory}/backup-$self->{backup}.db");
    return $world->problem("restore: $result->{output}") if $result->{status} != 0;
    $world->{life}++;
    $world->restart('TERM') if rand() < 0.5;
    for my $key (@{$self->{revoked}}) { $self->works($key) and $world->problem('a restored backup revives a key') }
    my @names = map { $_->{callsign} } @{$json->decode($world->command('member', 'list', '--json')->{output})};
    for my $member (@{$self->{members}}) {
        my $prefix = substr $CALLSIGNS[$member->{number}], 0, 5; # the member can have another callsign in the backup
        ($member->{callsign}) = grep { index($_, $prefix) == 0 } @names;
        my $is_new = ++$self->{renewals} < 10; # limits the keys; writes of old keys are never undone
        $_ = $is_new ? $self->new_key($member->{number}, @{$_}{qw(kind scope)}) : $self->renewed($_)
            for @{$member->{keys}};
    }
    for my $engine (@{$self->{engines}}) {
        $engine->{key} = $self->renewed($engine->{key});
        $self->tell($engine, { do => 'key', key => $engine->{key}{secret} }, sub { });
    }
    my $log = $self->look_at_all;
    $world->note({ what => 'restore', backup => $self->{backup}, start => $result->{start}, end => $result->{end},
        log => { map { my $number = $_; $number => { map { $_->{clientId} => name_of($_) } @{$log->{$number}} } }
            keys %$log } });
}

sub works {
    my ($self, $key) = @_;
    my $answer;
    $self->{world}->send(method => 'GET', path => '/me', key => $key->{secret}, probe => 1,
        done => sub { $answer = $_[0] });
    $self->{world}->pump(sub { $answer });
    return ($answer->{status} // 0) == 200;
}

# A key that was created after the backup does not necessarily exist.
sub renewed {
    my ($self, $key) = @_;
    return $self->works($key) ? $key : $self->new_key(@{$key}{qw(member kind scope)});
}

# Plays all waves, and then a quiet time in which all clients catch up. Returns the faults, as texts.
sub play {
    my ($self) = @_;
    my $world = $self->{world};
    eval {
        for my $wave (@{$self->{waves}}) {
            $self->play_wave($wave);
            last if @{$world->{problems}};
        }
        $self->rest;
        1;
    } or $world->problem("the round ended: $@");
    my @wrong = (@{$world->{problems}}, QSOsync::Simulation::Judge::judge($world->{history}, $self->{content}));
    $self->{requests} = grep { $_->{what} eq 'request' } @{$world->{history}};
    $world->stop;
    return @wrong;
}

sub rest {
    my ($self) = @_;
    my $world = $self->{world};
    $self->{trouble} = 0;
    $world->{faults}->lift;
    $world->restart('TERM');
    $self->settle;
    for my $key (map { @{$_->{keys}} } @{$self->{members}}) {
        $self->undo($self->{members}[$key->{member}], sub { }, $key);
        $self->settle;
    }
    for my $round (1 .. 4) {
        for my $engine (@{$self->{engines}}) {
            my $outcome;
            $self->tell($engine, { do => 'decide', choice => 'mine' }, sub { });
            $self->tell($engine, { do => 'sync' }, sub { $outcome = $_[0] || { error => 'it ended' } });
            $world->pump(sub { $outcome });
            $engine->{outcome} = $outcome->{error};
        }
    }
    my @followers = $self->followers;
    for my $follower (@followers, @followers) {
        my $is_done;
        $self->follow($follower, 500, sub { $is_done = 1 });
        $world->pump(sub { $is_done });
    }
    my $log = $self->look_at_all;
    my $check = $world->command('check')->{output} =~ s/^.* is ahead of the clock;.*\n?//mr;
    $world->problem("check: $check") if $check ne '';
    $self->compare_engine($_, { map { $_->{clientId} => $_ } @{$log->{$_->{member}}} }) for @{$self->{engines}};
    $self->compare_follower($_, $log->{$_->{member}}) for @followers;
    $self->compare_pairs($log);
}

1;
