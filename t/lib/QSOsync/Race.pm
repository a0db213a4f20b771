# Writers and readers at once: clients that follow the recommended procedure to the letter, and what they have
# in the end.
package QSOsync::Race;
use strict;
use warnings;
use JSON::PP ();
use POSIX ();
use Time::HiRes qw(time);
use QSOsync::Case;

my $json = JSON::PP->new->canonical;
my $LEAST_ROUNDS = 40; # of a writer

# One process a call; what it returns comes back through a file.
sub in_background {
    my ($service, $name, $work) = @_;
    my $path = $service->directory . "/race-$name.json";
    my $pid = fork;
    die "fork: $!" unless defined $pid;
    return { pid => $pid, path => $path } if $pid;
    srand; # from the system: time and process id together give two processes one seed now and then
    my $result = eval { $work->() } || { error => $@ };
    open my $file, '>', $path or POSIX::_exit(1);
    print {$file} $json->encode($result);
    close $file;
    POSIX::_exit(0);
}

sub result_of {
    my ($job) = @_;
    waitpid $job->{pid}, 0;
    open my $file, '<', $job->{path} or return { error => "no result: $!" };
    local $/;
    return $json->decode(<$file>);
}

# Batches of a few QSOs, updates among them, deletions, and QSOs that come back; on a machine that is slow at the
# moment for longer, until there were enough of them.
sub writer {
    my ($service, $member, $partner, $end) = @_;
    my (@own, @gone, $batches);
    my $rounds = 0;
    while (++$rounds <= $LEAST_ROUNDS || time < $end) {
        if (@own > 20 && rand() < 0.2) {
            my $gone = splice @own, int rand @own, 1;
            $service->delete_qso($gone, key => $member->{write_key})->status == 204 or die 'not deleted';
            push @gone, $gone;
            next;
        }
        my @entries = map {
            qso(callsignWorked => $partner->{callsign}, qsoAt => sprintf('2026-05-17T19:%02d:00Z', rand 60),
                @own && rand() < 0.4 ? (clientId => $own[rand @own]) : @gone && rand() < 0.1 ? (clientId => shift @gone)
                : ())
        } 1 .. 1 + rand 4;
        my $response = $service->post_batch(\@entries, key => $member->{write_key});
        $response && $response->status == 200 or die 'not saved';
        my %seen = map { $_ => 1 } @own;
        push @own, grep { !$seen{$_}++ } map { $_->{clientId} } @entries;
        $batches++;
    }
    return { batches => $batches };
}

# One incremental download: the pages of what changed since $replica->{since}, and of what was deleted where the
# replica asks for that.
sub synchronise {
    my ($service, $member, $replica) = @_;
    my ($cursor, $server_time, $last);
    do {
        my $path = '/logs?limit=' . (1 + int rand 50);
        $path .= "&updatedSince=$replica->{since}" if $replica->{since};
        $path .= '&includeDeleted=true' if $replica->{asks};
        $path .= "&cursor=$cursor" if defined $cursor;
        my $page = $service->get($path, key => $member->{read_key})->json;
        $server_time ||= $page->{serverTime};
        $last = apply_page($replica, $page, $last);
        $cursor = $page->{nextCursor};
    } while (defined $cursor);
    $replica->{since} = $server_time;
    $replica->{downloads}++;
}

# Items and deletions in the order of their stamps, of which $last was the one before; returns the last one.
sub apply_page {
    my ($replica, $page, $last) = @_;
    my @changes = sort { $a->[0] cmp $b->[0] } map({ [$_->{syncedAt}, $_] } @{$page->{items}}),
        map({ [$_->{deletedAt}, $_] } @{$page->{deleted} || []});
    for my $change (@changes) {
        my ($stamp, $qso) = @$change;
        $replica->{late}++ if $replica->{since} && $stamp le $replica->{since};
        $replica->{disorder}++ if defined $last && $stamp lt $last;
        $last = $stamp;
        $replica->{items}{$qso->{clientId}} = $qso;
        delete $replica->{items}{$qso->{clientId}} if $qso->{deletedAt};
        $replica->{deletions}++ if $qso->{deletedAt};
    }
    $replica->{unknown}++ if $replica->{asks} && !$page->{deletedComplete};
    return $last;
}

# Removes what the service no longer lists.
sub forget_deleted {
    my ($service, $member, $replica) = @_;
    my %listed = map { $_->{clientId} => 1 } @{$service->get('/logs/ids', key => $member->{read_key})->json->{items}};
    delete @{$replica->{items}}{grep { !$listed{$_} } keys %{$replica->{items}}};
}

# Runs the race; returns how many QSOs the replicas lack or hold in an old state, and the other counts.
sub run {
    my ($service, %option) = @_;
    my $end = time + $option{seconds};
    my @members = map { $service->add_member("21SD10$_") } 1 .. 4;
    my @writers = map {
        my $number = $_;
        in_background($service, "writer$number",
            sub { writer($service, $members[$number % 4], $members[($number + 1) % 4], $end) })
    } 1 .. $option{writers};
    my @readers = map {
        my $number = $_;
        in_background($service, "reader$number", sub {
            my $replica = { asks => $number % 8 < 4 };
            do { synchronise($service, $members[$number % 4], $replica) } while time < $end;
            return $replica;
        })
    } 1 .. $option{readers};
    my %sum = map { $_ => 0 } qw(batches downloads lost late disorder left deletions unknown);
    for my $result (map { result_of($_) } @writers) {
        die $result->{error} if $result->{error};
        $sum{batches} += $result->{batches} || 0;
    }
    my $number = 0;
    for my $replica (map { result_of($_) } @readers) {
        die $replica->{error} if $replica->{error};
        my $member = $members[++$number % 4];
        synchronise($service, $member, $replica); # the last one, after every writer has ended
        forget_deleted($service, $member, $replica) if !$replica->{asks};
        my %truth = map { $_->{clientId} => $_ } $service->download(key => $member->{read_key});
        $sum{lost} += grep { $json->encode($truth{$_}) ne $json->encode($replica->{items}{$_} || {}) } keys %truth;
        $sum{left} += grep { !$truth{$_} } keys %{$replica->{items}};
        $sum{$_} += $replica->{$_} || 0 for qw(late disorder downloads deletions unknown);
    }
    return \%sum;
}

1;
