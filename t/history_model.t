use QSOsync::Test fronts => 'nginx', slow => 1;
use QSOsync::Adif;

# After any history of a log, what taking back makes of it is what a plain model says: who wrote, who changed it
# later, what was taken back and taken back again. Two clients that follow the contract are equal to the service then.
# QSOSYNC_TEST_ROUNDS: how many histories; QSOSYNC_TEST_SEED: another beginning.
my $seed = $ENV{QSOSYNC_TEST_SEED} || 20261122;
my $rounds = $ENV{QSOSYNC_TEST_ROUNDS} || 12;
my $steps = 30;
my $service = QSOsync::Service->start;
srand $seed;
diag "seed $seed" if $ENV{QSOSYNC_TEST_SEED};

sub pick { $_[rand @_] }

# -- The model: of each QSO all that happened, in its order -------------------------------------------------------

# An event: { seq, by, from, to } and, of taking back, undo. from and to are contents: { text, client, edit },
# whose text is undef where the QSO is not there. "edit" is the event that wrote it, undef: it never was there.
my (%log, $seq, $member, @writers, %callsign_key, $saved);
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

# What a QSO would become, as (what: '', restore, delete, left; content). $has->($event): it is to be taken back.
sub plan_of {
    my ($q, $has) = @_;
    my ($now, $found, $blocked, $to) = (head($q));
    my $at = $now;
    for my $event (reverse @{$q->{events}}) {
        if ($event->{undo}) {
            next unless $has->($event) && $at == $event->{to};
        } else {
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
    return ('', $now) if !$found || (!defined $now->{text} && !defined $to->{text});
    return ('left', $now) if $blocked;
    return (defined $to->{text} ? 'restore' : 'delete', $to);
}

sub removed_at { my ($q) = @_;
    return (map { $_->{seq} } grep { !defined $_->{to}{text} } @{$q->{events}})[-1] // 0 }

# All that is there, or comes back, under its clientId but this QSO itself.
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

# Where a QSO that is not there, and stays so, would be.
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

sub undo {
    my ($number, $has) = @_;
    my %count = (restore => 0, delete => 0, left => 0);
    my (%plan, @left);
    for my $id (keys %log) {
        my ($deed, $to) = plan_of($log{$id}, $has);
        next unless $deed;
        $deed = 'left' if $deed eq 'restore' && !is_live($log{$id}) && has_rival($id, $has);
        $count{$deed}++;
        $plan{$id} = $to if $deed ne 'left';
    }
    for my $id (keys %plan) {
        push @{$log{$id}{events}}, { seq => ++$seq, by => 'operator', undo => $number, from => head($log{$id}),
            to => $plan{$id} };
    }
    return \%count;
}

# -- The service, and clients of it -------------------------------------------------------------------------------

my ($with_deleted, $with_ids);

sub text_of { my ($item) = @_; return join '|', $item->{id}, $item->{clientId}, $item->{notes} // '' }

sub follow {
    my ($client, $deleted) = @_;
    my $key = $callsign_key{READ};
    my $epoch = $service->get('/logs?limit=1', key => $key)->header('X-Log-Epoch');
    $client = { of => {} } if ($client->{epoch} // $epoch) ne $epoch;
    my ($cursor, $server_time);
    do {
        my $path = '/logs?limit=7' . ($client->{since} ? "&updatedSince=$client->{since}" : '')
            . ($deleted && $client->{since} ? '&includeDeleted=true' : '') . (defined $cursor ? "&cursor=$cursor" : '');
        my $page = $service->get($path, key => $key)->json;
        delete $client->{of}{$_->{clientId}} for @{$page->{deleted} || []};
        $client->{of}{$_->{clientId}} = text_of($_) for @{$page->{items}};
        $server_time //= $page->{serverTime};
        $cursor = $page->{nextCursor};
    } while (defined $cursor);
    if (!$deleted) {
        my %there = map { $_->{clientId} => 1 } @{$service->get('/logs/ids', key => $key)->json->{items}};
        delete $client->{of}{$_} for grep { !$there{$_} } keys %{$client->{of}};
    }
    @{$client}{qw(since epoch)} = ($server_time, $epoch);
    return $client;
}

sub expected { return [map { join '|', $_, $log{$_}{client}, head($log{$_})->{text} } live()] }
sub is_equal {
    my ($client) = @_;
    no warnings 'numeric';
    my @got = sort { $a <=> $b } values %{$client->{of}};
    return join("\n", @got) eq join("\n", @{expected()});
}

sub now_iso { my $ms = $service->sqlite('SELECT last_stamp + 1 FROM logbook'); return iso_time($ms / 1000) }

# -- Steps --------------------------------------------------------------------------------------------------------

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
        push @batch, [$id, $client, pick(qw(one two three four))];
    }
    my @sent = map { qso(clientId => $_->[1], notes => $_->[2], callsignWorked => '26ZZ1') } @batch;
    my @ids;
    if ($writer->{key}) {
        @ids = map { $_->{id} } @{$service->post_batch(\@sent, key => $writer->{key})->json->{results}};
    } else {
        import_adif($service, $member, adif_file($service, map { adif_record(APP_QSOSYNC_CLIENT_ID => $_->{clientId},
            QSO_DATE => '20260517', TIME_ON => '194200', BAND => '11m', CALL => '26ZZ1',
            NOTES => $_->{notes}) } @sent));
        my %id_of = map { $_->{clientId} => $_->{id} } $service->download(key => $callsign_key{READ});
        @ids = map { $id_of{$_->{clientId}} } @sent;
    }
    for my $i (0 .. $#batch) {
        my ($id, $client, $text) = ($ids[$i], @{$batch[$i]}[1, 2]);
        my $q = $log{$id} ||= { client => $client, events => [] };
        happen($q, $writer->{name}, $text) if (head($q)->{text} // '') ne $text;
    }
}

sub delete_one {
    my ($writer) = @_;
    my @live = live() or return;
    my $id = pick(@live);
    return unless $writer->{key};
    $service->delete_qso($log{$id}{client}, key => $writer->{key})->status == 204 or die 'not deleted';
    happen($log{$id}, $writer->{name}, undef);
}

sub confirm_one {
    my @live = live() or return;
    $service->post_batch([qso(callsignWorked => $member, operatorCallsign => '26ZZ1')], key => $service->write_key);
}

my @undone;
sub take_back {
    my ($has, @options) = @_;
    my $before = $service->sqlite('SELECT last_edit FROM members WHERE id = (SELECT max(id) FROM members)');
    my ($status, $output, $errors) = $service->admin_try('undo', $member, @options);
    my %said = $output =~ /^(\w+) (\d+)$/mg;
    my $number = $said{number};
    my $model = undo($number // 0, $has);
    push @undone, $number if $number;
    my %got = (restore => $said{restored} // 0, delete => $said{deleted} // 0, left => $said{left} // 0);
    my $right = join(' ', map { "$_ $got{$_}" } sort keys %got) eq join(' ', map { "$_ $model->{$_}" } sort keys %got);
    diag "undo @options: said ", join(' ', %got), '; model ', join(' ', %$model), " $errors" unless $right;
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

my $wrong = 0;
ROUND: for my $round (1 .. $rounds) {
    $member = "26M$round";
    $service->admin('member', 'add', $member, '--locator', 'JO59');
    %log = ();
    ($seq, $saved, @undone) = (0);
    $callsign_key{READ} = $service->admin('key', 'add', $member, '--name', 'reader', '--scope', 'READ');
    @writers = ({ name => 'operator', marks => [] }, map {
        my $key = $service->admin('key', 'add', $member, '--name', $_, '--scope', 'WRITE');
        { name => $_, key => $key, marks => [], number => $service->sqlite('SELECT max(id) FROM api_keys') }
    } 'A', 'B');
    ($with_deleted, $with_ids) = ({ of => {} }, { of => {} });
    my @told;
    for my $step (1 .. $steps) {
        my $writer = pick(@writers, @writers[1, 2]);
        my $chance = rand;
        push @{$_->{marks}}, [now_iso(), $seq] for $chance < 0.2 ? @writers : ();
        my $right = 1;
        if ($chance < 0.55) { write_some($writer); push @told, "write $writer->{name}" }
        elsif ($chance < 0.72) { delete_one($writer); push @told, "delete $writer->{name}" }
        elsif ($chance < 0.75) { confirm_one(); push @told, 'confirm' }
        elsif ($chance < 0.87) { push @told, "undo $writer->{name}"; $right = undo_writer($writer) }
        elsif ($chance < 0.97) { push @told, 'undo an undo'; $right = undo_undo() }
        elsif ($chance < 0.98 && $writer->{key} && $writer->{number}) {
            $service->admin('key', 'revoke', $member, $writer->{number});
            push @told, "revoke $writer->{name}";
            my $name = "$writer->{name}2";
            my $key = $service->admin('key', 'add', $member, '--name', $name, '--scope', 'WRITE');
            @writers = ((grep { $_ != $writer } @writers), { name => $name, key => $key, marks => [],
                number => $service->sqlite('SELECT max(id) FROM api_keys') });
        } elsif (!$saved) {
            my $file = $service->directory . "/saved-$round.db";
            $service->admin('backup', $file);
            $saved = [$file, copy_of([\%log, $seq, \@undone])];
        } else {
            $service->admin('restore', $saved->[0]);
            push @told, 'restore';
            my ($log, $number, $numbers) = @{copy_of($saved->[1])};
            %log = %$log;
            ($seq, @undone) = ($number, @$numbers);
            $_->{marks} = [] for @writers;
            @writers = grep { !$_->{key} || $service->get('/me', key => $_->{key})->status == 200 } @writers;
            push @writers, ($writers[0]) x 2;
        }
        $with_deleted = follow($with_deleted, 1);
        $with_ids = follow($with_ids, 0);
        my %now = map { $_->{id} => text_of($_) } $service->download(key => $callsign_key{READ});
        my @unlike = (is_equal({ of => \%now }) ? () : 'the log',
            is_equal($with_deleted) ? () : 'a client by deletions',
            is_equal($with_ids) ? () : 'a client by ids', $right ? () : 'what undo said');
        next unless @unlike;
        fail "history $round, step $step: @unlike differs from the model (seed $seed): " . join '; ', @told;
        diag join "\n", 'model:', @{expected()}, 'service:', map { $now{$_} } sort { $a <=> $b } keys %now;
        $wrong = 1;
        last ROUND;
    }
}
ok !$wrong, "in $rounds histories of $steps steps the log and two clients are what the model says (seed $seed)";
is $service->admin('check'), '', 'the logbook is whole after all of them';

done_testing;
