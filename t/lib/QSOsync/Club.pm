# A club's month in a minute: members whose phones and loggers follow the recommended procedure (the phones with
# includeDeleted), request by request, while workers are killed, the clock steps, the disk is full for a while, and
# backups are put back. It knows at every moment what the service must hold, and in the end what every client must have.
#
# One request follows another, chosen by a seeded random source: the same seed does the same again, as far as what is
# killed had come. Writers at the same time are the subject of QSOsync::Race.
package QSOsync::Club;
use strict;
use warnings;
use JSON::PP ();
use Time::HiRes qw(sleep time);
use QSOsync::Case;
use QSOsync::Faults;
use QSOsync::Front;
use QSOsync::Service;

my $json = JSON::PP->new->utf8->canonical;
my $HOUR_MS = 3_600_000;
my @CLOCKS = (0, 0, 0, -$HOUR_MS, $HOUR_MS, 24 * 366 * $HOUR_MS, -3000, 3000);
my $NO_SPACE = 28; # ENOSPC
my $LEAST_REQUESTS = 600; # on a machine that is slow at the moment the month takes longer

# new(seed => number, members => count, older => folder with programs of an older version, to begin with)
sub new {
    my ($class, %option) = @_;
    my $self = bless { %option, events => {}, next_version => 1, problems => [], clock_ms => 0 }, $class;
    srand $option{seed};
    $self->{faults} = QSOsync::Faults->new;
    my $clock = "$self->{faults}{folder}/clock.so";
    my $output = `cc -D_GNU_SOURCE -O1 -shared -fPIC -o '$clock' '$QSOsync::Front::SOURCE/t/powercut/boot.c' -ldl 2>&1`;
    die "clock.so: $output" if $? != 0;
    my %environment = (%{$self->{faults}->environment}, QSOSYNC_WRITE_WAIT_MS => 2000);
    $environment{LD_PRELOAD} .= " $clock";
    my $service = $self->{service} = QSOsync::Service->start(workers => 2, environment => \%environment,
        programs => $option{older});
    $service->expect_log(qr/./); # what kills and a full disk leave in the logs is not what this is about
    $self->{members} = [map { $self->new_member(sprintf '21SD%03d', $_) } 1 .. $option{members}];
    return $self;
}

sub new_member {
    my ($self, $callsign) = @_;
    my $service = $self->{service};
    $service->admin('member', 'add', $callsign, '--locator', 'JO59jw');
    my $key = $service->admin('key', 'add', $callsign, '--name', 'all', '--scope', 'WRITE');
    my $member = { callsign => $callsign, key => $key, truth => {} };
    $member->{clients} = [map { { member => $member, name => "$callsign $_", local => {}, pending => {}, queue => [],
        asks_deleted => $_ eq 'phone' } } qw(logger phone)];
    return $member;
}

sub any { return $_[rand @_] }
sub all_clients { return map { @{$_->{clients}} } @{$_[0]{members}} }
sub count { $_[0]{events}{$_[1]}++ }

sub problem {
    my ($self, $text) = @_;
    push @{$self->{problems}}, $text if @{$self->{problems}} < 20;
}

sub request {
    my ($self, $client, $method, $path, %option) = @_;
    $self->count('requests');
    my $response = $self->{service}->request($method, $path, key => $client->{member}{key}, timeout => 20, %option);
    return $response && $response->complete ? $response : undef;
}

# -- what clients do --------------------------------------------------------------------------------

# A version of a QSO: its number stands in the notes, by which copies are compared.
sub write_qso {
    my ($self, $client, $id, %field) = @_;
    my $version = "v$self->{next_version}";
    $self->{next_version}++;
    $client->{pending}{$id} = qso(clientId => $id, notes => $version, %field);
    $client->{local}{$id} = { %{$client->{pending}{$id}} };
    $self->count('writes');
}

# Now and then a contact that the other side logs, too.
sub log_contact {
    my ($self, $client) = @_;
    my $other = any(@{$self->{members}});
    my %at = (qsoAt => sprintf '2026-05-%02dT%02d:%02d:00.000Z', 1 + rand 28, rand 24, rand 60);
    $self->write_qso($client, uuid(), %at, callsignWorked => $other->{callsign},
        rand() < 0.2 ? (sendSpot => JSON::PP::true(), frequencyMhz => '27.555') : ());
    return if $other == $client->{member} || rand() < 0.5;
    $self->write_qso($other->{clients}[0], uuid(), %at, callsignWorked => $client->{member}{callsign});
}

sub change_qso {
    my ($self, $client) = @_;
    my $id = any(sort keys %{$client->{local}}) or return;
    $self->write_qso($client, $id, callsignWorked => any(@{$self->{members}})->{callsign});
}

sub delete_qso {
    my ($self, $client) = @_;
    my $id = any(grep { !$client->{pending}{$_} } sort keys %{$client->{local}}) or return;
    push @{$client->{queue}}, { delete => $id };
    delete $client->{local}{$id};
    $self->count('deletions');
}

# Sends what is first in the queue, or the next pending QSOs; what was not answered is sent again, unchanged. True when
# there is nothing to send.
sub send_next {
    my ($self, $client) = @_;
    if (!@{$client->{queue}}) {
        my @ids = (sort keys %{$client->{pending}})[0 .. 4];
        my @entries = map { { %{$client->{pending}{$_}} } } grep { defined } @ids;
        return 1 if !@entries;
        push @{$client->{queue}}, { entries => \@entries };
    }
    my $next = $client->{queue}[0];
    my $sent = $next->{entries} ? $self->send_batch($client, $next->{entries})
        : $self->send_deletion($client, $next->{delete});
    shift @{$client->{queue}} if $sent;
    $next->{unknown} = 1;
    return 0;
}

sub send_batch {
    my ($self, $client, $entries) = @_;
    my $response = $self->request($client, 'POST', '/logs/batch', json => { entries => $entries });
    return 0 if !$response || $response->status != 200;
    my @refused = grep { !$_->{id} } @{$response->json->{results}};
    $self->problem("$client->{name}: refused: " . $json->encode(\@refused)) if @refused;
    for my $entry (@$entries) {
        my $id = $entry->{clientId};
        $client->{member}{truth}{$id} = $entry->{notes};
        delete $client->{pending}{$id} if $client->{pending}{$id} && $client->{pending}{$id}{notes} eq $entry->{notes};
    }
    return 1;
}

sub send_deletion {
    my ($self, $client, $id) = @_;
    my $response = $self->request($client, 'DELETE', "/logs/$id");
    return 0 if !$response || $response->status !~ /\A(?:204|404)\z/;
    delete $client->{member}{truth}{$id};
    return 1;
}

# A page of a download; the first one begins it. What was not sent yet stays as the client has it.
sub download_page {
    my ($self, $client) = @_;
    my $sync = $client->{sync} ||= { seen => {}, whole => !defined $client->{since},
        deletions_known => $client->{asks_deleted} && ($client->{deletions_known} || !defined $client->{since}) };
    my $path = '/logs?limit=' . ($self->{limit} || 1 + int rand 40);
    $path .= "&updatedSince=$client->{since}" unless $sync->{whole};
    $path .= '&includeDeleted=true' if $client->{asks_deleted};
    $path .= "&cursor=$sync->{cursor}" if $sync->{cursor};
    my $response = $self->request($client, 'GET', $path);
    return if !$response || $response->status != 200;
    return if $self->noticed_restore($client, $response);
    my $page = $response->json;
    $sync->{server_time} //= $page->{serverTime};
    for my $item (@{$page->{items}}) {
        my $id = $item->{clientId};
        $sync->{seen}{$id} = 1;
        $self->problem("$client->{name}: $item->{syncedAt} is not after $client->{since}")
            if !$sync->{whole} && $item->{syncedAt} le $client->{since};
        $client->{local}{$id} = $item unless $client->{pending}{$id} || $self->is_being_deleted($client, $id);
    }
    $self->forget_deleted($client, $page) if $client->{asks_deleted};
    return $sync->{cursor} = $page->{nextCursor} if defined $page->{nextCursor};
    $client->{since} = $sync->{server_time};
    $client->{deletions_known} = $sync->{deletions_known};
    $self->send_what_is_missing($client) if $sync->{restored};
    delete $client->{sync};
    $self->count('downloads');
}

sub forget_deleted {
    my ($self, $client, $page) = @_;
    $client->{sync}{deletions_known} &&= $page->{deletedComplete};
    for my $deletion (@{$page->{deleted}}) {
        my $id = $deletion->{clientId};
        $self->problem("$client->{name}: $deletion->{deletedAt} is not after $client->{since}")
            if $deletion->{deletedAt} le $client->{since};
        delete $client->{local}{$id} if !$client->{pending}{$id};
        $self->count('deletions that were told');
    }
}

sub is_being_deleted {
    my ($self, $client, $id) = @_;
    return grep { defined $_->{delete} && $_->{delete} eq $id } @{$client->{queue}};
}

# Another epoch: download everything, delete nothing, and send what the older logbook lacks.
sub noticed_restore {
    my ($self, $client, $response) = @_;
    my $epoch = $response->header('X-Log-Epoch');
    my $is_new = defined $client->{epoch} && $client->{epoch} != $epoch;
    $client->{epoch} = $epoch;
    return 0 if !$is_new;
    delete @{$client}{qw(since etag deletions_known)};
    $client->{sync} = { seen => {}, whole => 1, restored => 1 };
    return 1;
}

sub send_what_is_missing {
    my ($self, $client) = @_;
    for my $id (grep { !$client->{sync}{seen}{$_} && !$client->{pending}{$_} } keys %{$client->{local}}) {
        my %qso = %{$client->{local}{$id}};
        delete @qso{qw(id crossConfirmedAt spottedAt createdAt syncedAt)};
        $client->{pending}{$id} = \%qso;
    }
}

sub look_for_deletions {
    my ($self, $client) = @_;
    return if $client->{sync} && $client->{sync}{restored} || $client->{deletions_known};
    my $response = $self->request($client, 'GET', '/logs/ids',
        headers => { $client->{etag} ? ('If-None-Match' => $client->{etag}) : () });
    return if !$response || $response->status !~ /\A(?:200|304)\z/ || $self->noticed_restore($client, $response);
    $client->{deletions_known} = $client->{asks_deleted};
    return $self->count('unchanged ids') if $response->status == 304;
    $client->{etag} = $response->header('ETag');
    my %listed = map { $_->{clientId} => 1 } @{$response->json->{items}};
    delete @{$client->{local}}{grep { !$listed{$_} && !$client->{pending}{$_} } keys %{$client->{local}}};
    $self->count('lists of ids');
}

sub act {
    my ($self, $client) = @_;
    return $self->download_page($client) if $client->{sync} && rand() < 0.7;
    my $chance = rand;
    return $self->log_contact($client) if $chance < 0.30;
    return $self->change_qso($client) if $chance < 0.35;
    return $self->delete_qso($client) if $chance < 0.38;
    return $self->look_for_deletions($client) if $chance < 0.42;
    return $self->download_page($client) if $chance < 0.60;
    # the program was ended

    return delete $client->{sync} if $chance < 0.605 && !($client->{sync} && $client->{sync}{restored});
    return $self->send_next($client);
}

# -- what happens to the service --------------------------------------------------------------------

sub restart {
    my ($self, $signal) = @_;
    my $service = $self->{service};
    $service->end_worker($_, $signal) for $service->worker_pids;
    $service->start_worker for 1 .. 2;
}

sub kill_workers {
    my ($self) = @_;
    $self->count('kills');
    $self->restart('KILL');
}

# From now on one more write or sync, then the worker ends in the middle of it.
sub kill_in_a_write {
    my ($self) = @_;
    $self->count('kills in a write');
    $self->{faults}->strike(any('write', 'sync'), at => 1 + int rand 12);
    $self->send_next(any($self->all_clients)) for 1 .. 4;
    $self->{faults}->lift;
    $self->download_page(any($self->all_clients)) for 1 .. 8; # by the worker that is left
    $self->restart(any('TERM', 'KILL'));
}

sub step_clock {
    my ($self) = @_;
    $self->count('steps of the clock');
    $self->{service}{environment}{BOOT_CLOCK_MS} = any(@CLOCKS);
    $self->restart('TERM');
}

sub fill_disk {
    my ($self) = @_;
    $self->count('full disks');
    $self->{faults}->strike('write', at => 1 + int rand 5, forever => 1, error => $NO_SPACE, half => int rand 2);
    $self->act(any($self->all_clients)) for 1 .. 5 + rand 20;
    $self->{faults}->lift;
}

# Only when each request's outcome is known is it known what a backup holds.
sub settle {
    my ($self) = @_;
    for my $client ($self->all_clients) {
        for (1 .. 20) {
            last if !@{$client->{queue}} || !$client->{queue}[0]{unknown};
            $self->send_next($client);
        }
    }
}

sub back_up {
    my ($self) = @_;
    $self->settle;
    my $path = $self->{service}->directory . '/backup.db';
    unlink $path;
    $self->{service}->admin('backup', $path);
    $self->{backup} = { path => $path, truth => [map { { %{$_->{truth}} } } @{$self->{members}}] };
    $self->count('backups');
}

sub restore {
    my ($self) = @_;
    return if !$self->{backup};
    $self->settle;
    sleep 0.1 while time < ($self->{restored_at} // 0) + 1.1; # the former logbook is named after the second
    $self->{service}->admin('restore', $self->{backup}{path});
    $self->{restored_at} = time;
    $self->{members}[$_]{truth} = { %{$self->{backup}{truth}[$_]} } for 0 .. $#{$self->{members}};
    $self->count('restores');
}

# The first workers of this version meet the older ones, which refuse to serve from then on.
sub upgrade {
    my ($self) = @_;
    $self->count('upgrades');
    my $service = $self->{service};
    $service->take_own_programs;
    $service->start_worker;
    $self->act(any($self->all_clients)) for 1 .. 20;
    $self->restart('TERM');
}

my @HAPPENINGS = ([4, \&kill_workers], [6, \&kill_in_a_write], [3, \&step_clock], [3, \&fill_disk], [3, \&back_up],
    [1, \&restore]);

sub run {
    my ($self, $seconds) = @_;
    my $end = time + $seconds;
    my $upgrade = $self->{older} && $end - $seconds * 2 / 3;
    my @clients = $self->all_clients;
    my @happenings = map { ($_->[1]) x $_->[0] } @HAPPENINGS;
    while (time < $end || $self->{events}{requests} < $LEAST_REQUESTS) {
        $self->act(any(@clients)) for 1 .. 60;
        any(@happenings)->($self);
        next if !$upgrade || time < $upgrade;
        $self->upgrade;
        undef $upgrade;
    }
}

# -- the end ----------------------------------------------------------------------------------------

# Everybody sends what is left and downloads what changed; twice, because the second may have sent something new.
sub finish {
    my ($self) = @_;
    $self->{faults}->lift;
    $self->{limit} = 500;
    for my $round (1 .. 3) {
        for my $client ($self->all_clients) {
            for (1 .. 1000) { last if $self->send_next($client) }
            $self->download_page($client);
            for (1 .. 100) { last if !$client->{sync}; $self->download_page($client) }
            $self->look_for_deletions($client);
        }
    }
    $self->compare($_) for @{$self->{members}};
}

sub compare {
    my ($self, $member) = @_;
    my %log = map { $_->{clientId} => $_ } $self->{service}->download(key => $member->{key});
    for my $id (sort keys %{{ %log, %{$member->{truth}} }}) {
        my ($is, $wanted) = map { $_ // 'nothing' } $log{$id} && $log{$id}{notes}, $member->{truth}{$id};
        $self->problem("$member->{callsign}: $id: the service holds $is, not $wanted") if $is ne $wanted;
    }
    for my $client (@{$member->{clients}}) {
        for my $id (sort keys %{{ %log, %{$client->{local}} }}) {
            my ($has, $wanted) = map { $_ ? $json->encode($_) : 'nothing' } $client->{local}{$id}, $log{$id};
            $self->problem("$client->{name} has $has\n    of $wanted") if $has ne $wanted;
        }
    }
}

1;
