use QSOsync::Test fronts => 'nginx', suite => 'all';
use QSOsync::Adif;
use List::Util qw(first);

# After any history of a log, undo gives the result of a plain model. The model stores the writer of each content, later
# changes to the content, undone writes, and confirmations by another member's log. After each step, the copies of both
# members' clients, which follow the API's rules, equal the service's logs. QSOSYNC_TEST_ROUNDS is the number of
# histories, and QSOSYNC_TEST_SEED is the random seed.
my $seed = $ENV{QSOSYNC_TEST_SEED} || 5;
my $rounds = $ENV{QSOSYNC_TEST_ROUNDS} || 10;
my $steps = 30;
my $service = QSOsync::Service->start;
srand $seed;
diag "seed $seed" if $ENV{QSOSYNC_TEST_SEED};

sub pick { $_[rand @_] }

# The model stores each QSO's events in order. An event is { seq, by, from, to } and, for an undo, undo. from and to are
# contents: { text, edit }. The text (text_of) is undef if the QSO does not exist. "edit" is the event that wrote the
# content, or undef.
my (%log, $seq, $member, $peer, @writers, %key, $saved);
my $NOTHING = { text => undef };

sub head { my ($q) = @_; return @{$q->{events}} ? $q->{events}[-1]{to} : $NOTHING }
sub is_live { defined head($_[0])->{text} }
sub live { grep { is_live($log{$_}) } sort { $a <=> $b } keys %log }

sub happen {
    my ($q, $by, $text) = @_;
    my $event = { seq => ++$seq, by => $by, from => head($q) };
    $event->{to} = { text => $text, edit => $event };
    push @{$q->{events}}, $event;
}

# Returns the effect of undo on a QSO: (outcome: '', restore, delete or left; content). $has->($event) decides whether
# to undo the event.
sub plan_of {
    my ($q, $has) = @_;
    my ($now, $found, $blocked, $to, $aside) = (head($q));
    my $at = $now;
    for my $event (reverse @{$q->{events}}) {
        if ($event->{undo}) {
            next unless $has->($event);
            $aside = $event if !$found && $at != $event->{to};
            next if $at != $event->{to};
        } else {
            $aside = $event if !$found && $has->($event) && ($at->{edit} // 0) != $event;
            next unless $at->{edit} && $at->{edit} == $event;
            if (!$has->($event)) {
                last if $found && !$blocked;
                $blocked = 1;
            }
        }
        $at = $event->{from};
        next unless $has->($event);
        ($found, $to) = (1, $at);
    }
    # The content of an undone event may have changed since.
    return ('left', $now) if !$found && $aside && $now != $aside->{from}
        && (defined $now->{text} || defined $aside->{from}{text});
    return ('', $now) if !$found || (!defined $now->{text} && !defined $to->{text});
    return ('left', $now) if $blocked;
    return (defined $to->{text} ? 'restore' : 'delete', $to);
}

sub removed_at { my ($q) = @_;
    return (map { $_->{seq} } grep { !defined $_->{to}{text} } @{$q->{events}})[-1] // 0 }

# Returns whether another QSO with this clientId exists or would be restored.
sub has_rival {
    my ($id, $has) = @_;
    for my $other (grep { $_ != $id && $log{$_}{client} eq $log{$id}{client} } keys %log) {
        my ($deed, $to) = plan_of($log{$other}, $has);
        return 1 if is_live($log{$other}) && $deed ne 'delete';
        next if is_live($log{$other}) || removed_at($log{$other}) < removed_at($log{$id});
        $to = walked($log{$other}, $has) if $deed eq '';
        return 1 if $deed eq 'restore' || $to->{edit};
    }
    return 0;
}

# Returns the content that a missing QSO would have, although the QSO stays missing.
sub walked {
    my ($q, $has) = @_;
    my $at = head($q);
    for my $event (reverse @{$q->{events}}) {
        my $applies = $event->{undo} ? $at == $event->{to} && $has->($event) : $at->{edit} && $at->{edit} == $event;
        next unless $applies;
        last unless $has->($event);
        $at = $event->{from};
    }
    return $at;
}

my @touched; # the writes of a step: [id, text]

sub undo {
    my ($number, $has) = @_;
    my %count = (restore => 0, delete => 0, left => 0);
    my (%plan, @left);
    for my $id (keys %log) {
        my ($deed, $to) = plan_of($log{$id}, $has);
        next unless $deed;
        $deed = 'left' if $deed eq 'restore' && !is_live($log{$id}) && has_rival($id, $has);
        $count{$deed}++;
        push @left, $id if $deed eq 'left';
        $plan{$id} = $to if $deed ne 'left';
    }
    for my $id (keys %plan) {
        push @{$log{$id}{events}}, { seq => ++$seq, by => 'operator', undo => $number, from => head($log{$id}),
            to => $plan{$id} };
    }
    @touched = map { [$_, $plan{$_}{text}] } sort { $a <=> $b } keys %plan;
    return { %count, named => join(' ', sort { $a <=> $b } @left) };
}

# The model of confirmations stores the contents and pairs of both members' QSOs.
my (%content, %partner, %time);

sub fields { my ($text) = @_; my %of; @of{qw(notes minute worked rst)} = split /,/, $text, -1; return \%of }
sub station { $log{$_[0]} ? $member : $peer }

sub matches {
    my ($content, $one, $other) = @_;
    my ($a, $b) = map { fields($content->{$_}) } $one, $other;
    return station($one) ne station($other) && $a->{worked} eq station($other) && $b->{worked} eq station($one)
        && abs($a->{minute} - $b->{minute}) <= 15;
}

sub find_partner {
    my ($content, $partner, $id) = @_;
    my $distance = sub { abs(fields($content->{$_[0]})->{minute} - fields($content->{$id})->{minute}) };
    my ($found) = sort { $distance->($a) <=> $distance->($b) || $a <=> $b }
        grep { !$partner->{$_} && matches($content, $id, $_) } keys %$content;
    @{$partner}{$id, $found} = ($found, $id) if $found;
}

# Returns the pairs after these writes, which are applied in order. A write is [id, text]; undef is a deletion.
sub pairs_after {
    my (@writes) = @_;
    my %now = %content;
    my %pair = %partner;
    for (@writes) {
        my ($id, $text) = @$_;
        $now{$id} = $text;
        delete $now{$id} if !defined $text;
        my $other = $pair{$id};
        next if $other && defined $text && matches(\%now, $id, $other);
        delete @pair{$id, $other} if $other;
        find_partner(\%now, \%pair, $_) for grep { $_ && defined $now{$_} } $id, $other;
    }
    return \%pair;
}

sub orders {
    return [] if !@_;
    return map { my $i = $_; map { [$_[$i], @$_] } orders(@_[grep { $_ != $i } 0 .. $#_]) } 0 .. $#_;
}

sub pairs_text { my ($pairs) = @_; return join ' ', map { "$_-$pairs->{$_}" } sort { $a <=> $b } keys %$pairs }

# Returns errors in the service's pairs and times (ids of partners, and times, by id). Undo can handle QSOs in any
# order. For few QSOs, one order must give these pairs; for many, the rules are checked per QSO.
sub judge_pairs {
    my ($got, $times, $ordered) = @_;
    my %before = %content;
    my @wrong;
    if ($ordered || @touched <= 4) {
        my @possible = map { pairs_text(pairs_after(@$_)) } $ordered ? \@touched : orders(@touched);
        my $text = pairs_text($got);
        push @wrong, "pairs $text, not " . join ' or ', @possible if !grep { $_ eq $text } @possible;
    }
    defined $_->[1] ? $content{$_->[0]} = $_->[1] : delete $content{$_->[0]} for @touched;
    my @ids = sort { $a <=> $b } keys %content;
    for my $id (@ids) {
        my $other = $got->{$id};
        if (!$other) {
            push @wrong, map { "$id and $_ should be a pair" } grep { !$got->{$_} && matches(\%content, $id, $_) } @ids;
        } elsif (($got->{$other} // 0) != $id || $times->{$id} ne $times->{$other}
            || !matches(\%content, $id, $other)) {
            push @wrong, "$id and $other should not be a pair";
        }
        my $last = $partner{$id} or next;
        next unless defined $before{$id} && defined $content{$last} && matches(\%content, $id, $last);
        push @wrong,
            "$id and $last should still be the same pair" if ($other // 0) != $last || $times->{$id} ne $time{$id};
    }
    %partner = %$got;
    %time = %$times;
    return @wrong;
}

# Three clients keep copies of the logs.
my @clients; # two clients of the member, and one client of the other member

sub text_of {
    my ($item) = @_;
    my ($minute) = $item->{qsoAt} =~ /T19:(\d\d)/;
    return join ',', $item->{notes} // '', $minute, $item->{callsignWorked}, $item->{rstSent} // '';
}
sub line_of { my ($item) = @_; return join '|', $item->{id}, $item->{clientId}, text_of($item) }
sub whole_of { my ($item) = @_; return join '|', line_of($item), $item->{crossConfirmedAt} // '' }
sub joined { no warnings 'numeric'; return join "\n", sort { $a <=> $b } @_ }

sub follow {
    my ($client) = @_;
    my ($deleted, $key) = @{$client}{qw(deleted key)};
    my ($cursor, $server_time);
    do {
        my $path = '/logs?limit=7' . ($client->{since} ? "&updatedSince=$client->{since}" : '')
            . ($deleted && $client->{since} ? '&includeDeleted=true' : '') . (defined $cursor ? "&cursor=$cursor" : '');
        my $answer = $service->get($path, key => $key);
        my $epoch = $answer->header('X-Log-Epoch');
        if (($client->{epoch} //= $epoch) ne $epoch) {
            %$client = (deleted => $deleted, key => $key, of => {});
            return follow($client);
        }
        my $page = $answer->json;
        delete $client->{of}{$_->{clientId}} for @{$page->{deleted} || []};
        $client->{of}{$_->{clientId}} = whole_of($_) for @{$page->{items}};
        $server_time //= $page->{serverTime};
        $cursor = $page->{nextCursor};
    } while (defined $cursor);
    if (!$deleted) {
        my %there = map { $_->{clientId} => 1 } @{$service->get('/logs/ids', key => $key)->json->{items}};
        delete $client->{of}{$_} for grep { !$there{$_} } keys %{$client->{of}};
    }
    $client->{since} = $server_time;
}

sub expected { return joined(map { join '|', $_, $log{$_}{client}, head($log{$_})->{text} } live()) }

sub now_iso { my $ms = $service->sqlite('SELECT last_stamp + 1 FROM logbook'); return iso_time($ms / 1000) }

# Each step is one act, in the model and in the service.
my @MINUTES = ('00', 10, 20, 30);
my %known; # the QSO and the report of each record without a clientId, by minute and callsign

sub random_text { return join ',', pick(qw(one two three four)), pick(@MINUTES), pick($peer, $peer, '26ZZ1'), '' }

sub qso_of {
    my ($client, $text) = @_;
    my $of = fields($text);
    return qso(clientId => $client, notes => $of->{notes}, callsignWorked => $of->{worked},
        qsoAt => "2026-05-17T19:$of->{minute}:00Z", rstSent => $of->{rst} || undef);
}

sub record_of {
    my ($text, @more) = @_;
    my $of = fields($text);
    return adif_record(@more, QSO_DATE => '20260517', TIME_ON => "19$of->{minute}00", BAND => '11m',
        CALL => $of->{worked}, $of->{notes} ne '' ? (NOTES => $of->{notes}) : (),
        $of->{rst} ne '' ? (RST_SENT => $of->{rst}) : ());
}

# Records a writer's writes, in their order: [id, clientId, text].
sub note_writes {
    my ($name, @writes) = @_;
    for (@writes) {
        my ($id, $client, $text) = @$_;
        my $q = $log{$id} ||= { client => $client, events => [] };
        happen($q, $name, $text) if (head($q)->{text} // '') ne $text;
        push @touched, [$id, $text];
    }
}

sub write_some {
    my ($writer) = @_;
    my (@batch, %used);
    for (1 .. 1 + int rand 4) {
        my @live = live();
        my $id = @live > 8 || (@live && rand() < 0.6) ? pick(@live) : undef;
        my @free = grep { my $client = $_; !grep { $log{$_}{client} eq $client } @live }
            map { $_->{client} } values %log;
        my $client = $id ? $log{$id}{client} : @free && rand() < 0.4 ? pick(sort @free) : uuid();
        next if $used{$client}++;
        push @batch, [$client, $id && rand() < 0.25 ? head($log{$id})->{text} : random_text()];
    }
    my @ids;
    if ($writer->{key}) {
        my $answer = $service->post_batch([map { qso_of(@$_) } @batch], key => $writer->{key});
        @ids = map { $_->{id} } @{$answer->json->{results}};
    } else {
        import_adif($service, $member, adif_file($service,
            map { record_of($_->[1], APP_QSOSYNC_CLIENT_ID => $_->[0]) } @batch));
        my %id_of = map { $_->{clientId} => $_->{id} } $service->download(key => $key{READ});
        @ids = map { $id_of{$_->[0]} } @batch;
    }
    note_writes($writer->{name}, map { [$ids[$_], @{$batch[$_]}] } 0 .. $#batch);
}

# Imports records without a clientId. Each record matches its previous QSO or a similar QSO, or creates a QSO. A record
# sets the QSO's report if no other record for the QSO has the same report.
sub import_some {
    my (%report, %id_of, %taken);
    for (1 .. 1 + int rand 3) {
        my ($minute, $worked) = (pick(@MINUTES[0, 1]), pick($peer, '26ZZ1'));
        $report{"$minute,$worked"} = pick(qw(55 57));
    }
    my @names = sort keys %report;
    import_adif($service, $member, adif_file($service, map { record_of(",$_,$report{$_}") } @names));
    my @live = live();
    my $is_free = sub { my ($id) = @_; return $log{$id} && is_live($log{$id}) && !$taken{$id} };
    my $give = sub { my ($name, $id) = @_; ($id_of{$name}, $taken{$id}) = ($id, 1) if defined $id };
    my $apart = sub { abs(substr($_[0], 0, 2) - fields(head($log{$known{$_[0]}{id}})->{text})->{minute}) };
    my @remembered = grep { $known{$_} && $is_free->($known{$_}{id}) } @names;
    $is_free->($known{$_}{id}) and $give->($_, $known{$_}{id})
        for sort { $apart->($a) <=> $apart->($b) || $a cmp $b } @remembered;
    for my $name (grep { !$id_of{$_} } @names) {
        $give->($name, first { $is_free->($_) && head($log{$_})->{text} =~ /,\Q$name\E,/ } @live);
    }
    my @new = sort { $a->{id} <=> $b->{id} } grep { !$log{$_->{id}} } $service->download(key => $key{READ});
    my %client_of = map { $_->{id} => $_->{clientId} } @new;
    for my $name (@names) {
        my $id = $id_of{$name} //= (shift @new)->{id};
        my @said = $known{$name} && $known{$name}{id} == $id ? $name : grep { $known{$_}{id} == $id } keys %known;
        my $text = $log{$id} ? head($log{$id})->{text} : ",$name,";
        $text =~ s/[^,]*\z/$report{$name}/ if !grep { $known{$_}{report} eq $report{$name} } @said;
        note_writes('operator', [$id, $client_of{$id}, $text]);
        $known{$name} = { id => $id, report => $report{$name} };
    }
}

sub delete_one {
    my ($writer) = @_;
    my @live = live() or return;
    my $id = pick(@live);
    return unless $writer->{key};
    $service->delete_qso($log{$id}{client}, key => $writer->{key})->status == 204 or die 'not deleted';
    happen($log{$id}, $writer->{name}, undef);
    push @touched, [$id, undef];
}

my %peer_client; # clientIds of the other member's QSOs

# The other member writes or deletes a QSO that can confirm one of the member's QSOs.
sub confirm_one {
    my @own = grep { !$log{$_} } sort { $a <=> $b } keys %content;
    my $id = @own > 3 || (@own && rand() < 0.4) ? pick(@own) : undef;
    if ($id && rand() < 0.4) {
        $service->delete_qso($peer_client{$id}, key => $key{PEER})->status == 204 or die 'not deleted';
        push @touched, [$id, undef];
        return;
    }
    my $client = $id ? $peer_client{$id} : uuid();
    my $text = join ',', 'mine', pick(@MINUTES), pick($member, $member, $member, '26ZZ1'), '';
    $id = $service->post_batch([qso_of($client, $text)], key => $key{PEER})->json->{results}[0]{id};
    $peer_client{$id} = $client;
    push @touched, [$id, $text];
}

my @undone;
sub take_back {
    my ($has, @options) = @_;
    my ($status, $output, $errors) = $service->admin_try('undo', $member, @options);
    my %said = $output =~ /^(\w+) (\d+)$/mg;
    my $number = $said{number};
    my $model = undo($number // 0, $has);
    push @undone, $number if $number;
    my %got = (restore => $said{restored} // 0, delete => $said{deleted} // 0, left => $said{left} // 0,
        named => join(' ', sort { $a <=> $b } $output =~ /^skipped: QSO (\d+), /mg));
    my $right = join(' ', map { "$_ $got{$_}" } sort keys %got) eq join(' ', map { "$_ $model->{$_}" } sort keys %got);
    diag "undo @options reported ", join(' ', %got), '; model ', join(' ', %$model), " $errors" unless $right;
    return $right;
}

sub undo_writer {
    my ($writer) = @_;
    my ($time, $from) = $writer->{marks} && @{$writer->{marks}} ? @{pick(@{$writer->{marks}})} : ('2026-01-01', 0);
    return take_back(sub { $_[0]{by} eq $writer->{name} && $_[0]{seq} > $from },
        '--by', $writer->{number} // 'operator', '--since', $time);
}

sub undo_undo {
    return 1 unless @undone;
    my $number = pick(@undone);
    return take_back(sub { ($_[0]{undo} // 0) == $number }, '--act', $number);
}

sub copy_of { my ($value) = @_; require Storable; return Storable::dclone($value) }

# Returns the differences from the model after a step.
sub differences {
    my ($right, $ordered) = @_;
    follow($_) for @clients;
    my @items = $service->download(key => $key{READ});
    my @others = $service->download(key => $key{PEER_READ});
    my $whole = joined(map { whole_of($_) } @items);
    my @copies = map { joined(values %{$_->{of}}) } @clients;
    my (%pair, %times);
    my $ids = join ',', 0, map { $_->{id} } @items, @others;
    for (split /\n/, $service->sqlite("SELECT id, confirmed_by FROM qsos WHERE id IN ($ids) AND confirmed_by > 0")) {
        my ($id, $other) = split /\|/;
        $pair{$id} = $other;
    }
    $_->{crossConfirmedAt} and $times{$_->{id}} = $_->{crossConfirmedAt} for @items, @others;
    my @wrong = judge_pairs(\%pair, \%times, $ordered);
    push @wrong, 'the times of confirmation' if join(' ', sort keys %pair) ne join(' ', sort keys %times);
    push @wrong, 'the report of undo' if !$right;
    push @wrong, "the log is:\n$whole\nbut should be:\n" . expected()
        if joined(map { line_of($_) } @items) ne expected();
    push @wrong, 'the client that asks for deletions' if $copies[0] ne $whole;
    push @wrong, 'the client that compares ids' if $copies[1] ne $whole;
    push @wrong, "the other member's client" if $copies[2] ne joined(map { whole_of($_) } @others);
    return @wrong;
}

# Creates the member, with two keys that write, and the other member, whose QSOs confirm.
sub begin_history {
    my ($round) = @_;
    ($member, $peer) = ("26M$round", "26P$round");
    $service->admin('member', 'add', $_, '--locator', 'JO59') for $member, $peer;
    %$_ = () for \(%log, %content, %partner, %time, %known, %peer_client);
    ($seq, $saved, @undone) = (0);
    %key = map { my ($name, $callsign, $scope) = @$_;
        ($name => $service->admin('key', 'add', $callsign, '--name', "reader $scope", '--scope', $scope)) }
        ['READ', $member, 'READ'], ['PEER', $peer, 'WRITE'], ['PEER_READ', $peer, 'READ'];
    @writers = ({ name => 'operator', marks => [] }, map {
        my $key = $service->admin('key', 'add', $member, '--name', $_, '--scope', 'WRITE');
        { name => $_, key => $key, marks => [], number => $service->sqlite('SELECT max(id) FROM api_keys') }
    } 'A', 'B');
    @clients = map { { of => {}, deleted => $_->[0], key => $key{$_->[1]} } }
        [1, 'READ'], [0, 'READ'], [1, 'PEER_READ'];
}

sub revoke {
    my ($writer) = @_;
    $service->admin('key', 'revoke', $member, $writer->{number});
    my $name = "$writer->{name}2";
    my $key = $service->admin('key', 'add', $member, '--name', $name, '--scope', 'WRITE');
    @writers = ((grep { $_ != $writer } @writers), { name => $name, key => $key, marks => [],
        number => $service->sqlite('SELECT max(id) FROM api_keys') });
}

my @KEPT = \(%log, %content, %partner, %time, %known, %peer_client);

sub save {
    my ($round) = @_;
    my $file = $service->directory . "/saved-$round.db";
    $service->admin('backup', $file);
    $saved = [$file, copy_of([\@KEPT, $seq, \@undone])];
}

sub restore {
    $service->admin('restore', $saved->[0]);
    my ($kept, $number, $numbers) = @{copy_of($saved->[1])};
    %{$KEPT[$_]} = %{$kept->[$_]} for 0 .. $#KEPT;
    ($seq, @undone) = ($number, @$numbers);
    $_->{marks} = [] for @writers;
    @writers = grep { !$_->{key} || $service->get('/me', key => $_->{key})->status == 200 } @writers;
    push @writers, ($writers[0]) x 2;
}

my ($wrong, $confirmed, $taken_back) = (0, 0, 0);
ROUND: for my $round (1 .. $rounds) {
    begin_history($round);
    my @told;
    for my $step (1 .. $steps) {
        my $writer = pick(@writers, @writers[1, 2]);
        my $chance = rand;
        push @{$_->{marks}}, [now_iso(), $seq] for $chance < 0.2 ? @writers : ();
        my ($right, $what) = (1, "write $writer->{name}");
        my @before = keys %partner;
        @touched = ();
        if ($chance < 0.42) { write_some($writer) }
        elsif ($chance < 0.5) { $what = 'import'; import_some() }
        elsif ($chance < 0.62) { $what = "delete $writer->{name}"; delete_one($writer) }
        elsif ($chance < 0.75) { $what = 'confirm'; confirm_one() }
        elsif ($chance < 0.87) { $what = "undo $writer->{name}"; $right = undo_writer($writer) }
        elsif ($chance < 0.97) { $what = 'undo an undo'; $right = undo_undo() }
        elsif ($chance < 0.98 && $writer->{key} && $writer->{number}) {
            $what = "revoke $writer->{name}";
            revoke($writer);
        } elsif (!$saved) {
            $what = 'backup';
            save($round);
        } else {
            $what = 'restore';
            restore();
        }
        push @told, $what;
        $confirmed += @before > 0;
        $taken_back += $what =~ /undo/ && grep { $partner{$_->[0]} } @touched;
        my @unlike = differences($right, $what !~ /undo/) or next;
        fail "history $round, step $step: differs from the model (seed $seed): " . join '; ', @told;
        diag join "\n", @unlike;
        $wrong = 1;
        last ROUND;
    }
}
ok !$wrong, "in $rounds histories of $steps steps, the log, clients and pairs equal the model (seed $seed)";
ok $confirmed && $taken_back,
    "$confirmed steps began with a pair, and $taken_back of them undid a change to a paired QSO";
is $service->admin('check'), '', 'the logbook passes the check after all histories';

done_testing;
