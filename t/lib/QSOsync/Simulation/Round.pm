# One round of a simulation: members whose programs write, read and follow, an operator, and the events around them, in
# waves of simultaneous actions. All choices of a wave depend only on the seed and the wave's number, so that other
# waves can be left out. QSOsync::Simulation::Judge judges the result.
package QSOsync::Simulation::Round;
use strict;
use warnings;
use Errno qw(EIO ENOSPC);
use JSON::PP ();
use List::Util qw(shuffle);
use QSOsync::Adif qw(adif_record);
use QSOsync::Front;
use QSOsync::Simulation::Judge;
use QSOsync::Simulation::World;

my $json = JSON::PP->new->utf8->canonical;
my @CALLSIGNS = qw(21SD001 26AT002 161DA003);
my @PAIR = (1, 0); # members whose QSOs may confirm each other
my $SLOTS = 14;    # QSOs of a member that are written again and again
my @CLOCKS = (0, 0, -3000, 3000, -3_600_000, 3_600_000);
my $OUTAGE_MS = 3 * 3_600_000; # then every clock is later than any time shown before

sub any { return $_[rand @_] }

# new(seed, waves => numbers of the waves to play)
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

# A key; the history identifies the writer by its name.
sub new_key {
    my ($self, $number, $kind, $scope) = @_;
    my $name = $kind . ++$self->{keys};
    my $made = $self->{world}->command('key', 'add', $self->{members}[$number]{callsign}, '--name', $name,
        '--scope', $scope);
    die "no key: $made->{output}\n" if $made->{status} != 0;
    return { secret => $made->{output}, name => $name, kind => $kind, scope => $scope, member => $number,
        life => $self->{world}{life} };
}

# A number from 0 to 1 for events inside a wave, whose order does not depend on the seed.
sub roll {
    my ($self) = @_;
    $self->{lcg} = ($self->{lcg} * 1103515245 + 12345) % 2**31;
    return $self->{lcg} / 2**31;
}

# -- QSOs -------------------------------------------------------------------------------------------

sub client_id { return sprintf '00000000-0000-4000-8000-%04d%08d', @_ }

# A version of a QSO; its notes name the version. At each time a member has one QSO, and the partner's QSO at the same
# time confirms it if both name each other.
sub version {
    my ($self, $number, $slot) = @_;
    my $name = 'v' . ++$self->{versions};
    my $worked = defined $PAIR[$number] && rand() < 0.7 ? $CALLSIGNS[$PAIR[$number]] : '26ZZ1';
    my $at = sprintf '2026-05-%02dT%02d:00:00.000Z', 1 + int $slot / 24, $slot % 24;
    $self->{content}{$name} = "$worked $at";
    return { clientId => client_id($number, $slot), band => 'ELEVEN_METERS', frequencyMhz => '27.555', mode => 'USB',
        qsoAt => $at, callsignWorked => $worked, notes => $name . (rand() < 0.1 ? ' long' x 390 : ''),
        rand() < 0.1 ? (sendSpot => JSON::PP::true()) : () };
}

sub name_of { my ($qso) = @_; return ($qso->{notes} // '') =~ /\A(v\d+)/ ? $1 : '?' }

sub some_qsos {
    my ($self, $number, $most) = @_;
    return map { $self->version($number, $_) } (shuffle 0 .. $SLOTS - 1)[0 .. int rand $most];
}

sub entries_of { return [map { [$_->{clientId}, name_of($_)] } @_] }

# -- actions of members' programs; each calls its last argument at its end ---------------------------

# A request from a program without an engine: the network may lose it, deliver it late, or twice.
sub post {
    my ($self, $done, %request) = @_;
    my $world = $self->{world};
    my $fate = rand() < 0.75 || !$self->{trouble} ? 'pass' : any(qw(lost late twice twice));
    return $done->() if $fate eq 'lost';
    if ($fate eq 'late') {
        $world->after(0.02 + rand 0.3, sub { $world->send(%request) });
        return $done->();
    }
    $world->send(%request) if $fate eq 'twice';
    $world->send(%request, done => $done);
}

sub batch {
    my ($self, $member, $done) = @_;
    my @qsos = $self->some_qsos($member->{number}, 4);
    my $key = any(@{$member->{keys}});
    $self->post($done, method => 'POST', path => '/logs/batch', key => $key->{secret}, writer => $key->{name},
        member => $member->{number}, body => $json->encode({ entries => \@qsos }), entries => entries_of(@qsos));
}

sub delete_qso {
    my ($self, $member, $done) = @_;
    my $key = any(@{$member->{keys}});
    my $id = client_id($member->{number}, int rand $SLOTS);
    $self->post($done, method => 'DELETE', path => "/logs/$id", key => $key->{secret}, writer => $key->{name},
        member => $member->{number}, deletes => $id);
}

# The whole log on one page; a slow reader delays reading it.
sub read_whole {
    my ($self, $member, $done) = @_;
    my $slow = $self->{trouble} && rand() < 0.2;
    $self->{world}->send(method => 'GET', path => '/logs?limit=500', key => $member->{keys}[0]{secret}, whole => 1,
        member => $member->{number}, paused => $slow, done => $done);
    $self->{world}->after(0.05 + rand 0.2, sub { $self->{world}->resume }) if $slow;
}

sub read_ids {
    my ($self, $member, $done) = @_;
    $self->{world}->send(method => 'GET', path => '/logs/ids', key => $member->{keys}[0]{secret}, ids => 1,
        member => $member->{number}, done => $done);
}

# A download by the recommended procedure, page by page.
sub follow {
    my ($self, $follower, $limit, $done) = @_;
    return $done->() if $follower->{is_busy}++;
    my $world = $self->{world};
    my $download = { what => 'follow', %$follower, since => $follower->{since}, before => { %{$follower->{copy}} },
        pages => [], start => $world->now };
    my $end = sub { $follower->{is_busy} = 0; $done->() };
    my $ask = sub {
        my ($ask, $cursor) = @_;
        my $path = "/logs?limit=$limit" . ($download->{since} ? "&updatedSince=$download->{since}" : '')
            . ($follower->{asks} ? '&includeDeleted=true' : '') . ($cursor ? "&cursor=$cursor" : '');
        $world->send(method => 'GET', path => $path, key => $self->{members}[$follower->{member}]{keys}[0]{secret},
            member => $follower->{member}, since => $download->{since}, done => sub {
                my ($page) = @_;
                return $end->() if ($page->{status} // 0) != 200;
                if (defined $follower->{epoch} && $follower->{epoch} != $page->{epoch}) {
                    %$follower = (member => $follower->{member}, asks => $follower->{asks}, copy => {});
                    return $done->();
                }
                $follower->{epoch} = $page->{epoch};
                push @{$download->{pages}}, $page;
                return $ask->($ask, $page->{json}{nextCursor}) if defined $page->{json}{nextCursor};
                $self->end_download($follower, $download);
                $end->();
            });
    };
    $ask->($ask);
}

sub end_download {
    my ($self, $follower, $download) = @_;
    my $copy = $download->{since} ? $follower->{copy} : ($follower->{copy} = {});
    for my $page (map { $_->{json} } @{$download->{pages}}) {
        my %change = map { $_->{clientId} => $_ } @{$page->{items}}, @{$page->{deleted} || []};
        for my $id (keys %change) {
            if ($change{$id}{deletedAt}) { delete $copy->{$id} }
            else { $copy->{$id} = name_of($change{$id}) }
        }
    }
    $follower->{since} = $download->{pages}[0]{json}{serverTime};
    $self->{world}->note({ %$download, end => $self->{world}->now });
}

# -- engines ----------------------------------------------------------------------------------------

sub command_of {
    my ($self, $engine) = @_;
    my ($name, $url) = ($engine->{name}, $self->{world}->url);
    my $folder = "$self->{world}{directory}/$name";
    mkdir $folder;
    my $tools = "$QSOsync::Front::SOURCE/t/simulate";
    my @log = ($url, $engine->{key}{secret}, $folder);
    return $name eq 'py' ? ('python3', "$tools/engine.py", "$QSOsync::Front::BUILD/clients", @log)
        : ('node', "$tools/engine.mjs", $name, "$QSOsync::Front::SOURCE/src/clients", @log);
}

sub tell {
    my ($self, $engine, $command, $done) = @_;
    my $world = $self->{world};
    my $program = $world->{engines}{$engine->{name}}
        || $world->start_engine($engine->{name}, $self->command_of($engine));
    $world->ask($program, $command, $done);
}

# A member's actions in a program with a sync engine, and a sync during which the program may be killed.
sub use_engine {
    my ($self, $engine, $done) = @_;
    if ($engine->{key}{scope} eq 'WRITE') {
        for my $qso ($self->some_qsos(0, 3)) {
            $self->tell($engine, rand() < 0.25 ? { do => 'delete', key => $qso->{clientId} }
                : { do => 'save', qso => $qso }, sub { });
        }
        $self->tell($engine, { do => 'decide', choice => any(qw(mine theirs)) }, sub { }) if rand() < 0.3;
    }
    $self->tell($engine, { do => 'sync' }, $done);
    my $program = $self->{world}{engines}{$engine->{name}};
    return if !$self->{trouble} || rand() > 0.1;
    $self->{world}->after(rand 0.1, sub { $self->{world}->end_engine($program) if @{$program->{asked}} });
}

# A request of an engine, over a network that loses, doubles and delays requests.
sub serve_engine {
    my ($self, $request, $socket) = @_;
    my $world = $self->{world};
    my ($engine) = grep { $_->{key}{secret} eq $request->{key} } @{$self->{engines}};
    return close $socket if !$engine;
    my %asked = (%$request, writer => $engine->{key}{name}, member => $engine->{member});
    $asked{deletes} = $1 if $request->{method} eq 'DELETE' && $request->{path} =~ m{/logs/(\S+)};
    $asked{entries} = entries_of(@{$json->decode($request->{body})->{entries}}) if defined $request->{body};
    $asked{ids} = 1 if $request->{path} eq '/logs/ids';
    ($asked{since}) = $request->{path} =~ /updatedSince=([^&]*)/;
    $asked{since} =~ s/%3A/:/gi if $asked{since};
    my $dice = $self->{trouble} ? $self->roll : 1;
    if ($dice < 0.04 || $dice < 0.10) { close $socket }
    return if $dice < 0.04;
    return $world->after(0.1 + $dice, sub { $world->send(%asked) }) if $dice < 0.07;
    $world->send(%asked) if $dice > 0.10 && $dice < 0.14;
    $world->send(%asked, done => sub { $world->pass_on($_[0], $socket, $dice < 0.2) if $dice >= 0.10 });
}

# -- uploads, and the operator ----------------------------------------------------------------------

sub record_of {
    my ($qso, @fields) = @_;
    my ($date, $time) = map { s/[-:]//gr } $qso->{qsoAt} =~ /(\S{10})T(\S{8})/;
    return adif_record(CALL => $qso->{callsignWorked}, QSO_DATE => $date, TIME_ON => $time, BAND => '11m',
        FREQ => '27.555', MODE => 'SSB', SUBMODE => 'USB', NOTES => $qso->{notes}, @fields);
}

sub upload {
    my ($self, $member, $done) = @_;
    my $qso = $self->version(1, 100 + $self->{versions} % 400);
    $self->{world}->send(method => 'POST', path => '/cloudlog/api/qso', site => 1, member => 1, writer => 'upload',
        uploads => name_of($qso), done => $done, body => $json->encode({ key => $self->{token},
            station_profile_id => '1', type => 'adif', string => record_of($qso) }));
}

sub import_file {
    my ($self, $member, $done) = @_;
    my @qsos = $self->some_qsos($member->{number}, 5);
    my $path = "$self->{world}{directory}/import-" . ++$self->{imports};
    QSOsync::Front::write_file($path, join '', map { record_of($_, APP_QSOSYNC_CLIENT_ID => $_->{clientId}) } @qsos);
    $self->operate($done, { what => 'import', member => $member->{number}, writer => 'import',
        entries => entries_of(@qsos) }, 'import', $member->{callsign}, $path);
}

# Undoes all that a key wrote; its writes in earlier lives of the log are unknown here.
sub undo {
    my ($self, $member, $done, $key) = @_;
    $key ||= any(@{$member->{keys}});
    return $done->() if $key->{life} != $self->{world}{life};
    my $act = 'undo' . ++$self->{undos};
    $self->operate($done, { what => 'undo', member => $member->{number}, writer => $act, by => $key->{name} },
        'undo', $member->{callsign}, '--by', $key->{name}, '--since', '2026-01-01T00:00:00Z');
}

sub operate {
    my ($self, $done, $act, @command) = @_;
    $self->{world}->start_command(sub {
        my ($result) = @_;
        $self->{world}->note({ %$act, %$result });
        $done->($result);
    }, @command);
}

sub back_up {
    my ($self, $member, $done) = @_;
    my $number = ++$self->{backups};
    $self->operate(sub {
        $self->{backup} = $number if $_[0]{status} == 0;
        $done->();
    }, { what => 'backup', number => $number }, 'backup', "$self->{world}{directory}/backup-$number.db");
}

sub revoke {
    my ($self, $member, $done) = @_;
    my $key = pop @{$member->{keys}};
    my $list = $json->decode($self->{world}->command('key', 'list', $member->{callsign}, '--json')->{output});
    my ($number) = map { $_->{number} } grep { $_->{name} eq $key->{name} } @$list;
    unshift @{$member->{keys}}, $self->new_key($member->{number}, 'C', 'WRITE');
    my $world = $self->{world};
    my $stops = !$world->{power} && rand() < 0.5; # before it takes the lock, with a valid key
    $world->{faults}->strike('lock', at => 1, stop => 1) if $stops;
    $world->send(method => 'POST', path => '/logs/batch', key => $key->{secret}, writer => $key->{name},
        member => $member->{number}, map({ (body => $json->encode({ entries => $_ }), entries => entries_of(@$_)) }
            [$self->some_qsos($member->{number}, 4)]));
    push @{$self->{revoked}}, $key;
    $world->pump(sub { $world->has_stopped }, 5) if $stops;
    $world->{faults}->lift;
    $self->operate(sub {
        $world->send(method => 'GET', path => '/me', key => $key->{secret}, done => $done);
        $self->read_whole($member, sub { $world->signal_workers('CONT') });
    }, { what => 'revoke', key => $key->{secret} }, 'key', 'revoke', $member->{callsign}, $number);
}

# QSOs written while one member of a pair was disabled never confirm anything.
sub disable {
    my ($self, $member, $done) = @_;
    $member = any($member, $self->{members}[2], $self->{members}[2]);
    $self->{had_no_partner} ||= defined $PAIR[$member->{number}];
    my $enable = sub {
        my ($disabled) = @_;
        $self->{world}->start_command(sub {
            $self->{world}->note({ what => 'disable', member => $member->{number}, start => $disabled->{start},
                since => $disabled->{end}, until => $_[0]{start}, end => $_[0]{end} });
            $done->();
        }, 'member', 'enable', $member->{callsign});
    };
    $self->{world}->start_command(sub {
        my ($disabled) = @_;
        $self->{world}->send(method => 'GET', path => '/me', key => $member->{keys}[0]{secret},
            member => $member->{number}, done => sub { $enable->($disabled) });
    }, 'member', 'disable', $member->{callsign});
}

sub rename_member {
    my ($self, $member, $done) = @_;
    $member = $self->{members}[2];
    my $new = '161DA' . (100 + ++$self->{renames});
    $self->operate(sub { $member->{callsign} = $new if $_[0]{status} == 0; $done->() }, { what => 'rename' },
        'member', 'rename', $member->{callsign}, $new);
}

# -- waves ------------------------------------------------------------------------------------------

# How often each event is drawn, and its name.
my @ACTIONS = ([9, 'batch'], [4, 'delete_qso'], [3, 'read_whole'], [1, 'read_ids'], [8, 'follow'], [5, 'use_engine'],
    [1, 'upload'], [1, 'import_file'], [1, 'undo'], [1, 'back_up']);
my @CALM = ([4, 'revoke'], [3, 'disable'], [1, 'rename_member'], [2, 'undo']); # writes whose outcome must be known

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

# A writer stops in the middle of a write; readers read, and the writer continues.
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

# Every client receives the current time, which must not occur again.
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

# A writer dies in its sync, and from then on the disk fails. No client is shown data that the disk has not accepted,
# even if all programs restart and find it in the log.
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

# Writes whose sync fails are refused. If the disk keeps part of them, they are later than every time that clients
# receive, even after a write that changes nothing.
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

# A write whose sync failed is found in the log when all programs restart. The system no longer writes it by itself, and
# later acknowledged writes depend on it.
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

# Runs the steps before a power cut, when no other request is in flight or in doubt. Returns the time that the clock
# returns to, and the part of the doubtful write that the disk keeps; by default any part.
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
    srand $self->{seed} * 1013 + $wave; # only this decides what the disk keeps
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

# Everyone reads the log at the end of one life, and the next life begins with this state.
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
        my $prefix = substr $CALLSIGNS[$member->{number}], 0, 5; # renamed since the backup
        ($member->{callsign}) = grep { index($_, $prefix) == 0 } @names;
        my $is_new = ++$self->{renewals} < 10; # or there would be too many keys; writes of old keys are never undone
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

# A key that was created after the backup may no longer exist.
sub renewed {
    my ($self, $key) = @_;
    return $self->works($key) ? $key : $self->new_key(@{$key}{qw(member kind scope)});
}

# -- the end ----------------------------------------------------------------------------------------

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

sub told {
    my ($qso) = @_;
    return 'nothing' if !$qso;
    return name_of($qso) . ', ' . join ', ', map { "$_ " . ($qso->{$_} // 'null') } qw(id syncedAt crossConfirmedAt);
}

sub compare_engine {
    my ($self, $engine, $log) = @_;
    my $world = $self->{world};
    return $world->problem("$engine->{name} failed at its end: $engine->{outcome}") if $engine->{outcome};
    my $copy;
    $self->tell($engine, { do => 'copy' }, sub { $copy = $_[0] || {} });
    $world->pump(sub { $copy });
    my ($is, $wanted) = map { my $of = $_; +{ map { $_ => $json->encode($of->{$_}) } keys %$of } } $copy->{items}, $log;
    $world->problem("$engine->{name} has " . told($copy->{items}{$_}) . " for $_, but the log has " . told($log->{$_}))
        for grep { ($is->{$_} // '') ne ($wanted->{$_} // '') } sort keys %{{ %$is, %$wanted }};
    $world->problem("$engine->{name} still waits") if $copy->{waiting};
    my $refused = $json->encode($copy->{refused});
    $world->problem("$engine->{name}: refused: $refused") if $refused ne '[]';
}

sub compare_follower {
    my ($self, $follower, $items) = @_;
    my %log = map { $_->{clientId} => name_of($_) } @$items;
    my $copy = $follower->{copy};
    delete @{$copy}{grep { !$log{$_} } keys %$copy} if !$follower->{asks}; # as /logs/ids reports
    for my $id (sort keys %{{ %log, %$copy }}) {
        my ($has, $wanted) = ($copy->{$id} // 'nothing', $log{$id} // 'nothing');
        $self->{world}->problem("a client of member $follower->{member} has $has for $id, but the log has $wanted")
            if $has ne $wanted;
    }
}

# Two QSOs confirm each other if both exist and name each other.
sub compare_pairs {
    my ($self, $log) = @_;
    my @at = map { my $number = $_; +{ map { $_->{qsoAt} => $_ } @{$log->{$number}} } } 0, 1;
    for my $number (0, 1) {
        my $of = $PAIR[$number];
        for my $qso (values %{$at[$number]}) {
            my $other = $at[$of]{$qso->{qsoAt}};
            my $wanted = $other && $qso->{callsignWorked} eq $CALLSIGNS[$of]
                && $other->{callsignWorked} eq $CALLSIGNS[$number];
            $self->{world}->problem("member $number: $qso->{clientId}: confirmed is "
                . ($qso->{crossConfirmedAt} // 'not') . ", but it has " . ($wanted ? 'a' : 'no') . ' partner')
                if $wanted ? !$qso->{crossConfirmedAt} && !$self->{had_no_partner} : $qso->{crossConfirmedAt};
        }
    }
}

1;
