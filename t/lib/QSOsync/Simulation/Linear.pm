# Decides whether the operations on one register could have happened one after another. The algorithm is Wing and
# Gong's, with Lowe's memory of tried states.
package QSOsync::Simulation::Linear;
use strict;
use warnings;
use Exporter qw(import);
use QSOsync::Simulation::Registers;

our @EXPORT_OK = qw(linearize);
my $FOREVER = $QSOsync::Simulation::Registers::FOREVER;
my $TRIES_MAX = 30_000; # limit of tried states, beyond which a history is not judged

# A state is a stack of a QSO's versions with their writers. The newest version is on top, and a writer's consecutive
# versions count as one version. An undo removes the last writes of one writer.
sub after {
    my ($state, $operation) = @_;
    my ($is, $by, @before) = @$state;
    my ($kind, $writer) = @{$operation}{qw(kind writer)};
    if ($kind eq 'read') {
        return $state if $operation->{is} eq $is || $operation->{is} eq 'any' && $is ne ''
            || $operation->{or_none} && $is eq '';
        return;
    }
    return $by eq $operation->{of} ? \@before : $state if $kind eq 'undo';
    return if $kind eq 'delete' && !$operation->{open} && ($operation->{is} == 404) != ($is eq '');
    my $new = $kind eq 'write' ? $operation->{is} : '';
    return $state if $new eq $is || $operation->{keeps} && $is ne '';
    return [$new, $writer, $by eq $writer ? @before : @$state];
}

# Returns all possible outcomes of the operation. An undo leaves a QSO deleted if another writer has meanwhile deleted
# the next QSO with the same clientId, even if that deletion was undone.
sub outcomes {
    my ($state, $operation) = @_;
    my $after = after($state, $operation) or return;
    return $operation->{kind} eq 'undo' && $state->[0] eq '' ? ($after, $state) : $after;
}

# Returns undef if one register could have answered this way, or if this takes too many tries to decide. Otherwise
# returns the impossible answer, and the operations before that answer.
sub linearize {
    my ($initial, $operations) = @_;
    my $number = 0;
    my @events;
    my %is_read = map { $_->{is} => 1 } grep { $_->{kind} eq 'read' } @$operations;
    my $has_undo = grep { $_->{kind} eq 'undo' } @$operations; # without an undo, writers do not matter
    for my $operation (@$operations) {
        $operation->{number} = $number++;
        $operation->{writer} = $has_undo ? $operation->{by} // '' : '';
        $operation->{is} = 'unread' if $operation->{kind} eq 'write' && !$is_read{$operation->{is}};
        $operation->{alike} = join ' ', map { $_ // '' } @{$operation}{qw(kind is of writer end)};
        push @events, [$operation->{start}, 0, $operation];
        push @events, [$operation->{end}, 1, $operation] if $operation->{end} < $FOREVER;
    }
    my (%pending, @told);
    my $tries = 0;
    my %configurations = ('' => [[$initial, ''], {}]);
    for my $event (sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] } @events) {
        my ($time, $is_end, $operation) = @$event;
        if (!$is_end) {
            $pending{$operation->{number}} = $operation;
            next;
        }
        my %next;
        take_effect($operation, \%pending, $_, \%next, {}, \$tries) for values %configurations;
        return if $tries > $TRIES_MAX;
        @told = grep { $_->{kind} ne 'read' || $_ == $told[-1] } @told; # only the last of consecutive reads
        push @told, $operation;
        return join "\n    ", 'no register could answer this way:', map { describe($_) } @told,
            sort { $a->{start} <=> $b->{start} } grep { $_ != $operation } values %pending if !%next;
        delete $pending{$operation->{number}};
        %configurations = map { $_ => $next{$_} } without_waste(\%next, $operations);
    }
    return;
}

# If two branches have the same state, the branch with more pending operations can do everything that the other can.
sub without_waste {
    my ($configurations, $operations) = @_;
    my (%kept, @keys);
    my $used = sub { scalar keys %{$configurations->{$_[0]}[1]} };
    for my $key (sort { $used->($a) <=> $used->($b) } keys %$configurations) {
        my ($state, $done) = @{$configurations->{$key}};
        my $group = join "\t", @$state, sort { $a <=> $b } grep { !$operations->[$_]{open} } keys %$done;
        next if grep { my $fewer = $_; !grep { !$done->{$_} } keys %$fewer } @{$kept{$group}};
        push @{$kept{$group}}, $done;
        push @keys, $key;
    }
    return @keys;
}

# Adds to $next all states that are possible once the operation has taken effect, by itself or after other changes that
# may have taken effect. A read that can be answered is answered, because it changes nothing for the other operations.
sub take_effect {
    my ($operation, $pending, $configuration, $next, $seen, $tries) = @_;
    return if ++$$tries > $TRIES_MAX;
    my ($state, $done) = ($configuration->[0], { %{$configuration->[1]} });
    $done->{$_->{number}} = 1 for grep { $_->{kind} eq 'read' && after($state, $_) } values %$pending;
    return if $seen->{join "\t", @$state, sort keys %$done}++;
    my $add = sub {
        my ($at) = @_;
        my %taken = %$done;
        delete $taken{$operation->{number}};
        $next->{join "\t", @$at, sort keys %taken} = [$at, \%taken];
    };
    return $add->($state) if $done->{$operation->{number}};
    $add->($_) for outcomes($state, $operation);
    $add->($state) if $operation->{open}; # the operation never took effect, and no longer can
    my %tried;
    for my $other (grep { $_->{kind} ne 'read' && $_ != $operation && !$done->{$_->{number}} } values %$pending) {
        next if $other->{open} && $tried{$other->{alike}}++;
        take_effect($operation, $pending, [$_, { %$done, $other->{number} => 1 }], $next, $seen, $tries)
            for outcomes($state, $other);
    }
}

sub describe {
    my ($operation) = @_;
    my ($start, $end) = map { $_ < $FOREVER ? sprintf '%.3f', $_ : 'never' } @{$operation}{qw(start end)};
    return "$start to $end: $operation->{kind} " . ($operation->{of} // $operation->{is})
        . ($operation->{by} ? " by $operation->{by}" : '') . ($operation->{open} ? ' (not known)' : '');
}

1;
