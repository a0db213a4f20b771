# Performs the acts of members' programs in a QSOsync::Simulation::Round. Some programs send requests themselves, and
# other programs have an engine. Each act calls its last argument when the act ends.
package QSOsync::Simulation::Clients;
use strict;
use warnings;
use JSON::PP ();
use QSOsync::Front;
use QSOsync::Simulation::Qsos qw(any client_id name_of entries_of $SLOTS);

my $json = JSON::PP->new->utf8->canonical;

# Sends a request from a program without an engine. The network can lose the request, or deliver the request late or
# twice.
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

# Reads the whole log on one page. A slow reader delays the reading.
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

# Downloads by the recommended procedure, page by page.
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

# Acts as a member in a program with a sync engine, and syncs. The program can be killed during the sync.
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

# Serves a request of an engine, over a network that loses, duplicates and delays requests.
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

1;
