# Collects the operations on each register from a history, for QSOsync::Simulation::Judge: writes, deletions and reads
# of a QSO.
package QSOsync::Simulation::Registers;
use strict;
use warnings;
use QSOsync::Simulation::Qsos qw(name_of);

our $FOREVER = 9**15; # the end of an operation without an answer

sub add {
    my ($self, $entry, $id, $kind, %more) = @_;
    my $operation = { kind => $kind, start => $entry->{start}, end => $entry->{end}, %more };
    push @{$self->{operations}{"$entry->{life} $entry->{member} $id"}}, $operation;
}

# Returns the latest time at which a change may have taken effect, and whether it may have had no effect. Returns
# an empty list if the change had no effect.
sub effect {
    my ($self, $entry) = @_;
    my ($status, $end) = @{$entry}{qw(status end)};
    my $ended = $entry->{key} && $self->{ended}{$entry->{key}};
    my ($latest) = grep { $_ > $entry->{start} } @{$self->{cuts}}, $FOREVER; # nothing is in flight after a power cut
    $latest = $ended->{end} if $ended && $entry->{start} < $ended->{end} && $ended->{end} < $latest;
    my $is_open = defined $entry->{seen} ? 0 : 1;
    $latest = $entry->{seen} if !$is_open && $entry->{seen} < $latest;
    if (defined $status && $status == 500) { # only after a power cut can the part that the disk kept reappear
        my $fails_late = grep { $_ > $entry->{start} } @{$self->{cuts}};
        return $fails_late ? ($latest, $is_open) : ();
    }
    return if defined $status && $status !~ /\A20[014]\z/ && !($status == 404 && $entry->{deletes});
    return ($latest, $is_open) if !defined $status;
    return ($end < $latest ? $end : $latest, 0);
}

# A batch exists as a whole or not at all: once a client has read one QSO of a batch, the whole batch has taken effect.
# A QSO that was sent twice can come from either batch.
sub find_whole_batches {
    my ($self) = @_;
    my (%sent, %seen);
    for my $request (grep { $_->{what} eq 'request' } @{$self->{history}}) {
        $sent{$_->[1]}++ for @{$request->{entries} || []};
        for my $version (map { name_of($_) } @{($request->{json} || {})->{items} || []}) {
            $seen{$version} = $request->{end} if $request->{end} < ($seen{$version} // $FOREVER);
        }
    }
    for my $batch (grep { $_->{entries} && ($_->{status} // 500) == 500 } @{$self->{history}}) {
        my ($first) = sort { $a <=> $b } map { $seen{$_->[1]} // () } grep { $sent{$_->[1]} == 1 } @{$batch->{entries}};
        $batch->{seen} = $first if defined $first;
    }
}

# The service assigns the clientIds of uploads, so these ids are taken from the answers to readers.
sub find_uploads {
    my ($self) = @_;
    my (%id_of, @wholes);
    for my $request (grep { $_->{json} && $_->{path} =~ m{\A/logs\?} } @{$self->{history}}) {
        $id_of{name_of($_)} //= $_->{clientId} for @{$request->{json}{items} || []};
        push @wholes, $request if $request->{whole} && $request->{member} == 1;
    }
    for my $upload (grep { $_->{uploads} } @{$self->{history}}) {
        my $version = $upload->{uploads};
        if (my $id = $id_of{$version}) { $upload->{entries} = [[$id, $version]] }
        elsif (($upload->{status} // 0) == 201) {
            $self->wrong("the upload of $version was accepted, but is not in the log")
                if grep { $_->{start} > $upload->{end} && $_->{life} == $upload->{life} } @wholes;
        }
    }
}

sub ids_of {
    my ($self, $member, $life) = @_;
    return $self->{ids}{"$life $member"} ||= do {
        my %ids = %{$self->{initial}{"$life $member"} || {}};
        for my $entry (grep { ($_->{member} // -1) == $member && $_->{life} == $life } @{$self->{history}}) {
            $ids{$_->[0]} = 1 for @{$entry->{entries} || []};
            $ids{$entry->{deletes}} = 1 if $entry->{deletes};
            $ids{$_->{clientId}} = 1 for grep { $_->{clientId} } @{($entry->{json} || {})->{items} || []};
        }
        [sort keys %ids];
    };
}

sub collect {
    my ($self, $entry) = @_;
    my $what = $entry->{what};
    return $self->collect_command($entry) if $what =~ /\A(?:import|undo)\z/;
    return $self->collect_backup($entry) if $what eq 'backup';
    return $self->collect_download($entry) if $what eq 'follow';
    return if $what ne 'request';
    if ($entry->{entries} || $entry->{deletes}) { $self->collect_write($entry) }
    elsif (($entry->{status} // 0) != 200) { return }
    elsif ($entry->{ids}) {
        my %listed = map { $_->{clientId} => 1 } @{$entry->{json}{items}};
        $self->add($entry, $_, 'read', is => $listed{$_} ? 'any' : '') for @{$self->ids_of(@{$entry}{qw(member life)})};
    }
    elsif ($entry->{path} =~ m{\A/logs\?}) {
        my %is = map { $_->{clientId} => name_of($_) } @{$entry->{json}{items}};
        my @ids = $entry->{whole} && !defined $entry->{json}{nextCursor} ? @{$self->ids_of(@{$entry}{qw(member life)})}
            : keys %is;
        $self->add($entry, $_, 'read', is => $is{$_} // '') for @ids;
        $self->add($entry, $_->{clientId}, 'read', is => '') for @{$entry->{json}{deleted} || []};
    }
}

sub collect_write {
    my ($self, $entry) = @_;
    my ($latest, $is_open) = $self->effect($entry) or return;
    my %when = (end => $latest, open => $is_open, by => $entry->{writer});
    return $self->add($entry, $entry->{deletes}, 'delete', %when, is => $is_open ? 0 : $entry->{status})
        if $entry->{deletes};
    my $results = ($entry->{status} // 0) == 200 ? $entry->{json}{results} : undef;
    for my $place (0 .. $#{$entry->{entries}}) {
        next if $results && !$results->[$place]{id};
        my ($id, $version) = @{$entry->{entries}[$place]};
        $self->add($entry, $id, 'write', %when, is => $version, keeps => $entry->{uploads});
    }
}

sub collect_command {
    my ($self, $entry) = @_;
    my $is_open = $entry->{status} != 0;
    my ($cut) = grep { $_ > $entry->{start} } @{$self->{cuts}}, $FOREVER;
    my %when = (by => $entry->{writer}, open => $is_open, $is_open ? (end => $cut) : ());
    return map { $self->add($entry, $_->[0], 'write', %when, is => $_->[1]) } @{$entry->{entries}} if $entry->{entries};
    $self->add($entry, $_, 'undo', %when, of => $entry->{by}) for @{$self->ids_of(@{$entry}{qw(member life)})};
}

# A backup that is restored counts as a read of all logs.
sub collect_backup {
    my ($self, $backup) = @_;
    for my $restore (@{$self->{restores}{$backup->{number}} || []}) {
        for my $member (keys %{$restore->{log}}) {
            $self->add({ %$backup, member => $member }, $_, 'read', is => $restore->{log}{$member}{$_} // '')
                for @{$self->ids_of($member, $backup->{life})};
        }
    }
}

# QSOs that a client did not receive are unchanged for this client. A client that does not request deletions cannot know
# whether a QSO still exists.
sub collect_download {
    my ($self, $entry) = @_;
    my @pages = map { $_->{json} } @{$entry->{pages}};
    my %came = map { $_->{clientId} => 1 } map { (@{$_->{items}}, @{$_->{deleted} || []}) } @pages;
    my $is_known = $entry->{asks} && !grep { !$_->{deletedComplete} } @pages;
    $self->wrong('not all deletions are known, and nothing was restored') if $entry->{asks} && !$is_known;
    for my $id (grep { !$came{$_} } @{$self->ids_of(@{$entry}{qw(member life)})}) {
        my $is = $entry->{since} ? $entry->{before}{$id} // '' : '';
        $self->add($entry, $id, 'read', is => $is, or_none => $entry->{since} && !$is_known);
    }
}

1;
