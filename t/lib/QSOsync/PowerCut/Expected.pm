# Derives the state that a logbook must have after a power cut, for QSOsync::PowerCut::Judge. The state follows from the
# marks before the cut.
package QSOsync::PowerCut::Expected;
use strict;
use warnings;
use Exporter qw(import);
use JSON::PP ();
use QSOsync::PowerCut::Record;

our @EXPORT_OK = qw(allowed client_id deletions difference epoch is_as_expected items max_text synced_at);

# expectation() returns an object that receives every mark up to the cut.
sub expectation {
    return { allowed => [], open => {}, reads => {}, newest => {}, views => {}, copies => {}, groups => {} }
}

sub items { return [$_[0] =~ /\{"clientId":"[^}]*\}/g] }
sub deletions { return [$_[0] =~ /\{"id":"[^}]*"deletedAt":[^}]*\}/g] }
sub client_id { return ($_[0] =~ /"clientId":"([^"]*)"/)[0] }
sub epoch { return ($_[0] =~ /\A\d+ (\d*) /)[0] }
sub synced_at { return ($_[0] =~ /"(?:syncedAt|deletedAt)":"([^"]*)"/)[0] }

# Returns the marks of a record, in order. Each change holds the answers that readers received after it.
sub marks {
    my ($entries) = @_;
    my @marks = map { QSOsync::PowerCut::Record::mark_of($_) } grep { $_->[0] eq 'M' } @$entries;
    for my $i (0 .. $#marks) {
        next unless $marks[$i]{do};
        my ($done) = grep { $_->{done} && $_->{done} == $marks[$i]{do} } @marks[$i .. $#marks];
        $marks[$i]{outcome} = $done ? $done->{outcome} : 'unknown';
        my $seen;
        for my $mark (@marks[$i .. $#marks]) {
            $seen ||= $done && $mark == $done;
            next unless $seen && $mark->{shown} && !$mark->{copy};
            $marks[$i]{after} = $mark->{shown};
            last;
        }
        $done->{after} = $marks[$i]{after} if $done;
    }
    return @marks;
}

sub note_mark {
    my ($expected, $mark) = @_;
    $expected->{clock} = $mark->{clock};
    if ($mark->{do}) {
        $expected->{open}{$mark->{do}} = $mark;
    }
    # A change that failed in its commit can exist until the next change. "missed" ensures that no reader received a
    # later time without this change. The same holds for a change that was never answered.
    elsif ($mark->{done} && $mark->{outcome} eq 'saved') {
        $expected->{open} = {};
        $expected->{allowed} = [$mark->{after}];
    }
    elsif ($mark->{done} && $mark->{outcome} eq 'refused') {
        delete $expected->{open}{$mark->{done}};
    }
    elsif (defined $mark->{group}) {
        my $group = $expected->{groups}{$mark->{group}} ||= { begun => 0, saved => 0, refused => {} };
        $group->{$_} = $mark->{$_} for grep { $mark->{$_} } qw(begun saved);
        $group->{refused}{$mark->{refused}} = 1 if $mark->{refused};
    }
    elsif ($mark->{copy}) {
        $expected->{copies}{$mark->{copy}} = $mark->{shown};
    }
    elsif ($mark->{shown}) {
        push @{$expected->{allowed}}, $mark->{shown} if !@{$expected->{allowed}} || %{$expected->{open}};
        $expected->{views}{$_} = 1 for keys %{$mark->{shown}};
    }
    note_reads($expected, $mark->{shown} || $mark->{read}, $mark->{times}) if $mark->{times};
}

sub note_reads {
    my ($expected, $shown, $times) = @_;
    for my $view (keys %$times) {
        $expected->{newest}{$view} = max_text($expected->{newest}{$view}, $times->{$view});
        note_read($expected->{reads}{$view} ||= [], $shown->{$view}, $times->{$view});
    }
}

# If consecutive readers receive the same answer, only the latest time is stored, because that time is the strictest.
sub note_read {
    my ($reads, $shown, $time) = @_;
    if (@$reads && $reads->[-1]{shown} eq $shown) {
        $reads->[-1]{time} = max_text($reads->[-1]{time}, $time);
        return;
    }
    push @$reads,
        { shown => $shown, time => $time, epoch => epoch($shown),
        items => { map { $_ => 1 } @{items($shown)}, @{deletions($shown)} } };
}

sub max_text {
    my ($one, $other) = @_;
    return !defined $one || $other gt $one ? $other : $one;
}

# Returns every state that readers may be shown: the last acknowledged state, and the state after a change in flight.
sub allowed {
    my ($expected) = @_;
    return (@{$expected->{allowed}},
        map { $_->{after} } grep { $_->{after} && $_->{outcome} eq 'saved' } values %{$expected->{open}});
}

sub expected_view {
    my ($shown, $view) = @_;
    # The key of this view did not exist yet.
    return defined $shown->{$view} ? $shown->{$view} : '401  {"error":{"code":"API_KEYS.INVALID"}}';
}

# Returns whether the state differs from $base only by whole unfinished changes, if it differs at all. The times of QSOs
# do not count.
sub is_unfinished_change {
    my ($expected, $shown, $base) = @_;
    my %changes = map { $_ => 0 } grep { $expected->{open}{$_}{outcome} ne 'saved' } keys %{$expected->{open}};
    my $timeless = sub { $_[0] =~ s/"(?:syncedAt|crossConfirmedAt)":(?:"[^"]*"|null)//gr };
    for my $view (grep { /^logs / } keys %$shown) {
        my %before = map { $timeless->($_) => 1 } @{items(expected_view($base, $view))};
        my %gone = map { client_id($_) => 1 } @{items(expected_view($base, $view))};
        for my $item (@{items($shown->{$view})}) {
            delete $gone{client_id($item)};
            next if $before{$timeless->($item)};
            my ($number) = $item =~ /"radio":"change (\d+) of/ or return 0;
            return 0 if !exists $changes{$number};
            $changes{$number}++;
        }
        for my $gone (keys %gone) {
            return 0 if !grep { ($expected->{open}{$_}{deletes} // '') eq $gone } keys %changes;
        }
        my %there = map { client_id($_) => 1 } @{items($shown->{$view})};
        my @told = grep { !$there{$_} } keys %gone, map { client_id($_) } @{deletions(expected_view($base, $view))};
        return 0 if "@{[sort @told]}" ne "@{[sort map { client_id($_) } @{deletions($shown->{$view})}]}";
    }
    for my $view (grep { /^(?:me|check)/ } keys %$shown) {
        return 0 if $shown->{$view} ne expected_view($base, $view);
    }
    for my $number (grep { $changes{$_} } keys %changes) {
        my $whole = $expected->{open}{$number}{entries};
        return 0 if $changes{$number} % $whole; # members with two keys appear in two views
    }
    return 1;
}

# Returns whether each group is whole, in the last acknowledged version or in a version begun since.
sub groups_are_whole {
    my ($expected, $shown) = @_;
    my (%versions, %items);
    for my $view (grep { /^logs/ } keys %$shown) {
        for (@{items($shown->{$view})}) {
            my ($group, $version) = /"notes":"group (\S+) version (\d+)"/ or next;
            $versions{$group}{$version}++;
        }
    }
    for my $name (keys %{$expected->{groups}}) {
        my $group = $expected->{groups}{$name};
        my @found = %{$versions{$name} || {}};
        next if !@found && !$group->{saved};
        my ($version, $count) = @found;
        return 0 if @found != 2 || $count != 3 || $version < $group->{saved} || $version > $group->{begun}
            || $group->{refused}{$version};
    }
    return !grep { !$expected->{groups}{$_} } keys %versions;
}

sub is_as_expected {
    my ($expected, $shown) = @_;
    if (%{$expected->{groups}}) {
        return 0 if grep { /^me/ && $shown->{$_} !~ /^200/ } keys %$shown;
        return $shown->{check} eq "0\n\n" && groups_are_whole($expected, $shown);
    }
    for my $candidate (allowed($expected)) {
        return 1 if !grep { $shown->{$_} ne expected_view($candidate, $_) } keys %$shown;
    }
    # An unreadable file may already have been moved away before another file replaces it.
    return 1 if $shown->{check} =~ /logbook yet/ && grep { $_->{moves} } values %{$expected->{open}};
    return grep({ is_unfinished_change($expected, $shown, $_) } @{$expected->{allowed}}) > 0;
}

sub difference {
    my ($expected, $shown) = @_;
    my @lines;
    for my $candidate (allowed($expected)) {
        for my $view (grep { $shown->{$_} ne expected_view($candidate, $_) } sort keys %$shown) {
            my %old = map { $_ => 1 } @{items(expected_view($candidate, $view))};
            my %new = map { $_ => 1 } @{items($shown->{$view})};
            my @lost = grep { !$new{$_} } sort keys %old;
            my @more = grep { !$old{$_} } sort keys %new;
            push @lines, "$view: " . (@lost + @more ? "lost @lost[0 .. min1($#lost)]; more @more[0 .. min1($#more)]"
                : "is $shown->{$view}, not " . expected_view($candidate, $view));
        }
        push @lines, '- or -';
    }
    return @lines;
}

sub min1 { return $_[0] < 1 ? $_[0] : 1 }

1;
