# The service of a simulation: its workers and commands on a disk that fails, with power cuts and another clock, and the
# connections to it. One loop waits for everything; each request and answer goes into the history with its times.
package QSOsync::Simulation::World;
use strict;
use warnings;
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);
use IO::Socket::INET;
use JSON::PP ();
use POSIX qw(WNOHANG);
use Scalar::Util ();
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC sleep);
use QSOsync::Faults;
use QSOsync::Front;
use QSOsync::PowerCut::Disk;
use QSOsync::Worker;

my $json = JSON::PP->new->utf8->canonical;
my $PATIENCE = 60; # seconds after which a missing answer counts as a fault
my ($shims, %running);

sub now { return clock_gettime(CLOCK_MONOTONIC) }

# The three libraries that the programs load: another clock and boot, a recorder of disk writes, and calls that fail.
sub build_shims {
    my $folder = File::Temp->newdir;
    QSOsync::Front::build_preload($folder, "t/powercut/$_.c") for qw(boot recorder);
    return { folder => $folder, faults => QSOsync::Faults->new };
}

# new(power => whether the power may fail, which needs a record of all writes)
sub new {
    my ($class, %option) = @_;
    $shims ||= build_shims();
    my $directory = tempdir('qsosync-XXXXXXXX', -w '/dev/shm' ? (DIR => '/dev/shm') : (TMPDIR => 1));
    my $self = bless { %option, directory => $directory, folder => "$directory/data", faults => $shims->{faults},
        db => "$directory/data/logbook.db", history => [], problems => [], waiting => {}, processes => {}, timers => [],
        workers => [], connections => {}, engines => {}, clock_ms => 0, passed_ms => 0, life => 0, boots => 0,
        owner => $$ }, $class;
    Scalar::Util::weaken($running{$self} = $self);
    make_path("$directory/data", "$directory/before");
    chmod 0755, $directory;
    $self->{faults}->lift;
    $self->{listener} = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 0, Listen => 256) or die "$!";
    $self->command('init')->{status} == 0 or die 'init';
    $self->begin_record if $option{power};
    $self->open_sockets;
    $self->start_workers;
    return $self;
}

sub url { return 'http://127.0.0.1:' . $_[0]{listener}->sockport . '/api/v1' }

sub problem {
    my ($self, $text) = @_;
    push @{$self->{problems}}, $text if @{$self->{problems}} < 10;
}

# The last lines that the workers logged.
sub last_words {
    my ($self) = @_;
    my $log = "$self->{directory}/worker.log";
    return -e $log ? "\n" . substr QSOsync::Front::read_file($log), -400 : '';
}

sub note {
    my ($self, $entry) = @_;
    $entry->{life} //= $self->{life};
    push @{$self->{history}}, $entry;
    return $entry;
}

# -- the programs -----------------------------------------------------------------------------------

# The clock is later by the time of the power cut, and wrong by clock_ms. The recorder also records the outcome of
# failing calls. A program that stops while it holds the lock would stop all others, so only rounds without power cuts
# stop programs.
sub environment {
    my ($self) = @_;
    my @shims = map { "$shims->{folder}/$_.so" } 'boot', $self->{recording} ? 'recorder' : ();
    my $faults = $self->{faults}->environment;
    return { QSOSYNC_DB => $self->{db}, QSOSYNC_RATE_LIMIT => 0, QSOSYNC_WRITE_WAIT_MS => 3000,
        QSOsync::Front::sandbox_setting(), %$faults, LD_PRELOAD => "@shims $faults->{LD_PRELOAD}",
        BOOT_CLOCK_MS => $self->{passed_ms} + $self->{clock_ms},
        $self->{boot_id} ? (BOOT_ID => $self->{boot_id}) : (),
        $self->{recording} ? (RECORD_FOLDER => $self->{folder}, RECORD_LOG => "$self->{directory}/record") : () };
}

sub open_sockets {
    my ($self) = @_;
    for my $name (qw(worker site)) {
        my $path = "$self->{directory}/$name.sock";
        close $self->{sockets}{$name} if $self->{sockets}{$name};
        unlink $path;
        $self->{sockets}{$name} = QSOsync::Front::listen_at($path);
    }
}

sub start_worker {
    my ($self, $name) = @_;
    my $program = "$QSOsync::Front::BUILD/qsosync" . ($name eq 'site' ? '-site' : '') . '.fcgi';
    push @{$self->{workers}}, [$name, QSOsync::Front::spawn("$self->{directory}/worker.log", $self->environment,
        $self->{sockets}{$name}, $program)];
}
sub start_workers { my ($self) = @_; $self->start_worker($_) for qw(worker worker site) }

sub signal_workers {
    my ($self, $signal) = @_;
    kill $signal, map { $_->[1] } @{$self->{workers}};
}

sub has_stopped {
    my ($self) = @_;
    return grep { (eval { QSOsync::Front::read_file("/proc/$_->[1]/stat") } // '') =~ /\) T / } @{$self->{workers}};
}

# Replaces programs that have ended.
sub replace_ended {
    my ($self) = @_;
    my @ended = grep { waitpid($_->[1], WNOHANG) != 0 } @{$self->{workers}};
    return if !@ended;
    my %gone = map { $_->[1] => 1 } @ended;
    @{$self->{workers}} = grep { !$gone{$_->[1]} } @{$self->{workers}};
    $self->start_worker($_->[0]) for @ended;
}

sub restart {
    my ($self, $signal) = @_;
    $self->signal_workers('CONT');
    $self->signal_workers($signal);
    waitpid $_->[1], 0 for @{$self->{workers}};
    $self->{workers} = [];
    $self->start_workers;
}

# Starts the operator's command; $done->({status, output, errors, start, end}).
sub start_command {
    my ($self, $done, @arguments) = @_;
    my $output = sprintf '%s/command-%d', $self->{directory}, ++$self->{commands};
    my $start = now();
    my $pid = QSOsync::Front::spawn($output, $self->environment, undef, "$QSOsync::Front::BUILD/qsosync-admin",
        '--db', $self->{db}, @arguments);
    $self->{processes}{$pid} = sub {
        my $text = -e $output ? QSOsync::Front::read_file($output) =~ s/\n\z//r : ''; # or killed before its first line
        unlink $output;
        $done->({ status => $_[0], output => $text, start => $start, end => now() });
    };
}

# The same, but waits for the end.
sub command {
    my ($self, @arguments) = @_;
    my $result;
    $self->start_command(sub { $result = $_[0] }, @arguments);
    $self->pump(sub { $result });
    return $result || die "qsosync-admin @arguments does not end\n";
}

# -- the power --------------------------------------------------------------------------------------

# The current contents of the folder are safe; later changes are recorded.
sub begin_record {
    my ($self) = @_;
    unlink glob "$self->{directory}/before/*";
    $self->{before} = { map { (m{([^/]+)\z})[0] => [(stat $_)[1], QSOsync::Front::read_file($_)] }
        glob "$self->{folder}/*" };
    QSOsync::Front::write_file("$self->{directory}/record", '');
    $self->{recording} = 1;
}

# All programs end at the same moment. The disk then holds a state that a power cut may leave, or the requested state
# (PowerCut::Disk). A client whose request was in flight gets no answer; a request during the cut is answered once the
# power is back.
sub cut_power {
    my ($self, $clock_ms, $wish) = @_;
    $self->signal_workers('KILL');
    kill 'KILL', keys %{$self->{processes}};
    waitpid $_->[1], 0 for @{$self->{workers}};
    $self->{workers} = [];
    $self->pump(sub { !%{$self->{processes}} });
    my @lost = values %{$self->{waiting}};
    $self->note({ what => 'cut', start => now(), end => now() });
    $self->open_sockets; # clients that waited to be accepted are gone
    $self->pump(sub { !grep { $_->{socket} } @lost });
    my $disk = QSOsync::PowerCut::Disk->new((stat $self->{folder})[1], $self->{before});
    my $entries = QSOsync::PowerCut::Disk::read_record(QSOsync::Front::read_file("$self->{directory}/record"));
    $disk->apply($_) for @$entries;
    my $files = $disk->state(undef, $wish);
    unlink glob "$self->{folder}/*";
    QSOsync::Front::write_file("$self->{folder}/$_", $files->{$_}) for keys %$files;
    $self->{boot_id} = sprintf "%08x-0000-4000-9000-%012x\n", $$, ++$self->{boots};
    $self->{clock_ms} = $clock_ms;
    $self->begin_record;
    $self->start_workers;
}

# -- the lines --------------------------------------------------------------------------------------

# Sends a request: send(method, path, key, body, member, entries, done => sub that gets the request at its end). Its
# status is undef if no answer came. paused: nobody reads the answer until `resume`.
sub send {
    my ($self, %request) = @_;
    my $request = { what => 'request', body => undef, %request, text => '', bytes => '', start => now() };
    my $target = $request->{site} ? $request->{path} : "/api/v1$request->{path}";
    my ($query) = $target =~ /\?(.*)/;
    my $bytes = QSOsync::FastCgi::request({ REQUEST_METHOD => $request->{method}, REQUEST_URI => $target,
        QUERY_STRING => $query // '', GATEWAY_INTERFACE => 'CGI/1.1', SERVER_PROTOCOL => 'HTTP/1.1',
        HTTP_HOST => 'localhost', REQUEST_SCHEME => 'http',
        $request->{key} ? (HTTP_AUTHORIZATION => "Bearer $request->{key}") : (),
        $request->{etag} ? (HTTP_IF_NONE_MATCH => $request->{etag}) : (),
        defined $request->{body} ? (CONTENT_TYPE => 'application/json') : () }, body => $request->{body});
    my $path = "$self->{directory}/" . ($request->{site} ? 'site' : 'worker') . '.sock';
    my $socket = $request->{socket} = IO::Socket::UNIX->new(Peer => $path) or die "$path: $!";
    local $SIG{PIPE} = 'IGNORE';
    syswrite $socket, $bytes;
    $self->{waiting}{fileno $socket} = $request;
    return $request;
}

sub read_answer {
    my ($self, $request) = @_;
    my $count = sysread $request->{socket}, $request->{bytes}, 65536, length $request->{bytes};
    return $self->finish($request, 0) if !$count;
    while (length $request->{bytes} >= 8) {
        my (undef, $type, undef, $length, $padding) = unpack 'CCnnC', $request->{bytes};
        return if length $request->{bytes} < 8 + $length + $padding;
        $request->{text} .= substr $request->{bytes}, 8, $length if $type == 6;
        substr $request->{bytes}, 0, 8 + $length + $padding, '';
        return $self->finish($request, 1) if $type == 3;
    }
}

sub finish {
    my ($self, $request, $is_whole) = @_;
    delete $self->{waiting}{fileno $request->{socket}};
    close delete $request->{socket};
    $request->{end} = now();
    if ($is_whole) {
        my ($head, $body) = split /\r\n\r\n/, $request->{text}, 2;
        $request->{status} = $head =~ s/\AStatus: (\d{3})[^\r\n]*\r\n// ? $1 : 200;
        @{$request}{qw(head answer)} = ($head, $body // '');
        ($request->{epoch}) = $head =~ /^X-Log-Epoch: (\d+)/m;
        ($request->{tag}) = $head =~ /^ETag: ([^\r\n]*)/m;
        $request->{json} = eval { $json->decode($request->{answer}) } if $request->{answer} =~ /\A\{/;
    }
    delete @{$request}{qw(text bytes)};
    $self->note($request);
    $request->{done}->($request) if $request->{done};
    delete $request->{done};
}

sub resume { my ($self) = @_; delete $_->{paused} for values %{$self->{waiting}} }

# -- programs that speak HTTP -----------------------------------------------------------------------

# Starts a client's engine, which reads a line of JSON and answers with one.
sub start_engine {
    my ($self, $name, @command) = @_;
    pipe my $in, my $commands or die "pipe: $!";
    pipe my $answers, my $out or die "pipe: $!";
    my $pid = fork // die "fork: $!";
    if (!$pid) {
        open STDIN, '<&', $in or POSIX::_exit(127);
        open STDOUT, '>&', $out or POSIX::_exit(127);
        open STDERR, '>>', "$self->{directory}/engine.log" or POSIX::_exit(127);
        no warnings 'exec';
        exec { $command[0] } @command;
        POSIX::_exit(127);
    }
    $commands->autoflush(1);
    return $self->{engines}{$name} = { name => $name, pid => $pid, commands => $commands, answers => $answers,
        asked => [], bytes => '' };
}

# Sends a line to an engine; $done->(answer) once, undef if the engine was killed before.
sub ask {
    my ($self, $engine, $command, $done) = @_;
    local $SIG{PIPE} = 'IGNORE';
    push @{$engine->{asked}}, $done;
    print {$engine->{commands}} $json->encode($command), "\n";
}

sub hear {
    my ($self, $engine) = @_;
    my $is_open = sysread $engine->{answers}, $engine->{bytes}, 65536, length $engine->{bytes};
    while ($engine->{bytes} =~ s/\A(.*)\n//) { (shift @{$engine->{asked}})->($json->decode($1)) }
    $self->end_engine($engine) if !$is_open;
}

sub end_engine {
    my ($self, $engine) = @_;
    kill 'KILL', $engine->{pid};
    waitpid $engine->{pid}, 0;
    delete $self->{engines}{$engine->{name}};
    $_->(undef) for splice @{$engine->{asked}};
}

sub read_http {
    my ($self, $connection) = @_;
    my $is_open = sysread $connection->{socket}, $connection->{bytes}, 65536, length $connection->{bytes};
    if (!$is_open) {
        $self->drop($connection);
        return;
    }
    my ($head, $body) = split /\r\n\r\n/, $connection->{bytes}, 2;
    return if !defined $body || length $body < ($head =~ /^Content-Length: *(\d+)/im ? $1 : 0);
    delete $self->{connections}{fileno $connection->{socket}};
    my ($method, $target) = $head =~ m{\A(\S+) /api/v1(\S*)};
    my ($key) = $head =~ /^Authorization: *Bearer (\S+)/im;
    my ($tag) = $head =~ /^If-None-Match: *([^\r\n]*)/im;
    $self->{gateway}->({ method => $method, path => $target, key => $key, etag => $tag,
        body => length $body ? $body : undef }, $connection->{socket});
}

sub drop {
    my ($self, $connection) = @_;
    delete $self->{connections}{fileno $connection->{socket}};
    close $connection->{socket};
}

# The answer as a front server would forward it; only half of it if the connection breaks.
sub pass_on {
    my ($self, $request, $socket, $is_cut) = @_;
    local $SIG{PIPE} = 'IGNORE';
    if (defined $request->{status}) {
        my $text = "HTTP/1.1 $request->{status} X\r\n$request->{head}\r\nConnection: close\r\n"
            . ($request->{head} =~ /^Content-Length:/mi ? '' : 'Content-Length: ' . length($request->{answer}) . "\r\n")
            . "\r\n$request->{answer}";
        print {$socket} $is_cut ? substr $text, 0, length($text) / 2 : $text;
    }
    close $socket;
}

# -- the loop ---------------------------------------------------------------------------------------

sub after { my ($self, $seconds, $code) = @_; push @{$self->{timers}}, [now() + $seconds, $code] }

# Serves everything until the condition is true; false if that takes too long.
sub pump {
    my ($self, $until, $seconds) = @_;
    my $end = now() + ($seconds || $PATIENCE);
    while (!$until->()) {
        return 0 if now() > $end;
        $self->step;
    }
    return 1;
}

sub step {
    my ($self) = @_;
    my %on = map { fileno $_->[0] => $_->[1] }
        (map { my $one = $_; $one->{paused} ? () : [$one->{socket}, sub { $self->read_answer($one) }] }
            values %{$self->{waiting}}),
        (map { my $one = $_; [$one->{socket}, sub { $self->read_http($one) }] } values %{$self->{connections}}),
        (map { my $one = $_; [$one->{answers}, sub { $self->hear($one) }] } values %{$self->{engines}}),
        [$self->{listener}, sub {
            my $socket = $self->{listener}->accept or return;
            $self->{connections}{fileno $socket} = { socket => $socket, bytes => '' };
        }];
    my $bits = '';
    vec($bits, $_, 1) = 1 for keys %on;
    select $bits, undef, undef, 0.004;
    for my $number (keys %on) { $on{$number}->() if vec $bits, $number, 1 }
    for my $pid (keys %{$self->{processes}}) {
        (delete $self->{processes}{$pid})->($? & 127 ? -1 : $? >> 8) if waitpid($pid, WNOHANG) == $pid;
    }
    $self->replace_ended if !$self->{is_left_alone};
    my @due = grep { $_->[0] <= now() } @{$self->{timers}};
    @{$self->{timers}} = grep { $_->[0] > now() } @{$self->{timers}} if @due;
    $_->[1]->() for @due;
}

sub stop {
    my ($self) = @_;
    return if $self->{is_stopped}++ || $self->{owner} != $$;
    local ($?, $@);
    $self->{faults}->lift;
    $self->end_engine($_) for values %{$self->{engines}};
    $self->signal_workers('KILL');
    kill 'KILL', keys %{$self->{processes}};
    waitpid $_, 0 for map({ $_->[1] } @{$self->{workers}}), keys %{$self->{processes}};
    remove_tree($self->{directory});
    delete $running{$self};
}
sub DESTROY { $_[0]->stop }
for my $signal (qw(INT TERM HUP)) {
    $SIG{$signal} = sub { exit 130 };
}
END { $_->stop for grep { $_ } values %running }

1;
