# Starts a private QSOsync for one test: a database, workers and a real front server on a free port of 127.0.0.1. The
# service's processes and files are always removed. A line in an error log that the test did not announce fails the
# test.
package QSOsync::Service;
use strict;
use warnings;
use Errno ();
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);
use IO::Socket::INET;
use IPC::Open2 qw(open2);
use JSON::PP ();
use POSIX qw(WNOHANG);
use Test::More ();
use Time::HiRes qw(sleep time);
use QSOsync::Client;
use QSOsync::Front;

my $json = JSON::PP->new->utf8->canonical;
my %running;

sub default_front { $ENV{QSOSYNC_TEST_FRONT} || 'nginx' }

# start(front, without_module, has_proxy, workers, site, environment, wants_member, without_database, port, directory,
# data, serving, programs: a folder of programs to use instead of the build's, tls: a certificate's file without .pem,
# with the key next to the file) starts a service.
sub start {
    my ($class, %option) = @_;
    my $directory = $option{directory} || tempdir('qsosync-XXXXXXXX', TMPDIR => 1);
    my $self = bless {
        front => $option{front} || default_front(),
        workers => $option{workers} || 4,
        directory => $directory,
        data => $option{data} || "$directory/data",
        program => $option{programs} ? "$option{programs}/qsosync.fcgi" : QSOsync::Front::worker_program(),
        programs => $option{programs},
        worker_pids => [],
        site => $option{site} || 0, # number of workers for the pages
        site_pids => [],
        expected => [],
        without_module => $option{without_module}, # an Apache module that some hosts lack
        serving => $option{serving}, # make run: logs are not checked
        tls => $option{tls},
        has_proxy => $option{has_proxy}, # the front has the site for a server behind a proxy
        owner => $$,
    }, $class;
    $running{$self} = $self;
    Scalar::Util::weaken($running{$self});
    make_path($directory, $self->{data});
    $self->{db} = "$self->{data}/logbook.db";
    $self->{environment} = { QSOSYNC_RATE_LIMIT => 0, QSOsync::Front::sandbox_setting(),
        %{$option{environment} || {}},
        QSOSYNC_DB => $self->{db}, map { defined $ENV{$_} ? ($_ => $ENV{$_}) : () }
        qw(ASAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS LD_PRELOAD FAKETIME LLVM_PROFILE_FILE) };
    $self->prepare_member if !exists $option{wants_member} || $option{wants_member};
    $self->admin('init') if exists $option{wants_member} && !$option{wants_member}
        && !$option{without_database};
    $self->launch($option{port});
    return $self;
}

sub prepare_member {
    my ($self) = @_;
    $self->admin('init');
    my $member = $self->add_member('21SD333', locator => 'JO59jw');
    @{$self}{qw(read_key write_key)} = @{$member}{qw(read_key write_key)};
}

# Starts the service on the given port or a free port. If another program has meanwhile bound the free port, tries
# another free port.
sub launch {
    my ($self, $port) = @_;
    for my $attempt (1 .. 5) {
        $self->{port} = $port || free_port();
        $self->{tls_port} = free_port() if $self->{tls};
        QSOsync::Front::start($self);
        return if $self->wait_until_ready;
        last if $port;
        $self->end_processes;
        unlink glob "$self->{directory}/{*.sock,front.log,front.pid}";
    }
    my $log = $self->error_log_text;
    $self->stop;
    die "the $self->{front} front did not start:\n$log";
}

# Reserves a port with a bound socket until the test ends, because the system assigns such a port to no other program. A
# server that reuses addresses, as all these servers do, can still listen on the port.
my @kept_ports;
sub free_port {
    my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Proto => 'tcp', ReuseAddr => 1)
        or die "no free port: $!";
    push @kept_ports, $socket;
    return $socket->sockport;
}

# Front servers write their process id once they listen. Before that, another program can answer on the port.
sub wait_until_ready {
    my ($self) = @_;
    my $end = time + 30;
    while (time < $end) {
        return 0 if waitpid($self->{front_pid}, WNOHANG) == $self->{front_pid};
        my $socket = -e "$self->{directory}/front.pid"
            && IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $self->{port});
        return 1 if $socket && QSOsync::Front::is_ready_for_cgi($self);
        sleep 0.02;
    }
    return 0;
}

sub base_url { "http://127.0.0.1:$_[0]{port}/api/v1" }
sub port { $_[0]{port} }
sub tls_url { "https://127.0.0.1:$_[0]{tls_port}" }
sub db { $_[0]{db} }
sub directory { $_[0]{directory} }
sub front { $_[0]{front} }
sub read_key { $_[0]{read_key} }
sub write_key { $_[0]{write_key} }
sub worker_pids { @{$_[0]{worker_pids}} }
sub site_pids { @{$_[0]{site_pids}} }
# Each process leads its own process group.
sub process_ids { grep { $_ } $_[0]{front_pid}, $_[0]->worker_pids, @{$_[0]{site_pids}} }
sub has_socket { QSOsync::Front::has_socket($_[0]{front}) }

# Returns the memory in KiB that the system reports for a process under this name, or 0 if the system does not report
# it. RssAnon is the process's own memory, without the mapped database.
sub memory_kib {
    my ($self, $pid, $name) = @_;
    my $status = eval { QSOsync::Front::read_file("/proc/$pid/status") } // '';
    return $status =~ /^\Q$name\E:\s+(\d+) kB/m ? $1 : 0;
}

# Returns the total processor time of these processes, in seconds.
sub cpu_seconds {
    my ($self, @pids) = @_;
    my $ns = 0;
    $ns += (split ' ', QSOsync::Front::read_file("/proc/$_/schedstat"))[0] for @pids;
    return $ns / 1e9;
}

# Returns a worker's writable memory as one text, without mapped files. The text contains everything that the worker has
# received or created, and has not overwritten. Returns undef for users who may not read the memory.
sub memory_of {
    my ($self, $pid) = @_;
    open my $maps, '<', "/proc/$pid/maps" or return;
    open my $memory, '<:raw', "/proc/$pid/mem" or return;
    my $text = '';
    no warnings 'portable'; # addresses have 64 bits
    while (<$maps>) {
        my ($from, $to) = /^(\w+)-(\w+) rw\S* \S+ 00:00 / or next;
        sysseek $memory, hex $from, 0 or next;
        sysread $memory, $text, hex($to) - hex($from), length $text;
    }
    return $text;
}

# Starts another worker on the shared socket, and returns the worker's process id.
sub start_worker { QSOsync::Front::start_worker($_[0]) }

# Replaces each worker that has ended, as a supervisor would.
sub replace_ended_workers {
    my ($self) = @_;
    for my $case (['worker_pids', \&QSOsync::Front::start_worker], ['site_pids', \&QSOsync::Front::start_site_worker]) {
        my ($pids, $start) = @$case;
        for my $pid (@{$self->{$pids}}) {
            next if waitpid($pid, WNOHANG) == 0;
            @{$self->{$pids}} = grep { $_ != $pid } @{$self->{$pids}};
            $start->($self);
        }
    }
}

sub front_has_ended {
    my ($self) = @_;
    return waitpid($self->{front_pid}, WNOHANG) != 0;
}

# Uses the build's programs for later commands and workers, if other programs were given at the start.
sub take_own_programs {
    my ($self) = @_;
    delete $self->{programs};
    $self->{program} = QSOsync::Front::worker_program();
}

# Ends one worker with a signal, and waits for the worker's end.
sub end_worker {
    my ($self, $pid, $signal) = @_;
    kill $signal || 'TERM', $pid;
    waitpid $pid, 0;
    @{$self->{worker_pids}} = grep { $_ != $pid } @{$self->{worker_pids}};
}

# Ends all workers, calls the function, and starts one worker.
sub restart_workers {
    my ($self, $between) = @_;
    $self->end_worker($_) for $self->worker_pids;
    $between->() if $between;
    $self->start_worker;
}

# Runs qsosync-admin, and returns its exit status, standard output and standard error. The search for leaks takes as
# long as the rest of most commands, so only one command of each kind is searched.
my %ran;
sub admin_try {
    my ($self, @arguments) = @_;
    my $is_known = $ran{$arguments[0] // ''}{$arguments[1] // ''}++;
    my @command = (($self->{programs} || $QSOsync::Front::BUILD) . '/qsosync-admin', '--db', $self->{db}, @arguments);
    my ($output, $errors) = map { "$self->{directory}/admin-$$-" . int(rand 1e9) . ".$_" } qw(out err);
    my $pid = fork;
    die "fork: $!" unless defined $pid;
    if (!$pid) {
        QSOsync::Front::end_leak_detector() if $is_known;
        open STDOUT, '>', $output or POSIX::_exit(127);
        open STDERR, '>', $errors or POSIX::_exit(127);
        no warnings 'exec';
        exec { $command[0] } @command;
        POSIX::_exit(127);
    }
    waitpid $pid, 0;
    my $status = $? & 127 ? 128 + ($? & 127) : $? >> 8;
    my @texts = map { QSOsync::Front::read_file($_) } $output, $errors;
    unlink $output, $errors;
    return ($status, @texts);
}

sub admin {
    my ($self, @arguments) = @_;
    my ($status, $output, $errors) = $self->admin_try(@arguments);
    die "qsosync-admin @arguments: exit $status: $errors" if $status != 0;
    chomp $output;
    return $output;
}

# Runs qsosync-admin on a terminal, as a person would see it. The input is typed. Returns the exit status and the
# screen.
sub admin_on_terminal {
    my ($self, $input, @arguments) = @_;
    my $command = join ' ', map { "'" . s/'/'\\''/gr . "'" } "$QSOsync::Front::BUILD/qsosync-admin", '--db',
        $self->{db}, @arguments;
    my $pid = open2(my $output, my $keyboard, 'script', '-q', '-e', '-c', $command, '/dev/null');
    print {$keyboard} $input;
    $keyboard->flush;
    my $screen = do { local $/; <$output> };
    close $keyboard;
    waitpid $pid, 0;
    return ($? >> 8, $screen =~ s/\r\n/\n/gr);
}

sub add_member {
    my ($self, $callsign, %option) = @_;
    $self->admin('member', 'add', $callsign, '--locator', $option{locator} || 'JO59jw',
        $option{login} ? ('--login', $option{login}) : ());
    return {
        callsign => $callsign,
        map { lc($_) . '_key' => $self->admin('key', 'add', $callsign, '--name', "$_ test",
            '--scope', $_) } qw(READ WRITE)
    };
}

# Runs SQL in the sqlite3 shell, as a person at the machine would. Returns the output.
sub sqlite {
    my ($self, $sql) = @_;
    open my $shell, '-|', 'sqlite3', '-cmd', '.timeout 10000', $self->{db}, $sql
        or die "sqlite3: $!";
    my $output = join '', <$shell>;
    close $shell or die "sqlite3: $sql";
    chomp $output;
    return $output;
}

# request($method, $path, key => …, headers => …, body => … or json => …, raw_path => …, chunked => …):
# Sends a request, and returns the response.
sub request {
    my ($self, $method, $path, %option) = @_;
    my @headers = ref $option{headers} eq 'ARRAY'
        ? @{$option{headers}}
        : map { [$_, $option{headers}{$_}] } sort keys %{$option{headers} || {}};
    push @headers, ['Authorization', "Bearer $option{key}"] if defined $option{key};
    if (exists $option{json}) {
        $option{body} = $json->encode($option{json});
        push @headers, ['Content-Type', 'application/json']
            unless grep { lc $_->[0] eq 'content-type' } @headers;
    }
    my $target = defined $option{raw_path} ? $option{raw_path} : "/api/v1$path";
    return QSOsync::Client::request($self->{port}, $method, $target, headers => \@headers,
        body => $option{body}, chunked => $option{chunked}, timeout => $option{timeout}, from => $option{from});
}

sub get {
    my ($self, $path, %option) = @_;
    return $self->request('GET', $path, key => $self->{read_key}, %option);
}

sub post_batch {
    my ($self, $entries, %option) = @_;
    return $self->request('POST', '/logs/batch', key => $self->{write_key},
        json => { entries => $entries }, %option);
}

# Publishes the spots of QSOs as if a minute passed after every twenty QSOs. Returns the results.
sub post_spots {
    my ($self, @qsos) = @_;
    my @results;
    while (my @some = splice @qsos, 0, 20) {
        $self->sqlite('DELETE FROM spot_times');
        push @results, @{$self->post_batch(\@some)->json->{results}};
    }
    return @results;
}

sub delete_qso {
    my ($self, $client_id, %option) = @_;
    return $self->request('DELETE', "/logs/$client_id", key => $self->{write_key}, %option);
}

# Returns every QSO of the log, or every QSO that changed after a time, page by page.
sub download {
    my ($self, %option) = @_;
    my ($cursor, @items);
    do {
        my $path = '/logs?limit=' . ($option{limit} || 500);
        $path .= "&updatedSince=$option{since}" if defined $option{since};
        $path .= "&cursor=$cursor" if defined $cursor;
        my $page = $self->get($path, $option{key} ? (key => $option{key}) : ())->page;
        push @items, @{$page->{items}};
        $cursor = $page->{nextCursor};
    } while (defined $cursor);
    return @items;
}

# Announces an expected line in an error log.
sub expect_log {
    my ($self, $pattern) = @_;
    push @{$self->{expected}}, $pattern;
}

sub error_log_text {
    my ($self) = @_;
    return join '', map { -e $_ ? QSOsync::Front::read_file($_) : '' }
        map { "$self->{directory}/$_.log" } qw(front worker);
}

# Front servers and workers write these lines even if nothing is wrong.
my @HARMLESS = (
    qr/\A\s*\z/,
    qr/client intended to send too large/,
    qr/TRACE forbidden by server configuration/,
    qr/upstream response is buffered to a temporary file/,
    qr/client request body is buffered to a temporary file/,
    qr/\Aprofiling:/, # make coverage: a worker under a test's limits cannot always write its counts
    # qemu has no Landlock
    qr/the sandbox is incomplete: Landlock: (?:Function not implemented|Operation not supported)/,
    QSOsync::Front::has_landlock() ? () : qr/the sandbox is incomplete: Landlock: /,
    qr/AH00558|AH00489|AH00094|caught SIGTERM|AH00295|mod_fcgid: process .* exit\(server exited\)/,
);

# A stopped Apache can write these lines. A child of the event MPM closes its workers' sockets: a worker that is closing
# a connection then fails, and a child that is still starting its threads can crash. Before the stop, both are faults.
my $LINES_OF_THE_STOP = qr/
    AH0005[12]:\ child\ pid\ \d+\ exit\ signal\ Segmentation\ fault
    | \(9\)Bad\ file\ descriptor:\ AH03092:\ process_lingering_close:
/x;

sub unexpected_lines {
    my ($self, @also_harmless) = @_;
    return grep {
        my $line = $_;
        !grep { $line =~ $_ } @HARMLESS, @{$self->{expected}}, @also_harmless
    } split /\n/, $self->error_log_text;
}

sub check_logs {
    my ($self, @unexpected) = @_;
    Test::More::is(join("\n", @unexpected[0 .. ($#unexpected < 9 ? $#unexpected : 9)]), '',
        'the error logs contain no unexpected line') if @unexpected;
}

sub end_processes {
    my ($self) = @_;
    my @pids = $self->process_ids;
    delete $self->{front_pid};
    $self->{worker_pids} = $self->{site_pids} = [];
    kill 'TERM', @pids;
    my $end = time + 60;
    for my $pid (@pids) {
        my $ended;
        sleep 0.01 until ($ended = waitpid($pid, WNOHANG)) != 0 || time > $end;
        next if $ended != 0;
        kill 'KILL', $pid;
        waitpid $pid, 0;
        Test::More::fail("process $pid of the service ended on request");
    }
    # mod_fcgid's process manager can outlive an Apache that is stopped soon after its start, and would loop forever on
    # a closed pipe. Each program was started in its own process group.
    kill 'KILL', map { -$_ } @pids;
}

sub stop {
    my ($self) = @_;
    return if $self->{stopped} || $self->{owner} != $$;
    local ($?, $@, $!);
    $self->{stopped} = 1;
    my @earlier = grep { $_ =~ $LINES_OF_THE_STOP } $self->unexpected_lines;
    $self->end_processes;
    $self->check_logs(@earlier, $self->unexpected_lines($LINES_OF_THE_STOP)) unless $self->{serving};
    close delete $self->{$_} for grep { $self->{$_} } qw(socket site_socket);
    remove_tree($self->{directory});
    delete $running{$self};
}

sub DESTROY { $_[0]->stop }

for my $signal (qw(INT TERM HUP PIPE)) {
    $SIG{$signal} = sub { $_->stop for grep { $_ } values %running; exit 130 };
}
END { $_->stop for grep { $_ && $_->{owner} == $$ } values %running }

use Scalar::Util ();
1;
