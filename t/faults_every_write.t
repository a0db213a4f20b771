use QSOsync::Test fronts => 'nginx', slow => 250, suite => 'all';
use QSOsync::Faults;
use Errno qw(EIO ENOSPC);
use File::Copy qw(copy);
use POSIX ();
use Time::HiRes qw(sleep);

# A disk that fails at the n-th write or sync of a request, for every n: the old state with an honest 500, or the
# new one with the answer that says so; also after the worker was killed, and never anything between.
SKIP: {
    skip $_, 1 for grep { $_ } QSOsync::Faults::missing();
    my $faults = QSOsync::Faults->new;
    my $service = QSOsync::Service->start(workers => 1, environment => $faults->environment);
    my $other = $service->add_member('26AT101');
    my $json = JSON::PP->new->canonical;
    $service->expect_log(qr/answered with GENERIC\.INTERNAL_ERROR|: cannot /);

    # What a worker and a person with the sqlite3 shell see: as it is, and without the moments of writing.
    sub state {
        my @items = map { $service->download(key => $_) } $service->read_key, $other->{read_key};
        return $json->encode([\@items, $service->sqlite('SELECT qso_id, spotted_at, dx_callsign FROM spots')]);
    }
    sub timeless {
        return $_[0] =~ s/"(createdAt|crossConfirmedAt|spottedAt|syncedAt)":"[^"]*"/"$1":"T"/gr =~ s/\|\d{13}\|/|T|/gr;
    }
    sub log_since { substr $service->error_log_text, $_[0] }
    sub end_worker { $service->end_worker($_, $_[0]) for $service->worker_pids }

    # A logbook at rest, to begin from many times: the database and its write-ahead log.
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
        $service->get('/me'); # the worker has noted who used which key
        return $state;
    }

    # The write-ahead log is moved into the database after the answer; the only worker takes the next request
    # after that.
    sub answered_in_full {
        my ($request) = @_;
        my $response = $request->();
        $service->get('/me');
        return $response;
    }

    # One request with one fault: answered honestly, and whole after the worker was killed.
    sub try_once {
        my ($name, $from, $request, $wanted, $kind, %fault) = @_;
        my $old = put_back($from);
        my $length = length $service->error_log_text;
        $faults->strike($kind, %fault);
        my $response = answered_in_full($request);
        my $seen = $faults->lift;
        my $done = $response->status =~ /\A2/;
        is $response->body, '{"error":{"code":"GENERIC.INTERNAL_ERROR"}}',
            "a plain 500 is the answer when this fails: $name" if !$done;
        # SQLite can do without a map of the database.
        like log_since($length), qr/\A[^\n]*: cannot [^\n]*\n/, "the log says why when this fails: $name" unless $done
            && $kind eq 'map';
        my $live = state();
        ok +($done ? timeless($live) eq $wanted : $live eq $old),
            "what is read agrees with the answer when this fails: $name";
        if ($fault{forever}) {
            is $request->()->status, $service->{good},
                "the same worker accepts the request again after this failed: $name"
                if !$done;
            $live = state();
            ok timeless($live) eq $wanted, "the repeated request is saved once and whole after this failed: $name";
        }
        end_worker('KILL');
        $service->start_worker;
        ok state() eq $live, "a kill of the worker changes nothing after this failed: $name";
        is $service->admin('check'), '', "the database is whole after this failed: $name";
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
        cmp_ok $count{write}, '>', 10, "$what makes writes that can fail";
        cmp_ok $count{sync}, '>', 0, "$what makes syncs that can fail";
        note "$what: $count{write} writes, $count{sync} syncs, $count{map} maps";
        for my $kind (qw(write sync map)) {
            for my $at (1 .. $count{$kind}) {
                for my $forever (0, 1) {
                    try_once("$what, $kind $at of $count{$kind} fails" . ($forever ? ' and all after it' : ''), $from,
                        $request, $wanted,
                        $kind, at => $at, forever => $forever, error => EIO);
                    try_once("$what, $kind $at of $count{$kind} finds a full disk" . ($forever ? ' and all after it'
                        : ''),
                        $from, $request,
                        $wanted, $kind, at => $at, forever => $forever, error => ENOSPC, half => 1);
                }
            }
        }
    }

    # An update, a new QSO that is spotted and confirms one of another member, and one entry that is refused.
    my $update = qso(notes => 'before');
    $service->post_batch([$update, full_pmr_qso()]);
    $service->post_batch([qso(callsignWorked => '21SD333')], key => $other->{write_key});
    my $live = qso(callsignWorked => '26AT101', frequencyMhz => '27.555', sendSpot => JSON::PP::true());
    my @entries = ({ %$update, notes => 'after' }, $live, qso(band => 'none'));
    keep('few', 'KILL');
    keep('rest', 'TERM');
    try_all('a batch into a new log', 'rest', sub { $service->post_batch(\@entries) });
    try_all('the first batch after a kill', 'few', sub {
        end_worker('KILL');
        $service->start_worker;
        $service->post_batch(\@entries);
    });

    $service->post_batch(\@entries);
    keep('saved', 'KILL');
    try_all('a deletion', 'saved', sub { $service->delete_qso($live->{clientId}) });

    # A log that has grown to just below 1000 pages: the next commit moves it into the database.
    put_back('few');
    $service->post_batch([$update]) while -s $service->db . '-wal' < 998 * 4120;
    keep('long', 'KILL');
    try_all('a batch with a checkpoint', 'long', sub { $service->post_batch(\@entries) });
    $service->stop;
}

# Workers that are killed at any moment: every acknowledged batch is whole, every other one whole or absent, and
# check finds nothing, after each kill.
{
    my $kills = $ENV{QSOSYNC_TEST_KILLS} || 200;
    my $kills_a_log = 10; # so that the log, and with it each check, stays small
    my $qsos_a_batch = 20;
    my $batches = 0;

    # Sends batches of QSOs that name their batch, with spots and partners, and notes what was acknowledged.
    sub write_batches {
        my ($service, $number, $key, $partner) = @_;
        srand $$;
        open my $file, '>', $service->directory . "/acknowledged-$number" or POSIX::_exit(1);
        my $stop;
        $SIG{TERM} = sub { $stop = 1 };
        for (my $batch = 1; !$stop; $batch++) {
            my $name = "$number-$batch";
            my @entries = map { qso(notes => $name, sendSpot => JSON::PP::true(), frequencyMhz => '27.555',
                callsignWorked => $partner) } 1 .. $qsos_a_batch;
            my $response = $service->post_batch(\@entries, key => $key);
            syswrite $file, "$name\n" if $response && $response->status == 200 && $response->complete;
        }
    }

    # What is wrong with the log at this moment; the writers go on.
    sub problems {
        my ($service) = @_;
        my @acknowledged = map { split /\n/,
            QSOsync::Front::read_file($_) } glob $service->directory . '/acknowledged-*';
        my %count = map { split /\|/ } split /\n/, $service->sqlite('SELECT notes, count(*) FROM qsos GROUP BY notes');
        # Where no worker had opened the logbook, and one does meanwhile, the check asks to be repeated.
        my ($status, $output, $errors) = (1, '', 'check it again');
        for (1 .. 20) {
            last if $errors !~ /check it again/;
            ($status, $output, $errors) = $service->admin_try('check');
        }
        $batches = @acknowledged;
        return join '; ', (map { "batch $_ is lost" } grep { !$count{$_} } @acknowledged),
            (map { "$count{$_} QSOs of batch $_" } grep { $count{$_} != $qsos_a_batch } sort keys %count),
            $status ? "check: $output$errors" : ();
    }

    sub kill_workers {
        my ($times) = @_;
        $batches = 0;
        my $service = QSOsync::Service->start(workers => 4);
        my $other = $service->add_member('26AT101');
        $service->expect_log(qr/upstream|recv\(\) failed|prematurely closed|AH\d+/);
        my @writers = map {
            my $number = $_;
            my $pid = fork;
            die "fork: $!" unless defined $pid;
            if (!$pid) {
                write_batches($service, $number, $number % 2 ? ($service->write_key, '26AT101')
                    : ($other->{write_key}, '21SD333'));
                POSIX::_exit(0);
            }
            $pid;
        } 1 .. 4;
        # On a machine that is slow at the moment there are more kills, until writers have come between them.
        for (my $kill = 1; $kill <= $times || ($batches <= $times / 4 && $kill < 20 * $times); $kill++) {
            sleep 0.005 + rand 0.04;
            my @pids = $service->worker_pids;
            $service->end_worker($pids[rand @pids], 'KILL');
            $service->start_worker;
            is problems($service), '',
                'after a worker is killed every acknowledged batch is there and none is there in part';
        }
        kill 'TERM', @writers;
        waitpid $_, 0 for @writers;
        is problems($service), '', 'after all kills every acknowledged batch is there and none is there in part';
        cmp_ok $batches, '>', $times / 4, 'batches are acknowledged between the kills';
        diag "$times kills, $batches acknowledged batches" if $ENV{QSOSYNC_TEST_KILLS};
        is $service->get('/me')->status, 200, 'after all kills the service answers';
    }

    for (my $left = $kills; $left > 0; $left -= $kills_a_log) {
        kill_workers($left < $kills_a_log ? $left : $kills_a_log);
    }
}

done_testing;
