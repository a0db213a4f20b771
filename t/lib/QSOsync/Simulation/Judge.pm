# Judges a history of requests and answers without using the programs. Each QSO is a register that is written, deleted
# and read. One such register must be able to give all answers if each request took effect at one moment between its
# start and its end. The algorithm is Wing and Gong's, with Lowe's memory of tried states. A download reads all QSOs of
# a log: QSOs that it did not receive had not changed. A request that got no answer, or failed before a power cut, may
# have taken effect later, or never. A restored log starts a new history, with a state that the old one had during the
# backup.
package QSOsync::Simulation::Judge;
use strict;
use warnings;

my $FOREVER = 9**15;
my $WRONG_MAX = 8;
my $TRIES_MAX = 30_000; # beyond it too much is open to be judged
my @content_of = qw(callsignWorked qsoAt);

# judge(\@history, \%content of versions): the faults of the history, as texts.
sub judge {
    my ($history, $content) = @_;
    my $self = bless { history => $history, content => $content, wrong => [], operations => {}, initial => {},
        ended => {}, disabled => [], cuts => [] }, __PACKAGE__;
    $self->learn_ends($_) for @$history;
    $self->judge_answer($_) for grep { $_->{what} eq 'request' } @$history;
    $self->judge_epochs;
    $self->find_whole_batches;
    $self->find_uploads;
    $self->collect($_) for sort { $a->{start} <=> $b->{start} } @$history;
    for my $place (sort keys %{$self->{operations}}) {
        my ($life, $member, $id) = split / /, $place;
        my $trouble = linearize($self->{initial}{"$life $member"}{$id} // '', $self->{operations}{$place});
        $self->wrong("member $member, $id, life $life: $trouble") if $trouble;
    }
    return @{$self->{wrong}};
}

sub wrong {
    my ($self, $text) = @_;
    push @{$self->{wrong}}, $text if @{$self->{wrong}} < $WRONG_MAX;
}

# -- answers alone ----------------------------------------------------------------------------------

sub learn_ends {
    my ($self, $entry) = @_;
    my $what = $entry->{what};
    if ($what eq 'revoke' && $entry->{status} == 0) { $self->{ended}{$entry->{key}} = $entry }
    elsif ($what eq 'disable') { push @{$self->{disabled}}, $entry }
    elsif ($what eq 'cut') { push @{$self->{cuts}}, $entry->{end} }
    elsif ($what eq 'restore') {
        $self->{initial}{"$entry->{life} $_"} = $entry->{log}{$_} for keys %{$entry->{log}};
        push @{$self->{restores}{$entry->{backup}}}, $entry;
    }
}

# Whether the key must fail, must work, or may do either.
sub key_state {
    my ($self, $request) = @_;
    my ($start, $end) = @{$request}{qw(start end)};
    my $ended = $self->{ended}{$request->{key}};
    return $start > $ended->{end} ? 'ended' : 'open' if $ended && $end > $ended->{start};
    for my $disabled (grep { $_->{member} == ($request->{member} // -1) } @{$self->{disabled}}) {
        next if $end < $disabled->{start} || $start > $disabled->{end};
        return $start > $disabled->{since} && $end < $disabled->{until} ? 'ended' : 'open';
    }
    return 'works';
}

sub judge_answer {
    my ($self, $request) = @_;
    my $status = $request->{status} // return;
    my $said = "$request->{method} $request->{path} was answered $status";
    if ($request->{key} && !$request->{probe} && $status !~ /\A50[03]\z/) {
        my $state = $self->key_state($request);
        $self->wrong("$said although its key had ended") if $state eq 'ended' && $status != 401;
        $self->wrong("$said although its key works") if $state eq 'works' && $status == 401;
    }
    $self->wrong("$said: " . substr $request->{answer}, 0, 200)
        if $status !~ /\A(?:200|201|204|304|401|500|503)\z/ && !($status == 404 && $request->{deletes});
    return if $status != 200;
    my $json = $request->{json} or return $self->wrong("$said without valid JSON");
    $self->judge_page($request, $json) if $request->{path} =~ m{\A/logs\?};
    return if !$request->{entries};
    my $results = $json->{results};
    return $self->wrong("$said: an entry has no result") if @$results != @{$request->{entries}};
    for my $result (@$results) {
        $self->wrong("$said: refused $result->{clientId}: $result->{error}")
            if !$result->{id} && $result->{error} ne 'GENERIC.INTERNAL_ERROR';
    }
}

sub judge_page {
    my ($self, $request, $page) = @_;
    my $last = $request->{since} // '';
    $self->wrong("updatedSince=$last returned a QSO that is not newer") if grep { $_ le $last }
        map({ $_->{syncedAt} } @{$page->{items}}), map({ $_->{deletedAt} } @{$page->{deleted} || []});
    for my $item (@{$page->{items}}) {
        $self->wrong("a page is not in the order of its stamps") if $item->{syncedAt} lt $last;
        $last = $item->{syncedAt};
        my $wanted = $self->{content}{version_of($item)} // 'a version that nobody wrote';
        my $is = join ' ', map { $item->{$_} // '' } @content_of;
        $self->wrong("$item->{clientId} is $is, not $wanted") if $is ne $wanted;
    }
}

sub version_of { my ($qso) = @_; return ($qso->{notes} // '') =~ /\A(v\d+)/ ? $1 : '?' }

# A log keeps its epoch for its whole life; each restore starts a new one.
sub judge_epochs {
    my ($self) = @_;
    my (%epoch, %life);
    for my $request (grep { defined $_->{epoch} } @{$self->{history}}) {
        $request->{what} eq 'request' or next;
        my ($life, $epoch) = @{$request}{qw(life epoch)};
        $self->wrong("the epoch changed from $epoch{$life} to $epoch") if ($epoch{$life} //= $epoch) ne $epoch;
        $self->wrong("epoch $epoch recurred after a restore") if ($life{$epoch} //= $life) != $life;
    }
}

# -- answers about registers ------------------------------------------------------------------------

sub add {
    my ($self, $entry, $id, $kind, %more) = @_;
    my $operation = { kind => $kind, start => $entry->{start}, end => $entry->{end}, %more };
    push @{$self->{operations}{"$entry->{life} $entry->{member} $id"}}, $operation;
}

# The latest time at which a change has taken effect; undef: it never did.
sub effect {
    my ($self, $entry) = @_;
    my ($status, $end) = @{$entry}{qw(status end)};
    my $ended = $entry->{key} && $self->{ended}{$entry->{key}};
    my ($latest) = grep { $_ > $entry->{start} } @{$self->{cuts}}, $FOREVER; # nothing is in flight after a power cut
    $latest = $ended->{end} if $ended && $entry->{start} < $ended->{end} && $ended->{end} < $latest;
    my $is_open = defined $entry->{seen} ? 0 : 1;
    $latest = $entry->{seen} if !$is_open && $entry->{seen} < $latest;
    if (defined $status && $status == 500) { # only after a power cut may the part that its disk kept reappear
        my $fails_late = grep { $_ > $entry->{start} } @{$self->{cuts}};
        return $fails_late ? ($latest, $is_open) : ();
    }
    return if defined $status && $status !~ /\A20[014]\z/ && !($status == 404 && $entry->{deletes});
    return ($latest, $is_open) if !defined $status;
    return ($end < $latest ? $end : $latest, 0);
}

# A batch exists as a whole or not at all: once a client has read one of its QSOs, all of it has taken effect. A QSO
# that was sent twice may come from either batch.
sub find_whole_batches {
    my ($self) = @_;
    my (%sent, %seen);
    for my $request (grep { $_->{what} eq 'request' } @{$self->{history}}) {
        $sent{$_->[1]}++ for @{$request->{entries} || []};
        for my $version (map { version_of($_) } @{($request->{json} || {})->{items} || []}) {
            $seen{$version} = $request->{end} if $request->{end} < ($seen{$version} // $FOREVER);
        }
    }
    for my $batch (grep { $_->{entries} && ($_->{status} // 500) == 500 } @{$self->{history}}) {
        my ($first) = sort { $a <=> $b } map { $seen{$_->[1]} // () } grep { $sent{$_->[1]} == 1 } @{$batch->{entries}};
        $batch->{seen} = $first if defined $first;
    }
}

# The service assigns the clientIds of uploads: they are taken from the answers to readers.
sub find_uploads {
    my ($self) = @_;
    my (%id_of, @wholes);
    for my $request (grep { $_->{json} && $_->{path} =~ m{\A/logs\?} } @{$self->{history}}) {
        $id_of{version_of($_)} //= $_->{clientId} for @{$request->{json}{items} || []};
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
        my %is = map { $_->{clientId} => version_of($_) } @{$entry->{json}{items}};
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

# A restored backup is a reader of all logs.
sub collect_backup {
    my ($self, $backup) = @_;
    for my $restore (@{$self->{restores}{$backup->{number}} || []}) {
        for my $member (keys %{$restore->{log}}) {
            $self->add({ %$backup, member => $member }, $_, 'read', is => $restore->{log}{$member}{$_} // '')
                for @{$self->ids_of($member, $backup->{life})};
        }
    }
}

# QSOs that a client did not receive are unchanged for it. A client that does not request deletions cannot know whether
# a QSO still exists.
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

# -- one register -----------------------------------------------------------------------------------

# A state is a QSO's version and its writer, on top of the version before that writer, and so on. An undo removes the
# last writes of one writer.
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

# All possible outcomes of the operation. An undo leaves a QSO deleted if another writer has meanwhile deleted its
# successor of the same clientId, even if that deletion was undone.
sub outcomes {
    my ($state, $operation) = @_;
    my $after = after($state, $operation) or return;
    return $operation->{kind} eq 'undo' && $state->[0] eq '' ? ($after, $state) : $after;
}

# Returns undef if one register could have answered this way; otherwise the impossible answer, and the operations before
# it.
sub linearize {
    my ($initial, $operations) = @_;
    my $number = 0;
    my @events;
    my %is_read = map { $_->{is} => 1 } grep { $_->{kind} eq 'read' } @$operations;
    my $has_undo = grep { $_->{kind} eq 'undo' } @$operations; # or nobody asks for the writer
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

# All states that are possible once the operation has taken effect, alone or after other changes that may have taken
# effect as well. A read that can be answered now is answered: it changes nothing for the other operations.
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
    $add->($state) if $operation->{open}; # it never took effect, and no longer can
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
