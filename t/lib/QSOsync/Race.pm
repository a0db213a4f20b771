# Writers that never rest and clients that keep a copy of a log as the API's procedure says: everything
# that changed, page by page, then the list of ids to find what was deleted. Texts are compared and cut
# with patterns instead of being decoded: a client must be faster than the writers it chases.
package QSOsync::Race;
use strict;
use warnings;
use Exporter 'import';
use POSIX ();
use QSOsync::Case;

our @EXPORT = qw(in_parallel write_for_a_while follow_until replica_of_download new_replica);

# Runs each function in a process of its own, and returns what each of them returned: a text. A function
# that dies returns "died: ..."
sub in_parallel {
    my ($directory, @functions) = @_;
    my @pids;
    for my $number (0 .. $#functions) {
        my $pid = fork;
        die "fork: $!" unless defined $pid;
        if (!$pid) {
            my $text = eval { $functions[$number]->() };
            $text = "died: $@" unless defined $text;
            open my $file, '>', "$directory/$number" or POSIX::_exit(1);
            print {$file} $text;
            close $file;
            POSIX::_exit(0);
        }
        push @pids, $pid;
    }
    waitpid $_, 0 for @pids;
    return map { open(my $file, '<', "$directory/$_") ? do { local $/; <$file> // '' } : 'died' }
        0 .. $#functions;
}

# -- writing ----------------------------------------------------------------------------------------

sub entry {
    my ($client_id, $worked, $version) = @_;
    return sprintf '{"clientId":"%s","band":"ELEVEN_METERS","qsoAt":"2026-05-17T19:%02d:00Z",'
        . '"callsignWorked":"%s","notes":"%s"}', $client_id, rand 60, $worked, $version;
}

# Sends batches and deletions as member until the time is over; most QSOs are written once only, because a
# later write would make up for one that a reader missed. Returns a line "clientId version" for each QSO
# that the log must hold in the end, after what the service acknowledged.
sub write_for_a_while {
    my ($service, $key, $worked, $end) = @_;
    my (%version, $count);
    while (time < $end) {
        my @ids = keys %version;
        if (@ids > 20 && rand() < 0.15) {
            my $id = $ids[rand @ids];
            my $status = $service->delete_qso($id, key => $key)->status;
            die "a deletion gave $status" if $status != 204;
            delete $version{$id};
            next;
        }
        my %batch = map { ((@ids && rand() < 0.1) ? $ids[rand @ids] : uuid()) => ++$count }
            1 .. 1 + int rand 12;
        my $body = join ',', map { entry($_, $worked, $batch{$_}) } sort keys %batch;
        my $response = $service->request('POST', '/logs/batch', key => $key,
            body => qq({"entries":[$body]}), headers => { 'Content-Type' => 'application/json' });
        die 'a batch gave ' . ($response ? $response->status : 'nothing') if !$response || $response->status != 200;
        die 'a batch had an error: ' . $response->body if $response->body =~ /"error"/;
        %version = (%version, %batch);
    }
    return join "\n", map { "$_ $version{$_}" } sort keys %version;
}

# -- reading ----------------------------------------------------------------------------------------

sub new_replica { return { items => {}, since => undef, etag => undef, wrong => [] } }

sub complain { push @{$_[0]{wrong}}, $_[1] if @{$_[0]{wrong}} < 5 }

# One page into the replica; its nextCursor and serverTime.
sub apply_page {
    my ($replica, $body, $last) = @_;
    my ($items, $cursor, $time) =
        $body =~ /\A\{"items":\[(.*)\],"nextCursor":(null|"[^"]*"),"serverTime":"([^"]*)"\}\z/s
        or die "not a page: $body";
    for my $item ($items =~ /(\{[^}]*\})/g) {
        my ($id) = $item =~ /"clientId":"([^"]*)"/;
        my ($stamp) = $item =~ /"syncedAt":"([^"]*)"/;
        my ($number) = $item =~ /"id":"(\d+)"/;
        my $place = sprintf '%s %012d', $stamp, $number;
        complain($replica, "$place came after $$last") if $place le $$last;
        complain($replica, "$stamp is not after updatedSince $replica->{since}")
            if defined $replica->{since} && $stamp le $replica->{since};
        $$last = $place;
        $replica->{items}{$id} = $item;
    }
    return ($cursor eq 'null' ? undef : substr($cursor, 1, -1), $time);
}

# One synchronisation by the procedure: the pages of what changed, and then the ids.
sub synchronise {
    my ($service, $key, $replica, $limit) = @_;
    my ($cursor, $server_time, $last) = (undef, undef, '');
    my $first = 1;
    while ($first || defined $cursor) {
        my $path = "/logs?limit=$limit" . (defined $replica->{since} ? "&updatedSince=$replica->{since}" : '')
            . (defined $cursor ? "&cursor=$cursor" : '');
        my $response = $service->request('GET', $path, key => $key);
        die 'a page gave ' . ($response ? $response->status : 'nothing') if !$response || $response->status != 200;
        ($cursor, my $time) = apply_page($replica, $response->body, \$last);
        $server_time = $time if $first;
        $first = 0;
    }
    $replica->{since} = $server_time;
    my $response = $service->request('GET', '/logs/ids', key => $key,
        headers => { defined $replica->{etag} ? ('If-None-Match' => $replica->{etag}) : () });
    return if $response->status == 304;
    die 'the ids gave ' . $response->status if $response->status != 200;
    $replica->{etag} = $response->header('ETag');
    my %listed = map { $_ => 1 } $response->body =~ /"clientId":"([^"]*)"/g;
    delete $replica->{items}{$_} for grep { !$listed{$_} } keys %{$replica->{items}};
}

# Keeps the replica up to date until the time is over and everyone has stopped writing, and once more
# after that.
sub follow_until {
    my ($service, $key, $replica, $limit, $have_ended) = @_;
    my $times = 0;
    until ($have_ended->()) {
        synchronise($service, $key, $replica, $limit);
        $times++;
    }
    synchronise($service, $key, $replica, $limit);
    return $times;
}

sub replica_of_download {
    my ($service, $key) = @_;
    my $replica = new_replica();
    synchronise($service, $key, $replica, 500);
    return $replica;
}

1;
