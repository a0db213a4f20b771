# A logbook in use under t/powercut/recorder.c. The record contains the requests, their answers and the views of readers
# as marks, at their places between the writes.
#
# A mark is JSON: {"do":N} comes before a change, {"done":N,"outcome":"saved"|"refused"|"failed"|"unknown"} after it.
# {"shown":{view:text},"times":{view:serverTime},"clock":ms} holds the answers to readers at that moment. With
# "copy":file it holds the answers that a backup of that name must give. {"read":...} and
# {"group":name,"begun"|"saved"|"refused"|"failed":version} belong to several writers at once. A view is a request whose
# answer shows a part of the state: "check", "spots", "logs KEY", "me KEY".
package QSOsync::PowerCut::Record;
use strict;
use warnings;
use Fcntl qw(:flock);
use File::Copy qw(copy);
use File::Path qw(make_path remove_tree);
use IO::Socket::UNIX;
use JSON::PP ();
use POSIX ();
use Time::HiRes qw(time);
use QSOsync::Client;
use QSOsync::Front;
use QSOsync::PowerCut::Disk;
use QSOsync::Variant;
use QSOsync::Worker;

my $json = JSON::PP->new->utf8->canonical;

# new($directory, \%shims, $faults): nothing is recorded before `begin`.
sub new {
    my ($class, $directory, $shims, $faults) = @_;
    remove_tree($directory);
    make_path("$directory/data", "$directory/before");
    my $self = bless { directory => $directory, folder => "$directory/data", shims => $shims, faults => $faults,
        db => "$directory/data/logbook.db", log => "$directory/record", number => 0, keys => [], logs => [],
        histories => [], workers => {}, worker => QSOsync::Front::worker_program(),
        admin => "$QSOsync::Front::BUILD/qsosync-admin" }, $class;
    return $self;
}

# Starts recording: the current contents are safe on the disk, and later changes are recorded. mark: a first mark;
# worker: it starts before any reader, so that no reader is the last to close the database.
sub begin {
    my ($self, %option) = @_;
    for my $path (glob "$self->{folder}/*") {
        my ($name) = $path =~ m{([^/]+)\z};
        QSOsync::Front::write_file(sprintf('%s/before/%d.%s', $self->{directory}, (stat $path)[1], $name),
            QSOsync::Front::read_file($path));
    }
    QSOsync::Front::write_file("$self->{directory}/before/" . (stat $self->{folder})[1], '');
    QSOsync::Front::write_file($self->{log}, '');
    $self->{recording} = 1;
    $self->mark(%{$option{mark}}) if $option{mark};
    $self->start_worker if $option{worker};
    $self->show;
}

sub mark {
    my ($self, %mark) = @_;
    return unless $self->{recording};
    open my $log, '>>:raw', $self->{log} or die "$self->{log}: $!";
    flock $log, LOCK_EX;
    syswrite $log,
        QSOsync::PowerCut::Disk::entry('M',
        $json->encode({ %mark, clock => int(1000 * time) + ($self->{ahead_ms} || 0) }));
    close $log;
}

# The workers' settings. Deletions are kept for longer than the time that a view asks for.
sub settings { return (QSOSYNC_RATE_LIMIT => 0, QSOSYNC_TOMBSTONE_DAYS => 36500, QSOsync::Front::sandbox_setting()) }

# Loads the recorder only while it records, and the boot shim only for another boot or another time.
sub environment {
    my ($self) = @_;
    my @shims = $self->{boot_id} || $self->{ahead_ms} ? $self->{shims}{boot} : ();
    push @shims, $self->{shims}{recorder}, $self->{faults}->environment->{LD_PRELOAD} if $self->{recording};
    return {
        PATH => $ENV{PATH}, QSOSYNC_DB => $self->{db}, settings(),
        @shims ? (LD_PRELOAD => "@shims") : (),
        $self->{boot_id} ? (BOOT_ID => $self->{boot_id}) : (),
        $self->{ahead_ms} ? (BOOT_CLOCK_MS => $self->{ahead_ms}) : (),
        $self->{recording} ? (RECORD_FOLDER => $self->{folder}, RECORD_LOG => $self->{log},
            FAULT_PLAN => $self->{faults}->environment->{FAULT_PLAN}) : (),
    };
}

# -- the programs -----------------------------------------------------------------------------------

sub run {
    my ($self, $environment, $input, @command) = @_;
    my ($in, $out, $err) = map { "$self->{directory}/run.$_" } qw(in out err);
    QSOsync::Front::write_file($in, $input);
    my $pid = fork;
    die "fork: $!" unless defined $pid;
    if (!$pid) {
        %ENV = (%{$self->environment}, %$environment);
        open STDIN, '<', $in or POSIX::_exit(127);
        open STDOUT, '>', $out or POSIX::_exit(127);
        open STDERR, '>', $err or POSIX::_exit(127);
        no warnings 'exec';
        exec { $command[0] } @command;
        POSIX::_exit(127);
    }
    waitpid $pid, 0;
    return ($? & 127 ? -($? & 127) : $? >> 8, map { QSOsync::Front::read_file($_) } $out, $err);
}

sub admin { my ($self, @arguments) = @_; return $self->run({}, '', $self->{admin}, @arguments) }

# The variables of a request as front servers pass them.
sub variables {
    my ($method, $path, $key, $body) = @_;
    my ($target, $query) = split /\?/, $path, 2;
    return {
        GATEWAY_INTERFACE => 'CGI/1.1', SERVER_PROTOCOL => 'HTTP/1.1', REQUEST_METHOD => $method,
        QUERY_STRING => defined $query ? $query : '', REMOTE_ADDR => '192.0.2.1',
        PATH_INFO => $target, SCRIPT_NAME => '/api/v1', REQUEST_URI => "/api/v1$path",
        HTTP_X_API_KEY => $key, defined $body ? (CONTENT_TYPE => 'application/json', CONTENT_LENGTH => length $body)
        : (),
    };
}

# The status, body and log epoch in the output of a CGI program.
sub parse {
    my ($text) = @_;
    my $status = $text =~ s/\AStatus: (\d{3})[^\n]*\n// ? $1 : $text =~ /\A[A-Za-z-]+:/ ? 200 : 0;
    my ($head, $body) = split /\r\n\r\n/, $text, 2;
    return ($status, $body // '', ($head // '') =~ /^X-Log-Epoch: (\d+)/m ? $1 : '');
}

# The same for a FastCGI answer; status 0 if the answer is missing.
sub parts {
    my ($answer) = @_;
    return $answer ? ($answer->status, $answer->body, $answer->header('X-Log-Epoch') // '') : (0, '', '');
}

# Starts a worker on the socket of this name; readers use the worker "reader" if there is one.
sub start_worker {
    my ($self, $name) = @_;
    $name ||= 'worker';
    my $path = "$self->{directory}/$name.sock";
    $self->{sockets}{$name} ||= IO::Socket::UNIX->new(Local => $path, Listen => 64) || die "$path: $!";
    push @{$self->{workers}{$name}}, QSOsync::Front::spawn("$self->{directory}/$name.log", $self->environment,
        $self->{sockets}{$name}, $self->{worker});
}

sub end_workers {
    my ($self, $signal) = @_;
    my @pids = map { @$_ } values %{$self->{workers}};
    kill $signal || 'TERM', @pids;
    waitpid $_, 0 for @pids;
    $self->{workers} = {};
}

# One request: through the workers if there are any, otherwise by plain CGI. Returns its status (0: none), body and log
# epoch.
sub request {
    my ($self, $method, $path, $key, $body) = @_;
    my $variables = variables($method, $path, $key, $body);
    return parse(($self->run($variables, defined $body ? $body : '', $self->{worker}))[1]) if !%{$self->{workers}};
    my $name = $method eq 'GET' && $self->{workers}{reader} ? 'reader' : 'worker';
    my $socket = IO::Socket::UNIX->new(Peer => "$self->{directory}/$name.sock") or die "$name.sock: $!";
    print {$socket} QSOsync::FastCgi::request($variables, body => $body);
    return parts(QSOsync::FastCgi::answer($socket));
}

# -- requests and commands --------------------------------------------------------------------------

# A change, its outcome, and the answers to readers after it. The code returns the outcome. The mark states the intended
# change in case its outcome stays unknown: the number of QSOs, or the deleted clientId.
sub change {
    my ($self, $code, %what) = @_;
    my $number = ++$self->{number};
    $self->mark(do => $number, %what);
    my $outcome = $code->();
    $self->mark(done => $number, outcome => $outcome);
    $self->show unless $self->{blind};
    return $outcome;
}

sub outcome_of {
    my ($status) = @_;
    return $status == 0 ? 'unknown' : $status < 300 ? 'saved' : $status < 500 ? 'refused' : 'failed';
}

sub post {
    my ($self, $key, @entries) = @_;
    my $number = $self->{number} + 1;
    $_->{radio} = "change $number of " . @entries for @entries;
    my %saved = map { $_->{clientId} => 1 } grep { $_->{band} ne 'none' } @entries; # an id may occur more than once
    $self->change(sub {
        outcome_of(($self->request('POST', '/logs/batch', $key, $json->encode({ entries => \@entries })))[0]);
    },
        entries => scalar keys %saved);
}

sub delete_qso {
    my ($self, $key, $qso) = @_;
    $self->change(sub { outcome_of(($self->request('DELETE', "/logs/$qso->{clientId}", $key))[0]) },
        deletes => $qso->{clientId});
}

# Runs the operator's command as a change; returns its standard output.
sub command {
    my ($self, @arguments) = @_;
    my $output;
    my %what = ref $arguments[-1] ? %{pop @arguments} : ();
    $self->change(sub {
        (my $status, $output) = $self->admin(@arguments);
        $self->note_key($output =~ s/\n//r, $arguments[-1]) if $status == 0 && "@arguments" =~ /\Akey add/;
        return $status < 0 ? 'unknown' : $status == 0 ? 'saved' : 'refused';
    }, %what);
    return $output;
}

# A backup, which must always show the current state.
sub back_up {
    my ($self, $name) = @_;
    $self->command('backup', "$self->{folder}/$name");
    $self->mark(copy => $name, shown => $self->{shown});
}

# A backup into a folder, under a name that the command chooses.
sub back_up_to_folder {
    my ($self) = @_;
    my %before = map { $_ => 1 } glob "$self->{folder}/qsosync-*.db";
    sleep 1 if %before; # the name contains the time in seconds
    $self->command('backup', '--to', $self->{folder});
    my ($made) = grep { !$before{$_} } glob "$self->{folder}/qsosync-*.db";
    $self->mark(copy => $made =~ s{.*/}{}r, shown => $self->{shown});
}

# A restore; the previous logbook is kept if it was readable.
sub restore {
    my ($self, $name, %what) = @_;
    my $previous = $self->{shown};
    my $output = $self->command('restore', "$self->{folder}/$name", \%what);
    my ($kept) = $output =~ m{kept as \S*/(\S+)$}m;
    $self->mark(copy => $kept, shown => $previous) if $kept && !$what{moves};
}

# Another program's change to the files: Perl code that has the database's path as its argument.
sub meddle {
    my ($self, $code) = @_;
    $self->change(sub {
        ($self->run({}, '', $^X, '-MIO::Handle', '-e', $code, $self->{db}))[0] == 0 ? 'saved' : die 'not done';
    });
}

# Switches to the next version of the programs, which will also judge the remaining states.
sub bring_forward {
    my ($self) = @_;
    my $newer = QSOsync::Newer->new;
    make_path("$self->{directory}/programs");
    for my $name (qw(admin worker)) {
        my ($from, $to) = ($newer->$name, "$self->{directory}/programs/$name");
        copy($from, $to) && chmod(0755, $to) or die "$to: $!";
        $self->{$name} = $to;
    }
}

sub note_key {
    my ($self, $key, $scope) = @_;
    push @{$self->{keys}}, $key;
    push @{$self->{logs}}, $key if $scope eq 'WRITE'; # one per member
}

# -- several at once ----------------------------------------------------------------------------------

# Sends the same QSOs as one batch in a newer version. The acknowledgement is recorded only for the group.
sub send_group {
    my ($self, $group, $version, $key, @qsos) = @_;
    $_->{notes} = "group $group version $version" for @qsos;
    $self->mark(group => $group, begun => $version);
    my $outcome = outcome_of(($self->request('POST', '/logs/batch', $key, $json->encode({ entries => \@qsos })))[0]);
    $self->mark(group => $group, $outcome => $version) if $outcome ne 'unknown';
}

sub read_once {
    my ($self, $key) = @_;
    my ($shown, $time) = look($self, "logs $key");
    $self->mark(read => { "logs $key" => $shown }, times => { "logs $key" => $time }) if defined $time;
}

# Kills one worker at any point, and starts another in its place.
sub replace_worker {
    my ($self) = @_;
    my $workers = $self->{workers}{worker};
    my $pid = splice @$workers, int rand @$workers, 1;
    kill 'KILL', $pid;
    waitpid $pid, 0;
    $self->start_worker;
}

# -- answers to readers -----------------------------------------------------------------------------

# The whole log, with every deletion from it.
my $LOG = '/logs?limit=500&updatedSince=2000-01-01T00:00:00Z&includeDeleted=true';

# The answer of a view, and its serverTime.
sub look {
    my ($ask, $view) = @_;
    my ($kind, $key) = split / /, $view; # for the history, a member's callsign
    # Stamps may be ahead of a clock that lost its time.
    return join("\n", $ask->admin($kind, $key // ())) =~ s/\Q$ask->{db}\E/DB/gr =~ s/^.* is ahead of the clock;.*\n//mr
        if $kind =~ /\A(?:check|spots|history)\z/;
    my ($status, $body, $epoch) = $ask->request('GET', $kind eq 'logs' ? $LOG : '/me', $key);
    my $time = $body =~ s/"serverTime":"([^"]*)"// ? $1 : undef;
    $epoch = '' if $ask->{any_epoch};
    return ("$status $epoch $body", $time);
}

sub views {
    my ($self) = @_;
    return ('check', 'spots', map({ "history $_" } @{$self->{histories}}), map({ "logs $_" } @{$self->{logs}}),
        map { "me $_" } @{$self->{keys}});
}

sub show {
    my ($self) = @_;
    my (%shown, %times);
    for my $view ($self->views) {
        ($shown{$view}, my $time) = look($self, $view);
        $times{$view} = $time if defined $time;
    }
    $self->{shown} = \%shown;
    $self->mark(shown => \%shown, times => \%times);
}

# -- a power cut, and another life ------------------------------------------------------------------

sub another {
    my ($self, $name) = @_;
    my $class = ref $self;
    return $class->new("$self->{directory}/$name", $self->{shims}, $self->{faults});
}

# Begins with the files that a cut has left of another record, on another boot. The expected state is the state that
# readers see without a second cut.
sub begin_after_cut {
    my ($self, $before) = @_;
    $self->{$_} = $before->{$_} for qw(keys logs number);
    my $entries = entries($before->{directory});
    my $disk = disk($before->{directory});
    my $cut = @$entries / 3 + int rand(@$entries * 2 / 3);
    $disk->apply($_) for grep { $_->[0] ne 'M' } @$entries[0 .. $cut];
    my $files = $disk->state;
    my $put = sub {
        unlink glob "$self->{folder}/*";
        QSOsync::Front::write_file("$self->{folder}/$_", $files->{$_}) for keys %$files;
    };
    $self->{boot_id} = sprintf "%08x-0000-4000-9000-%012x\n", $$, rand 2**40;
    $put->();
    $self->show;
    my $shown = $self->{shown};
    $put->();
    $self->begin(mark => { shown => $shown, times => {} });
}

# Ends the record; the disk model's folder must equal the real one, otherwise the recorder has missed something.
sub finish {
    my ($self) = @_;
    $self->end_workers;
    $self->{recording} = 0;
    my $disk = disk($self->{directory});
    $disk->apply($_) for grep { $_->[0] ne 'M' } @{entries($self->{directory})};
    my $present = $disk->present;
    my %there = map { (m{([^/]+)\z})[0] => QSOsync::Front::read_file($_) } glob "$self->{folder}/*";
    my @wrong = sort grep { !defined $present->{$_} || !defined $there{$_}
        || $present->{$_} ne $there{$_} && !/-(?:shm|gate|limits)\z/ } keys %{{ %$present, %there }};
    die "the record of $self->{directory} differs from the real files: @wrong" if @wrong;
}

# -- a finished record ------------------------------------------------------------------------------

sub entries {
    my ($directory) = @_;
    return QSOsync::PowerCut::Disk::read_record(QSOsync::Front::read_file("$directory/record"));
}

sub disk {
    my ($directory) = @_;
    my (%files, $inode);
    for my $path (glob "$directory/before/*") {
        my ($number, $name) = $path =~ m{/(\d+)(?:\.([^/]+))?\z};
        if (defined $name) { $files{$name} = [$number, QSOsync::Front::read_file($path)] }
        else { $inode = $number }
    }
    return QSOsync::PowerCut::Disk->new($inode, \%files);
}

sub mark_of { my ($entry) = @_; return $json->decode($entry->[4]) }

1;
