use QSOsync::Test fronts => 'nginx', slow => 70, suite => 'all';
use QSOsync::Faults;
use Errno qw(EIO ENOSPC);
use File::Copy qw(copy);

# The disk fails at the n-th write, sync or memory map of a request, for every n. The result is the old state with a
# 500, or the new state with a success. The result is never a mixture, even if the worker is then killed. Each test
# draws whether the disk fails or is full.
SKIP: {
    skip $_, 1 for grep { $_ } QSOsync::Faults::missing();
    drawn_seed();
    my $faults = QSOsync::Faults->new;
    my $service = QSOsync::Service->start(workers => 1, environment => $faults->environment);
    my $other = $service->add_member('26AT101');
    my $json = JSON::PP->new->canonical;
    $service->expect_log(qr/answered with GENERIC\.INTERNAL_ERROR|: cannot /);

    # Returns the logs as a worker returns them, and the spots as the sqlite3 shell shows them.
    sub state {
        my @items = map { $service->download(key => $_) } $service->read_key, $other->{read_key};
        return $json->encode([\@items, $service->sqlite('SELECT qso_id, spotted_at, dx_callsign FROM spots')]);
    }
    sub timeless {
        return $_[0] =~ s/"(createdAt|crossConfirmedAt|spottedAt|syncedAt)":"[^"]*"/"$1":"T"/gr =~ s/\|\d{13}\|/|T|/gr;
    }
    sub log_since { substr $service->error_log_text, $_[0] }
    sub end_worker { $service->end_worker($_, $_[0]) for $service->worker_pids }

    # Copies the logbook (the database and the write-ahead log), so that the test can restore the logbook many times.
    sub keep {
        my ($name, $signal) = @_;
        end_worker($signal);
        copy $_, $service->directory . "/$name" . substr $_, length $service->db or die "$_: $!"
            for grep { -e } $service->db, $service->db . '-wal';
        $service->start_worker;
    }
    sub put_back {
        my ($name) = @_;
        end_worker('KILL');
        unlink map { $service->db . $_ } '-wal', '-shm';
        for my $file (glob $service->directory . "/$name*") {
            copy $file, $service->db . substr $file, length $service->directory . "/$name" or die "$file: $!";
        }
        $service->start_worker;
        my $state = state();
        $service->get('/me'); # after this, the worker has recorded the use of the keys
        return $state;
    }

    # After the answer, the worker moves the write-ahead log into the database. The only worker takes its next request
    # after that.
    sub answered_in_full {
        my ($request) = @_;
        my $response = $request->();
        $service->get('/me');
        return $response;
    }

    # Sends one request with one fault. Checks that the answer agrees with the state, and that a kill of the worker does
    # not change the state.
    sub try_once {
        my ($name, $from, $request, $wanted, $kind, %fault) = @_;
        my $old = put_back($from);
        my $length = length $service->error_log_text;
        $faults->strike($kind, %fault);
        my $response = answered_in_full($request);
        my $seen = $faults->lift;
        my $done = $response->status =~ /\A2/;
        is $response->body, '{"error":{"code":"GENERIC.INTERNAL_ERROR"}}',
            "$name: the request gets 500" if !$done;
        # SQLite can work without a map of the database.
        like log_since($length), qr/\A[^\n]*: cannot [^\n]*\n/, "$name: the log gives the reason"
            unless $done
            && $kind eq 'map';
        my $live = state();
        ok +($done ? timeless($live) eq $wanted : $live eq $old),
            "$name: reads agree with the answer";
        if ($fault{forever}) {
            is $request->()->status, $service->{good},
                "$name: afterwards, the same worker accepts the request"
                if !$done;
            $live = state();
            ok timeless($live) eq $wanted, "$name: the repeated request is saved once and completely";
        }
        end_worker('KILL');
        $service->start_worker;
        ok state() eq $live, "$name: a kill of the worker changes nothing";
        is $service->admin('check'), '', "$name: the logbook passes the check";
        return $seen;
    }

    sub try_all {
        my ($what, $from, $request) = @_;
        put_back($from);
        my %count;
        for my $kind (qw(write sync map)) {
            put_back($from);
            $faults->strike($kind);
            $service->{good} = answered_in_full($request)->status;
            $count{$kind} = $faults->lift;
        }
        my $wanted = timeless(state());
        cmp_ok $count{write}, '>', 10, "$what causes writes that can fail";
        cmp_ok $count{sync}, '>', 0, "$what causes syncs that can fail";
        note "$what: $count{write} writes, $count{sync} syncs, $count{map} maps";
        for my $kind (qw(write sync map)) {
            for my $at (1 .. $count{$kind}) {
                # Two neighbouring calls write a frame of the write-ahead log. In every second pair, a failure lasts and
                # a full disk does not; in the other pairs, a full disk lasts and a failure does not.
                my $is_first = $at >> 1 & 1;
                my ($words, $forever, %error) = rand() < 0.5 ? ('fails', $is_first, error => EIO)
                    : ('finds a full disk', !$is_first, error => ENOSPC, half => 1);
                try_once("$what, $kind $at of $count{$kind} $words" . ($forever ? ' and all later calls' : ''), $from,
                    $request, $wanted, $kind, at => $at, forever => $forever, %error);
            }
        }
    }

    # The request contains an update, a new QSO that is spotted and confirms another member's QSO, and an entry that is
    # rejected.
    my $update = qso(notes => 'before');
    $service->post_batch([$update, full_pmr_qso()]);
    $service->post_batch([qso(callsignWorked => '21SD333')], key => $other->{write_key});
    my $live = qso(callsignWorked => '26AT101', frequencyMhz => '27.555', sendSpot => JSON::PP::true());
    my @entries = ({ %$update, notes => 'after' }, $live, qso(band => 'none'));
    keep('few', 'KILL');
    keep('rest', 'TERM');
    try_all('a batch into a new write-ahead log', 'rest', sub { $service->post_batch(\@entries) });
    try_all('the first batch after a kill', 'few', sub {
        end_worker('KILL');
        $service->start_worker;
        $service->post_batch(\@entries);
    });

    $service->post_batch(\@entries);
    keep('saved', 'KILL');
    try_all('a deletion', 'saved', sub { $service->delete_qso($live->{clientId}) });

    # The write-ahead log has almost 1000 pages, so the next commit moves it into the database.
    put_back('few');
    $service->post_batch([$update]) while -s $service->db . '-wal' < 998 * 4120;
    keep('long', 'KILL');
    try_all('a batch with a checkpoint', 'long', sub { $service->post_batch(\@entries) });
    $service->stop;
}

done_testing;
