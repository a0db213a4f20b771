# Judges a history of requests and answers without using the programs. Each QSO is a register that is written, deleted
# and read. One such register must be able to give all answers if each request took effect at one moment between the
# request's start and end. A download counts as a read of all QSOs in a log, because QSOs that it does not receive have
# not changed. A request that got no answer, or failed before a power cut, may have taken effect later, or never. A
# restored log starts a new history, with a state that the old log had during the backup.
package QSOsync::Simulation::Judge;
use strict;
use warnings;
use parent qw(QSOsync::Simulation::Registers);
use QSOsync::Simulation::Linear qw(linearize);
use QSOsync::Simulation::Qsos qw(name_of);

my $WRONG_MAX = 8;
my @content_of = qw(callsignWorked qsoAt);

# judge(\@history, \%content of versions) returns the faults of the history, as texts.
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

# Returns whether the key must fail, must work, or can do either.
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
        my $wanted = $self->{content}{name_of($item)} // 'a version that nobody wrote';
        my $is = join ' ', map { $item->{$_} // '' } @content_of;
        $self->wrong("$item->{clientId} is $is, not $wanted") if $is ne $wanted;
    }
}

# A log keeps its epoch until a restore, which starts a new epoch.
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

1;
